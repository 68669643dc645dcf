"""Fits of hmmlearn 0.3.3 and scikit-learn 1.9.1 (numpy 2.4.6) that the tests of package em compare with.

    python golden.py > golden.json
"""

import json
import warnings

import numpy as np
from hmmlearn.hmm import GMMHMM, GaussianHMM, PoissonHMM
from sklearn.mixture import GaussianMixture

warnings.filterwarnings("ignore")
rng = np.random.default_rng(7)
N, S, D = 300, 3, 2
A = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])
MEANS = np.array([[0.0, 0.0], [2.0, 1.0], [-1.0, 3.0]])
z = [0]
for _ in range(N - 1):
    z.append(int(rng.choice(S, p=A[z[-1]])))
x = np.round(MEANS[z] + rng.normal(size=(N, D)) * [0.7, 1.1], 3)
counts = rng.poisson(np.array([[1.0, 6.0], [4.0, 3.0], [9.0, 0.5]])[z])
START, TRANSITION = np.full(S, 1 / S), np.full((S, S), 0.2) + 0.4 * np.eye(S)
FROM = MEANS + [[0.3, -0.2], [-0.4, 0.3], [0.2, 0.4]]
out = {"x": x.tolist(), "counts": counts.tolist(), "from": FROM.tolist(), "hmm": {}, "mixture": {}}


def chain(m):
    m.startprob_, m.transmat_ = START.copy(), TRANSITION.copy()
    return m


def result(m, data):
    m.fit(data)
    return {"history": list(m.monitor_.history), "transition": m.transmat_.tolist(), "score": m.score(data)}


for kind, covars in {"spherical": np.ones(S), "diag": np.ones((S, D)), "full": np.stack([np.eye(D)] * S), "tied": np.eye(D)}.items():
    m = chain(GaussianHMM(S, kind, min_covar=0, means_weight=0, covars_prior=0, covars_weight=0 if kind in ("full", "tied") else 1,
                          n_iter=15, tol=-np.inf, init_params=""))
    m.means_, m.covars_ = FROM.copy(), covars
    out["hmm"][kind] = result(m, x) | {"means": m.means_.tolist()}

m = chain(PoissonHMM(S, n_iter=15, tol=-np.inf, init_params=""))
m.lambdas_ = np.array([[2.0, 5.0], [4.0, 4.0], [7.0, 1.0]])
out["hmm"]["poisson"] = result(m, counts) | {"means": m.lambdas_.tolist()}

m = chain(GMMHMM(S, 2, covariance_type="diag", min_covar=0, n_iter=15, tol=-np.inf, init_params=""))
m.weights_ = np.full((S, 2), 0.5)
m.means_ = np.stack([FROM - 0.5, FROM + 0.5], axis=1)
m.covars_ = np.ones((S, 2, D))
out["hmm"]["mixture"] = result(m, x) | {"means": m.means_.reshape(-1, D).tolist()}

for kind, precision in {"spherical": np.ones(S), "diag": np.ones((S, D)), "full": np.stack([np.eye(D)] * S), "tied": np.eye(D)}.items():
    m = GaussianMixture(S, covariance_type=kind, reg_covar=0, tol=0, max_iter=20, weights_init=START, means_init=FROM,
                        precisions_init=precision).fit(x)
    out["mixture"][kind] = {"means": m.means_.tolist(), "weights": m.weights_.tolist(), "score": m.score(x) * N,
                            "aic": m.aic(x), "bic": m.bic(x)}

print(json.dumps(out))
