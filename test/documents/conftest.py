"""Documents around notebooks, in an environment of their own: GAUCHO names the program."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GAUCHO = os.environ.get("GAUCHO", str(ROOT / "gaucho"))
PATIENCE = 240

sys.path.insert(0, str(ROOT / "test"))  # for lab


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """Jupyter's directories, of these tests alone, with Gaucho's kernelspec."""
    place = tmp_path_factory.mktemp("jupyter")
    env = {k: v for k, v in os.environ.items() if k != "JPY_SESSION_NAME"} | {
        "JUPYTER_PATH": f"{place}/share/jupyter", "JUPYTER_RUNTIME_DIR": f"{place}/runtime", "JUPYTER_CONFIG_DIR": f"{place}/config",
        "JUPYTER_DATA_DIR": f"{place}/data", "IPYTHONDIR": f"{place}/ipython", "GAUCHO_HISTORY": "off", "JUPYTER_PLATFORM_DIRS": "1",
        "PATH": f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    subprocess.run([GAUCHO, "install", "--prefix", place], check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
    return env


@pytest.fixture
def run(environment):
    """Runs a command and returns what it prints; when it fails, so does the test, with its words."""

    def begin(*command, status=0, cwd=None):
        done = subprocess.run([str(c) for c in command], env=environment, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == status, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    return begin
