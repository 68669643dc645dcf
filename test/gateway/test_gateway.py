"""A whole Jupyter Enterprise Gateway, which starts kernels by gaucho launch on this machine as it does on others."""

import json
import os
import pathlib
import socket
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
from lab.server import stop, wait_for, wait_for_answer  # noqa: E402

GAUCHO = os.environ.get("GAUCHO", str(ROOT / "gaucho"))
PATIENCE = 240

SPEC = {
    "display_name": "Go by the gateway", "language": "go", "interrupt_mode": "message",
    "metadata": {"process_proxy": {
        "class_name": "enterprise_gateway.services.processproxies.distributed.DistributedProcessProxy", "config": {"remote_hosts": socket.gethostname()},
    }},
    "argv": [GAUCHO, "launch", "--kernel-id", "{kernel_id}", "--port-range", "{port_range}",
             "--response-address", "{response_address}", "--public-key", "{public_key}"],
}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    """The gateway's address."""
    place = tmp_path_factory.mktemp("gateway")
    kernel = place / "share" / "jupyter" / "kernels" / "go_gateway"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(json.dumps(SPEC))
    with socket.create_server(("127.0.0.1", 0)) as s, socket.create_server(("127.0.0.1", 0)) as r:
        port, response = s.getsockname()[1], r.getsockname()[1]
    env = {**os.environ, "JUPYTER_PATH": f"{place}/share/jupyter", "JUPYTER_RUNTIME_DIR": f"{place}/runtime", "EG_KERNEL_LOG_DIR": str(place),
           "EG_RESPONSE_PORT": str(response), "EG_KERNEL_LAUNCH_TIMEOUT": "120"}
    with open(place / "log", "w") as log:
        process = subprocess.Popen([sys.executable, "-m", "enterprise_gateway", "--EnterpriseGatewayApp.ip=127.0.0.1", f"--EnterpriseGatewayApp.port={port}",
                                    "--EnterpriseGatewayApp.port_retries=0"], env=env, cwd=place, stdout=log, stderr=subprocess.STDOUT)
    try:
        wait_for_answer(process, f"http://127.0.0.1:{port}/api", place / "log")
        yield f"127.0.0.1:{port}"
    finally:
        for file in [place / "log", *place.glob("kernel-*.log")]:
            print(file.read_text()[-3000:])
        stop(process, psutil.Process(process.pid).children(recursive=True) if process.poll() is None else [])


class Client:
    def __init__(self, gateway):
        self.api = f"{gateway}/api/kernels"
        r = requests.post(f"http://{self.api}", json={"name": "go_gateway", "env": {"KERNEL_USERNAME": "ada"}}, timeout=PATIENCE)
        assert r.ok, r.text
        self.id = r.json()["id"]
        self.connect()

    def connect(self):
        self.ws = websocket.create_connection(f"ws://{self.api}/{self.id}/channels", timeout=PATIENCE)

    def send(self, code):
        msg_id = uuid.uuid4().hex
        header = {"msg_id": msg_id, "msg_type": "execute_request", "session": uuid.uuid4().hex, "username": "ada", "version": "5.3", "date": "2026-01-01T00:00:00Z"}
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
        self.ws.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content, "buffers": [], "channel": "shell"}))
        return msg_id

    def messages(self, msg_id):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            m = json.loads(self.ws.recv())
            if m["parent_header"].get("msg_id") == msg_id:
                yield m
        raise AssertionError(f"waited {PATIENCE} s for messages of a cell")

    def outcome(self, msg_id):
        """What a cell shows as text, and its error."""
        text, reply, idle = "", None, False
        for m in self.messages(msg_id):
            if m["msg_type"] == "execute_reply":
                reply = m["content"]
            elif m["msg_type"] == "status":
                idle = m["content"]["execution_state"] == "idle"
            else:
                text += m["content"].get("text", "") + m["content"].get("data", {}).get("text/plain", "")
            if reply and idle:
                return text, reply.get("ename")

    def run(self, code):
        return self.outcome(self.send(code))

    def post(self, what):
        r = requests.post(f"http://{self.api}/{self.id}/{what}", timeout=PATIENCE)
        assert r.ok, r.text


def test_cells_interrupt_restart_end(gateway):
    k = Client(gateway)
    assert k.run("x := 6\nx * 7") == ("42", None)
    running = k.send('fmt.Println("begun")\nfor {}')
    next(m for m in k.messages(running) if m["msg_type"] == "stream")
    k.post("interrupt")
    assert k.outcome(running)[1] == "Interrupt"
    assert k.run("x") == ("6", None)
    k.post("restart")
    k.ws.close()
    k.connect()
    assert k.run("x")[1] == "CompileError"
    pid = int(k.run("os.Getppid()")[0])
    assert requests.delete(f"http://{k.api}/{k.id}", timeout=PATIENCE).status_code == 204
    wait_for(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE, "the end of the kernel")
