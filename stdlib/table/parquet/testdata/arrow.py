"""Writes *.parquet and what they hold as CSV; reads what the test wrote: python3 arrow.py [FILE] (pyarrow 26.0.1, pandas 3.1.1)."""
import datetime, decimal, os, sys

sys.path.pop(0)
import numpy as np, pandas as pd, pyarrow as pa, pyarrow.parquet as pq

if len(sys.argv) > 1:  # what others read of a file
    t = pq.read_table(sys.argv[1])
    print(t.schema.to_string(show_schema_metadata=False))
    t.to_pandas(integer_object_nulls=True).to_csv(sys.stdout, index=False, na_rep="NA", date_format="%Y-%m-%dT%H:%M:%S.%fZ")
    sys.exit()
os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(11)
n = 600
d = pd.DataFrame({
    "id": np.arange(n), "ward": pd.Categorical(rng.choice(["north", "south", "ö, \"west\""], n)),
    "x": rng.normal(size=n), "half": rng.normal(size=n).astype("float32"), "small": rng.integers(-100, 100, n).astype("int8"),
    "on": rng.random(n) < 0.5, "at": pd.Timestamp("2024-01-01", tz="UTC") + pd.to_timedelta(rng.integers(0, 10**15, n), unit="ns"),
})
d.loc[rng.random(n) < 0.1, ["x", "half"]] = np.nan
d["days"] = pd.array(rng.poisson(4, n), dtype="Int64")
d.loc[rng.random(n) < 0.1, "days"] = pd.NA
d["flag"] = pd.array(rng.random(n) < 0.3, dtype="boolean")
d.loc[rng.random(n) < 0.1, "flag"] = pd.NA
d["note"] = np.where(rng.random(n) < 0.2, None, d.id.astype(str) + "x")
for name, options in {"snappy": dict(compression="snappy", row_group_size=250), "zstd": dict(compression="zstd", data_page_version="2.0"),
                      "gzip": dict(compression="gzip", use_dictionary=False), "old": dict(compression="none", version="1.0", use_deprecated_int96_timestamps=True)}.items():
    # In data pages of version 2.0 booleans are runs.
    (d.drop(columns=["on", "flag"]) if "data_page_version" in options else d).to_parquet(name + ".parquet", index=False, **options)
d.to_csv("frame.csv", index=False)
t = pa.table({
    "date": pa.array([datetime.date(2024, 2, 29), None, datetime.date(1969, 12, 31)]),
    "millis": pa.array([-1, None, 1700000000123], pa.timestamp("ms")),
    "price": pa.array([decimal.Decimal("12.34"), None, decimal.Decimal("-0.05")], pa.decimal128(20, 2)),
    "u": pa.array([255, None, 2**32 - 1], pa.uint32()),
    "place": pa.array([{"city": "Bonn", "zip": 53111}, None, {"city": None, "zip": 1}]),
})
pq.write_table(t, "types.parquet")
pq.write_table(pa.table({"l": pa.array([[1, 2], []])}), "list.parquet")
pq.write_table(pa.table({"u": pa.array([1, 2**64 - 1], pa.uint64())}), "large.parquet")
pq.write_table(t.slice(0, 0), "empty.parquet")
pq.write_table(pa.table({"b": pa.array([k % 40 < 30 for k in range(400)])}), "runs.parquet", data_page_version="2.0")
pq.write_table(pa.table({"k": pa.array([k * k % 251 for k in range(1000)])}), "lz4.parquet", compression="lz4", use_dictionary=False)
pq.write_table(pa.table({"h": pa.array(np.array([0.1, -2, 65504, 2**-24, -np.inf, 0], "float16"), mask=np.arange(6) == 5)}), "half.parquet")
