"""Gaucho beside ipykernel, both driven by jupyter_client in the same run on the same machine.

    .venv/bin/python bench/kernel/bench.py [--rounds N] [--gaucho BINARY]

Every figure is measured from the client's side, with both kernels' rounds taking turns; times are the least of the
rounds' medians, so that other work on the machine disturbs them little.
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
import time

import psutil

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="gaucho-bench-"))
os.environ.update(
    JUPYTER_PATH=str(SCRATCH / "share" / "jupyter"),
    JUPYTER_RUNTIME_DIR=str(SCRATCH / "runtime"),
    IPYTHONDIR=str(SCRATCH / "ipython"),
    GAUCHO_HISTORY=str(SCRATCH / "history.jsonl"),
)

from jupyter_client.manager import KernelManager  # noqa: E402

CELLS = {
    "gaucho": {
        "trivial": "1",
        "comment": "1 //",
        "complete": "fmt.Pr",
        "lines": "for i := 0; i < 10_000; i++ { fmt.Println(i) }",
        "bulk": 'bulk := strings.Repeat("x", 999)\nfor i := 0; i < 10_000; i++ { fmt.Println(bulk) }',
        "loop": "for {}",
        "libraries": 'import (\n\t"gonum.org/v1/gonum/mat"\n\t"gonum.org/v1/plot"\n)\n_, _ = mat.NewDense(2, 2, nil), plot.New()',
    },
    "python3": {
        "trivial": "1",
        "comment": "1 #",
        "complete": "print.__na",
        "lines": "for i in range(10_000): print(i)",
        "bulk": 'bulk = "x" * 999\nfor i in range(10_000): print(bulk)',
        "loop": "while True: pass",
        "libraries": "import numpy, matplotlib.pyplot",
    },
}


class Kernel:
    """A kernel just started; started is the time from the start to the reply to kernel_info."""

    def __init__(self, name):
        self.cells = CELLS[name]
        self.km = KernelManager(kernel_name=name)
        begun = time.perf_counter()
        self.km.start_kernel(stderr=subprocess.DEVNULL)
        self.kc = self.km.client()
        self.kc.start_channels()
        self.kc.kernel_info()
        self.kc.get_shell_msg(timeout=60)
        self.started = time.perf_counter() - begun
        self.kc.wait_for_ready()

    def idle(self, msg_id):
        while True:
            m = self.kc.get_iopub_msg(timeout=60)
            if m["parent_header"].get("msg_id") == msg_id and m["content"].get("execution_state") == "idle":
                return

    def run(self, name):
        begun = time.perf_counter()
        msg_id = self.kc.execute(self.cells[name])
        reply = self.kc.get_shell_msg(timeout=60)
        self.idle(msg_id)
        took = time.perf_counter() - begun
        if name != "loop" and reply["content"]["status"] != "ok":
            raise RuntimeError(f"{name}: {reply['content']['evalue']}")
        return took

    def complete(self):
        code = self.cells["complete"]
        begun = time.perf_counter()
        msg_id = self.kc.complete(code, len(code))
        reply = self.kc.get_shell_msg(timeout=60)
        took = time.perf_counter() - begun
        assert reply["content"]["matches"], "nothing was completed"
        self.idle(msg_id)
        return took

    def queued(self, n=500):
        begun = time.perf_counter()
        ids = [self.kc.execute(self.cells["trivial"]) for _ in range(n)]
        for _ in ids:
            self.kc.get_shell_msg(timeout=60)
        self.idle(ids[-1])
        return time.perf_counter() - begun

    def comms(self, n=5000):
        """From the last of n comm_open for a target that nobody takes to the reply to the cell after them."""
        session, socket = self.kc.session, self.kc.shell_channel.socket
        opens = [
            session.serialize(session.msg("comm_open", {"comm_id": f"{time.time()}-{i}", "target_name": "nobody", "data": {}}))
            for i in range(n)
        ]
        for m in opens:
            socket.send_multipart(m)
        begun = time.perf_counter()
        msg_id = self.kc.execute(self.cells["trivial"])
        while self.kc.get_shell_msg(timeout=60)["parent_header"].get("msg_id") != msg_id:
            pass
        took = time.perf_counter() - begun
        self.idle(msg_id)
        return took

    def after_large_cells(self):
        """What the kernel's process holds five seconds after a cell of 200 MB and three of 50 MB."""
        for size in (200, 50, 50, 50):
            self.kc.execute(self.cells["comment"] + "x" * (size * 1_000_000))
            self.kc.get_shell_msg(timeout=120)
        time.sleep(5)
        return psutil.Process(self.km.provisioner.pid).memory_info().rss

    def interrupt(self):
        msg_id = self.kc.execute(self.cells["loop"])
        time.sleep(0.2)
        begun = time.perf_counter()
        self.km.interrupt_kernel()
        self.kc.get_shell_msg(timeout=60)
        took = time.perf_counter() - begun
        self.idle(msg_id)
        return took

    def restart(self):
        begun = time.perf_counter()
        self.km.restart_kernel(now=False)
        self.kc.kernel_info()
        self.kc.get_shell_msg(timeout=60)
        took = time.perf_counter() - begun
        self.kc.wait_for_ready()
        return took

    def memory(self):
        p = psutil.Process(self.km.provisioner.pid)
        return sum(q.memory_full_info().pss for q in [p, *p.children(recursive=True)])

    def close(self):
        self.kc.stop_channels()
        self.km.shutdown_kernel()


