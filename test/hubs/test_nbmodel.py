"""Cells that the Jupyter server runs by itself, with jupyter-server-nbmodel: no page is connected to the kernel while they run."""

import json
import os
import subprocess
import time

import pytest
import requests
from test_jupyterhub import GAUCHO, PATIENCE, TOKEN  # which makes lab known
from lab.server import serve, stop  # isort: skip


@pytest.fixture(scope="module")
def execute(tmp_path_factory):
    """Runs a cell by the server and returns what it answers: status and outputs. Answers are for questions of the cell."""
    place = tmp_path_factory.mktemp("nbmodel")
    subprocess.run([GAUCHO, "install", "--prefix", place], check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
    env = {**os.environ, "JUPYTER_PATH": f"{place}/share/jupyter", "JUPYTER_RUNTIME_DIR": f"{place}/runtime", "JUPYTER_PLATFORM_DIRS": "1"}
    process, address = serve("jupyter_server", [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={place}",
                                                "--ServerApp.jpserver_extensions=jupyter_server_nbmodel=True"], env, place / "log")
    headers = {"Authorization": f"token {TOKEN}"}
    base = f"http://{address}"

    def ask(method, path, **body):
        r = requests.request(method, base + path, headers=headers, json=body or None, timeout=PATIENCE)
        assert r.status_code < 500, f"{method} {path}: {r.status_code} {r.text}"
        return r

    try:
        kernel = ask("POST", "/api/kernels", name="gaucho").json()["id"]

        def run(code, *lines):
            place = ask("POST", f"/api/kernels/{kernel}/execute", code=code).headers["Location"]
            lines = list(lines)
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                r = ask("GET", place)
                if r.status_code == 300:
                    assert lines, f"a question that nobody expects: {r.text}"
                    ask("POST", f"/api/kernels/{kernel}/input", input=lines.pop(0))
                elif r.status_code != 202:
                    result = r.json()
                    return result, json.loads(result["outputs"]) if isinstance(result["outputs"], str) else result["outputs"]
                time.sleep(0.1)
            raise AssertionError(f"waited {PATIENCE} s for the cell")

        yield run
    finally:
        stop(process)


def test_output_and_value(execute):
    result, outputs = execute('for i := range 3 { fmt.Println("line", i); time.Sleep(100 * time.Millisecond) }\nplotting.Scatter([]float64{1, 2}, []float64{3, 4})')
    assert result["status"] == "ok"
    assert "".join(o["text"] for o in outputs if o["output_type"] == "stream") == "line 0\nline 1\nline 2\n"
    (figure,) = [o for o in outputs if o["output_type"] == "execute_result"]
    assert "image/png" in figure["data"] or "image/svg+xml" in figure["data"]


def test_names_last_and_errors_are_errors(execute):
    execute("x := 6")
    _, outputs = execute("x * 7")
    assert outputs[0]["data"]["text/plain"] == "42"
    result, outputs = execute('panic("a bad day")')
    assert result["status"] == "error" and outputs[-1]["output_type"] == "error" and outputs[-1]["evalue"] == "a bad day"


def test_a_cell_that_asks(execute):
    result, outputs = execute('var name string\nfmt.Print("name? ")\nfmt.Scanln(&name)\n"hello, " + name', "Ada")
    assert result["status"] == "ok" and outputs[-1]["data"]["text/plain"] == '"hello, Ada"'
