"""Writes resample.json, what SciPy finds in the samples that it holds: python3 resample.py, with scipy 1.17.1 and numpy 2.x."""

import json
import pathlib

import numpy as np
from scipy import stats

rng = np.random.default_rng(21)
spread, pairs, boot, permuted = [], [], [], []
for sizes in ([5, 7], [10, 12, 9], [4, 4, 4, 4, 5], [60, 50, 40], [2, 2, 3]):
    groups = [np.round(rng.normal(i * 0.7, 1 + i, n), 3) for i, n in enumerate(sizes)]
    listed = [g.tolist() for g in groups]
    r = stats.levene(*groups)
    spread.append({"groups": listed, "statistic": r.statistic, "p": r.pvalue})
    r = stats.tukey_hsd(*groups)
    for level in (0.9, 0.95):
        ci = r.confidence_interval(level)
        pairs.append({"groups": listed, "level": level, "p": r.pvalue.tolist(), "difference": r.statistic.tolist(), "low": ci.low.tolist(), "high": ci.high.tolist()})
for n, statistic in ((12, np.mean), (30, np.median), (25, np.std)):
    x = np.round(rng.exponential(2, n), 3)
    r = stats.bootstrap((x,), statistic, n_resamples=999, rng=np.random.default_rng(3), vectorized=False, method="percentile", confidence_level=0.9)
    b = stats.bootstrap((x,), statistic, n_resamples=0, bootstrap_result=r, vectorized=False, method="BCa", confidence_level=0.9)
    boot.append({"x": x.tolist(), "statistic": statistic.__name__, "draws": np.round(r.bootstrap_distribution, 15).tolist(), "se": r.standard_error,
                 "percentile": list(r.confidence_interval), "bca": list(b.confidence_interval)})
for n, m in ((4, 5), (6, 6), (3, 8)):
    x, y = np.round(rng.normal(0, 1, n), 1), np.round(rng.normal(1, 1, m), 1)
    found = {a: stats.permutation_test((x, y), lambda x, y: np.mean(x) - np.mean(y), vectorized=False, n_resamples=np.inf, alternative=a).pvalue for a in ("less", "greater", "two-sided")}
    permuted.append({"x": x.tolist(), "y": y.tolist(), **found})
(pathlib.Path(__file__).parent / "resample.json").write_text(json.dumps({"spread": spread, "pairs": pairs, "boot": boot, "permuted": permuted}, separators=(",", ":")) + "\n")
