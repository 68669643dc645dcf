"""Notebooks under version control: two runs are one file, text is a notebook's other form, and a hook takes outputs away."""

import json
import re

import nbformat
import pytest
import yaml
from conftest import GAUCHO, ROOT
from nbdime import diff_notebooks

SHOWS = [
    'm := map[string]int{"b": 2, "a": 1, "c": 3}\nm',
    "plotting.Scatter([]float64{1, 2, 3}, []float64{2, 4, 9})",
    "mat.NewDense(2, 2, []float64{1, 2, 3, 4})",
    "widgets.Interact(func(a float64, n int) any { return plotting.Hist(slices.Repeat([]float64{a, 2, 3}, n)) }, widgets.Range(0.1, 3), 5)",
    'func fail(n int) { panic(fmt.Sprint("bad ", n)) }\nfail(3)',
    "n := 1\nn",
]


def notebook(cells):
    return {
        "nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "gaucho", "display_name": "Gaucho (Go)", "language": "go"}},
        "cells": [{"id": f"cell-{i}", "cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": c} for i, c in enumerate(cells)],
    }


def without_times(text):
    """A notebook's text without what progress bars say of time, as text and as HTML."""
    text = re.sub(r"(▏ \d+/\d+)  .*?\"", r'\1"', text)
    return re.sub(r"(<span[^>]*>\d+/\d+)[^<]*(</span>)", r"\1\2", text)


def differences(*files):
    return diff_notebooks(*[nbformat.reads(without_times(f.read_text()), as_version=4) for f in files])


@pytest.mark.parametrize("which", ["everything", "papers/kernel-herding", "papers/em", "course/1-first-steps", "course/5-em"])
def test_two_runs_are_one_file(run, tmp_path, which):
    """Ids, the order of keys and the bytes of figures are the same when nothing has changed."""
    if which == "everything":
        source = tmp_path / "everything.ipynb"
        source.write_text(json.dumps(notebook(SHOWS)))
    else:
        source = ROOT / "notebooks" / f"{which}.ipynb"
    flags = ["--allow-errors", "-p", "size=small"]
    for out in ["first.ipynb", "second.ipynb"]:
        run(GAUCHO, "run", *flags, "-o", tmp_path / out, source)
    first, second = (tmp_path / name for name in ["first.ipynb", "second.ipynb"])
    assert without_times(first.read_text()) == without_times(second.read_text())
    assert differences(first, second) == []
    if which == "everything":
        nb = nbformat.read(first, as_version=4)
        assert len(nb.metadata.widgets["application/vnd.jupyter.widget-state+json"].state) > 3
        assert [o.ename for c in nb.cells for o in c.outputs if o.output_type == "error"] == ["panic"]
        # nbdime does see a change.
        source.write_text(json.dumps(notebook([*SHOWS[:-1], "n := 2\nn"])))
        run(GAUCHO, "run", *flags, "-o", second, source)
        assert [d["key"] for d in differences(first, second)] == ["cells"]


@pytest.mark.parametrize("which", ["tour", "papers/kernel-herding", "course/1-first-steps"])
def test_text_and_notebook_say_the_same(run, tmp_path, which):
    """A notebook, its text in Go, and the notebook made of that."""
    source = ROOT / "notebooks" / f"{which}.ipynb"
    before = nbformat.read(source, as_version=4)
    run("jupytext", "--to", "go:percent", "-o", tmp_path / "text.go", source)
    run("jupytext", "--to", "ipynb", "-o", tmp_path / "again.ipynb", tmp_path / "text.go")
    after = nbformat.read(tmp_path / "again.ipynb", as_version=4)
    nbformat.validate(after)
    assert [(c.cell_type, c.source, c.metadata) for c in after.cells] == [(c.cell_type, c.source, c.metadata) for c in before.cells]
    assert after.metadata.kernelspec.name == "gaucho"


def documented(fence):
    """The only block of docs/deploying.md in a language."""
    (block,) = re.findall(rf"^```{fence}\n(.*?)^```", (ROOT / "docs" / "deploying.md").read_text(), re.M | re.S)
    return block


def test_a_hook_takes_outputs_away(run, tmp_path):
    """The configuration in the documentation: a commit with outputs is refused, the notebook is stripped, the next commit goes through."""
    config = documented("yaml")
    assert yaml.safe_load(config)
    (tmp_path / ".pre-commit-config.yaml").write_text(config)
    source = tmp_path / "in.ipynb"
    source.write_text(json.dumps(notebook(SHOWS)))
    run(GAUCHO, "run", "--allow-errors", "-o", tmp_path / "notebook.ipynb", source)
    source.unlink()
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    run(*git, "init", "-q", cwd=tmp_path)
    run("pre-commit", "install", cwd=tmp_path)
    run(*git, "add", "-A", cwd=tmp_path)
    run(*git, "commit", "-qm", "with outputs", cwd=tmp_path, status=1)
    stripped = nbformat.read(tmp_path / "notebook.ipynb", as_version=4)
    nbformat.validate(stripped)
    assert [c.source for c in stripped.cells] == SHOWS
    assert all(c.outputs == [] and c.execution_count is None for c in stripped.cells)
    assert "widgets" not in stripped.metadata and stripped.metadata.kernelspec.name == "gaucho"
    run(*git, "add", "-A", cwd=tmp_path)
    run(*git, "commit", "-qm", "without", cwd=tmp_path)
    assert run(*git, "log", "--format=%s", cwd=tmp_path) == "without\n"
