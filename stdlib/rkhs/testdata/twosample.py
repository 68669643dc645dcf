"""The exact permutation test of scipy 1.17.1 with the unbiased squared MMD (kernels of scikit-learn 1.9.1), with which
the tests of package rkhs compare.

    python twosample.py > twosample.json
"""

import json

import numpy as np
from scipy.stats import permutation_test
from sklearn.metrics.pairwise import rbf_kernel

rng = np.random.default_rng(5)
x, y = np.round(rng.normal(size=(6, 2)), 3), np.round(rng.normal(size=(5, 2)) + [0.9, 0.3], 3)
points, bandwidth = np.vstack([x, y]), 1.3


def statistic(i, j):
    i, j = i.astype(int), j.astype(int)
    k = rbf_kernel(points, gamma=1 / (2 * bandwidth**2))
    np.fill_diagonal(k, 0)
    n, m = len(i), len(j)
    return k[np.ix_(i, i)].sum() / (n * (n - 1)) + k[np.ix_(j, j)].sum() / (m * (m - 1)) - 2 * k[np.ix_(i, j)].mean()


r = permutation_test((np.arange(6.0), np.arange(6.0, 11.0)), statistic, vectorized=False, n_resamples=np.inf, alternative="greater")
print(json.dumps({"x": x.tolist(), "y": y.tolist(), "bandwidth": bandwidth, "statistic": r.statistic, "p": r.pvalue,
                  "null": sorted(r.null_distribution.tolist())}))
