"""Everyday programs of a second or more in a native session, as programs that go build makes, and in CPython.

    make && python3 bench/everyday/bench.py [--rounds N] [--gaucho ./gaucho]

A program is declarations and a few statements that leave a number in r. A session runs the declarations in one cell and the
statements in the next; the program has the statements in main. In CPython the same steps are a function, without NumPy, of which
CPython does a share, as all of it would take minutes. The sides run in turns, and their answers are compared. What counts is processor
time, of all threads, from the first statement to the last. The goal beside go build is 15 % more.
"""

import json
import pathlib
import platform
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import sides
from record import ROOT, Record

# Name, imports, declarations, statements, the same in Python with r as its result, and how many times less Python does. N is how
# much is done. The loops of the last three are at the top level of a cell.
PROGRAMS = [
    ("recursive Fibonacci", [], "func fib(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn fib(n-1) + fib(n-2)\n}",
     "r := 0\nfor range N { r += fib(30) }", 400,
     "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\ndef run(N):\n    r = 0\n    for _ in range(N): r += fib(30)\n    return r", 80),
    ("matrix product", [], "func product(a, b, c []float64, n int) {\n\tfor i := range n {\n\t\tfor k := range n {\n\t\t\tx := a[i*n+k]\n\t\t\tfor j := range n {\n"
     "\t\t\t\tc[i*n+j] += x * b[k*n+j]\n\t\t\t}\n\t\t}\n\t}\n}\nfunc matrix(n int) []float64 {\n\ta := make([]float64, n*n)\n\tfor i := range a {\n\t\ta[i] = float64(i % 7)\n\t}\n\treturn a\n}",
     "c := make([]float64, 200*200)\nfor range N { product(matrix(200), matrix(200), c, 200) }\nr := int(c[3*200+5])", 300,
     "def product(a, b, c, n):\n    for i in range(n):\n        for k in range(n):\n            x = a[i * n + k]\n            for j in range(n): c[i * n + j] += x * b[k * n + j]\n"
     "def matrix(n): return [float(i % 7) for i in range(n * n)]\n"
     "def run(N):\n    c = [0.0] * (200 * 200)\n    for _ in range(N): product(matrix(200), matrix(200), c, 200)\n    return int(c[3 * 200 + 5])", 300),
    ("sieve", [], "func sieve(n int) int {\n\tmarked := make([]bool, n)\n\tcount := 0\n\tfor i := 2; i < n; i++ {\n\t\tif marked[i] {\n\t\t\tcontinue\n\t\t}\n\t\tcount++\n"
     "\t\tfor j := 2 * i; j < n; j += i {\n\t\t\tmarked[j] = true\n\t\t}\n\t}\n\treturn count\n}",
     "r := 0\nfor range N { r += sieve(1000000) }", 400,
     "def sieve(n):\n    marked, count = bytearray(n), 0\n    for i in range(2, n):\n        if marked[i]: continue\n        count += 1\n        for j in range(2 * i, n, i): marked[j] = 1\n    return count\n"
     "def run(N):\n    r = 0\n    for _ in range(N): r += sieve(1000000)\n    return r", 200),
    ("planets", ["math"], "type body struct{ x, y, vx, vy, m float64 }\nfunc step(bs []body, dt float64) {\n\tfor i := range bs {\n\t\tfor j := i + 1; j < len(bs); j++ {\n"
     "\t\t\tp, q := &bs[i], &bs[j]\n\t\t\tdx, dy := p.x-q.x, p.y-q.y\n\t\t\td := dx*dx + dy*dy + 1e-2\n\t\t\tf := dt / (d * math.Sqrt(d))\n"
     "\t\t\tp.vx -= dx * q.m * f\n\t\t\tp.vy -= dy * q.m * f\n\t\t\tq.vx += dx * p.m * f\n\t\t\tq.vy += dy * p.m * f\n\t\t}\n\t}\n"
     "\tfor i := range bs {\n\t\tb := &bs[i]\n\t\tb.x += dt * b.vx\n\t\tb.y += dt * b.vy\n\t}\n}",
     "bodies := make([]body, 40)\nfor i := range bodies { bodies[i] = body{x: float64(i), y: float64(i * i % 7), m: 1} }\nfor range N { step(bodies, 1e-6) }\nr := int(1e3 * bodies[7].y)", 225000,
     "import math\nclass Body:\n    def __init__(self, x, y): self.x, self.y, self.vx, self.vy, self.m = x, y, 0.0, 0.0, 1.0\n"
     "def step(bs, dt):\n    for i in range(len(bs)):\n        for j in range(i + 1, len(bs)):\n            p, q = bs[i], bs[j]\n            dx, dy = p.x - q.x, p.y - q.y\n"
     "            d = dx * dx + dy * dy + 1e-2\n            f = dt / (d * math.sqrt(d))\n            p.vx -= dx * q.m * f\n            p.vy -= dy * q.m * f\n            q.vx += dx * p.m * f\n            q.vy += dy * p.m * f\n"
     "    for b in bs:\n        b.x += dt * b.vx\n        b.y += dt * b.vy\n"
     "def run(N):\n    bodies = [Body(float(i), float(i * i % 7)) for i in range(40)]\n    for _ in range(N): step(bodies, 1e-6)\n    return int(1e3 * bodies[7].y)", 500),
    ("words counted", ["slices", "maps", "strings"], "func words(n int) string {\n\tvar b strings.Builder\n\tstate := uint32(1)\n\tfor range n {\n\t\tstate = state*1664525 + 1013904223\n"
     "\t\tb.WriteByte('a' + byte(state>>24%26))\n\t\tif state>>28 < 4 {\n\t\t\tb.WriteByte(' ')\n\t\t}\n\t}\n\treturn b.String()\n}\n"
     "func common(text string) int {\n\tcounts := map[string]int{}\n\tfor _, w := range strings.Fields(text) {\n\t\tcounts[w]++\n\t}\n\tbest := 0\n\tfor _, w := range slices.Sorted(maps.Keys(counts)) {\n"
     "\t\tbest = max(best, counts[w])\n\t}\n\treturn best*1000 + len(counts)%1000\n}",
     "text := words(1000000)\nr := 0\nfor range N { r += common(text) }", 16,
     "def words(n):\n    b, state = [], 1\n    for _ in range(n):\n        state = (state * 1664525 + 1013904223) & 0xffffffff\n        b.append(chr(97 + (state >> 24) % 26))\n        if state >> 28 < 4: b.append(' ')\n    return ''.join(b)\n"
     "def common(text):\n    counts = {}\n    for w in text.split(): counts[w] = counts.get(w, 0) + 1\n    best = 0\n    for w in sorted(counts): best = max(best, counts[w])\n    return best * 1000 + len(counts) % 1000\n"
     "def run(N):\n    text = words(1000000)\n    r = 0\n    for _ in range(N): r += common(text)\n    return r", 16),
    ("records sorted", ["cmp", "slices"], "type record struct {\n\tname string\n\tage  int\n\tpay  float64\n}\nfunc records(n int) []record {\n\tlist := make([]record, n)\n\tstate := uint32(1)\n"
     "\tfor i := range list {\n\t\tstate = state*1664525 + 1013904223\n\t\tlist[i] = record{name: string(rune('a' + state>>20%26)), age: int(state >> 25), pay: float64(state >> 8)}\n\t}\n\treturn list\n}\n"
     "func byAll(a, b record) int {\n\treturn cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.age, b.age), cmp.Compare(a.pay, b.pay))\n}",
     "r := 0\nfor range N {\n\tlist := records(200000)\n\tslices.SortFunc(list, byAll)\n\tr += list[1000].age\n}", 20,
     "def records(n):\n    out, state = [], 1\n    for _ in range(n):\n        state = (state * 1664525 + 1013904223) & 0xffffffff\n        out.append((chr(97 + (state >> 20) % 26), state >> 25, float(state >> 8)))\n    return out\n"
     "def run(N):\n    r = 0\n    for _ in range(N):\n        out = records(200000)\n        out.sort()\n        r += out[1000][1]\n    return r", 10),
    ("trees", [], "type tree struct{ left, right *tree }\nfunc grow(depth int) *tree {\n\tif depth == 0 {\n\t\treturn &tree{}\n\t}\n\treturn &tree{grow(depth - 1), grow(depth - 1)}\n}\n"
     "func (t *tree) size() int {\n\tif t.left == nil {\n\t\treturn 1\n\t}\n\treturn 1 + t.left.size() + t.right.size()\n}",
     "r := 0\nfor range N { r += grow(16).size() }", 300,
     "class Tree:\n    __slots__ = ('left', 'right')\n    def __init__(self, left, right): self.left, self.right = left, right\n    def size(self): return 1 if self.left is None else 1 + self.left.size() + self.right.size()\n"
     "def grow(depth): return Tree(None, None) if depth == 0 else Tree(grow(depth - 1), grow(depth - 1))\n"
     "def run(N):\n    r = 0\n    for _ in range(N): r += grow(16).size()\n    return r", 100),
    ("a random walk", [], "", "state, r, x := uint64(1), 0, 0\nfor range N {\n\tstate ^= state << 13\n\tstate ^= state >> 7\n\tstate ^= state << 17\n\tif state>>63 == 1 {\n\t\tx++\n\t} else {\n\t\tx--\n\t}\n\tr = max(r, x)\n}", 800000000,
     "def run(N):\n    state, r, x, mask = 1, 0, 0, (1 << 64) - 1\n    for _ in range(N):\n        state ^= state << 13 & mask\n        state ^= state >> 7\n        state ^= state << 17 & mask\n        if state >> 63: x += 1\n        else: x -= 1\n        if x > r: r = x\n    return r", 1600),
    ("square roots", ["math"], "", "s := 0.0\nfor i := range N { s += math.Sqrt(float64(i % 1000)) }\nr := int(s)", 800000000,
     "import math\ndef run(N):\n    s = 0.0\n    for i in range(N): s += math.sqrt(float(i % 1000))\n    return int(s)", 400),
    ("histogram", [], "", "counts := make([]int, 1024)\nstate := uint32(1)\nfor range N {\n\tstate = state*1664525 + 1013904223\n\tcounts[state>>22]++\n}\nr := counts[7]", 1200000000,
     "def run(N):\n    counts, state = [0] * 1024, 1\n    for _ in range(N):\n        state = (state * 1664525 + 1013904223) & 0xffffffff\n        counts[state >> 22] += 1\n    return counts[7]", 1200),
]
CLOCK = """func used() int64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return r.Utime.Nano() + r.Stime.Nano()
}"""


