"""%%compile: one compiled cell in an interpreted notebook."""

import os
import shutil
import subprocess

import pytest
from conftest import Kernel, left_out, text


@pytest.fixture(autouse=True, scope="module")
def toolchain():
    if not (shutil.which("go") and (shutil.which("gcc") or shutil.which("clang"))):
        left_out("plugins need a Go toolchain and a C compiler")


HOT = """%%compile
// logistic iterates the logistic map.
func logistic(r, x float64, n int) float64 {
	for range n {
		x = r * x * (1 - x)
	}
	return x
}
func at(xs []float64, i int) float64 {
	return xs[i]
}
func spin() { for { calls++ } }"""


def plain(outputs):
    return [m["content"]["data"]["text/plain"] for m in outputs if m["msg_type"] == "execute_result"]


def test_compile(kernel, installed):
    kernel.run("func slow(r, x float64, n int) float64 { for range n { x = r * x * (1 - x) }; return x }\nxs := []float64{1, 2}\ncalls := 0")
    reply, out = kernel.run(HOT, timeout=900)
    assert reply["status"] == "ok", reply
    said = text(out, "stderr") + text(out)
    assert "Declared again: slow" in said and "Brought back as last saved: calls, xs" in said
    reply, out = kernel.run("logistic(3.9, 0.3, 1000) == slow(3.9, 0.3, 1000)")
    assert plain(out) == ["true"]
    reply, out = kernel.run("%time logistic(3.9, 0.3, 1e7)")
    assert reply["status"] == "ok" and "time" in text(out)

    reply, _ = kernel.run("at(xs, 5)")
    assert reply["status"] == "error" and reply["evalue"] == "index out of range [5] with length 2"
    assert any("line 10, in at" in line for line in reply["traceback"])
    reply, out = kernel.run("%%compile\nfunc bad() int { return \"x\" }")
    assert reply["ename"] == "CompileError" and 'cannot use "x"' in reply["evalue"]

    msg_id = kernel.begin("spin()")
    kernel.km.interrupt_kernel()
    assert kernel.reply(msg_id)["content"]["ename"] == "Interrupt"
    kernel.outputs(msg_id)
    _, out = kernel.run("calls > 0")
    assert plain(out) == ["true"]

    found = kernel.ask("inspect_request", {"code": "logistic", "cursor_pos": 4, "detail_level": 0})
    assert "logistic iterates the logistic map" in found["data"]["text/plain"]
    assert "logistic" in kernel.ask("complete_request", {"code": "logi", "cursor_pos": 4})["matches"]

    # The next session starts in the worker that can do both.
    other = Kernel(installed)
    try:
        other.run("y := 4")
        reply, out = other.run("%%compile\nfunc twice() int { return 2 * y }", timeout=900)
        assert reply["status"] == "ok" and text(out) == text(out, "stderr") == ""
        _, out = other.run("y = 21\ntwice()")
        assert plain(out) == ["42"]
    finally:
        other.close()


def test_first_worker(installed, tmp_path):
    """Where no worker is built yet, the cell says that it builds one before anything else, and an interrupt loses nothing."""
    go = subprocess.run(["go", "env", "GOCACHE", "GOMODCACHE"], check=True, capture_output=True, text=True, timeout=60).stdout.split()
    kernel = Kernel(installed, env={"XDG_CACHE_HOME": str(tmp_path), "GOCACHE": go[0], "GOMODCACHE": go[1]})
    try:
        kernel.run("x := []int{1, 2, 3}\nfunc sum() (s int) { for _, v := range x { s += v }; return }")
        msg_id = kernel.kc.execute("%%compile\nfunc twice(n int) int { return 2 * n }")
        said = ""
        while "Building the worker" not in said:
            said += kernel.published(msg_id, "stream")["content"]["text"]
        kernel.km.interrupt_kernel()
        reply = kernel.reply(msg_id)["content"]
        said += text(kernel.outputs(msg_id))
        assert reply["ename"] == "Interrupt", reply
        assert "takes its place" not in said
        _, out = kernel.run("x = append(x, 4)\nsum()")
        assert plain(out) == ["10"]

        reply, out = kernel.run("%%compile\nfunc twice(n int) int { return 2 * n }", timeout=900)
        assert reply["status"] == "ok", reply
        said = text(out)
        steps = ["Building the worker", "done in", "takes its place", "Declared again: sum", "Brought back as last saved: x"]
        places = [said.find(step) for step in steps]
        assert -1 not in places and places == sorted(places), said
        _, out = kernel.run("twice(sum())")
        assert plain(out) == ["20"]
    finally:
        kernel.close()

