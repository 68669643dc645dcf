"""Runs notebooks, and the programs that they are exported to, and compares what they print and which figures they show.

    python3 test/exports.py ./gaucho NOTEBOOK.ipynb ...

Each line that a cell shows must be among those of the program, in order, and each figure among the files that it saves, byte for byte.
A program prints more: what is replaced later, and what the function of Interact prints. Cells of which the export says that the
program does something else are left out, and so are progress bars and benchmarks; times count as equal.
"""

import base64
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import engines

SAVED = re.compile(r" \(figure-\d+\.\w+\)")
WIDGET = re.compile(r": a widget, which JupyterLab draws.*")
UNLIKE = re.compile(engines.BAR.pattern + r"|/op\b|^Note: ")
NOTED = re.compile(r"^cell \[(\d+)\]", re.MULTILINE)
SMALL = ["-p", "size=small"]


def lines_of(text):
    """The lines of a text, without what no two runs have in common."""
    text = WIDGET.sub("", SAVED.sub("", text))
    return [engines.TIME.sub("TIME", line).rstrip() for line in text.splitlines() if line.strip() and not UNLIKE.search(line)]


def shown(cell):
    """The lines that a cell shows, and its figures."""
    text, figures = "", []
    for o in cell.get("outputs", []):
        if o["output_type"] == "stream" and o["name"] == "stdout":
            text += "".join(o["text"])
        elif "data" in o:
            text += "".join(o["data"].get("text/plain", "")).rstrip("\n") + "\n"
            if "image/png" in o["data"]:
                figures.append(base64.b64decode("".join(o["data"]["image/png"])))
    return lines_of(text), figures


def compare(gaucho, notebook, folder):
    parameters = SMALL if '"parameters"' in notebook.read_text() else []
    program = folder / "program"
    export = subprocess.run([gaucho, "export", *parameters, "-o", program, notebook], check=True, stderr=subprocess.PIPE, text=True)
    noted = {int(n) for n in NOTED.findall(export.stderr)}
    subprocess.run(["go", "build", "-o", "program", "."], cwd=program, check=True, env={**os.environ, "GOWORK": "off"})
    out = subprocess.run([program / "program"], cwd=folder, check=True, stdout=subprocess.PIPE, text=True, timeout=3600).stdout
    lines, saved = iter(lines_of(out)), [f.read_bytes() for f in folder.glob("figure-*.png")]
    wrong, number = [], 0
    for cell in engines.run(gaucho, "native", notebook, folder)["cells"]:
        if cell["cell_type"] != "code" or not "".join(cell["source"]).strip():
            continue
        number += 1
        if number in noted or "measures-time" in cell["metadata"].get("tags", []):
            continue
        text, figures = shown(cell)
        for line in text:
            if line not in lines:  # which goes on after the line if it is there
                return wrong + [f"cell [{number}] shows {line!r}, and the program does not print it there"]
        wrong += [f"cell [{number}] shows a figure that the program does not save" for f in figures if f not in saved]
    return wrong


def main(gaucho, *notebooks):
    failed = False
    for notebook in map(Path, notebooks):
        print(notebook, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            # The notebook's own files are where it runs.
            for data in filter(Path.is_dir, notebook.parent.iterdir()):
                shutil.copytree(data, Path(folder) / data.name)
            for problem in compare(str(Path(gaucho).resolve()), notebook.resolve(), Path(folder)):
                failed = True
                print(f"{notebook}: {problem}")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
