"""Listeners that the configuration does not want: nobody listens there, and nobody says so."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from mudserver.ops.control_socket import send_request
from tests import few_words
from tests.forked import Forked

HERE = "127.0.0.1:0"
DO_MSSP, MSSP_BEGINS, MSSP_ENDS = b"\xff\xfd\x46", b"\xff\xfa\x46", b"\xff\xf0"


@pytest.fixture
def server(tmp_path):
    """A server without a listener for SSH."""
    words = ["serve", "--data", str(tmp_path / "data"), "--ssh", "", "--telnet", HERE]
    with (tmp_path / "log").open("w") as log:
        process = Forked(words, log, few_words.environment(tmp_path))
    yield process
    process.terminate()
    assert 0 == process.wait(10)


def listing(port: int) -> dict[bytes, list[bytes]]:
    """What a list of games reads there."""
    with socket.create_connection(("127.0.0.1", port), 10) as line:
        line.sendall(DO_MSSP)
        heard = b""
        while not (found := re.search(MSSP_BEGINS + b"(.*?)" + MSSP_ENDS, heard, re.DOTALL)):
            data = line.recv(4_096)
            assert data, heard
            heard += data
    named = [each.split(b"\x02") for each in found[1].split(b"\x01")[1:]]
    return {name: values for name, *values in named}


def test_a_server_without_ssh_speaks_of_telnet_alone(server, tmp_path: Path):
    ready = re.fullmatch(r"ready telnet=(127\.0\.0\.1:(\d+))\n", server.stdout.readline())
    assert ready
    assert {"telnet": ready[1]} == send_request(tmp_path / "data", "status")["listeners"]
    told = listing(int(ready[2]))
    assert [ready[2].encode()] == told[b"PORT"]
    assert b"SSH" not in told
    assert b"SSL" not in told
