"""A listening address and its open connections.

Rule 1: a listener that closes accepts no new connection, but serves those that the kernel has
        already accepted.  It waits `close_s` for open connections, then aborts them.
Rule 2: the gate holds the limits; a connection keeps the limits of the moment when it arrived.
Rule 3: the gate, and for trusted proxies the client's address, come before the link is created
        (`arrivals.py`).
Rule 4: a burst of new connections is accepted a few at a time, between the input of open ones.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from typing import Protocol

from mudserver.clock import Clock
from mudserver.errors import StartError
from mudserver.transport.arrivals import Arrivals, EncodeRefusal, MakeProtocol
from mudserver.transport.flow import InputTurns
from mudserver.transport.gate import Gate

BACKLOG = 512  # connections queued in the kernel, also while the server restarts
ACCEPT_BATCH = 16  # accepted per turn of the event loop; asyncio would accept the whole backlog
NO_SOCKET_HINT = (
    "the address is not of this machine, or no socket may be opened: under systemd enable the"
    " .socket unit of this listener, or remove its address from the configuration"
)
ACCEPT_LOOP_TURNS = 2  # from accept() to a connection: asyncio makes a task, then a transport


class Abortable(Protocol):
    def abort(self) -> None: ...


class OpenConnections:
    """The open connections of one listener, and the turns in which it processes their input."""

    __slots__ = ("_open", "drained", "input_turns")

    def __init__(self, clock: Clock) -> None:
        self._open: set[Abortable] = set()
        self.input_turns = InputTurns(clock)
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
        for connection in list(self._open):
            connection.abort()


class TcpListener:
    def __init__(
        self,
        server: asyncio.Server,
        connections: OpenConnections,
        gate: Gate,
        arrivals: Arrivals,
    ) -> None:
        self._server, self._gate, self._arrivals = server, gate, arrivals
        self.connections = connections
        self._closing: asyncio.Task[None] | None = None
        host, port = server.sockets[0].getsockname()[:2]
        self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def stop_accepting(self) -> None:
        """Nobody new; those who wait for their turn go on waiting."""
        if self._closing is None:
            loop = asyncio.get_running_loop()
            for listening in self._server.sockets:
                loop.remove_reader(listening)
            self._closing = loop.create_task(self._close_server(), name="closing a listener")

    def close(self) -> None:
        """Stop accepting; open connections stay open."""
        self.stop_accepting()
        self._arrivals.abort_all()

    async def _close_server(self) -> None:
        for _ in range(ACCEPT_LOOP_TURNS):  # closing at once would drop those being accepted
            await asyncio.sleep(0)
        self._server.close()

    async def wait_closed(self) -> None:
        """Wait until the last connection has ended; after close_s abort the rest."""
        if self._closing is not None:
            await self._closing
        try:
            async with asyncio.timeout(self._gate.limits.close_s):
                await self.connections.drained.wait()
        except TimeoutError:
            self.connections.abort_all()
            await self.connections.drained.wait()


async def open_tcp_listener(
    make_protocol: MakeProtocol,
    host: str,
    port: int,
    sock: socket.socket | None,
    *,
    label: str,
    connections: OpenConnections,
    gate: Gate,
    clock: Clock,
    encode_refusal: EncodeRefusal | None = None,
    tells_bans: bool = False,
) -> TcpListener:
    """Listen on *host* and *port*, or on *sock* if given.  StartError if that fails.

    Args:
        encode_refusal: What a connection reads that is not served; None: nothing can be read.
        tells_bans: Who is banned hard is not served; else the protocol sees to it.
    """
    loop = asyncio.get_running_loop()
    arrivals = Arrivals(make_protocol, gate, clock, encode_refusal, tells_bans=tells_bans)
    try:
        if sock is not None:
            server = await loop.create_server(arrivals.protocol, sock=sock, backlog=ACCEPT_BATCH)
        else:
            server = await loop.create_server(arrivals.protocol, host, port, backlog=ACCEPT_BATCH)
        if not server.sockets:  # RestrictAddressFamilies=: asyncio skips the address silently,
            raise OSError  # or, from Python 3.13 on, raises an OSError without errno
    except OSError as exc:
        if exc.errno is None:
            why = NO_SOCKET_HINT
        elif exc.errno == errno.EADDRINUSE:
            why = "another program is listening there (is the server already running?)"
        else:
            why = (exc.strerror or str(exc)).lower()
        raise StartError(f"cannot open {label} on {host}:{port}: {why}") from None
    for listening in server.sockets:
        with listening.dup() as duplicate:
            duplicate.listen(BACKLOG)
    return TcpListener(server, connections, gate, arrivals)
