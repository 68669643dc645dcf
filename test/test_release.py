"""The wheel that is released: installed where there is neither Go nor a C compiler, its cells are compiled.

    python -m pytest test/test_release.py        makes the wheel, which takes minutes the first time
    WHEEL=dist/NAME.whl python -m pytest test/test_release.py

make test-all runs it.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest
from conftest import PATIENCE, ROOT, Kernel, text
from jupyter_client.kernelspec import KernelSpecManager
from test_installed import LOOP

MB = 1e6


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    if os.environ.get("WHEEL"):
        return pathlib.Path(os.environ["WHEEL"]).resolve()
    dir = tmp_path_factory.mktemp("release")
    subprocess.run(["go", "run", "./install/wheel", "-o", dir], cwd=ROOT, check=True, timeout=2000)
    [file] = dir.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def prefix(wheel, tmp_path_factory):
    """A fresh environment with the wheel."""
    dir = tmp_path_factory.mktemp("env")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", dir], check=True, timeout=PATIENCE)
    subprocess.run([sys.executable, "-m", "pip", "--python", dir / "bin" / "python", "install", "-q", "--no-deps", "--no-index",
                    "--disable-pip-version-check", wheel], check=True, timeout=PATIENCE)
    return dir


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A user who has neither Go nor a C compiler, and has not run Gaucho before."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("GAUCHO_ENGINE", "GOROOT", "GOPATH", "GOCACHE", "CC"):
        monkeypatch.delenv(name, raising=False)
    assert not any(shutil.which(p) for p in ("go", "gcc", "cc", "clang", "ld"))
    return tmp_path


def test_size(wheel):
    """People's links are not fast everywhere, and nothing large is in the wheel but the program."""
    assert wheel.stat().st_size <= 40 * MB
    large = [i for i in zipfile.ZipFile(wheel).infolist() if i.file_size > 1 * MB]
    assert len(large) == 1 and large[0].filename.endswith("/scripts/gaucho"), large
    assert large[0].file_size <= 80 * MB


def test_cells_are_native(prefix, bare):
    specs = KernelSpecManager(kernel_dirs=[str(prefix / "share" / "jupyter" / "kernels")], ensure_native_kernel=False)
    kernel = Kernel("gaucho", kernel_spec_manager=specs)
    try:
        reply, out = kernel.run(LOOP, timeout=PATIENCE)
        assert reply["status"] == "ok", reply
        seconds = float(text(out).splitlines()[-1])
        assert seconds < 1, f"10^8 turns took {seconds} s of a processor"
        reply, out = kernel.run("fmt.Println(mat.Sum(mat.NewDense(1, 2, []float64{3, 4})), exec.Command(`go`).Err)")
        assert reply["status"] == "ok" and text(out).startswith("7 ") and "not found" in text(out)
    finally:
        kernel.close()


def test_the_doctor_says_so(prefix, bare):
    done = subprocess.run([prefix / "bin" / "gaucho", "doctor"], capture_output=True, text=True, timeout=PATIENCE)
    [line] = [l for l in done.stdout.splitlines() if "native engine" in l]
    assert line.startswith("ok") and str(bare / "cache") in line, done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_where_nothing_can_be_executed(prefix, bare):
    """A cache on a file system that is mounted noexec."""
    cache = bare / "cache"
    cache.mkdir()
    script = f"/bin/mount -t tmpfs -o noexec,size=200m tmpfs {cache} && exec {prefix}/bin/gaucho run --engine native {bare}/cell.go"
    (bare / "cell.go").write_text("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(6 * 7) }\n")
    done = subprocess.run(["/usr/bin/unshare", "-m", "/bin/sh", "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "42", done.stderr
