"""What goes wrong around a kernel, and not in it: the session goes on, or says what to do."""

import contextlib
import json
import os
import shutil
import subprocess
import time
import uuid

import psutil
import pytest
from conftest import PATIENCE, SCRATCH, Kernel, left_out, text, wait_for
from lab.server import serve, stop
from test_robust import all_ended, alive
from test_server import TOKEN, Notebook, notebook, server  # noqa: F401: fixtures

# What the tests set for other kernels; these ones find everything by themselves.
OWN = ["env", "-u", "GAUCHO_HISTORY", "-u", "XDG_CACHE_HOME", "-u", "XDG_STATE_HOME", "-u", "GAUCHO_ENGINE"]


@pytest.fixture
def start(installed, binary):
    """Starts kernels by commands that put something before gaucho's own."""

    def begin(*before, program=binary):
        name = f"odd{time.monotonic_ns()}"
        folder = SCRATCH / "prefix" / "share" / "jupyter" / "kernels" / name
        folder.mkdir()
        argv = [*OWN, *map(str, before), str(program), "kernel", "-f", "{connection_file}"]
        (folder / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": name, "language": "go", "interrupt_mode": "message"}))
        log = logs.enter_context(open(folder / "log", "w"))
        k = Kernel(name, stderr=log)
        logs.callback(k.close)
        k.log = folder / "log"
        return k

    with contextlib.ExitStack() as logs:
        yield begin


@pytest.fixture
def mounts():
    """A command that runs another one with file systems of its own: its first argument is a shell's script that mounts them."""
    if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, timeout=PATIENCE).returncode:
        left_out("this system lets nobody mount file systems of their own")
    return lambda script: ["unshare", "-rm", "sh", "-c", script + ' && exec "$@"', "sh"]


def full(folder):
    """A script that puts a disk there on which there is no space left."""
    return f"mount -t tmpfs -o size=64k none '{folder}' && {{ head -c 1M /dev/zero >'{folder}/all' 2>/dev/null || true; }}"


def native(out):
    """Whether a session's first cell says nothing of an engine that is not the native one."""
    return "Note: " not in text(out)


def shown(out):
    return next(m["content"]["data"]["text/plain"] for m in out if m["msg_type"] == "execute_result")


@pytest.mark.parametrize("home", ["none", "a file", "missing", "read-only", "full"])
def test_home(start, mounts, tmp_path, home):
    """Whatever is wrong with the home directory, cells are compiled, and the session has its history."""
    there = tmp_path / "home"
    temporary = tmp_path / "tmp"
    there.mkdir()
    temporary.mkdir()
    before = {
        "none": ["env", "-u", "HOME"],
        "a file": ["env", "HOME=/dev/null"],
        "missing": ["env", "HOME=/proc/nobody"],  # where nothing can be made, whoever asks
        "read-only": [*mounts(f"mount -t tmpfs -o ro none '{there}'"), "env", f"HOME={there}"],
        "full": [*mounts(full(there)), "env", f"HOME={there}"],
    }[home]
    k = start("env", f"TMPDIR={temporary}", *before)
    reply, out = k.run("double := func(n int) int { return 2 * n }\ndouble(21)")
    assert reply["status"] == "ok" and shown(out) == "42" and native(out), text(out)
    kept = k.ask("history_request", {"hist_access_type": "tail", "n": 1, "raw": True, "output": False})["history"]
    assert [line[2] for line in kept] == ["double := func(n int) int { return 2 * n }\ndouble(21)"]


def test_all_disks_are_full(start, mounts, tmp_path):
    k = start(*mounts(full(tmp_path)), "env", f"HOME={tmp_path}", f"TMPDIR={tmp_path}")
    reply, out = k.run("6 * 7")
    assert reply["status"] == "ok" and shown(out) == "42"
    assert "no space left on device" in text(out) or "the disk is full" in text(out)
    assert "this session interprets its cells, which is slower" in text(out)
    assert "Note" not in text(k.run("1")[1])  # it is said once


def test_a_bad_moment_is_not_remembered(start, tmp_path):
    """A native engine that could not be tried is tried again."""
    place = ["env", f"XDG_CACHE_HOME={tmp_path}"]
    _, out = start(*place, "env", "TMPDIR=/proc/nowhere").run("1")
    assert "there is no directory for compiled cells" in text(out)
    assert native(start(*place).run("1")[1])


