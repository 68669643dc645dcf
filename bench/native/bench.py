"""The native engine: numeric cells beside the same code in a program and in CPython, a new cell's latency, a long session's memory.

    make && python3 bench/native/bench.py [--rounds N] [--gaucho ./gaucho]

In each round the cells run seven times in a session of their own, the program seven times, and the fastest counts; CPython runs
once. The program is what go build makes of the same declarations, with the statements in main. Python does the same steps in
functions, without NumPy. A new cell's latency is the time between the starts of two cells that declare a variable and print the clock,
beside go build and run of a program that prints a number.
"""

import json
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import sides
from record import ROOT, Record

# Name, declarations, statements. The first five work in functions, the others at the top level.
KERNELS = [
    ("sum", "func sum(xs []float64) float64 { s := 0.0; for _, x := range xs { s += x }; return s }\n"
            "var data = make([]float64, 1<<20)", "r := 0.0\nfor range 50 { r += sum(data) }"),
    ("matmul", "func matmul(a, b, c []float64, n int) {\nfor i := range n {\nfor k := range n {\nx := a[i*n+k]\n"
               "for j := range n { c[i*n+j] += x * b[k*n+j] }\n}\n}\n}\nvar a, b, c = make([]float64, 90000), make([]float64, 90000), make([]float64, 90000)",
     "matmul(a, b, c, 300)"),
    ("fib", "func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }", "r := fib(34)"),
    ("sieve", "func sieve(n int) int {\nmarked := make([]bool, n)\ncount := 0\nfor i := 2; i < n; i++ {\nif marked[i] { continue }\ncount++\n"
              "for j := 2 * i; j < n; j += i { marked[j] = true }\n}\nreturn count\n}", "r := sieve(5000000)"),
    ("nbody", "type body struct{ x, y, z, vx, vy, vz, m float64 }\nfunc step(bs []body, dt float64) {\nfor i := range bs {\nfor j := i + 1; j < len(bs); j++ {\n"
              "p, q := &bs[i], &bs[j]\ndx, dy, dz := p.x-q.x, p.y-q.y, p.z-q.z\nd := dx*dx + dy*dy + dz*dz + 1e-9\nf := dt / (d * math.Sqrt(d))\n"
              "p.vx -= dx * q.m * f; p.vy -= dy * q.m * f; p.vz -= dz * q.m * f\nq.vx += dx * p.m * f; q.vy += dy * p.m * f; q.vz += dz * p.m * f\n}\n}\n"
              "for i := range bs { b := &bs[i]; b.x += dt * b.vx; b.y += dt * b.vy; b.z += dt * b.vz }\n}\nvar bodies = make([]body, 50)",
     "for i := range bodies { bodies[i] = body{x: float64(i), y: float64(i * i % 7), m: 1} }\nfor range 3000 { step(bodies, 1e-3) }"),
    ("sum at the top", "var data = make([]float64, 1<<20)", "s := 0.0\nfor range 50 { for i := 0; i < len(data); i++ { s += data[i] } }"),
    ("leaf at the top", "func leaf(x int) int { return x*3 + 1 }", "n := 0\nfor i := range 200000000 { n += leaf(i) }"),
    ("monte carlo at the top", "", "rng := rand.New(rand.NewPCG(1, 2))\nhits := 0\nfor range 10000000 { x, y := rng.Float64(), rng.Float64(); if x*x+y*y < 1 { hits++ } }"),
    ("logistic map at the top", "", "x := 0.3\nfor range 50000000 { x = 3.9 * x * (1 - x) }"),
    ("histogram at the top", "", "counts := make([]int, 1024)\nstate := uint32(1)\nfor range 50000000 { state = state*1664525 + 1013904223; counts[state>>22]++ }"),
]
# The same in Python, where a program of it says something.
PYTHON = {
    "matmul": """
def matmul(a, b, c, n):
    for i in range(n):
        for k in range(n):
            x = a[i * n + k]
            for j in range(n):
                c[i * n + j] += x * b[k * n + j]
def run():
    matmul([0.0] * 90000, [0.0] * 90000, [0.0] * 90000, 300)
""",
    "fib": """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def run():
    fib(34)
""",
    "sieve": """
def sieve(n):
    marked, count = bytearray(n), 0
    for i in range(2, n):
        if marked[i]:
            continue
        count += 1
        for j in range(2 * i, n, i):
            marked[j] = 1
    return count
def run():
    sieve(5000000)
""",
    "monte carlo at the top": """
import random
def run():
    draw, hits = random.random, 0
    for _ in range(10000000):
        x, y = draw(), draw()
        if x * x + y * y < 1:
            hits += 1
""",
    "logistic map at the top": """
def run():
    x = 0.3
    for _ in range(50000000):
        x = 3.9 * x * (1 - x)
""",
}
IMPORTS = ["fmt", "math", "math/rand/v2", "time"]


def notebook(cells):
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "gaucho", "display_name": "Go", "language": "go"}},
            "cells": [{"cell_type": "code", "id": f"c{i}", "metadata": {}, "outputs": [], "execution_count": None, "source": c}
                      for i, c in enumerate(cells)]}


