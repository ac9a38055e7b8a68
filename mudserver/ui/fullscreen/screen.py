"""A full screen: the methods of `ui/screen.py`, with panes in place of rows that scroll away.

Rule 1: this is the only writer to its terminal.  A drawing is one write, at most one a beat
        (`frames.py`); only the first key after a while is answered at once.
Rule 2: who does not read is not drawn for: nothing piles up, and what they see next is how it is
        then.
Rule 3: whatever happens, the terminal is left as it was found; the sequences for that are ours
        (`ansi.FULL_OFF`) and need nothing of prompt_toolkit.
Rule 4: a fault in here costs the full screen, not the visit: *on_fault* puts line mode there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from prompt_toolkit.data_structures import Size

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import Config
from mudserver.ui import ansi
from mudserver.ui.charset import encode_text
from mudserver.ui.encode import encode_lines
from mudserver.ui.fullscreen.application import FullScreenApp
from mudserver.ui.fullscreen.frame_scheduler import FrameScheduler
from mudserver.ui.fullscreen.input_controller import Completer, InputController
from mudserver.ui.fullscreen.key_bindings import bindings, key_press_of
from mudserver.ui.fullscreen.layout import log_cols
from mudserver.ui.fullscreen.model import FullScreenModel
from mudserver.ui.fullscreen.root_container import RootContainer
from mudserver.ui.fullscreen.scroll_buffer import Render
from mudserver.ui.fullscreen.status_bar import seconds_left
from mudserver.ui.input_state import InputState
from mudserver.ui.keys import Key, KeyParser
from mudserver.ui.terminal_profile import DisplaySettings, TerminalProfile, profile_of
from mudserver.ui.terminal_profile import TerminalCapabilities as AnyTerminal
from variants.kit.text import StyledLine, styled_line

ESCAPE_S = 0.3  # after so long an ESC is the key of that name
UNSEEN_MAX = 100  # lines that a last word may consist of


class FullScreenCapabilities(AnyTerminal, Protocol):
    @property
    def name(self) -> str: ...
    @property
    def rows(self) -> int: ...


class FullScreen:
    """Args: on_fault: is told of a bug, and must close this screen; the rest as for `Screen`."""

    def __init__(
        self,
        write: Callable[[bytes], None],
        terminal: FullScreenCapabilities,
        settings: DisplaySettings,
        on_line: Callable[[str], None],
        on_end: Callable[[], None],
        completer: Completer,
        scheduler: FrameScheduler,
        limits: Config,
        clock: Clock,
        on_fault: Callable[[Exception], None],
        backlog: Callable[[], int] = lambda: 0,
    ) -> None:
        self._write, self._backlog, self._frames, self._limits = write, backlog, scheduler, limits
        self._clock, self._on_fault = clock, on_fault
        self._settings = settings
        self.profile: TerminalProfile = profile_of(terminal, settings)
        self.rows = terminal.rows
        self._keys = KeyParser(limits.session.paste_chars_max, self.profile.charset)
        self.model = FullScreenModel(limits.session.full_screen_lines)
        self._typist = InputController(
            self.model, limits.session, on_line, on_end, completer, self._note, self._forget
        )
        self._stage = RootContainer(self.model, self._typist.input, clock.now_ms)
        self._stage.charset = self.profile.charset
        size = Size(self.rows, self.profile.cols)
        self._console = FullScreenApp(
            self._stage, self._typist, bindings(), terminal.name, size, self.profile, self._touch
        )
        self._beat_s = limits.session.full_screen_frame_ms / 1000
        self._drawn_at = float("-inf")
        self._has_drawn = self._is_touched = self._is_closed = self._rings = False
        self._unseen: deque[StyledLine] = deque(maxlen=UNSEEN_MAX)
        self._second: TimerHandle | None = None  # until the clock in the bar shows another
        self._escape: TimerHandle | None = None
        self._touch()

    # -- handing over to another screen ----------------------------------------------------------

    @property
    def input_state(self) -> InputState:
        it = self._typist.input
        return InputState(self._keys, it.editor, self._typist.lines_editor, it.prompt, it.is_secret)

    def restore_input(self, state: InputState) -> None:
        it = self._typist.input
        self._keys, it.editor, self._typist.lines_editor, it.prompt, it.is_secret = state
        self._keys.charset = self.profile.charset

    # -- in --------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        """Raw input, in segments of any size; the doors hand over a mouthful at a time."""
        try:
            if self._escape is not None:
                self._escape.cancel()
                self._escape = None
            if self._is_closed:
                return
            self._console.press([key_press_of(token) for token in self._keys.feed(data)])
            if self._keys.has_pending_escape and not self._is_closed:
                self._escape = self._clock.call_later(ESCAPE_S, self._lone_escape)
            self._draw_early()
        except Exception as bug:
            self._fail(bug)

    def _lone_escape(self) -> None:
        self._escape = None
        try:
            if self._keys.has_pending_escape and not self._is_closed:
                self._keys.drop_pending_escape()
                self._console.press([key_press_of(Key.ESCAPE)])
                self._draw_early()
        except Exception as bug:
            self._fail(bug)

    # -- out -------------------------------------------------------------------------------------

    def show(
        self, lines: Iterable[StyledLine], *, droppable: bool = False, is_chat: bool = False,
        is_page: bool = False,
    ) -> None:  # fmt: skip
        """Append to the log, or to the chat.  Nothing has to be dropped: a log is bounded."""
        if self._is_closed:
            return
        said = list(lines)
        self.model.add(said, is_chat=is_chat, is_page=is_page)
        self._unseen.extend(said)
        self._touch()

    def show_table(
        self, render: Render | None, *, shows_own_seat: bool = False, is_new: bool = False
    ) -> None:
        """The table, laid out by *render* for whatever width; None: there is none.

        Args:
            ends: Show the own part where not all of it fits.
            is_new: Another game: how much room the one before took does not matter.
        """
        if is_new:
            self.model.table.reset_height()
        self.model.table.set_render(render, shows_own_seat=shows_own_seat)
        self._touch()

    def show_status(self, **what: object) -> None:
        """Some of `StatusBarState`; the rest stays as it is."""
        self.model.status = replace(self.model.status, **what)  # type: ignore[arg-type]
        self._touch()

    @property
    def log_cols(self) -> int:
        """How wide a page for the log should be laid out."""
        has_table = self.model.table.render is not None
        return log_cols(self.profile.cols, self.rows, has_table)

    def set_prompt(self, prompt: str, is_secret: bool = False, is_pause: bool = False) -> None:
        """What stands before the cursor.  A secret is typed apart from the line in the making."""
        if (prompt, is_secret) != (self._typist.input.prompt, self._typist.input.is_secret):
            self._typist.set_prompt(prompt, is_secret)
            self._touch()

    def resize(
        self, terminal: FullScreenCapabilities, settings: DisplaySettings | None = None
    ) -> None:
        if self._is_closed:
            return
        self._settings = settings or self._settings
        self.profile, self.rows = profile_of(terminal, self._settings), terminal.rows
        size = Size(self.rows, self.profile.cols)
        if size != self._console.size:
            self._console.size = size
            self._forget()  # where the cursor went, terminals disagree
        self._console.set_profile(self.profile)
        self._keys.charset = self._stage.charset = self.profile.charset
        self._touch()

    def clear(self) -> None:
        """Empty panes; what they held was read."""
        for roll in (self.model.combined_log, self.model.log, self.model.chat):
            roll.clear()
        self._touch()

    def ring_bell(self) -> None:
        if self._settings.has_bell:
            self._rings = True
            self._touch()

    def close(self, last_rows: int = 0) -> None:
        """Leave the terminal as it was found, below it what nobody has seen yet.

        Args:
            last_rows: Show at least so many lines of the log again.
        """
        if self._is_closed:
            return
        self._is_closed = self._typist.is_over = True
        for timer in (self._second, self._escape):
            if timer is not None:
                timer.cancel()
        known = list(self.model.combined_log.last_lines)
        count = max(len(self._unseen), min(last_rows, len(known)))
        last = encode_lines(known[len(known) - count :], self.profile) if count else b""
        self._write((ansi.LEAVE_FULL_SCREEN if self._has_drawn else b"") + last)

    def flush(self) -> None:
        """The beat has come."""
        self._is_touched = False
        if self._is_closed:
            return
        if self._clock.monotonic() - self._drawn_at < self._beat_s * 0.999:
            self._touch()  # a key was answered in the meantime
        elif self._backlog() > self._limits.door.output_lag_bytes:
            self._touch()
        else:
            try:
                self._draw()
            except Exception as bug:
                self._fail(bug)

    # -- drawing ---------------------------------------------------------------------------------

    def _touch(self) -> None:
        if not self._is_touched and not self._is_closed:
            self._is_touched = True
            self._frames.schedule_flush(self)

    def _draw_early(self) -> None:
        """Answer a key at once, if the last drawing was long enough ago."""
        is_time = self._clock.monotonic() - self._drawn_at >= self._beat_s
        if not self._is_closed and is_time and not self._backlog() and self._frames.may_draw_now():
            self._draw()

    def _draw(self) -> None:
        picture = encode_text(self._console.draw(), self.profile.charset)
        self._drawn_at, self._has_drawn = self._clock.monotonic(), True
        self._unseen.clear()
        self._typist.on_drawn()
        if self._rings:
            self._rings, picture = False, picture + ansi.BELL
        self._write(picture)
        self._wait_a_second()

    def _wait_a_second(self) -> None:
        """Draw again when the clock in the bar shows another second, if there is one."""
        if self._second is not None:
            self._second.cancel()
            self._second = None
        now_ms = self._clock.now_ms()
        left_s = seconds_left(self.model.status, now_ms)
        if left_s:
            deadline_ms = self.model.status.deadline_ms or 0
            self._second = self._clock.call_at_ms(deadline_ms - 1000 * (left_s - 1), self._touch)

    def _forget(self) -> None:
        if self._has_drawn:
            self._console.reset_screen()

    def _note(self, sentence: str) -> None:
        self.show([styled_line((sentence, "dim"))])

    def _fail(self, bug: Exception) -> None:
        if not self._is_closed:
            self._on_fault(bug)
