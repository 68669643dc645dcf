"""Studies of a notebook through the built program's commands, in sessions of either engine, here and in a pool."""

import os
import re
import subprocess

import nbformat
import pytest
from conftest import PATIENCE

STUDY = """coins := &study.Study{
	Name: "coins", Points: study.Grid(study.Values("n", 10, 20)), Replications: 3, Seed: 1,
	Replicate: func(_ context.Context, at study.Point, rng *rand.Rand) (study.Record, error) {
		heads := 0
		for range at.Int("n") * scale {
			heads += rng.IntN(2)
		}
		return study.Record{"heads": heads, "tosses": at.Int("n") * scale}, nil
	},
}
must(coins.Run(ctx, nil))"""


@pytest.fixture
def folder(tmp_path):
    scale = nbformat.v4.new_code_cell("scale := 1", metadata={"tags": ["parameters"]})
    nb = nbformat.v4.new_notebook(cells=[scale, nbformat.v4.new_code_cell(STUDY)])
    nb.metadata["kernelspec"] = {"name": "gaucho", "display_name": "Gaucho (Go)", "language": "go"}
    nbformat.write(nb, tmp_path / "coins.ipynb")
    return tmp_path


def study(binary, folder, engine, *args):
    return subprocess.Popen([binary, "study", *args], cwd=folder, env={**os.environ, "GAUCHO_ENGINE": engine}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def done(process, what):
    try:
        out, errs = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, errs = process.communicate()
        pytest.fail(f"{what} did not end in {PATIENCE} s: {out}{errs}")
    assert process.returncode == 0, f"{what}: {out}{errs}"
    return out


def records(binary, folder, engine, records, *parameters):
    """The rows of the table that gaucho study export prints."""
    table = done(study(binary, folder, engine, "export", "--dir", records, *parameters, "coins.ipynb:coins"), "export")
    header, *rows = [line.split(",") for line in table.splitlines()]
    assert len(rows) == 6, table
    return [dict(zip(header, row)) for row in rows]


def engines(file):
    """The engines that a file of records names."""
    return {name for name in ("native", "yaegi") if re.search(rf'"[^"]*\b{name}\b[^"]*"', file.read_text())}


def test_every_session_runs_a_notebooks_study(binary, folder):
    tables = {}
    for engine in ("native", "yaegi"):
        out = done(study(binary, folder, engine, "run", "--dir", engine, "-p", "scale=3", "coins.ipynb:coins"), "run")
        assert out == "coins: 6 records, 0 failed, 0 missing\n"
        assert engines(folder / engine / "coins.jsonl") == {engine}
        tables[engine] = records(binary, folder, engine, engine, "-p", "scale=3")
    assert tables["native"] == tables["yaegi"]
    for at in tables["native"]:
        assert int(at["tosses"]) == 3 * int(at["n"]), "the parameter did not reach the study"
        assert 0 <= int(at["heads"]) <= int(at["tosses"])


@pytest.mark.parametrize("engine", ["native", "yaegi"])
def test_a_pool_runs_a_notebooks_study(binary, folder, engine):
    server = study(binary, folder, engine, "serve", "--listen", "127.0.0.1:0", "--dir", "far", "coins.ipynb:coins")
    # The server's first lines say how to start a worker, the token included.
    lines = []
    while not (how := re.search(r"gaucho study work (.*)", lines[-1] if lines else "")):
        line = server.stderr.readline()
        assert line, f"the server ended: {''.join(lines)}"
        lines.append(line)
    worker = study(binary, folder, "", "work", *how[1].split())  # it takes the server's
    assert done(server, "the server").endswith("coins: 6 records, 0 failed, 0 missing\n")
    worker.kill()
    worker.communicate()
    assert engines(folder / "far" / "coins.jsonl") == {engine}
    done(study(binary, folder, engine, "run", "--dir", "near", "coins.ipynb:coins"), "run")
    assert records(binary, folder, engine, "far") == records(binary, folder, engine, "near")
