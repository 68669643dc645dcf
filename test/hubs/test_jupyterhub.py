"""JupyterHub with its proxy and two users at once, on the loopback interface: cells, restarts, a memory limit, and culling."""

import json
import os
import pathlib
import secrets
import shutil
import subprocess
import sys
import time
import uuid

import psutil
import pytest
import requests
import websocket

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test"))
from lab.server import free_ports, stop, wait_for, wait_for_answer  # noqa: E402

GAUCHO = os.environ.get("GAUCHO", str(ROOT / "gaucho"))
PROXY = next(filter(None, [shutil.which("configurable-http-proxy", path=ROOT / ".venv-hubs/node_modules/.bin"), shutil.which("configurable-http-proxy")]), None)
PATIENCE = 240
TOKEN = secrets.token_hex(16)
CULLED = 20  # seconds

CONFIG = """
c.JupyterHub.bind_url = "http://127.0.0.1:{ports[0]}"
c.JupyterHub.hub_port = {ports[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
c.ConfigurableHTTPProxy.command = ["{proxy}"]
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.JupyterHub.services = [{{"name": "tests", "api_token": "{token}"}}]
c.JupyterHub.load_roles = [{{"name": "tests", "services": ["tests"], "scopes": ["admin:users", "admin:servers", "access:servers"]}}]
c.Spawner.mem_limit = "512M"
c.Spawner.http_timeout = c.Spawner.start_timeout = {patience}
c.Spawner.cmd = ["{python}", "-m", "jupyterhub.singleuser"]
c.Spawner.args = ["--allow-root", "--MappingKernelManager.cull_idle_timeout={culled}", "--MappingKernelManager.cull_interval=2",
                  "--MappingKernelManager.cull_connected=True"]
c.Spawner.env_keep = ["PATH", "JUPYTER_PATH", "JUPYTER_PLATFORM_DIRS"]
"""


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """A hub's address."""
    if not PROXY:
        pytest.skip("configurable-http-proxy is not here: npm install --prefix .venv-hubs configurable-http-proxy")
    place = tmp_path_factory.mktemp("hub")
    subprocess.run([GAUCHO, "install", "--prefix", place], check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
    ports = free_ports(3)
    (place / "config.py").write_text(CONFIG.format(ports=ports, proxy=PROXY, token=TOKEN, patience=PATIENCE, python=sys.executable, culled=CULLED))
    env = {**os.environ, "JUPYTER_PATH": f"{place}/share/jupyter", "JUPYTER_PLATFORM_DIRS": "1", "CONFIGPROXY_AUTH_TOKEN": secrets.token_hex(16)}
    with open(place / "log", "w") as log:
        process = subprocess.Popen([sys.executable, "-m", "jupyterhub", "-f", "config.py"], cwd=place, env=env, stdout=log, stderr=subprocess.STDOUT)
    address = f"127.0.0.1:{ports[0]}"
    try:
        wait_for_answer(process, f"http://{address}/hub/api/", place / "log")
        yield address
    finally:
        print((place / "log").read_text()[-5000:])
        stop(process, psutil.Process(process.pid).children(recursive=True))


class User:
    """A user with a server of their own, and a kernel in it."""

    def __init__(self, hub, name):
        self.hub, self.name = hub, name
        self.headers = {"Authorization": f"token {TOKEN}"}
        self.api = f"{hub}/user/{name}/api"
        self.ask("POST", f"{hub}/hub/api/users/{name}")
        self.ask("POST", f"{hub}/hub/api/users/{name}/server")

    def ask(self, method, url, **body):
        r = requests.request(method, f"http://{url}", headers=self.headers, json=body or None, timeout=PATIENCE)
        assert r.ok, f"{method} {url}: {r.status_code} {r.text[:500]}"
        return r.json() if r.content else None

    def begin(self):
        """Waits for the server and starts a kernel."""
        wait_for(lambda: self.ask("GET", f"{self.hub}/hub/api/users/{self.name}")["servers"].get("", {}).get("ready"), f"{self.name}'s server")
        self.kernel = self.ask("POST", f"{self.api}/kernels", name="gaucho")["id"]
        self.connect()
        return self

    def connect(self):
        self.ws = websocket.create_connection(f"ws://{self.api}/kernels/{self.kernel}/channels", header=[f"Authorization: token {TOKEN}"], timeout=PATIENCE)

    def send(self, code):
        msg_id = uuid.uuid4().hex
        header = {"msg_id": msg_id, "msg_type": "execute_request", "session": uuid.uuid4().hex, "username": self.name, "version": "5.3", "date": "2026-01-01T00:00:00Z"}
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
        self.ws.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content, "buffers": [], "channel": "shell"}))
        return msg_id

    def outcome(self, msg_id):
        """What a cell shows as text, and its error."""
        text, reply, idle = "", None, False
        end = time.monotonic() + PATIENCE
        while reply is None or not idle:
            assert time.monotonic() < end, f"waited for the end of {self.name}'s cell"
            m = json.loads(self.ws.recv())
            if m["parent_header"].get("msg_id") != msg_id:
                continue
            if m["msg_type"] == "execute_reply":
                reply = m["content"]
            elif m["msg_type"] == "status":
                idle = m["content"]["execution_state"] == "idle"
            else:
                text += m["content"].get("text", "") + m["content"].get("data", {}).get("text/plain", "")
        return text, reply.get("evalue")

    def run(self, code):
        return self.outcome(self.send(code))


