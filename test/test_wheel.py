"""The Python package: pip installs it, Jupyter finds its kernel, papermill sets parameters through it."""

import json
import os
import subprocess
import sys
import sysconfig

import nbformat
import pytest
from conftest import PATIENCE, ROOT
from test_nbclient import METADATA


@pytest.fixture(scope="module")
def python(binary, tmp_path_factory):
    """The Python of a new environment in which the wheel is installed, and which borrows the libraries of this one."""
    dir = tmp_path_factory.mktemp("wheel")
    subprocess.run(["go", "run", "./install/wheel", "-o", dir, "-binary", binary], cwd=ROOT, check=True, timeout=900)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", dir / "env"], check=True, timeout=PATIENCE)
    python = dir / "env" / "bin" / "python"
    site = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                          capture_output=True, text=True, check=True, timeout=PATIENCE).stdout.strip()
    with open(os.path.join(site, "borrowed.pth"), "w") as f:
        f.write(sysconfig.get_path("purelib") + "\n")
    [wheel] = dir.glob("*.whl")
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index",
                    "--disable-pip-version-check", wheel], check=True, timeout=PATIENCE)
    return python


def run(python, *args, **more):
    """Runs a command in the environment, which then has no other kernels and no other gaucho than its own."""
    env = {k: v for k, v in os.environ.items() if k not in ("JUPYTER_PATH", "JUPYTER_DATA_DIR")}
    env.update(PATH="/usr/bin:/bin", JUPYTER_DATA_DIR=str(python.parent.parent / "user"))
    done = subprocess.run([python, *args], env=env, capture_output=True, text=True, timeout=600, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_kernel_is_found(python):
    specs = json.loads(run(python, "-m", "jupyter_client.kernelspecapp", "list", "--json"))["kernelspecs"]
    folder = specs["gaucho"]["resource_dir"]
    assert folder.startswith(str(python.parent.parent.resolve())) and os.path.exists(folder + "/logo-svg.svg")
    assert specs["gaucho"]["spec"]["argv"][0].startswith("{resource_dir}")
    assert run(python, "-c", "import gaucho_kernel, subprocess; subprocess.run([gaucho_kernel.binary(), 'version'])").startswith("gaucho ")


PARAMETERS = """n := 3 // how many
bandwidth := 0.5
xs := []float64{1}
title := "none"
var limit float64"""

SHOW = 'fmt.Printf("%T %v, %T %v, %v, %q, %v, %T %v", n, n, bandwidth, bandwidth, xs, title, limit, more, more)'


def test_papermill_sets_parameters(python, tmp_path):
    nb = nbformat.v4.new_notebook(metadata=METADATA)
    nb.cells = [nbformat.v4.new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]}), nbformat.v4.new_code_cell(SHOW)]
    nbformat.write(nb, tmp_path / "in.ipynb")
    values = {"n": 20, "bandwidth": 1, "xs": [2, 3], "title": "5", "limit": float("inf"), "more": {"a": 1.5}}
    script = f"import papermill; inf = float('inf'); papermill.execute_notebook('in.ipynb', 'out.ipynb', {values!r}, progress_bar=False)"
    run(python, "-c", script, cwd=tmp_path)
    out = nbformat.read(tmp_path / "out.ipynb", as_version=4)
    assert out.cells[1].metadata.tags == ["injected-parameters"]
    assert out.cells[2].outputs[0].text == 'int 20, float64 1, [2 3], "5", +Inf, map[string]float64 map[a:1.5]'


def test_papermill_tells_the_parameters(python, tmp_path):
    nb = nbformat.v4.new_notebook(metadata=METADATA)
    nb.cells = [nbformat.v4.new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]})]
    nbformat.write(nb, tmp_path / "in.ipynb")
    told = run(python, "-m", "papermill", "--help-notebook", "in.ipynb", cwd=tmp_path)
    assert "n: int (default 3)" in told and "how many" in told and "limit: float64" in told
