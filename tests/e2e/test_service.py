"""The server as a service manager runs it: its sockets handed over, its words listened to."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mudserver.ops.control_socket import send_request
from tests import few_words
from tests.e2e.client import START_S

LAUNCHER = Path(__file__).parents[1] / "mudserver" / "ops" / "activated.py"
PATIENCE_S = START_S
WATCHDOG_S = 0.4


class Service:
    """What systemd would hold: two listening sockets, and the socket for notifications."""

    def __init__(self, home: Path) -> None:
        self.data = home / "data"
        self.sockets = {name: socket.create_server(("127.0.0.1", 0)) for name in ("ssh", "telnet")}
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(str(home / "notify"))
        self.notify.settimeout(PATIENCE_S)
        self.environment = {
            **few_words.environment(home),
            "NOTIFY_SOCKET": str(home / "notify"),
            "WATCHDOG_USEC": str(int(WATCHDOG_S * 1e6)),
        }

    def start(self) -> subprocess.Popen[str]:
        high = [os.dup(sock.fileno()) for sock in self.sockets.values()]
        names, numbers = ":".join(self.sockets), ",".join(map(str, high))
        process = subprocess.Popen(
            [sys.executable, str(LAUNCHER), names, numbers, sys.executable, "-m", "mudserver",
             "serve", "--data", str(self.data), "--ssh", "192.0.2.1:1", "--telnet", "192.0.2.1:2"],
            env=self.environment, pass_fds=high, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        for descriptor in high:
            os.close(descriptor)
        return process

    def call(self) -> socket.socket:
        return socket.create_connection(self.sockets["telnet"].getsockname(), PATIENCE_S)

    def wait_for(self, word: str) -> str:
        """The words up to one that begins with *word*."""
        end, heard = time.monotonic() + PATIENCE_S, ""
        while word not in heard:
            assert time.monotonic() < end, heard
            heard += self.notify.recv(4_096).decode() + "\n"
        return heard


@pytest.fixture
def service(tmp_path):
    made = Service(tmp_path)
    yield made
    for held in (*made.sockets.values(), made.notify):
        held.close()


def greeting(line: socket.socket) -> bytes:
    heard = b""
    while b"name" not in heard:
        piece = line.recv(4_096)
        assert piece, heard
        heard += piece
    return heard


def test_a_restart_refuses_nobody_and_each_step_is_told(service):
    first = service.start()
    assert "STATUS=users=0 tables=0" in service.wait_for("READY=1")
    here = "ssh={}:{} telnet={}:{}".format(
        *service.sockets["ssh"].getsockname(), *service.sockets["telnet"].getsockname()
    )
    assert f"ready {here}\n" == first.stdout.readline()
    with service.call() as line:
        greeting(line)
        service.wait_for("WATCHDOG=1")
        assert "shutting down in 1 second; everyone has been notified" == send_request(
            service.data, "restart", in_s=1
        )
        service.wait_for("STOPPING=1")
    assert 0 == first.wait(PATIENCE_S)
    with service.call() as early:  # nobody runs, and yet nobody is refused
        second = service.start()
        greeting(early)
        second.send_signal(signal.SIGTERM)
        assert 0 == second.wait(PATIENCE_S)