def printed(gaucho, cells):
    """What each cell prints."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "in.ipynb", Path(folder) / "out.ipynb"
        source.write_text(json.dumps(notebook(cells)))
        subprocess.run([gaucho, "run", "--engine", "native", "-o", out, source], check=True)
        done = json.loads(out.read_text())
    return ["".join("".join(o["text"]) for o in c["outputs"] if o.get("name") == "stdout") for c in done["cells"]]


def in_cells(gaucho, decls, stmts):
    timed = f"start := time.Now()\n{stmts}\nfmt.Println(time.Since(start).Nanoseconds())"
    return min(int(p) for p in printed(gaucho, [decls] + [timed] * 7)[1:]) / 1e9


def program(decls, stmts, to):
    """Builds the program of a kernel, which runs it seven times."""
    body = f"for range 7 {{\nstart := time.Now()\n{stmts}\nfmt.Println(time.Since(start).Nanoseconds())\n}}\n"
    text = "package main\n" + "".join(f'import "{p}"\n' for p in IMPORTS) + "var _ = math.Pi\nvar _ = rand.Int\n" + decls
    text += "\nvar sink any\nfunc main() {\n" + body.replace("fmt.Println(time", "".join(f"sink = {v}\n" for v in used(stmts)) + "fmt.Println(time") + "}\n"
    source = to.with_suffix(".go")
    source.write_text(text)
    subprocess.run(["go", "build", "-o", to, source], check=True)
    return to


def in_program(binary):
    return min(int(l) for l in subprocess.run([binary], check=True, capture_output=True, text=True).stdout.split()) / 1e9


def in_python(text):
    timed = text + "import time\nstart = time.perf_counter()\nrun()\nprint(time.perf_counter() - start)"
    return float(subprocess.run([sys.executable, "-c", timed], check=True, capture_output=True, text=True).stdout)


def used(stmts):
    """Variables that the statements declare, so that Go's compiler finds them used."""
    return [l.split(":=")[0].strip() for l in stmts.split("\n") if ":=" in l and not l.startswith("for")]


def latency(gaucho, cell, count=30):
    """The median of the seconds between the starts of cells."""
    salt = time.time_ns()
    cells = [cell.format(i=salt + i) + "\nfmt.Println(time.Now().UnixNano())" for i in range(count)]
    starts = [int(p.split()[-1]) for p in printed(gaucho, cells)]
    return statistics.median((b - a) / 1e9 for a, b in zip(starts[2:], starts[3:]))


def go_build(folder, count=10):
    """The median of the seconds of building and running a whole program."""
    times = []
    for _ in range(count):
        (folder / "main.go").write_text(f'package main\nimport "fmt"\nfunc main() {{ fmt.Println({time.time_ns()}) }}\n')
        start = time.perf_counter()
        subprocess.run(["go", "build", "-o", folder / "main", folder / "main.go"], check=True)
        subprocess.run([folder / "main"], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def whole(gaucho):
    """Seconds from the start of gaucho run to its end, for one new cell, with the compiler unpacked."""
    start = time.perf_counter()
    printed(gaucho, [f"fmt.Println({time.time_ns()})"])
    return time.perf_counter() - start


def session(gaucho):
    """A session of 500 cells: seconds a cell and bytes of the worker after 100 cells and at the end."""
    cell = "v{i} := {i}\nfunc f{i}(x int) int {{ return x + v{i} }}\nf{i}(1)"
    salt = time.time_ns() % 10**9
    cells = [cell.format(i=salt + i) + "\nstatm, _ := os.ReadFile(\"/proc/self/statm\")\nfmt.Println(strings.Fields(string(statm))[1], time.Now().UnixNano())"
             for i in range(500)]
    rows = [tuple(map(int, p.split())) for p in printed(gaucho, cells)]
    found = []
    for n in 100, 499:
        seconds = [(rows[i][1] - rows[i - 1][1]) / 1e9 for i in range(n - 20, n)]
        found += [statistics.median(seconds), rows[n][0] * 4096]
    return found


def main():
    flags = sides.flags(__doc__)
    flags.add_argument("--gaucho", default=ROOT / "gaucho", help="the binary to measure, with its compiler")
    args = flags.parse_args()
    with tempfile.TemporaryDirectory(prefix="gaucho-bench-") as scratch:
        scratch = Path(scratch)
        programs = [program(decls, stmts, scratch / f"kernel{i}") for i, (_, decls, stmts) in enumerate(KERNELS)]
        record = Record(FOLDER, __doc__, {"CPython": platform.python_version()})
        for (name, decls, stmts), binary in zip(KERNELS, programs):
            pairs = [(in_cells(args.gaucho, decls, stmts), in_program(binary)) for _ in range(args.rounds)]
            own, other = zip(*pairs)
            record.row(name, own, "go build", other)
            if name in PYTHON:
                record.row(name, own, "CPython", [in_python(PYTHON[name]) for _ in own])
        pairs = [(latency(args.gaucho, "x{i} := {i}"), latency(args.gaucho, "x{i} := mat.NewDense(1, 1, []float64{{{i}}})"), go_build(scratch))
                 for _ in range(args.rounds)]
        plain, gonum, built = zip(*pairs)
        record.row("a new cell", plain, "go build and run", built)
        record.row("a new cell with gonum", gonum)
        record.row("a whole session of one new cell", [whole(args.gaucho) for _ in range(args.rounds)])
        early, early_memory, late, late_memory = session(args.gaucho)
        record.row("a cell after 100 cells", [early])
        record.row("a cell after 500 cells", [late])
        record.row("memory of the worker after 100 cells", [early_memory], unit="B")
        record.row("memory of the worker after 500 cells", [late_memory], unit="B")
        record.close(args.record)


if __name__ == "__main__":
    main()