def measure(name):
    """One round of all figures, times in seconds."""
    k = Kernel(name)
    figures = {"start to kernel_info": k.started, "first completion": k.complete()}
    later = [k.complete() for _ in range(20)]
    figures["later completion"] = statistics.median(later)
    for _ in range(10):
        k.run("trivial")
    cells = sorted(k.run("trivial") for _ in range(300))
    figures["trivial cell, median"] = cells[150]
    figures["trivial cell, 99th percentile"] = cells[297]
    figures["10,000 lines"] = min(k.run("lines") for _ in range(3))
    figures["10 MB of output"] = min(k.run("bulk") for _ in range(3))
    figures["500 queued cells"] = k.queued()
    figures["cell after 5,000 comm_open"] = k.comms()
    figures["interrupt"] = statistics.median(k.interrupt() for _ in range(5))
    figures["restart"] = k.restart()
    try:
        k.run("libraries")
        time.sleep(1)
        figures["memory with libraries"] = k.memory()
    except RuntimeError as e:
        print(f"{name}: {e}", file=sys.stderr)
    k.close()
    if name == "gaucho":  # ipykernel has no answer to such a cell in two minutes
        k = Kernel(name)
        figures["memory of the kernel after large cells"] = k.after_large_cells()
        k.close()
    return figures


def shown(name, value):
    if value is None:
        return "-"
    return f"{value / 1e6:.0f} MB" if name.startswith("memory") else f"{value * 1e3:.2f} ms"


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--rounds", type=int, default=3)
    flags.add_argument("--gaucho", default=os.environ.get("GAUCHO"), help="the binary to measure, instead of one built from this checkout")
    flags.add_argument("--json", action="store_true", help="print the figures as JSON")
    args = flags.parse_args()
    binary = args.gaucho or str(SCRATCH / "gaucho")
    if not args.gaucho:
        subprocess.run(["go", "build", "-o", binary, "."], cwd=ROOT, check=True)
    subprocess.run([binary, "install", "--prefix", SCRATCH], check=True, stdout=subprocess.DEVNULL)
    rounds = {name: [] for name in CELLS}
    for _ in range(args.rounds):
        for name in CELLS:
            rounds[name].append(measure(name))
    best = {name: {f: min(r[f] for r in rs if f in r) for f in rs[0]} for name, rs in rounds.items()}
    if args.json:
        print(json.dumps(best, indent=1))
        return
    print(f"{'':42}{'gaucho':>12}{'ipykernel':>12}")
    for f in best["gaucho"]:
        print(f"{f:42}{shown(f, best['gaucho'][f]):>12}{shown(f, best['python3'].get(f)):>12}")


if __name__ == "__main__":
    try:
        main()
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
