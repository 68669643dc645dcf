"""What a session shows of itself: the debug protocol that fills JupyterLab's variables pane, and the magics that look
inside."""

import pathlib
import re
import shutil

import pytest
from conftest import PATIENCE, wait_for

OUT = pathlib.Path(__file__).resolve().parent / "out"


def debug(kernel, command, **arguments):
    """Sends one request of the debug protocol and returns its answer."""
    content = kernel.ask("debug_request", {"type": "request", "seq": 7, "command": command, "arguments": arguments}, "control")
    assert content["type"] == "response" and content["command"] == command and content["request_seq"] == 7
    return content


def variables(kernel):
    return {v["name"]: v for v in debug(kernel, "inspectVariables")["body"]["variables"]}


def test_debugger_is_announced(kernel):
    info = kernel.ask("kernel_info_request", {})
    assert info["debugger"] is True and "debugger" in info["supported_features"]
    assert kernel.km.kernel_spec.metadata["debugger"] is True
    body = debug(kernel, "debugInfo")["body"]
    assert body["isStarted"] is False and body["breakpoints"] == [] and body["stoppedThreads"] == []
    assert body["hashMethod"] == "Murmur2" and body["richRendering"] is True and body["copyToGlobals"] is False


def test_start_and_stop(kernel):
    assert debug(kernel, "initialize", clientID="test")["success"]
    # JupyterLab may ask between the two, and believes the answer from then on.
    assert debug(kernel, "debugInfo")["body"]["isStarted"] is True
    assert debug(kernel, "attach")["success"]
    assert debug(kernel, "debugInfo")["body"]["isStarted"] is True
    body = debug(kernel, "dumpCell", code="abc")["body"]
    assert body["sourcePath"] == "gaucho-cell-3350977461.go"
    body = debug(kernel, "setBreakpoints", source={"path": body["sourcePath"]}, breakpoints=[{"line": 3}])["body"]
    assert [(b["verified"], b["line"]) for b in body["breakpoints"]] == [(False, 3)]
    assert debug(kernel, "modules")["body"]["modules"] == []
    refused = debug(kernel, "next", threadId=1)
    assert refused["success"] is False and "breakpoints" in refused["message"]
    assert debug(kernel, "disconnect", restart=False, terminateDebuggee=False)["success"]
    assert debug(kernel, "debugInfo")["body"]["isStarted"] is False


def test_variables(kernel):
    kernel.run('type P struct{ X, Y int }\nps := []P{{1, 2}, {3, 4}}\nn := 5\nM := mat.NewDense(2, 2, []float64{1, 2, 3, 4})')
    seen = variables(kernel)
    assert {n: (v["type"], v["value"]) for n, v in seen.items()} == {
        "ps": ("[]P", "[{X: 1, Y: 2} {X: 3, Y: 4}]"), "n": ("int", "5"), "M": ("*mat.Dense", "2×2 [1 2; 3 4]")}
    assert seen["n"]["variablesReference"] == 0
    parts = debug(kernel, "variables", variablesReference=seen["ps"]["variablesReference"])["body"]["variables"]
    assert [p["name"] for p in parts] == ["[0]", "[1]"]
    fields = debug(kernel, "variables", variablesReference=parts[1]["variablesReference"])["body"]["variables"]
    assert [(f["name"], f["value"], f["type"]) for f in fields] == [("X", "3", "int"), ("Y", "4", "int")]
    rich = debug(kernel, "richInspectVariables", variableName="M")["body"]
    assert "text/html" in rich["data"] and "text/plain" in rich["data"]
    assert debug(kernel, "variables", variablesReference=999)["success"] is False
    kernel.run("n = 6")
    assert variables(kernel)["n"]["value"] == "6"


def test_variables_while_a_cell_runs(kernel):
    """Answered at once, with the loop's counter as of a check and, in a cell that blocks, with what was before."""
    kernel.run("n := 0\nkept := 41")
    variables(kernel)
    msg_id = kernel.begin("for { n++ }")
    values = set()

    def three_values():
        seen = variables(kernel)
        assert seen["kept"]["value"].startswith("41")
        values.add(seen["n"]["value"])
        return len(values) >= 3

    wait_for(three_values, "three values of the loop's counter")
    kernel.km.interrupt_kernel()
    assert kernel.reply(msg_id)["content"]["ename"] == "Interrupt"
    kernel.outputs(msg_id)
    msg_id = kernel.begin("time.Sleep(time.Hour)")
    wait_for(lambda: variables(kernel)["kept"]["value"] == "41  (before this cell)", "a variable as before the cell that sleeps")
    kernel.km.interrupt_kernel()
    kernel.reply(msg_id)


