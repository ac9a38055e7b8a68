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
from mudserver.transport.proxy_protocol import PendingHeaders, ProxyHeaderReader

BACKLOG = 512  # connections that the kernel holds for us, also while the house restarts
ACCEPT_BATCH = (
    16  # of them taken in before others have their turn; asyncio would take the whole backlog
)
NO_SOCKET_HINT = (
    "the address is not of this machine, or no socket may be opened: under systemd enable the"
    " .socket unit of this door, or take its address out of the settings"
)
ACCEPT_LOOP_TURNS = (
    2  # of the loop, from accept() to a line: asyncio makes a task, then a transport
)


class Abortable(Protocol):
    def abort(self) -> None: ...


class OpenConnections:
    """The open lines of one door, so that it can close behind them."""

    __slots__ = ("_open", "drained")

    def __init__(self) -> None:
        self._open: set[Abortable] = set()
        self.drained = asyncio.Event()
        self.drained.set()

    def add(self, connection: Abortable) -> None:
        self._open.add(connection)
        self.drained.clear()

    def discard(self, connection: Abortable) -> None:
        self._open.discard(connection)
        if not self._open:
            self.drained.set()

    def abort_all(self) -> None:
        for line in list(self._open):
            line.abort()


class Listener:
    def __init__(
        self, server: asyncio.Server, lines: OpenConnections, gate: Gate, waiting: PendingHeaders
    ) -> None:
        self._server, self._gate, self._waiting = server, gate, waiting
        self.connections = lines
        self._shutting: asyncio.Task[None] | None = None
        host, port = server.sockets[0].getsockname()[:2]
        self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def close(self) -> None:
        """Accept nobody any more; lines that are open stay open."""
        loop = asyncio.get_running_loop()
        for listening in self._server.sockets:
            loop.remove_reader(listening)
        self._shutting = loop.create_task(self._shut(), name="shutting a door")
        self._waiting.abort_all()

    async def _shut(self) -> None:
        for _ in range(ACCEPT_LOOP_TURNS):  # a server that is closed drops who is on the way
            await asyncio.sleep(0)
        self._server.close()

    async def wait_closed(self) -> None:
        """Wait until the last line has ended; after close_s the rest are cut."""
        if self._shutting is not None:
            await self._shutting
        try:
            await asyncio.wait_for(self.connections.drained.wait(), self._gate.limits.close_s)
        except TimeoutError:
            self.connections.abort_all()
            await self.connections.drained.wait()


async def open_listener(
    factory: Callable[[], asyncio.Protocol],
    host: str,
    port: int,
    sock: socket.socket | None,
    *,
    label: str,
    connections: OpenConnections,
    gate: Gate,
    clock: Clock,
) -> Listener:
    """Listen on *host* and *port*, or on *sock* if that is given.  StartError if that fails."""
    loop, waiting = asyncio.get_running_loop(), PendingHeaders(gate, clock)

    def first() -> asyncio.Protocol:
        return ProxyHeaderReader(factory, waiting) if gate.limits.proxy_from else factory()

    try:
        if sock is not None:
            server = await loop.create_server(first, sock=sock, backlog=ACCEPT_BATCH)
        else:
            server = await loop.create_server(first, host, port, backlog=ACCEPT_BATCH)
        if not server.sockets:  # RestrictAddressFamilies=: asyncio passes over it in silence,
            raise OSError  # or, from Python 3.13 on, raises one without a number
    except OSError as exc:
        if exc.errno is None:
            why = NO_SOCKET_HINT
        elif exc.errno == errno.EADDRINUSE:
            why = "another program is listening there (is the house already open?)"
        else:
            why = (exc.strerror or str(exc)).lower()
        raise StartError(f"cannot open {label} on {host}:{port}: {why}") from None
    for listening in server.sockets:
        with listening.dup() as same:
            same.listen(BACKLOG)
    return Listener(server, connections, gate, waiting)
