"""How Gaucho's costs grow with the work: exponents of processor time, fitted over at least four sizes that double or more.

    python3 bench/growth/bench.py [--rounds N] [--cases pivot]

An exponent e says that twice the work takes 2^e times the processor time, of the kernel, its compilers and the worker together. It is
the slope of a least-squares line through the logarithms, and is held against what the algorithm needs, which is what the doc comment
says, plus a quarter: less than that is what caches and logarithms make. There are no peers. Sessions run notebooks by `gaucho run`; what
one cell takes is taken off. What guards these in the ordinary tests counts work, not time.
"""

import dataclasses
import json
import math
import os
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import sides
from record import Record, shown

SLACK = 0.25  # what an exponent may be above the needed one


@dataclasses.dataclass
class Growth:
    title: str
    case: str  # of main.go, or of NOTEBOOKS
    sizes: tuple
    needed: float = 1  # the exponent that the algorithm and the doc comment say


def doubled(first, last):
    """first, twice that, and so on up to last."""
    sizes = [first]
    while 2 * sizes[-1] <= last:
        sizes.append(2 * sizes[-1])
    return tuple(sizes)


def redeclared(n):
    return [f"func f(a int) int {{ return a + {i} }}" for i in range(n)]


def chain(n):
    return ["\n".join(["func c0() int { return 1 }"] + [f"func c{i}() int {{ return c{i - 1}() + 1 }}" for i in range(1, n)])]


# The cells of a notebook of size n.
NOTEBOOKS = {
    "redeclare": redeclared,
    "cells": lambda n: [f"v{i} := {i}\nfunc f{i}(a int) int {{ return a + v{i} }}" for i in range(n)],
    "lines": lambda n: ["\n".join(f"w{i} := {i}" for i in range(n))],
    "functions": lambda n: ["\n".join(f"func g{i}(a int) int {{ return a + {i} }}" for i in range(n))],
    "chain": chain,
    "literal": lambda n: ["var big = []float64{" + ", ".join(str(i * 1.5) for i in range(n)) + "}\nlen(big)"],
    "print": lambda n: [f"for i := range {n} {{ fmt.Println(i) }}"],
}

SESSIONS = [
    Growth("a function that is declared again and again", "redeclare", doubled(40, 320)),
    Growth("cells with a variable and a function", "cells", doubled(50, 400)),
    Growth("lines of one cell", "lines", doubled(1250, 10_000)),
    Growth("functions of one cell", "functions", doubled(500, 4000)),
    Growth("a chain of calls", "chain", doubled(500, 4000)),
    Growth("numbers of a literal", "literal", doubled(12_500, 100_000)),
    Growth("printed lines", "print", doubled(125_000, 1_000_000)),
    Growth("cells of an exported notebook", "export", doubled(125, 1000)),
]

LIBRARY = [
    Growth("LORD++, p-values", "LORD++", doubled(62_500, 1_000_000)),
    Growth("SAFFRON, p-values", "SAFFRON", doubled(62_500, 1_000_000)),
    Growth("ADDIS, p-values", "ADDIS", doubled(62_500, 1_000_000)),
    Growth("Frank-Wolfe, fixed steps", "fixed", doubled(1500, 12_000)),
    Growth("Frank-Wolfe, line search, steps", "line search", doubled(1500, 12_000)),
    Growth("regression, variables", "variables", doubled(50, 400), 2),
    Growth("regression, rows", "rows", doubled(25_000, 200_000)),
    Growth("pivot, columns", "pivot", doubled(125, 1000)),
    Growth("Describe, rows", "describe", doubled(125_000, 1_000_000)),
    Growth("Where, rows", "where", doubled(125_000, 1_000_000)),
    Growth("Unique, rows", "unique", doubled(125_000, 1_000_000)),
    Growth("median of groups, rows", "median", doubled(125_000, 1_000_000)),
    Growth("join, rows", "join", doubled(62_500, 500_000)),
    Growth("CSV of 500 rows, columns", "wide", doubled(250, 2000)),
    Growth("CSV of 4 columns, rows", "long", doubled(125_000, 1_000_000)),
    Growth("Concat, tables", "concat", doubled(1000, 8000)),
    Growth("With in a loop, columns", "with", doubled(250, 2000), 2),
    Growth("a line of sorted points", "sorted", doubled(125_000, 1_000_000)),
    Growth("a line of unsorted points", "unsorted", doubled(12_500, 100_000)),
    Growth("forward-backward, length", "smooth", doubled(25_000, 200_000)),
    Growth("bootstrap filter, particles", "filter", doubled(12_500, 100_000)),
]


def children():
    """Processor seconds of the processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def session(scratch, case, n):
    """Processor seconds of a notebook of size n."""
    sources = NOTEBOOKS["cells" if case == "export" else case](n) if n else ["1 + 1"]
    cells = [dict(cell_type="code", metadata={}, source=s, outputs=[], execution_count=None) for s in sources]
    file = scratch / "growth.ipynb"
    file.write_text(json.dumps(dict(nbformat=4, nbformat_minor=4, metadata={}, cells=cells)))
    command = [os.environ.get("GAUCHO", "gaucho"), "run", file]
    if case == "export":
        command[1:] = ["export", "-o", scratch / "growth.go", file]
    before = children()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=600, cwd=scratch)
    return children() - before


def slope(sizes, seconds):
    """The exponent of a power of the size, by least squares."""
    x, y = [math.log(n) for n in sizes], [math.log(s) for s in seconds]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def measure(record, g, run, rounds):
    """A row for what grows: an exponent a round."""
    all = [[max(run(n), 1e-4) for n in g.sizes] for _ in range(rounds)]
    least = [min(times) for times in zip(*all)]
    note = f"{shown(least[0], 's')} at {g.sizes[0]:,}, {shown(least[-1], 's')} at {g.sizes[-1]:,}"
    record.row(g.title, [max(slope(g.sizes, times), 0.01) for times in all], unit="", most=g.needed + SLACK, note=note)


def main():
    parser = sides.flags(__doc__, rounds=3)
    parser.add_argument("--cases", default="", help="only those whose title contains this; they are not recorded")
    args = parser.parse_args()
    chosen = lambda list: [g for g in list if args.cases.lower() in g.title.lower()]
    with tempfile.TemporaryDirectory(prefix="gaucho-bench-") as scratch:
        scratch = pathlib.Path(scratch)
        binary = sides.build(FOLDER, scratch / "side")
        record = Record(FOLDER, __doc__, {"Python": platform.python_version()})
        for g in chosen(SESSIONS):
            base = min(session(scratch, g.case, 0) for _ in range(3))
            measure(record, g, lambda n: session(scratch, g.case, n) - base, args.rounds)
        go = sides.Side([binary], os.cpu_count())
        for g in chosen(LIBRARY):
            measure(record, g, lambda n: go.run(f"{n} {g.case}")["seconds"], args.rounds)
        go.close()
        record.close(args.record and not args.cases)


if __name__ == "__main__":
    main()