def test_caches_are_emptied_while_a_session_runs(start, tmp_path):
    cache, temporary = tmp_path / "cache", tmp_path / "tmp"
    temporary.mkdir()
    k = start("env", f"XDG_CACHE_HOME={cache}", f"TMPDIR={temporary}")
    assert native(k.run("x := 6\nfunc times(n int) int { return n * x }")[1])
    shutil.rmtree(cache)
    reply, out = k.run("strconv.Itoa(times(7))")
    assert reply["status"] == "ok" and shown(out) == '"42"'
    for cells in temporary.glob("gaucho-cells-*"):
        shutil.rmtree(cells)
    reply, _ = k.run("times(8)")
    assert reply["status"] == "error" and "restart the kernel" in reply["evalue"]
    k.restart()
    alive(k)


def test_path_with_spaces_and_umlauts(start, binary, tmp_path):
    place = tmp_path / "Übungen für Go (2)"
    for name in ["Heim", "tmp => x", "Blätter"]:
        (place / name).mkdir(parents=True)
    program = place / "gäucho"
    shutil.copy(binary, program)
    k = start("env", "-C", place / "Blätter", f"HOME={place}/Heim", f"TMPDIR={place}/tmp => x", program=program)
    reply, out = k.run('os.WriteFile("Meßwerte.csv", []byte("größe\\n1\\n"), 0o600)\nwd, _ := os.Getwd()\nfilepath.Base(wd)')
    assert reply["status"] == "ok" and shown(out) == '"Blätter"' and native(out)
    assert (place / "Blätter" / "Meßwerte.csv").read_text(encoding="utf-8") == "größe\n1\n"
    assert (place / "Heim" / ".local" / "state" / "gaucho" / "history.jsonl").exists()
    reply, _ = k.run("undefinedName")
    assert reply["ename"] == "CompileError"


def test_locale_that_is_not_utf_8(start):
    k = start("env", "LC_ALL=de_DE.ISO-8859-1", "LANG=de_DE.ISO-8859-1")
    reply, out = k.run('größe := "Maß → ∑"\nfmt.Println(größe)\n!printf "%s" "$LC_ALL: ü"')
    assert reply["status"] == "ok" and text(out) == "Maß → ∑\nde_DE.ISO-8859-1: ü"
    _, out = k.run("!printf 'gr\\374n\\n'")  # a program of this locale writes a letter that is no UTF-8
    assert text(out) == "gr\ufffdn\n"


def test_memory_limit_of_a_hub(start):
    """JupyterHub says what a user's server may use, and the kernel keeps to it before the server is killed."""
    k = start("env", f"MEM_LIMIT={512 << 20}")
    k.run("x := 1")
    reply, _ = k.run("var all [][]byte\nfor { b := make([]byte, 1<<20); for i := 0; i < len(b); i += 4096 { b[i] = 1 }; all = append(all, b) }")
    assert reply["ename"] == "out of memory"
    assert "memory limit of 410 MB" in reply["evalue"] and "80% of the 512 MB that this server may use by MEM_LIMIT" in reply["evalue"]
    assert "%replay" in "\n".join(reply["traceback"])
    alive(k)
    k.run("%replay")
    assert shown(k.run("x")[1]) == "1"


def test_kernels_share_a_history(start, tmp_path):
    """Cells of two kernels at once: each is there, once, in its session and its order."""
    home = ["env", f"HOME={tmp_path}"]
    kernels = [start(*home), start(*home)]
    for k in kernels:
        k.run("0")
    ids = [[k.kc.execute(f'"{name}{i}"') for i in range(100)] for k, name in zip(kernels, "ab")]
    for k, sent in zip(kernels, ids):
        k.replies(sent)
    wait_for(lambda: (tmp_path / ".local/state/gaucho/history.jsonl").read_text().count('"in"') == 202, "202 cells in the history")
    kept = start(*home).ask("history_request", {"hist_access_type": "search", "pattern": '"*"', "n": 1000, "raw": True, "output": False})["history"]
    for name in "ab":
        session = {s for s, _, code in kept if name in code}
        assert len(session) == 1
        assert [code for s, _, code in kept if {s} == session] == [f'"{name}{i}"' for i in range(100)]


