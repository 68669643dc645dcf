"""Studies beside bare goroutines, joblib and Dask: what a replication costs beside its own work.

    python3 bench/study/bench.py [--rounds N] [--threads N]

Two measurements, all sides in turn on equal work. Jobs that do nothing: what a study adds to each beside goroutines that
take jobs in batches and keep results in a slice; goal, under a microsecond. 10,000 jobs that keep a processor busy for 100
microseconds: a study over the embedded server, in batches of 100, takes at most 1.1 times what bare goroutines take. The
server's start does not count, nor does that of Python's processes. joblib chooses its batches; Dask gets batches of 100.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import sides

NOTHING, BUSY = 200_000, 10_000


def measure(runs, rounds):
    """Seconds of each (side, case), in turn; every side must do all jobs."""
    times = {case: [] for _, case in runs}
    for turn in range(rounds + 1):
        for side, case in runs:
            answer = side.run(case)
            if answer["values"] != [float(case.split()[1])]:
                raise SystemExit(f"{case}: {answer['values']} jobs were done")
            if turn > 0:  # the first one warms up
                times[case].append(answer["seconds"])
    return times


def table(times, unit, scale):
    print(f"{'':28}{'median':>12}{'least':>12}  {unit}")
    for case, seconds in times.items():
        print(f"{case:28}{statistics.median(seconds) * scale:>12.3f}{min(seconds) * scale:>12.3f}", flush=True)


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--rounds", type=int, default=7)
    flags.add_argument("--threads", type=int, default=os.cpu_count())
    args = flags.parse_args()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="gaucho-bench-"))
    try:
        binary = scratch / "side"
        subprocess.run(["go", "build", "-o", binary, f"./bench/{FOLDER.name}"], cwd=FOLDER.parent.parent, check=True)
        python = sides.environment(FOLDER)
        go = sides.Side([binary], args.threads)
        peer = sides.Side([python, FOLDER / "peer.py"], args.threads)
        missed = 0

        print(f"\nJobs that do nothing, {args.threads} workers")
        runs = [(go, f"bare {NOTHING} 0us"), (go, f"study {NOTHING} 0us"), (peer, f"joblib {NOTHING // 10} 0us"), (peer, f"dask {NOTHING // 10} 0us")]
        times = measure(runs, args.rounds)
        table({f"{c}": [s / int(c.split()[1]) for s in seconds] for c, seconds in times.items()}, "microseconds a job", 1e6)
        bare, study = (min(times[case]) for _, case in runs[:2])
        added = (study - bare) / NOTHING * 1e6
        missed += added >= 1
        print(f"a study adds {added:.2f} microseconds a job, goal 1" + ("  missed" if added >= 1 else ""))

        print(f"\nJobs of 100 microseconds, {args.threads} workers")
        runs = [(go, f"{who} {BUSY} 100us") for who in ("bare", "study", "pool")] + [(peer, f"{who} {BUSY} 100us") for who in ("joblib", "dask")]
        times = measure(runs, args.rounds)
        table(times, "seconds", 1)
        ratio = min(times[f"pool {BUSY} 100us"]) / min(times[f"bare {BUSY} 100us"])
        missed += ratio > 1.1
        print(f"the embedded server takes {ratio:.2f} times as long as goroutines, goal 1.1" + ("  missed" if ratio > 1.1 else ""))
        go.close()
        peer.close()
    finally:
        shutil.rmtree(scratch)
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
