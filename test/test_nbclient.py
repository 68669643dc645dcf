"""Notebooks run by nbclient, as papermill, nbconvert and nbgrader run them."""

import datetime
import subprocess

import nbclient
import nbformat
import pytest
from conftest import PATIENCE, ROOT

METADATA = {
    "kernelspec": {"name": "gaucho", "display_name": "Gaucho (Go)", "language": "go"},
    "language_info": {"name": "go"},
}


def execute(cells, **options):
    """Runs a notebook of the given cells (text, or text with tags) and returns its code cells."""
    nb = nbformat.v4.new_notebook(metadata=METADATA)
    for c in cells:
        source, tags = (c, []) if isinstance(c, str) else c
        nb.cells.append(nbformat.v4.new_code_cell(source, metadata={"tags": tags} if tags else {}))
    nbclient.NotebookClient(nb, kernel_name="gaucho", **{"timeout": PATIENCE, **options}).execute()
    nbformat.validate(nb)
    return nb.cells


def test_outputs_are_in_the_notebook(installed):
    cells = execute(["x := 20\nfmt.Println(x)", "x + 1", 'display.Show(display.HTML("<b>x</b>"))'])
    assert [c.execution_count for c in cells] == [1, 2, 3]
    assert cells[0].outputs == [{"output_type": "stream", "name": "stdout", "text": "20\n"}]
    assert cells[1].outputs[0].output_type == "execute_result" and cells[1].outputs[0].data["text/plain"] == "21"
    assert any("text/html" in o.get("data", {}) for o in cells[2].outputs)


def text(cell, name):
    return "".join(o.text for o in cell.outputs if o.get("name") == name)


def test_streams_in_turns(installed):
    lines = "".join(f"{i}\n" for i in range(5000))
    cells = execute(["for i := range 5000 { fmt.Println(i); fmt.Fprintln(os.Stderr, i) }", 'fmt.Println("next")'])
    assert text(cells[0], "stdout") == lines and text(cells[0], "stderr") == lines
    assert len(cells[0].outputs) <= 200 and text(cells[1], "stdout") == "next\n"


def test_what_goroutines_show_after_their_cell(installed):
    late = "time.Sleep(100 * time.Millisecond)"
    cells = execute([f'go func() {{ {late}; fmt.Println("late"); panic("lost") }}()', "time.Sleep(time.Second)"])
    shown = [text(c, "stdout") + text(c, "stderr") for c in cells]
    assert "late\n" in "".join(shown) and "panic: lost" in "".join(shown)


def test_times_are_recorded(installed):
    begun = datetime.datetime.now(datetime.timezone.utc)
    (cell,) = execute(["time.Sleep(200 * time.Millisecond)"])
    ended = datetime.datetime.now(datetime.timezone.utc)
    t = {k: datetime.datetime.fromisoformat(v) for k, v in cell.metadata.execution.items()}
    assert begun <= t["iopub.status.busy"] <= t["iopub.execute_input"] <= t["shell.execute_reply"] <= ended
    assert (t["shell.execute_reply"] - t["iopub.execute_input"]).total_seconds() >= 0.2


def test_the_first_error_ends_a_run(installed):
    with pytest.raises(nbclient.exceptions.CellExecutionError) as e:
        execute(["1", 'panic("that is it")', "2"])
    assert "that is it" in str(e.value)


def test_errors_that_are_expected(installed):
    cells = execute([('panic("first")', ["raises-exception"]), "x := 1"])
    assert cells[0].outputs[-1].output_type == "error" and cells[1].execution_count == 2
    cells = execute(['panic("first")', "1 + 1"], allow_errors=True)
    assert cells[0].outputs[-1].output_type == "error" and cells[1].outputs[0].data["text/plain"] == "2"
    cells = execute(["undefinedName", "1 + 1"], allow_error_names=["CompileError"])
    assert cells[1].outputs[0].data["text/plain"] == "2"


def test_a_cell_that_takes_too_long_is_interrupted(installed):
    cells = execute(["kept := 1", "for {}", "kept"], timeout=None, timeout_func=lambda cell: 1 if cell.source == "for {}" else PATIENCE,
                    interrupt_on_timeout=True, allow_errors=True)
    assert cells[1].outputs[-1].ename == "Interrupt"
    assert cells[2].outputs[0].data["text/plain"] == "1"


def test_questions_to_the_user_do_not_hang(installed):
    execute(["var name string\nfmt.Scanln(&name)"], allow_errors=True)


@pytest.mark.parametrize("path", sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "notebooks").rglob("*.ipynb")))
def test_shipped_notebook(installed, path):
    nb = nbformat.read(ROOT / path, as_version=4)
    assert nb.metadata.kernelspec.name == "gaucho" and nb.metadata.language_info.name == "go"
    for cell in nb.cells:
        if "parameters" in cell.metadata.get("tags", []):
            cell.source = cell.source.replace('size := "default"', 'size := "small"')
    nbclient.NotebookClient(nb, timeout=600, resources={"metadata": {"path": (ROOT / path).parent}}).execute()
    nbformat.validate(nb)
    outputs = [o for c in nb.cells if c.cell_type == "code" for o in c.outputs]
    assert not [o for o in outputs if o.output_type == "stream" and o.name == "stderr"]
    assert [o for o in outputs if {"image/png", "image/svg+xml"} & set(o.get("data", {}))], "no figure in it"


WIDGETS = [
    'n := widgets.NewIntSlider("n", 0, 9, 3)\nn',
    'widgets.Interact(func(x float64) any { return plotting.New("", "", "").Func("", func(t float64) float64 { return x * t }, 0, 1) })',
    "n.SetValue(7);",
]


def check_widgets(nb):
    """The notebook holds the widgets that it shows, as they were in the end, and what they drew."""
    states = nb["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    shown = [o["data"]["application/vnd.jupyter.widget-view+json"]["model_id"] for c in nb["cells"] for o in c["outputs"]]
    assert [states[i]["model_name"] for i in shown] == ["IntSliderModel", "VBoxModel"]
    assert states[shown[0]]["state"]["value"] == 7
    (output,) = [s for s in states.values() if s["model_name"] == "OutputModel"]
    assert "image/png" in output["state"]["outputs"][0]["data"]
    assert {s["model_module_version"] for s in states.values()} == {"2.0.0", "1.0.0"}
    # For viewers that know no widgets the figure stands beside them.
    assert "image/png" in nb["cells"][1]["outputs"][0]["data"]


def test_widgets_are_stored(installed):
    nb = nbformat.v4.new_notebook(metadata=METADATA, cells=[nbformat.v4.new_code_cell(c) for c in WIDGETS])
    nbclient.NotebookClient(nb, kernel_name="gaucho", timeout=PATIENCE).execute()
    nbformat.validate(nb)
    check_widgets(nb)


def test_widgets_are_stored_by_gaucho_run(binary, tmp_path):
    nb = nbformat.v4.new_notebook(metadata=METADATA, cells=[nbformat.v4.new_code_cell(c) for c in WIDGETS])
    source, out = tmp_path / "in.ipynb", tmp_path / "out.ipynb"
    nbformat.write(nb, source)
    subprocess.run([binary, "run", source, "-o", out], check=True, timeout=PATIENCE)
    check_widgets(nbformat.read(out, 4))
