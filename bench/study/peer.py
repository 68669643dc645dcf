"""The Python side of the benchmark of studies: joblib's processes and Dask's, both warm; bench.py runs it."""

import json
import os
import random
import sys
import time

BATCH = 100


def job(length):
    end = time.perf_counter() + length
    while time.perf_counter() < end:
        pass
    return random.random()


def batch(length, n):
    return [job(length) for _ in range(n)]


def with_joblib(jobs, length, workers):
    from joblib import Parallel, delayed

    return len(Parallel(n_jobs=workers)(delayed(job)(length) for _ in range(jobs)))


CLIENT = None


def with_dask(jobs, length, workers):
    global CLIENT
    if CLIENT is None:
        from distributed import Client

        CLIENT = Client(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    sizes = [min(BATCH, jobs - at) for at in range(0, jobs, BATCH)]
    return sum(map(len, CLIENT.gather(CLIENT.map(batch, [length] * len(sizes), sizes, pure=False))))


def main():
    workers = int(os.environ["GOMAXPROCS"])
    print("{}", flush=True)
    for line in sys.stdin:
        who, jobs, length = line.split()
        length = float(length.removesuffix("us")) * 1e-6
        run = {"joblib": with_joblib, "dask": with_dask}[who]
        began = time.perf_counter()
        done = run(int(jobs), length, workers)
        print(json.dumps({"seconds": time.perf_counter() - began, "values": [done]}), flush=True)


if __name__ == "__main__":
    main()
