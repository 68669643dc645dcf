"""Tools around notebooks that know nothing of Gaucho beyond its kernelspec and its notebooks' metadata."""

import os
import pathlib
import subprocess
import sys

import jupytext
import nbformat
import papermill
import pexpect
import pytest
from conftest import PATIENCE
from nbconvert import HTMLExporter, LatexExporter, ScriptExporter
from nbconvert.preprocessors import ExecutePreprocessor
from test_nbclient import METADATA
from traitlets.config import Config


def notebook(*cells):
    return nbformat.v4.new_notebook(metadata=METADATA, cells=[nbformat.v4.new_code_cell(c) for c in cells])


CELLS = [
    'import "strings"\n\nfunc twice(s string) string {\n\treturn strings.Repeat(s, 2)\n}',
    'fmt.Println(twice("ab"))',
    "mat.NewDense(2, 2, []float64{1, 2, 3, 4})",
    "p := plot.New()\np.Title.Text = twice(`x`)\np",
]


@pytest.fixture(scope="module")
def executed(installed):
    nb = notebook(*CELLS)
    ExecutePreprocessor(kernel_name="gaucho", timeout=PATIENCE).preprocess(nb, {})
    return nb


def test_a_run_notebook_is_valid(executed):
    nbformat.validate(executed)
    assert executed.metadata.language_info.name == "go"
    assert executed.cells[1].outputs[0].text == "abab\n"


def test_nbconvert_to_html(executed):
    page, _ = HTMLExporter().from_notebook_node(executed)
    assert "abab" in page and '<span class="kd">func</span>' in page  # highlighted as Go
    assert "image/svg+xml" in page or "image/png" in page or "<svg" in page


def test_nbconvert_to_latex(executed):
    # Without Inkscape nbconvert cannot turn SVG into PDF; told not to try, it takes the PNG that is beside it.
    settings = Config(SVG2PDFPreprocessor={"enabled": False})
    source, resources = LatexExporter(config=settings).from_notebook_node(executed)
    assert "abab" in source and [name for name in resources["outputs"] if name.endswith(".png")]


def test_nbconvert_to_script(executed):
    text, resources = ScriptExporter().from_notebook_node(executed)
    assert resources["output_extension"] == ".go" and "func twice" in text


@pytest.mark.parametrize("form", ["go:percent", "md"])
def test_jupytext_pairs(executed, form):
    text = jupytext.writes(executed, form)
    assert form == "md" or "// %%" in text
    again = jupytext.reads(text, form)
    assert [c.source for c in again.cells] == CELLS
    assert again.metadata.kernelspec.name == "gaucho"


def test_papermill_runs_a_notebook(installed, tmp_path):
    nbformat.write(notebook("x := 6 * 7\nx"), tmp_path / "in.ipynb")
    papermill.execute_notebook(tmp_path / "in.ipynb", tmp_path / "out.ipynb", progress_bar=False, execution_timeout=PATIENCE)
    out = nbformat.read(tmp_path / "out.ipynb", as_version=4)
    assert out.cells[0].outputs[0].data["text/plain"] == "42"


def test_papermill_stops_at_an_error(installed, tmp_path):
    nbformat.write(notebook('panic("a bad day")', "1"), tmp_path / "in.ipynb")
    with pytest.raises(papermill.PapermillExecutionError, match="a bad day"):
        papermill.execute_notebook(tmp_path / "in.ipynb", tmp_path / "out.ipynb", progress_bar=False, execution_timeout=PATIENCE)


def test_jupyter_console(installed):
    console = pexpect.spawn(
        sys.executable, ["-m", "jupyter_console", "--kernel", "gaucho", "--simple-prompt"],
        encoding="utf-8", timeout=PATIENCE, env={**os.environ, "TERM": "dumb"},
    )
    console.expect(r"Gaucho [0-9.]+( \([^)]+\))?, Go ")  # with the revision, where the program knows it
    for number, (cell, shown) in enumerate(
        [("6 * 7", "42"), ('fmt.Println("printed")', "printed\r"), ("undefinedName", "CompileError|undefined"), ("strings.ToUpper?", "upper case")], 1
    ):
        console.expect(rf"In \[{number}\]: ")
        console.sendline(cell)
        console.expect(shown)
    console.expect(r"In \[5\]: ")
    console.sendline("exit")
    console.expect(pexpect.EOF)
    assert console.wait() == 0


def test_qtconsole(installed):
    script = pathlib.Path(__file__).with_name("qt.py")
    done = subprocess.run(
        [sys.executable, script, "6 * 7", 'fmt.Println("printed")', "undefinedName"],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, capture_output=True, text=True, timeout=5 * PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert "Out[1]: 42" in done.stdout and "\nprinted\n" in done.stdout and "undefined: undefinedName" in done.stdout
