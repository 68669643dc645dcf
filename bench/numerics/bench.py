"""Packages vec and linalg beside NumPy, SciPy and gonum.

    python3 bench/numerics/bench.py [--rounds N] [--threads T] [--cases Gram]

Each side runs unmeasured before each of its turns, as OpenBLAS's threads spin for a while after their work. Functions are timed
on 50,000 elements, which one thread does, as NumPy does all its functions. Products run on the AVX2 path too, then beside
OpenBLAS's kernels for Haswell.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import sides
from record import ROOT, Record, versions

AVX2 = {"GODEBUG": "cpu.avx512f=off", "OPENBLAS_CORETYPE": "Haswell"}


def measure(record, binary, python, args, cases, name, **environment):
    """Records a row for each case that contains cases; name is what its title ends in."""
    command = [binary, "-python", python, "-rounds", str(args.rounds), "-cases", cases]
    env = dict(os.environ, GOMAXPROCS=str(args.threads), **environment)
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            c = json.loads(line)
            record.row(c["title"] + name, c["own"], c["peer"], c["other"], goal=1 / c["most"] if c["most"] else None, threads=args.threads)
    if process.returncode:
        raise SystemExit(process.returncode)


def main():
    flags = sides.flags(__doc__, rounds=9)
    flags.add_argument("--threads", type=int, default=os.cpu_count())
    flags.add_argument("--cases", default="", help="only those whose title contains this; they are not recorded")
    args = flags.parse_args()
    with tempfile.TemporaryDirectory(prefix="gaucho-bench-") as scratch:
        binary, python = sides.build(FOLDER, pathlib.Path(scratch) / "numerics"), sides.environment(FOLDER)
        record = Record(FOLDER, __doc__, versions(python, FOLDER / "requirements.txt"))
        measure(record, binary, python, args, args.cases, "")
        if args.cases in "product":
            measure(record, binary, python, args, "product", ", AVX2", **AVX2)
        record.close(args.record and not args.cases)


if __name__ == "__main__":
    main()
