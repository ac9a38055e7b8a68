"""The completion menu: words to choose from above the input line.

Rule 1: choosing a word shows it in the line at once; leaving the menu by Esc or Ctrl-C puts back
        what was typed, anything else keeps the word.
"""

from __future__ import annotations

from mudserver.ui.complete import Completion
from mudserver.ui.editor import Editor
from mudserver.ui.width import cells, fitting
from variants.kit.text import Line, line

ROWS_MAX = 8


class Menu:
    __slots__ = ("_after", "_before", "at", "start", "words")

    def __init__(self, editor: Editor, completion: Completion) -> None:
        self.start, self.words = completion
        self._before, self._after = editor.text[: editor.cursor], editor.text[editor.cursor :]
        self.at: int | None = None  # the word chosen

    def step(self, editor: Editor, by: int) -> None:
        """Choose the next word, or the one before; behind the last comes the first."""
        if self.at is None:
            self.at = 0 if by > 0 else len(self.words) - 1
        else:
            self.at = (self.at + by) % len(self.words)
        head = self._before[: self.start] + self.words[self.at]
        editor.put(head + self._after, len(head))

    def undo(self, editor: Editor) -> None:
        editor.put(self._before + self._after, len(self._before))

    def shown(self, cols: int, rows: int) -> list[Line]:
        """Rows of one width, at most *cols*; the last says how many there are where not all fit."""
        count, rows = len(self.words), min(rows, ROWS_MAX)
        room = rows - (count > rows)
        first = max(0, min((self.at or 0) - room // 2, count - room))
        words = self.words[first : first + room]
        # Of one width whichever part is shown, or the menu would wobble.
        width = min(max(map(cells, self.words)), cols - 4)
        lines = []
        for number, word in enumerate(words, first):
            word = word[: fitting(word, width)]
            mark = ">" if number == self.at else " "
            lines.append(line(f"{mark} {word}{' ' * (width - cells(word))} "))
        if count > room:
            below = f"{count} words" if self.at is None else f"{self.at + 1} of {count}"
            lines.append(line(f"  {below[:width]:<{width}} "))
        return lines
