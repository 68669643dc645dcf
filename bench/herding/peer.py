"""The Python side of the benchmark: NumPy programs of the same algorithms, and the packages goodpoints and particles.

    python peer.py DATA

Reads the name of a case a line, runs it once and answers with a line of JSON: the seconds, and what to compare: the
first chosen points where they are determined, else a number. The data are files that the Go side wrote. What a package compiles or imports
at its first use is not timed.
"""

import json
import pathlib
import sys
import time

import numpy as np

DATA = pathlib.Path(sys.argv[1])
rng = np.random.default_rng(1)


def load(name, *shape):
    return np.fromfile(DATA / name, dtype="<f8").reshape(*shape)


class Gaussian:
    """The kernel exp(-|x-y|^2 / (2 b^2)) against a fixed pool, whose squared norms are computed once."""

    def __init__(self, X, b2):
        self.X, self.b2 = X, b2
        self.squares = np.einsum("ij,ij->i", X, X)

    def column(self, y):
        g = self.X @ y
        g *= 2
        g -= self.squares
        g -= y @ y
        g *= 0.5 / self.b2
        return np.exp(g, out=g)

    def block(self, Y, scale=None):
        """k(x_i, y_j) for the rows of Y; with a scale per row of Y instead of b2."""
        c = 0.5 / (self.b2 if scale is None else scale)
        g = self.X @ Y.T
        g *= 2
        g -= self.squares[:, None]
        g -= np.einsum("ij,ij->i", Y, Y)
        g *= c
        return np.exp(g, out=g)


def mixture_embedding(kernel, w, means, variances):
    """mu_p at the kernel's pool and |mu_p|^2, for isotropic Gaussians in d dimensions."""
    d, b2 = means.shape[1], kernel.b2
    z = np.empty(len(kernel.X))
    amplitude = w * (b2 / (b2 + variances)) ** (d / 2)
    for lo in range(0, len(z), 2048):  # in the cache
        part = Gaussian(kernel.X[lo : lo + 2048], b2)
        z[lo : lo + 2048] = part.block(means, b2 + variances) @ amplitude
    scale = b2 + variances[:, None] + variances
    squares = ((means[:, None] - means) ** 2).sum(axis=2)
    norm2 = w @ ((b2 / scale) ** (d / 2) * np.exp(-0.5 * squares / scale)) @ w
    return z, norm2


def frank_wolfe(kernel, z, norm2, n):
    """Kernel herding: fixed steps, O(M) memory, the MMD of every step from G(x) = sum_i w_i k(x_i, x)."""
    g, score = np.zeros(len(z)), np.empty(len(z))
    a = b = 0.0
    index = []
    for k in range(n):
        np.subtract(z, g, out=score)
        i = int(score.argmax())
        s = 1 / (k + 1)
        a = (1 - s) ** 2 * a + 2 * s * (1 - s) * g[i] + s * s
        b = (1 - s) * b + s * z[i]
        index.append(i)
        g *= 1 - s
        column = kernel.column(kernel.X[i])
        column *= s
        g += column
    return index, np.full(n, 1 / n), np.sqrt(max(norm2 - 2 * b + a, 0))


def simplex_weights(K, z, w):
    """The minimiser of w'Kw/2 - z'w on the simplex, by an active set from the feasible w."""
    w = w.copy()
    active = np.arange(len(w))
    while True:
        n = len(active)
        kkt = np.ones((n + 1, n + 1))
        kkt[:n, :n] = K[np.ix_(active, active)]
        kkt[n, n] = 0
        target = np.linalg.solve(kkt, np.append(z[active], 1))[:n]
        if target.min() >= 0:
            w[active] = target
            return w
        falling = target < 0
        present = w[active]
        ratio = np.where(falling, present / np.where(falling, present - target, 1), np.inf)
        out = int(ratio.argmin())
        w[active] = np.maximum(present + ratio[out] * (target - present), 0)
        w[active[out]] = 0
        active = np.delete(active, out)


def fully_corrective(kernel, z, norm2, n):
    """FCFW, with the kernel's columns of the points kept; dropped points are let go."""
    columns, index = np.empty((n, len(z))), np.empty(0, dtype=int)
    w = np.empty(0)
    for _ in range(n):
        k = len(index)
        i = int((z - w @ columns[:k]).argmax())
        if i in index:
            break
        columns[k] = kernel.column(kernel.X[i])
        index = np.append(index, i)
        K = columns[: k + 1, index]
        try:
            w = simplex_weights(K, z[index], np.append(w, 0.0) if k else np.ones(1))
        except np.linalg.LinAlgError:
            w, index = w[:k], index[:k]
            break
        keep = np.flatnonzero(w > 0)
        if len(keep) < k + 1:
            columns[: len(keep)] = columns[keep]
            w, index = w[keep], index[keep]
        w /= w.sum()
        if norm2 - 2 * w @ z[index] + w @ columns[: len(w), index] @ w < 1e-13:
            break
    return index, w, None


def mixture_problem(m):
    kernel = Gaussian(load("pool", -1, 2)[:m], 1.0)
    return kernel, *mixture_embedding(kernel, load("weights", -1), load("means", -1, 2), load("variances", -1))


def fw():
    index, _, mmd = frank_wolfe(*mixture_problem(50000), 1000)
    return mmd, index


def subset_mmd(kernel, z, norm2, index):
    X = kernel.X[index]
    return float(np.sqrt(norm2 - 2 * z[index].mean() + Gaussian(X, kernel.b2).block(X).mean()))


