"""TLS for telnet, between the socket and the telnet link.

Rule 1: a connection passes the gate and gets its deadlines before anything is computed or kept for
        it.  asyncio's own TLS would hide it until the handshake is done, at 0.3 MB each.
Rule 2: encrypted connections have the same limits as plain ones: the link counts the bytes of the
        socket, in both directions, and decrypts only as fast as it processes input.
Rule 3: TLS 1.2 is the oldest version; no renegotiation, resumption or compression.

Sources: RFC 8446, RFC 5246; Mozilla's "intermediate" server-side recommendations.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from typing import Any, Protocol

from mudserver.clock import Clock, TimerHandle
from mudserver.errors import StartError
from mudserver.plain_file import read_plain_file
from mudserver.transport.read_size import READ_TELNET_BYTES, set_read_size

FILE_BYTES_MAX = 1_048_576  # of a certificate with its chain, and of a key


class InnerProtocol(Protocol):
    """What runs over TLS."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None: ...
    def start(self) -> None:
        """The handshake is done: begin."""

    def count_read(self, count: int) -> bool:
        """Count bytes of the socket; False: the connection has ended."""

    def receive(self, data: bytes) -> None: ...
    def count_written(self, count: int) -> None:
        """Count bytes handed to the socket."""

    def eof_received(self) -> bool | None: ...
    def connection_lost(self, exc: Exception | None) -> None: ...
    def pause_writing(self) -> None: ...
    def resume_writing(self) -> None: ...
    def close(self) -> None: ...
    def abort(self) -> None: ...


def server_context(certificate: str, key: str) -> ssl.SSLContext:
    """The TLS context of certificate and key.  StartError names the file that is wrong."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_TICKET
    context.num_tickets = 0
    files = f"server.tls_cert {certificate} and server.tls_key {key}"
    try:
        for path in (certificate, key):
            read_plain_file(path, FILE_BYTES_MAX)  # OpenSSL would wait for a pipe
        # Without this, OpenSSL would ask for a pass phrase on the terminal that starts the server.
        context.load_cert_chain(certificate, key, password=lambda: "")
    except ssl.SSLError:
        why = "they are not a certificate and its private key, in PEM and without a pass phrase"
        raise StartError(f"cannot open the tls listener with {files}: {why}") from None
    except (OSError, ValueError) as exc:
        why = (getattr(exc, "strerror", None) or str(exc)).lower()
        raise StartError(f"cannot open the tls listener with {files}: {why}") from None
    return context


class TlsTransport(asyncio.Protocol, asyncio.Transport):
    """A protocol to the socket, a transport to the link.

    Args:
        is_server: False: this side begins the handshake.
        read_bytes: Of one read of the socket, at most.
    """

    def __init__(
        self,
        inner: InnerProtocol,
        context: ssl.SSLContext,
        clock: Clock,
        handshake_s: float,
        *,
        is_server: bool = True,
        read_bytes: int = READ_TELNET_BYTES,
    ) -> None:
        super().__init__()
        self._inner, self._context, self._clock = inner, context, clock
        self._handshake_s, self._is_server, self._read_bytes = handshake_s, is_server, read_bytes
        self.failure: ssl.SSLError | None = None  # why the inner protocol was told to close
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls: ssl.SSLObject | None = None  # made at the first byte
        self._timer: TimerHandle | None = None  # runs until the handshake is done
        self._is_established = self._is_paused = False
        self._is_over = False  # closed, broken, or gone: nothing is encrypted or decrypted

    # -- from the socket ---------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._socket = transport
        set_read_size(transport, self._read_bytes)
        self._timer = self._clock.call_later(self._handshake_s, self._inner.abort)
        self._inner.connection_made(self)
        if not self._is_server and not self.is_closing():
            self._tls = self._context.wrap_bio(self._in, self._out, server_side=False)
            self._process()

    def data_received(self, data: bytes) -> None:
        if self._is_over or not self._inner.count_read(len(data)):
            return
        if self._tls is None:
            self._tls = self._context.wrap_bio(self._in, self._out, server_side=True)
        self._in.write(data)
        self._process()

    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._is_established else None

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_over = True
        self._stop_timer()
        self._inner.connection_lost(exc)
        self._tls = None  # free a hundred KiB now, not at the next garbage collection

    def decrypt_rest(self, data: bytes) -> bytes:
        """What *data* says, which was left in the broken socket; only in `connection_lost`."""
        if self._tls is None or not self._is_established:
            return b""
        self._in.write(data)
        said = bytearray()
        with suppress(ssl.SSLError):
            while part := self._tls.read(self._read_bytes):
                said += part
        return bytes(said)

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def _process(self) -> None:
        """Continue the handshake, or pass on what can be decrypted."""
        if self._tls is None or self._is_over:
            return
        try:
            if not self._is_established:
                self._tls.do_handshake()
                self._is_established = True
                self._stop_timer()
                self._flush()
                self._inner.start()
            while not (self._is_paused or self._is_over or self.is_closing()):
                data = self._tls.read(self._read_bytes)
                if not data:
                    self._inner.eof_received()
                    break
                self._inner.receive(data)
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError as exc:
            self._is_over, self.failure = True, exc  # the buffers hold no valid TLS any more
            self._flush()  # the alert that says so
            self._inner.close()
            return
        self._flush()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _flush(self) -> None:
        data = self._out.read()
        if data and not self._socket.is_closing():
            self._socket.write(data)
            self._inner.count_written(len(data))

    # -- from the link -----------------------------------------------------------------------

    def write(self, data: Any) -> None:
        if self._tls is None or self._is_over:
            return
        try:
            at, rest = 0, memoryview(data)
            while at < len(rest):
                at += self._tls.write(rest[at:])
        except ssl.SSLError:
            self.abort()
            return
        self._flush()

    def close(self) -> None:
        """Send close_notify; what is queued is sent."""
        if self._is_established and not self._is_over and self._tls is not None:
            with suppress(ssl.SSLError):  # it would wait for the peer's close_notify; we do not
                self._tls.unwrap()
            self._flush()
        self._is_over = True
        self._socket.close()

    def finish(self) -> None:
        """Close when what was written has left; nothing more is said."""
        self._is_over = True
        self._socket.close()

    def abort(self) -> None:
        self._is_over = True
        self._socket.abort()

    def is_closing(self) -> bool:
        return self._socket.is_closing()

    def pause_reading(self) -> None:
        self._is_paused = True
        self._socket.pause_reading()

    def resume_reading(self) -> None:
        if self._is_paused:
            self._is_paused = False
            self._socket.resume_reading()
            self._clock.call_soon(self._process)  # decrypted before, but not read

    def is_reading(self) -> bool:
        return not self._is_paused

    def get_write_buffer_size(self) -> int:
        return self._socket.get_write_buffer_size()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._socket.set_write_buffer_limits(high=high, low=low)

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        if name == "peercert":
            return default if self._tls is None else self._tls.getpeercert()
        return self._socket.get_extra_info(name, default)
