"""A door for programs that read figures: `GET /metrics` and `GET /healthz`, nothing else.

Rule 1: one request, one answer, and the line ends: no body is read, nothing is kept.
Rule 2: lines, bytes and seconds are bounded; over them the line is cut without a word.
Rule 3: nobody is asked who he is, so the address is this machine's own, unless the configuration
        says otherwise in so many words (`settings.py` sees to it).

RFC 9112, as much of it as a scraper and a probe need.
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

    def __init__(self, door: MetricsHttpServer) -> None:
        self._door = door
        self._request = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._timer = self._door.clock.call_later(REQUEST_S, transport.abort)
        self._door.connections.add(self)
        if len(self._door.connections) > CONNECTIONS_MAX:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._transport.is_closing():
            return
        self._request += data
        if len(self._request) > REQUEST_BYTES_MAX:
            self._transport.abort()
        elif END.search(self._request):
            self._transport.write(self._door.respond(self._request))
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        self._door.connections.discard(self)

    def abort(self) -> None:
        self._transport.abort()


class MetricsHttpServer:
    """Made closed.

    Args:
        answers: What is said at each path.
    """

    def __init__(self, clock: Clock, handlers: dict[bytes, Handler]) -> None:
        self.clock, self._answers = clock, handlers
        self.connections: set[_Connection] = set()
        self._servers: list[asyncio.Server] = []
        self.address = ""  # HOST:PORT of the first; "" while closed

    async def open(self, host: str, port: int, sock: socket.socket | None = None) -> None:
        """Listen there, or on *sock* if that is given.  StartError if that fails."""
        loop = asyncio.get_running_loop()
        try:
            if sock is not None:
                server = await loop.create_server(lambda: _Connection(self), sock=sock)
            else:
                server = await loop.create_server(lambda: _Connection(self), host, port)
            if not server.sockets:  # RestrictAddressFamilies=: asyncio passes over it in silence,
                raise OSError  # or, from Python 3.13 on, raises one without a number
        except OSError as exc:
            why = os.strerror(exc.errno).lower() if exc.errno else NO_SOCKET_HINT
            if isinstance(exc, socket.gaierror):  # its numbers are others
                why = str(exc.strerror).lower()
            raise StartError(f"cannot open metrics on {host}:{port}: {why}") from None
        self._servers.append(server)
        if not self.address:
            host, port = server.sockets[0].getsockname()[:2]
            self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def close(self) -> None:
        for server in self._servers:
            server.close()
        for line in list(self.connections):
            line.abort()
        self._servers.clear()
        self.address = ""

    def respond(self, request: bytes) -> bytes:
        """The whole answer to a whole request."""
        asked = REQUEST.match(request)
        if asked is None:
            return _written(400, TEXT_PLAIN, b"this is no HTTP request\n")
        method, target = asked.groups()
        answer = self._answers.get(target.partition(b"?")[0])
        if answer is None:
            paths = b", ".join(self._answers)
            return _written(404, TEXT_PLAIN, b"there are: " + paths + b"\n")
        if method not in (b"GET", b"HEAD"):
            return _written(405, TEXT_PLAIN, b"this can only be read\n")
        return _written(*answer(), is_head=method == b"HEAD")


def _written(status: int, kind: str, body: bytes, is_head: bool = False) -> bytes:
    allow = "Allow: GET, HEAD\r\n" if status == 405 else ""
    head = (
        f"HTTP/1.1 {status} {REASONS[status]}\r\n"
        f"Content-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\n"
        f"{allow}Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + (b"" if is_head else body)