def test_history_on_a_disk_that_fills_up(start, mounts, tmp_path):
    """No cell is lost: what the file does not take is kept, and written when there is space again."""
    home = tmp_path / "home"
    home.mkdir()
    k = start(*mounts(f"mount -t tmpfs -o size=64k none '{home}'"), "env", f"HOME={home}")
    cells = ["first := 1", f'// {"x" * 80_000}', "third := 3"]
    for code in cells:
        assert k.run(code)[0]["status"] == "ok"
    ask = {"hist_access_type": "tail", "n": 10, "raw": True, "output": False}
    assert [line[2] for line in k.ask("history_request", ask)["history"]] == cells
    wait_for(lambda: "history is kept in memory until it can be written" in k.log.read_text(), "a word on the history in the log")
    larger = f"!mount -o remount,size=1m {home}"
    assert k.run(larger)[0]["status"] == "ok"
    k.run("fourth := 4")
    _, out = k.run("!cat $HOME/.local/state/gaucho/history.jsonl")
    kept = [line["in"] for line in map(json.loads, filter(None, text(out).split("\n"))) if "in" in line]
    assert kept[:5] == [*cells, larger, "fourth := 4"]


def test_server_ends_and_begins_while_a_cell_runs(installed, tmp_path):
    """Whether the server is stopped or killed, no process of its kernels outlives it, and the next server's notebook works."""
    env = {k: v for k, v in os.environ.items() if k != "JPY_SESSION_NAME"}
    flags = [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={tmp_path}"]
    for end in [stop, lambda process: (process.kill(), process.wait(PATIENCE))]:
        process, address = serve("jupyter_server", flags, env, tmp_path / "server.log")
        try:
            n = Notebook(address)
            n.begin(f'os.WriteFile("{tmp_path}/kept", []byte("so far"), 0o600)\nfor {{}}')
            kernels = psutil.Process(process.pid).children(recursive=True)
            assert kernels
            end(process)
            all_ended(kernels)
            n.ws.close()
        finally:
            if process.poll() is None:
                process.kill()
        assert (tmp_path / "kept").read_text() == "so far"
    process, address = serve("jupyter_server", flags, env, tmp_path / "server.log")
    try:
        n = Notebook(address)
        assert n.run("6 * 7")[0]["status"] == "ok"
        n.close()
    finally:
        stop(process)


def test_connection_breaks_while_a_cell_runs(notebook, gate):  # noqa: F811
    """The server keeps what a cell prints for the page that comes back, as a laptop does that slept."""
    msg_id = notebook.begin(f'{gate.wait}\nfor i := range 100 {{ fmt.Println("line", i) }}')
    notebook.ws.close()
    gate.open()
    wait_for(lambda: notebook.state() == "idle", "the end of the cell")
    notebook.connect()
    lines = ""
    while "line 99\n" not in lines:
        m = notebook.receive("the rest of the output", lambda m: m["parent_header"].get("msg_id") == msg_id and m["msg_type"] == "stream")
        lines += m["content"]["text"]
    assert lines == "".join(f"line {i}\n" for i in range(100))


def test_a_page_is_closed_and_another_one_opened(notebook, gate):  # noqa: F811
    """The cells go on, and the new page finds their values, what they showed last, and what %%capture took."""
    notebook.begin(f'{gate.wait}\nkept := 42\n"the result"')
    notebook.send("execute_request", {"code": '%%capture printed\nfmt.Println("a line")'})
    notebook.ws.close()
    notebook.session = uuid.uuid4().hex
    notebook.channels = notebook.channels.split("session_id=")[0] + f"session_id={notebook.session}"
    notebook.connect()
    gate.open()
    wait_for(lambda: notebook.state() == "idle", "the end of the cells")
    for code, value in [("kept", "42"), ("Out[1]", '"the result"'), ("printed", r'"a line\n"')]:
        reply, out = notebook.run(code)
        assert reply["status"] == "ok" and out[-1]["content"]["data"]["text/plain"] == value