def statements(text, n):
    return f"begun := used()\n{text.replace('N', str(n))}\nfmt.Println(used()-begun, r)"


def answer(line):
    nanoseconds, r = line.split()
    return int(nanoseconds) / 1e9, int(r)


def in_session(gaucho, folder, declarations, text, n):
    cells = [CLOCK + "\n" + declarations, statements(text, n)]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "gaucho", "display_name": "Go", "language": "go"}},
                "cells": [{"cell_type": "code", "id": f"c{i}", "metadata": {}, "outputs": [], "execution_count": None, "source": c} for i, c in enumerate(cells)]}
    source, out = folder / "in.ipynb", folder / "out.ipynb"
    source.write_text(json.dumps(notebook))
    subprocess.run([gaucho, "run", "--engine", "native", "-o", out, source], check=True)
    return answer("".join("".join(o["text"]) for o in json.loads(out.read_text())["cells"][1]["outputs"]))


def build(file, imports, declarations, text, n):
    lines = "".join(f'import "{p}"\n' for p in ["fmt", "syscall", *imports])
    source = file.with_suffix(".go")
    source.write_text(f"package main\n{lines}{CLOCK}\n{declarations}\nfunc main() {{\n{statements(text, n)}\n}}\n")
    subprocess.run(["go", "build", "-o", file, source], check=True)
    return file


