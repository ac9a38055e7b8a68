"""The SSH door.

Rule 1: a session is callbacks on one object: no task, no stream, no shell, no file.
Rule 2: of all that SSH can do there is a session for a person at a terminal, or for a program that
        asks for `json`, one at a time.  Commands, subsystems, forwarding and agents are refused
        with a sentence where the protocol has room for one.
Rule 3: only dear-to-nobody cryptography: what a stranger may make us compute before login stays
        near one millisecond.  chacha20 is left out because clients would choose it and it halves
        the number of lines we can send.

Source of the figures: docs/limits.md.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

import asyncssh

from mudserver.clock import Clock, TimerHandle
from mudserver.config import Door as Limits
from mudserver.transport import shims
from mudserver.transport.deadline import LoginDeadline
from mudserver.transport.door import Door, Lines, opened
from mudserver.transport.flow import Hold, Inflow, Mouthfuls, Outflow, notice_silence
from mudserver.transport.gate import Gate
from mudserver.transport.hostkeys import HostKeys
from mudserver.transport.link import Answer, Doorman, Terminal, Visitor
from mudserver.transport.rates import Latest
from mudserver.transport.ssh_auth import Authentication
from mudserver.transport.terminal import (
    Colours,
    charset_of_locale,
    clamped_size,
    clean_name,
    colours_of,
    is_ansi_name,
)

KEY_EXCHANGES = [
    "mlkem768x25519-sha256",
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
]
CIPHERS = ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes256-ctr"]
MACS = ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256"]
LOGIN_FACTOR = 4  # an SSH login is mostly keys: times input_before_login_bytes
EOF_GRACE_S = 1.0  # so long answers still reach who has closed the other direction

JSON = "json"  # the command that asks for objects instead of a screen
SCREEN = "screen"  # the command that asks for the full screen, with a terminal (-t)
NO_COMMANDS = "No commands are run here. Connect without one to come in; programs say json."


class Caller(Authentication):
    """One connection: its bounds, its proof, and the one session that it may hold."""

    def __init__(
        self,
        answer: Answer,
        doorman: Doorman,
        gate: Gate,
        limits: Limits,
        clock: Clock,
        lines: Lines,
    ) -> None:
        super().__init__(doorman, limits)
        self.answer, self.clock, self.limits = answer, clock, limits
        self._gate, self._lines = gate, lines
        self._session: Session | None = None
        self._opens = self._early_bytes = 0

    def knock(self, connection: shims.Connection, transport: asyncio.Transport) -> bool:
        self.peer = str((transport.get_extra_info("peername") or ("",))[0])
        ticket = self._gate.knock(self.peer, self.cut)
        if ticket is None:
            return False
        self._ticket, self._connection = ticket, connection
        shims.read_at_most(transport, shims.READ_BYTES)
        notice_silence(transport, self.limits)
        transport.set_write_buffer_limits(high=self.limits.output_lag_bytes)
        self._inflow = Inflow(transport, self.limits, self.clock)
        self.wire = Outflow(transport.get_write_buffer_size, self.limits, self.clock, self.cut)
        self._lines.add(self)
        self._deadline = LoginDeadline(self.limits, self.clock, self.late)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        self._inflow.close()
        self.wire.close()
        self._ticket.leave()
        self._lines.discard(self)

    def cut(self) -> None:
        self._connection.abort()

    # -- bounds ------------------------------------------------------------------------------

    def read(self, count: int) -> None:
        self._inflow.took(count)
        if self.proven is None:
            self._early_bytes += count
            if self._early_bytes > LOGIN_FACTOR * self.limits.input_before_login_bytes:
                self.cut()

    def wrote(self, count: int) -> None:
        self.wire.poured(count)

    def is_unread(self, is_unread: bool) -> None:
        # Not reading who does not read us ends every flood of requests that want replies.
        (self._inflow.hold if is_unread else self._inflow.release)(Hold.WRITE)

    # -- sessions ----------------------------------------------------------------------------

    def session_requested(self) -> tuple[shims.Channel, Session]:
        self._opens += 1
        if self._opens > self.limits.channel_opens_max or self._session is not None:
            raise asyncssh.ChannelOpenError(
                asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, "one session at a time"
            )
        self._session = Session(self)
        return shims.Channel(self._connection, self.limits), self._session

    def mouthfuls(self, hear: Callable[[bytes], None]) -> Mouthfuls:
        return Mouthfuls(self._inflow, self.clock, hear)

    def session_admitted(self) -> None:
        self._deadline.cancel()
        self._ticket.admit()

    def session_failed(self) -> bool:
        return self._ticket.failed()

    def session_over(self, was_ended_by_us: bool) -> None:
        """The channel is closed on both sides, so all that was sent has been taken."""
        self._session = None
        if was_ended_by_us:
            self._connection.close()
        else:
            self._deadline.cancel()  # nobody keeps a connection without a session
            self._deadline = LoginDeadline(self.limits, self.clock, self.cut)


class Session(asyncssh.SSHServerSession[bytes]):
    """A `Link` over one SSH channel."""

    kind: Literal["ssh", "telnet"] = "ssh"
    speaks_gmcp = False

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.peer = caller.peer
        self._visitor: Visitor | None = None
        self._refusal = ""
        self._closing: TimerHandle | None = None
        self._resizes: Latest[Terminal] | None = None
        self._is_open = False
        self.wants_json = False
        self.terminal = Terminal()

    # -- from asyncssh -----------------------------------------------------------------------

    def connection_made(self, chan: shims.Channel) -> None:  # type: ignore[override]
        self._channel = chan
        caller = self._caller
        self._flow = Outflow(
            chan.get_write_buffer_size, caller.limits, caller.clock, caller.cut, caller.wire
        )
        self._mouthfuls = caller.mouthfuls(self._hear)
        self._is_open = True

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        name = clean_name(term_type)
        cols, rows = clamped_size(*term_size[:2])
        # In a pty every client sends single keys, whatever its terminal understands.
        self.terminal = Terminal(name, cols, rows, is_ansi_name(name), is_character=True)
        if isinstance(term_modes, dict):
            term_modes.clear()  # the library would keep them: 4 KiB of every session
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self.wants_json = command.strip() == JSON
        self.terminal = replace(self.terminal, wants_panes=command.strip() == SCREEN)
        self._refusal = "" if self.wants_json or self.terminal.wants_panes else NO_COMMANDS
        return True

    def session_started(self) -> None:
        if self._refusal:
            self._channel.write(self._refusal.encode() + b"\r\n", asyncssh.EXTENDED_DATA_STDERR)
            self._end(1)
            return
        proven = self._caller.proven
        assert proven is not None, "a session before authentication"
        variable = self._channel.variable
        terminal = self.terminal
        self.terminal = replace(
            terminal,
            charset=charset_of_locale(variable("LC_ALL"), variable("LANG")),
            colours=self._colours(),
        )
        self._visitor = self._caller.answer(self, proven)

    def _colours(self) -> Colours:
        terminal, variable = self.terminal, self._channel.variable
        if not terminal.is_ansi or variable("NO_COLOR"):
            return "off"
        return colours_of(terminal.name, variable("COLORTERM"))

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        if self._resizes is None:
            caller = self._caller
            self._resizes = Latest(caller.limits.resizes_per_s, caller.clock, self._resized)
        cols, rows = clamped_size(width, height)
        self._resizes.offer(replace(self.terminal, cols=cols, rows=rows))

    def _resized(self, terminal: Terminal) -> None:
        self.terminal = terminal
        if self._visitor is not None:
            self._visitor.resize(terminal)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        if datatype is None:
            self._mouthfuls.offer(data)

    def _hear(self, data: bytes) -> None:
        if self._visitor is not None:
            self._visitor.hear(data)

    def break_received(self, msec: int) -> bool:
        self.data_received(b"\x03", None)
        return True

    def signal_received(self, signal: str) -> None:
        if signal == "INT":
            self.data_received(b"\x03", None)

    def eof_received(self) -> bool:
        self._caller.clock.call_later(EOF_GRACE_S, self.close)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_open = False
        was_ended_by_us = self._closing is not None
        if self._closing is not None:
            self._closing.cancel()
        if self._resizes is not None:
            self._resizes.close()
        self._flow.close()
        self._mouthfuls.close()
        visitor, self._visitor = self._visitor, None
        self._caller.session_over(was_ended_by_us)
        if visitor is not None:
            try:
                visitor.lost()
            except Exception as bug:
                shims.report(bug)  # asyncssh would swallow it

    # -- the link ----------------------------------------------------------------------------

    @property
    def door(self) -> Literal["ssh", "json"]:
        return "json" if self.wants_json else "ssh"

    def send(self, data: bytes) -> None:
        if data and self._is_open and not self._channel.is_closing():
            self._channel.write(data)
            self._flow.poured(len(data))

    def backlog(self) -> int:
        return self._flow.backlog() if self._is_open else 0

    def echo(self, on: bool) -> None:
        """A terminal that reached us by SSH never echoes."""

    def prompt_end(self) -> None:
        """Telnet's affair."""

    def takes_gmcp(self, package: str) -> bool:
        return False

    def gmcp(self, package: str, text: str) -> None:
        """Telnet's affair."""

    def failed(self) -> bool:
        return self._caller.session_failed()

    def named(self) -> None:
        """Known before there was a session."""

    def admitted(self) -> None:
        self._caller.session_admitted()

    def close(self) -> None:
        if self._is_open and self._closing is None:
            self._end(0)

    def _end(self, status: int) -> None:
        limits, clock = self._caller.limits, self._caller.clock
        self._closing = clock.call_later(limits.close_s, self._caller.cut)
        self._channel.exit(status)


