"""Writes scipy.json, what SciPy finds in the samples that it holds: python3 truth.py, with scipy 1.17.1 and numpy 2.4.6."""

import json
import pathlib
import warnings

import numpy as np
from scipy import stats

warnings.simplefilter("ignore")
rng = np.random.default_rng(20)
cases = []


def case(test, result, p=None, less=None, greater=None, statistic=None, **given):
    """A test, what it is given, and what comes out; NaN is left out."""
    found = {"statistic": statistic if statistic is not None else result.statistic, "p": p if p is not None else result.pvalue, "less": less, "greater": greater}
    found |= {k: given.pop(k) for k in ("df", "low", "high", "estimate") if k in given}
    given = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in given.items()}
    cases.append({"test": test, **given, "want": {k: float(v) for k, v in found.items() if v is not None and np.isfinite(v)}})


def sided(f):
    return {side: f(side).pvalue for side in ("less", "greater")}


for n, m, shift, scale in [(5, 7, 0, 1), (20, 30, 0.5, 2), (60, 55, 0.3, 1), (8, 4, 30, 0.01), (3, 70, 1, 1), (200, 150, -1, 3)]:
    x, y = rng.normal(0, 1, n).round(4), rng.normal(shift, scale, m).round(4)
    ties = np.round(x, 0), np.round(y, 0)
    for test, equal in [("WelchT", False), ("StudentT", True)]:
        r = stats.ttest_ind(x, y, equal_var=equal)
        low, high = r.confidence_interval(0.9)
        case(test, r, x=x, y=y, df=r.df, low=low, high=high, **sided(lambda a: stats.ttest_ind(x, y, equal_var=equal, alternative=a)))
    r = stats.ttest_1samp(x, 0.2)
    low, high = r.confidence_interval(0.9)
    case("OneSampleT", r, x=x, mean=0.2, df=r.df, low=low, high=high, **sided(lambda a: stats.ttest_1samp(x, 0.2, alternative=a)))
    for a, b in [(x, y), ties]:
        k = min(n, m)
        if len(set(a)) > 1 or len(set(b)) > 1:
            exact = n * m <= 2500 and len(set(a) | set(b)) == n + m
            how = {"method": "exact" if exact else "asymptotic"}
            case("MannWhitney", stats.mannwhitneyu(a, b, **how), x=a, y=b, **sided(lambda s: stats.mannwhitneyu(a, b, alternative=s, **how)))
        d = a[:k] - b[:k]
        exact = k < 50 and len(set(abs(d))) == k and (d != 0).all()
        how = {"method": "exact"} if exact else {"method": "asymptotic", "correction": True, "zero_method": "wilcox"}
        greater = stats.wilcoxon(d, alternative="greater", **how)  # whose statistic is the sum for positive differences
        case("SignedRank", stats.wilcoxon(d, **how), statistic=greater.statistic, x=a[:k], y=b[:k], **sided(lambda s: stats.wilcoxon(d, alternative=s, **how)))
        case("KolmogorovSmirnov2", stats.ks_2samp(a, b, method="exact") if a is x else stats.ks_2samp(x[:3], y[:3], method="exact"), x=a if a is x else x[:3], y=b if a is x else y[:3])
        r = stats.pearsonr(a[:k], b[:k])
        if np.isfinite(r.statistic):
            low, high = r.confidence_interval(0.9)
            case("Pearson", r, statistic=r.statistic * np.sqrt((k - 2) / (1 - r.statistic**2)), estimate=r.statistic, x=a[:k], y=b[:k], low=low if k > 3 else None, high=high if k > 3 else None,
                 **sided(lambda s: stats.pearsonr(a[:k], b[:k], alternative=s)))
            r = stats.spearmanr(a[:k], b[:k])
            case("Spearman", r, statistic=r.statistic * np.sqrt((k - 2) / (1 - r.statistic**2)), estimate=r.statistic, x=a[:k], y=b[:k], **sided(lambda s: stats.spearmanr(a[:k], b[:k], alternative=s)))
        z = rng.normal(0.1, 1.5, 11).round(4)
        groups = [a, b, z if a is x else np.round(z)]
        if any(len(set(g)) > 1 for g in groups):
            case("Anova", stats.f_oneway(*groups), groups=[g.tolist() for g in groups])
            case("KruskalWallis", stats.kruskal(*groups), groups=[g.tolist() for g in groups])
    r = stats.ttest_rel(x[:k], y[:k])
    low, high = r.confidence_interval(0.9)
    case("PairedT", r, x=x[:k], y=y[:k], df=r.df, low=low, high=high, **sided(lambda a: stats.ttest_rel(x[:k], y[:k], alternative=a)))
    for z in (x, y):
        case("KolmogorovSmirnov", stats.kstest(z, "norm", method="exact"), x=z)
    for z in (x, np.exp(y).round(4) if scale > 0.1 else y, y):
        case("ShapiroWilk", stats.shapiro(z), x=z)
for n in (3, 4, 5, 6, 11, 12, 400):
    for z in (rng.normal(3, 2, n).round(4), rng.exponential(1, n).round(4)):
        case("ShapiroWilk", stats.shapiro(z), x=z)
        case("KolmogorovSmirnov", stats.kstest(z, "norm", method="exact"), x=z)
for counts in ([[3, 1], [1, 3]], [[8, 2], [1, 5]], [[10, 20], [30, 25]], [[0, 5], [7, 2]], [[120, 300], [310, 250]]):
    (a, b), (c, d) = counts
    case("Fisher", stats.fisher_exact(counts), statistic=a, estimate=stats.fisher_exact(counts).statistic, counts=counts, **sided(lambda s: stats.fisher_exact(counts, alternative=s)))
for counts in ([[3, 1], [1, 3]], [[10, 20], [30, 25]], [[120, 300], [310, 250]], [[5, 5], [5, 5]], [[10, 12, 7], [3, 9, 20]], [[1, 2, 3], [4, 5, 6], [7, 8, 10], [30, 2, 2]]):
    r = stats.chi2_contingency(counts)
    case("ChiSquared", r, df=r.dof, estimate=stats.contingency.association(np.array(counts), "cramer"), counts=counts)
for counts, probabilities in (([10, 12, 30], [0.2, 0.3, 0.5]), ([16, 18, 16, 14, 12, 12], [1 / 6] * 6), ([3, 0, 90], [0.1, 0.1, 0.8])):
    r = stats.chisquare(counts, np.array(probabilities) * sum(counts))
    case("GoodnessOfFit", r, df=len(counts) - 1, counts=[counts], probabilities=probabilities)
for k, n, p in ((0, 5, 0.5), (5, 5, 0.3), (7, 20, 0.5), (682, 925, 0.75), (3, 1000, 0.01), (50, 100, 0.5), (12, 30, 0.4)):
    r = stats.binomtest(k, n, p)
    low, high = r.proportion_ci(0.9, "exact")
    case("Binomial", r, statistic=k, estimate=r.statistic, low=low, high=high, successes=k, n=n, probability=p, **sided(lambda s: stats.binomtest(k, n, p, alternative=s)))

lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases)
(pathlib.Path(__file__).parent / "scipy.json").write_text(f"[\n{lines}\n]\n")
