"""JupyterLab in headless Chromium: a person's view of the kernel.

Screenshots are left under test/out to be looked at.
"""

import os
import pathlib
import shutil
import subprocess

import nbformat
import pytest
from conftest import PATIENCE, left_out
from lab.contrast import CONTRAST
from lab.notebook import Notebook
from lab.server import ROOT, Server
from playwright.sync_api import sync_playwright

GAUCHO = os.environ.get("GAUCHO", str(ROOT / "gaucho"))
OUT = pathlib.Path(__file__).resolve().parent / "out"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("lab"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM:
        left_out("no Chromium was found; set CHROMIUM to its path")
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    OUT.mkdir(exist_ok=True)
    context = browser.new_context(viewport={"width": 1280, "height": 1600})
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    yield page
    context.close()


def open_copy(page, server, source, change=None, name=None):
    """Opens a copy of a notebook file. A name of its own gives it a kernel of its own."""
    copy = server.work / (name or source.name)
    shutil.copy(source, copy)
    if change:
        change(copy)
    return Notebook(page, server, str(copy.relative_to(server.work)))


def small_size(path):
    """Sets the parameter of the notebook in the file that says how long it runs, where it has one."""
    path.write_text(path.read_text().replace('size := \\"default\\"', 'size := \\"small\\"'))


def papers():
    return sorted((ROOT / "notebooks" / "papers").glob("*.ipynb"))


def shipped():
    return sorted((ROOT / "notebooks").rglob("*.ipynb"))


# What a person would see to be wrong in the page, cell by cell: formulas that MathJax refuses or that are not set at all, and
# outputs that are wider than their place. Cells out of sight are not drawn, so each is scrolled to.
WRONG = """
async () => {
  const content = window.panel.content, wrong = [];
  for (let i = 0; i < content.widgets.length; i++) {
    await content.scrollToItem(i, 'smart');
    const node = content.widgets[i].node;
    for (const start = Date.now();;) {
      const unset = [...node.querySelectorAll('.jp-RenderedMarkdown, .jp-RenderedLatex')]
        .some(m => !m.closest('.jp-mod-hidden') && /\\$[^$\\s][^$]*\\$/.test(m.innerText));
      if (!unset) break;
      if (Date.now() - start > 60e3) {
        wrong.push(`cell ${i}: a formula is not set after 60 s`);
        break;
      }
      await new Promise(done => setTimeout(done, 100));
    }
    if (node.querySelector('mjx-merror, .MathJax_Error')) wrong.push(`cell ${i}: MathJax refuses a formula`);
    for (const out of node.querySelectorAll('.jp-OutputArea-output')) {
      if (out.scrollWidth > out.clientWidth + 2) wrong.push(`cell ${i}: an output is ${out.scrollWidth} wide, in ${out.clientWidth}`);
    }
    for (const img of node.querySelectorAll('.jp-OutputArea-output img')) {
      if (!img.complete || img.naturalWidth === 0 && img.style.display !== 'none') wrong.push(`cell ${i}: a picture is broken`);
    }
  }
  return wrong;
}
"""


@pytest.mark.parametrize("path", shipped(), ids=lambda p: p.stem)
def test_notebook(page, server, path):
    """Opens a notebook, runs all cells, finds its figures in the page and nothing that looks wrong."""
    copies = server.work / "notebooks"
    if not copies.exists():
        shutil.copytree(ROOT / "notebooks", copies)
    nb = open_copy(page, server, path, small_size, str(pathlib.Path("notebooks") / path.relative_to(ROOT / "notebooks")))
    nb.run_all(seconds=900)
    page.screenshot(path=OUT / f"{path.stem}-top.png")
    expected = ["raises-exception" in c["metadata"].get("tags", []) for c in nb.code_cells()]
    failed = [any(o["output_type"] == "error" for o in c["outputs"]) for c in nb.code_cells()]
    assert failed == expected, nb.errors()
    counts = [c["execution_count"] for c in nb.code_cells()]
    assert counts == list(range(1, len(counts) + 1))
    figures = [o for c in nb.code_cells() for o in c["outputs"] if "image/png" in o.get("data", {})]
    assert figures, "no cell shows a figure"
    assert page.evaluate(WRONG) == []
    shown = [size for size in nb.images() if size[0] > 200 and size[1] > 100]
    assert shown, f"{len(figures)} figures, shown in the page: {nb.images()}"
    page.locator(".jp-OutputArea-output img").last.scroll_into_view_if_needed()
    page.screenshot(path=OUT / f"{path.stem}-figure.png")


@pytest.fixture
def small(page, server, request):
    return open_copy(page, server, pathlib.Path(__file__).parent / "lab" / "small.ipynb", name=request.node.name + ".ipynb")


def test_figure(page, small):
    small.run_all()
    assert small.errors() == []
    assert small.text(small.code_cells()[0]["outputs"]) == "hello, notebook\n"
    assert any(w > 200 and h > 100 for w, h in small.images()), small.images()
    page.screenshot(path=OUT / "small.png")


@pytest.fixture
def failing(page, server, gate, request):
    """A notebook whose first cell fails when the gate opens, with the tags that are the parameter, and whose others take a while."""
    cells = [nbformat.v4.new_code_cell(gate.wait + '\npanic("first")', metadata={"tags": request.param})]
    cells += [nbformat.v4.new_code_cell("time.Sleep(200 * time.Millisecond)") for _ in range(10)]
    nb = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "gaucho", "display_name": "Gaucho (Go)"}})
    nbformat.write(nb, server.work / f"{request.node.name}.ipynb")
    return Notebook(page, server, f"{request.node.name}.ipynb")


