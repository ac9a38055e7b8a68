"""One terminal in line mode: input and output share it without damaging each other.

Rule 1: this is the only writer to its terminal.  Output waits for the tick and is one write: make
        room, the rows, the prompt with the input so far, the cursor in its place.
Rule 2: the echo of typed keys does not wait for the tick.  Enter does: a line that comes whole is
        one write with its answer.  If that is due, but not there yet, Enter waits some ticks more.
Rule 3: Ctrl-C clears the line and never ends the session; Ctrl-D on an empty line asks to end it.
Rule 4: nothing grows without bound: the line, the history, a paste, pending output.  Where
        something is truncated, one note says so.
Rule 5: while a secret is asked for, nothing typed is shown, kept, completed or sanitized.
Rule 6: clients that lag lose chat, and are told so (`output_losses.py`).

A terminal that cannot erase, uses a screen reader or edits its own lines has another row
(`plain_input_row.py`), not another screen.  The full screen (`fullscreen/`) is another class with
the same methods.
"""

from __future__ import annotations

from collections.abc import Iterable

from mudserver.config.schema import Config
from mudserver.sanitize import sanitize
from mudserver.ui import ansi
from mudserver.ui.charset import encode_text, transliterate
from mudserver.ui.completion import (
    apply_completion,
    arrange_in_columns,
    join_candidates,
)
from mudserver.ui.editor import EDIT_ACTIONS, Editor
from mudserver.ui.encode import encode_lines
from mudserver.ui.input_row import ANSI_ROW, InputRow
from mudserver.ui.input_state import InputState
from mudserver.ui.keys import ENTERS, Key, KeyParser
from mudserver.ui.output_losses import OutputLosses
from mudserver.ui.plain_input_row import DUMB_TERMINAL_ROW, LINE_MODE_ROW
from mudserver.ui.screen_callbacks import ScreenCallbacks
from mudserver.ui.terminal_profile import (
    DisplayPreferences,
    TerminalCapabilities,
    TerminalProfile,
    profile_of,
)
from mudserver.ui.ticker import Ticker
from mudserver.ui.width import cell_width, next_cursor_stop
from variants.kit.text import StyledLine, styled_line

INPUT_CELLS_MIN = 8  # a longer prompt loses its beginning
ANSWER_TICKS_MAX = 5  # for which a line that was entered waits for its answer


def input_row_for(terminal: TerminalCapabilities, preferences: DisplayPreferences) -> InputRow:
    if not terminal.is_character_mode:
        return LINE_MODE_ROW
    return ANSI_ROW if terminal.is_ansi and not preferences.is_linear else DUMB_TERMINAL_ROW


