"""Nothing of a password that was half typed at a kill is left in the memory of door or game server.

By telnet in line mode, where a password comes as one piece; over SSH each key is a packet.
"""

from __future__ import annotations

import contextlib
import re
import socket
import time
from pathlib import Path

import pytest

from tests.faults.test_game_server import House, house

PATIENCE_S = 30.0
HALF = b"halfapass7193"  # typed without its end
QUICK = "\n[wall]\nnotice_s = 1\n"


class Typist:
    """A telnet connection, read until a text comes."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.settimeout(0.1)
        self.heard = b""

    def reads(self, wanted: str) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while not re.search(wanted.encode(), self.heard):
            assert time.monotonic() < end_s, (wanted, self.heard[-500:])
            with contextlib.suppress(TimeoutError):
                data = self._socket.recv(65_536)
                assert data, self.heard[-500:]
                self.heard += data

    def forgets(self) -> None:
        self.heard = b""

    def types(self, data: bytes) -> None:
        self._socket.sendall(data)

    def close(self) -> None:
        self._socket.close()


def opened(here: House) -> Typist:
    here.settings.write_text(here.settings.read_text() + QUICK)
    here.start("game")
    ready = here.start("door", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
    typist = Typist(int(re.search(r"telnet=127\.0\.0\.1:(\d+)", ready)[1]))
    typist.reads("Name: ")
    return typist


def found(pid: int, secret: bytes) -> list[str]:
    """The mappings of a process, which this test has started, that hold *secret*."""
    places = []
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for row in maps:
            span, rights, *_ = row.split()
            if "w" not in rights or "[v" in row:
                continue
            start, end = (int(part, 16) for part in span.split("-"))
            with contextlib.suppress(OSError):
                memory.seek(start)
                if secret in memory.read(end - start):
                    places.append(row.strip())
    return places


@pytest.mark.prove
def test_nothing_of_a_half_typed_password_is_left_in_memory(tmp_path: Path):
    with house(tmp_path) as here:
        typist = opened(here)
        typist.types(b"ann\r\n")
        typist.reads("Choose a password: ")
        typist.types(HALF)
        time.sleep(0.5)
        game, door = here.processes["game"].pid, here.processes["door"].pid
        assert found(game, HALF), "the search finds what is there"
        here.kill("game")
        typist.forgets()
        here.start("game")
        typist.reads("please type that again[^:]*Choose a password: ")
        for pid in (door, here.processes["game"].pid):
            assert [] == found(pid, HALF)
        typist.types(b"open sesame\r\nopen sesame\r\n")
        typist.reads("registered as ann")
        typist.close()
