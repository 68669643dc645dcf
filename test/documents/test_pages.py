"""Notebooks as pages: a dashboard by Voila, whose slider redraws a figure, and a PDF printed by Chromium."""

import json
import pathlib
import shutil
import socket
import subprocess
import sys

import pytest
from conftest import GAUCHO, PATIENCE, ROOT
from lab.chromium import found, launch
from lab.server import stop, wait_for
from playwright.sync_api import sync_playwright
from test_versions import documented, notebook

OUT = ROOT / "test" / "out"  # screenshots, for people

DASHBOARD = [
    'import "gaucho/stdlib/widgets"\n\nnever := 6 * 7',
    'display.Markdown("## How many stand **here**?")',
    'widgets.Interact(func(n int) any {\n\tfmt.Println("points:", n)\n\treturn plotting.Bar([]string{"n", "n²"}, []float64{float64(n), float64(n * n)})\n}, widgets.Steps(1, 9, 1).At(3))',
]

# The text and the pictures of the output under the slider.
SHOWN = """() => [...document.querySelectorAll('.jupyter-widgets .jp-OutputArea, .widget-output')].map(area =>
  [area.innerText, [...area.querySelectorAll('img')].map(i => i.src).concat([...area.querySelectorAll('svg')].map(s => s.outerHTML))])"""


@pytest.fixture
def dashboard(environment, tmp_path):
    """The address at which Voila serves a notebook."""
    (tmp_path / "dashboard.ipynb").write_text(json.dumps(notebook(DASHBOARD)))
    with socket.create_server(("127.0.0.1", 0)) as s:
        port = s.getsockname()[1]
    with open(tmp_path / "voila.log", "w") as log:
        process = subprocess.Popen([sys.executable, "-m", "voila", "dashboard.ipynb", f"--port={port}", "--no-browser", "--Voila.ip=127.0.0.1"],
                                   env=environment, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT)

    def listens():
        assert process.poll() is None, (tmp_path / "voila.log").read_text()
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_for(listens, "Voila to listen")
        yield f"http://127.0.0.1:{port}/"
        print((tmp_path / "voila.log").read_text())
    finally:
        stop(process)


def test_a_slider_of_a_dashboard(dashboard):
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as p:
        browser = launch(p)
        page = browser.new_page(viewport={"width": 900, "height": 700})
        page.goto(dashboard, timeout=PATIENCE * 1000)

        def figure(n):
            """The picture beside the text for n, once it is drawn."""
            def look():
                return next((pictures for text, pictures in page.evaluate(SHOWN) if f"points: {n}\n" in text + "\n" and pictures), None)
            return wait_for(look, f"the figure for {n}")

        before = figure(3)
        assert "never" not in page.inner_text("body"), "a dashboard shows no code"
        page.screenshot(path=OUT / "voila-before.png")
        page.locator(".widget-slider .noUi-handle").focus()
        page.keyboard.press("ArrowRight")
        after = figure(4)
        assert before != after
        page.screenshot(path=OUT / "voila-after.png")
        assert "How many stand here?" in page.inner_text("body")
        browser.close()


def test_pdf_of_a_page(run, tmp_path):
    """The commands in the documentation make a PDF with text and the figures' drawings."""
    shutil.copy(ROOT / "notebooks" / "papers" / "kernel-herding.ipynb", tmp_path / "notebook.ipynb")
    html, pdf = documented("sh").strip().splitlines()
    run("sh", "-c", html.replace("gaucho", GAUCHO, 1).replace("run ", "run -p size=small ", 1), cwd=tmp_path)
    run("sh", "-c", pdf.replace("chromium", f"{found()} --no-sandbox --user-data-dir={tmp_path}/browser", 1), cwd=tmp_path)
    data = (tmp_path / "notebook.pdf").read_bytes()
    assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF")
    pages = data.count(b"/Type /Page\n") + data.count(b"/Type /Page ") + data.count(b"/Type/Page/")
    assert pages >= 3
    if shutil.which("pdftotext"):
        text = run("pdftotext", "-layout", "notebook.pdf", "-", cwd=tmp_path)
        assert "Kernel herding" in text and "Lacoste-Julien" in text
        pathlib.Path(OUT).mkdir(exist_ok=True)
        run("pdftoppm", "-r", "50", "-png", "notebook.pdf", OUT / "pdf", cwd=tmp_path)
    else:
        pytest.skip("pdftotext is not here: the text of the PDF was not looked at")
