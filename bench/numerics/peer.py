"""The Python side of the benchmark: reads a case and a number of repetitions a
line, answers with the seconds that they took. Data are made at the first run of
a case and kept until another case comes."""

import sys
import time

import numpy as np
import scipy.linalg as sl

rng = np.random.default_rng(1)


def product(m, n, k):
    a, b, c = rng.standard_normal((m, k)), rng.standard_normal((k, n)), np.empty((m, n))
    return lambda: np.matmul(a, b, out=c)


def product_fresh(m, n, k):
    a, b = rng.standard_normal((m, k)), rng.standard_normal((k, n))
    return lambda: a @ b


def product_trans(n):
    a, c = rng.standard_normal((n, n)), np.empty((n, n))
    return lambda: np.matmul(a, a.T, out=c)


def positive(n):
    a = rng.standard_normal((n, n + 5))
    return a @ a.T + n * np.eye(n)


def cholesky(n):
    a = positive(n)
    return lambda: np.linalg.cholesky(a)


def cholesky_scipy(n):
    a = positive(n)
    b = a.copy(order="F")

    def run():
        np.copyto(b, a.T)
        sl.cholesky(b, overwrite_a=True, check_finite=False)

    return run


def cholesky_solve(n):
    a, b = positive(n), rng.standard_normal((n, n))
    c = sl.cho_factor(a)
    return lambda: sl.cho_solve(c, b, check_finite=False)


def lu(n):
    a = rng.standard_normal((n, n))
    return lambda: sl.lu_factor(a, check_finite=False)


def qr(n):
    a = rng.standard_normal((n, n))
    return lambda: sl.qr(a, mode="raw", check_finite=False)


def eigen(n, vectors):
    a = rng.standard_normal((n, n))
    a = a + a.T
    return (lambda: np.linalg.eigh(a)) if vectors else (lambda: np.linalg.eigvalsh(a))


def unary(name, n, lo, hi):
    x = rng.uniform(lo, hi, n)
    y = np.empty(n)
    f = getattr(np, name)
    return lambda: f(x, out=y)


def gram(d, given):
    n = 4096
    x = rng.standard_normal((n, d))
    out = np.empty((n, n)) if given else None

    def run():
        g = np.matmul(x, x.T, out=out)
        s = np.einsum("ij,ij->i", x, x)
        g *= -2
        g += s[:, None]
        g += s[None, :]
        g *= -0.5 / 1.5**2
        np.exp(g, out=g)
        return g

    return run


def row_means(d):
    make = gram(d, False)
    return lambda: make().mean(axis=1)


def features(n, d, count):
    x, w, b, theta = rng.standard_normal((n, d)), rng.standard_normal((d, count)), rng.uniform(0, 6.28, count), rng.standard_normal(count)

    def run():
        p = x @ w
        p += b
        np.cos(p, out=p)
        return np.sqrt(2 / count) * (p @ theta)

    return run


def uniform(n):
    y = np.empty(n)
    return lambda: rng.random(out=y)


def normal(n):
    y = np.empty(n)
    return lambda: rng.standard_normal(out=y)


def argsort(n):
    x = rng.standard_normal(n)
    return lambda: np.argsort(x, kind="stable")


current, run = None, None
for line in sys.stdin:
    case, warm, repetitions = line.rsplit(" ", 2)
    if case != current:
        current, run = case, None
        run = eval(case)  # the driver's own text: a call of one of the functions above
    for _ in range(int(warm)):
        run()
    start = time.perf_counter()
    for _ in range(int(repetitions)):
        run()
    print(time.perf_counter() - start, flush=True)
