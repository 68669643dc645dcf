"""A JupyterLab server on the loopback interface, in a folder of its own, with Gaucho's kernelspec."""

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
        subprocess.run([self.gaucho, "install", "--prefix", str(state)], check=True, stdout=subprocess.DEVNULL)
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
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
        self.log = open(self.root / "jupyterlab.log", "w")
        self.process = subprocess.Popen(
            [
                sys.executable, "-m", "jupyterlab",
                "--no-browser", "--allow-root", "--expose-app-in-browser",
                "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
                f"--ServerApp.root_dir={work}",
                "--IdentityProvider.token=", "--PasswordIdentityProvider.hashed_password=",
                "--LabApp.news_url=",
            ],
            env=env, stdout=self.log, stderr=subprocess.STDOUT, cwd=work,
        )
        self.url = f"http://127.0.0.1:{port}"
        self.work = work
        deadline = time.monotonic() + 240
        while True:
            try:
                urllib.request.urlopen(self.url + "/api/status", timeout=2).close()
                return self
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    raise RuntimeError("JupyterLab did not start:\n" + (self.root / "jupyterlab.log").read_text())
                time.sleep(0.1)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
