"""Each kernelspec that Gaucho installs, for the user, under a prefix or by pip, starts the engine that its name promises."""

import os
import subprocess

import pytest
from conftest import Kernel, text
from jupyter_client.kernelspec import KernelSpecManager
from test_wheel import python  # noqa: F401 (a fixture)

COMPILES = {"gaucho": True}

# Says how many seconds a processor worked on the loop, so that it does not matter what else the machine does.
LOOP = """
func turns(n int) (sum int) {
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	for i := range n {
		sum += i & 3
	}
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	fmt.Println(time.Duration(after.Utime.Nano() - before.Utime.Nano()).Seconds())
	return sum
}
turns(1e8)"""


@pytest.fixture(params=["user", "prefix", "wheel"])
def kernels(request, binary, tmp_path):
    """The folder of kernelspecs in one of the places where they get installed."""
    if request.param == "wheel":
        return request.getfixturevalue("python").parent.parent / "share" / "jupyter" / "kernels"
    flags = ["--prefix", tmp_path] if request.param == "prefix" else []
    subprocess.run([binary, "install", *flags], check=True, timeout=60, env={**os.environ, "JUPYTER_DATA_DIR": str(tmp_path / "share" / "jupyter")})
    return tmp_path / "share" / "jupyter" / "kernels"


def test_engine(kernels, subtests):
    specs = KernelSpecManager(kernel_dirs=[str(kernels)], ensure_native_kernel=False)
    found = specs.find_kernel_specs()
    assert "gaucho" in found
    for name in found:
        with subtests.test(name):
            k = Kernel(name, kernel_spec_manager=specs)
            try:
                reply, out = k.run(LOOP, timeout=120)
                assert reply["status"] == "ok", reply
                seconds = float(text(out).splitlines()[-1])
                assert (seconds < 1) == COMPILES[name], f"10^8 turns took {seconds} s"
                reply, out = k.run('os.Chdir("/") // where the records in the program are the only ones\nfmt.Println(len(must(reproduction.Read("em-signal")).Kept))')
                assert reply["status"] == "ok" and text(out) == "8\n", (reply, out)
            finally:
                k.close()
