"""The book that make book builds, in headless Chromium: executed figures, cross references, and a button that opens its
notebooks where they run, in the browser alone. GAUCHO_BOOK names the book's directory in place of dist/book/_build/html."""

import functools
import http.server
import os
import pathlib
import sys
import threading

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test"))
from lab.chromium import launch  # noqa: E402

BOOK = pathlib.Path(os.environ.get("GAUCHO_BOOK", ROOT / "dist" / "book" / "_build" / "html"))
OUT = ROOT / "test" / "out"  # screenshots, for people
PATIENCE = 240_000  # milliseconds


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def page():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=BOOK))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as p:
        browser = launch(p)
        context = browser.new_context(base_url=f"http://127.0.0.1:{server.server_port}", viewport={"width": 1200, "height": 900})
        context.set_default_timeout(PATIENCE)
        here = f"127.0.0.1:{server.server_port}"
        # A book that needs another server would be seen here.
        context.route(lambda url: here not in url and url.startswith("http"), lambda route: route.abort())
        yield context.new_page()
        browser.close()
    server.shutdown()


def test_chapters_have_figures(page):
    page.goto("/papers/kernel-herding.html")
    page.wait_for_function("() => [...document.querySelectorAll('.cell_output img')].filter(i => i.complete && i.naturalWidth > 100).length >= 3", timeout=PATIENCE)
    assert page.locator(".cell_output .output.traceback").count() == 0
    assert page.locator(".cell_input .highlight-go, .cell_input .highlight-ipython3, .cell_input [class*=highlight]").count() >= 5
    page.wait_for_selector("mjx-container svg, mjx-container mjx-math", timeout=PATIENCE)
    assert "\\(" not in page.locator("article").inner_text(), "a formula is shown as it is written"
    page.screenshot(path=OUT / "book.png")


def test_cross_references(page):
    """Those of the first page by name, those between notebooks by their files."""
    page.goto("/intro.html")
    page.get_by_role("link", name="Kernel herding: points that stand for a distribution").last.click()
    page.wait_for_url("**/papers/kernel-herding.html")
    links = (BOOK / "papers" / "functions.html").read_text()
    assert 'href="distributions.html"' in links and 'href="dynamics.html"' in links


def test_the_button_opens_notebooks_that_run(page):
    page.goto("/intro.html")
    with page.context.expect_page() as opened:
        page.get_by_text("Begin the course").click()
    lite = opened.value
    lite.set_default_timeout(PATIENCE)
    cell = lite.locator(".jp-CodeCell").first
    cell.wait_for()
    cell.locator(".cm-content").click()
    lite.keyboard.press("Shift+Enter")
    lite.locator(".jp-CodeCell").first.locator(".jp-OutputArea-output", has_text="hello, world").wait_for()
    lite.screenshot(path=OUT / "book-lite.png")