def test_data_of_a_worker_that_is_ended(kernel):
    """Two interrupts end a call that looks at nothing; tables, matrices and long slices that the cell does not use are there again."""
    kernel.run("""import "gaucho/stdlib/table"
xs := make([]float64, 2_000_000)
xs[1_999_999] = 0.5
m := mat.NewDense(500, 600, nil)
m.Set(499, 599, 2)
plants := must(table.From(map[string]any{"height": []float64{3, 1}, "plot": []string{"a", "b"}}))
mine := make([]int, 1_000_000)
p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 4423), big.NewInt(1))""")
    msg_id = kernel.begin("mine[0] = 1\np.ProbablyPrime(1_000_000)")
    kernel.km.interrupt_kernel()
    said = ""
    while "Interrupt again" not in said:
        said += kernel.published(msg_id, "stream")["content"]["text"]
    kernel.km.interrupt_kernel()
    assert kernel.reply(msg_id)["content"]["ename"] == "Interrupt"
    said = "".join(m["content"]["text"] for m in kernel.outputs(msg_id) if m["msg_type"] == "stream")
    assert "Brought back as last saved: m, plants, xs\n" in said and "Not saved, declare them again: mine, p\n" in said
    _, out = kernel.run("fmt.Print(len(xs), xs[1_999_999], m.At(499, 599), plants.Strings(\"plot\"), plants.Floats(\"height\"))")
    assert "".join(m["content"]["text"] for m in out if m["msg_type"] == "stream") == "2000000 0.5 2 [a b] [3 1]"


def test_ten_thousand_questions(kernel):
    """JupyterLab asks again at every output."""
    kernel.run("xs := make([]float64, 1e6)")
    ids = []
    for _ in range(10_000):
        ids.append(kernel.send("debug_request", {"type": "request", "seq": 1, "command": "inspectVariables", "arguments": {}}, "control"))
    last = kernel.reply(ids[-1], "control")
    assert last["content"]["body"]["variables"][0]["name"] == "xs"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """JupyterLab, and a page of it."""
    from lab.chromium import launch
    from lab.server import Server
    from playwright.sync_api import sync_playwright

    server = Server(tmp_path_factory.mktemp("inside"))
    server.start()
    try:
        with sync_playwright() as p:
            browser = launch(p)
            yield server, browser
            browser.close()
    finally:
        server.stop()


def follow_a_cell_that_says_nothing(nb):
    nb.append("for { steps++ }")
    nb.start_active()
    values = set()

    def three_values():
        values.update(re.findall(r"steps\n(\d+)", nb.page.locator(".jp-DebuggerVariables").inner_text()))
        return len(values) >= 3

    wait_for(three_values, "three values of what a cell counts")
    nb.page.evaluate("() => window.panel.sessionContext.session.kernel.interrupt()")
    nb.finish()


def test_variables_pane(lab):
    """Switches the debugger of JupyterLab on, and reads and opens what the pane shows."""
    from lab.notebook import Notebook

    server, browser = lab
    OUT.mkdir(exist_ok=True)
    shutil.copy(pathlib.Path(__file__).parent / "lab" / "small.ipynb", server.work / "pane.ipynb")
    page = browser.new_context(viewport={"width": 1500, "height": 900}).new_page()
    page.set_default_timeout(1000 * PATIENCE)
    nb = Notebook(page, server, "pane.ipynb")
    nb.run('type Point struct{ X, Y float64 }\npath := []Point{{1, 2}, {3, 4}}\nsteps := 12\nname := "herding"\nK := mat.NewDense(2, 2, []float64{1, 0.5, 0.5, 1})')
    button = page.locator(".jp-DebuggerBugButton, [data-jp-item-name='debugger-icon'] button, jp-button.jp-DebuggerBugButton").first
    button.wait_for()
    button.click()
    page.wait_for_selector(".jp-DebuggerVariables")
    page.wait_for_function("() => document.querySelector('.jp-DebuggerVariables').innerText.includes('herding')")
    shown = page.locator(".jp-DebuggerVariables").inner_text()
    for want in "path\n[]Point (2)", "steps\n12", 'name\nstring = "herding"', "K\n*mat.Dense (2×2)":
        assert want in shown, shown
    nb.run("steps = 13")
    page.wait_for_function("() => document.querySelector('.jp-DebuggerVariables').innerText.includes('13')")
    follow_a_cell_that_says_nothing(nb)
    item = page.locator(".jp-DebuggerVariables jp-tree-item")
    item.filter(has_text="path").first.locator(".expand-collapse-button").first.click()
    page.wait_for_function("() => document.querySelector('.jp-DebuggerVariables').innerText.includes('[1]')")
    page.screenshot(path=OUT / "variables.png")
    item.filter(has_text="*mat.Dense").first.hover()
    page.locator(".jp-DebuggerVariables-renderVariable").first.click()
    page.wait_for_selector(".jp-VariableRendererPanel .jp-RenderedHTML, .jp-VariableRendererPanel table")
    page.screenshot(path=OUT / "variable.png")
    page.context.close()
