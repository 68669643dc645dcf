"""The pandas and polars side of the benchmark: see bench.py."""

import json
import pathlib
import sys
import time

import numpy as np
import pandas as pd
import polars as pl

DATA = pathlib.Path(sys.argv[1])
FILE, PACKED = DATA / "million.csv", DATA / "million.parquet"
P, Q = pd.read_csv(FILE, parse_dates=["day"]), pl.read_csv(FILE, try_parse_dates=True)
M = P.groupby("group").agg(m=("x", "mean")).reset_index()
MQ = pl.from_pandas(M)
# The same with two columns more of which most values differ.
I = np.arange(len(P))
D = P[["id", "x", "y"]].assign(customer=[f"customer-{i}" for i in I * 7919 % 500_000], at=pd.to_datetime(I * 611_953 % 1_000_000_007, unit="s"))
DM = D.groupby("customer").agg(m=("x", "mean")).reset_index()
E, EM = pl.from_pandas(D), pl.from_pandas(DM)

CASES = {
    "pandas load": lambda: pd.read_csv(FILE, parse_dates=["day"]),
    "polars load": lambda: pl.read_csv(FILE, try_parse_dates=True),
    "pandas read": lambda: pd.read_csv(FILE, parse_dates=["day"]),
    "polars read": lambda: pl.read_csv(FILE, try_parse_dates=True),
    "pandas parquet": lambda: pd.read_parquet(PACKED),
    "polars parquet": lambda: pl.read_parquet(PACKED),
    "pandas group": lambda: P.groupby("group").agg(x_mean=("x", "mean"), y_sum=("y", "sum"), count=("x", "size")),
    "polars group": lambda: Q.group_by("group").agg(pl.col("x").mean().alias("x_mean"), pl.col("y").sum().alias("y_sum"), pl.len().alias("count")).sort("group"),
    "pandas join": lambda: P.merge(M, on="group"),
    "polars join": lambda: Q.join(MQ, on="group", maintain_order="left"),
    "pandas group many": lambda: D.groupby("customer").agg(x_mean=("x", "mean"), y_sum=("y", "sum"), count=("x", "size")),
    "polars group many": lambda: E.group_by("customer").agg(pl.col("x").mean().alias("x_mean"), pl.col("y").sum().alias("y_sum"), pl.len().alias("count")).sort("customer"),
    "pandas join many": lambda: D.merge(DM, on="customer"),
    "polars join many": lambda: E.join(EM, on="customer", maintain_order="left"),
    "pandas sort by time": lambda: D.sort_values("at", kind="stable"),
    "polars sort by time": lambda: E.sort("at", maintain_order=True),
    "pandas sort": lambda: P.sort_values("x", kind="stable"),
    "polars sort": lambda: Q.sort("x", maintain_order=True),
    "pandas sort by two": lambda: P.sort_values(["group", "day"], ascending=[True, False], kind="stable"),
    "polars sort by two": lambda: Q.sort(["group", "day"], descending=[False, True], maintain_order=True),
}


def run(case):
    began = time.perf_counter()
    out = CASES[case]()
    seconds = time.perf_counter() - began
    weights = 1.0 + np.arange(len(out)) % 97
    columns = [c for c in ["id", "x", "y", "active", "m", "x_mean", "y_sum", "count"] if c in out.columns]
    return seconds, [float(len(out))] + [float((out[c].to_numpy().astype(float) * weights).sum()) for c in columns]


print(json.dumps({}), flush=True)
for line in sys.stdin:
    seconds, values = run(line.strip())
    print(json.dumps({"seconds": seconds, "values": values}), flush=True)
