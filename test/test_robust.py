"""A kernel that stays up, keeps its promises to the healthy, and leaves nothing behind."""

import json
import os
import re
import socket
import subprocess
import sys

import psutil
import pytest
import zmq
from conftest import PATIENCE, SCRATCH, Kernel, parent, text, wait_for


def tree(k):
    """The kernel's processes."""
    p = psutil.Process(k.km.provisioner.pid)
    return [p, *p.children(recursive=True)]


def memory(k):
    return sum(p.memory_info().rss for p in tree(k))


def ended(process):
    """Whether a process has ended, also where nobody has taken note of it."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def all_ended(processes):
    wait_for(lambda: all(ended(p) for p in processes), f"the end of {processes}")


def alive(k):
    assert k.run("1 + 1")[0]["status"] == "ok"


def test_missing_and_malformed_connection_files(binary, tmp_path):
    broken = tmp_path / "broken.json"
    for content, word in [(None, "no such file"), ("not JSON", "not a connection file"), ("{}", "shell_port"), ('{"transport": "udp"}', "udp")]:
        broken.unlink(missing_ok=True)
        if content is not None:
            broken.write_text(content)
        p = subprocess.run([binary, "kernel", "-f", broken], capture_output=True, text=True, timeout=PATIENCE)
        assert p.returncode == 1 and word in p.stderr and "broken.json" in p.stderr, p.stderr
        assert "goroutine" not in p.stderr


@pytest.fixture
def logged(installed, tmp_path):
    """A kernel whose standard error goes to its attribute log."""
    with open(tmp_path / "log", "w") as f:
        k = Kernel(installed, stderr=f)
    k.log = tmp_path / "log"
    yield k
    k.close()


def test_garbage_is_dropped(logged):
    kernel = logged
    c = kernel.km.get_connection_info()
    good = kernel.kc.session.serialize(kernel.kc.session.msg("kernel_info_request", {}))
    context = zmq.Context()
    for port in ["shell_port", "control_port", "stdin_port"]:
        s = context.socket(zmq.DEALER)
        s.linger = 1000
        s.connect(f"tcp://{c['ip']}:{c[port]}")
        for frames in [[b""], [b"\xff" * 1000], [b"<IDS|MSG>"], good[:4], [good[0], b"0" * 64, *good[2:]], [good[0], b"", *good[2:]], [bytes(100)] * 5000]:
            s.send_multipart(frames)
        s.close()
    for name in ["shell_port", "iopub_port", "stdin_port", "control_port", "hb_port"]:
        with socket.create_connection((c["ip"], c[name])) as s:
            s.sendall(b"GET / HTTP/1.1\r\n\r\n" + os.urandom(1000))
    context.destroy()
    alive(kernel)
    wait_for(lambda: {"signature", "dropped"} <= set(re.findall(r"\w+", logged.log.read_text())), "words on what was dropped in the log")
    log = logged.log.read_text()
    key = c["key"].decode() if isinstance(c["key"], bytes) else c["key"]
    assert key not in log


@pytest.mark.parametrize(
    "kind, content",
    [
        ("execute_request", {}),
        ("execute_request", {"code": ["a", "list"]}),
        ("complete_request", {"code": "x", "cursor_pos": "here"}),
        ("inspect_request", {}),
        ("history_request", {"hist_access_type": "everything"}),
        ("comm_info_request", {"target_name": {}}),
        ("no_such_request", {}),
    ],
)
def test_odd_requests_get_an_error(shared, kind, content):
    reply = shared.ask(kind, content)
    assert reply["status"] == "error" and reply["ename"] and reply["evalue"]


def test_cell_of_50_megabytes(shared):
    reply, _ = shared.run("// " + "x" * 50_000_000 + "\n1 + 1")
    assert reply["status"] == "ok"


def test_10000_queued_requests_are_answered_in_order(kernel):
    ids = [kernel.kc.execute("1", silent=True) for _ in range(10_000)]
    replies = kernel.replies(ids)
    assert [parent(m) for m in replies] == ids
    assert {m["content"]["status"] for m in replies} == {"ok"}


def test_a_million_lines(installed):
    k = Kernel(installed)
    try:
        alive(k)
        msg_id = k.kc.execute("for i := 0; i < 1_000_000; i++ { fmt.Println(i) }")
        out = k.outputs(msg_id, timeout=600)
        assert text(out) == "".join(f"{i}\n" for i in range(1_000_000))
        k.reply(msg_id)
    finally:
        k.close()


def test_a_client_that_stops_reading_and_one_that_vanishes(installed):
    k = Kernel(installed)
    context = zmq.Context()
    try:
        c = k.km.get_connection_info()
        frozen = context.socket(zmq.SUB)
        frozen.rcvhwm, frozen.linger = 1, 0
        frozen.subscribe(b"")
        frozen.connect(f"tcp://{c['ip']}:{c['iopub_port']}")
        gone = k.client()
        msg_id = gone.kc.execute("for i := 0; i < 300_000; i++ { fmt.Println(i, `and some more text to fill the line`) }")
        k.published(msg_id, "stream")
        gone.stop()
        assert text(k.outputs(msg_id)).endswith("299999 and some more text to fill the line\n")
        alive(k)
    finally:
        context.destroy(linger=0)
        k.close()


def test_output_stays_within_the_limits_of_a_jupyter_server(installed):
    """Counts as jupyter_server does: at most 1,000,000 bytes of streams and 1000 messages a second over 3 seconds. By the
    kernel's clock, since this process may get late what then comes at once."""
    k = Kernel(installed, env={"JPY_SESSION_NAME": "notebook.ipynb"})
    try:
        msg_id = k.kc.execute('line := strings.Repeat("x", 999)\nfor i := 0; i < 5_000; i++ { fmt.Println(line) }')
        out = [m for m in k.outputs(msg_id) if m["msg_type"] == "stream"]
        assert len(text(out)) == 5_000_000
        window = []
        for m in out:
            now = m["header"]["date"].timestamp()
            window = [(at, n) for at, n in window if at > now - 3] + [(now, len(json.dumps(m, default=str)))]
            assert sum(n for _, n in window) <= 3_000_000 and len(window) <= 3000
        k.reply(msg_id)
    finally:
        k.close()


