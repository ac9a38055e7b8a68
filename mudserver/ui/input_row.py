"""The row with the prompt and the input, and how it makes room for output above it.

Rule 1: a row is stateless: the screen keeps the prompt, the editor and the bytes last drawn.
Rule 2: a row takes at most `cols - 1` cells, so that the cursor never leaves it and CR + EL erases
        all of it, however the terminal reflows.
Rule 3: at Enter a longer line is written in full in its place: nothing is drawn over it any more,
        so the terminal may wrap it, and all that was typed stays in the scrollback.

`AnsiInputRow` here edits in place; `plain_input_row.py` has the rows for terminals that cannot.
"""

from __future__ import annotations

from typing import Protocol

from mudserver.ui import ansi
from mudserver.ui.charset import encode_text, replace_missing
from mudserver.ui.editor import Editor
from mudserver.ui.keys import FULL_SCREEN_KEYS, Key
from mudserver.ui.width import cell_width


class InputRow(Protocol):
    before_output: bytes  # written before output while the row is drawn
    before_output_undrawn: bytes  # the same while it is not: the cursor is on an empty row
    clear_sequence: bytes
    setup: bytes  # enables bracketed paste
    teardown: bytes
    is_echoed_here: bool  # we echo typing, not the client
    accepted_keys: frozenset[Key]

    def draw(self, prompt: str, editor: Editor, cols: int, charset: str) -> tuple[bytes, int]:
        """The row from column 0, and how many ASCII characters may be appended by writing them.

        The prompt is printable and leaves some cells for input.
        """

    def update(self, old: bytes, new: bytes, charset: str) -> bytes:
        """The bytes that turn the row *old* into *new*."""

    def full_line(self, prompt: str, editor: Editor, cols: int, charset: str) -> bytes:
        """The bytes that show the whole line, on several rows if needed; b"" if it is shown."""


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
    """The input before and after the cursor that fits *room* cells, and the cells left.

    So many ASCII characters may be appended to the line, too.
    """
    text = replace_missing(editor.text, charset)
    before, after = editor.visible_window(text, room)
    left = min(room - cell_width(before), editor.chars_max - len(text))
    return before, after, left if editor.cursor == len(text) else 0


ANSI_ROW = AnsiInputRow()
