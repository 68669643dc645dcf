"""The NumPy side of the benchmark: see bench.py."""

import json
import math
import pathlib
import sys
import time

import numpy as np

X = np.fromfile(pathlib.Path(sys.argv[1]) / "x", dtype="<f8")
N, B, M, FIRST, SIGMA = len(X), 10, 1500, 1000, 2.5
HALF, LOG2PI = 0.5 / SIGMA**2, math.log(2 * math.pi)


def log_likelihood(theta, x):
    u = x - theta[:, :1]
    w = u - theta[:, 1:]
    u *= u
    w *= w
    u *= -HALF
    w *= -HALF
    top = np.maximum(u, w)
    np.subtract(u, w, out=u)
    np.abs(u, out=u)
    np.negative(u, out=u)
    np.exp(u, out=u)
    np.log1p(u, out=u)
    u += top
    return u.sum(axis=1) - len(x) * (math.log(2 * SIGMA) + LOG2PI / 2)


def log_prior(theta):
    return -LOG2PI - 0.5 * np.einsum("ij,ij->i", theta, theta)


def log_density(theta, points, weights, h):
    out = np.empty(len(theta))
    a, b = np.empty((128, len(points))), np.empty((128, len(points)))
    for i in range(0, len(theta), 128):
        n = min(128, len(theta) - i)
        r, s = a[:n], b[:n]
        np.subtract(theta[i : i + n, :1], points[:, 0], out=r)
        np.subtract(theta[i : i + n, 1:], points[:, 1], out=s)
        r *= r
        s *= s
        r += s
        r *= -0.5 / h**2
        np.exp(r, out=r)
        np.dot(r, weights, out=out[i : i + n])
    return np.log(np.maximum(out, 1e-300)) - 2 * math.log(h) - LOG2PI


def draw(points, weights, h, n, rng):
    ancestors = np.searchsorted(np.cumsum(weights), (np.arange(n) + rng.random()) / n)
    return points[np.minimum(ancestors, len(points) - 1)] + h * rng.standard_normal((n, 2))


def batches(rng):
    while True:
        order = rng.permutation(N)
        for i in range(0, N, B):
            yield X[order[i : i + B]]


def normalized(log):
    w = np.exp(log - log.max())
    return w / w.sum()


def run(kernel_steps, steps):
    rng = np.random.default_rng()
    visit = batches(rng)
    points = weights = h = None
    for t in range(1, kernel_steps + 1):
        m = FIRST + (M - FIRST) * (t - 1) // (kernel_steps - 1)
        if points is None:
            theta, offset = rng.standard_normal((m, 2)), 0
        else:
            theta = draw(points, weights, h, m, rng)
            offset = log_prior(theta) - log_density(theta, points, weights, h)
        value = offset + N / B * log_likelihood(theta, next(visit))
        gamma = 1 / (100 + t)
        weights = normalized(gamma * value)
        if 1 / (weights @ weights) < m / 10:
            lo, hi = 0.0, gamma
            for _ in range(30):
                mid = (lo + hi) / 2
                w = normalized(mid * value)
                lo, hi = (mid, hi) if 1 / (w @ w) >= m / 10 else (lo, mid)
            weights = normalized(lo * value)
        points, h = theta, 0.2 * m ** (-1 / 6)
    if steps:
        if points is None:
            theta, offset = rng.standard_normal((M, 2)), 0
        else:
            theta = draw(points, weights, h, M, rng)
            offset = log_prior(theta) - log_density(theta, points, weights, h)
        log = np.zeros(M)
        for t in range(1, steps + 1):
            gamma = 2 / (100 + t)
            log = (1 - gamma) * log + gamma * (offset + N / B * log_likelihood(theta, next(visit)))
            weights = normalized(log)
        points = theta
    return [weights @ np.abs(points[:, 1]), weights @ points[:, 1] ** 2]


CASES = {"kernel": (200, 0), "weights": (0, 2000), "whole": (200, 1800)}
print(json.dumps({}), flush=True)
for line in sys.stdin:
    began = time.perf_counter()
    values = run(*CASES[line.strip()])
    print(json.dumps({"seconds": time.perf_counter() - began, "values": [float(v) for v in values]}), flush=True)
