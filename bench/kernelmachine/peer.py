"""The NumPy and scikit-learn side of the benchmark: see bench.py."""

import json
import pathlib
import sys
import time

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge

DATA = pathlib.Path(sys.argv[1])
S, B, STEP, NU, ROWS = 0.52, 256, 4.0, 1e-6, 1024


def load(name, *shape):
    return np.fromfile(DATA / name, dtype="<f8").reshape(*shape)


X, Y = load("x", -1, 2), load("y", -1)
WIDE = load("wide", -1, 50)
W = {2: load("w2", 2, -1), 50: load("w50", 50, -1)}
PHASE, THETA = load("phase", -1), load("theta", -1)
BLOCKS, PHASES = load("blocks", -1, 2, B), load("phases", -1, B)
ALL_W, ALL_PHASE = np.ascontiguousarray(BLOCKS.transpose(1, 0, 2).reshape(2, -1)), PHASES.ravel()


def cosines(x, w, phase):
    z = x @ w
    z += phase
    return np.cos(z, out=z)


def features(x, w):
    scale = np.sqrt(2 / w.shape[1])
    return np.concatenate([cosines(x[i : i + ROWS], w, PHASE) @ THETA * scale for i in range(0, len(x), ROWS)])


def adjoint():
    x, r = X[: 1 << 15], Y[: 1 << 15]
    scale = np.sqrt(2 / W[2].shape[1])
    return scale * sum(r[i : i + ROWS] @ cosines(x[i : i + ROWS], W[2], PHASE) for i in range(0, len(x), ROWS))


def outputs(x, a, steps):
    """Sums over blocks of 4,096 features, which stay in cache."""
    u = np.zeros(len(x))
    for lo in range(0, steps * B, 4096):
        hi = min(lo + 4096, steps * B)
        u += cosines(x, ALL_W[:, lo:hi], ALL_PHASE[lo:hi]) @ a[lo:hi]
    return u * np.sqrt(2 / B)


def doubly(steps):
    a = np.zeros(steps * B)
    for t in range(steps):
        x, y = X[t * B : (t + 1) * B], Y[t * B : (t + 1) * B]
        g = (outputs(x, a, t) - y) / B
        a[: t * B] *= 1 - STEP * NU
        phi = cosines(x, BLOCKS[t], PHASES[t])
        a[t * B : (t + 1) * B] = -STEP * np.sqrt(2 / B) * (g @ phi)
    return outputs(X[:50], a, steps)


def gram(x, y):
    k = x @ y.T
    k *= 2
    k -= (x * x).sum(1)[:, None]
    k -= (y * y).sum(1)
    k /= 2 * S * S
    return np.exp(k, out=k)


def norma(steps):
    a = np.zeros(steps * B)
    for t in range(steps):
        x, y = X[t * B : (t + 1) * B], Y[t * B : (t + 1) * B]
        u = sum((gram(x, X[lo : min(lo + 1024, t * B)]) @ a[lo : min(lo + 1024, t * B)] for lo in range(0, t * B, 1024)), np.zeros(B))
        a[: t * B] *= 1 - STEP * NU
        a[t * B : (t + 1) * B] = -STEP / B * (u - y)
    return gram(X[:50], X[: steps * B]) @ a


def ridge():
    m = KernelRidge(alpha=2048 * 1e-4, kernel="rbf", gamma=1 / (2 * S * S)).fit(X[:2048], Y[:2048])
    return m.predict(X[2048:3072])


def process():
    m = GaussianProcessRegressor(RBF(S), alpha=0.1, optimizer=None).fit(X[:2048], Y[:2048])
    mean, std = m.predict(X[2048:3072], return_std=True)
    return np.concatenate([mean[:25], std[:25] ** 2])


RUNS = {
    "features 2": lambda: features(X[: 1 << 15], W[2])[:50],
    "features 50": lambda: features(WIDE, W[50])[:50],
    "adjoint": lambda: adjoint()[:50],
    "doubly 64": lambda: doubly(64),
    "doubly 256": lambda: doubly(256),
    "norma": lambda: norma(64),
    "ridge": lambda: ridge()[:50],
    "process": process,
}

print("{}", flush=True)
for line in sys.stdin:
    began = time.perf_counter()
    values = RUNS[line.strip()]()
    print(json.dumps({"seconds": time.perf_counter() - began, "values": [float(v) for v in values]}), flush=True)
