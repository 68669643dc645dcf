"""Behind a Jupyter server, as JupyterLab and the notebook see the kernel."""

import json
import os
import time
import uuid

import pytest
import requests
import websocket
from conftest import BEGUN, PATIENCE, SCRATCH, wait_for
from lab.server import serve, stop

TOKEN = "token-of-the-tests"


@pytest.fixture(scope="module")
def server(installed):
    """A Jupyter server with its default limits; the value is its address."""
    env = {k: v for k, v in os.environ.items() if k != "JPY_SESSION_NAME"}
    process, address = serve("jupyter_server", [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={SCRATCH}"], env, SCRATCH / "server.log")
    yield address
    stop(process)


class Notebook:
    """A session of a notebook and its web socket."""

    def __init__(self, address):
        self.rest = f"http://{address}/api"
        self.headers = {"Authorization": f"token {TOKEN}"}
        body = {"path": f"{uuid.uuid4()}.ipynb", "type": "notebook", "name": "", "kernel": {"name": "gaucho"}}
        r = requests.post(f"{self.rest}/sessions", json=body, headers=self.headers, timeout=PATIENCE)
        r.raise_for_status()
        self.kernel = r.json()["kernel"]["id"]
        self.session = uuid.uuid4().hex
        self.channels = f"ws://{address}/api/kernels/{self.kernel}/channels?session_id={self.session}"
        self.connect()

    def connect(self):
        """Opens the web socket; the server answers when messages of the kernel reach it."""
        self.ws = websocket.create_connection(self.channels, header=[f"Authorization: token {TOKEN}"], timeout=PATIENCE)

    def receive(self, what, wanted, timeout=PATIENCE):
        """The next message that is wanted; others are passed over."""
        end, last = time.monotonic() + timeout, None
        while time.monotonic() < end:
            try:
                m = json.loads(self.ws.recv())
            except websocket.WebSocketTimeoutException:
                break
            if wanted(m):
                return m
            last = m
        raise AssertionError(f"waited for {what}; what came last is {last}")

    def state_of(self, msg_id, state):
        """Waits for a state of the kernel that a request brings."""
        self.receive(f"{state} of {msg_id}", lambda m: m["parent_header"].get("msg_id") == msg_id and m["content"].get("execution_state") == state)

    def send(self, kind, content, channel="shell"):
        msg_id = uuid.uuid4().hex
        header = {"msg_id": msg_id, "msg_type": kind, "session": self.session, "username": "", "version": "5.3",
                  "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        self.ws.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content, "buffers": [], "channel": channel}))
        return msg_id

    def run(self, code):
        """Runs a cell and returns its reply and outputs."""
        msg_id = self.send("execute_request", {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True})
        reply, out, idle = None, [], False
        while reply is None or not idle:
            m = self.receive(f"the reply and the idle of {msg_id}", lambda m: m["parent_header"].get("msg_id") == msg_id)
            if m["channel"] == "shell":
                reply = m["content"]
            elif m["msg_type"] == "status":
                idle = m["content"]["execution_state"] == "idle"
            else:
                out.append(m)
        return reply, out

    def begin(self, code):
        """Starts a cell and returns its id when it runs. It also prints that it does."""
        msg_id = self.send("execute_request", {"code": BEGUN + code})
        self.receive(f"the output of {msg_id}", lambda m: m["msg_type"] == "stream" and m["parent_header"]["msg_id"] == msg_id)
        return msg_id

    def state(self):
        return requests.get(f"{self.rest}/kernels/{self.kernel}", headers=self.headers, timeout=PATIENCE).json()["execution_state"]

    def post(self, what):
        r = requests.post(f"{self.rest}/kernels/{self.kernel}/{what}", headers=self.headers, timeout=PATIENCE)
        r.raise_for_status()

    def close(self):
        self.ws.close()
        requests.delete(f"{self.rest}/kernels/{self.kernel}", headers=self.headers, timeout=PATIENCE)


@pytest.fixture
def notebook(server):
    n = Notebook(server)
    yield n
    n.close()


def test_much_output_passes_the_limits_of_the_server_whole(notebook):
    reply, out = notebook.run('line := strings.Repeat("x", 99)\nfor i := 0; i < 40_000; i++ { fmt.Println(line) }')
    text = "".join(m["content"]["text"] for m in out if m["msg_type"] == "stream")
    assert reply["status"] == "ok" and "exceeded" not in text
    assert text == ("x" * 99 + "\n") * 40_000


def test_many_displays_pass_the_limits_of_the_server(notebook):
    reply, out = notebook.run("for i := 0; i < 4_000; i++ { display.Show(i) }")
    assert reply["status"] == "ok"
    assert len([m for m in out if m["msg_type"] == "display_data"]) == 4_000


def test_the_server_sees_busy_and_idle(notebook, gate):
    notebook.run("1")
    msg_id = notebook.begin(gate.wait)
    question = notebook.send("complete_request", {"code": "fmt.Pr", "cursor_pos": 6})
    notebook.state_of(question, "idle")
    m = notebook.receive("a state after the idle of a completion", lambda m: "execution_state" in m["content"])
    assert m["content"]["execution_state"] == "busy" and m["parent_header"]["msg_id"] == msg_id
    # The server itself hears of states by a connection of its own.
    wait_for(lambda: notebook.state() == "busy", "the server to see a busy kernel")
    gate.open()
    notebook.state_of(msg_id, "idle")
    wait_for(lambda: notebook.state() == "idle", "the server to see an idle kernel")


def test_stop_and_restart_buttons(notebook):
    notebook.run("x := 1")
    msg_id = notebook.begin("for {}")
    notebook.post("interrupt")
    m = notebook.receive("the reply to the cell", lambda m: m["channel"] == "shell" and m["parent_header"].get("msg_id") == msg_id)
    assert m["content"]["ename"] == "Interrupt"
    assert notebook.run("x")[1][-1]["content"]["data"]["text/plain"] == "1"
    notebook.post("restart")
    notebook.ws.close()
    notebook.connect()  # as front ends do: the first messages after a restart may pass before the server listens
    assert notebook.run("x")[0]["ename"] == "CompileError"
