"""An assignment's whole life in nbgrader: made from one source, released, handed in, graded, given back."""

import os
import pathlib
import shutil
import subprocess
import sys

import nbformat
import pytest
from conftest import PATIENCE, ROOT
from nbgrader.api import Gradebook
from test_nbclient import METADATA

SOLUTION = """// Mean returns the mean of xs.
func Mean(xs []float64) float64 {
	// BEGIN SOLUTION
	return floats.Sum(xs) / float64(len(xs))
	// END SOLUTION
}"""
OPEN_TEST = """if m := Mean([]float64{1, 2, 3}); m != 2 {
	panic(fmt.Sprintf("the mean of 1, 2, 3 is 2, not %v", m))
}"""
HIDDEN_TEST = """fmt.Println("more than one number")
// BEGIN HIDDEN TESTS
if m := Mean([]float64{-1, 1}); m != 0 {
	panic("wrong for negative numbers")
}
// END HIDDEN TESTS"""
AUTO_TEST = "/// AUTOTEST Mean([]float64{4, 6}); [2]int{1, 2}\n// HASHED AUTOTEST fmt.Sprint(Mean([]float64{1, 2}), `\"q\"`)"


def cell(source, id, points=None):
    solution = points is None
    grader = {"schema_version": 3, "grade": not solution, "solution": solution, "locked": not solution, "task": False, "grade_id": id}
    if points is not None:
        grader["points"] = points
    return nbformat.v4.new_code_cell(source, metadata={"nbgrader": grader})


def nbgrader(course, *args):
    done = subprocess.run([sys.executable, "-m", "nbgrader", *args], cwd=course, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module", autouse=True)
def active():
    """The environment is on the path, as when it is active: nbgrader starts a program of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]]))
        yield


@pytest.fixture(scope="module")
def course(installed, binary, tmp_path_factory):
    """A course with one assignment, generated: what students get is in its release folder."""
    dir = tmp_path_factory.mktemp("course")
    subprocess.run([binary, "install", "--nbgrader", dir], check=True, timeout=PATIENCE)
    nb = nbformat.v4.new_notebook(metadata=METADATA)
    nb.cells = [
        cell(SOLUTION, "mean"), cell(OPEN_TEST, "open", 1), cell(HIDDEN_TEST, "hidden", 2),
        cell(AUTO_TEST.replace("///", "// ###").replace("// HASHED", "// ### HASHED"), "auto", 4),
    ]
    source = dir / "source" / "ps1"
    source.mkdir(parents=True)
    nbformat.write(nb, source / "mean.ipynb")
    nbgrader(dir, "generate_assignment", "ps1")
    return dir


def submit(course, student, change=lambda nb: None):
    folder = course / "submitted" / student / "ps1"
    shutil.copytree(course / "release" / "ps1", folder)
    nb = nbformat.read(folder / "mean.ipynb", as_version=4)
    change(nb)
    nbformat.write(nb, folder / "mean.ipynb")


def put(text):
    def change(nb):
        nb.cells[0].source = text
    return change


def score(course, student):
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        return {g.name: g.score for g in book.find_submission_notebook("mean", "ps1", student).grades}


def test_the_release_has_no_solutions(course):
    nb = nbformat.read(course / "release" / "ps1" / "mean.ipynb", as_version=4)
    assert nb.cells[0].source.split("\n")[2:4] == ["\t// YOUR CODE HERE", '\tpanic("not implemented")']
    assert "negative" not in nb.cells[2].source and "HIDDEN" not in nb.cells[2].source
    assert 'got != "5"' in nb.cells[3].source and 'got != "[1 2]"' in nb.cells[3].source
    assert "AUTOTEST" not in nb.cells[3].source and "1.5" not in nb.cells[3].source  # hashed


def test_grading(course, binary):
    submit(course, "ada", put(SOLUTION))
    submit(course, "bob")  # handed in as it came
    submit(course, "eve", put("func Mean(xs []float64) float64 { return 2 }"))  # right for the open test only
    submit(course, "max", put("func Mean(xs []float64 float64 {"))  # does not compile
    nbgrader(course, "autograde", "ps1", "--create")
    assert score(course, "ada") == {"open": 1, "hidden": 2, "auto": 4}
    assert score(course, "bob") == {"open": 0, "hidden": 0, "auto": 0}
    assert score(course, "eve") == {"open": 1, "hidden": 0, "auto": 0}
    assert score(course, "max") == {"open": 0, "hidden": 0, "auto": 0}


def test_feedback(course):
    nbgrader(course, "generate_feedback", "ps1")
    page = (course / "feedback" / "eve" / "ps1" / "mean.html").read_text()
    assert "wrong for negative numbers" in page
    assert "not implemented" in (course / "feedback" / "bob" / "ps1" / "mean.html").read_text()


def test_the_course(course):
    """Our assignments in nbgrader, all eight as one: handed in as their sources have them, they get all points, and as
    released none; and there is feedback on each."""
    sources = sorted((ROOT / "notebooks" / "course").glob("*.ipynb"))
    folder = course / "source" / "course"
    folder.mkdir()
    for notebook in sources:
        shutil.copy(notebook, folder)
    shutil.copytree(ROOT / "notebooks" / "course" / "data", folder / "data")
    nbgrader(course, "generate_assignment", "course")
    for student, step in ("ada", "source"), ("bob", "release"):
        shutil.copytree(course / step / "course", course / "submitted" / student / "course")
    nbgrader(course, "autograde", "course", "--create")
    nbgrader(course, "generate_feedback", "course")
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        for notebook in sources:
            ada, bob = (book.find_submission_notebook(notebook.stem, "course", s) for s in ("ada", "bob"))
            wrong = [(g.name, g.score, g.max_score) for g in ada.grades if g.score != g.max_score]
            assert not wrong and ada.score > 0 and bob.score == 0, (notebook.stem, wrong, bob.score)
            assert (course / "feedback" / "bob" / "course" / f"{notebook.stem}.html").read_text().count("not implemented") > 3
