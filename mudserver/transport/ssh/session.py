"""One SSH session: the `Link` over its channel.

Rule 1: a session is callbacks on one object: no task, no stream, no shell, no file.
Rule 2: a session serves a person at a terminal, a program that requests `json`, or a request for
        the data of an account, `export`.  Other commands, subsystems, forwarding and agents are
        refused, with a sentence where the protocol has room for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, Protocol

import asyncssh
import msgspec

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import DoorLimits
from mudserver.transport import library_patches
from mudserver.transport.coalesce import Coalescer
from mudserver.transport.flow import ChunkedReader, OutputMonitor
from mudserver.transport.link import (
    AuthenticatedUser,
    HandlerFactory,
    JsonProtocol,
    LinkHandler,
    LostReason,
    Terminal,
)
from mudserver.transport.terminal_type import (
    Colours,
    charset_of_locale,
    clamped_size,
    clean_name,
    colours_of,
    is_ansi_name,
)

EOF_GRACE_S = 1.0  # how long answers still reach a client that has closed its sending side

# Each requests JSON objects instead of a screen, in this version.
JSON_COMMANDS: dict[str, JsonProtocol] = {"json": 1, "json 1": 1, "json 2": 2}
EXPORT_COMMAND = "export"  # requests the data of the account, as one JSON document
GAME_COMMAND = "game "  # requests a game that is over, as a file: `game 1042 cast bob`
GAME_COMMAND_CHARS_MAX = 64
SCREEN_COMMAND = "screen"  # requests the full screen; needs a terminal (`ssh -t`)
UNKNOWN_COMMAND = "You can't run commands here. Connect without one to log in; programs say json."
NO_PROTOCOL = "The protocols for programs are json 1, which json alone means, and json 2."
NO_PROTOCOL_BYE = msgspec.json.encode({"type": "bye", "text": NO_PROTOCOL}) + b"\n"
"""The same as an object of every protocol."""


class SessionOwner(Protocol):
    """What a session uses of its connection; `SshServer` provides it."""

    peer: str
    limits: DoorLimits
    clock: Clock
    make_handler: HandlerFactory
    user: AuthenticatedUser | None  # set when authentication has completed
    deferred: OutputMonitor  # of what waits for new keys, between the channel and the socket

    def abort(self) -> None: ...
    def chunked_reader(self, on_data: Callable[[bytes], None]) -> ChunkedReader: ...
    def hold_input(self, is_held: bool) -> None: ...
    def mark_logged_in(self, name: str, *, is_regular: bool) -> None: ...
    def may_try(self, name: str) -> bool: ...
    def count_failure(self, name: str) -> bool: ...
    def session_closed(self, ended_by_us: bool) -> None: ...


class SshLink(asyncssh.SSHServerSession[bytes]):
    """A `Link` over one SSH channel."""

    speaks_gmcp = False
    modules = holder = None
    visit = ""

    def __init__(self, owner: SessionOwner) -> None:
        self._owner = owner
        self.peer = owner.peer
        self._handler: LinkHandler | None = None
        self._refusal = ""
        self._closing: TimerHandle | None = None
        self._resizes: Coalescer[Terminal] | None = None
        self._is_open = False
        self.lost_why: LostReason | None = None
        self.wants_json = self.wants_export = False
        self.wanted_game = ""
        self.json_protocol: JsonProtocol = 1
        self.terminal = Terminal()

    # -- from asyncssh -----------------------------------------------------------------------

    def connection_made(self, chan: library_patches.BoundedChannel) -> None:  # type: ignore[override]
        self._channel = chan
        owner = self._owner
        self._output = OutputMonitor(
            chan.get_write_buffer_size, owner.limits, owner.clock, owner.abort, owner.deferred
        )
        self._reader = owner.chunked_reader(self._on_data)
        self._is_open = True

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        name = clean_name(term_type)
        cols, rows = clamped_size(*term_size[:2])
        # With a pty every client sends single keys, whatever its terminal supports.
        self.terminal = Terminal(name, cols, rows, is_ansi_name(name), is_character_mode=True)
        if isinstance(term_modes, dict):
            term_modes.clear()  # asyncssh would keep them: 4 KiB per session
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        command = " ".join(command.split())
        self.wants_json = command in JSON_COMMANDS
        self.json_protocol = JSON_COMMANDS.get(command, 1)
        self.wants_export = command == EXPORT_COMMAND
        is_game = command.startswith(GAME_COMMAND) and len(command) <= GAME_COMMAND_CHARS_MAX
        self.wanted_game = command if is_game else ""
        self.terminal = replace(self.terminal, wants_full_screen=command == SCREEN_COMMAND)
        self._refusal = ""
        is_document = self.wants_export or self.wanted_game
        if not (self.wants_json or is_document or self.terminal.wants_full_screen):
            self._refusal = NO_PROTOCOL if command.startswith("json ") else UNKNOWN_COMMAND
        return True

    def session_started(self) -> None:
        if self._refusal:
            if self._refusal == NO_PROTOCOL:
                self.send(NO_PROTOCOL_BYE)
            self.refuse(self._refusal)
            return
        user = self._owner.user
        assert user is not None, "a session before authentication"
        variable = self._channel.environment_variable
        terminal = self.terminal
        self.terminal = replace(
            terminal,
            charset=charset_of_locale(variable("LC_ALL"), variable("LANG")),
            colours=self._colours(),
        )
        self._handler = self._owner.make_handler(self, user)

    def _colours(self) -> Colours:
        terminal, variable = self.terminal, self._channel.environment_variable
        if not terminal.is_ansi or variable("NO_COLOR"):
            return "off"
        return colours_of(terminal.name, variable("COLORTERM"))

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        if self._resizes is None:
            owner = self._owner
            self._resizes = Coalescer(owner.limits.resizes_per_s, owner.clock, self._resized)
        cols, rows = clamped_size(width, height)
        self._resizes.offer(replace(self.terminal, cols=cols, rows=rows))

    def _resized(self, terminal: Terminal) -> None:
        self.terminal = terminal
        if self._handler is not None:
            self._handler.on_resize(terminal)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        if datatype is None:
            self._reader.feed(data)

    def _on_data(self, data: bytes) -> None:
        if self._handler is not None:
            self._handler.on_data(data)

    def break_received(self, msec: int) -> bool:
        self.data_received(b"\x03", None)
        return True

    def signal_received(self, signal: str) -> None:
        if signal == "INT":
            self.data_received(b"\x03", None)

    def eof_received(self) -> bool:
        self._owner.clock.call_later(EOF_GRACE_S, self.close)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_open = False
        ended_by_us = self._closing is not None
        if self._closing is not None:
            self._closing.cancel()
        if self._resizes is not None:
            self._resizes.close()
        self._output.close()
        self._reader.close()
        self.lost_why = self._output.lost_why
        handler, self._handler = self._handler, None
        self._owner.session_closed(ended_by_us)
        if handler is not None:
            try:
                handler.on_disconnect()
            except Exception as bug:
                library_patches.report_exception(bug)  # asyncssh would drop it

    # -- the link ----------------------------------------------------------------------------

    @property
    def protocol(self) -> Literal["ssh", "json"]:
        return "json" if self.wants_json else "ssh"

    def send(self, data: bytes, seen: int = 0) -> None:
        if data and self._is_open and not self._channel.is_closing():
            self._channel.write(data)
            self._output.count_written(len(data))

    def hold_input(self, is_held: bool) -> None:
        if self._is_open:
            self._owner.hold_input(is_held)

    def backlog(self) -> int:
        return self._output.backlog() if self._is_open else 0

    def set_echo(self, is_on: bool) -> None:
        """An SSH client never echoes by itself."""

    def end_prompt(self) -> None:
        """Only telnet marks the end of a prompt."""

    def accepts_gmcp(self, package: str) -> bool:
        return False

    def send_gmcp(self, package: str, text: str) -> None:
        """Only telnet speaks GMCP."""

    async def may_try(self, name: str) -> bool:
        return self._owner.may_try(name)

    async def count_failure(self, name: str) -> bool:
        return self._owner.count_failure(name)

    def extend_login_deadline(self) -> None:
        """The user name was known before the session began."""

    def mark_logged_in(self, name: str, *, is_regular: bool) -> None:
        self._owner.mark_logged_in(name, is_regular=is_regular)

    def refuse(self, text: str) -> None:
        if self._is_open and self._closing is None:
            self._channel.write(text.encode() + b"\r\n", asyncssh.EXTENDED_DATA_STDERR)
            self._end(1)

    def close(self) -> None:
        if self._is_open and self._closing is None:
            self._end(0)

    def _end(self, status: int) -> None:
        limits, clock = self._owner.limits, self._owner.clock
        self._closing = clock.call_later(limits.close_s, self._owner.abort)
        self._channel.exit(status)
