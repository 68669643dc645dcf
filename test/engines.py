"""Runs notebooks in both engines and compares what their cells show.

    python3 test/engines.py ./gaucho NOTEBOOK.ipynb ...

Times differ between any two runs, so numbers with a unit of time count as equal, and so do drawings, whose form depends on the
times or on the order of maps. Progress bars are left out: a study draws one only if it takes longer than half a second. A cell that computes with measured times has the tag measures-time: all
its numbers count as equal.
"""

import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TIME = re.compile(r"\b\d+(\.\d+)?(e[-+]\d+)?\s?(ns|µs|ms|s|m|min|/s)\b")
NUMBER = re.compile(r"[-+]?(\b\d+(\.\d+)?(e[-+]\d+)?|Inf|NaN)\b")
BAR = re.compile(r"▏ \d+/\d+ ")


def run(gaucho, engine, notebook, folder):
    out = Path(folder) / f"{notebook.stem}.{engine}.ipynb"
    command = [gaucho, "run", "--engine", engine, "--timeout", "10m", "-o", str(out)]
    if '"parameters"' in notebook.read_text():
        command += ["-p", "size=small"]
    subprocess.run(command + [str(notebook)], check=True, timeout=3600)
    return json.loads(out.read_text())


def shown(cell):
    """What a cell shows, as text."""
    text = []
    for o in cell.get("outputs", []):
        if o["output_type"] == "stream":
            if o["name"] == "stdout":
                text.append("".join(o["text"]))
        elif "data" in o:
            plain = "".join(o["data"].get("text/plain", ""))
            if not BAR.search(plain):
                text.append("<image>" if "image/png" in o["data"] else f"<{plain}>")
    text = TIME.sub("TIME", "\n".join(filter(None, text)))
    if "measures-time" in cell["metadata"].get("tags", []):
        text = re.sub(r" +", " ", NUMBER.sub("NUMBER", text))  # columns are as wide as their numbers
    return text


def main(gaucho, *notebooks):
    failed = False
    for notebook in map(Path, notebooks):
        print(notebook, flush=True)
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as both:
            yaegi, native = both.map(lambda engine: run(gaucho, engine, notebook, folder), ("yaegi", "native"))
        for n, (a, b) in enumerate(zip(yaegi["cells"], native["cells"])):
            if shown(a) != shown(b):
                failed = True
                print(f"{notebook}, cell {n}:\n--- yaegi\n{shown(a)}\n--- native\n{shown(b)}")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
