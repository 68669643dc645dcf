"""A kernel behind Jupyter Enterprise Gateway: the gateway's side of its launchers' protocol, spoken here by hand."""

import base64
import json
import os
import socket
import subprocess
import time

import pytest
from conftest import text
from Cryptodome.Cipher import AES, PKCS1_v1_5
from Cryptodome.PublicKey import RSA
from Cryptodome.Util.Padding import unpad
from jupyter_client import BlockingKernelClient


def received(listener):
    """All that one connection sends."""
    conn, _ = listener.accept()
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
    with socket.create_connection(("127.0.0.1", info["comm_port"])) as s:
        s.sendall(json.dumps(what).encode())


@pytest.fixture(params=["--RemoteProcessProxy.", "--"])
def launched(binary, request):
    key = RSA.generate(2048)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(30)
        args = {"kernel-id": "the-id", "port-range": "41000..42000", "public-key": base64.b64encode(key.publickey().export_key("DER")).decode(),
                "response-address": "127.0.0.1:%d" % listener.getsockname()[1], "spark-context-initialization-mode": "none"}
        process = subprocess.Popen([binary, "launch", *(word for k, v in args.items() for word in (request.param + k, v))])
        info = opened(received(listener), key)
    yield process, info
    process.kill()
    process.wait()


def test_the_gateway_reaches_the_kernel(launched):
    process, info = launched
    assert info["kernel_id"] == "the-id" and info["pid"] == process.pid and info["pgid"] == os.getpgid(process.pid)
    assert all(41000 <= info[p + "_port"] <= 42000 for p in ("shell", "iopub", "stdin", "control", "hb", "comm"))
    client = BlockingKernelClient()
    client.load_connection_info({**info, "ip": "127.0.0.1"})
    client.start_channels()
    client.wait_for_ready(timeout=30)
    outputs = []
    client.execute_interactive("fmt.Println(6*7)", timeout=30, output_hook=outputs.append)
    assert text(outputs) == "42\n"

    order(info, signum=0)  # the gateway asks every few seconds whether the kernel lives
    begun = client.execute("for {}")
    time.sleep(0.5)
    order(info, signum=2)
    reply = client.get_shell_msg(timeout=10)
    assert reply["parent_header"]["msg_id"] == begun and reply["content"]["ename"] == "Interrupt"

    client.stop_channels()
    order(info, shutdown=1)
    assert process.wait(10) == 0


def test_a_key_that_is_none(binary):
    done = subprocess.run([binary, "launch", "--kernel-id", "x", "--response-address", "127.0.0.1:1", "--public-key", "nonsense"],
                          capture_output=True, text=True)
    assert done.returncode == 1 and "public key" in done.stderr
