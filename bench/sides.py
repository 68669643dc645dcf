"""Runs the two sides of a benchmark in turn and compares answers before times.

A side is a process that first writes a line (it is ready), then reads the name of a case a line, runs it once and answers
with a line of JSON: {"seconds": s, "values": [...]}. The Go side is bench/NAME/main.go; it writes the data that both
sides read. The Python side is bench/NAME/peer.py, in a virtual environment of its own beside it.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Callable

from record import ROOT, Record, versions


def environment(folder, requirements="requirements.txt", venv=".venv"):
    """The interpreter of the folder's environment, made and filled where it is missing or old."""
    venv, requirements = folder / venv, folder / requirements
    python, done = venv / "bin" / "python", venv / f"{requirements.stem}.installed"
    wanted = requirements.read_text()
    if not (done.exists() and done.read_text() == wanted):
        print("installing " + ", ".join(wanted.split()), file=sys.stderr)
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", venv], check=True, timeout=120)
        command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", requirements]
        subprocess.run(command, check=True, timeout=3600)
        done.write_text(wanted)
    return python


def inside(folder):
    """Goes on in the folder's environment, if that is not where it is."""
    python = environment(folder)
    if pathlib.Path(sys.prefix) != folder / ".venv":
        os.execv(python, [python, *sys.argv])


class Side:
    """A process that runs cases, one at a time; ready is what it said when it was."""

    def __init__(self, command, threads):
        env = dict(os.environ, GOMAXPROCS=str(threads), POLARS_MAX_THREADS=str(threads))
        env.update({f"{library}_NUM_THREADS": str(threads) for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")})
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready = self.answer()

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


def relative(limit):
    """Values that agree up to a relative difference."""
    return lambda a, b: abs(a - b) <= limit * max(1e-12, abs(a), abs(b))


def absolute(limit):
    """Values that agree up to a difference, as chance may make it."""
    return lambda a, b: abs(a - b) <= limit


def same(a, b):
    """Numbers of points, which are equal or not."""
    return a == b


@dataclasses.dataclass
class Case:
    title: str
    own: str  # the Go side's case
    peer: str  # what runs on the other side, by the name that the page shows
    theirs: str  # its case
    goal: float | None  # how many times less Gaucho should take
    agree: Callable  # whether two values are the same answer
    environment: tuple = ("requirements.txt", ".venv")


def differ(own, other, agree):
    """What is wrong with a pair of lists of values; empty if they agree."""
    if len(own) != len(other):
        return f"{len(own)} values against {len(other)}"
    for i, (a, b) in enumerate(zip(own, other)):
        if not agree(a, b):
            return f"value {i} is {a:.12g} against {b:.12g}"
    return ""


def flags(about, rounds=5):
    """The options that all benchmarks have."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--record", action="store_true", help="keep the results in bench/results")
    return parser


def build(folder, to):
    """Builds the Go side of a folder."""
    subprocess.run(["go", "build", "-o", to, f"./bench/{folder.name}"], cwd=ROOT, check=True)
    return to


def main(folder, cases, about):
    """Runs cases beside their peers."""
    parser = flags(about)
    parser.add_argument("--threads", type=int, nargs="+", default=[os.cpu_count()], help="of both sides")
    parser.add_argument("--cases", default="", help="only those whose title contains this; they are not recorded")
    args = parser.parse_args()
    cases = [c for c in cases if args.cases.lower() in c.title.lower()]
    folder = pathlib.Path(folder)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="gaucho-bench-"))
    try:
        binary = build(folder, scratch / "side")
        pythons = {c.environment: environment(folder, *c.environment) for c in cases}
        found = {}
        for (requirements, _), python in pythons.items():
            found.update(versions(python, folder / requirements))
        record = Record(folder, about, found)
        for threads in args.threads:
            data = scratch / f"data-{threads}"
            data.mkdir()
            turns(record, Side([binary, "-data", data], threads), pythons, folder / "peer.py", data, threads, cases, args.rounds)
        record.close(args.record and not args.cases)
    finally:
        shutil.rmtree(scratch)


def turns(record, own, pythons, script, data, threads, cases, rounds):
    """Runs the cases on both sides in turn; the first run of each warms up and is checked."""
    others = {which: Side([python, "-W", "ignore", script, data], threads) for which, python in pythons.items()}
    for c in cases:
        other = others[c.environment]
        if wrong := differ(own.run(c.own)["values"], other.run(c.theirs)["values"], c.agree):
            record.differ(c.title, wrong)
        pairs = [(own.run(c.own)["seconds"], other.run(c.theirs)["seconds"]) for _ in range(rounds)]
        ours, theirs = zip(*pairs)
        record.row(c.title, ours, c.peer, theirs, goal=c.goal, threads=threads)
    for side in [own, *others.values()]:
        side.close()
