"""The notebooks and pages that come with Gaucho, as files: other tools read them, and their links lead somewhere."""

import html
import json
import re
import urllib.parse

import jupytext
import nbformat
import pytest
from conftest import ROOT
from nbconvert import HTMLExporter

NOTEBOOKS = sorted((ROOT / "notebooks").rglob("*.ipynb"))
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "notebooks").rglob("*.md")])


def name(path):
    return str(path.relative_to(ROOT))


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=name)
def notebook(request):
    nb = nbformat.read(request.param, as_version=4)
    nbformat.validate(nb)
    return nb


def test_a_notebook_is_kept_without_outputs(notebook):
    for c in notebook.cells:
        if c.cell_type == "code":
            assert c.outputs == [] and c.execution_count is None, c.source
    assert notebook.metadata.kernelspec.name == "gaucho"


def test_lines_fit_into_a_cell(notebook):
    """JupyterLab at 1280 pixels shows 120 columns; what is longer is out of sight."""
    long = [line for c in notebook.cells if c.cell_type == "code" for line in c.source.split("\n") if len(line.expandtabs(4)) > 122]
    assert long == []


def test_nbconvert_makes_a_page(notebook):
    page, _ = HTMLExporter().from_notebook_node(notebook)
    for c in notebook.cells:
        if c.cell_type == "code" and c.source:
            first = max(re.split(r"\W+", c.source), key=len)
            assert html.escape(first) in page, first
    assert "<h1" in page


@pytest.mark.parametrize("form", ["md", "go:percent"])
def test_jupytext_keeps_a_notebook(notebook, form):
    again = jupytext.reads(jupytext.writes(notebook, form), form)
    assert [(c.cell_type, c.source) for c in again.cells] == [(c.cell_type, c.source) for c in notebook.cells]
    assert [c.metadata.get("tags", []) for c in again.cells] == [c.metadata.get("tags", []) for c in notebook.cells]
    assert again.metadata.kernelspec.name == notebook.metadata.kernelspec.name


LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)")


def headings(path):
    """The anchors of a page or a notebook, as JupyterLab and GitHub write them."""
    if path.suffix == ".ipynb":
        text = "\n".join("".join(c["source"]) for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "markdown")
    else:
        text = path.read_text()
    titles = [t.strip() for t in re.findall(r"^#+ (.*)$", text, re.M)]
    return {t.replace(" ", "-") for t in titles} | {re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in titles}


def texts(path):
    """The Markdown of a page or a notebook, without what stands in code."""
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text())["cells"]
        parts = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    else:
        parts = [path.read_text()]
    for p in parts:
        yield re.sub(r"`[^`\n]*`", "", re.sub(r"```.*?```", "", p, flags=re.S))


@pytest.mark.parametrize("path", [*PAGES, *NOTEBOOKS], ids=name)
def test_links_lead_somewhere(path):
    for text in texts(path):
        for link in LINK.findall(text):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, anchor = link.partition("#")
            target = (path.parent / urllib.parse.unquote(file)).resolve() if file else path
            assert target.exists(), f"{link} leads nowhere"
            assert ROOT in target.parents, f"{link} leads out of the repository"
            if anchor:
                assert urllib.parse.unquote(anchor) in headings(target), f"{link}: no such heading"
