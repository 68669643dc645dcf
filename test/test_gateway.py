"""A kernel behind Jupyter Enterprise Gateway: the gateway's side of its launchers' protocol, spoken here by hand."""

import base64
import json
import os
import socket
import subprocess

import pytest
from conftest import PATIENCE, Client, text
from Cryptodome.Cipher import AES, PKCS1_v1_5
from Cryptodome.PublicKey import RSA
from Cryptodome.Util.Padding import unpad
from jupyter_client import BlockingKernelClient


def received(listener):
    """All that one connection sends."""
    conn, _ = listener.accept()
    conn.settimeout(PATIENCE)
    with conn:
        data = b""
        while part := conn.recv(4096):
            data += part
    return data


def opened(payload, key):
    """The connection information, as the gateway decrypts it."""
    message = json.loads(base64.b64decode(payload))
    assert message["version"] == 1
    secret = PKCS1_v1_5.new(key).decrypt(base64.b64decode(message["key"]), None)
    return json.loads(unpad(AES.new(secret, AES.MODE_ECB).decrypt(base64.b64decode(message["conn_info"])), 16))


def order(info, **what):
    with socket.create_connection(("127.0.0.1", info["comm_port"]), timeout=PATIENCE) as s:
        s.sendall(json.dumps(what).encode())


@pytest.fixture(params=["--RemoteProcessProxy.", "--"])
def launched(binary, request):
    key = RSA.generate(2048)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        args = {"kernel-id": "the-id", "port-range": "41000..42000", "public-key": base64.b64encode(key.publickey().export_key("DER")).decode(),
                "response-address": "127.0.0.1:%d" % listener.getsockname()[1], "spark-context-initialization-mode": "none"}
        process = subprocess.Popen([binary, "launch", *(word for k, v in args.items() for word in (request.param + k, v))])
        try:
            yield process, opened(received(listener), key)
        finally:
            process.kill()
            process.wait(PATIENCE)


def test_the_gateway_reaches_the_kernel(launched):
    process, info = launched
    assert info["kernel_id"] == "the-id" and info["pid"] == process.pid and info["pgid"] == os.getpgid(process.pid)
    assert all(41000 <= info[p + "_port"] <= 42000 for p in ("shell", "iopub", "stdin", "control", "hb", "comm"))
    kc = BlockingKernelClient()
    kc.load_connection_info({**info, "ip": "127.0.0.1"})
    client = Client(kc)
    _, outputs = client.run("fmt.Println(6*7)")
    assert text(outputs) == "42\n"

    order(info, signum=0)  # the gateway asks every few seconds whether the kernel lives
    endless = client.begin("for {}")
    order(info, signum=2)
    assert client.reply(endless)["content"]["ename"] == "Interrupt"

    client.stop()
    order(info, shutdown=1)
    assert process.wait(PATIENCE) == 0


def test_a_key_that_is_none(binary):
    done = subprocess.run([binary, "launch", "--kernel-id", "x", "--response-address", "127.0.0.1:1", "--public-key", "nonsense"],
                          capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and "public key" in done.stderr
