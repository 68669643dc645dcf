"""The built kernel, installed as Jupyter would find it, and clients for it.

GAUCHO names a binary to test in place of one built from this checkout.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Clients look for kernels, and kernels for the user's files, in places of the tests' own. This stands at the top
# since the Jupyter libraries read some of it when they are imported.
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="gaucho-test-"))
os.environ.update(
    JUPYTER_PATH=str(SCRATCH / "prefix" / "share" / "jupyter"),
    JUPYTER_RUNTIME_DIR=str(SCRATCH / "runtime"),
    JUPYTER_CONFIG_DIR=str(SCRATCH / "config"),
    JUPYTER_DATA_DIR=str(SCRATCH / "data"),
    IPYTHONDIR=str(SCRATCH / "ipython"),
    GAUCHO_HISTORY=str(SCRATCH / "history.jsonl"),
    JUPYTER_PLATFORM_DIRS="1",
)
os.environ.pop("JPY_SESSION_NAME", None)


def pytest_sessionfinish(session):
    shutil.rmtree(SCRATCH, ignore_errors=True)


def build(package, name):
    """Builds a Go program of this checkout and returns its path."""
    out = SCRATCH / name
    subprocess.run(["go", "build", "-o", out, package], cwd=ROOT, check=True)
    return out


@pytest.fixture(scope="session")
def binary():
    """The gaucho command."""
    return pathlib.Path(os.environ["GAUCHO"]) if "GAUCHO" in os.environ else build(".", "gaucho")


@pytest.fixture(scope="session")
def installed(binary):
    """Gaucho as a kernel that Jupyter finds under the name gaucho."""
    subprocess.run([binary, "install", "--prefix", SCRATCH / "prefix"], check=True, stdout=subprocess.DEVNULL)
    return "gaucho"


class Kernel:
    """A running kernel and one client of it."""

    def __init__(self, name="gaucho", env=None, stderr=None, **manager):
        from jupyter_client.manager import KernelManager

        self.km = KernelManager(kernel_name=name, **manager)
        self.km.start_kernel(env={**os.environ, **(env or {})}, stderr=stderr)
        self.kc = self.km.client()
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=60)

    def close(self):
        self.kc.stop_channels()
        if self.km.has_kernel:
            self.km.shutdown_kernel(now=False)
        self.km.cleanup_resources()

    def client(self):
        """Another client of the same kernel."""
        kc = self.km.client()
        kc.start_channels()
        kc.wait_for_ready(timeout=60)
        return kc

    def reply(self, msg_id, channel="shell", timeout=60):
        """The reply to a request, and no other."""
        deadline = time.monotonic() + timeout
        while True:
            get = self.kc.get_shell_msg if channel == "shell" else self.kc.get_control_msg
            m = get(timeout=max(0.01, deadline - time.monotonic()))
            if m["parent_header"].get("msg_id") == msg_id:
                return m

    def outputs(self, msg_id, kc=None, timeout=60):
        """What is published for a request until it is idle, without statuses."""
        deadline = time.monotonic() + timeout
        out = []
        while True:
            m = (kc or self.kc).get_iopub_msg(timeout=max(0.01, deadline - time.monotonic()))
            if m["parent_header"].get("msg_id") != msg_id:
                continue
            if m["msg_type"] == "status":
                if m["content"]["execution_state"] == "idle":
                    return out
            else:
                out.append(m)

    def begin(self, code, **options):
        """Starts a cell and returns its id when it runs."""
        msg_id = self.kc.execute(code, **options)
        while True:
            m = self.kc.get_iopub_msg(timeout=60)
            if m["msg_type"] == "execute_input" and m["parent_header"]["msg_id"] == msg_id:
                time.sleep(0.2)
                return msg_id

    def run(self, code, timeout=60, **options):
        """Runs a cell and returns the content of its reply and what was published."""
        msg_id = self.kc.execute(code, **options)
        reply = self.reply(msg_id, timeout=timeout)
        return reply["content"], self.outputs(msg_id, timeout=timeout)

    def ask(self, kind, content, channel="shell"):
        """Sends any request and returns the content of its reply."""
        msg = self.kc.session.msg(kind, content)
        (self.kc.shell_channel if channel == "shell" else self.kc.control_channel).send(msg)
        reply = self.reply(msg["header"]["msg_id"], channel)
        self.outputs(msg["header"]["msg_id"])
        return reply["content"]


def text(outputs, name="stdout"):
    """All that was printed on a stream."""
    return "".join(m["content"]["text"] for m in outputs if m["msg_type"] == "stream" and m["content"]["name"] == name)


@pytest.fixture
def kernel(installed):
    """A kernel of a test's own."""
    k = Kernel(installed)
    yield k
    k.close()


@pytest.fixture(scope="module")
def shared(installed):
    """A kernel that the tests of one file share; they must not depend on each other."""
    k = Kernel(installed)
    yield k
    k.close()
