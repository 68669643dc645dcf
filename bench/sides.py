"""Runs the two sides of a benchmark in turn and compares answers before times.

A side is a process that first writes a line (it is ready), then reads the name of a case a line, runs it once and answers
with a line of JSON: {"seconds": s, "values": [...]}. The Go side is bench/NAME/main.go; it writes the data that both
sides read. The Python side is bench/NAME/peer.py, in a virtual environment of its own beside it.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile


def environment(folder):
    """The interpreter of the folder's environment, made and filled where it is missing or old."""
    venv, wanted = folder / ".venv", (folder / "requirements.txt").read_text()
    python, done = venv / "bin" / "python", venv / "requirements.installed"
    if not (done.exists() and done.read_text() == wanted):
        print("installing " + ", ".join(wanted.split()), file=sys.stderr)
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", venv], check=True, timeout=120)
        command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", folder / "requirements.txt"]
        subprocess.run(command, check=True, timeout=3600)
        done.write_text(wanted)
    return python


class Side:
    def __init__(self, command, threads):
        env = dict(os.environ, GOMAXPROCS=str(threads))
        env.update({f"{library}_NUM_THREADS": str(threads) for library in ("OMP", "OPENBLAS", "MKL")}, POLARS_MAX_THREADS=str(threads))
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args[0]} ended with status {self.process.wait()}")
        return json.loads(line)

    def run(self, case):
        self.process.stdin.write(case + "\n")
        self.process.stdin.flush()
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def differ(own, other, relative):
    """What is wrong with a pair of lists of values; empty if they agree."""
    if len(own) != len(other):
        return f"{len(own)} values against {len(other)}"
    for i, (a, b) in enumerate(zip(own, other)):
        if not abs(a - b) <= relative * max(1e-12, abs(a), abs(b)):
            return f"value {i} is {a:.12g} against {b:.12g}"
    return ""


def shown(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.2f} ms"


def main(folder, cases, about):
    """Runs cases (title, Go's case, Python's case, goal, relative tolerance) and exits with the number of goals missed."""
    flags = argparse.ArgumentParser(description=about.splitlines()[0])
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--threads", type=int, nargs="+", default=[os.cpu_count()], help="of both sides; a table for each")
    flags.add_argument("--cases", default="", help="only those whose title contains this")
    args = flags.parse_args()
    folder = pathlib.Path(folder)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="gaucho-bench-"))
    try:
        binary = scratch / "side"
        subprocess.run(["go", "build", "-o", binary, f"./bench/{folder.name}"], cwd=folder.parent.parent, check=True)
        python = environment(folder)
        missed = sum(table(binary, python, folder, scratch, threads, cases, args) for threads in args.threads)
    finally:
        shutil.rmtree(scratch)
    raise SystemExit(1 if missed else 0)


def table(binary, python, folder, scratch, threads, cases, args):
    data = scratch / f"data-{threads}"
    data.mkdir()
    own = Side([binary, "-data", data], threads)
    other = Side([python, folder / "peer.py", data], threads)
    print(f"\n{threads} thread{'s' * (threads > 1)}, {args.rounds} runs in turn: medians (least)")
    print(f"{'':46}{'gaucho':>24}{'peer':>24}{'ratio':>8}{'of least':>10}{'goal':>6}")
    missed = 0
    for title, ours, theirs, goal, relative in cases:
        if args.cases.lower() not in title.lower():
            continue
        first = own.run(ours), other.run(theirs)
        if wrong := differ(first[0]["values"], first[1]["values"], relative):
            print(f"{title:46}  answers differ: {wrong}")
            missed += 1
            continue
        pairs = [(own.run(ours)["seconds"], other.run(theirs)["seconds"]) for _ in range(args.rounds)]
        a, b = zip(*pairs)
        median, least = statistics.median(b) / statistics.median(a), min(b) / min(a)
        missed += max(median, least) < goal
        cells = [f"{shown(statistics.median(c))} ({shown(min(c))})" for c in (a, b)]
        mark = "" if max(median, least) >= goal else "  missed"
        print(f"{title:46}{cells[0]:>24}{cells[1]:>24}{median:>8.1f}{least:>10.1f}{goal:>6}{mark}", flush=True)
    own.close()
    other.close()
    return missed
