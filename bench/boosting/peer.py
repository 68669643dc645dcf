"""The NumPy side of the benchmark: see bench.py."""

import json
import pathlib
import sys
import time

import numpy as np

DATA = pathlib.Path(sys.argv[1])
N, T, STEP = 2000, 1000, 0.75
X = np.fromfile(DATA / "x", dtype="<f8").reshape(N, -1)
Y = np.fromfile(DATA / "y", dtype="<f8")
LABELS = np.fromfile(DATA / "labels", dtype="<f8")
TARGET = np.fromfile(DATA / "target", dtype="<f8")
squares = (X * X).sum(axis=1)
K = np.exp(-0.5 * np.maximum(squares[:, None] + squares - 2 * X @ X.T, 0) / 4) / N
np.fill_diagonal(K, 1 / N)
mu, U = np.linalg.eigh(K)
mu, U = mu[::-1], U[:, ::-1]
keep = mu > N * 1e-16 * mu[0]
MU, U = mu[keep].copy(), np.ascontiguousarray(U[:, keep])
THETA = U.T @ Y / np.sqrt(N)
STAR = U.T @ TARGET / np.sqrt(N)


def squared():
    f, losses = np.zeros(N), np.empty(T + 1)
    for t in range(T + 1):
        g = f - Y
        losses[t] = g @ g / (2 * N)
        if t < T:
            f -= STEP * (K @ g)
    return [*losses[[0, 1, 10, 100, T]], f @ f]


def logistic():
    f, losses = np.zeros(N), np.empty(T + 1)
    for t in range(T + 1):
        u = LABELS * f
        losses[t] = np.logaddexp(0, -u).mean()
        if t < T:
            g = -LABELS / (1 + np.exp(u))
            f -= STEP * (K @ g)
    return [*losses[[0, 1, 10, 100, T]], f @ f]


def eigen():
    """Losses, norms and errors of all iterations, of iterates and averages."""
    power, q, root, sums = np.ones(len(MU)), 1 - STEP * MU, 1 / np.sqrt(MU), np.zeros(len(MU))
    loss, norm, error, averaged = (np.empty(T + 1) for _ in range(4))
    residual = Y @ Y / N - THETA @ THETA
    outside = TARGET @ TARGET / N - STAR @ STAR
    for t in range(T + 1):
        left = power * THETA
        gained = THETA - left
        scaled = gained * root
        loss[t], norm[t] = left @ left, scaled @ scaled
        sums += gained
        d = gained - STAR
        error[t] = d @ d
        d = sums / max(t, 1) - STAR
        averaged[t] = d @ d
        power *= q
    loss, norm, error, averaged = (loss + residual) / 2, np.sqrt(norm), error + outside, averaged + outside
    return [s[t] for s in (loss, norm, error, averaged) for t in (1, 100, T)]


print(json.dumps({}), flush=True)
for line in sys.stdin:
    began = time.perf_counter()
    values = {"squared": squared, "logistic": logistic, "eigen": eigen}[line.strip()]()
    print(json.dumps({"seconds": time.perf_counter() - began, "values": [float(v) for v in values]}), flush=True)
