"""Gaucho beside ipykernel, both driven by jupyter_client in the same run on the same machine.

    python3 bench/kernel/bench.py [--rounds N] [--gaucho BINARY]

Every figure is measured from the client's side, as medians of many or the least of three in each round. Memory is that of the
kernel and what it started after gonum's mat and a plot, or NumPy and a plot, are imported. Private pages are those that one
process has alone. Resident ones count the program's file in each of its processes; Linux maps up to 2 MB of a file where a byte
is read, so 85 to 151 MiB were seen of one program, by how the system held its file. After a cell of 200 MB and three of 50 MB
the kernel's own process is looked at five seconds later; ipykernel has no answer to such a cell in two minutes. Of the time to
the answer of kernel_info, 100 ms are the client's: it connects before a kernel can listen, and ZeroMQ waits as long before it tries
again.
"""

import os
import pathlib
import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import sides
from record import ROOT, Record, versions

sides.inside(FOLDER)

import psutil  # noqa: E402

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
        # What is published is dropped where nobody reads it, as here meanwhile: the cell's end may be, too.
        try:
            while True:
                self.kc.get_iopub_msg(timeout=1)
        except queue.Empty:
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
        """Bytes of the processes together: in pages that only one of them has, and in all that are resident, where pages of files that
        several have count several times."""
        p = psutil.Process(self.km.provisioner.pid)
        used = [q.memory_full_info() for q in [p, *p.children(recursive=True)]]
        return sum(u.uss for u in used), sum(u.rss for u in used)

    def close(self):
        self.kc.stop_channels()
        self.km.shutdown_kernel()


def measure(name):
    """One round of all figures, times in seconds."""
    k = Kernel(name)
    figures = {"start": k.started, "first completion": k.complete()}
    figures["later completion"] = statistics.median(k.complete() for _ in range(20))
    for _ in range(10):
        k.run("trivial")
    cells = sorted(k.run("trivial") for _ in range(300))
    figures["trivial"], figures["trivial, 99th"] = cells[150], cells[297]
    figures["lines"] = min(k.run("lines") for _ in range(3))
    figures["bulk"] = min(k.run("bulk") for _ in range(3))
    figures["queued"] = k.queued()
    figures["comms"] = k.comms()
    figures["interrupt"] = statistics.median(k.interrupt() for _ in range(5))
    figures["restart"] = k.restart()
    k.run("libraries")
    time.sleep(1)
    figures["private"], figures["resident"] = k.memory()
    k.close()
    if name == "gaucho":
        k = Kernel(name)
        figures["large"] = k.after_large_cells()
        k.close()
    return figures


# What is measured, as the page has it, and its goal.
ROWS = {
    "start": ("start to the answer of kernel_info", {}),
    "first completion": ("first completion", {}),
    "later completion": ("later completion", {}),
    "trivial": ("trivial cell, median", {}),
    "trivial, 99th": ("trivial cell, 99th percentile", {}),
    "lines": ("10,000 lines printed in a cell", {"most": 0.030}),
    "bulk": ("10 MB of output in a cell", {"most": 0.100}),
    "queued": ("500 queued cells", {}),
    "comms": ("cell after 5,000 comm_open", {"most": 0.5}),
    "interrupt": ("interrupt", {}),
    "restart": ("restart", {}),
    "private": ("memory with libraries, private pages", {"unit": "B", "most": 50 * 2**20}),
    "resident": ("memory with libraries, resident", {"unit": "B", "most": 50 * 2**20}),
    "large": ("memory of the kernel after large cells", {"unit": "B", "most": 100e6}),
}


def main():
    flags = sides.flags(__doc__)
    flags.add_argument("--gaucho", default=os.environ.get("GAUCHO"), help="the binary to measure, instead of one built from this checkout")
    args = flags.parse_args()
    binary = args.gaucho or str(SCRATCH / "gaucho")
    if not args.gaucho:
        subprocess.run(["go", "build", "-o", binary, "."], cwd=ROOT, check=True)
    subprocess.run([binary, "install", "--prefix", SCRATCH], check=True, stdout=subprocess.DEVNULL)
    record = Record(FOLDER, __doc__, versions(sys.executable, FOLDER / "requirements.txt"))
    rounds = {name: [] for name in CELLS}
    for _ in range(args.rounds):
        for name in CELLS:
            rounds[name].append(measure(name))
    for figure, (title, goal) in ROWS.items():
        own, other = ([r[figure] for r in rs if figure in r] for rs in rounds.values())
        record.row(title, own, "ipykernel" if other else "", other, **goal)
    record.close(args.record)


if __name__ == "__main__":
    try:
        main()
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
