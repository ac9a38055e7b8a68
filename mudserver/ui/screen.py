"""One terminal: what is typed goes in, what happens comes out, and neither damages the other.

Rule 1: this is the only writer to its terminal.  Output waits for the tick and goes out in one
        write: make room, the rows, the prompt with the input so far, the cursor in its place.
Rule 2: the echo of own keys does not wait for the tick.
Rule 3: Ctrl-C clears the line and never ends the visit; Ctrl-D on an empty line asks for the end.
Rule 4: nothing grows without bound: the line, the history, a paste, and what waits for a tick.
        Where something is cut, one sentence says so.
Rule 5: while a secret is asked for nothing typed is shown, kept, completed or cleaned.
Rule 6: what waits for the tick, what a lagging reader loses and what is said of it: `outgoing.py`.

A terminal that cannot erase, is read aloud or edits its own lines has another row (`plainline.py`),
not another screen; the full screen (`full/`) is another class with these same methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mudserver.config.schema import Config
from mudserver.sanitize import sanitize
from mudserver.ui import ansi
from mudserver.ui.charset import encode_text, transliterate
from mudserver.ui.completion import (
    Completion,
    apply_completion,
    arrange_in_columns,
    join_candidates,
)
from mudserver.ui.editor import EDIT_ACTIONS, Editor
from mudserver.ui.encode import encode_lines
from mudserver.ui.input_row import ANSI_ROW, InputRow
from mudserver.ui.input_state import InputState
from mudserver.ui.keys import Key, KeyParser
from mudserver.ui.pending_output import PendingOutput
from mudserver.ui.plain_input_row import DUMB_TERMINAL_ROW, LINE_MODE_ROW
from mudserver.ui.terminal_profile import (
    DisplaySettings,
    TerminalCapabilities,
    TerminalProfile,
    profile_of,
)
from mudserver.ui.ticker import Ticker
from mudserver.ui.width import cell_width, next_cursor_stop
from variants.kit.text import StyledLine, styled_line

Completer = Callable[[str, int], Completion | None]

INPUT_CELLS_MIN = 8  # a prompt that leaves less loses its beginning


def input_row_for(terminal: TerminalCapabilities, settings: DisplaySettings) -> InputRow:
    if not terminal.is_character_mode:
        return LINE_MODE_ROW
    return ANSI_ROW if terminal.is_ansi and not settings.is_linear else DUMB_TERMINAL_ROW


class Screen:
    """Calls *on_line* with each line (clean, without its end) and *on_end* on Ctrl-D.

    *write* never waits; *backlog* is how many bytes it has queued.  *complete* is asked with the
    line and the cursor; *prompt_end* is called where a prompt ends, of clients that edit their own
    lines.  All calls come from the event loop.
    """

    __slots__ = (
        "_backlog",
        "_complete",
        "_editor",
        "_is_closed",
        "_is_drawn",
        "_is_pause",
        "_is_secret",
        "_is_stale",
        "_is_touched",
        "_keys",
        "_limits",
        "_lines_editor",
        "_on_end",
        "_on_line",
        "_out",
        "_prompt",
        "_prompt_end",
        "_room",
        "_row",
        "_settings",
        "_tab_asked",
        "_tail",
        "_ticker",
        "_write",
        "profile",
    )

    def __init__(
        self,
        write: Callable[[bytes], None],
        terminal: TerminalCapabilities,
        settings: DisplaySettings,
        on_line: Callable[[str], None],
        on_end: Callable[[], None],
        completer: Completer,
        ticker: Ticker,
        limits: Config,
        backlog: Callable[[], int] = lambda: 0,
        end_prompt: Callable[[], None] = lambda: None,
    ) -> None:
        self._write, self._backlog, self._ticker, self._limits = write, backlog, ticker, limits
        self._on_line, self._on_end, self._complete = on_line, on_end, completer
        self._settings, self._prompt_end = settings, end_prompt
        self.profile: TerminalProfile = profile_of(terminal, settings)
        self._row = input_row_for(terminal, settings)
        self._keys = KeyParser(limits.session.paste_chars_max, self.profile.charset)
        self._editor = self._lines_editor = Editor(
            limits.session.line_chars_max, limits.session.history_lines
        )
        self._prompt, self._is_secret, self._is_pause = "", False, False
        self._tail = b""  # the row as last drawn
        self._room = 0  # so many ASCII characters may be added to it by just writing them
        self._is_drawn = False  # the row stands on the terminal
        self._is_stale = False  # but not as it should
        self._is_touched = False  # the ticker will call flush()
        self._is_closed = False
        self._out = PendingOutput()
        self._tab_asked: tuple[str, int] | None = None  # the line at the last Tab without effect
        if self._row.setup:
            write(self._row.setup)

    # -- handing over to another screen ----------------------------------------------------------

    @property
    def input_state(self) -> InputState:
        return InputState(
            self._keys, self._editor, self._lines_editor, self._prompt, self._is_secret
        )

    def restore_input(self, state: InputState) -> None:
        self._keys, self._editor, self._lines_editor, self._prompt, self._is_secret = state
        self._keys.charset = self.profile.charset

    # -- in --------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        """Raw input, in segments of any size."""
        if 0 < len(data) <= self._room and data.isascii():
            text = data.decode("ascii")
            if text.isprintable():
                # Most of what a server hears: one letter at the end of the line.
                editor = self._editor
                editor.text += text
                editor.cursor += len(text)
                self._tail += data
                self._room -= len(text)
                self._write(data)
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
            self._say_cut("line", self._editor.chars_max)

    def _press(self, key: Key) -> None:
        if key in EDIT_ACTIONS:
            EDIT_ACTIONS[key](self._editor)
        elif key is Key.ENTER:
            self._enter()
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
            self._say_cut("paste", self._limits.session.paste_chars_max)
        elif self._editor.text:  # Ctrl-D
            self._editor.delete()
        else:
            self._on_end()

    def _enter(self) -> None:
        if self._is_pause and not self._editor.text and self._row.is_echoed_here:
            self._write(self._row.before_output)
        else:
            self._echo(self._whole() + ansi.NEWLINE)
        if self._is_secret and not self._row.is_echoed_here:
            self._write(ansi.NEWLINE)  # the client's echo is off, and so is that of its Enter
        self._is_drawn, self._room = False, 0
        self._touch()
        self._on_line(self._editor.submit())

    def _tab(self) -> None:
        editor = self._editor
        place = editor.text, editor.cursor
        if self._is_touched and self._tab_asked == place:
            return  # the list is on its way; a key held down asks for it once a tick
        completion = self._complete(*place)
        if completion is None or not completion.candidates:
            return
        if (more := apply_completion(*place, completion)) is not None:
            editor.replace_text(*more)
        elif self._tab_asked == place:
            words = completion.candidates
            is_read_aloud = self._settings.is_linear
            rows = (
                [join_candidates(words)]
                if is_read_aloud
                else arrange_in_columns(words, self.profile.cols)
            )
            self.show(styled_line((row, "key")) for row in rows)
        self._tab_asked = editor.text, editor.cursor

    def _say_cut(self, what: str, most: int) -> None:
        if self._out.note_truncation(f"Your {what} was cut: {most} characters are the most."):
            self._touch()

    # -- out -------------------------------------------------------------------------------------

    def show(self, lines: Iterable[StyledLine], *, droppable: bool = False) -> None:
        """Append output above the prompt, on the next tick."""
        self.show_encoded(encode_lines(lines, self.profile), droppable=droppable)

    def show_encoded(self, encoded: bytes, *, droppable: bool = False) -> None:
        """The same for rows painted once for many screens of one look."""
        if self._is_closed:
            return
        self._out.append(encoded, droppable=droppable)
        if not self._is_touched:
            self._touch()
        if self._out.size_bytes > self._limits.door.output_lag_bytes:
            self.flush()

    def set_prompt(self, prompt: str, is_secret: bool = False, is_pause: bool = False) -> None:
        """What stands before the cursor.  A secret is typed apart from the line in the making.

        A pause vanishes when it is answered with nothing but Enter or the space bar; Ctrl-C
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
                self._editor = Editor(self._limits.session.line_chars_max, 0, sanitizer=str)
        self._redraw()

    def resize(
        self, terminal: TerminalCapabilities, settings: DisplaySettings | None = None
    ) -> None:
        """The terminal, or what its owner wishes, is another now."""
        if self._is_closed:
            return
        self._settings = settings or self._settings
        before, self._row = self._row, input_row_for(terminal, self._settings)
        self.profile = profile_of(terminal, self._settings)
        self._keys.charset = self.profile.charset
        if before is not self._row:
            self._write(before.teardown + self._row.setup)
        if before is not self._row or self._row.is_echoed_here:
            self._redraw()

    def clear(self) -> None:
        """Clear the screen; what waits to be shown comes after that."""
        if self._row.clear_sequence and not self._is_closed:
            self._write(self._row.clear_sequence)
            self._is_drawn = False
            self._redraw()

    def ring_bell(self) -> None:
        if self._settings.has_bell:
            self.show_encoded(ansi.BELL)

    def close(self) -> None:
        """Show what waits, then leave the terminal as it was found.  Nothing comes after."""
        if self._is_closed:
            return
        self._prompt, self._is_secret, self._is_stale = "", True, True
        self.flush()
        self._is_closed = True
        if self._row.teardown:
            self._write(ansi.SGR_RESET.encode() + self._row.teardown)

    def flush(self) -> None:
        """Write what waits, and the row below it."""
        self._is_touched = False
        out = self._out
        out.size_bytes = 0
        if self._is_closed:
            return
        if not out.is_final:
            out.finalize(self._backlog() > self._limits.door.output_lag_bytes, self.profile)
        if self._is_drawn:
            if not out.chunks and not self._is_stale:
                return
            above = self._row.before_output
            if self._is_stale:
                self._draw()
        else:
            above = self._row.before_output_undrawn
            self._draw()
        self._write(b"".join((above, *out.chunks, self._tail)))
        out.chunks.clear()
        if self._tail and not self._row.is_echoed_here:
            self._prompt_end()  # clients that edit their lines wait for it

    # -- the row ---------------------------------------------------------------------------------

    def _touch(self) -> None:
        if not self._is_touched and not self._is_closed:
            self._is_touched = True
            self._ticker.schedule_flush(self)

    def _redraw(self) -> None:
        """The row is not as it should be: until the next tick no key takes the short way."""
        self._is_stale, self._room = True, 0
        self._touch()

    def _echo(self, after: bytes = b"") -> None:
        """Show what a key changed, at once."""
        if self._is_closed or not self._row.is_echoed_here:
            return
        if self._is_stale or not self._is_drawn:
            self.flush()
            change = b""
        else:
            old = self._tail
            self._draw()
            change = self._row.update(old, self._tail, self.profile.charset)
        if change or after:
            self._write(change + after)

    def _whole(self) -> bytes:
        """What shows all of a line longer than its row."""
        if self._is_secret or not self._row.is_echoed_here:
            return b""
        prompt, look = self._shown_prompt(), self.profile
        return self._row.full_line(prompt, self._editor, look.cols, look.charset)

    def _draw(self) -> None:
        """Compute the row anew: its bytes, and the room for the short way in feed()."""
        cols, charset, prompt = self.profile.cols, self.profile.charset, self._shown_prompt()
        if self._is_secret:
            self._tail, room = encode_text(prompt, charset), 0
        else:
            self._tail, room = self._row.draw(prompt, self._editor, cols, charset)
        self._is_drawn, self._is_stale = bool(self._tail), False
        is_plain = self._is_drawn and self._keys.is_idle and not self._is_pause
        self._room = room if is_plain else 0

    def _shown_prompt(self) -> str:
        least = 0 if self._is_secret else INPUT_CELLS_MIN
        return _end(
            transliterate(self._prompt, self.profile.charset), self.profile.cols - 1 - least
        )


def _end(prompt: str, room: int) -> str:
    """The prompt, or as much of its end as fits *room* cells."""
    prompt = sanitize(prompt)
    start = 0
    while cell_width(prompt[start:]) > room:
        start = next_cursor_stop(prompt, start)
    return prompt[start:]
