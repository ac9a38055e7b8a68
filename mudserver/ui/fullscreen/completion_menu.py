"""The completion menu: words to choose from above the input line.

Rule 1: choosing a word shows it in the line at once; leaving the menu by Esc or Ctrl-C puts back
        what was typed, anything else keeps the word.
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
        self.selected: int | None = None  # the word chosen

    def move_selection(self, editor: Editor, by: int) -> None:
        """Choose the next word, or the one before; behind the last comes the first."""
        if self.selected is None:
            self.selected = 0 if by > 0 else len(self.words) - 1
        else:
            self.selected = (self.selected + by) % len(self.words)
        head = self._before[: self.start] + self.words[self.selected]
        editor.replace_text(head + self._after, len(head))

    def restore_text(self, editor: Editor) -> None:
        editor.replace_text(self._before + self._after, len(self._before))

    def render(self, cols: int, rows: int) -> list[StyledLine]:
        """Rows of one width, at most *cols*; the last says how many there are where not all fit."""
        count, rows = len(self.words), min(rows, ROWS_MAX)
        room = rows - (count > rows)
        first = max(0, min((self.selected or 0) - room // 2, count - room))
        words = self.words[first : first + room]
        # Of one width whichever part is shown, or the menu would wobble.
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
