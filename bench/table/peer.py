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
