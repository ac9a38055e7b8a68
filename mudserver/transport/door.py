"""A listening address and the lines that came in through it.

Rule 1: a door that closes takes nobody in any more, lets in who was taken already, and waits for
        the lines that are open only so long; then it cuts them.
Rule 2: the limits are the gate's, and what they are when a connection comes counts for it.
Rule 3: where proxies are trusted, who is behind them is known before a line is made (`proxy.py`).
Rule 4: a crowd at the door is let in a few at a time, between what those inside have typed.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from typing import Protocol

from mudserver.clock import Clock
from mudserver.errors import StartError
from mudserver.transport.gate import Gate
from mudserver.transport.proxy import Announced, Waiting

BACKLOG = 512  # connections that the kernel holds for us, also while the house restarts
AT_ONCE = 16  # of them taken in before others have their turn; asyncio would take the whole backlog
NO_SOCKET = (
    "the address is not of this machine, or no socket may be opened: under systemd enable the"
    " .socket unit of this door, or take its address out of the settings"
)
ARRIVAL_TURNS = 2  # of the loop, from accept() to a line: asyncio makes a task, then a transport


class Cuttable(Protocol):
    def cut(self) -> None: ...


class Lines:
    """The open lines of one door, so that it can close behind them."""

    __slots__ = ("_open", "empty")

    def __init__(self) -> None:
        self._open: set[Cuttable] = set()
        self.empty = asyncio.Event()
        self.empty.set()

    def add(self, line: Cuttable) -> None:
        self._open.add(line)
        self.empty.clear()

    def discard(self, line: Cuttable) -> None:
        self._open.discard(line)
        if not self._open:
            self.empty.set()

    def cut_all(self) -> None:
        for line in list(self._open):
            line.cut()


class Door:
    def __init__(self, server: asyncio.Server, lines: Lines, gate: Gate, waiting: Waiting) -> None:
        self._server, self._gate, self._waiting = server, gate, waiting
        self.lines = lines
        self._shutting: asyncio.Task[None] | None = None
        host, port = server.sockets[0].getsockname()[:2]
        self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def close(self) -> None:
        """Accept nobody any more; lines that are open stay open."""
        loop = asyncio.get_running_loop()
        for listening in self._server.sockets:
            loop.remove_reader(listening)
        self._shutting = loop.create_task(self._shut(), name="shutting a door")
        self._waiting.cut_all()

    async def _shut(self) -> None:
        for _ in range(ARRIVAL_TURNS):  # a server that is closed drops who is on the way
            await asyncio.sleep(0)
        self._server.close()

    async def wait_closed(self) -> None:
        """Wait until the last line has ended; after close_s the rest are cut."""
        if self._shutting is not None:
            await self._shutting
        try:
            await asyncio.wait_for(self.lines.empty.wait(), self._gate.limits.close_s)
        except TimeoutError:
            self.lines.cut_all()
            await self.lines.empty.wait()


async def opened(
    factory: Callable[[], asyncio.Protocol],
    host: str,
    port: int,
    sock: socket.socket | None,
    *,
    what: str,
    lines: Lines,
    gate: Gate,
    clock: Clock,
) -> Door:
    """Listen on *host* and *port*, or on *sock* if that is given.  StartError if that fails."""
    loop, waiting = asyncio.get_running_loop(), Waiting(gate, clock)

    def first() -> asyncio.Protocol:
        return Announced(factory, waiting) if gate.limits.proxy_from else factory()

    try:
        if sock is not None:
            server = await loop.create_server(first, sock=sock, backlog=AT_ONCE)
        else:
            server = await loop.create_server(first, host, port, backlog=AT_ONCE)
        if not server.sockets:  # RestrictAddressFamilies=: asyncio passes over it in silence,
            raise OSError  # or, from Python 3.13 on, raises one without a number
    except OSError as exc:
        if exc.errno is None:
            why = NO_SOCKET
        elif exc.errno == errno.EADDRINUSE:
            why = "another program is listening there (is the house already open?)"
        else:
            why = (exc.strerror or str(exc)).lower()
        raise StartError(f"cannot open {what} on {host}:{port}: {why}") from None
    for listening in server.sockets:
        with listening.dup() as same:
            same.listen(BACKLOG)
    return Door(server, lines, gate, waiting)