@pytest.mark.parametrize("failing, counts", [([], [1] + [None] * 10), (["raises-exception"], list(range(1, 12)))], indirect=["failing"],
                         ids=["unexpected", "expected"])
def test_cells_after_an_error(page, failing, gate, counts):
    """After an error no cell runs, and none gets a number; after one that is expected all do, and the tests wait for them."""
    failing.start("notebook:run-all-cells")
    page.evaluate("async () => { await window.panel.sessionContext.session.kernel.requestKernelInfo(); }")  # all cells have arrived
    gate.open()
    failing.finish()
    assert [c["execution_count"] for c in failing.cells()] == counts


def test_error(page, small):
    outputs = small.run('xs := []int{1, 2, 3}\ni := 5\nxs[i]')
    assert outputs[0]["output_type"] == "error"
    assert "index out of range [5] with length 3" in outputs[0]["evalue"]
    page.screenshot(path=OUT / "error.png")
    outputs = small.run("undefinedName + 1")
    assert outputs[-1]["ename"] == "CompileError"
    page.screenshot(path=OUT / "compile-error.png")
    assert small.text(small.run("len(xs)")) == "3"


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_way_of_an_error(page, small, theme):
    """Under an error stands the way that it took: source on hovering and on a click, libraries as links."""
    page.evaluate("async theme => { await window.jupyterapp.commands.execute('apputils:change-theme', {theme}); }", f"JupyterLab {theme}")
    small.run("func product(a, b *mat.Dense) *mat.Dense {\n\tvar c mat.Dense\n\tc.Mul(a, b)\n\treturn &c\n}")
    outputs = small.run("x := mat.NewDense(2, 3, nil)\nproduct(x, x)")
    assert [o["output_type"] for o in outputs] == ["error", "display_data"]
    assert not any("<" in line for line in outputs[0]["traceback"])
    way = page.locator(".jp-Cell").last.locator(".jp-RenderedHTML")
    places = way.locator("summary")
    places.first.wait_for()
    assert places.all_inner_texts() == ["Cell [2], line 2", "product, Cell [1], line 3"]
    assert "→   3      c.Mul(a, b)" in places.last.get_attribute("title")
    places.last.click()
    assert way.locator("pre b").last.is_visible()
    link = way.locator("a")
    assert link.get_attribute("href").startswith("https://pkg.go.dev/gonum.org/v1/gonum") and link.get_attribute("href").endswith("/mat#Dense.Mul")
    assert "matrix product" in link.get_attribute("title")
    page.locator(".jp-Cell").last.screenshot(path=OUT / f"way-{theme.lower()}.png")
    assert [c for c in page.evaluate(CONTRAST) if c[0] < 3] == []


