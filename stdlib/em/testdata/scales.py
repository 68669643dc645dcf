"""Likelihoods that hmmlearn 0.3.3 and scikit-learn 1.9.1 (numpy 2.4.6) reach on columns of scales 1000 and 0.1,
two states that only the small column tells apart. Package em compares its own with them.

    python scales.py > scales.json
"""

import json
import warnings

import numpy as np
from hmmlearn.hmm import GaussianHMM
from sklearn.mixture import GaussianMixture

warnings.filterwarnings("ignore")
rng = np.random.default_rng(11)
N = 400
z = [0]
for _ in range(N - 1):
    z.append(z[-1] if rng.random() < 0.85 else 1 - z[-1])
x = np.round(np.column_stack([1000 * rng.normal(size=N), 2 * np.array(z) - 1 + 0.1 * rng.normal(size=N)]), 4)
out = {"x": x.tolist(), "hmm": {}, "mixture": {}}
for kind in ["diag", "full", "tied"]:
    # The best of ten starts, with the regularisation of each package nearly off.
    best = -np.inf
    for seed in range(10):
        m = GaussianHMM(2, kind, min_covar=1e-9, means_weight=0, covars_prior=0, covars_weight=0 if kind != "diag" else 1,
                        n_iter=500, tol=1e-9, random_state=seed)
        try:
            best = max(best, m.fit(x).score(x))
        except ValueError:
            pass
    out["hmm"][kind] = best
    # On the columns as they are, k-means of scikit-learn sees the large one alone, and "diag" ends at -3902.1:
    # it gets columns of standard deviation 1, and the likelihood is that of the data before.
    sd = x.std(axis=0)
    m = GaussianMixture(2, covariance_type=kind, reg_covar=1e-9, tol=1e-12, max_iter=1000, n_init=20, random_state=0).fit(x / sd)
    out["mixture"][kind] = m.score(x / sd) * N - N * np.log(sd).sum()
print(json.dumps(out))