class Screen:
    """Line mode.  All calls come from the event loop."""

    __slots__ = (
        "_backlog",
        "_chunks",
        "_chunks_bytes",
        "_complete",
        "_config",
        "_drawn_row",
        "_droppable",
        "_editor",
        "_empty_row",
        "_end_prompt",
        "_entered",
        "_entered_ticks",
        "_fitted_prompt",
        "_is_adopted",
        "_is_answer_due",
        "_is_closed",
        "_is_drawn",
        "_is_flush_scheduled",
        "_is_pause",
        "_is_secret",
        "_is_stale",
        "_keys",
        "_last_tab",
        "_lines_editor",
        "_losses",
        "_on_end",
        "_on_flush",
        "_on_line",
        "_preferences",
        "_prompt",
        "_room",
        "_row",
        "_ticker",
        "_write",
        "profile",
    )

    def __init__(
        self,
        terminal: TerminalCapabilities,
        preferences: DisplayPreferences,
        callbacks: ScreenCallbacks,
        ticker: Ticker,
        config: Config,
        *,
        is_set_up: bool = False,
    ) -> None:
        """Args: is_set_up: another process has set the terminal up."""
        (self._write, self._on_line, self._on_end, self._complete, self._backlog,
         self._end_prompt, self._on_flush, self._is_answer_due) = callbacks  # fmt: skip
        self._preferences, self._ticker, self._config = preferences, ticker, config
        self.profile: TerminalProfile = profile_of(terminal, preferences)
        self._row = input_row_for(terminal, preferences)
        self._keys = KeyParser(config.session.paste_chars_max, self.profile.charset)
        self._editor = self._lines_editor = Editor(
            config.session.line_chars_max, config.session.history_lines
        )
        self._prompt, self._is_secret, self._is_pause = "", False, False
        self._fitted_prompt: str | None = None  # as much of it as fits; None: not yet known
        self._empty_row: tuple[bytes, int] | None = None  # prompt alone, and the room behind it
        self._drawn_row = b""  # the row as last drawn
        self._entered = b""  # ends the row of a line that was entered; not yet written
        self._entered_ticks = 0  # for which it has waited
        self._room = 0  # ASCII characters that may be appended by just writing them
        self._is_drawn = False  # the row is on the terminal
        self._is_stale = False  # but out of date
        self._is_adopted = False  # the row was drawn by another process
        self._is_flush_scheduled = False  # the ticker will call flush()
        self._is_closed = False
        self._chunks: list[bytes] = []  # output since the last tick
        self._chunks_bytes = 0
        self._droppable = 0  # a bit for each of _chunks that is chat
        self._losses: OutputLosses | None = None  # None: nothing was lost yet
        self._last_tab: tuple[str, int] | None = (
            None  # line and cursor at the last Tab without effect
        )
        if self._row.setup and not is_set_up:
            self._write(self._row.setup)

    # -- handing over to another screen ----------------------------------------------------------

    @property
    def input_state(self) -> InputState:
        return InputState(
            self._keys, self._editor, self._lines_editor, self._prompt, self._is_secret
        )

    def restore_input(self, state: InputState) -> None:
        self._keys, self._editor, self._lines_editor, self._prompt, self._is_secret = state
        self._fitted_prompt = None
        self._keys.charset = self.profile.charset

    @property
    def standing_row(self) -> bytes:
        """The row as it stands on the terminal; b"": it does not, or asks for something else."""
        is_known = self._is_drawn and not (self._is_stale or self._is_flush_scheduled)
        return b"" if not is_known or self._is_secret or self._is_pause else self._drawn_row

    def adopt_row(self, row: bytes, text: str, cursor: int) -> None:
        """Another process has drawn *row*, with *text* begun: nothing is written while that is so.

        `settle_row` says when prompt and text are what they are.
        """
        self._editor.replace_text(text, cursor)
        self._is_drawn = self._is_stale = self._is_adopted = True
        self._drawn_row = row

    def settle_row(self) -> None:
        """Draw the row that was adopted again, if it is another one now."""
        if self._is_adopted:
            self._is_adopted, was = False, self._drawn_row
            self._draw()
            if self._drawn_row != was:
                self._redraw()

    def begin_row(self) -> None:
        """Leave the row that another process has drawn, with the first output and not before."""
        self._entered += ansi.NEWLINE

    @property
    def erases_its_row(self) -> bool:
        """Whether what is drawn anew stands in the place of what stood there."""
        return self._row is ANSI_ROW

    @property
    def is_flush_due(self) -> bool:
        """Whether output waits for the next tick."""
        return self._is_flush_scheduled

    def mark_controls(self, is_on: bool) -> None:
        """Show a control character that is no key as U+FFFD, or drop it, which is the default."""
        self._keys.marks_controls = is_on

    # -- in --------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        """Raw input, in segments of any size."""
        typed, enter, _ = data.partition(b"\r")
        if 0 < len(typed) <= self._room and typed.isascii():
            text = typed.decode("ascii")
            if text.isprintable():
                # Most input by far: one letter at the end of the line, or a whole line.
                editor = self._editor
                editor.text += text
                editor.cursor += len(text)
                self._drawn_row += typed
                self._room -= len(text)
                if not enter:
                    self._write(typed)
                    return
                self._entered, data = typed, data[len(typed) :]
                if data in ENTERS:  # and nothing else, where no key was begun
                    self._enter()
                    return
        for token in self._keys.feed(data):
            if self._is_closed:
                return
            if isinstance(token, str):
                self._insert(token)
            elif token in self._row.accepted_keys:
                self._press(token)
            elif token is Key.TAB:
                self._insert(" ")
        if self._is_drawn or self._editor.text:
            self._echo()

    def _insert(self, text: str) -> None:
        if self._is_pause and text == " " and not self._editor.text:
            self._enter()
        elif self._editor.insert(text):
            self._note_truncation("line", self._editor.chars_max)

    def _press(self, key: Key) -> None:
        if key is Key.ENTER:
            self._enter()
        elif key in EDIT_ACTIONS:
            EDIT_ACTIONS[key](self._editor)
        elif key is Key.TAB:
            if not self._is_secret:
                self._tab()
        elif key is Key.CANCEL:
            self._editor.clear()
            if self._is_pause:
                self._on_line("q")
        elif key is Key.CLEAR:
            self.clear()
        elif key is Key.PASTE_TRUNCATED:
            self._note_truncation("paste", self._config.session.paste_chars_max)
        elif self._editor.text:  # Ctrl-D
            self._editor.delete()
        else:
            self._on_end()

    def _enter(self) -> None:
        if self._row.is_echoed_here:
            if self._is_pause and not self._editor.text:
                self._entered += self._row.before_output
            elif self._entered and self._is_drawn and not self._editor.is_scrolled:
                self._entered += ansi.NEWLINE  # feed() has drawn the line, and all of it is shown
            else:
                if not (self._entered and self._is_drawn):
                    change = self._change()  # may write what was entered before
                    self._entered += change
                self._entered += self._full_line() + ansi.NEWLINE
        elif self._is_secret:
            self._entered += ansi.NEWLINE  # the client's echo is off, also for Enter
        self._is_drawn, self._room = False, 0
        self._schedule_flush()
        self._on_line(self._editor.submit())

    def _tab(self) -> None:
        editor = self._editor
        place = editor.text, editor.cursor
        if self._is_flush_scheduled and self._last_tab == place:
            return  # the list is pending; a key held down shows it once per tick
        completion = self._complete(*place)
        if completion is None or not completion.candidates:
            return
        if (more := apply_completion(*place, completion)) is not None:
            editor.replace_text(*more)
        elif self._last_tab == place:
            words = completion.candidates
            is_read_aloud = self._preferences.is_linear
            rows = (
                [join_candidates(words)]
                if is_read_aloud
                else arrange_in_columns(words, self.profile.cols)
            )
            self.show(styled_line((row, "key")) for row in rows)
        self._last_tab = editor.text, editor.cursor

    def _note_truncation(self, subject: str, most: int) -> None:
        losses = self._losses = self._losses or OutputLosses()
        if losses.note_truncation(f"Your {subject} was cut (at most {most} characters)."):
            self._schedule_flush()

    # -- out -------------------------------------------------------------------------------------

    def show(self, lines: Iterable[StyledLine], *, droppable: bool = False) -> None:
        """Show *lines* above the prompt at the next tick."""
        self.show_encoded(encode_lines(lines, self.profile), droppable=droppable)

    def show_encoded(self, encoded: bytes, *, droppable: bool = False) -> None:
        """The same, for rows encoded once for many screens of one profile."""
        if self._is_closed:
            return
        chunks = self._chunks
        if droppable:
            self._droppable |= 1 << len(chunks)
        chunks.append(encoded)
        self._chunks_bytes += len(encoded)
        if not self._is_flush_scheduled:
            self._is_flush_scheduled = True
            self._ticker.schedule_flush(self)
        if self._chunks_bytes > self._config.door.output_lag_bytes:
            self.write_out()

    def set_prompt(self, prompt: str, is_secret: bool = False, is_pause: bool = False) -> None:
        """Set the text before the cursor.  A secret is typed apart from the unfinished line.

        A pause prompt disappears when it is answered with Enter or the space bar alone; Ctrl-C
        answers it with "q".
        """
        self._is_pause = is_pause
        if (prompt, is_secret) == (self._prompt, self._is_secret):
            return
        self._prompt = prompt
        if is_secret is not self._is_secret:
            self._is_secret = is_secret
            self._editor = self._lines_editor
            if is_secret:
                self._editor = Editor(self._config.session.line_chars_max, 0, sanitizer=str)
        self._fitted_prompt = None
        self._redraw()

    def resize(
        self, terminal: TerminalCapabilities, preferences: DisplayPreferences | None = None
    ) -> None:
        """Apply another terminal size or other display preferences."""
        if self._is_closed:
            return
        self._preferences = preferences or self._preferences
        before, self._row = self._row, input_row_for(terminal, self._preferences)
        self.profile = profile_of(terminal, self._preferences)
        self._keys.charset = self.profile.charset
        self._fitted_prompt = None
        if before is not self._row:
            self._write(before.teardown + self._row.setup)
        if before is not self._row or self._row.is_echoed_here:
            self._redraw()

    def clear(self) -> None:
        """Clear the screen; pending output follows."""
        if self._row.clear_sequence and not self._is_closed:
            entered, self._entered = self._entered, b""
            self._write(entered + self._row.clear_sequence)
            self._is_drawn = False
            self._redraw()

    def ring_bell(self) -> None:
        if self._preferences.has_bell:
            self.show_encoded(ansi.BELL)

    def close(self) -> None:
        """Show pending output, then restore the terminal.  Nothing is written afterwards."""
        if self._is_closed:
            return
        self._prompt, self._is_secret, self._is_stale = "", True, True
        self._fitted_prompt = None
        self.write_out()
        self._is_closed = True
        if self._row.teardown:
            self._write(ansi.SGR_RESET.encode() + self._row.teardown)

    @property
    def has_unshown(self) -> bool:
        """Whether something waits for the next tick."""
        return self._is_flush_scheduled

    def flush(self) -> None:
        """The tick."""
        is_early = not self._is_drawn and self._entered_ticks < ANSWER_TICKS_MAX
        if is_early and self._is_answer_due():
            self._entered_ticks += 1
            self._ticker.schedule_flush(self)
        else:
            self.write_out()

    def write_out(self) -> None:
        """Write pending output, and the row below it."""
        self._is_flush_scheduled, self._entered_ticks = False, 0
        if self._is_closed:
            return
        if self._on_flush is not None:
            self._on_flush()
        backlog, write = self._backlog, self._write  # a slot that is called directly is slower
        is_lagging = backlog() > self._config.door.output_lag_bytes
        chunks, droppable = self._chunks, self._droppable
        self._chunks, self._chunks_bytes, self._droppable = [], 0, 0
        if self._losses is not None or (is_lagging and droppable):
            losses = self._losses = self._losses or OutputLosses()
            if is_lagging and droppable:
                chunks = losses.drop(chunks, droppable)
            chunks = losses.add_notes(chunks, self.profile, is_lagging=is_lagging)
        if self._is_drawn:
            if not chunks and (self._is_adopted or not self._is_stale):
                return
            self._is_adopted = False
            above = self._row.before_output
            if self._is_stale:
                self._draw()
        else:
            above = self._row.before_output_undrawn
            self._draw()
        entered, self._entered = self._entered, b""
        write(b"".join([entered, above, *chunks, self._drawn_row]))
        if self._drawn_row and not self._row.is_echoed_here:
            self._end_prompt()  # clients that edit their own lines wait for it

    # -- the row ---------------------------------------------------------------------------------

    def end_row(self) -> None:
        """Write what waits, because another process goes on: below it where no row stands."""
        if self._is_drawn:
            self.write_out()
        if self._is_drawn or self._is_closed:
            return
        entered, self._entered = self._entered, b""
        chunks, self._chunks, self._chunks_bytes, self._droppable = self._chunks, [], 0, 0
        if self._on_flush is not None:
            self._on_flush()
        self._write(b"".join([entered, self._row.before_output_undrawn, *chunks]))

    def _schedule_flush(self) -> None:
        if not self._is_flush_scheduled and not self._is_closed:
            self._is_flush_scheduled = True
            self._ticker.schedule_flush(self)

    def _redraw(self) -> None:
        """Mark the row out of date: until the next tick no key takes the fast path."""
        self._is_stale, self._room = True, 0
        self._schedule_flush()

    def _echo(self) -> None:
        """Show at once what a key has changed."""
        if self._row.is_echoed_here and (change := self._change()):
            self._write(change)

    def _change(self) -> bytes:
        """The bytes that show what a key has changed, in a row that is drawn."""
        is_standing = self._is_adopted or (self._is_drawn and not self._is_stale)
        if self._is_closed or not is_standing:
            self.write_out()
            return b""
        old, self._is_adopted = self._drawn_row, False
        self._draw()
        return self._row.update(old, self._drawn_row, self.profile.charset)

    def _full_line(self) -> bytes:
        """The bytes that show all of a line longer than its row."""
        if self._is_secret:
            return b""
        prompt, profile = self._shown_prompt(), self.profile
        return self._row.full_line(prompt, self._editor, profile.cols, profile.charset)

    def _draw(self) -> None:
        """Compute the row: its bytes, and the room for the fast path in feed()."""
        cols, charset, prompt = self.profile.cols, self.profile.charset, self._shown_prompt()
        if self._is_secret:
            self._drawn_row, room = encode_text(prompt, charset), 0
        elif self._editor.text:
            self._drawn_row, room = self._row.draw(prompt, self._editor, cols, charset)
        else:
            if self._empty_row is None:
                self._empty_row = self._row.draw(prompt, self._editor, cols, charset)
            self._drawn_row, room = self._empty_row
        self._is_drawn, self._is_stale = bool(self._drawn_row), False
        is_plain = self._is_drawn and self._keys.is_idle and not self._is_pause
        self._room = room if is_plain else 0

    def _shown_prompt(self) -> str:
        """The prompt as it fits the row, made once for each prompt and size."""
        if self._fitted_prompt is None:
            self._empty_row = None
            least = 0 if self._is_secret else INPUT_CELLS_MIN
            self._fitted_prompt = _fit_prompt(
                transliterate(self._prompt, self.profile.charset), self.profile.cols - 1 - least
            )
        return self._fitted_prompt


def _fit_prompt(prompt: str, room: int) -> str:
    """The prompt, or the end of it that fits *room* cells."""
    prompt = sanitize(prompt)
    start = 0
    while cell_width(prompt[start:]) > room:
        start = next_cursor_stop(prompt, start)
    return prompt[start:]
