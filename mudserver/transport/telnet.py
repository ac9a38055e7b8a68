"""The telnet door.

Rule 1: bytes in, bytes out: telnet's commands are taken out here, and what was typed goes on as it
        came, line ends included.  The same bytes cut anywhere mean the same.  [C9 C10]
Rule 2: who answers nothing (netcat) is let in after telnet_wait_s; who negotiates, when the kind of
        terminal and its size are known.  What is learned later arrives as `resize`.
Rule 3: everything a stranger can repeat is counted; over the count the line is cut.  [C1 C2]
"""

from __future__ import annotations

import asyncio
import socket
from typing import Literal

from mudserver.clock import Clock, TimerHandle
from mudserver.config import Config
from mudserver.config import Door as Limits
from mudserver.transport import shims
from mudserver.transport.door import Door, Lines, opened
from mudserver.transport.flow import Hold, Inflow, Mouthfuls, Outflow, notice_silence
from mudserver.transport.gate import Gate, Ticket
from mudserver.transport.link import Answer, Terminal, Visitor
from mudserver.transport.rates import Latest
from mudserver.transport.telnet_options import Negotiation

EOF_GRACE_S = 1.0  # so long answers still reach who has closed the other direction
TLS_HELLO = 0x16  # the first byte of a client that wants TLS


class TelnetLink(asyncio.Protocol):
    """A `Link`, and the asyncio protocol under it."""

    kind: Literal["ssh", "telnet"] = "telnet"
    wants_json = False

    __slots__ = (
        "_answer", "_clock", "_deadline", "_early_bytes", "_gate", "_inflow", "_is_open",
        "_last_timer", "_limits", "_lines", "_mouthfuls", "_outflow", "_resizes", "_talk",
        "_ticket", "_transport", "_typed_early", "_visitor", "_wait", "peer", "terminal",
    )  # fmt: skip

    def __init__(
        self, answer: Answer, gate: Gate, limits: Limits, clock: Clock, lines: Lines
    ) -> None:
        self._answer, self._gate, self._lines = answer, gate, lines
        self._limits, self._clock = limits, clock
        self._ticket: Ticket | None = None
        self._visitor: Visitor | None = None
        self._resizes: Latest[Terminal] | None = None
        self._deadline: TimerHandle | None = None
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
        self._transport = transport
        self.peer = str((transport.get_extra_info("peername") or ("",))[0])
        self._ticket = self._gate.knock(self.peer, self.cut)
        if self._ticket is None:
            transport.abort()
            return
        self._is_open = True
        self._lines.add(self)
        shims.read_at_most(transport, shims.READ_TELNET_BYTES)
        notice_silence(transport, limits)
        transport.set_write_buffer_limits(high=limits.output_lag_bytes)
        self._inflow = Inflow(transport, limits, clock)
        self._mouthfuls = Mouthfuls(self._inflow, clock, self._hear)
        self._outflow = Outflow(transport.get_write_buffer_size, limits, clock, self.cut)
        self._deadline = clock.call_later(limits.login_s, self.cut)
        self._wait = clock.call_later(limits.telnet_wait_s, self._open_up)
        self._talk = Negotiation(transport, limits, clock, self._learned)
        self._talk.begin()

    def data_received(self, data: bytes) -> None:
        if not self._is_open:
            return
        self._inflow.took(len(data))
        if self._deadline is not None:
            if not self._early_bytes and data[0] == TLS_HELLO:
                self.cut()
                return
            self._early_bytes += len(data)
            if self._early_bytes > self._limits.input_before_login_bytes:
                self.cut()
                return
        typed = self._talk.typed_in(data)
        if self._talk.is_flooded:
            self.cut()
            return
        if self._visitor is None:
            self._typed_early += typed  # bounded with all that comes before login
        elif typed:
            self._mouthfuls.offer(typed)

    def eof_received(self) -> bool:
        if self._last_timer is None:
            self._last_timer = self._clock.call_later(EOF_GRACE_S, self._close_for_eof)
        return True

    def pause_writing(self) -> None:
        self._inflow.hold(Hold.WRITE)

    def resume_writing(self) -> None:
        self._inflow.release(Hold.WRITE)

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
        self._ticket.leave()
        self._lines.discard(self)
        visitor, self._visitor = self._visitor, None
        if visitor is not None:
            visitor.lost()

    # -- from the negotiation ----------------------------------------------------------------

    def _learned(self) -> None:
        if self._visitor is None:
            if self._wait is not None and self._talk.is_settled:
                self._wait.cancel()
                # Not from within the parsing of a chunk: the visitor is never called re-entrantly.
                self._wait = self._clock.call_later(0.0, self._open_up)
            return
        terminal = self._talk.terminal()
        if terminal != self.terminal:
            if self._resizes is None:
                self._resizes = Latest(self._limits.resizes_per_s, self._clock, self._resized)
            self._resizes.offer(terminal)

    def _resized(self, terminal: Terminal) -> None:
        self.terminal = terminal
        if self._visitor is not None:
            self._visitor.resize(terminal)

    def _open_up(self) -> None:
        self._wait = None
        if not self._is_open:
            return
        self.terminal = self._talk.terminal()
        self._visitor = self._answer(self, None)
        typed, self._typed_early = self._typed_early, b""
        if typed and self._is_open:
            self._mouthfuls.offer(typed)

    def _hear(self, typed: bytes) -> None:
        if self._visitor is not None:
            self._visitor.hear(typed)

    # -- the link ----------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        if not data or not self._is_open or self._transport.is_closing():
            return
        if b"\xff" in data:
            data = data.replace(b"\xff", b"\xff\xff")
        self._transport.write(data)
        self._outflow.poured(len(data))

    def backlog(self) -> int:
        return self._outflow.backlog() if self._is_open else 0

    def echo(self, on: bool) -> None:
        if self._is_open:
            self._talk.hide_typing(not on)

    def failed(self) -> bool:
        return self._ticket is not None and self._ticket.failed()

    def admitted(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if self._ticket is not None:
            self._ticket.admit()

    def close(self) -> None:
        if self._is_open and not self._transport.is_closing():
            if self._last_timer is not None:
                self._last_timer.cancel()
            self._last_timer = self._clock.call_later(self._limits.close_s, self.cut)
            self._transport.close()

    def cut(self) -> None:
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
    answer: Answer,
    gate: Gate,
    config: Config,
    clock: Clock,
    sock: socket.socket | None = None,
) -> Door:
    """Open the telnet door.  StartError, in one line, if the address cannot be listened on."""
    shims.hush()
    limits, lines = config.door, Lines()
    return await opened(
        lambda: TelnetLink(answer, gate, limits, clock, lines),
        host,
        port,
        sock,
        what="the telnet door",
        lines=lines,
        limits=limits,
    )
