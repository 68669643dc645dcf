"""The steps of the Dockerfile, without an engine for images: each stage in a root directory of its own, entered by chroot.

    python3 test/dockerfile.py [FOLDER]        as root, with debootstrap; FOLDER keeps the roots

The lines are the Dockerfile's own, read from it. Then the image's command is started as its user, and a notebook runs by Jupyter.

What differs from an engine: a base image is Debian's bookworm with the packages named below (so Python is Debian's 3.11, and Go is
that of this machine); Go's caches are this machine's; the network and the processor are not shut off; layers are not made.
"""

import json
import os
import pathlib
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = "ca-certificates,git,make,python3,python3-venv,python3-pip"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PORT = "8899"


def out(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def instructions(text):
    """The instructions and their arguments, with lines joined and comments left out."""
    text = re.sub(r"(?m)^\s*#.*\n", "", text).replace("\\\n", " ")
    return [line.split(None, 1) for line in text.splitlines() if line.strip()]


class Stage:
    """A stage in the making: its root and what RUN and COPY see."""

    def __init__(self, place, base, image):
        self.root, self.image = place, image
        subprocess.run(["cp", "-a", base, place], check=True)
        shutil.copy("/etc/resolv.conf", place / "etc" / "resolv.conf")
        self.env, self.args, self.user, self.directory, self.command = {"PATH": PATH, "HOME": "/root"}, {}, "root", "/", None
        self.mounts = {}
        for name, value in os.environ.items():  # how this machine reaches registries
            if name.startswith("PIP_") or name in ("GOPROXY", "GOSUMDB", "GOFLAGS", "GONOSUMDB", "SSL_CERT_FILE"):
                self.env[name] = value
                if value.startswith("/") and os.path.isfile(value):
                    self.mounts[value] = value
        if os.path.exists("/etc/pip.conf"):
            shutil.copy("/etc/pip.conf", place / "etc")
        if image.startswith("golang:"):
            self.env |= {"PATH": "/usr/local/go/bin:" + PATH, "GOMODCACHE": "/go/pkg/mod", "GOCACHE": "/go/cache"}
            self.mounts |= {out("go", "env", "GOROOT"): "/usr/local/go", out("go", "env", "GOMODCACHE"): "/go/pkg/mod", out("go", "env", "GOCACHE"): "/go/cache"}
        elif image.startswith("python:"):
            self.env["PIP_BREAK_SYSTEM_PACKAGES"] = "1"  # Debian's Python asks for it, the image's does not
        else:
            sys.exit(f"{image}: what stands for this image is not known")

    def expand(self, text):
        names = self.args | self.env
        return re.sub(r"\$\{(\w+)\}|\$(\w+)", lambda m: names.get(m[1] or m[2], ""), text)

    def start(self, command, **more):
        """Starts a command in the root, as the user. The mounts end with it."""
        mount = [f"mount -t proc proc {self.root}/proc", f"mount --rbind /dev {self.root}/dev"]
        for there, here in self.mounts.items():
            target = self.root / here.lstrip("/")
            if os.path.isdir(there):
                target.mkdir(parents=True, exist_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.touch()
            mount.append(f"mount --bind {there} {target}")
        inner = f"cd {shlex.quote(self.directory)} && {command}"
        enter = ["exec", "chroot", f"--userspec={self.user}:{self.user}", str(self.root), "/bin/sh", "-c", inner]
        script = " && ".join([*mount, shlex.join(enter)])
        return subprocess.Popen(["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script], env=self.env | self.args, **more)

    def run(self, command):
        if status := self.start(command).wait():
            sys.exit(f"FAILED with status {status}: {command}")

    def place(self, path):
        return self.root / os.path.normpath(os.path.join(self.directory, path)).lstrip("/")

    def copy(self, words, stages):
        flags = dict(w[2:].split("=", 1) for w in words if w.startswith("--"))
        *sources, to = [w for w in words if not w.startswith("--")]
        tree = stages[flags["from"]].root if "from" in flags else ROOT
        target = self.place(to)
        for source in sources:
            if tree == ROOT:  # what git knows, which is what .dockerignore leaves
                files = [f for f in out("git", "ls-files", "-co", "--exclude-standard", "--", source).splitlines() if (ROOT / f).is_file()]
                base = "." if (ROOT / source).is_dir() and source == "." else source if (ROOT / source).is_dir() else os.path.dirname(source)
                for f in files:
                    dest = target / os.path.relpath(f, base or ".")
                    dest.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / f, dest)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(tree / source.lstrip("/"), target)
        if "chown" in flags:
            subprocess.run(["chown", "-R", flags["chown"] + ":" + flags["chown"], target], check=True)


def build(folder):
    """Carries out the Dockerfile and returns its last stage."""
    base, stages, stage = folder / "base", {}, None
    if not base.exists():
        subprocess.run(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", base], check=True, stdout=subprocess.DEVNULL)
    for name, rest in instructions((ROOT / "Dockerfile").read_text()):
        print(f"-- {name} {rest}", flush=True)
        if name == "FROM":
            image, *named = rest.split()
            place = folder / f"stage-{len(stages)}"
            shutil.rmtree(place, ignore_errors=True)
            stage = stages[named[1] if named else str(len(stages))] = Stage(place, base, image)
            continue
        match name:
            case "RUN": stage.run(stage.expand(rest))
            case "COPY": stage.copy(shlex.split(stage.expand(rest)), stages)
            case "ENV": stage.env |= dict(w.split("=", 1) for w in shlex.split(stage.expand(rest)))
            case "ARG": stage.args |= dict([stage.expand(rest).split("=", 1)])
            case "USER": stage.user = stage.expand(rest)
            case "WORKDIR":
                stage.directory = os.path.join(stage.directory, stage.expand(rest))
                stage.place("").mkdir(parents=True, exist_ok=True)
            case "CMD": stage.command = json.loads(rest)
            case "EXPOSE": pass
            case _: sys.exit(f"{name}: this instruction is not known here")
    return stage


def use(stage):
    """Starts the image's command and asks it for its kernels, then runs a notebook."""
    token = secrets.token_hex(8)
    server = stage.start(shlex.join([*stage.command, f"--port={PORT}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}"]))
    try:
        end = time.monotonic() + 240
        while True:
            try:
                request = urllib.request.Request(f"http://127.0.0.1:{PORT}/api/kernelspecs", headers={"Authorization": f"token {token}"})
                specs = json.load(urllib.request.urlopen(request, timeout=10))["kernelspecs"]
                break
            except OSError:
                if server.poll() is not None or time.monotonic() > end:
                    sys.exit("FAILED: the image's command does not answer")
                time.sleep(0.5)
        if "gaucho" not in specs:
            sys.exit(f"FAILED: JupyterLab knows only {list(specs)}")
    finally:
        server.kill()
        server.wait()
    stage.run("gaucho version && test -s /usr/local/share/doc/gaucho/LICENSES.txt && jupyter execute notebooks/course/1-first-steps.ipynb --output=/tmp/out.ipynb && grep -q execute_result /tmp/out.ipynb")


if __name__ == "__main__":
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("this needs root, and debootstrap")
    with tempfile.TemporaryDirectory(prefix="gaucho-dockerfile-") as scratch:
        use(build(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else scratch).resolve()))
    print("1 passed, 0 failed")
