"""Writes visits.csv and wards.csv, and what pandas computes of them, as CSV: python3 pandas.py (pandas 3.1.1, numpy 2.4.6)."""
import os
import sys

sys.path.pop(0)  # this file is not the package
import numpy as np
import pandas as pd

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(7)
n = 300
visits = pd.DataFrame({
    "ward": rng.choice(["north", "south", "east", "old, west"], n),
    "year": rng.integers(2019, 2023, n),
    "weight": rng.normal(70, 12, n).round(3),
    "days": rng.poisson(4, n),
    "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 90, n), unit="D"),
})
visits.loc[rng.random(n) < 0.1, "weight"] = np.nan
visits["days"] = visits["days"].astype("Int64").mask(rng.random(n) < 0.1)
visits.to_csv("visits.csv", index=False)
wards = pd.DataFrame({"ward": ["south", "north", "north", "attic"], "floor": [1, 2, 3, 9], "year": [1, 2, 3, 4]})
wards.to_csv("wards.csv", index=False)

visits = pd.read_csv("visits.csv", dtype={"days": "Int64"}, parse_dates=["day"])
g = visits.groupby(["ward", "year"])
pd.DataFrame({
    "count": g.size(), "weight_mean": g.weight.mean(), "weight_sd": g.weight.std(), "weight_sum": g.weight.sum(),
    "weight_valid": g.weight.count(), "weight_min": g.weight.min(), "weight_max": g.weight.max(),
    "weight_median": g.weight.median(), "weight_q0.9": g.weight.quantile(0.9), "days_sum": g.days.sum(), "days_mean": g.days.mean(),
    "weight_range": g.weight.max() - g.weight.min(),
}).reset_index().to_csv("summary.csv", index=False)
visits.sort_values(["ward", "weight", "day"], ascending=[True, False, True], kind="stable").to_csv("sorted.csv", index=False)
for how in "inner", "left":
    visits.merge(wards, on="ward", how=how, suffixes=("", "_right")).astype({"floor": "Int64", "year_right": "Int64"}).to_csv(how + ".csv", index=False)
d = visits[["year", "weight", "days"]].astype(float).describe().T
d.insert(1, "distinct", visits[["year", "weight", "days"]].nunique())
d.rename_axis("column").reset_index().to_csv("describe.csv", index=False)
visits.pivot_table(index="ward", columns="year", values="weight", aggfunc="mean").reset_index().to_csv("pivot.csv", index=False)
s = visits.assign(days=visits.days.astype(float)).groupby(["ward", "days", "year"], dropna=False).size().unstack(fill_value=0)
s.reset_index().sort_values(["ward", "days"]).astype({"days": "Int64"}).to_csv("spread.csv", index=False)
