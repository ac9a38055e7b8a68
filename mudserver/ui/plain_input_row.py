"""The input row of terminals without CSI, of screen readers, and of clients that edit their lines.

Rule 1: printed text is never erased.  Output starts on a row of its own, then the prompt is
        written again, with the input so far if we echo.
Rule 2: `DumbTerminalRow`: single keys, echoed by us.  The cursor is always at the end; BS SPACE BS
        erases one cell.
Rule 3: `LineModeRow`: whole lines, echoed by the client.  A line that arrives has already moved the
        cursor to an empty row.
"""

from __future__ import annotations

from mudserver.ui import ansi
from mudserver.ui.charset import encode_text
from mudserver.ui.editor import Editor
from mudserver.ui.input_row import visible_input
from mudserver.ui.keys import Key
from mudserver.ui.width import cell_width

_ALWAYS = frozenset({Key.ENTER, Key.BACKSPACE, Key.CANCEL, Key.END_OF_INPUT, Key.PASTE_TRUNCATED})


class LineModeRow:
    before_output = ansi.NEWLINE
    before_output_undrawn = clear_sequence = setup = teardown = b""
    is_echoed_here = False
    accepted_keys = _ALWAYS

    def draw(self, prompt: str, editor: Editor, cols: int, charset: str) -> tuple[bytes, int]:
        return encode_text(prompt, charset), 0

    def update(self, old: bytes, new: bytes, charset: str) -> bytes:
        return b""

    def full_line(self, prompt: str, editor: Editor, cols: int, charset: str) -> bytes:
        return b""


class DumbTerminalRow:
    before_output = clear_sequence = ansi.NEWLINE
    before_output_undrawn = setup = teardown = b""
    is_echoed_here = True
    accepted_keys = _ALWAYS | {
        Key.TAB,
        Key.KILL_TO_START,
        Key.KILL_WORD_BEFORE,
        Key.YANK,
        Key.HISTORY_PREVIOUS,
        Key.HISTORY_NEXT,
        Key.CLEAR,
    }

    def draw(self, prompt: str, editor: Editor, cols: int, charset: str) -> tuple[bytes, int]:
        editor.move_end()
        before, _, room = visible_input(editor, cols - 1 - cell_width(prompt), charset)
        return encode_text(prompt + before, charset), room

    def update(self, old: bytes, new: bytes, charset: str) -> bytes:
        was, now = old.decode(charset, "replace"), new.decode(charset, "replace")
        differs = (at for at, (a, b) in enumerate(zip(was, now, strict=False)) if a != b)
        same = next(differs, min(len(was), len(now)))
        return ansi.ERASE_LEFT * cell_width(was[same:]) + encode_text(now[same:], charset)

    def full_line(self, prompt: str, editor: Editor, cols: int, charset: str) -> bytes:
        return b""  # was read aloud as it was typed


LINE_MODE_ROW, DUMB_TERMINAL_ROW = LineModeRow(), DumbTerminalRow()
