"""One session of SSH: the `Link` over its channel.

Rule 1: a session is callbacks on one object: no task, no stream, no shell, no file.
Rule 2: of all that SSH can do there is a session for a person at a terminal, or for a program that
        asks for `json`.  Other commands, subsystems, forwarding and agents are refused, with a
        sentence where the protocol has room for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import asyncssh

from mudserver.clock import TimerHandle
from mudserver.transport import library_patches
from mudserver.transport.coalesce import Coalescer
from mudserver.transport.flow import OutputMonitor
from mudserver.transport.link import LinkHandler, Terminal
from mudserver.transport.terminal_type import (
    Colours,
    charset_of_locale,
    clamped_size,
    clean_name,
    colours_of,
    is_ansi_name,
)

if TYPE_CHECKING:
    from mudserver.transport.ssh.listener import SshServer

EOF_GRACE_S = 1.0  # so long answers still reach who has closed the other direction

JSON_COMMAND = "json"  # the command that asks for objects instead of a screen
SCREEN_COMMAND = "screen"  # the command that asks for the full screen, with a terminal (-t)
UNKNOWN_COMMAND = "No commands are run here. Connect without one to come in; programs say json."


class SshLink(asyncssh.SSHServerSession[bytes]):
    """A `Link` over one SSH channel."""

    kind: Literal["ssh", "telnet"] = "ssh"
    speaks_gmcp = False

    def __init__(self, owner: SshServer) -> None:
        self._caller = owner
        self.peer = owner.peer
        self._visitor: LinkHandler | None = None
        self._refusal = ""
        self._closing: TimerHandle | None = None
        self._resizes: Coalescer[Terminal] | None = None
        self._is_open = False
        self.wants_json = False
        self.terminal = Terminal()

    # -- from asyncssh -----------------------------------------------------------------------

    def connection_made(self, chan: library_patches.BoundedChannel) -> None:  # type: ignore[override]
        self._channel = chan
        caller = self._caller
        self._flow = OutputMonitor(
            chan.get_write_buffer_size, caller.limits, caller.clock, caller.abort, caller.output
        )
        self._mouthfuls = caller.chunked_reader(self._hear)
        self._is_open = True

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        name = clean_name(term_type)
        cols, rows = clamped_size(*term_size[:2])
        # In a pty every client sends single keys, whatever its terminal understands.
        self.terminal = Terminal(name, cols, rows, is_ansi_name(name), is_character_mode=True)
        if isinstance(term_modes, dict):
            term_modes.clear()  # the library would keep them: 4 KiB of every session
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self.wants_json = command.strip() == JSON_COMMAND
        self.terminal = replace(self.terminal, wants_full_screen=command.strip() == SCREEN_COMMAND)
        self._refusal = (
            "" if self.wants_json or self.terminal.wants_full_screen else UNKNOWN_COMMAND
        )
        return True

    def session_started(self) -> None:
        if self._refusal:
            self._channel.write(self._refusal.encode() + b"\r\n", asyncssh.EXTENDED_DATA_STDERR)
            self._end(1)
            return
        proven = self._caller.user
        assert proven is not None, "a session before authentication"
        variable = self._channel.environment_variable
        terminal = self.terminal
        self.terminal = replace(
            terminal,
            charset=charset_of_locale(variable("LC_ALL"), variable("LANG")),
            colours=self._colours(),
        )
        self._visitor = self._caller.make_handler(self, proven)

    def _colours(self) -> Colours:
        terminal, variable = self.terminal, self._channel.environment_variable
        if not terminal.is_ansi or variable("NO_COLOR"):
            return "off"
        return colours_of(terminal.name, variable("COLORTERM"))

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        if self._resizes is None:
            caller = self._caller
            self._resizes = Coalescer(caller.limits.resizes_per_s, caller.clock, self._resized)
        cols, rows = clamped_size(width, height)
        self._resizes.offer(replace(self.terminal, cols=cols, rows=rows))

    def _resized(self, terminal: Terminal) -> None:
        self.terminal = terminal
        if self._visitor is not None:
            self._visitor.on_resize(terminal)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        if datatype is None:
            self._mouthfuls.feed(data)

    def _hear(self, data: bytes) -> None:
        if self._visitor is not None:
            self._visitor.on_data(data)

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
        self._caller.session_closed(was_ended_by_us)
        if visitor is not None:
            try:
                visitor.on_disconnect()
            except Exception as bug:
                library_patches.report_exception(bug)  # asyncssh would swallow it

    # -- the link ----------------------------------------------------------------------------

    @property
    def protocol(self) -> Literal["ssh", "json"]:
        return "json" if self.wants_json else "ssh"

    def send(self, data: bytes) -> None:
        if data and self._is_open and not self._channel.is_closing():
            self._channel.write(data)
            self._flow.count_written(len(data))

    def backlog(self) -> int:
        return self._flow.backlog() if self._is_open else 0

    def set_echo(self, is_on: bool) -> None:
        """A terminal that reached us by SSH never echoes."""

    def end_prompt(self) -> None:
        """Telnet's affair."""

    def accepts_gmcp(self, package: str) -> bool:
        return False

    def send_gmcp(self, package: str, text: str) -> None:
        """Telnet's affair."""

    def count_failure(self) -> bool:
        return self._caller.count_failure()

    def extend_login_deadline(self) -> None:
        """Known before there was a session."""

    def mark_logged_in(self) -> None:
        self._caller.mark_logged_in()

    def close(self) -> None:
        if self._is_open and self._closing is None:
            self._end(0)

    def _end(self, status: int) -> None:
        limits, clock = self._caller.limits, self._caller.clock
        self._closing = clock.call_later(limits.close_s, self._caller.abort)
        self._channel.exit(status)
