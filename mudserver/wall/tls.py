"""The wall between machines: TLS 1.3, with certificates of one private authority on both sides.

Rule 1: nobody is heard whose certificate the authority has not made; a certificate says for which
        doors (`door:1`) and game servers (`game:g1`) it is, and who says another name is refused.
Rule 2: whoever has not proved that is bounded: HANDSHAKES_MAX at once, for HANDSHAKE_S each.
Rule 3: a machine that is gone without a word is noticed within some DEAD_MS: the kernel asks.
Rule 4: why a handshake failed is one sentence for operators.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from mudserver.clock import Clock
from mudserver.config.schema import WallConfig
from mudserver.errors import StartError
from mudserver.ops.control_socket import bindable_name
from mudserver.plain_file import read_plain_file
from mudserver.transport.tls import FILE_BYTES_MAX, TlsTransport
from mudserver.wall.stream import READ_BYTES, WallStream

HANDSHAKE_S = 5.0
HANDSHAKES_MAX = 16
CONNECT_S = 5.0
DEAD_MS = 10_000  # without an answer of the other machine's kernel
ASK_S = 5  # of silence, and then the kernel asks

OTHER_AUTHORITY = "a certificate of another authority (wall.ca), or none"
REASONS: Mapping[str, str] = {
    "CERTIFICATE_VERIFY_FAILED": OTHER_AUTHORITY,
    "PEER_DID_NOT_RETURN_A_CERTIFICATE": "no certificate",
    "TLSV1_ALERT_UNKNOWN_CA": "the other side does not know our authority (wall.ca)",
    "SSLV3_ALERT_CERTIFICATE_EXPIRED": "our certificate has ended (wall.cert)",
    "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE": "our certificate is for the other side (wall.cert)",
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": "the other side wants a certificate (wall.cert)",
    "WRONG_VERSION_NUMBER": "no TLS",
    "HTTP_REQUEST": "no TLS",
    "UNSUPPORTED_PROTOCOL": "no TLS 1.3",
    "TLSV1_ALERT_PROTOCOL_VERSION": "no TLS 1.3",
}
VERIFY_REASONS: Mapping[int, str] = {
    10: "a certificate that has ended",  # X509_V_ERR_CERT_HAS_EXPIRED
    26: "a door's certificate used by a game server, or the reverse",  # X509_V_ERR_INVALID_PURPOSE
}


class TlsAddress(NamedTuple):
    """Where a game server of another machine listens."""

    host: str
    port: int
    context: ssl.SSLContext

    def __str__(self) -> str:
        return f"tls:{self.host}:{self.port}"


GameAddress = Path | TlsAddress


def context_of(config: WallConfig, *, is_server: bool) -> ssl.SSLContext:
    """StartError names the file that is wrong."""
    kind = ssl.PROTOCOL_TLS_SERVER if is_server else ssl.PROTOCOL_TLS_CLIENT
    context = ssl.SSLContext(kind)
    context.check_hostname = False  # names are those of rule 1
    context.verify_mode = ssl.CERT_REQUIRED
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.options |= ssl.OP_NO_TICKET
    if is_server:
        context.num_tickets = 0
    for setting, path in (("ca", config.ca), ("cert", config.cert), ("key", config.key)):
        try:
            read_plain_file(path, FILE_BYTES_MAX)  # OpenSSL would wait for a pipe
        except OSError as exc:
            raise StartError(f"wall.{setting} {path}: {(exc.strerror or '').lower()}") from None
    try:
        context.load_verify_locations(config.ca)
    except ssl.SSLError:
        raise StartError(f"wall.ca {config.ca} has no certificate, in PEM") from None
    try:
        # Without this, OpenSSL would ask for a pass phrase on the terminal.
        context.load_cert_chain(config.cert, config.key, password=lambda: "")
    except (ssl.SSLError, OSError, ValueError):
        raise StartError(
            f"wall.cert {config.cert} and wall.key {config.key} are not a certificate and its"
            " private key, in PEM and without a pass phrase"
        ) from None
    return context


async def reach(address: GameAddress, stream: WallStream, clock: Clock) -> TlsEnd | None:
    """Connect *stream*; None: over a Unix socket.  OSError: it cannot be reached, or refuses."""
    loop = asyncio.get_running_loop()
    if isinstance(address, Path):
        with bindable_name(address) as name:
            await loop.create_unix_connection(lambda: stream, name)
        return None
    end = TlsEnd(stream)
    async with asyncio.timeout(CONNECT_S):
        await loop.create_connection(
            lambda: end.protocol(address.context, clock, is_server=False),
            address.host,
            address.port,
        )
    await end.done
    return end


class TlsListener:
    """Args:
    make_stream: For who connects; it is made when the other side has proved who it is.
    on_refused: Told whence somebody came, and why the handshake failed.
    """

    def __init__(
        self,
        context: ssl.SSLContext,
        clock: Clock,
        make_stream: Callable[[], WallStream],
        on_refused: Callable[[str, str], None],
    ) -> None:
        self._context, self._clock = context, clock
        self._make_stream, self._on_refused = make_stream, on_refused
        self._handshakes = set[TlsEnd]()  # rule 2
        self._server: asyncio.Server | None = None
        self.address = ""

    async def open(self, host: str, port: int) -> None:
        """StartError: the address cannot be used."""
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(self._accept, host, port)
        except OSError as exc:
            why = (exc.strerror or str(exc)).lower()
            raise StartError(f"wall.tls: cannot listen on {host}:{port}: {why}") from None
        bound_host, bound_port = self._server.sockets[0].getsockname()[:2]
        self.address = f"{bound_host}:{bound_port}"

    def _accept(self) -> asyncio.Protocol:
        end = TlsEnd(self._make_stream(), self._note_end)
        end.is_refused = len(self._handshakes) >= HANDSHAKES_MAX
        if not end.is_refused:
            self._handshakes.add(end)
        return end.protocol(self._context, self._clock, is_server=True)

    def _note_end(self, end: TlsEnd) -> None:
        """Its handshake is over."""
        self._handshakes.discard(end)
        if end.why and not end.is_refused:
            self._on_refused(end.peer, end.why)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()


class TlsEnd:
    """`transport.tls.InnerProtocol`: hands what is decrypted to a stream."""

    def __init__(
        self, stream: WallStream, on_handshake_over: Callable[[TlsEnd], None] = lambda end: None
    ) -> None:
        self._stream, self._on_handshake_over = stream, on_handshake_over
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.why = ""  # why the handshake failed, or the connection was broken
        self.peer = ""
        self.is_refused = False  # at once

    def protocol(self, context: ssl.SSLContext, clock: Clock, *, is_server: bool) -> TlsTransport:
        """Between the socket and this."""
        self._transport = TlsTransport(
            self, context, clock, HANDSHAKE_S, is_server=is_server, read_bytes=READ_BYTES
        )
        return self._transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.peer = str((transport.get_extra_info("peername") or ("?",))[0])
        watch(transport.get_extra_info("socket"))
        if self.is_refused:
            self._transport.abort()

    def start(self) -> None:
        self.done.set_result(None)
        self._on_handshake_over(self)
        self._stream.connection_made(self._transport)

    def count_read(self, count: int) -> bool:
        return True

    def receive(self, data: bytes) -> None:
        self._stream.data_received(data)

    def count_written(self, count: int) -> None:
        """The stream counts what it says."""

    def eof_received(self) -> bool | None:
        self._transport.abort()  # a wall that says nothing more is over
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        if self._is_started:
            self._stream.connection_lost(exc)
            return
        self.why = self.why or "the connection has ended before TLS was agreed"
        if not self.done.done():
            self.done.set_exception(ConnectionError(self.why))
            self.done.exception()  # on a game server nobody asks for it
        self._on_handshake_over(self)

    @property
    def _is_started(self) -> bool:
        return self.done.done() and self.done.exception() is None

    def pause_writing(self) -> None:
        if self._is_started:
            self._stream.pause_writing()

    def resume_writing(self) -> None:
        if self._is_started:
            self._stream.resume_writing()

    def close(self) -> None:
        """What came is no TLS, or the other side refuses."""
        self.why = reason(self._transport.failure)
        self._transport.finish()

    def abort(self) -> None:
        """The handshake takes too long."""
        self.why = f"no handshake within {HANDSHAKE_S:.0f} s"
        self._transport.abort()


def reason(failure: ssl.SSLError | None) -> str:
    """One line for operators [rule 4]."""
    if failure is None:
        return "TLS failed"
    name = str(getattr(failure, "reason", None) or "TLS failed").replace(" ", "_")
    if (code := getattr(failure, "verify_code", 0)) in VERIFY_REASONS:
        return VERIFY_REASONS[code]
    return REASONS.get(name, f"TLS failed: {name.lower().replace('_', ' ')}")


def watch(connected: Any) -> None:
    """Have the kernel notice that the other machine is gone [rule 3]."""
    with suppress(OSError):  # it is gone already
        for level, option, value in (
            (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
            (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, ASK_S),
            (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1),
            (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, DEAD_MS // 1_000 - ASK_S),
            (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_MS),
        ):
            connected.setsockopt(level, option, value)
