"""A full screen: the methods of `ui/screen.py`, with panes in place of scrolling rows.

Rule 1: this is the only writer to its terminal.  A draw is one write, at most one per frame
        (`frame_scheduler.py`); only the first key after a pause is answered at once.
Rule 2: nothing is drawn while the client does not read.  So nothing piles up, and the next draw
        shows the state of that moment.
Rule 3: the terminal is always restored, by our own sequences (`ansi.LEAVE_FULL_SCREEN`), without
        prompt_toolkit.
Rule 4: an exception here costs the full screen, not the session: *on_fault* switches to line mode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

import prompt_toolkit.key_binding.bindings.search  # noqa: F401 - else the first draw imports it
from prompt_toolkit.data_structures import Size

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import Config
from mudserver.ui import ansi
from mudserver.ui.charset import encode_text
from mudserver.ui.encode import encode_lines
from mudserver.ui.fullscreen.application import FullScreenApp
from mudserver.ui.fullscreen.frame_scheduler import FrameScheduler
from mudserver.ui.fullscreen.input_controller import InputController
from mudserver.ui.fullscreen.key_bindings import bindings, key_press_of
from mudserver.ui.fullscreen.layout import log_cols, table_rows_max
from mudserver.ui.fullscreen.model import FullScreenModel
from mudserver.ui.fullscreen.root_container import RootContainer
from mudserver.ui.fullscreen.scroll_buffer import Render
from mudserver.ui.fullscreen.status_bar import seconds_left
from mudserver.ui.input_state import InputState
from mudserver.ui.keys import Key, KeyParser
from mudserver.ui.screen_callbacks import ScreenCallbacks
from mudserver.ui.terminal_profile import DisplayPreferences, TerminalProfile, profile_of
from mudserver.ui.terminal_profile import TerminalCapabilities as AnyTerminal
from variants.kit.text import StyledLine, styled_line

ESCAPE_S = 0.3  # after this an ESC is the Esc key
UNSEEN_MAX = 100  # undrawn lines that are shown at the end


class FullScreenCapabilities(AnyTerminal, Protocol):
    @property
    def name(self) -> str: ...
    @property
    def rows(self) -> int: ...


class FullScreen:
    """Args: on_fault: called with an exception, must close this screen."""

    def __init__(
        self,
        terminal: FullScreenCapabilities,
        preferences: DisplayPreferences,
        callbacks: ScreenCallbacks,
        scheduler: FrameScheduler,
        config: Config,
        clock: Clock,
        on_fault: Callable[[Exception], None],
    ) -> None:
        self._write, self._backlog = callbacks.write, callbacks.backlog
        self._on_flush = callbacks.on_flush
        self._scheduler, self._config = scheduler, config
        self._clock, self._on_fault = clock, on_fault
        self._preferences = preferences
        self.profile: TerminalProfile = profile_of(terminal, preferences)
        self.rows = terminal.rows
        self._keys = KeyParser(config.session.paste_chars_max, self.profile.charset)
        self.model = FullScreenModel(config.session.full_screen_lines)
        self._controller = InputController(
            self.model, config.session, callbacks, self._notify, self._reset_screen
        )
        self._root = RootContainer(self.model, self._controller.input, clock.now_ms)
        self._root.charset = self.profile.charset
        size = Size(self.rows, self.profile.cols)
        self._app = FullScreenApp(
            self._root,
            self._controller,
            bindings(),
            terminal.name,
            size,
            self.profile,
            self._schedule_flush,
        )
        self._last_draw_s = float("-inf")
        self._has_drawn = self._is_flush_scheduled = self._is_closed = self._is_bell_pending = False
        self._unseen_count = 0  # lines not drawn yet, at most UNSEEN_MAX
        self._line_count = 0  # lines since it was opened
        self._clock_timer: TimerHandle | None = None  # until the clock in the bar changes
        self._escape_timer: TimerHandle | None = None
        self._schedule_flush()

    # -- handing over to another screen ----------------------------------------------------------

    @property
    def input_state(self) -> InputState:
        it = self._controller.input
        return InputState(
            self._keys, it.editor, self._controller.lines_editor, it.prompt, it.is_secret
        )

    def restore_input(self, state: InputState) -> None:
        it = self._controller.input
        self._keys, it.editor, self._controller.lines_editor, it.prompt, it.is_secret = state
        self._keys.charset = self.profile.charset

    # -- in --------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        """Raw input, in segments of any size; the link passes small chunks."""
        try:
            if self._escape_timer is not None:
                self._escape_timer.cancel()
                self._escape_timer = None
            if self._is_closed:
                return
            self._app.press([key_press_of(token) for token in self._keys.feed(data)])
            if self._keys.has_pending_escape and not self._is_closed:
                self._escape_timer = self._clock.call_later(ESCAPE_S, self._press_escape)
            self._draw_early()
        except Exception as bug:
            self._fail(bug)

    def _press_escape(self) -> None:
        self._escape_timer = None
        try:
            if self._keys.has_pending_escape and not self._is_closed:
                self._keys.drop_pending_escape()
                self._app.press([key_press_of(Key.ESCAPE)])
                self._draw_early()
        except Exception as bug:
            self._fail(bug)

    # -- out -------------------------------------------------------------------------------------

    def show(
        self, lines: Iterable[StyledLine], *, droppable: bool = False, is_chat: bool = False,
        is_own: bool = False,
    ) -> None:  # fmt: skip
        """Append to the log or the chat.  Never drops: both are bounded.

        Args:
            is_own: It is meant for the reader.
        """
        if self._is_closed:
            return
        shown = list(lines)
        self.model.add(shown, is_chat=is_chat, is_own=is_own)
        self._unseen_count = min(UNSEEN_MAX, self._unseen_count + len(shown))
        self._line_count += len(shown)
        self._schedule_flush()

    def mark_read(self) -> None:
        """The reader has read on another screen what is in the log now."""
        self._unseen_count = self._line_count = 0

    def replace_last(self, before: StyledLine, line: StyledLine) -> bool:
        """Rewrite *before* in the log, if nothing came after it.  False: something did."""
        self._schedule_flush()
        return self.model.replace_last(before, line)

    def show_page(self, title: str, lines: Iterable[StyledLine]) -> None:
        """Show an answer.  One longer than the log stands in its place until it is closed."""
        if not self._is_closed:
            shown = list(lines)
            if self.model.show_page(title, shown):
                self._unseen_count = min(UNSEEN_MAX, self._unseen_count + len(shown))
                self._line_count += len(shown)
            self._schedule_flush()

    def reopen_page(self) -> bool:
        """Show the last page again.  False: there was none."""
        self._schedule_flush()
        return self.model.reopen_page()

    def show_news(self) -> None:
        """Close the page and show the end of the log: its reader must see what comes."""
        self.model.show_news()
        self._schedule_flush()

    def show_table(
        self,
        render: Render | None,
        *,
        shows_own_seat: bool = False,
        is_new: bool = False,
        title: str = "Table",
        about: int | None = None,
    ) -> None:
        """Show the table, rendered by *render* for any width; None: there is none.

        Args:
            shows_own_seat: Show the reader's own part if not everything fits.
            is_new: Another game: forget the height that the last one needed.
            about: Which table it is; None: none.
        """
        if is_new:
            self.model.table.reset_height()
        self.model.table_title = title
        self.model.table.set_render(render, shows_own_seat=shows_own_seat, about=about)
        self._schedule_flush()

    def show_status(self, **fields: object) -> None:
        """Change some fields of `StatusBarState`."""
        self.model.status = replace(self.model.status, **fields)  # type: ignore[arg-type]
        self._schedule_flush()

    @property
    def table_rows_max(self) -> int:
        """The rows that the table can have beside the log."""
        return table_rows_max(self.profile.cols, self.rows)

    @property
    def log_cols(self) -> int:
        """The width for pages in the log."""
        has_table = self.model.table.render is not None
        return log_cols(self.profile.cols, self.rows, has_table)

    def set_prompt(self, prompt: str, is_secret: bool = False, is_pause: bool = False) -> None:
        """Set the text before the cursor.  A secret is typed apart from the unfinished line."""
        if (prompt, is_secret) != (self._controller.input.prompt, self._controller.input.is_secret):
            self._controller.set_prompt(prompt, is_secret)
            self._schedule_flush()

    @property
    def is_flush_due(self) -> bool:
        """As `Screen.is_flush_due`."""
        return self._is_flush_scheduled

    def mark_controls(self, is_on: bool) -> None:
        """As `Screen.mark_controls`."""
        self._keys.marks_controls = is_on

    def resize(
        self, terminal: FullScreenCapabilities, preferences: DisplayPreferences | None = None
    ) -> None:
        if self._is_closed:
            return
        self._preferences = preferences or self._preferences
        self.profile, self.rows = profile_of(terminal, self._preferences), terminal.rows
        self._app.size = Size(self.rows, self.profile.cols)
        self._reset_screen()  # terminals move the cursor differently; or a notice stands there
        self._app.set_profile(self.profile)
        self._keys.charset = self._root.charset = self.profile.charset
        self._schedule_flush()

    def clear(self) -> None:
        """Empty log and chat."""
        for buffer in (self.model.combined_log, self.model.log, self.model.chat):
            buffer.clear()
        self._schedule_flush()

    def insert_before(self, show: Callable[[], None]) -> None:
        """Call *show*; what it shows stands before all that is in log and chat.

        There may be something: answers to lines that were typed while no process had the session.
        """
        buffers = (self.model.combined_log, self.model.log, self.model.chat)
        later = [list(buffer.last_lines) for buffer in buffers]
        self.clear()
        show()
        for buffer, lines in zip(buffers, later, strict=True):
            buffer.add(lines)

    def ring_bell(self) -> None:
        if self._preferences.has_bell:
            self._is_bell_pending = True
            self._schedule_flush()

    def close(self, last_rows: int = 0) -> None:
        """Restore the terminal, and print below it the lines that were not drawn yet.

        Args:
            last_rows: Print at least so many of the last lines of the log.
        """
        if self._is_closed:
            return
        self._is_closed = self._controller.is_over = True
        for timer in (self._clock_timer, self._escape_timer):
            if timer is not None:
                timer.cancel()
        known = list(self.model.combined_log.last_lines)
        count = max(self._unseen_count, min(last_rows, len(known), self._line_count))
        last = encode_lines(known[len(known) - count :], self.profile) if count else b""
        self._write((ansi.LEAVE_FULL_SCREEN if self._has_drawn else b"") + last)

    def over_bar(self, *forms: str) -> bytes:
        """What shows a sentence in place of the status bar; b"": nothing was drawn yet.

        Args:
            forms: The sentence in ASCII, longest first.
        """
        cols = self.profile.cols
        text = next((form for form in forms if len(form) < cols), forms[-1][:cols])
        return ansi.over_row(self.rows - 1, text) if self._has_drawn else b""

    @property
    def has_unshown(self) -> bool:
        """Whether something waits for the next frame."""
        return self._is_flush_scheduled

    def flush(self) -> None:
        """Draw, if nothing was drawn in this frame and the client reads."""
        self._is_flush_scheduled = False
        if self._is_closed:
            return
        if self._clock.monotonic() - self._last_draw_s < self._scheduler.frame_s * 0.999:
            self._schedule_flush()  # a key was answered meanwhile
        elif self._backlog() > self._config.door.output_lag_bytes:
            self._schedule_flush()
        else:
            try:
                self._draw()
            except Exception as bug:
                self._fail(bug)

    def write_out(self) -> None:
        """Draw what waits for the next frame, because the process ends."""
        if self._is_flush_scheduled and not self._is_closed:
            self._is_flush_scheduled = False
            try:
                self._draw()
            except Exception as bug:
                self._fail(bug)

    end_row = write_out

    # -- drawing ---------------------------------------------------------------------------------

    def _schedule_flush(self) -> None:
        if not self._is_flush_scheduled and not self._is_closed:
            self._is_flush_scheduled = True
            self._scheduler.schedule_flush(self)

    def _draw_early(self) -> None:
        """Draw at once in answer to a key, if the last draw was long enough ago."""
        is_time = self._clock.monotonic() - self._last_draw_s >= self._scheduler.frame_s
        if (
            not self._is_closed
            and is_time
            and not self._backlog()
            and self._scheduler.may_draw_now()
        ):
            self._draw()

    def _draw(self) -> None:
        start_s = self._clock.monotonic()
        frame = encode_text(self._app.draw(), self.profile.charset)
        self._last_draw_s, self._has_drawn = self._clock.monotonic(), True
        self._scheduler.count_drawing(self._last_draw_s - start_s)
        self._unseen_count = 0
        self._controller.on_drawn()
        if self._is_bell_pending:
            self._is_bell_pending, frame = False, frame + ansi.BELL
        if self._on_flush is not None:
            self._on_flush()
        self._write(frame)
        self._schedule_clock_redraw()

    def _schedule_clock_redraw(self) -> None:
        """Schedule a draw for the next change of the clock in the bar, if there is one."""
        if self._clock_timer is not None:
            self._clock_timer.cancel()
            self._clock_timer = None
        now_ms = self._clock.now_ms()
        left_s = seconds_left(self.model.status, now_ms)
        if left_s:
            change_ms = (self.model.status.deadline_ms or 0) - 1000 * (left_s - 1)
            # Half a millisecond later: of two timers that are due at one instant, this one and a
            # frame's, asyncio runs either first, and what else is waiting decides it.  [SEC-4]
            self._clock_timer = self._clock.call_at_ms(change_ms + 0.5, self._schedule_flush)

    def _reset_screen(self) -> None:
        if self._has_drawn:
            self._app.reset_screen()

    def _notify(self, sentence: str) -> None:
        self.show([styled_line((sentence, "dim"))])

    def _fail(self, bug: Exception) -> None:
        if not self._is_closed:
            self._on_fault(bug)
