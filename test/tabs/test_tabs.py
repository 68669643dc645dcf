"""A browser's tab is reloaded, or closed and opened again, while its cell runs: with jupyter-server-nbmodel the output is there again.

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
PATIENCE = 240  # seconds

# It prints, waits for a file, prints again, and says by another file that it is past that.
CELL = """fmt.Println("before")
for {{
	if _, err := os.Stat("{gate}"); err == nil {{
		break
	}}
	time.Sleep(10 * time.Millisecond)
}}
fmt.Println("after")
answer := 42
os.WriteFile("{past}", nil, 0o600)
answer"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("lab"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser():
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as p:
        browser = launch(p)
        yield browser
        browser.close()


@pytest.mark.parametrize("how", ["reloaded", "closed"])
def test_output_is_there_again(server, browser, tmp_path, how):
    gate, past, name = tmp_path / "gate", tmp_path / "past", f"{how}.ipynb"
    nb = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "gaucho", "display_name": "Go", "language": "go"}})
    nb.cells = [nbformat.v4.new_code_cell(CELL.format(gate=gate, past=past))]
    nbformat.write(nb, server.work / name)

    def open_page():
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(1000 * PATIENCE)
        page.on("dialog", lambda dialog: dialog.accept())  # the page may ask whether to leave it
        return Notebook(page, server, name)

    def shown():
        cell = notebook.cells()[0]
        return notebook.text(cell["outputs"]), cell["execution_count"]

    notebook = open_page()
    notebook.page.evaluate("() => { window.panel.content.activeCellIndex = 0; window.jupyterapp.commands.execute('notebook:run-cell') }")
    wait_for(lambda: shown()[0] == "before\n", "the first output")
    if how == "reloaded":
        notebook.reload()
        assert not past.exists()
        gate.touch()
    else:  # the cell ends while no page is open
        notebook.page.close()
        gate.touch()
        wait_for(past.exists, "the end of the cell")
        notebook = open_page()
    wait_for(lambda: shown() == ("before\nafter\n42", 1), "the output on the new page")
    notebook.page.screenshot(path=OUT / f"tab-{how}.png")
