"""The completion menu above the input line.

Rule 1: a selected word appears in the line at once.  Esc and Ctrl-C close the menu and restore the
        typed text; every other key keeps the word.
"""

from __future__ import annotations

from mudserver.ui.completion import Completion
from mudserver.ui.editor import Editor
from mudserver.ui.width import cell_width, end_fitting
from variants.kit.text import StyledLine, styled_line

ROWS_MAX = 8


class CompletionMenu:
    __slots__ = ("_after", "_before", "selected", "start", "words")

    def __init__(self, editor: Editor, completion: Completion) -> None:
        self.start, self.words = completion
        self._before, self._after = editor.text[: editor.cursor], editor.text[editor.cursor :]
        self.selected: int | None = None  # index of the selected word

    def move_selection(self, editor: Editor, by: int) -> None:
        """Select the next or previous word, cyclically."""
        if self.selected is None:
            self.selected = 0 if by > 0 else len(self.words) - 1
        else:
            self.selected = (self.selected + by) % len(self.words)
        head = self._before[: self.start] + self.words[self.selected]
        editor.replace_text(head + self._after, len(head))

    def restore_text(self, editor: Editor) -> None:
        editor.replace_text(self._before + self._after, len(self._before))

    def render(self, cols: int, rows: int) -> list[StyledLine]:
        """Rows of equal width, at most *cols*; if not all fit, the last row counts the words."""
        count, rows = len(self.words), min(rows, ROWS_MAX)
        room = rows - (count > rows)
        first = max(0, min((self.selected or 0) - room // 2, count - room))
        words = self.words[first : first + room]
        # The same width whichever part is shown, so that the menu does not jump.
        width = min(max(map(cell_width, self.words)), cols - 4)
        lines = []
        for number, word in enumerate(words, first):
            word = word[: end_fitting(word, width)]
            mark = ">" if number == self.selected else " "
            lines.append(styled_line(f"{mark} {word}{' ' * (width - cell_width(word))} "))
        if count > room:
            below = f"{count} words" if self.selected is None else f"{self.selected + 1} of {count}"
            lines.append(styled_line(f"  {below[:width]:<{width}} "))
        return lines