@pytest.fixture(scope="module")
def users(hub):
    """Two users whose servers start at once."""
    return [u.begin() for u in [User(hub, "ada"), User(hub, "emmy")]]


def test_two_users_at_once(users):
    """Both run at the same time, each with names and a history of their own."""
    ada, emmy = users
    wait = 'for { if time.Now().UnixMilli() > %d { break }; time.Sleep(time.Millisecond) }\n' % (1000 * time.time() + 3000)
    ids = [u.send(f'{wait}who := "{u.name}"\nwho') for u in users]
    for u, msg_id in zip(users, ids):
        assert u.outcome(msg_id) == (f'"{u.name}"', None)
    assert ada.run("who") == ('"ada"', None) and emmy.run("who") == ('"emmy"', None)


def test_a_restart_concerns_one(users):
    ada, emmy = users
    ada.run("x := 1")
    emmy.run("x := 2")
    ada.ask("POST", f"{ada.api}/kernels/{ada.kernel}/restart")
    ada.ws.close()
    ada.connect()
    assert "undefined: x" in ada.run("x")[1]
    assert emmy.run("x") == ("2", None)


def test_a_cell_that_uses_too_much_memory(users):
    """The kernel ends it, in words, before the hub ends the server; the other user notices nothing."""
    ada, emmy = users
    assert ada.run('os.Getenv("MEM_LIMIT")') == (f'"{512 << 20}"', None)
    _, why = ada.run("var all [][]byte\nfor { b := make([]byte, 1<<20); for i := 0; i < len(b); i += 4096 { b[i] = 1 }; all = append(all, b) }")
    assert "80% of the 512 MB that this server may use by MEM_LIMIT" in why
    assert ada.run("6 * 7") == ("42", None) and emmy.run("6 * 7") == ("42", None)


def test_culling(users):
    """The kernel of who does nothing ends, and that of who works does not."""
    ada, emmy = users
    emmy.send("for { time.Sleep(time.Second) }")
    wait_for(lambda: not ada.ask("GET", f"{ada.api}/kernels"), "the end of an idle kernel")
    (left,) = emmy.ask("GET", f"{emmy.api}/kernels")
    assert left["id"] == emmy.kernel and left["execution_state"] == "busy"


def test_a_server_that_ends_leaves_nothing(users):
    emmy = users[1]
    workers = [p for p in psutil.process_iter(["environ"]) if (p.info["environ"] or {}).get("JUPYTERHUB_USER") == "emmy"]
    assert len(workers) >= 3  # the server, the kernel, its worker
    emmy.ask("DELETE", f"{emmy.hub}/hub/api/users/emmy/server")
    wait_for(lambda: all(not p.is_running() or p.status() == psutil.STATUS_ZOMBIE for p in workers), "the end of the server and its kernels")
