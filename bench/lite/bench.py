"""Gaucho in a browser, and Pyodide in a Web Worker of the same browser: bytes, first results, a trivial cell, a loop.

    make lite && python3 bench/lite/bench.py [--rounds N]

Pyodide's core comes from npm, into dist/lite/pyodide. A server of plain files on the loopback interface serves both, so bytes
cost next to nothing: a network's share is theirs divided by its speed. A first result is cold in a new browser context; cached,
the context has loaded the page before, and what it keeps in the background is there. Cells are timed as the median of thirty, the loop as that of three.
"""

import functools
import http.server
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import sides
from record import ROOT, Record, versions

sides.inside(FOLDER)
sys.path.insert(0, str(ROOT / "test"))

from lab.chromium import launch  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

LITE = ROOT / "dist" / "lite"
GAUCHO = LITE / "site" / "extensions" / "gaucho-lite"
PYODIDE = LITE / "pyodide"

RUN = """async source => {
  const begin = performance.now();
  window.ask = (await import(source)).default;
  const shown = await ask(window.sum);
  return [performance.now() - begin, shown];
}"""

# A page that has shown its first result goes on keeping what it has made of what came.
KEPT = """async () => {
  while (window.keeps && !await caches.match(window.keeps)) await new Promise((done) => setTimeout(done, 50));
}"""

TIMES = """async ([code, n]) => {
  const times = [];
  for (let i = 0; i < n; i++) {
    const begin = performance.now();
    await ask(code);
    times.push(performance.now() - begin);
  }
  return times;
}"""

GAUCHO_PAGE = """
import { Kernel } from "./kernel.js";
const waiting = new Map();
let count = 0;
const kernel = new Kernel({ id: "1", name: "gaucho", location: "", sendMessage: (m) => waiting.get(m.parent_header.msg_id)?.(m) }, {});
export default (code) => new Promise((done) => {
  const id = String(++count);
  let shown;
  waiting.set(id, (m) => {
    if (m.header.msg_type === "execute_result") shown = m.content.data["text/plain"];
    if (m.header.msg_type === "error") shown = m.content.evalue;
    if (m.header.msg_type === "execute_reply") setTimeout(() => done(shown));
  });
  kernel.handleMessage({ channel: "shell", header: { msg_id: id, msg_type: "execute_request", session: "s", username: "", version: "5.4", date: "" },
    parent_header: {}, metadata: {}, content: { code, silent: false }, buffers: [] });
});
window.keeps = new URL("gaucho.wasm.zst", import.meta.url);
await kernel.ready;
"""

PYODIDE_WORKER = """
import { loadPyodide } from "./pyodide.mjs";
const python = loadPyodide();
onmessage = async ({ data }) => postMessage(String((await python).runPython(data)));
"""

PYODIDE_PAGE = """
const worker = new Worker(new URL("bench-worker.mjs", import.meta.url), { type: "module" });
export default (code) => new Promise((done) => { worker.onmessage = ({ data }) => done(data); worker.postMessage(code); });
"""


class Files(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}
    sent = 0

    def copyfile(self, source, out):
        data = source.read()
        Files.sent += len(data)
        out.write(data)

    def log_message(self, *_):
        pass


def fetch_pyodide():
    if not PYODIDE.exists():
        with tempfile.TemporaryDirectory() as dir:
            name = subprocess.run(["npm", "pack", "--silent", "pyodide@314.0.7"], cwd=dir, check=True, capture_output=True, text=True).stdout.strip()
            with tarfile.open(pathlib.Path(dir) / name) as tar:
                tar.extractall(dir, filter="data")
            shutil.copytree(pathlib.Path(dir) / "package", PYODIDE)
    return json.loads((PYODIDE / "package.json").read_text())["version"]


def measure(browser, folder, script, sum, trivial, loop):
    """Serves a folder with a page that has the script, and returns what was measured."""
    (folder / "bench.html").write_text(f"<!doctype html><title>bench</title><script>window.sum = {json.dumps(sum)}</script>")
    (folder / "bench.mjs").write_text(script)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context()
    try:
        found = {}
        for state in "cold", "cached", "cached again":
            page = context.new_page()
            page.set_default_timeout(600_000)
            page.goto(f"http://127.0.0.1:{server.server_address[1]}/bench.html")
            Files.sent = 0
            ms, shown = page.evaluate(RUN, "./bench.mjs")
            assert shown == "2", shown
            found[f"first result, {state}", "s"] = ms / 1e3
            if state == "cold":
                found["bytes loaded, cold", "B"] = Files.sent
                page.evaluate(KEPT)
            if state != "cached again":
                page.close()
        found["a trivial cell", "s"] = statistics.median(page.evaluate(TIMES, [trivial, 30])) / 1e3
        found["10^6 sums in a loop", "s"] = statistics.median(page.evaluate(TIMES, [loop, 3])) / 1e3
        return found
    finally:
        context.close()
        server.shutdown()
        server.server_close()
        (folder / "bench.html").unlink()
        (folder / "bench.mjs").unlink()


def main():
    args = sides.flags(__doc__, rounds=3).parse_args()
    pyodide = fetch_pyodide()
    (PYODIDE / "bench-worker.mjs").write_text(PYODIDE_WORKER)
    [gaucho] = (GAUCHO / "static").iterdir()
    record = Record(FOLDER, __doc__, {**versions(sys.executable, FOLDER / "requirements.txt"), "Pyodide": pyodide})
    own, other = [], []
    with sync_playwright() as p:
        browser = launch(p)
        record.versions["Chromium"] = browser.version
        for _ in range(args.rounds):
            own.append(measure(browser, gaucho, GAUCHO_PAGE, "1 + 1", "1 + 1", "s := 0\nfor i := range 1000000 { s += i }\ns"))
            other.append(measure(browser, PYODIDE, PYODIDE_PAGE, "1 + 1", "1 + 1", "s = 0\nfor i in range(1000000): s += i\ns"))
        browser.close()
    for (title, unit) in own[0]:
        record.row(title, [r[title, unit] for r in own], "Pyodide", [r[title, unit] for r in other], unit=unit)
    record.close(args.record)


if __name__ == "__main__":
    main()
