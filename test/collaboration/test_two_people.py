"""Two people in two browsers edit and run one notebook, by jupyter-collaboration: they share its cells, its outputs, and one kernel.

A screenshot of each page is left under test/out to be looked at.
"""

import pathlib
import sys

import nbformat
import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test"))
from lab.chromium import launch  # noqa: E402
from lab.notebook import Notebook  # noqa: E402
from lab.server import Server, wait_for  # noqa: E402

OUT = ROOT / "test" / "out"
PATIENCE = 240


class Shared(Notebook):
    """A notebook that others edit too."""

    def kernel(self):
        return self.page.evaluate("() => window.panel.sessionContext.session.kernel.id")

    def sees(self, what):
        """Waits for text on the page."""
        self.page.wait_for_function("text => window.panel.content.node.innerText.includes(text)", arg=what)

    def sources(self):
        return ["".join(c["source"]) for c in self.cells()]

    def shown(self, source):
        """The text of the outputs of the cell with this source, and its number."""
        (cell,) = [c for c in self.cells() if "".join(c["source"]) == source]
        return self.text(cell["outputs"]), cell["execution_count"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("lab"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def people(server):
    """The same notebook in two browsers."""
    OUT.mkdir(exist_ok=True)
    nb = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "gaucho", "display_name": "Go", "language": "go"}})
    nbformat.write(nb, server.work / "shared.ipynb")
    with sync_playwright() as p:
        browsers, pages = [], []
        for _ in range(2):
            browsers.append(launch(p))
            page = browsers[-1].new_page(viewport={"width": 1280, "height": 1000})
            page.set_default_timeout(1000 * PATIENCE)
            pages.append(Shared(page, server, "shared.ipynb"))
        yield pages
        for person, nb in zip(("ada", "emmy"), pages):
            nb.page.screenshot(path=OUT / f"collaboration-{person}.png")
        for browser in browsers:
            browser.close()


def test_one_kernel(people):
    ada, emmy = people
    assert ada.kernel() == emmy.kernel()


def test_what_one_types_the_other_sees(people):
    ada, emmy = people
    ada.append("")
    ada.page.keyboard.type("x := 6")
    emmy.sees("x := 6")
    assert emmy.sources()[-1] == "x := 6"


def test_what_one_runs_the_other_sees_and_uses(people):
    ada, emmy = people
    assert ada.text(ada.run('fmt.Println("by Ada")\ny := 7\ny')) == "by Ada\n7"
    emmy.sees("by Ada")
    wait_for(lambda: emmy.shown('fmt.Println("by Ada")\ny := 7\ny') == ada.shown('fmt.Println("by Ada")\ny := 7\ny'), "the outputs on the other page")
    assert emmy.text(emmy.run("y * 6")) == "42"
    ada.sees("42")
    wait_for(lambda: ada.shown("y * 6") == emmy.shown("y * 6"), "the outputs on the first page")
    assert ada.shown("y * 6")[1] is not None
    [error] = emmy.run("y + nothing")
    assert error["evalue"] == "undefined: nothing"
    ada.sees("undefined: nothing")


def test_figures(people):
    ada, emmy = people
    ada.run("plotting.Scatter([]float64{1, 2}, []float64{3, 4})")
    wait_for(lambda: len(ada.images()) == 1, "the figure")
    wait_for(lambda: ada.images() == emmy.images(), "the same figure on the other page")


def test_both_at_once(people):
    """People get the answers to what they asked; one interrupts what the other runs."""
    ada, emmy = people
    ada.append('fmt.Println("begun"); for { time.Sleep(time.Millisecond) }')
    ada.start_active()
    emmy.sees("begun")
    # The kernel answers the second person while it runs the first one's cell.
    matches = emmy.page.evaluate("""async () => (await window.panel.sessionContext.session.kernel.requestComplete({code: 'strings.ToUp', cursor_pos: 12})).content.matches""")
    assert "ToUpper" in " ".join(matches)
    emmy.page.evaluate("() => window.panel.sessionContext.session.kernel.interrupt()")
    ada.finish()
    assert "Interrupt" in ada.text(ada.cells()[-1]["outputs"])
    assert emmy.text(emmy.run("y = 8; y")) == "8"
    assert ada.text(ada.run("y + 1")) == "9"


def test_widgets(people):
    ada, emmy = people
    ada.run('widgets.Interact(func(n int) any { return fmt.Sprint("twice is ", 2*n) }, widgets.Range(0, 10))')
    handle = ada.page.locator(".widget-slider .noUi-handle").last
    handle.focus()
    before = int(ada.page.locator(".widget-slider .widget-readout").last.inner_text())
    ada.page.keyboard.press("ArrowRight")
    ada.sees(f"twice is {2 * before + 2}")
    # JupyterLab shows the other person the widget's text until she says that she trusts the notebook.
    emmy.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:trust') }")
    emmy.page.locator(".jp-Dialog .jp-mod-accept").click()
    emmy.sees(f"twice is {2 * before + 2}")
    emmy.page.locator(".widget-slider .noUi-handle").last.focus()
    emmy.page.keyboard.press("ArrowRight")
    ada.sees(f"twice is {2 * before + 4}")


def test_the_file(people, server):
    """Nothing is in the file twice, and it is the notebook that both see."""
    ada, emmy = people
    wait_for(lambda: ada.cells() == emmy.cells(), "the same notebook on both pages")
    wait_for(lambda: [c.source for c in nbformat.read(server.work / "shared.ipynb", 4).cells] == ada.sources(), "the file", PATIENCE)
    assert len({c["id"] for c in ada.cells()}) == len(ada.cells()) and ada.sources().count("x := 6") == 1