def subset():
    """256 points for the embedding of all 8,192, repulsion k/(k+1)."""
    kernel = Gaussian(load("plane", -1, 2), 0.25)
    z = np.concatenate([Gaussian(kernel.X[lo : lo + 512], 0.25).block(kernel.X).mean(axis=1) for lo in range(0, 8192, 512)])
    total, index = np.zeros(len(z)), []
    for k in range(256):
        index.append(int((z - total / (k + 1)).argmax()))
        total += kernel.column(kernel.X[index[-1]])
    return subset_mmd(kernel, z, z.mean(), index), index


def sbq():
    """Sequential Bayesian quadrature by the Newton basis: a pivoted Cholesky factor of the pool's Gram matrix."""
    n = 500
    kernel, r, mmd2 = mixture_problem(10000)
    r = r.copy()
    s, basis, index = np.ones(len(r)), np.empty((n, len(r))), []
    for k in range(n):
        score = np.where(s > 1e-10, r * r / np.where(s > 1e-10, s, 1), -1)
        score[index] = -1
        i = int(score.argmax())
        if score[i] < 0:
            break
        u = kernel.column(kernel.X[i])
        u -= basis[:k, i] @ basis[:k]
        root = np.sqrt(s[i])
        u /= root
        beta = r[i] / root
        basis[k] = u
        r -= beta * u
        s -= u * u
        mmd2 -= beta * beta
        index.append(i)
    return np.sqrt(max(mmd2, 0)), index


def kernel_herding(build):
    """Sequential kernel herding on the nonlinear benchmark: 100 steps, 100 particles out of 5,000 candidates."""
    Y, truth = load("nonlinear", -1), load("states", -1)
    means, w, out = np.zeros(1), np.ones(1), []
    for t, y in enumerate(Y, 1):
        ancestor = np.searchsorted(np.cumsum(w), rng.random(5000) * w.sum())
        X = means[np.minimum(ancestor, len(w) - 1)] + rng.standard_normal(5000)
        kernel = Gaussian(X[:, None], 0.1)
        z, norm2 = mixture_embedding(kernel, w, means[:, None], np.ones(len(w)))
        index, q, _ = build(kernel, z, norm2, 100)
        index, back = np.unique(index, return_inverse=True)
        q = np.bincount(back, q)
        x = X[index]
        loglik = -0.5 * (y - 0.05 * x * x) ** 2
        w = q * np.exp(loglik - loglik.max())
        w /= w.sum()
        out.append(w @ x)
        means = 0.5 * x + 25 * x / (1 + x * x) + 8 * np.cos(1.2 * t)
    return np.sqrt(np.mean((np.array(out) - truth) ** 2)), None


def systematic(w, n):
    return np.searchsorted(np.cumsum(w), (np.arange(n) + rng.random()) / n).clip(max=n - 1)


def bootstrap(n):
    """The bootstrap filter, systematic resampling where the effective sample size is below half."""
    x, w, total = rng.standard_normal(n), np.full(n, 1 / n), 0.0
    for t, y in enumerate(load("ar", -1)):
        if t:
            if 1 / (w @ w) < 0.5 * n:
                x = x[systematic(w, n)]
                w = np.full(n, 1 / n)
            x = 0.9 * x + rng.standard_normal(n)
        loglik = -0.5 * np.log(2 * np.pi * 0.04) - 0.5 * (y - x) ** 2 / 0.04
        top = loglik.max()
        w = w * np.exp(loglik - top)
        s = w.sum()
        w /= s
        total += top + np.log(s)
        w @ x  # the filtered mean
    return total, None


def goodpoints_subset():
    """The package takes the kernel from its user: here plain NumPy; with einsum it takes half as long."""
    from goodpoints.herding import herding

    def gaussian(y, X):
        return np.exp(-0.5 * np.sum((X - y) ** 2, axis=1) / 0.25)

    return 0, herding(load("plane", -1, 2), 5, gaussian).tolist()


def particles_filter(n, qmc):
    import particles
    from particles import kalman, state_space_models

    model = kalman.LinearGauss(rho=0.9, sigmaX=1.0, sigmaY=0.2, sigma0=1.0)
    filtered = state_space_models.Bootstrap(ssm=model, data=load("ar", -1))
    smc = particles.SMC(fk=filtered, N=n, qmc=qmc, resampling="systematic", ESSrmin=0.5)
    smc.run()
    return smc.logLt, None


CASES = {
    "fw": fw,
    "subset": subset,
    "sbq": sbq,
    "skh-fw": lambda: kernel_herding(frank_wolfe),
    "skh-fcfw": lambda: kernel_herding(fully_corrective),
    "bootstrap-1e3": lambda: bootstrap(1000),
    "bootstrap-1e5": lambda: bootstrap(100000),
    "goodpoints subset": goodpoints_subset,
    "particles bootstrap-1e3": lambda: particles_filter(1000, False),
    "particles bootstrap-1e5": lambda: particles_filter(100000, False),
    "particles sqmc": lambda: particles_filter(8192, True),
}


def main():
    print("{}", flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        value, index = CASES[line.strip()]()
        seconds = time.perf_counter() - start
        values = [float(value)] if index is None else index[:100]
        print(json.dumps({"seconds": seconds, "values": values}), flush=True)


if __name__ == "__main__":
    main()
