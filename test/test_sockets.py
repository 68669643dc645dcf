"""The kernel's ZMTP sockets against libzmq: what must reach whom, whoever else stops reading, comes late or vanishes."""

import subprocess
import time

import pytest
import zmq
from conftest import PATIENCE, SCRATCH, build, deadline


class Socket(zmq.Socket):
    """Says what it waited for in vain."""

    def recv_multipart(self, *args, **options):
        return self._waited(super().recv_multipart, "a message", *args, **options)

    def recv(self, *args, **options):
        return self._waited(super().recv, "a message", *args, **options)

    def send(self, *args, **options):
        return self._waited(super().send, "room for a message", *args, **options)

    def _waited(self, do, what, *args, **options):
        try:
            return do(*args, **options)
        except zmq.Again as e:
            raise AssertionError(f"waited {PATIENCE} s for {what} at {self.last_endpoint}") from e


class Served:
    """The Go program that serves a publisher, a router and an echo, and a context to connect from."""

    def __init__(self, program, transport):
        if transport == "ipc":
            addresses = [f"ipc://{SCRATCH}/socket-{time.monotonic_ns()}-{i}" for i in range(3)]
        else:
            addresses = ["tcp://127.0.0.1:0"] * 3
        self.process = subprocess.Popen([program, *addresses], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with deadline("the start of the program that serves the sockets", PATIENCE):
            self.addresses = [f"{transport}://{a}" for a in self.process.stdout.readline().split()]
        assert len(self.addresses) == 3
        self.context = zmq.Context()

    def connect(self, kind, **options):
        s = self.context.socket(kind, socket_class=Socket)
        s.linger, s.rcvtimeo, s.sndtimeo = 0, 1000 * PATIENCE, 1000 * PATIENCE
        for name, value in options.items():
            setattr(s, name, value)
        s.connect(self.addresses[{zmq.SUB: 0, zmq.DEALER: 1, zmq.REQ: 2}[kind]])
        return s

    def subscriber(self, topic=b"", welcome=True, **options):
        s = self.connect(zmq.SUB, **options)
        s.subscribe(topic)
        if welcome:
            assert s.recv_multipart() == [topic, b"welcome"]
        return s

    def publish(self, first, count, size):
        s = self.connect(zmq.DEALER)
        s.send(f"publish {first} {count} {size}".encode())
        return s

    def close(self):
        self.context.destroy(linger=0)
        self.process.stdin.close()
        assert self.process.wait(timeout=PATIENCE) == 0


@pytest.fixture(scope="module")
def program():
    return build("./test/sockets", "sockets")


@pytest.fixture(params=["tcp", "ipc"])
def served(program, request):
    s = Served(program, request.param)
    yield s
    s.close()


def expect(subscriber, first, count):
    for i in range(first, first + count):
        assert int(subscriber.recv_multipart()[0]) == i


def test_all_of_100000_messages_arrive_beside_a_frozen_subscriber(served):
    frozen = served.subscriber(rcvhwm=10)
    healthy = [served.subscriber() for _ in range(2)]
    done = served.publish(0, 100_000, 400)
    for i in range(100_000):
        for s in healthy:
            assert int(s.recv_multipart()[0]) == i
    assert done.recv().startswith(b"publish")
    # The frozen one gets what its queues held, in order from the first, when it wakes.
    expect(frozen, 0, 100)


def test_late_subscriber_gets_all_that_is_published_after_its_welcome(served):
    first = served.subscriber()
    served.publish(0, 1000, 10).recv()
    late = served.subscriber()
    served.publish(1000, 1000, 10).recv()
    expect(first, 0, 2000)
    expect(late, 1000, 1000)


def test_vanishing_subscribers_cost_the_others_nothing(served):
    healthy = served.subscriber()
    done = served.publish(0, 20_000, 400)
    for round in range(20):
        other = served.subscriber(welcome=False)
        expect(healthy, round * 1000, 1000)
        other.close()
    assert done.recv().startswith(b"publish")


def test_topics(served):
    some, none = served.subscriber(b"12"), served.subscriber(b"x")
    served.publish(0, 200, 10).recv()
    assert [int(some.recv_multipart()[0]) for _ in range(11)] == [12, *range(120, 130)]
    some.unsubscribe(b"12")
    some.subscribe(b"13")
    assert some.recv_multipart() == [b"13", b"welcome"]
    served.publish(0, 200, 10).recv()
    assert int(some.recv_multipart()[0]) == 13
    assert none.poll(50) == 0


def test_router_answers_many_peers_in_order(served):
    peers = [served.connect(zmq.DEALER, identity=f"peer{i}".encode()) for i in range(20)]
    for n in range(200):
        for i, p in enumerate(peers):
            p.send_multipart([b"", f"{i} {n}".encode(), bytes(n)])
    for n in range(200):
        for i, p in enumerate(peers):
            assert p.recv_multipart() == [b"", f"{i} {n}".encode(), bytes(n)]


def test_a_peer_that_does_not_read_its_replies_delays_nobody(served):
    deaf = served.connect(zmq.DEALER, rcvhwm=1, sndhwm=0)
    for _ in range(2000):
        deaf.send(bytes(100_000))
    other = served.connect(zmq.DEALER)
    for n in range(100):
        other.send(b"%d" % n)
        assert other.recv() == b"%d" % n


def test_a_peer_that_comes_again_with_its_identity_takes_over(served):
    for n in range(20):
        s = served.connect(zmq.DEALER, identity=b"same")
        s.send(b"%d" % n)
        assert s.recv() == b"%d" % n
        if n % 2:
            s.close()


def test_large_message(served):
    s = served.connect(zmq.DEALER)
    body = bytes(50_000_000)
    s.send_multipart([b"x", body, b""])
    assert s.recv_multipart() == [b"x", body, b""]


def test_heartbeat(served):
    s = served.connect(zmq.REQ)
    for n in range(100):
        s.send(b"ping %d" % n)
        assert s.recv() == b"ping %d" % n


def test_zmtp_heartbeats_keep_a_quiet_connection(served):
    s = served.connect(zmq.DEALER, heartbeat_ivl=50, heartbeat_timeout=2000)
    time.sleep(3)
    s.send(b"x")
    assert s.recv() == b"x"
