"""A small HTTP server for `GET /metrics` and `GET /healthz`, nothing else.

Rule 1: one request, one response, then the connection closes: no body is read, nothing is kept.
Rule 2: connections, bytes and seconds are bounded; over a bound the connection is aborted.
Rule 3: there is no authentication, so the address must be loopback unless `metrics.allow_remote`
        is set (`config/load.py` checks it).

Implements as much of RFC 9112 as a scraper and a probe need.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections.abc import Callable

from mudserver.clock import Clock, TimerHandle
from mudserver.errors import StartError

CONNECTIONS_MAX = 16  # at once
REQUEST_BYTES_MAX = 4_096
REQUEST_S = 5.0  # from the first byte to the last

NO_SOCKET_HINT = (
    "the address is not of this machine, or no socket may be opened: under systemd enable"
    ' mudserver-metrics.socket and set metrics.address to ""'
)

Handler = Callable[[], tuple[int, str, bytes]]
"""Status, content type, body."""

REASONS = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    503: "Service Unavailable",
}
REQUEST = re.compile(rb"([A-Z]+) (/[!-~]*) HTTP/1\.[01]\r?\n")
END = re.compile(rb"\r?\n\r?\n")
TEXT_PLAIN = "text/plain; charset=utf-8"


class _Connection(asyncio.Protocol):
    _timer: TimerHandle
    _transport: asyncio.Transport

    def __init__(self, server: MetricsHttpServer) -> None:
        self._server = server
        self._request = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._timer = self._server.clock.call_later(REQUEST_S, transport.abort)
        self._server.connections.add(self)
        if len(self._server.connections) > CONNECTIONS_MAX:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._transport.is_closing():
            return
        self._request += data
        if len(self._request) > REQUEST_BYTES_MAX:
            self._transport.abort()
        elif END.search(self._request):
            self._transport.write(self._server.respond(self._request))
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        self._server.connections.discard(self)

    def abort(self) -> None:
        self._transport.abort()


class MetricsHttpServer:
    """Created closed.

    Args:
        handlers: A handler for each path.
    """

    def __init__(self, clock: Clock, handlers: dict[bytes, Handler]) -> None:
        self.clock, self._handlers = clock, handlers
        self.connections: set[_Connection] = set()
        self._servers: list[asyncio.Server] = []
        self.address = ""  # HOST:PORT of the first socket; "" while closed

    async def open(self, host: str, port: int, sock: socket.socket | None = None) -> None:
        """Listen on *host* and *port*, or on *sock* if given.  StartError if that fails."""
        loop = asyncio.get_running_loop()
        try:
            if sock is not None:
                server = await loop.create_server(lambda: _Connection(self), sock=sock)
            else:
                server = await loop.create_server(lambda: _Connection(self), host, port)
            if not server.sockets:  # RestrictAddressFamilies=: asyncio skips the address silently,
                raise OSError  # or, from Python 3.13 on, raises an OSError without errno
        except OSError as exc:
            why = os.strerror(exc.errno).lower() if exc.errno else NO_SOCKET_HINT
            if isinstance(exc, socket.gaierror):  # its errno values are different ones
                why = str(exc.strerror).lower()
            raise StartError(f"cannot open metrics on {host}:{port}: {why}") from None
        self._servers.append(server)
        if not self.address:
            host, port = server.sockets[0].getsockname()[:2]
            self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def close(self) -> None:
        for server in self._servers:
            server.close()
        for connection in list(self.connections):
            connection.abort()
        self._servers.clear()
        self.address = ""

    def respond(self, request: bytes) -> bytes:
        """The response to a complete request."""
        asked = REQUEST.match(request)
        if asked is None:
            return _response(400, TEXT_PLAIN, b"this is no HTTP request\n")
        method, target = asked.groups()
        answer = self._handlers.get(target.partition(b"?")[0])
        if answer is None:
            paths = b", ".join(self._handlers)
            return _response(404, TEXT_PLAIN, b"there are: " + paths + b"\n")
        if method not in (b"GET", b"HEAD"):
            return _response(405, TEXT_PLAIN, b"this can only be read\n")
        return _response(*answer(), is_head=method == b"HEAD")


def _response(status: int, kind: str, body: bytes, is_head: bool = False) -> bytes:
    allow = "Allow: GET, HEAD\r\n" if status == 405 else ""
    head = (
        f"HTTP/1.1 {status} {REASONS[status]}\r\n"
        f"Content-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\n"
        f"{allow}Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + (b"" if is_head else body)