async def open_ssh(
    host: str,
    port: int,
    *,
    keys: HostKeys,
    answer: Answer,
    doorman: Doorman,
    gate: Gate,
    clock: Clock,
    sock: socket.socket | None = None,
) -> Door:
    """Open the SSH door.  StartError, in one line, if the address cannot be listened on."""
    shims.hush()
    shims.prepare_names_quickly()
    lines, loop = Lines(), asyncio.get_running_loop()
    options = await asyncssh.SSHServerConnectionOptions.construct(
        config=None,
        server_host_keys=list(keys.keys),
        server_version="mudserver",
        kex_algs=KEY_EXCHANGES,
        encryption_algs=CIPHERS,
        mac_algs=MACS,
        compression_algs=["none"],
        agent_forwarding=False,
        x11_forwarding=False,
        gss_host=None,
        line_editor=False,
        encoding=None,
        login_timeout=0,  # the caller has its own, which runs until somebody is in
    )

    def factory() -> shims.Connection:
        limits = gate.limits
        caller = Caller(answer, doorman, gate, limits, clock, lines)
        connection = shims.Connection(loop, options, caller)
        connection.set_keepalive(limits.keepalive_s, limits.keepalive_misses_max)
        return connection

    return await opened(
        factory, host, port, sock, what="the ssh door", lines=lines, gate=gate, clock=clock
    )
