"""Somebody at a telnet connection of a door that soon notices a silent game server."""

from __future__ import annotations

import contextlib
import re
import socket
import time

from tests.faults.test_game_server import House

PATIENCE_S = 30.0
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
