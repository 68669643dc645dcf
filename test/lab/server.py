"""A JupyterLab server on the loopback interface, in a folder of its own, with Gaucho's kernelspec; and what other servers need."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def wait_for(get, what, seconds=240):
    """Waits until get() is true, and returns it."""
    end = time.monotonic() + seconds
    while not (found := get()):
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.02)
    return found


def free_ports(n):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_for_answer(process, url, log):
    """Waits until a server that was just started answers. If it ends first, its log is the error."""

    def answers():
        assert process.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(url, timeout=10).close()
            return True
        except OSError:
            return False

    wait_for(answers, url)


def serve(module, flags, env, log):
    """Starts a Jupyter server at a port that is free; returns its process, and its address once it answers there."""
    with open(log, "w") as f:
        process = subprocess.Popen(
            [sys.executable, "-m", module, "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0",
             "--ServerApp.port_retries=0", *flags],
            env=env, cwd=pathlib.Path(log).parent, stdout=f, stderr=subprocess.STDOUT,
        )
    told = pathlib.Path(env["JUPYTER_RUNTIME_DIR"]) / f"jpserver-{process.pid}.json"
    deadline = time.monotonic() + 240
    while True:
        try:
            address = f"127.0.0.1:{json.loads(told.read_text())['port']}"
            urllib.request.urlopen(f"http://{address}/api", timeout=60).close()
            return process, address
        except (OSError, ValueError):  # not written, not whole, or not listening yet
            if process.poll() is not None or time.monotonic() > deadline:
                stop(process)
                raise RuntimeError(f"{module} does not answer after 240 s, or has ended:\n" + pathlib.Path(log).read_text())
            time.sleep(0.1)


def stop(process, children=()):
    """Ends a server, by force if it does not go, and those of its children that stay."""
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(30)
    for child in children:
        if child.is_running():
            child.kill()


class Server:
    """Serves copies of notebooks from root. The user's settings, workspaces and history stay untouched."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.gaucho = os.environ.get("GAUCHO", str(ROOT / "gaucho"))
        self.process = None
        self.url = None

    def start(self):
        state = self.root / ".state"
        work = self.root / "work"
        work.mkdir(parents=True)
        shutil.copytree(HERE / "settings", state / "settings")
        subprocess.run([self.gaucho, "install", "--prefix", str(state)], check=True, stdout=subprocess.DEVNULL, timeout=120)
        env = dict(
            os.environ,
            JUPYTER_PATH=str(state / "share" / "jupyter"),
            JUPYTER_CONFIG_DIR=str(state / "config"),
            JUPYTER_DATA_DIR=str(state / "data"),
            JUPYTER_RUNTIME_DIR=str(state / "runtime"),
            JUPYTERLAB_SETTINGS_DIR=str(state / "settings"),
            JUPYTERLAB_WORKSPACES_DIR=str(state / "workspaces"),
            GAUCHO_HISTORY="off",
        )
        self.process, address = serve(
            "jupyterlab",
            ["--expose-app-in-browser", f"--ServerApp.root_dir={work}", "--IdentityProvider.token=",
             "--PasswordIdentityProvider.hashed_password=", "--LabApp.news_url="],
            env, self.root / "jupyterlab.log",
        )
        self.url = f"http://{address}"
        self.work = work
        return self

    def stop(self):
        stop(self.process)
