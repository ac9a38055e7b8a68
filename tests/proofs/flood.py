"""Addresses that open a connection a second each, and people who come in beside them.

Rule 1: the flood is a thread of this process.  It opens, says nothing, and keeps what it opened.
Rule 2: a person who is turned away has lost: nobody tries again.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Iterator
from itertools import cycle

from tests.e2e.client import Server
from tests.hostile.attack import Line, attacker_socket, held_max
from tests.prompts import LOBBY

OF_ONE_NETWORK = [f"127.200.0.{n}" for n in range(1, 201)]
OF_MANY_NETWORKS = [f"127.{201 + n // 100}.{n % 100}.1" for n in range(200)]
BEGUN_S = 15.0  # how long the flood goes on before anybody comes


@contextlib.contextmanager
def flood(server: Server, sources: list[str], begun_s: float = BEGUN_S) -> Iterator[None]:
    """Each of *sources* opens a connection a second, to both ports by turns."""
    is_over = threading.Event()

    def run() -> None:
        held, ports = deque[object](), cycle((server.telnet_port, server.ssh_port))
        began, count = time.monotonic(), 0
        for source in cycle(sources):
            if is_over.wait(max(0.0, began + count / len(sources) - time.monotonic())):
                break
            count += 1
            made = attacker_socket(source)
            made.setblocking(False)
            made.connect_ex(("127.0.0.1", next(ports)))
            held.append(made)
            if len(held) > 4 * held_max():
                held.popleft().close()
        print(f"{'':<20} {count / (time.monotonic() - began):.0f} connections a second")

    thread = threading.Thread(target=run)
    thread.start()
    try:
        time.sleep(begun_s)
        yield
    finally:
        is_over.set()
        thread.join()


def login_s(server: Server, source: str, name: str, lines: tuple[str, ...] = ()) -> float:
    """How long it takes to come in by telnet, at the first try."""
    began = time.monotonic()
    line = Line(server, source)
    line.wait_for(rb"Name: ", 30)
    line.type(name)
    for typed in lines:
        line.wait_for(rb"(?i)(password|again)[^\n]*: ?$", 30)
        line.heard = b""
        line.type(typed)
    line.wait_for(LOBBY.encode(), 30)
    return time.monotonic() - began
