"""The input row of terminals without CSI, of screen readers, and of clients that edit their lines.

Rule 1: nothing printed is ever erased.  Output starts on a row of its own, then the prompt stands
        there again, with the input so far where the echo is ours.
Rule 2: `DumbRow`: single keys, our echo.  The cursor is always at the end; one cell is rubbed out
        with BS SPACE BS.
Rule 3: `LineRow`: whole lines, the client's echo.  A line that arrives has already moved the
        cursor to a fresh row.
"""

from __future__ import annotations

from mudserver.ui import ansi
from mudserver.ui.charset import encoded
from mudserver.ui.editor import Editor
from mudserver.ui.keys import Key
from mudserver.ui.row import visible
from mudserver.ui.width import cells

_ALWAYS = frozenset({Key.ENTER, Key.BACKSPACE, Key.CANCEL, Key.FINISH, Key.PASTE_CUT})


class LineRow:
    above = ansi.NEWLINE
    above_bare = clear = starts = stops = b""
    echoes = False
    keys = _ALWAYS

    def draw(self, prompt: str, editor: Editor, cols: int, charset: str) -> tuple[bytes, int]:
        return encoded(prompt, charset), 0

    def change(self, old: bytes, new: bytes, charset: str) -> bytes:
        return b""

    def whole(self, prompt: str, editor: Editor, cols: int, charset: str) -> bytes:
        return b""


class DumbRow:
    above = clear = ansi.NEWLINE
    above_bare = starts = stops = b""
    echoes = True
    keys = _ALWAYS | {
        Key.TAB,
        Key.KILL_TO_START,
        Key.KILL_WORD_BEFORE,
        Key.YANK,
        Key.OLDER,
        Key.NEWER,
        Key.CLEAR,
    }

    def draw(self, prompt: str, editor: Editor, cols: int, charset: str) -> tuple[bytes, int]:
        editor.move_end()
        before, _, room = visible(editor, cols - 1 - cells(prompt), charset)
        return encoded(prompt + before, charset), room

    def change(self, old: bytes, new: bytes, charset: str) -> bytes:
        was, now = old.decode(charset, "replace"), new.decode(charset, "replace")
        differs = (at for at, (a, b) in enumerate(zip(was, now, strict=False)) if a != b)
        same = next(differs, min(len(was), len(now)))
        return ansi.RUB_OUT * cells(was[same:]) + encoded(now[same:], charset)

    def whole(self, prompt: str, editor: Editor, cols: int, charset: str) -> bytes:
        return b""  # read out as it was typed; it would be heard twice


LINE_ROW, DUMB_ROW = LineRow(), DumbRow()
