"""Studies beside bare goroutines, joblib and Dask: what a replication costs beside its own work.

    python3 bench/study/bench.py [--rounds N]

Jobs that do nothing show what a study adds to each, beside goroutines that take jobs in batches and keep results in a slice.
Jobs that keep a processor busy for 100 microseconds run as a study over the embedded server too, in batches of 100. The
server's start does not count, nor does that of Python's processes. joblib chooses its batches; Dask gets batches of 100. All
sides take turns on all processors, and each must have done all jobs.
"""

import os
import pathlib
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import sides
from record import Record, versions

JOBS = {"0us": 200_000, "100us": 10_000}
FEWER = 20_000  # of Python's jobs that do nothing


def measure(go, peer, work, rounds):
    """Seconds a job for each way to run the jobs, in turn."""
    n = JOBS[work]
    runs = {"bare": (go, n), "study": (go, n), "pool": (go, n), "joblib": (peer, min(n, FEWER)), "dask": (peer, min(n, FEWER))}
    if work == "0us":
        del runs["pool"]
    times = {who: [] for who in runs}
    for turn in range(rounds + 1):
        for who, (side, count) in runs.items():
            answer = side.run(f"{who} {count} {work}")
            if answer["values"] != [float(count)]:
                raise SystemExit(f"{who}: {answer['values']} jobs were done")
            if turn > 0:  # the first one warms up
                times[who].append(answer["seconds"] / count)
    return times


def main():
    args = sides.flags(__doc__, rounds=7).parse_args()
    with tempfile.TemporaryDirectory(prefix="gaucho-bench-") as scratch:
        binary = sides.build(FOLDER, pathlib.Path(scratch) / "side")
        python, threads = sides.environment(FOLDER), os.cpu_count()
        record = Record(FOLDER, __doc__, versions(python, FOLDER / "requirements.txt"))
        go, peer = sides.Side([binary], threads), sides.Side([python, FOLDER / "peer.py"], threads)
        nothing = measure(go, peer, "0us", args.rounds)
        added = [study - bare for study, bare in zip(nothing["study"], nothing["bare"])]
        record.row("what a study adds to a job", added, most=1e-6)
        for other, name in ("joblib", "joblib"), ("dask", "Dask"):
            record.row("a job that does nothing", nothing["study"], name, nothing[other])
        busy = measure(go, peer, "100us", args.rounds)
        record.row("a job of 100 us", busy["study"], "goroutines", busy["bare"])
        for other, name, goal in ("bare", "goroutines", 1 / 1.1), ("joblib", "joblib", None), ("dask", "Dask", None):
            record.row("a job of 100 us over the embedded server", busy["pool"], name, busy[other], goal=goal)
        go.close()
        peer.close()
        record.close(args.record)


if __name__ == "__main__":
    main()
