"""The telnet listener and its connections.

Rule 1: bytes in, bytes out: telnet commands are removed here, and typed bytes are passed on
        unchanged, line ends included.  How the bytes are segmented makes no difference.
Rule 2: a client that answers nothing (netcat) starts after telnet_wait_s; one that negotiates,
        when its terminal type and size are known.  Later changes arrive as `on_resize`.
Rule 3: everything that a client can repeat is counted; over the limit the connection is aborted.
Rule 4: GMCP packages are sent only after login.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from typing import Literal

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import DoorLimits
from mudserver.transport import library_patches
from mudserver.transport.coalesce import Coalescer
from mudserver.transport.flow import (
    ChunkedReader,
    OutputMonitor,
    PauseReason,
    ReadThrottle,
    enable_keepalive,
)
from mudserver.transport.gate import ConnectionSlot, FailedLogin, Gate, Progress
from mudserver.transport.link import (
    HandlerFactory,
    JsonProtocol,
    LinkHandler,
    LostReason,
    Terminal,
)
from mudserver.transport.login_deadline import LoginDeadline
from mudserver.transport.read_size import READ_TELNET_BYTES, set_read_size
from mudserver.transport.tcp_listener import OpenConnections, TcpListener, open_tcp_listener
from mudserver.transport.telnet import mssp
from mudserver.transport.telnet.negotiation import Negotiation
from mudserver.transport.tls import TlsTransport
from mudserver.transport.wipe import wipe

EOF_GRACE_S = 1.0  # how long answers still reach a client that has closed its sending side
TLS_HELLO = 0x16  # the first byte of a TLS client


class TelnetLink(asyncio.Protocol):
    """A `Link`, and the asyncio protocol under it."""

    wants_json = wants_export = False
    wanted_game = ""
    visit = ""
    holder = None

    __slots__ = (
        "_clock",
        "_close_timer",
        "_connections",
        "_deadline",
        "_early_bytes",
        "_early_input",
        "_handler",
        "_is_open", "_is_secret",
        "_is_tls",
        "_limits",
        "_make_handler",
        "_negotiation",
        "_output",
        "_reader",
        "_resizes",
        "_slot",
        "_status",
        "_throttle",
        "_transport",
        "_wait_timer",
        "backlog",
        "lost_why",
        "peer",
        "terminal",
    )  # fmt: skip

    def __init__(
        self,
        make_handler: HandlerFactory,
        slot: ConnectionSlot,
        limits: DoorLimits,
        clock: Clock,
        connections: OpenConnections,
        status: mssp.StatusSource = mssp.no_status,
    ) -> None:
        self._make_handler, self._connections, self._status = make_handler, connections, status
        self._limits, self._clock, self._slot = limits, clock, slot
        self._handler: LinkHandler | None = None
        self._resizes: Coalescer[Terminal] | None = None
        self._deadline: LoginDeadline | None = None  # None: not yet connected, or logged in
        self._wait_timer: TimerHandle | None = None
        self._close_timer: TimerHandle | None = None
        self._early_bytes = 0
        self._early_input = b""
        self._is_open = self._is_secret = False  # a password is typed
        self.peer = ""
        self.lost_why: LostReason | None = None
        self.terminal = Terminal()

    # -- from asyncio ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        limits, clock = self._limits, self._clock
        self._transport, self._is_tls = transport, isinstance(transport, TlsTransport)
        self.peer = str((transport.get_extra_info("peername") or ("",))[0])
        self._slot.end_connection = self._end
        self._is_open = True
        self._connections.add(self)
        set_read_size(transport, READ_TELNET_BYTES)
        enable_keepalive(transport, limits)
        transport.set_write_buffer_limits(high=limits.output_lag_bytes)
        self._throttle = ReadThrottle(transport, limits, clock)
        self._reader = ChunkedReader(self._throttle, self._connections.input_turns, self._on_data)
        self.backlog = transport.get_write_buffer_size
        self._output = OutputMonitor(self.backlog, limits, clock, self.abort)
        self._deadline = LoginDeadline(
            limits, clock, self._on_login_timeout, self._slot.stood_still_s
        )
        self._negotiation = Negotiation(
            transport, limits, clock, self._on_terminal_change, self._on_package, self._status
        )
        if self._is_tls:
            self._slot.begin_handshake()
        else:
            self.start()

    def start(self) -> None:
        """Bytes can be exchanged: begin to negotiate."""
        self._slot.end_handshake()
        if self._is_tls and (ban := self._slot.ban()):  # else the arrival has read it
            self._end(ban)
            return
        self._wait_timer = self._clock.call_later(self._limits.telnet_wait_s, self._create_handler)
        self._negotiation.begin()

    def data_received(self, data: bytes) -> None:
        is_first = self._deadline is not None and not self._early_bytes
        if is_first and data[0] == TLS_HELLO:
            self.abort()
        elif self.count_read(len(data)):
            self.receive(data)
            if self._is_secret:
                self._wipe(data)

    def count_read(self, count: int) -> bool:
        """Count bytes from the socket, encrypted or not; False: the connection has ended."""
        if not self._is_open:
            return False
        self._throttle.count_read(count)
        if self._deadline is not None:
            self._slot.note_progress(Progress.SPEAKING)
            self._early_bytes += count
            if self._early_bytes > self._limits.input_before_login_bytes:
                self.abort()
        return self._is_open

    def receive(self, data: bytes) -> None:
        """Process decrypted bytes, which are counted already."""
        if not self._is_open:
            return
        typed = self._negotiation.extract_input(data)
        if self._negotiation.is_flooded:
            self.abort()
            return
        if self._handler is None:
            self._early_input += typed  # bounded by input_before_login_bytes
        elif typed:
            self._reader.feed(typed)
            if self._is_secret:
                self._wipe(typed)

    def _wipe(self, data: bytes) -> None:
        """Forget a password that somebody else has now [`wipe.py`, rule 1]."""
        handler = self._handler
        if self._reader.is_idle and handler is not None and handler.copies_input:
            wipe(data)

    def count_written(self, count: int) -> None:
        """Count bytes handed to the socket, encrypted or not."""
        self._output.count_written(count)

    def eof_received(self) -> bool:
        if self._close_timer is None:
            self._close_timer = self._clock.call_later(EOF_GRACE_S, self._close_for_eof)
        return True

    def pause_writing(self) -> None:
        self._throttle.pause(PauseReason.UNREAD_OUTPUT)

    def resume_writing(self) -> None:
        self._throttle.resume(PauseReason.UNREAD_OUTPUT)

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_open = False
        for timer in (self._deadline, self._wait_timer, self._close_timer):
            if timer is not None:
                timer.cancel()
        self._reader.close()
        self._throttle.close()
        self._output.close()
        if self._resizes is not None:
            self._resizes.close()
        self._slot.release()
        self._connections.discard(self)
        handler, self._handler = self._handler, None
        self.lost_why = self._output.lost_why
        if handler is not None:
            handler.on_disconnect()

    # -- from the negotiation ----------------------------------------------------------------

    def _on_terminal_change(self) -> None:
        if self._handler is None:
            if self._wait_timer is not None and self._negotiation.is_settled:
                self._wait_timer.cancel()
                # Not while a chunk is being parsed: the handler is never called re-entrantly.
                self._wait_timer = self._clock.call_later(0.0, self._create_handler)
            return
        terminal = self._negotiation.terminal()
        if terminal != self.terminal:
            if self._resizes is None:
                self._resizes = Coalescer(self._limits.resizes_per_s, self._clock, self._resized)
            self._resizes.offer(terminal)

    def _on_package(self, package: str, data: object) -> None:
        if package.lower() == "core.ping":
            self.send_gmcp("Core.Ping", "")
        elif self._handler is not None and not package.lower().startswith("core.p"):
            self._handler.on_gmcp(package, data)

    def _resized(self, terminal: Terminal) -> None:
        self.terminal = terminal
        if self._handler is not None:
            self._handler.on_resize(terminal)

    def _create_handler(self) -> None:
        self._wait_timer = None
        if not self._is_open:
            return
        self.terminal = self._negotiation.terminal()
        self._handler = self._make_handler(self, None)
        typed, self._early_input = self._early_input, b""
        if typed and self._is_open:
            self._reader.feed(typed)

    def _on_data(self, typed: bytes) -> None:
        if self._handler is not None:
            self._handler.on_data(typed)

    # -- the link ----------------------------------------------------------------------------

    @property
    def protocol(self) -> Literal["telnet", "tls"]:
        return "tls" if self._is_tls else "telnet"

    def send(self, data: bytes, seen: int = 0, *, is_escaped: bool = False) -> None:
        transport = self._transport
        if not data or not self._is_open or transport.is_closing():
            return
        if b"\xff" in data and not is_escaped:
            data = data.replace(b"\xff", b"\xff\xff")
        transport.write(data)
        if not self._is_tls and transport.get_write_buffer_size():  # nearly never
            self._output.count_written(len(data))  # TlsTransport counts the encrypted bytes

    @property
    def json_protocol(self) -> JsonProtocol:
        return self._negotiation.json_protocol

    @property
    def speaks_gmcp(self) -> bool:
        return self._is_open and self._deadline is None and self._negotiation.speaks_gmcp

    def accepts_gmcp(self, package: str) -> bool:
        may_send = self._is_open and self._deadline is None and not self._transport.is_closing()
        return may_send and self._negotiation.accepts(package)

    def send_gmcp(self, package: str, text: str) -> None:
        if self.accepts_gmcp(package):
            self.send(self._negotiation.encode_package(package, text), is_escaped=True)

    @property
    def modules(self) -> tuple[tuple[str, int], ...] | None:
        return self._negotiation.requested_modules()

    def hold_input(self, is_held: bool) -> None:
        if self._is_open:
            throttle = self._throttle
            (throttle.pause if is_held else throttle.resume)(PauseReason.HELD)

    def end_prompt(self) -> None:
        if self._is_open and not self._transport.is_closing():
            self._negotiation.end_prompt()

    def set_echo(self, is_on: bool) -> None:
        if self._is_open:
            self._is_secret = not is_on
            self._negotiation.hide_typing(not is_on)

    async def may_try(self, name: str) -> bool:
        return self._slot.may_try(name)

    async def count_failure(self, name: str) -> bool:
        return self._slot.count_failure(FailedLogin(name, "password", self.protocol))

    def extend_login_deadline(self) -> None:
        self._slot.note_progress(Progress.NAMED)
        if self._deadline is not None:
            self._deadline.extend()

    def _on_login_timeout(self) -> None:
        if self._handler is None or self._deadline is None:
            self.abort()
        else:
            self._handler.on_login_timeout(self._deadline.message)
            if self._close_timer is None and self._is_open:  # it closes the link, but not yet
                self._close_timer = self._clock.call_later(self._limits.close_s, self.abort)

    def mark_logged_in(self, name: str, *, is_regular: bool) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._slot.mark_logged_in(name, is_regular=is_regular)

    def _end(self, sentence: str) -> None:
        self.send(b"\r\n" + sentence.encode("ascii") + b"\r\n")
        self.close()

    def refuse(self, text: str) -> None:
        """Only over SSH an export can be asked for."""

    def close(self) -> None:
        if self._is_open and not self._transport.is_closing():
            if self._close_timer is not None:
                self._close_timer.cancel()
            self._close_timer = self._clock.call_later(self._limits.close_s, self.abort)
            self._transport.close()

    def abort(self) -> None:
        """End the connection now; queued output is lost."""
        self._is_open = False
        self._transport.abort()

    def _close_for_eof(self) -> None:
        self._close_timer = None
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
) -> TcpListener:
    """Open a telnet listener.  StartError, in one line, if the address cannot be listened on.

    Args:
        status: What MSSP reports.
        tls_context: Called for each connection; if given, TLS begins with the first byte.
    """
    library_patches.silence()
    connections = OpenConnections(clock)

    def plain(slot: ConnectionSlot) -> TelnetLink:
        return TelnetLink(make_handler, slot, gate.limits, clock, connections, status)

    def encrypted(slot: ConnectionSlot) -> TlsTransport:
        assert tls_context is not None
        handshake_s = min(gate.limits.tls_handshake_s, gate.limits.login_s)
        return TlsTransport(plain(slot), tls_context(), clock, handshake_s)

    return await open_tcp_listener(
        plain if tls_context is None else encrypted,
        host,
        port,
        sock,
        label="the telnet listener" if tls_context is None else "the tls listener",
        connections=connections,
        gate=gate,
        clock=clock,
        encode_refusal=encode_refusal if tls_context is None else None,
        tells_bans=tls_context is None,
    )


def encode_refusal(sentence: str) -> bytes:
    """What a client shows that has not been served."""
    return f"{sentence}\r\n".encode("ascii")
