"""The line editor: a text, a cursor, and what keys do to them.  Pure.

Rule 1: the text never exceeds *chars_max*; `insert` returns how much did not fit.
Rule 2: the text is always sanitized, however the input was segmented.
Rule 3: the cursor stands between characters as people see them, never between a letter and its
        mark.
Rule 4: a window that scrolls sideways is displayed, so that the row never wraps.

The editor keeps one killed text of at most a line, and *history_max* lines.  The history is
created on first use: most sessions do not type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mudserver.sanitize import is_plain, sanitize
from mudserver.ui.keys import Key
from mudserver.ui.width import cell_width, end_fitting, next_cursor_stop, previous_cursor_stop


class Editor:
    __slots__ = (
        "_draft",
        "_history",
        "_history_index",
        "_history_max",
        "_killed",
        "_sanitize",
        "_window_start",
        "chars_max",
        "cursor",
        "text",
    )

    def __init__(
        self, chars_max: int, history_max: int, sanitizer: Callable[[str], str] = sanitize
    ) -> None:
        self.chars_max, self._history_max, self._sanitize = chars_max, history_max, sanitizer
        self.text, self.cursor = "", 0
        self._killed = ""
        self._history: list[str] | None = None  # oldest first
        self._history_index = 0  # lines back in history; 0: the current line
        self._draft = ""  # the current line, while an older one is shown
        self._window_start = 0  # index of the first visible character

    # -- text ----------------------------------------------------------------------------------

    def insert(self, text: str) -> int:
        """Insert *text* at the cursor.  Returns how many characters did not fit."""
        after = self.text[self.cursor :]
        room = self.chars_max - len(after)
        # Sanitized with the text before it: a mark may arrive later than its letter.
        before = self._sanitize(self.text[: self.cursor] + text)
        self.replace_text(before[:room] + after, min(len(before), room))
        return max(0, len(before) - room)

    def replace_text(self, text: str, cursor: int) -> None:
        """Replace the text, truncated to *chars_max*."""
        self.text = self._sanitize(text)[: self.chars_max]
        self.cursor = min(cursor, len(self.text))

    def submit(self) -> str:
        """Return the line, add it to the history, and start an empty one."""
        line = self.text
        self.clear()
        if line.strip() and self._history_max:
            history = self._history = self._history or []
            if history[-1:] != [line]:
                history.append(line)
                del history[: -self._history_max]
        return line

    def clear(self) -> None:
        self.text, self.cursor, self._window_start = "", 0, 0
        self._history_index, self._draft = 0, ""

    def _cut(self, start: int, end: int) -> str:
        text = self.text
        self.text, self.cursor = text[:start] + text[end:], start
        return text[start:end]

    def _kill(self, start: int, end: int) -> None:
        if start < end:
            self._killed = self._cut(start, end)

    @property
    def memory(self) -> tuple[tuple[str, ...], str]:
        """The history, newest first, and the killed text."""
        return tuple(reversed(self._history or ())), self._killed

    def restore_memory(self, history: Sequence[str], killed: str) -> None:
        """Args: history: Newest first."""
        self._killed = self._sanitize(killed)[: self.chars_max]
        if history and self._history_max:
            lines: Sequence[str] = history[: self._history_max][::-1]
            if not is_plain("".join(lines)):
                lines = [self._sanitize(line) for line in lines]
            self._history = [line[: self.chars_max] for line in lines]

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
        self._recall(self._history_index + 1)

    def history_next(self) -> None:
        self._recall(self._history_index - 1)

    def _word_start(self) -> int:
        before = self.text[: self.cursor].rstrip(" ")
        return before.rfind(" ") + 1

    def _word_end(self) -> int:
        after = self.text[self.cursor :]
        end = after.find(" ", len(after) - len(after.lstrip(" ")))
        return len(self.text) if end < 0 else self.cursor + end

    def _recall(self, back: int) -> None:
        if not 0 <= back <= len(self._history or ()):
            return
        if self._history_index == 0:
            self._draft = self.text
        self._history_index = back
        text = self._history[-back] if back and self._history else self._draft
        self.replace_text(text, len(text))

    # -- the window ----------------------------------------------------------------------------

    @property
    def is_scrolled(self) -> bool:
        """Whether the line began before the window, as it was displayed last."""
        return self._window_start > 0

    def visible_window(self, shown: str, room: int) -> tuple[str, str]:
        """The part before the cursor and the part after it that fit *room* cells.

        Args:
            shown: The text with substitutes for characters that the charset lacks, of equal length.
        """
        cursor = self.cursor
        if cell_width(shown) <= room:
            self._window_start = 0
        elif cursor <= self._window_start:
            self._window_start = self._scroll_to_fit(shown, room // 3)
        elif (
            cell_width(shown[self._window_start : cursor]) > room
            or cell_width(shown[self._window_start :])
            < room // 3  # the line got shorter, or the window wider
        ):
            self._window_start = self._scroll_to_fit(shown, room - room // 3)
        end = max(cursor, end_fitting(shown, room, self._window_start))
        return shown[self._window_start : cursor], shown[cursor:end]

    def _scroll_to_fit(self, shown: str, room: int) -> int:
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
