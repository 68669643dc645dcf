"""The shipped notebooks in JupyterLab in headless Chromium, and their pages of HTML.

Screenshots are left under test/out to be looked at.
"""

import pathlib
import shutil

import pytest
from conftest import PATIENCE
from lab.server import ROOT
from test_browser import OUT, browser, open_copy, page, server  # noqa: F401 (fixtures)


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


@pytest.mark.parametrize("path", papers(), ids=lambda p: p.stem)
def test_html_page(browser, path):
    """The page that make notebooks has made by gaucho run --html: all there, in both colour schemes, without a network."""
    OUT.mkdir(exist_ok=True)
    html = ROOT / "dist" / "small" / f"{path.stem}.html"
    assert html.exists(), "make notebooks makes the pages"
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
