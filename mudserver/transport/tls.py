"""TLS under telnet, between the socket and the line.

Rule 1: a connection stands at the gate and has its deadlines before anything is computed or kept
        for it; asyncio's own TLS would hide it until its handshake is done, at 0.3 MB each.
Rule 2: what is sealed is counted and held back as what is not: the line counts the bytes of the
        socket, in both directions, and plain text is read only as fast as it is heard.
Rule 3: TLS 1.2 is the oldest; nothing is renegotiated, resumed or compressed.

Sources: RFC 8446, RFC 5246; Mozilla's "intermediate" server-side recommendations.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from typing import Any, Protocol

from mudserver.clock import Clock, TimerHandle
from mudserver.errors import StartError
from mudserver.transport.library_patches import READ_TELNET_BYTES, set_read_size


class InnerProtocol(Protocol):
    """What runs over TLS."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None: ...
    def start(self) -> None:
        """The handshake is done: speak."""

    def count_read(self, count: int) -> bool:
        """Count bytes of the socket; False: the line is no more."""

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
    """What the TLS door proves itself with.  StartError says which file is wrong."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    made.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_TICKET
    made.num_tickets = 0
    files = f"server.tls_cert {certificate} and server.tls_key {key}"
    try:
        # A key with a pass phrase would be asked for on the terminal of whoever starts the house.
        made.load_cert_chain(certificate, key, password=lambda: "")
    except ssl.SSLError:
        why = "they are not a certificate and its private key, in PEM and without a pass phrase"
        raise StartError(f"cannot open the tls door with {files}: {why}") from None
    except (OSError, ValueError) as exc:
        why = (getattr(exc, "strerror", None) or str(exc)).lower()
        raise StartError(f"cannot open the tls door with {files}: {why}") from None
    return made


class TlsTransport(asyncio.Protocol, asyncio.Transport):
    """A protocol to the socket, a transport to the line."""

    def __init__(
        self, inner: InnerProtocol, context: ssl.SSLContext, clock: Clock, handshake_s: float
    ) -> None:
        super().__init__()
        self._line, self._context, self._clock = inner, context, clock
        self._handshake_s = handshake_s
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls: ssl.SSLObject | None = None  # from the first byte on
        self._timer: TimerHandle | None = None  # runs until the handshake is done
        self._is_sealed = self._is_paused = False
        self._is_over = False  # closed, broken, or gone: nothing is sealed or unsealed any more

    # -- from the socket ---------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._socket = transport
        set_read_size(transport, READ_TELNET_BYTES)
        self._timer = self._clock.call_later(self._handshake_s, self._line.abort)
        self._line.connection_made(self)

    def data_received(self, data: bytes) -> None:
        if self._is_over or not self._line.count_read(len(data)):
            return
        if self._tls is None:
            self._tls = self._context.wrap_bio(self._in, self._out, server_side=True)
        self._in.write(data)
        self._pump()

    def eof_received(self) -> bool | None:
        return self._line.eof_received() if self._is_sealed else None

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_over = True
        self._tls = None  # now, and not when a collector comes by: a hundred KiB each
        self._stop_timer()
        self._line.connection_lost(exc)

    def pause_writing(self) -> None:
        self._line.pause_writing()

    def resume_writing(self) -> None:
        self._line.resume_writing()

    def _pump(self) -> None:
        """Go on with the handshake, or hand on what can be read."""
        if self._tls is None or self._is_over:
            return
        try:
            if not self._is_sealed:
                self._tls.do_handshake()
                self._is_sealed = True
                self._stop_timer()
                self._flush()
                self._line.start()
            while not (self._is_paused or self._is_over or self.is_closing()):
                data = self._tls.read(READ_TELNET_BYTES)
                if not data:
                    self._line.eof_received()
                    break
                self._line.receive(data)
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:
            self._is_over = True  # what stands in the buffers is no language any more
            self._flush()  # the alert that says so
            self._line.close()
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
            self._line.count_written(len(data))

    # -- from the line -----------------------------------------------------------------------

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
        """Say goodbye in TLS, too; what is queued is sent."""
        if self._is_sealed and not self._is_over and self._tls is not None:
            with suppress(ssl.SSLError):  # it would wait for the other goodbye; nobody here does
                self._tls.unwrap()
            self._flush()
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
            self._clock.call_soon(self._pump)  # what was unsealed before, but not read

    def is_reading(self) -> bool:
        return not self._is_paused

    def get_write_buffer_size(self) -> int:
        return self._socket.get_write_buffer_size()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._socket.set_write_buffer_limits(high=high, low=low)

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._socket.get_extra_info(name, default)
