"""Filters, smoothers and maximum likelihood of statsmodels 0.15.0 (scipy 1.17.1, numpy 2.4.6) on observations of which
some are missing, with which the tests of package filtering compare.

    python statespace.py > statespace.json
"""

import json

import numpy as np
from scipy.optimize import minimize
from statsmodels.tsa.statespace.kalman_smoother import KalmanSmoother


def model(y, A, C, Q, R, mean, cov):
    p, d = C.shape
    k = KalmanSmoother(k_endog=p, k_states=d, initialization="known", initial_state=mean, initial_state_cov=cov)
    k.bind(np.asfortranarray(y.T.copy()))
    k["design"], k["transition"], k["selection"] = C, A, np.eye(d)
    k["state_cov"], k["obs_cov"] = Q, R
    k.tolerance = 0  # no steady state, which statsmodels takes for granted where the variance moves by less than 3e-10
    return k


def plain(y):
    return [[None if np.isnan(v) else v for v in row] for row in y.tolist()]


rng = np.random.default_rng(17)
A = np.array([[0.9, 0.2], [-0.1, 0.7]])
C = np.array([[1.0, 0.0], [0.5, 1.0], [0.0, -1.0]])
Q, R = np.array([[0.5, 0.1], [0.1, 0.3]]), np.array([[0.4, 0.15, 0.0], [0.15, 0.6, -0.1], [0.0, -0.1, 0.3]])
mean, cov = np.array([0.5, -0.2]), np.array([[1.0, 0.2], [0.2, 0.8]])
x, y = rng.multivariate_normal(mean, cov), []
for t in range(25):
    y.append(C @ x + rng.multivariate_normal(np.zeros(3), R))
    x = A @ x + rng.multivariate_normal(np.zeros(2), Q)
y = np.round(np.array(y), 4)
y[rng.random(y.shape) < 0.25] = np.nan
y[[0, 7, 8, 23, 24]] = np.nan
s = model(y, A, C, Q, R, mean, cov).smooth()
out = {"filter": {"y": plain(y), "llf": s.llf_obs.tolist(), "filtered": s.filtered_state.T.tolist(),
                  "filteredCov": s.filtered_state_cov.transpose(2, 0, 1).tolist(), "smoothed": s.smoothed_state.T.tolist(),
                  "smoothedCov": s.smoothed_state_cov.transpose(2, 0, 1).tolist()}}

# Maximum likelihood of an autoregression seen in noise, A, Q and R free, with a tenth of the numbers missing.
z, y = 0.0, []
for t in range(300):
    y.append(z + 0.5 * rng.normal())
    z = 0.85 * z + 0.6 * rng.normal()
y = np.round(np.array(y), 4)[:, None]
y[rng.random(300) < 0.1] = np.nan


def loss(theta):
    a, q, r = theta[0], np.exp(theta[1]), np.exp(theta[2])
    return -model(y, np.array([[a]]), np.eye(1), np.array([[q]]), np.array([[r]]), np.zeros(1), np.eye(1)).loglike()


best = minimize(loss, [0.5, 0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-12, "maxiter": 10000})
out["ar"] = {"y": plain(y), "llf": -best.fun, "a": best.x[0], "q": float(np.exp(best.x[1])), "r": float(np.exp(best.x[2]))}
print(json.dumps(out))
