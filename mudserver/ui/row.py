"""The row with the prompt and the input, and how it makes room for what arrives above it.

Rule 1: a row is stateless: the screen keeps the prompt, the editor and the bytes last drawn.
Rule 2: what is drawn takes at most `cols - 1` cells, so that the cursor never leaves the row and
        CR + EL always erases all of it, however the terminal reflows.
Rule 3: at Enter a line longer than that is written whole in its place: nothing is drawn over it any
        more, so the terminal may wrap it, and who scrolls back finds all that was typed.

`AnsiRow` here edits in place; `plainline.py` has the rows for terminals that cannot.
"""

from __future__ import annotations

from typing import Protocol

from mudserver.ui import ansi
from mudserver.ui.charset import encoded, one_for_one
from mudserver.ui.editor import Editor
from mudserver.ui.keys import PANE_KEYS, Key
from mudserver.ui.width import cells


class Row(Protocol):
    above: bytes  # goes before output while the row is drawn
    above_bare: bytes  # the same while it is not: the cursor stands on a fresh row
    clear: bytes
    starts: bytes  # switch the terminal's help for typing on
    stops: bytes
    echoes: bool  # typing is shown by us, not by the client
    keys: frozenset[Key]

    def draw(self, prompt: str, editor: Editor, cols: int, charset: str) -> tuple[bytes, int]:
        """The row from column 0, and how many ASCII characters can be added by just writing them.

        The prompt is printable and leaves at least some cells for input.
        """

    def change(self, old: bytes, new: bytes, charset: str) -> bytes:
        """What to write so that the row that shows *old* shows *new*."""

    def whole(self, prompt: str, editor: Editor, cols: int, charset: str) -> bytes:
        """What to write so that all of the line stands there, on more rows than this if need be."""


class AnsiRow:
    above = above_bare = ansi.ERASE_ROW
    clear = ansi.CLEAR
    starts, stops = ansi.PASTE_ON, ansi.PASTE_OFF
    echoes = True
    keys = frozenset(Key) - PANE_KEYS

    def draw(self, prompt: str, editor: Editor, cols: int, charset: str) -> tuple[bytes, int]:
        before, after, room = visible(editor, cols - 1 - cells(prompt), charset)
        row = encoded(prompt + before + after, charset)
        if back := cells(after):
            return row + ansi.left(back), 0
        return row, room

    def change(self, old: bytes, new: bytes, charset: str) -> bytes:
        # An old row that ends in a cursor movement is never the beginning of another row.
        if new.startswith(old):
            return new[len(old) :]
        return ansi.ERASE_ROW + new

    def whole(self, prompt: str, editor: Editor, cols: int, charset: str) -> bytes:
        line = prompt + one_for_one(editor.text, charset)
        return b"" if cells(line) < cols else ansi.ERASE_ROW + encoded(line, charset)


def visible(editor: Editor, room: int, charset: str) -> tuple[str, str, int]:
    """The input before and after the cursor as it fits *room* cells, and the cells that are left.

    The cells left are also characters left in the line.
    """
    text = one_for_one(editor.text, charset)
    before, after = editor.window(text, room)
    left = min(room - cells(before), editor.chars_max - len(text))
    return before, after, left if editor.cursor == len(text) else 0


ANSI_ROW = AnsiRow()
