"""The line that somebody is typing: a document and what keys do to it.  Pure.

Rule 1: the document never grows over *chars_max*; `insert` says how much did not fit.
Rule 2: the document is clean, whatever was typed and in whatever pieces.
Rule 3: the cursor stands between characters as people see them, never between a letter and its
        mark.
Rule 4: what a reader sees is a window that scrolls sideways, so that the row never wraps.

The editor keeps one killed text, as long as a line, and *history_max* lines, made when needed:
most people on a server are not typing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from mudserver.sanitize import sanitize
from mudserver.ui.keys import Key
from mudserver.ui.width import cell_width, end_fitting, next_cursor_stop, previous_cursor_stop


class Editor:
    __slots__ = (
        "_back",
        "_draft",
        "_history",
        "_history_max",
        "_killed",
        "_left",
        "_tidy",
        "chars_max",
        "cursor",
        "text",
    )

    def __init__(
        self, chars_max: int, history_max: int, sanitizer: Callable[[str], str] = sanitize
    ) -> None:
        self.chars_max, self._history_max, self._tidy = chars_max, history_max, sanitizer
        self.text, self.cursor = "", 0
        self._killed = ""
        self._history: deque[str] | None = None
        self._back = 0  # how many lines back in history; 0: the line being written
        self._draft = ""  # that line, while an older one is shown
        self._left = 0  # the first visible character

    # -- text comes and goes -------------------------------------------------------------------

    def insert(self, text: str) -> int:
        """Put *text* at the cursor.  Returns how many characters did not fit."""
        after = self.text[self.cursor :]
        room = self.chars_max - len(after)
        # Together with what stands before it: a mark may come later than its letter.
        before = self._tidy(self.text[: self.cursor] + text)
        self.replace_text(before[:room] + after, min(len(before), room))
        return max(0, len(before) - room)

    def replace_text(self, text: str, cursor: int) -> None:
        """Another document, cut to the size of a line."""
        self.text = self._tidy(text)[: self.chars_max]
        self.cursor = min(cursor, len(self.text))

    def submit(self) -> str:
        """The line as it stands; the next one begins empty."""
        line = self.text
        self.clear()
        if line.strip() and self._history_max:
            if self._history is None:
                self._history = deque(maxlen=self._history_max)
            if not self._history or self._history[-1] != line:
                self._history.append(line)
        return line

    def clear(self) -> None:
        self.replace_text("", 0)
        self._back, self._draft = 0, ""

    def _cut(self, start: int, end: int) -> str:
        text = self.text
        self.text, self.cursor = text[:start] + text[end:], start
        return text[start:end]

    def _kill(self, start: int, end: int) -> None:
        if start < end:
            self._killed = self._cut(start, end)

    # -- keys ----------------------------------------------------------------------------------

    def backspace(self) -> None:
        self._cut(previous_cursor_stop(self.text, self.cursor), self.cursor)

    def delete(self) -> None:
        self._cut(self.cursor, next_cursor_stop(self.text, self.cursor))

    def move_left(self) -> None:
        self.cursor = previous_cursor_stop(self.text, self.cursor)

    def move_right(self) -> None:
        self.cursor = next_cursor_stop(self.text, self.cursor)

    def move_home(self) -> None:
        self.cursor = 0

    def move_end(self) -> None:
        self.cursor = len(self.text)

    def move_word_left(self) -> None:
        self.cursor = self._word_start()

    def move_word_right(self) -> None:
        self.cursor = self._word_end()

    def kill_to_end(self) -> None:
        self._kill(self.cursor, len(self.text))

    def kill_to_start(self) -> None:
        self._kill(0, self.cursor)

    def kill_word_before(self) -> None:
        self._kill(self._word_start(), self.cursor)

    def kill_word_after(self) -> None:
        self._kill(self.cursor, self._word_end())

    def yank(self) -> None:
        self.insert(self._killed)

    def history_previous(self) -> None:
        self._walk(self._back + 1)

    def history_next(self) -> None:
        self._walk(self._back - 1)

    def _word_start(self) -> int:
        before = self.text[: self.cursor].rstrip(" ")
        return before.rfind(" ") + 1

    def _word_end(self) -> int:
        after = self.text[self.cursor :]
        end = after.find(" ", len(after) - len(after.lstrip(" ")))
        return len(self.text) if end < 0 else self.cursor + end

    def _walk(self, back: int) -> None:
        if not 0 <= back <= len(self._history or ()):
            return
        if self._back == 0:
            self._draft = self.text
        self._back = back
        text = self._history[-back] if back and self._history else self._draft
        self.replace_text(text, len(text))

    # -- the window ----------------------------------------------------------------------------

    def visible_window(self, shown: str, room: int) -> tuple[str, str]:
        """What is visible in *room* cells: the part before the cursor and the part after it.

        *shown* has one character for each of the document's; it differs from it where the
        terminal's charset has no such character.
        """
        cursor = self.cursor
        if cell_width(shown) <= room:
            self._left = 0
        elif cursor <= self._left:
            self._left = self._scrolled(shown, room // 3)
        elif (
            cell_width(shown[self._left : cursor]) > room
            or cell_width(shown[self._left :])
            < room // 3  # the line got shorter, or the window wider
        ):
            self._left = self._scrolled(shown, room - room // 3)
        end = max(cursor, end_fitting(shown, room, self._left))
        return shown[self._left : cursor], shown[cursor:end]

    def _scrolled(self, shown: str, room: int) -> int:
        """The first character to show so that at most *room* cells stand before the cursor."""
        left = self.cursor
        while (before := previous_cursor_stop(shown, left)) < left:
            room -= cell_width(shown[before:left])
            if room < 0:
                break
            left = before
        return left


EDIT_ACTIONS: Mapping[Key, Callable[[Editor], None]] = {
    Key.BACKSPACE: Editor.backspace,
    Key.DELETE: Editor.delete,
    Key.LEFT: Editor.move_left,
    Key.RIGHT: Editor.move_right,
    Key.HOME: Editor.move_home,
    Key.END: Editor.move_end,
    Key.WORD_LEFT: Editor.move_word_left,
    Key.WORD_RIGHT: Editor.move_word_right,
    Key.KILL_TO_END: Editor.kill_to_end,
    Key.KILL_TO_START: Editor.kill_to_start,
    Key.KILL_WORD_BEFORE: Editor.kill_word_before,
    Key.KILL_WORD_AFTER: Editor.kill_word_after,
    Key.YANK: Editor.yank,
    Key.HISTORY_PREVIOUS: Editor.history_previous,
    Key.HISTORY_NEXT: Editor.history_next,
}