def in_program(file):
    return answer(subprocess.run([file], check=True, capture_output=True, text=True).stdout)


def in_python(text, n):
    timed = f"{text}\nimport time\nbegun = time.process_time_ns()\nr = run({n})\nprint(time.process_time_ns() - begun, r)"
    return answer(subprocess.run([sys.executable, "-c", timed], check=True, capture_output=True, text=True).stdout)


def main():
    flags = sides.flags(__doc__)
    flags.add_argument("--gaucho", default=ROOT / "gaucho", help="the binary to measure, with its compiler")
    args = flags.parse_args()
    with tempfile.TemporaryDirectory(prefix="gaucho-bench-") as scratch:
        scratch = pathlib.Path(scratch)
        programs = [build(scratch / f"program{i}", p[1], *p[2:5]) for i, p in enumerate(PROGRAMS)]
        small = [build(scratch / f"small{i}", p[1], p[2], p[3], p[4] // p[6]) for i, p in enumerate(PROGRAMS)]
        record = Record(FOLDER, __doc__, {"CPython": platform.python_version()})
        for (name, _, declarations, text, n, python, share), program, part in zip(PROGRAMS, programs, small):
            own, other, peer = [], [], []
            for _ in range(args.rounds):
                (a, r), (b, want) = in_session(args.gaucho, scratch, declarations, text, n), in_program(program)
                (c, shared), (_, expected) = in_python(python, n // share), in_program(part)
                if r != want or shared != expected:
                    record.differ(name, f"{r} in a session, {want} in a program; for a share {shared} in CPython, {expected} in a program")
                own, other, peer = [*own, a], [*other, b], [*peer, c * share]
            record.row(name, own, "go build", other, goal=1 / 1.15)
            record.row(name, own, "CPython", peer)
        record.close(args.record)


if __name__ == "__main__":
    main()
