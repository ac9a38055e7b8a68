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
from mudserver.config import Config
from mudserver.ui import ansi
from mudserver.ui.charset import encoded
from mudserver.ui.full.bar import seconds_left
from mudserver.ui.full.bindings import bindings, press_of
from mudserver.ui.full.console import Console
from mudserver.ui.full.frames import Frames
from mudserver.ui.full.model import Model
from mudserver.ui.full.plan import log_cols
from mudserver.ui.full.roll import Render
from mudserver.ui.full.stage import Stage
from mudserver.ui.full.typist import Complete, Typist
from mudserver.ui.handover import Typing
from mudserver.ui.keys import Key, Keys
from mudserver.ui.look import Look, Settings, look_of
from mudserver.ui.look import Terminal as AnyTerminal
from mudserver.ui.paint import painted
from variants.kit.text import Line, line

ESCAPE_S = 0.3  # after so long an ESC is the key of that name
UNSEEN_MAX = 100  # lines that a last word may consist of


class Terminal(AnyTerminal, Protocol):
    @property
    def name(self) -> str: ...
    @property
    def rows(self) -> int: ...


class FullScreen:
    """Args: on_fault: is told of a bug, and must close this screen; the rest as for `Screen`."""

    def __init__(
        self,
        write: Callable[[bytes], None],
        terminal: Terminal,
        settings: Settings,
        on_line: Callable[[str], None],
        on_end: Callable[[], None],
        complete: Complete,
        frames: Frames,
        limits: Config,
        clock: Clock,
        on_fault: Callable[[Exception], None],
        backlog: Callable[[], int] = lambda: 0,
    ) -> None:
        self._write, self._backlog, self._frames, self._limits = write, backlog, frames, limits
        self._clock, self._on_fault = clock, on_fault
        self._settings = settings
        self.look: Look = look_of(terminal, settings)
        self.rows = terminal.rows
        self._keys = Keys(limits.line.paste_chars_max, self.look.charset)
        self.model = Model(limits.line.full_screen_lines)
        self._typist = Typist(
            self.model, limits.line, on_line, on_end, complete, self._note, self._forget
        )
        self._stage = Stage(self.model, self._typist.input, clock.now_ms)
        self._stage.charset = self.look.charset
        size = Size(self.rows, self.look.cols)
        self._console = Console(
            self._stage, self._typist, bindings(), terminal.name, size, self.look, self._touch
        )
        self._beat_s = limits.line.full_screen_beat_ms / 1000
        self._drawn_at = float("-inf")
        self._has_drawn = self._is_touched = self._is_closed = self._rings = False
        self._unseen: deque[Line] = deque(maxlen=UNSEEN_MAX)
        self._second: TimerHandle | None = None  # until the clock in the bar shows another
        self._escape: TimerHandle | None = None
        self._touch()

    # -- what goes along when another screen takes over -------------------------------------------

    @property
    def typing(self) -> Typing:
        it = self._typist.input
        return Typing(self._keys, it.editor, self._typist.lines_editor, it.prompt, it.is_secret)

    def go_on(self, typing: Typing) -> None:
        it = self._typist.input
        self._keys, it.editor, self._typist.lines_editor, it.prompt, it.is_secret = typing
        self._keys.charset = self.look.charset

    # -- in --------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        """Raw input, in segments of any size; the doors hand over a mouthful at a time."""
        try:
            if self._escape is not None:
                self._escape.cancel()
                self._escape = None
            if self._is_closed:
                return
            self._console.press([press_of(token) for token in self._keys.feed(data)])
            if self._keys.has_escape and not self._is_closed:
                self._escape = self._clock.call_later(ESCAPE_S, self._lone_escape)
            self._draw_early()
        except Exception as bug:
            self._fail(bug)

    def _lone_escape(self) -> None:
        self._escape = None
        try:
            if self._keys.has_escape and not self._is_closed:
                self._keys.give_up()
                self._console.press([press_of(Key.ESCAPE)])
                self._draw_early()
        except Exception as bug:
            self._fail(bug)

    # -- out -------------------------------------------------------------------------------------

    def show(
        self, lines: Iterable[Line], *, droppable: bool = False, is_talk: bool = False,
        is_page: bool = False,
    ) -> None:  # fmt: skip
        """Append to the log, or to the chat.  Nothing has to be dropped: a log is bounded."""
        if self._is_closed:
            return
        said = list(lines)
        self.model.add(said, is_talk=is_talk, is_page=is_page)
        self._unseen.extend(said)
        self._touch()

    def show_table(
        self, render: Render | None, *, ends: bool = False, is_new: bool = False
    ) -> None:
        """The table, laid out by *render* for whatever width; None: there is none.

        Args:
            ends: Show the own part where not all of it fits.
            is_new: Another game: how much room the one before took does not matter.
        """
        if is_new:
            self.model.table.start()
        self.model.table.put(render, ends=ends)
        self._touch()

    def show_status(self, **what: object) -> None:
        """Some of `Status`; the rest stays as it is."""
        self.model.status = replace(self.model.status, **what)  # type: ignore[arg-type]
        self._touch()

    @property
    def log_cols(self) -> int:
        """How wide a page for the log should be laid out."""
        has_table = self.model.table.render is not None
        return log_cols(self.look.cols, self.rows, has_table)

    def ask(self, prompt: str, is_secret: bool = False, is_pause: bool = False) -> None:
        """What stands before the cursor.  A secret is typed apart from the line in the making."""
        if (prompt, is_secret) != (self._typist.input.prompt, self._typist.input.is_secret):
            self._typist.ask(prompt, is_secret)
            self._touch()

    def resize(self, terminal: Terminal, settings: Settings | None = None) -> None:
        if self._is_closed:
            return
        self._settings = settings or self._settings
        self.look, self.rows = look_of(terminal, self._settings), terminal.rows
        size = Size(self.rows, self.look.cols)
        if size != self._console.size:
            self._console.size = size
            self._forget()  # where the cursor went, terminals disagree
        self._console.dress(self.look)
        self._keys.charset = self._stage.charset = self.look.charset
        self._touch()

    def clear(self) -> None:
        """Empty panes; what they held was read."""
        for roll in (self.model.everything, self.model.log, self.model.chat):
            roll.clear()
        self._touch()

    def bell(self) -> None:
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
        known = list(self.model.everything.last_lines)
        count = max(len(self._unseen), min(last_rows, len(known)))
        last = painted(known[len(known) - count :], self.look) if count else b""
        self._write((ansi.FULL_OFF if self._has_drawn else b"") + last)

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
            self._frames.touch(self)

    def _draw_early(self) -> None:
        """Answer a key at once, if the last drawing was long enough ago."""
        is_time = self._clock.monotonic() - self._drawn_at >= self._beat_s
        if not self._is_closed and is_time and not self._backlog() and self._frames.may_answer():
            self._draw()

    def _draw(self) -> None:
        picture = encoded(self._console.draw(), self.look.charset)
        self._drawn_at, self._has_drawn = self._clock.monotonic(), True
        self._unseen.clear()
        self._typist.drawn()
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
            self._console.forget()

    def _note(self, sentence: str) -> None:
        self.show([line((sentence, "dim"))])

    def _fail(self, bug: Exception) -> None:
        if not self._is_closed:
            self._on_fault(bug)
