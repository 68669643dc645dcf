"""Packages herding and filtering beside NumPy programs of the same algorithms, goodpoints and particles.

    .venv/bin/python bench/herding/bench.py [--rounds N] [--threads 1 2] [--cases SBQ] [--cpu]

Both sides do each case in turn, on the same data and the same number of threads; what a side loads or compiles at its
first use is not timed. Answers are compared before times are. The Python packages come into virtual environments of
their own beside this file; a package that cannot be installed is left out with a word about it.
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

HERE = pathlib.Path(__file__).resolve().parent
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="gaucho-bench-"))

# Title, the Go side's case, the peer, its case, the factor by which Go is to be faster, and how answers must agree: the
# same points in the same order up to the given number of them, or values (the root mean square error, the log-likelihood)
# that differ by no more than chance may make them.
CASES = [
    ("FW, K=100 d=2 M=50,000 N=1,000", "fw", "numpy", "fw", 2, ("points", 100)),
    ("herding 8,192 to 256", "subset", "goodpoints", "goodpoints subset", 30, ("points", 100)),
    ("herding 8,192 to 256", "subset", "numpy", "subset", 2, ("points", 100)),
    ("SKH-FW, nonlinear, T=100 N=100 M=5,000", "skh-fw", "numpy", "skh-fw", 2, ("value", 1)),
    ("SKH-FCFW, the same", "skh-fcfw", "numpy", "skh-fcfw", 2, ("value", 1)),
    ("bootstrap filter, T=1,000 N=10^3", "bootstrap-1e3", "particles", "particles bootstrap-1e3", 20, ("value", 40)),
    ("bootstrap filter, T=1,000 N=10^3", "bootstrap-1e3", "numpy", "bootstrap-1e3", 2, ("value", 40)),
    ("bootstrap filter, T=1,000 N=10^5", "bootstrap-1e5", "particles", "particles bootstrap-1e5", 6, ("value", 4)),
    ("bootstrap filter, T=1,000 N=10^5", "bootstrap-1e5", "numpy", "bootstrap-1e5", 2, ("value", 4)),
    ("SQMC, T=1,000 N=8,192", "sqmc", "particles", "particles sqmc", 4, ("value", 6)),
    ("SBQ, 500 of 10,000 points", "sbq", "numpy", "sbq", 1, ("points", 100)),
]

# Each environment's requirements; goodpoints shares NumPy's, particles needs an older NumPy.
ENVIRONMENTS = {
    "numpy": (".venv", "requirements.txt"),
    "goodpoints": (".venv", "requirements-goodpoints.txt"),
    "particles": (".venv-particles", "requirements-particles.txt"),
}


def environment(peer):
    """The interpreter that has the peer, or None where it cannot be installed."""
    folder, requirements = ENVIRONMENTS[peer]
    venv, wanted = HERE / folder, (HERE / requirements).read_text()
    python, done = venv / "bin" / "python", venv / f"{requirements}.installed"
    if done.exists() and done.read_text() == wanted:
        return python
    print(f"installing {peer}", file=sys.stderr)
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", venv], check=True, capture_output=True, timeout=120)
        command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", HERE / requirements]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    except (subprocess.SubprocessError, OSError) as e:
        said = (getattr(e, "stderr", None) or str(e)).strip().splitlines()
        print(f"LEFT OUT: {peer} cannot be installed ({said[-1] if said else e})")
        return None
    done.write_text(wanted)
    return python


class Side:
    """A process that runs cases, one at a time."""

    def __init__(self, command, threads, cpu):
        env = dict(os.environ, GOMAXPROCS=str(threads), NUMBA_NUM_THREADS=str(threads))
        env.update({f"{library}_NUM_THREADS": str(threads) for library in ("OMP", "OPENBLAS", "MKL")})
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.cpu = cpu

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args[0]} ended with status {self.process.wait()}")
        return json.loads(line)

    def spent(self):
        """Processor seconds of all the process's threads so far."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) * 1e-9

    def run(self, case):
        before = self.spent() if self.cpu else 0
        self.process.stdin.write(case + "\n")
        self.process.stdin.flush()
        a = self.answer()
        if self.cpu:
            a["seconds"] = self.spent() - before
        return a

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def disagreement(own, other, how):
    """What is wrong with a pair of answers; empty if they agree."""
    kind, limit = how
    if kind == "points":
        return "" if own["index"][:limit] == other["index"][:limit] else "other points"
    return "" if abs(own["value"] - other["value"]) <= limit else f"{own['value']:.6g} against {other['value']:.6g}"


def shown(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.1f} ms"


def compare(binary, pythons, threads, args):
    """Prints the table for a number of threads and returns how many goals were missed."""
    data = SCRATCH / f"data-{threads}"
    data.mkdir()
    own = Side([binary, "-data", data], threads, args.cpu)
    exact = own.answer()["kalman"]
    others = {peer: Side([python, HERE / "peer.py", data], threads, args.cpu) for peer, python in pythons.items() if python}
    clock = "processor seconds" if args.cpu else "seconds"
    print(f"\n{threads} thread{'s' * (threads > 1)}, medians of {args.rounds} runs in turn, {clock}; exact log-likelihood {exact:.3f}")
    print(f"{'':40}{'peer':>12}{'gaucho':>12}{'peer':>12}{'ratio':>8}{'goal':>6}")
    missed = 0
    for title, case, peer, theirs, goal, how in CASES:
        if args.cases.lower() not in title.lower() or peer not in others:
            continue
        first = own.run(case), others[peer].run(theirs)
        if wrong := disagreement(*first, how):
            print(f"{title:40}{peer:>12}  answers differ: {wrong}")
            missed += 1
            continue
        pairs = [(own.run(case)["seconds"], others[peer].run(theirs)["seconds"]) for _ in range(args.rounds)]
        ours, other = (statistics.median(column) for column in zip(*pairs))
        ratio = other / max(ours, 1e-9)
        mark = "" if ratio >= goal else "  missed"
        missed += ratio < goal
        print(f"{title:40}{peer:>12}{shown(ours):>12}{shown(other):>12}{ratio:>8.1f}{goal:>6}{mark}", flush=True)
    for side in [own, *others.values()]:
        side.close()
    return missed


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--threads", type=int, nargs="+", default=[os.cpu_count()], help="of both sides; a table for each")
    flags.add_argument("--cases", default="", help="only those whose title contains this")
    flags.add_argument("--cpu", action="store_true", help="processor seconds, not time: for --threads 1 on a busy machine (Linux)")
    args = flags.parse_args()
    binary = SCRATCH / "herding"
    subprocess.run(["go", "build", "-o", binary, "./bench/herding"], cwd=HERE.parents[1], check=True)
    wanted = {peer for title, _, peer, *_ in CASES if args.cases.lower() in title.lower()}
    pythons = {peer: environment(peer) for peer in ENVIRONMENTS if peer in wanted}
    missed = sum(compare(binary, pythons, threads, args) for threads in args.threads)
    print(f"\n{missed} goals missed")


if __name__ == "__main__":
    try:
        main()
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
