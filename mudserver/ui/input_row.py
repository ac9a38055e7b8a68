"""The row with the prompt and the input, and how it makes room for what arrives above it.

Rule 1: a row is stateless: the screen keeps the prompt, the editor and the bytes last drawn.
Rule 2: what is drawn takes at most `cols - 1` cells, so that the cursor never leaves the row and
        CR + EL always erases all of it, however the terminal reflows.
Rule 3: at Enter a line longer than that is written whole in its place: nothing is drawn over it any
        more, so the terminal may wrap it, and who scrolls back finds all that was typed.

`AnsiInputRow` here edits in place; `plainline.py` has the rows for terminals that cannot.
"""

from __future__ import annotations

from typing import Protocol

from mudserver.ui import ansi
from mudserver.ui.charset import encode_text, replace_missing
from mudserver.ui.editor import Editor
from mudserver.ui.keys import FULL_SCREEN_KEYS, Key
from mudserver.ui.width import cell_width


class InputRow(Protocol):
    before_output: bytes  # goes before output while the row is drawn
    before_output_undrawn: bytes  # the same while it is not: the cursor stands on a fresh row
    clear_sequence: bytes
    setup: bytes  # switch the terminal's help for typing on
    teardown: bytes
    is_echoed_here: bool  # typing is shown by us, not by the client
    accepted_keys: frozenset[Key]

    def draw(self, prompt: str, editor: Editor, cols: int, charset: str) -> tuple[bytes, int]:
        """The row from column 0, and how many ASCII characters can be added by just writing them.

        The prompt is printable and leaves at least some cells for input.
        """

    def update(self, old: bytes, new: bytes, charset: str) -> bytes:
        """What to write so that the row that shows *old* shows *new*."""

    def full_line(self, prompt: str, editor: Editor, cols: int, charset: str) -> bytes:
        """What to write so that all of the line stands there, on more rows than this if need be."""


class AnsiInputRow:
    before_output = before_output_undrawn = ansi.ERASE_ROW
    clear_sequence = ansi.CLEAR_SCREEN
    setup, teardown = ansi.BRACKETED_PASTE_ON, ansi.BRACKETED_PASTE_OFF
    is_echoed_here = True
    accepted_keys = frozenset(Key) - FULL_SCREEN_KEYS

    def draw(self, prompt: str, editor: Editor, cols: int, charset: str) -> tuple[bytes, int]:
        before, after, room = visible_input(editor, cols - 1 - cell_width(prompt), charset)
        row = encode_text(prompt + before + after, charset)
        if back := cell_width(after):
            return row + ansi.cursor_left(back), 0
        return row, room

    def update(self, old: bytes, new: bytes, charset: str) -> bytes:
        # An old row that ends in a cursor movement is never the beginning of another row.
        if new.startswith(old):
            return new[len(old) :]
        return ansi.ERASE_ROW + new

    def full_line(self, prompt: str, editor: Editor, cols: int, charset: str) -> bytes:
        line = prompt + replace_missing(editor.text, charset)
        return b"" if cell_width(line) < cols else ansi.ERASE_ROW + encode_text(line, charset)


def visible_input(editor: Editor, room: int, charset: str) -> tuple[str, str, int]:
    """The input before and after the cursor as it fits *room* cells, and the cells that are left.

    The cells left are also characters left in the line.
    """
    text = replace_missing(editor.text, charset)
    before, after = editor.visible_window(text, room)
    left = min(room - cell_width(before), editor.chars_max - len(text))
    return before, after, left if editor.cursor == len(text) else 0


ANSI_ROW = AnsiInputRow()
