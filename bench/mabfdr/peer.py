"""The NumPy side of the benchmark: see bench.py. Runs are rows, so one program serves a single run and many."""

import json
import math
import pathlib
import sys
import time

import numpy as np

DATA = pathlib.Path(sys.argv[1])
J, ARMS, M, ALPHA, W0 = 500, 50, 300, 0.1, 0.005
MEANS = np.fromfile(DATA / "means", dtype="<f8").reshape(J, ARMS)
K = ARMS - 1
FLOOR, LAST = math.log(10), -math.log(1e-300)
steps = np.arange(1, M + 1)
ITERATED = np.concatenate([[np.inf], 1.5 * np.log(1 + np.log(steps))])
GAMMA = np.concatenate([[0], 0.07 * np.log(np.maximum(np.arange(1, J + 1), 2)) / (np.arange(1, J + 1) * np.exp(np.sqrt(np.log(np.arange(1, J + 1)))))])


def confidence(x):
    x = np.maximum(x, FLOOR)
    return x + 3 * np.log(x)


def holds(x, gap, n0, n):
    """Whether mean_i - radius(e^-x/2K) <= mean_0 + radius(e^-x/2), gap = mean_i - mean_0."""
    a = np.sqrt(2 * (confidence(x + math.log(2 * K)) + ITERATED[n]) / n)
    b = np.sqrt(2 * (confidence(x + math.log(2)) + ITERATED[n0]) / n0)
    return a + b >= gap


def experiments(means, delta, rng):
    """One experiment for each row of levels delta: best arm, p-value and pulls."""
    runs = len(delta)
    rows = np.arange(runs)
    low_beta, high_beta = confidence(-np.log(delta) + math.log(2 * K)), confidence(-np.log(delta) + math.log(2))
    count, total = np.ones((runs, ARMS), int), np.full(runs, ARMS)
    mean = means + rng.standard_normal((runs, ARMS))
    low = mean - np.sqrt(2 * (low_beta[:, None] + ITERATED[1]))
    high = mean + np.sqrt(2 * (high_beta[:, None] + ITERATED[1]))
    negative_log = np.zeros(runs)
    best = np.zeros(runs, int)
    active = rows

    def lower_p(at, arms):
        """Bring the p-values of runs at up to date with the given arms of each, a column for each."""
        gap = mean[at[:, None], arms] - mean[at, 0][:, None]
        n, n0 = count[at[:, None], arms], count[at, 0][:, None]
        bad = ~holds(negative_log[at][:, None], gap, n0, n)
        if not bad.any():
            return
        for r, c in zip(*np.nonzero(bad)):
            g, m0, m = gap[r, c], n0[r, 0], n[r, c]
            lo, hi = negative_log[at[r]], LAST
            if holds(lo, g, m0, m):
                continue
            for _ in range(60):
                mid = (lo + hi) / 2
                if holds(mid, g, m0, m):
                    hi = mid
                else:
                    lo = mid
            negative_log[at[r]] = hi

    def pull(at, arm):
        at, arm = at[total[at] < M], arm[total[at] < M]
        if not len(at):
            return
        total[at] += 1
        count[at, arm] += 1
        n = count[at, arm]
        mean[at, arm] += (means[arm] + rng.standard_normal(len(at)) - mean[at, arm]) / n
        low[at, arm] = mean[at, arm] - np.sqrt(2 * (low_beta[at] + ITERATED[n]) / n)
        high[at, arm] = mean[at, arm] + np.sqrt(2 * (high_beta[at] + ITERATED[n]) / n)
        control = arm == 0
        if control.any():
            lower_p(at[control], np.broadcast_to(np.arange(1, ARMS), (control.sum(), K)))
        if not control.all():
            lower_p(at[~control], arm[~control][:, None])

    lower_p(rows, np.broadcast_to(np.arange(1, ARMS), (runs, K)))
    while True:
        h = mean[active].argmax(axis=1)
        others = high[active].copy()
        others[np.arange(len(active)), h] = -np.inf
        rival = others.argmax(axis=1)
        best[active] = h
        control = low[active, 0] > high[active, 1:].max(axis=1)
        best[active[control]] = 0
        wins = (h != 0) & (low[active, h] > high[active, rival]) & (low[active, h] > high[active, 0])
        going = ~(control | wins) & (total[active] < M)
        if not going.any():
            return best, np.exp(-negative_log), total
        active = active[going]
        pull(active, h[going])
        pull(active, rival[going])


def run(runs):
    rng = np.random.default_rng()
    wealth = np.full(runs, W0)
    since, level = np.zeros(runs, int), np.full(runs, W0)
    found, pulls = np.zeros(runs), np.zeros(runs)
    for j in range(1, J + 1):
        alpha = GAMMA[j - since] * level
        best, p, total = experiments(MEANS[j - 1], np.minimum(alpha, 1), rng)
        reject = (p <= alpha) & (best != 0)
        wealth += -alpha + reject * (ALPHA - W0)
        level, since = np.where(reject, wealth, level), np.where(reject, j, since)
        pulls += total
        if MEANS[j - 1].argmax() != 0:
            found += reject & (best == MEANS[j - 1].argmax())
    alternatives = (MEANS.argmax(axis=1) != 0).sum()
    return [pulls.mean(), (found / alternatives).mean()]


print(json.dumps({}), flush=True)
for line in sys.stdin:
    began = time.perf_counter()
    values = run(int(line))
    print(json.dumps({"seconds": time.perf_counter() - began, "values": [float(v) for v in values]}), flush=True)
