"""The telnet door.

Rule 1: bytes in, bytes out: telnet's commands are taken out here, and what was typed goes on as it
        came, line ends included.  The same bytes cut anywhere mean the same.
Rule 2: who answers nothing (netcat) is let in after telnet_wait_s; who negotiates, when the kind of
        terminal and its size are known.  What is learned later arrives as `resize`.
Rule 3: everything a stranger can repeat is counted; over the count the line is cut.
Rule 4: packages (GMCP) go to a person who is in, and to nobody before that.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from typing import Literal

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import DoorLimits as Limits
from mudserver.transport import library_patches
from mudserver.transport.coalesce import Coalescer
from mudserver.transport.flow import (
    ChunkedReader,
    OutputMonitor,
    PauseReason,
    ReadThrottle,
    enable_keepalive,
)
from mudserver.transport.gate import ConnectionSlot, Gate
from mudserver.transport.link import HandlerFactory, LinkHandler, Terminal
from mudserver.transport.listener import Listener, OpenConnections, open_listener
from mudserver.transport.login_deadline import LoginDeadline
from mudserver.transport.telnet import mssp
from mudserver.transport.telnet.options import Negotiation
from mudserver.transport.tls import TlsTransport

EOF_GRACE_S = 1.0  # so long answers still reach who has closed the other direction
TLS_HELLO = 0x16  # the first byte of a client that wants TLS


class TelnetLink(asyncio.Protocol):
    """A `Link`, and the asyncio protocol under it."""

    kind: Literal["ssh", "telnet"] = "telnet"
    wants_json = False

    __slots__ = (
        "_answer", "_clock", "_deadline", "_early_bytes", "_gate", "_inflow", "_is_open",
        "_is_sealed", "_last_timer", "_limits", "_lines", "_mouthfuls", "_outflow", "_resizes",
        "_status", "_talk", "_ticket", "_transport", "_typed_early", "_visitor", "_wait", "peer",
        "terminal",
    )  # fmt: skip

    def __init__(
        self,
        make_handler: HandlerFactory,
        gate: Gate,
        limits: Limits,
        clock: Clock,
        connections: OpenConnections,
        status: mssp.StatusSource = mssp.no_status,
    ) -> None:
        self._answer, self._gate, self._lines, self._status = (
            make_handler,
            gate,
            connections,
            status,
        )
        self._limits, self._clock = limits, clock
        self._ticket: ConnectionSlot | None = None
        self._visitor: LinkHandler | None = None
        self._resizes: Coalescer[Terminal] | None = None
        self._deadline: LoginDeadline | None = None  # None: not yet connected, or in
        self._wait: TimerHandle | None = None
        self._last_timer: TimerHandle | None = None
        self._early_bytes = 0
        self._typed_early = b""
        self._is_open = False
        self.peer = ""
        self.terminal = Terminal()

    # -- from asyncio ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        limits, clock = self._limits, self._clock
        self._transport, self._is_sealed = transport, isinstance(transport, TlsTransport)
        self.peer = str((transport.get_extra_info("peername") or ("",))[0])
        self._ticket = self._gate.admit(self.peer, self.abort)
        if self._ticket is None:
            transport.abort()
            return
        self._is_open = True
        self._lines.add(self)
        library_patches.set_read_size(transport, library_patches.READ_TELNET_BYTES)
        enable_keepalive(transport, limits)
        transport.set_write_buffer_limits(high=limits.output_lag_bytes)
        self._inflow = ReadThrottle(transport, limits, clock)
        self._mouthfuls = ChunkedReader(self._inflow, clock, self._hear)
        self._outflow = OutputMonitor(transport.get_write_buffer_size, limits, clock, self.abort)
        self._deadline = LoginDeadline(limits, clock, self._late)
        self._talk = Negotiation(
            transport, limits, clock, self._learned, self._package, self._status
        )
        if not self._is_sealed:
            self.start()

    def start(self) -> None:
        """Bytes can be exchanged: begin to talk."""
        self._wait = self._clock.call_later(self._limits.telnet_wait_s, self._call_visitor)
        self._talk.begin()

    def data_received(self, data: bytes) -> None:
        is_first = self._deadline is not None and not self._early_bytes
        if is_first and data[0] == TLS_HELLO:
            self.abort()
        elif self.count_read(len(data)):
            self.receive(data)

    def count_read(self, count: int) -> bool:
        """Count what the socket brought, sealed or not; False: the line is no more."""
        if not self._is_open:
            return False
        self._inflow.count_read(count)
        if self._deadline is not None:
            self._early_bytes += count
            if self._early_bytes > self._limits.input_before_login_bytes:
                self.abort()
        return self._is_open

    def receive(self, data: bytes) -> None:
        """Telnet as it came, and as it was counted."""
        if not self._is_open:
            return
        typed = self._talk.extract_input(data)
        if self._talk.is_flooded:
            self.abort()
            return
        if self._visitor is None:
            self._typed_early += typed  # bounded with all that comes before login
        elif typed:
            self._mouthfuls.feed(typed)

    def count_written(self, count: int) -> None:
        """Count what the socket was given, sealed or not."""
        self._outflow.count_written(count)

    def eof_received(self) -> bool:
        if self._last_timer is None:
            self._last_timer = self._clock.call_later(EOF_GRACE_S, self._close_for_eof)
        return True

    def pause_writing(self) -> None:
        self._inflow.pause(PauseReason.UNREAD_OUTPUT)

    def resume_writing(self) -> None:
        self._inflow.resume(PauseReason.UNREAD_OUTPUT)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._ticket is None:
            return  # was never let in
        self._is_open = False
        for timer in (self._deadline, self._wait, self._last_timer):
            if timer is not None:
                timer.cancel()
        self._mouthfuls.close()
        self._inflow.close()
        self._outflow.close()
        if self._resizes is not None:
            self._resizes.close()
        self._ticket.release()
        self._lines.discard(self)
        visitor, self._visitor = self._visitor, None
        if visitor is not None:
            visitor.on_disconnect()

    # -- from the negotiation ----------------------------------------------------------------

    def _learned(self) -> None:
        if self._visitor is None:
            if self._wait is not None and self._talk.is_settled:
                self._wait.cancel()
                # Not from within the parsing of a chunk: the visitor is never called re-entrantly.
                self._wait = self._clock.call_later(0.0, self._call_visitor)
            return
        terminal = self._talk.terminal()
        if terminal != self.terminal:
            if self._resizes is None:
                self._resizes = Coalescer(self._limits.resizes_per_s, self._clock, self._resized)
            self._resizes.offer(terminal)

    def _package(self, package: str, data: object) -> None:
        if package.lower() == "core.ping":
            self.send_gmcp("Core.Ping", "")
        elif self._visitor is not None and not package.lower().startswith("core.p"):
            self._visitor.on_gmcp(package, data)

    def _resized(self, terminal: Terminal) -> None:
        self.terminal = terminal
        if self._visitor is not None:
            self._visitor.on_resize(terminal)

    def _call_visitor(self) -> None:
        self._wait = None
        if not self._is_open:
            return
        self.terminal = self._talk.terminal()
        self._visitor = self._answer(self, None)
        typed, self._typed_early = self._typed_early, b""
        if typed and self._is_open:
            self._mouthfuls.feed(typed)

    def _hear(self, typed: bytes) -> None:
        if self._visitor is not None:
            self._visitor.on_data(typed)

    # -- the link ----------------------------------------------------------------------------

    @property
    def protocol(self) -> Literal["telnet", "tls"]:
        return "tls" if self._is_sealed else "telnet"

    def send(self, data: bytes) -> None:
        if not data or not self._is_open or self._transport.is_closing():
            return
        if b"\xff" in data:
            data = data.replace(b"\xff", b"\xff\xff")
        self._write(data)

    def _write(self, data: bytes) -> None:
        self._transport.write(data)
        if not self._is_sealed:  # Tls counts what it makes of it
            self._outflow.count_written(len(data))

    @property
    def speaks_gmcp(self) -> bool:
        return self._is_open and self._deadline is None and self._talk.speaks_gmcp

    def accepts_gmcp(self, package: str) -> bool:
        is_in = self._is_open and self._deadline is None and not self._transport.is_closing()
        return is_in and self._talk.accepts(package)

    def send_gmcp(self, package: str, text: str) -> None:
        if self.accepts_gmcp(package):
            self._write(self._talk.encode_package(package, text))

    def end_prompt(self) -> None:
        if self._is_open and not self._transport.is_closing():
            self._talk.end_prompt()

    def backlog(self) -> int:
        return self._outflow.backlog() if self._is_open else 0

    def set_echo(self, is_on: bool) -> None:
        if self._is_open:
            self._talk.hide_typing(not is_on)

    def count_failure(self) -> bool:
        return self._ticket is not None and self._ticket.count_failure()

    def extend_login_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.extend()

    def _late(self) -> None:
        if self._visitor is None or self._deadline is None:
            self.abort()
        else:
            self._visitor.on_login_timeout(self._deadline.message)
            self.close()

    def mark_logged_in(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if self._ticket is not None:
            self._ticket.mark_logged_in()

    def close(self) -> None:
        if self._is_open and not self._transport.is_closing():
            if self._last_timer is not None:
                self._last_timer.cancel()
            self._last_timer = self._clock.call_later(self._limits.close_s, self.abort)
            self._transport.close()

    def abort(self) -> None:
        """End the line now; what is queued is lost."""
        self._is_open = False
        self._transport.abort()

    def _close_for_eof(self) -> None:
        self._last_timer = None
        self.close()


async def open_telnet(
    host: str,
    port: int,
    *,
    make_handler: HandlerFactory,
    gate: Gate,
    clock: Clock,
    sock: socket.socket | None = None,
    status: mssp.StatusSource = mssp.no_status,
    tls_context: Callable[[], ssl.SSLContext] | None = None,
) -> Listener:
    """Open the telnet door.  StartError, in one line, if the address cannot be listened on.

    Args:
        status: What MSSP tells of the house.
        context: Telnet over TLS, from the first byte; asked for at each connection.
    """
    library_patches.silence()
    lines = OpenConnections()

    def line() -> TelnetLink:
        return TelnetLink(make_handler, gate, gate.limits, clock, lines, status)

    def sealed() -> TlsTransport:
        assert tls_context is not None
        handshake_s = min(gate.limits.tls_handshake_s, gate.limits.login_s)
        return TlsTransport(line(), tls_context(), clock, handshake_s)

    return await open_listener(
        line if tls_context is None else sealed,
        host,
        port,
        sock,
        label="the telnet door" if tls_context is None else "the tls door",
        connections=lines,
        gate=gate,
        clock=clock,
    )