def test_memory_returns_and_nothing_is_left(installed):
    files = set(SCRATCH.rglob("*"))
    k = Kernel(installed)
    for i in range(100):
        k.run(f"cell{i % 10} := {i}")
    before = memory(k)
    for i in range(900):
        k.run(f"cell{i % 10} := {i}")
    assert memory(k) < before + 40e6
    processes = tree(k)
    k.close()
    all_ended(processes)
    assert {f for f in SCRATCH.rglob("*") if "ipython" not in str(f)} <= files | {SCRATCH / "history.jsonl"}


STARTER = """
import os
from jupyter_client.manager import start_new_kernel
km, kc = start_new_kernel(kernel_name="gaucho")
print(km.provisioner.pid, flush=True)
os._exit(0)
"""


def test_the_kernel_ends_with_the_process_that_started_it(installed):
    out = subprocess.run([sys.executable, "-c", STARTER], stdout=subprocess.PIPE, text=True, timeout=PATIENCE, check=True).stdout
    try:
        all_ended([psutil.Process(int(out))])
    except psutil.NoSuchProcess:
        pass  # it has ended already


def test_a_kernel_that_is_killed_leaves_no_process(installed):
    k = Kernel(installed)
    k.begin("for {}")
    processes = tree(k)
    processes[0].kill()
    all_ended(processes)
    k.close()


def test_a_worker_that_dies_does_not_take_the_kernel_along(kernel):
    reply, _ = kernel.run("os.Exit(3)")
    assert reply["status"] == "error"
    alive(kernel)
    for p in tree(kernel)[1:]:
        p.kill()
    kernel.run("1")
    alive(kernel)


def test_runaway_recursion_is_an_error(kernel):
    reply, _ = kernel.run("func deeper(n int) int { return deeper(n+1) + 1 }\ndeeper(0)")
    assert reply["status"] == "error"
    alive(kernel)
