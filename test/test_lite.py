"""Gaucho in JupyterLite: the site of make lite in headless Chromium, from a server of plain files, without a network.

GAUCHO_LITE names the site's folder in place of dist/lite/site. With LITE_ALL=1 the tour and a paper run whole.
"""

import base64
import contextlib
import functools
import http.server
import json
import os
import pathlib
import random
import shutil
import subprocess
import threading
import time

import pytest
from conftest import PATIENCE, left_out
from lab.chromium import launch
from lab.notebook import READY, Notebook
from lab.server import ROOT
from playwright.sync_api import sync_playwright
from test_browser import OUT

SITE = pathlib.Path(os.environ.get("GAUCHO_LITE", ROOT / "dist" / "lite" / "site"))
whole = pytest.mark.skipif(not os.environ.get("LITE_ALL"), reason="LITE_ALL=1 is not set")

# What makes a page isolated, so that its workers may share memory.
ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves plain files. The page is told to show its application object, through which tests drive it, and to draw all cells."""

    def end_headers(self):
        for name, value in self.server.extra.items():
            self.send_header(name, value)
        super().end_headers()

    def do_GET(self):
        if self.path.split("?")[0] != "/jupyter-lite.json":
            return super().do_GET()
        config = json.loads((SITE / "jupyter-lite.json").read_text())
        data = config["jupyter-config-data"]
        data["exposeAppInBrowser"] = True
        data["settingsOverrides"] = {**data.get("settingsOverrides", {}), "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}
        body = json.dumps(config).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def browser():
    if not (SITE / "extensions" / "gaucho-lite").exists():
        left_out(f"there is no site at {SITE}; make lite builds one")
    with sync_playwright() as p:
        browser = launch(p)
        yield browser
        browser.close()


@pytest.fixture(params=[{}, ISOLATED], ids=["plain", "isolated"])
def site(request):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=SITE))
    server.extra, server.daemon_threads = request.param, True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.url, server.isolated = f"http://127.0.0.1:{server.server_address[1]}", bool(request.param)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser):
    OUT.mkdir(exist_ok=True)
    context = browser.new_context(viewport={"width": 1280, "height": 1600})
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    yield page
    context.close()


KERNEL = "window.panel.sessionContext.session.kernel"


def solve(nb):
    """Puts the source's solutions into a lesson of the course, which the site has as students get it."""
    source = json.loads((ROOT / "notebooks" / nb.name).read_text())
    solutions = {}
    for cell in source["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("solution"):
            solutions[marks["grade_id"]] = "".join(cell["source"])
    nb.page.evaluate("""solutions => {
      const cells = window.panel.content.model.cells;
      for (let i = 0; i < cells.length; i++) {
        const cell = cells.get(i);
        const solution = solutions[(cell.getMetadata("nbgrader") || {}).grade_id];
        if (solution) cell.sharedModel.setSource(solution);
      }
    }""", solutions)


class LiteNotebook(Notebook):
    def __init__(self, page, site, path):
        self.page, self.name = page, path
        page.goto(f"{site.url}/lab/index.html?path={path}", wait_until="domcontentloaded")
        page.wait_for_function("() => window.jupyterapp !== undefined")
        page.evaluate(READY, path)

    def interrupt(self):
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:interrupt-kernel')")

    def complete(self, code):
        return self.page.evaluate(f"code => {KERNEL}.requestComplete({{code, cursor_pos: code.length}}).then(r => r.content.matches)", code)

    def inspect(self, code):
        ask = f"code => {KERNEL}.requestInspect({{code, cursor_pos: code.length, detail_level: 0}}).then(r => r.content.data['text/plain'])"
        return self.page.evaluate(ask, code)

    def interrupt_while(self, source, twice):
        """Runs a new cell, interrupts it, again if it says that this is needed, and returns what it showed. While it runs, names are
        completed and documentation is there."""
        self.append(source)
        self.start_active()
        time.sleep(1)
        assert "Repeat" in self.complete("strings.Rep")
        assert "Repeat returns a new string" in self.inspect("strings.Repeat")
        self.interrupt()
        if twice:
            self.page.wait_for_function("() => document.body.innerText.includes('Interrupt again')")
            self.interrupt()
        self.finish()
        return self.text(self.cells()[-1]["outputs"])


UNPACK = """text => {
  const pieces = [], take = zstd((bytes) => pieces.push(bytes));
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  for (let at = 0; at < packed.length; at += 1000) take(packed.subarray(at, at + 1000));
  take(null);
  return pieces.map((p) => btoa(p.reduce((s, b) => s + String.fromCharCode(b), "")));
}"""


@pytest.mark.parametrize("flags", ["-1", "-3", "-9", "-19 --no-check", "--ultra -22 --long=26"])
def test_zstd(browser, flags):
    """What zstd packs, the page's own reader of it unpacks: text, noise, a single byte many times, and what came long before."""
    if not shutil.which("zstd"):
        left_out("there is no command zstd")
    text = b"".join(f.read_bytes() for f in sorted((ROOT / "interp" / "lower").glob("*.go")))
    noise = random.Random(1).randbytes(300_000)
    page = browser.new_page()
    page.add_script_tag(path=ROOT / "install" / "lite" / "extension" / "zstd.js")
    for data in [b"", b"x", text, noise, bytes(300_000), text + noise + bytes(300_000) + text + noise]:
        packed = subprocess.run(["zstd", "--quiet", "--stdout", *flags.split()], input=data, stdout=subprocess.PIPE, check=True).stdout
        pieces = page.evaluate(UNPACK, base64.b64encode(packed).decode())
        assert b"".join(base64.b64decode(p) for p in pieces) == data
    page.close()


# Starts a kernel on a page without JupyterLab, from the directory of the extension's files, and returns what 6 * 7 is to it.
ANSWER = """async base => {
  const { Kernel } = await import(base + "kernel.js");
  let shown;
  const done = new Promise((resolve) => { shown = resolve; });
  const sendMessage = ({ header, content }) => { if (header.msg_type === "execute_result") shown(content.data["text/plain"]); };
  const kernel = new Kernel({ id: "1", name: "gaucho", location: "", sendMessage }, {});
  await kernel.ready;
  const header = { msg_id: "1", msg_type: "execute_request", session: "1", username: "", version: "5.4", date: "" };
  await kernel.handleMessage({ channel: "shell", header, parent_header: {}, metadata: {}, content: { code: "6 * 7" }, buffers: [] });
  const answer = await done;
  kernel.dispose();
  return answer;
}"""

# Waits until the browser keeps the program, and returns the addresses of all that it keeps.
KEPT = """async address => {
  const cache = await caches.open("gaucho");
  for (const start = Date.now(); Date.now() - start < 120e3;) {
    const kept = await cache.match(address);
    if (kept && (await kept.blob()).size > 1e6) return (await cache.keys()).map((request) => request.url).sort();
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the browser does not keep the program after 120 s");
}"""

KEEP = "async addresses => { for (const a of addresses) await (await caches.open('gaucho')).put(a, new Response('no program')); }"


class Visit:
    """A visit to a page of the site: the kernel's answer, and how often the program was fetched for it."""

    def __init__(self, context, url):
        page = context.new_page()
        page.goto(url + "/extensions/gaucho-lite/package.json")
        [edition] = (SITE / "extensions" / "gaucho-lite" / "static").iterdir()
        self.page, self.base = page, f"{url}/extensions/gaucho-lite/static/{edition.name}/"
        self.program = self.base + "gaucho.wasm.zst"

    def answer(self):
        fetched = []
        self.page.context.on("request", lambda request: fetched.append(request.url))
        answer = self.page.evaluate(ANSWER, self.base)
        return answer, fetched.count(self.program)


@pytest.mark.parametrize("site", [{}], indirect=True, ids=["plain"])
def test_the_program_is_kept(browser, site):
    """It is unpacked once; a release takes the place of the one before it; what is no program is not taken for one."""
    context = browser.new_context()
    first = Visit(context, site.url)
    before, elsewhere = site.url + "/extensions/gaucho-lite/static/before/gaucho.wasm.zst", site.url + "/another/site/gaucho.wasm.zst"
    first.page.evaluate(KEEP, [before, elsewhere])
    assert first.answer() == ("42", 1)
    assert first.page.evaluate(KEPT, first.program) == sorted([elsewhere, first.program])
    first.page.close()
    assert Visit(context, site.url).answer() == ("42", 0)
    broken = Visit(context, site.url)
    broken.page.evaluate(KEEP, [broken.program])
    assert broken.answer() == ("42", 1)
    broken.page.evaluate(KEPT, broken.program)
    context.close()


@pytest.mark.parametrize("site", [{}], indirect=True, ids=["plain"])
@pytest.mark.parametrize("why", ["no room", "no https"])
def test_a_browser_that_keeps_nothing(browser, site, why):
    """The program is unpacked each time. Without https, browsers lack more than room: what pages may use is less."""
    context = browser.new_context()
    visit = Visit(context, site.url if why == "no room" else site.url.replace("127.0.0.1", "0.0.0.0"))
    assert visit.page.evaluate("() => isSecureContext") == (why == "no room")
    if why == "no room":
        context.new_cdp_session(visit.page).send("Storage.overrideQuotaForOrigin", {"origin": site.url, "quotaSize": 1e6})
    with contextlib.ExitStack() as words:
        if why == "no room":
            said = "the next visit will unpack the program again"
            words.enter_context(visit.page.expect_console_message(lambda message: said in message.text, timeout=1000 * PATIENCE))
        assert visit.answer() == ("42", 1)
    assert visit.answer()[0] == "42"  # by the program that this page has
    context.close()


INTERACT = """widgets.Interact(func(n int) any {
    return fmt.Sprint("twice is ", 2*n)
}, widgets.Range(0, 10))"""


def test_a_lesson(page, site):
    """A lesson runs, its data are read, a slider moves, a loop is interrupted, and what was lost comes back."""
    nb = LiteNotebook(page, site, "course/1-first-steps.ipynb")
    assert page.evaluate("() => crossOriginIsolated") == site.isolated
    assert not any(word in nb.page.evaluate("() => JSON.stringify(window.panel.content.model.toJSON())") for word in ["SOLUTION", "HIDDEN"])
    solve(nb)
    nb.run_all(4 * PATIENCE)
    assert nb.errors() == []
    assert nb.text(nb.run("name")) == '"world"'

    name = sorted(p.name for p in (SITE / "files" / "course" / "data").iterdir())[0]
    want = len((SITE / "files" / "course" / "data" / name).read_bytes())
    assert nb.text(nb.run(f'text, _ := os.ReadFile("data/{name}"); len(text)')) == str(want)
    nb.run('os.WriteFile("mine.txt", []byte("written by a cell"), 0o644)')
    model = page.evaluate("() => window.jupyterapp.serviceManager.contents.get('course/mine.txt', {content: true})")
    assert model["content"] == "written by a cell"

    [error] = nb.run("nothing + 1")
    assert error["evalue"] == "undefined: nothing" and "line 1, column 1" in error["traceback"][0]
    [error] = nb.run("!ls")
    assert "shell" in error["evalue"]
    [error] = nb.run('import "example.com/nothing/here"')
    assert error["evalue"] == "package example.com/nothing/here cannot be had: a browser has no go command that could fetch it"
    assert "Connection refused" in nb.text(nb.run('_, err := net.Dial("tcp", "127.0.0.1:80"); fmt.Println(err)'))
    assert "not found" in nb.text(nb.run('fmt.Println(exec.Command("ls").Run())'))

    outputs = nb.run("p := plot.New()\np.Add(plotter.NewGrid())\np")
    assert "image/svg+xml" in outputs[-1]["data"] or "image/png" in outputs[-1]["data"]

    nb.run(INTERACT)
    handle = page.locator(".widget-slider .noUi-handle").last
    handle.focus()
    before = int(page.locator(".widget-slider .widget-readout").last.inner_text())
    page.keyboard.press("ArrowRight")
    page.wait_for_function("text => document.body.innerText.includes(text)", arg=f"twice is {2 * before + 2}")
    page.screenshot(path=OUT / f"lite-{'isolated' if site.isolated else 'plain'}.png")

    shown = nb.interrupt_while("count := 0\nfor { count++ }", twice=not site.isolated)
    if site.isolated:
        assert shown == "Interrupt: the cell was interrupted"
    else:
        assert "Interrupt: the cell did not stop" in shown
        nb.run("%replay")
    assert nb.text(nb.run("name")) == '"world"'


@whole
@pytest.mark.parametrize("path", ["tour.ipynb", "papers/kernel-herding.ipynb"])
@pytest.mark.parametrize("site", [ISOLATED], indirect=True, ids=["isolated"])
def test_whole(page, site, path):
    nb = LiteNotebook(page, site, path)
    nb.run_all(1800)
    expected = [c for c in nb.code_cells() if "raises-exception" in c["metadata"].get("tags", [])]
    assert len(nb.errors()) == len([c for c in expected if any(o["output_type"] == "error" for o in c["outputs"])])
    page.screenshot(path=OUT / f"lite-{pathlib.Path(path).stem}.png")


STUDY = """ran := 0
coins := &study.Study{
    Name: "coins", Points: study.Grid(study.Values("n", 10, 20)), Replications: 3, Seed: 1,
    Replicate: func(_ context.Context, at study.Point, rng *rand.Rand) (study.Record, error) {
        ran++
        heads := 0
        for range at.Int("n") {
            heads += rng.IntN(2)
        }
        return study.Record{"heads": heads}, nil
    },
}
heads := func(r *study.Results) (sum float64) {
    for _, at := range coins.Points {
        for _, n := range must(r.Floats(at, "heads")) {
            sum += n
        }
    }
    return sum
}"""


@whole
@pytest.mark.parametrize("site", [{}, ISOLATED], indirect=True, ids=["plain", "isolated"])
def test_whole_session(page, site):
    """A cell asks its reader, a bar moves while a cell works, a study goes on after a restart from the menu."""
    nb = LiteNotebook(page, site, "course/1-first-steps.ipynb")
    nb.append('var who string\nfmt.Scan(&who)\nfmt.Println("hello,", who)')
    nb.start_active()
    page.locator("input.jp-Stdin-input").press_sequentially("Emmy")
    page.keyboard.press("Enter")
    nb.finish()
    assert nb.text(nb.cells()[-1]["outputs"]).endswith("hello, Emmy\n")

    nb.append("""bar := display.NewProgress(2, "halves")
time.Sleep(200 * time.Millisecond)
bar.Add(1)
for {
    if _, err := os.Stat("gate.txt"); err == nil {
        break
    }
    time.Sleep(10 * time.Millisecond)
}
bar.Add(1)
bar.Done()""")
    nb.start_active()
    page.wait_for_function("() => document.querySelector('.jp-Notebook').innerText.includes('1/2')")
    page.screenshot(path=OUT / "lite-progress.png")
    page.evaluate("() => window.jupyterapp.serviceManager.contents.save('course/gate.txt', {type: 'file', format: 'text', content: ''})")
    nb.finish()
    page.wait_for_function("() => document.querySelector('.jp-Notebook').innerText.includes('2/2')")

    nb.run(STUDY)
    total = 41  # as outside the browser
    assert nb.text(nb.run("inMemory := must(coins.Run(ctx, nil))\nfmt.Println(inMemory.Len(), ran, heads(inMemory))")[-1:]) == f"6 6 {total}\n"
    kept = 'kept := must(coins.Run(ctx, &study.Settings{Dir: "records"}))\nfmt.Println(kept.Len(), ran, heads(kept))'
    assert nb.text(nb.run(kept)[-1:]) == f"6 12 {total}\n"

    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_text("Restart Kernel…", exact=True).click()
    page.locator(".jp-Dialog").get_by_role("button", name="Confirm Kernel Restart").click()
    page.locator(".jp-Dialog").wait_for(state="detached")
    [error] = nb.run("who")
    assert error["evalue"] == "undefined: who"
    nb.run(STUDY)
    assert nb.text(nb.run(kept)[-1:]) == f"6 0 {total}\n"