def test_completion(page, small):
    small.run_all()
    small.append("strings.Spli")
    page.keyboard.press("Tab")
    page.wait_for_selector(".jp-Completer-item")
    items = page.locator(".jp-Completer-item .jp-Completer-match").all_inner_texts()
    assert {"Split", "SplitAfter", "SplitN"} <= {i.strip().removeprefix("strings.") for i in items}, items
    page.screenshot(path=OUT / "completion.png")
    page.keyboard.press("Enter")
    page.wait_for_selector(".jp-Completer-item", state="hidden")
    assert "".join(small.cells()[-1]["source"]) == "strings.Split"


def test_interrupt_button(page, small):
    assert small.text(small.run("kept := 41")) == ""
    small.append("for {\n}")
    small.start_active()
    page.wait_for_function(
        "() => window.panel.sessionContext.session.kernel.status === 'busy'")
    page.locator('[data-jp-item-name="interrupt"]').click()
    small.finish()
    outputs = small.cells()[-1]["outputs"]
    assert [o["ename"] for o in outputs if o["output_type"] == "error"] == ["Interrupt"]
    assert small.text(small.run("kept + 1")) == "42"
    page.screenshot(path=OUT / "interrupt.png")


@pytest.mark.parametrize("path", papers(), ids=lambda p: p.stem)
def test_html_page(browser, tmp_path, path):
    """The page of gaucho run --html: all there, in both colour schemes, without a network."""
    OUT.mkdir(exist_ok=True)
    html = tmp_path / "page.html"
    subprocess.run([GAUCHO, "run", path, "-p", "size=small", "--html", html], check=True, timeout=600)
    for scheme in "light", "dark":
        context = browser.new_context(viewport={"width": 1400, "height": 1000}, color_scheme=scheme)
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        asked, said = [], []
        page.on("request", lambda r: asked.append(r.url))
        page.on("console", lambda m: said.append(m.text))
        page.on("pageerror", lambda e: said.append(str(e)))
        page.goto(html.as_uri())
        assert [u for u in asked if not u.startswith("data:")] == [html.as_uri()]
        assert said == []
        assert page.locator("math").count() > 0 and page.locator(".math.wrong").count() == 0
        widths = page.eval_on_selector_all("main img", "async all => Promise.all(all.map(async i => { await i.decode(); return i.naturalWidth; }))")
        assert widths and min(widths) > 100, widths
        page.screenshot(path=OUT / f"{path.stem}-page-{scheme}.png", full_page=True)
        context.close()


def test_logo(page, server):
    """The launcher shows Gaucho with its logo."""
    page.goto(f"{server.url}/lab/workspaces/launcher", wait_until="domcontentloaded")
    card = page.locator('.jp-LauncherCard[title*="Gaucho"]').first
    card.wait_for()
    size = card.locator("img").evaluate("async img => { await img.decode(); return [img.naturalWidth, img.getBoundingClientRect().width]; }")
    assert size[0] >= 32 and size[1] > 0
    page.screenshot(path=OUT / "launcher.png")


def test_table_sorts_in_the_page(page, small):
    """A click on a column's name sorts a table of the page, without the kernel; arrows leaf through it."""
    small.run('must(table.From(map[string][]int{"a": {3, 1, 2, 9, 8, 7, 6, 5, 4, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}}))')
    first = page.locator("[data-gaucho-table] tbody tr").first
    heads = page.locator("[data-gaucho-table] th")
    heads.nth(1).click()
    assert first.inner_text().split() == ["1", "1"]
    heads.nth(1).click()
    assert first.inner_text().split() == ["19", "20"]
    page.locator("[data-gaucho-table] button").nth(1).click()
    assert first.inner_text().split() == ["7", "5"]  # 20 to 6 are on the page before
    page.screenshot(path=OUT / "table.png")
