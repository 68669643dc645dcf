"""The NumPy side of the benchmark: see bench.py."""

import json
import math
import pathlib
import sys
import time

import numpy as np

DATA = pathlib.Path(sys.argv[1])


def read(name, *shape):
    return np.fromfile(DATA / name, dtype="<f8").reshape(shape)


ETA, SHIFT = 5.0, 10.0


class Features:
    def __init__(self, name, d, count):
        self.w, self.b, self.scale = read(name + "-w", d, count), read(name + "-b", count), math.sqrt(2 / count)

    def __call__(self, x):
        z = x @ self.w
        z += self.b
        np.cos(z, out=z)
        z *= self.scale
        return z


def linear(psi, phi, batches):
    """Embedding-SGD for the square loss; a batch is (terms, offset, dual points, targets)."""
    theta, eta = np.zeros(len(psi.b)), np.zeros(len(phi.b))
    for t, (terms, offset, dual, y) in enumerate(batches, 1):
        gamma = ETA / (SHIFT + math.sqrt(t))
        grad = sum(combine(psi(x), w) for x, w in terms)
        p = phi(dual)
        r, u = offset + grad @ theta, p @ eta
        n = len(u)
        theta -= gamma / n * (u @ grad)
        eta += gamma / n * ((r - y - u) @ p)
    return theta


def combine(features, w):
    """The mean of w draws a sample, or a factor a sample."""
    if isinstance(w, int):
        return features.reshape(-1, w, features.shape[1]).mean(axis=1)
    return w * features


def measurements():
    x, y, z = read("x", 500, 50, 1), read("y", 500, 50), read("z", 500, 500, 1)
    psi, phi = Features("psi1", 1, 400), Features("phi2", 2, 400)
    dual = np.concatenate([x, 0.05 * y[:, :, None]], axis=2)
    return linear(psi, phi, (([(z[t], 10)], 0, dual[t], y[t]) for t in range(500)))[:50]


def walk(count):
    return read("states", 2000, 20, 2)[:count], read("next", 2000, 20, 2)[:count], read("rewards", 2000, 20)[:count]


def bellman(count):
    s, after, rewards = walk(count)
    for t in range(count):
        yield [(after[t], 0.9), (s[t], -1.0)], rewards[t], s[t], 0


def navigation():
    return linear(Features("psi2", 2, 1024), Features("phi2large", 2, 1024), bellman(500))[:50]


def gtd2():
    phi = Features("tied", 2, 256)
    theta, eta = np.zeros(256), np.zeros(256)
    for t, (s, after, rewards) in enumerate(zip(*walk(2000)), 1):
        gamma = ETA / (SHIFT + math.sqrt(t))
        p = phi(s)
        grad = 0.9 * phi(after) - p
        delta, u = rewards + grad @ theta, p @ eta
        theta -= gamma / 20 * (u @ grad)
        eta += gamma / 20 * ((delta - u) @ p)
    return theta[:50]


def gram(x, y):
    z = x @ (y.T / 0.09)
    z -= 0.5 * np.einsum("ij,ij->i", x, x)[:, None] / 0.09
    z -= 0.5 * np.einsum("ij,ij->i", y, y) / 0.09
    return np.exp(z, out=z)


def kernel():
    s, after, rewards = walk(200)
    f_points, u_points = np.empty((200 * 40, 2)), np.empty((200 * 20, 2))
    f_c, u_c = np.zeros(200 * 40), np.zeros(200 * 20)
    for t in range(200):
        gamma = ETA / (SHIFT + math.sqrt(t + 1))
        points = np.concatenate([after[t], s[t]])
        f, u = gram(points, f_points[: 40 * t]) @ f_c[: 40 * t], gram(s[t], u_points[: 20 * t]) @ u_c[: 20 * t]
        delta = rewards[t] + 0.9 * f[:20] - f[20:]
        f_points[40 * t : 40 * t + 40], u_points[20 * t : 20 * t + 20] = points, s[t]
        f_c[40 * t : 40 * t + 40] = np.concatenate([-gamma / 20 * u * 0.9, gamma / 20 * u])
        u_c[20 * t : 20 * t + 20] = gamma / 20 * (delta - u)
    return gram(s[0], f_points) @ f_c


def table():
    cells, after, rewards = read("cells", 5000, 25).astype(int), read("cells after", 5000, 25).astype(int), read("pay", 5000, 25)
    v, u = np.zeros(25), np.zeros(25)
    for t in range(5000):
        gamma = ETA / (SHIFT + math.sqrt(t + 1))
        s, n = cells[t], after[t]
        here = u[s]
        delta = rewards[t] + 0.9 * v[n] - v[s]
        np.add.at(v, n, -gamma / 25 * 0.9 * here)
        np.add.at(v, s, gamma / 25 * here)
        np.add.at(u, s, gamma / 25 * (delta - here))
    return v


print(json.dumps({}), flush=True)
for line in sys.stdin:
    case = {"measurements": measurements, "navigation": navigation, "gtd2": gtd2, "kernel": kernel, "table": table}[line.strip()]
    began = time.perf_counter()
    values = case()
    print(json.dumps({"seconds": time.perf_counter() - began, "values": [float(v) for v in values]}), flush=True)
