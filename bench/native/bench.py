"""Times the native engine: a cell's latency, a long session's memory, and numeric cells beside the same code in a program.

    make build && python3 bench/native/bench.py [./gaucho [PART ...]]

The parts are kernels, latency, cold and session; all when none is named. Cold are the first cells of a session. Each kernel
runs seven times and the fastest counts. The program is what go build makes of the same declarations, with the statements in main. A cell's latency is the time between the starts of two cells that do nothing but print the clock.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GAUCHO = sys.argv[1] if len(sys.argv) > 1 else "./gaucho"

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
IMPORTS = ["fmt", "math", "math/rand/v2", "time"]


def notebook(cells):
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "gaucho", "display_name": "Go", "language": "go"}},
            "cells": [{"cell_type": "code", "id": f"c{i}", "metadata": {}, "outputs": [], "execution_count": None, "source": c}
                      for i, c in enumerate(cells)]}


def printed(cells, engine="native"):
    """What each cell prints."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "in.ipynb", Path(folder) / "out.ipynb"
        source.write_text(json.dumps(notebook(cells)))
        subprocess.run([GAUCHO, "run", "--engine", engine, "-o", out, source], check=True)
        done = json.loads(out.read_text())
    return ["".join("".join(o["text"]) for o in c["outputs"] if o.get("name") == "stdout") for c in done["cells"]]


def in_cells(decls, stmts):
    timed = f"start := time.Now()\n{stmts}\nfmt.Println(time.Since(start).Nanoseconds())"
    return min(int(p) for p in printed([decls] + [timed] * 7)[1:])


def in_program(decls, stmts):
    body = f"for range 7 {{\nstart := time.Now()\n{stmts}\nfmt.Println(time.Since(start).Nanoseconds())\n}}\n"
    text = "package main\n" + "".join(f'import "{p}"\n' for p in IMPORTS) + "var _ = math.Pi\nvar _ = rand.Int\n" + decls
    text += "\nvar sink any\nfunc main() {\n" + body.replace("fmt.Println(time", "".join(f"sink = {v}\n" for v in used(stmts)) + "fmt.Println(time") + "}\n"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "main.go").write_text(text)
        subprocess.run(["go", "build", "-o", f"{folder}/program", f"{folder}/main.go"], check=True)
        return min(int(l) for l in subprocess.run([f"{folder}/program"], check=True, capture_output=True, text=True).stdout.split())


def used(stmts):
    """Variables that the statements declare, so that Go's compiler finds them used."""
    return [l.split(":=")[0].strip() for l in stmts.split("\n") if ":=" in l and not l.startswith("for")]


def percentiles(times):
    times = sorted(times)
    return f"median {statistics.median(times) * 1e3:.1f} ms, 90th percentile {times[int(0.9 * (len(times) - 1))] * 1e3:.1f} ms"


def latency(cell, count=30):
    """Seconds between the starts of cells."""
    salt = time.time_ns()
    cells = [cell.format(i=salt + i) + "\nfmt.Println(time.Now().UnixNano())" for i in range(count)]
    starts = [int(p.split()[-1]) for p in printed(cells)]
    return [(b - a) / 1e9 for a, b in zip(starts[2:], starts[3:])]


def go_build(count=10):
    """Seconds of building and running a whole program for each cell."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(count):
            (Path(folder) / "main.go").write_text(f'package main\nimport "fmt"\nfunc main() {{ fmt.Println({time.time_ns()}) }}\n')
            start = time.time()
            subprocess.run(["go", "build", "-o", f"{folder}/program", f"{folder}/main.go"], check=True)
            subprocess.run([f"{folder}/program"], check=True, capture_output=True)
            times.append(time.time() - start)
    return times[1:]


def session():
    """A session of 500 cells: seconds a cell and the worker's memory."""
    cell = "v{i} := {i}\nfunc f{i}(x int) int {{ return x + v{i} }}\nf{i}(1)"
    salt = time.time_ns() % 10**9
    cells = [cell.format(i=salt + i) + "\nstatm, _ := os.ReadFile(\"/proc/self/statm\")\nfmt.Println(strings.Fields(string(statm))[1], time.Now().UnixNano())"
             for i in range(500)]
    rows = [tuple(map(int, p.split())) for p in printed(cells)]
    for n in (10, 50, 100, 150, 200, 300, 400, 499):
        seconds = [(rows[i][1] - rows[i - 1][1]) / 1e9 for i in range(max(1, n - 20), n)]
        print(f"| {n} | {statistics.median(seconds) * 1e3:.1f} ms | {rows[n][0] * 4096 / 1e6:.0f} MB |")


def kernels():
    """Numeric cells beside the same code in a program."""
    print("| cell | in a program | in a cell | |\n| --- | ---: | ---: | ---: |")
    for name, decls, stmts in KERNELS:
        program, cell = in_program(decls, stmts), in_cells(decls, stmts)
        print(f"| {name} | {program / 1e6:.1f} ms | {cell / 1e6:.1f} ms | {100 * (cell / program - 1):+.0f} % |", flush=True)


def latencies():
    print("\nA new cell:", percentiles(latency("x{i} := {i}")))
    print("with gonum:", percentiles(latency("x{i} := mat.NewDense(1, 1, []float64{{{i}}})")))
    print("the same again:", percentiles(latency("fmt.Sprint(1)")))
    print("a whole program for each cell (go build, fmt alone):", percentiles(go_build()))


def cold():
    """Seconds from the start of gaucho run to its end, for one new cell, with the compiler unpacked."""
    times = []
    for _ in range(7):
        start = time.time()
        printed([f"fmt.Println({time.time_ns()})"])
        times.append(time.time() - start)
    print("\nA whole session of one new cell:", percentiles(times))


def long_session():
    print("\n| cells | a cell | memory of the worker |\n| ---: | ---: | ---: |")
    session()


PARTS = {"kernels": kernels, "latency": latencies, "cold": cold, "session": long_session}
for part in sys.argv[2:] or PARTS:
    PARTS[part]()
