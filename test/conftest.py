"""The built kernel, installed as Jupyter would find it, and clients for it.

GAUCHO names a binary to test in place of one built from this checkout.
"""

import contextlib
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

from lab.chromium import left_out  # noqa: F401: tests import it from here, and what is in the next line
from lab.server import ROOT, wait_for  # noqa: F401

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

# For how many seconds a test waits for one thing, on a machine however busy, and for how many it may last.
PATIENCE = 120
LONGEST = 2400


def pytest_sessionfinish(session):
    shutil.rmtree(SCRATCH, ignore_errors=True)


@contextlib.contextmanager
def deadline(what, seconds):
    """Fails what runs within it for longer: where it waits is in the traceback."""

    def expire(*_):
        raise TimeoutError(f"{what} has not ended after {seconds} s")

    before, left = signal.signal(signal.SIGALRM, expire), signal.alarm(seconds)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, before)
        signal.alarm(left)  # of the deadline around this one, if there is one


# Waits have deadlines of their own; this one is for libraries that wait for ever.
@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    with deadline(f"the setup of {item.nodeid}", LONGEST):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    with deadline(item.nodeid, LONGEST):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    with deadline(f"the teardown of {item.nodeid}", LONGEST):
        return (yield)


def build(package, name):
    """Builds a Go program of this checkout and returns its path."""
    out = SCRATCH / name
    subprocess.run(["go", "build", "-o", out, package], cwd=ROOT, check=True, timeout=900)
    return out


@pytest.fixture(scope="session")
def binary():
    """The gaucho command."""
    return pathlib.Path(os.environ["GAUCHO"]) if "GAUCHO" in os.environ else build(".", "gaucho")


@pytest.fixture(scope="session")
def installed(binary):
    """Gaucho as a kernel that Jupyter finds under the name gaucho."""
    subprocess.run([binary, "install", "--prefix", SCRATCH / "prefix"], check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
    return "gaucho"


class Gate:
    """What a cell waits for and a test opens."""

    def __init__(self, path):
        self.path = path
        name = json.dumps(str(path))
        self.wait = f"for {{ if _, err := os.Stat({name}); err == nil {{ break }}; time.Sleep(time.Millisecond) }}"

    def open(self):
        self.path.touch()


@pytest.fixture
def gate(tmp_path):
    return Gate(tmp_path / "gate")


def parent(message):
    """The id of the request that a message belongs to."""
    return message["parent_header"].get("msg_id")


class Channel:
    """The messages that come on one channel of a client. Those that nobody asks for yet are kept."""

    def __init__(self, name, get):
        self.name, self.get, self.kept = name, get, []

    def take(self, wanted, what, end):
        """The first message that is wanted, if it comes before the end."""
        for i, m in enumerate(self.kept):
            if wanted(m):
                return self.kept.pop(i)
        while (left := end - time.monotonic()) > 0:
            try:
                m = self.get(timeout=left)
            except queue.Empty:
                break
            if wanted(m):
                return m
            self.kept.append(m)
        kept = [(m["msg_type"], parent(m), str(m["content"])[:100]) for m in self.kept[-10:]]
        raise AssertionError(f"waited on {self.name} for {what}; what came last for others is {kept}")


# What a cell begins with that is to say when it runs.
BEGUN = 'fmt.Println("begun"); '


class Client:
    """A client of a running kernel; kc is jupyter_client's."""

    def __init__(self, kc):
        self.kc = kc
        kc.start_channels()
        kc.wait_for_ready(timeout=PATIENCE)
        gets = {"shell": kc.get_shell_msg, "iopub": kc.get_iopub_msg, "stdin": kc.get_stdin_msg, "control": kc.get_control_msg}
        self.channels = {name: Channel(name, get) for name, get in gets.items()}

    def stop(self):
        self.kc.stop_channels()

    def send(self, kind, content, channel="shell", subshell=None):
        """Sends any request and returns its id."""
        msg = self.kc.session.msg(kind, content)
        if subshell is not None:
            msg["header"]["subshell_id"] = subshell
        getattr(self.kc, f"{channel}_channel").send(msg)
        return msg["header"]["msg_id"]

    def reply(self, msg_id, channel="shell", timeout=PATIENCE):
        """The reply to a request."""
        return self.channels[channel].take(lambda m: parent(m) == msg_id, f"the reply to {msg_id}", time.monotonic() + timeout)

    def replies(self, ids, timeout=PATIENCE):
        """The replies to requests, in the order in which they come."""
        end = time.monotonic() + timeout
        left, got = set(ids), []
        while left:
            got.append(self.channels["shell"].take(lambda m: parent(m) in left, f"replies to {len(left)} requests", end))
            left.remove(parent(got[-1]))
        return got

    def published(self, msg_id, kind, timeout=PATIENCE):
        """The next message of a kind that is published for a request."""
        end = time.monotonic() + timeout
        return self.channels["iopub"].take(lambda m: parent(m) == msg_id and m["msg_type"] == kind, f"{kind} of {msg_id}", end)

    def outputs(self, msg_id, timeout=PATIENCE):
        """What is published for a request until it is idle, without statuses."""
        end = time.monotonic() + timeout
        out = []
        while True:
            m = self.channels["iopub"].take(lambda m: parent(m) == msg_id, f"idle after {msg_id}", end)
            if m["msg_type"] != "status":
                out.append(m)
            elif m["content"]["execution_state"] == "idle":
                return out

    def begun(self, msg_id):
        """Waits until a cell runs that starts with BEGUN, and returns its id."""
        while "begun" not in self.published(msg_id, "stream")["content"]["text"]:
            pass
        return msg_id

    def begin(self, code):
        """Starts a cell and returns its id when it runs. It also prints that it does."""
        return self.begun(self.kc.execute(BEGUN + code))

    def question(self):
        """The next question that a cell asks the user."""
        return self.channels["stdin"].take(lambda m: m["msg_type"] == "input_request", "a question", time.monotonic() + PATIENCE)["content"]

    def run(self, code, timeout=PATIENCE, **options):
        """Runs a cell and returns the content of its reply and what was published."""
        msg_id = self.kc.execute(code, **options)
        reply = self.reply(msg_id, timeout=timeout)
        return reply["content"], self.outputs(msg_id, timeout=timeout)

    def ask(self, kind, content, channel="shell"):
        """Sends any request and returns the content of its reply."""
        msg_id = self.send(kind, content, channel)
        reply = self.reply(msg_id, channel)
        self.outputs(msg_id)
        return reply["content"]


class Kernel(Client):
    """A running kernel and one client of it."""

    def __init__(self, name="gaucho", env=None, stderr=None, **manager):
        from jupyter_client.manager import KernelManager

        self.km = KernelManager(kernel_name=name, **manager)
        self.km.start_kernel(env={**os.environ, **(env or {})}, stderr=stderr)
        try:
            super().__init__(self.km.client())
        except BaseException:
            self.km.shutdown_kernel(now=True)
            raise

    def close(self):
        self.stop()
        if self.km.has_kernel:
            self.km.shutdown_kernel(now=False)
        self.km.cleanup_resources()

    def restart(self):
        """Restarts the kernel, with a new client: the old one may still hear the old kernel's last words."""
        self.stop()
        self.km.restart_kernel(now=False)
        super().__init__(self.km.client())

    def client(self):
        """Another client of the same kernel. Its session is its own, as the session's name is that of its sockets: of two with
        one name, each takes the place of the other whenever it connects, and what was on its way is lost."""
        from jupyter_client.session import Session

        mine = self.km.session
        return Client(self.km.client(session=Session(key=mine.key, signature_scheme=mine.signature_scheme)))


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
