"""Package table beside pandas and polars: a million rows of an integer, a string, two floats, a date and a bool.

    python3 bench/table/bench.py [--rounds N] [--threads 1 2] [--cases load]

All read the same files. Customers and times, of which most differ, are made of the integer. Sums over the columns of each result,
with a weight for each row, must agree to 1e-9. The goals are a third of pandas' time and one and a half times polars'. Peers have no
structs, so theirs is to load.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides

CASES = [sides.Case(what, case, peer, f"{peer} {case}", goal, sides.relative(1e-9))
         for what, case in [("load CSV", "load"), ("load CSV into structs", "read"), ("load Parquet", "parquet"), ("group and summarise", "group"), ("join", "join"),
                            ("sort by a float", "sort"), ("sort by a string and a date", "sort by two"), ("group by half a million strings", "group many"),
                            ("join on half a million strings", "join many"), ("sort by a million times", "sort by time")]
         for peer, goal in [("pandas", 3), ("polars", 0.67)]]

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
