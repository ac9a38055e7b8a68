"""The text of panes: the scroll buffer of log and chat, and the view of the table.

Rule 1: a scroll buffer keeps a bounded number of lines, and of wrapped rows.
Rule 2: a reader who has scrolled back keeps their position; rows that arrive below are counted.
Rule 3: a page longer than the pane is shown from its beginning.
Rule 4: equal `version` and size mean equal rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence

from mudserver.ui.encode import wrap_line
from variants.kit.text import StyledLine, plain_text

OWN_SEAT_PREFIX = "Your "
ROWS_PER_LINE = 4  # bound on wrapped rows: few lines are longer than four rows

Render = Callable[[int], Sequence[StyledLine]]  # columns -> lines


class ScrollBuffer:
    """The log or the chat: it follows new lines, unless the reader has scrolled back."""

    __slots__ = (
        "_charset",
        "_cols",
        "_lines",
        "_rows",
        "_rows_max",
        "_version",
        "height",
        "scroll_offset",
    )

    def __init__(self, lines_max: int) -> None:
        self._lines: deque[StyledLine] = deque(maxlen=lines_max)
        self._rows_max = ROWS_PER_LINE * lines_max
        self._rows: list[StyledLine] | None = None  # wrapped on demand
        self._cols, self._charset = 0, "utf-8"
        self._version = 0
        self.scroll_offset = 0  # rows below the last one shown
        self.height = 0  # rows of the pane at the last draw

    def add(self, lines: Sequence[StyledLine], *, is_page: bool = False) -> None:
        self._lines.extend(lines)
        self._version += 1
        if self._rows is None:
            return
        new_rows = [row for it in lines for row in wrap_line(it, self._cols, self._charset)]
        self._rows += new_rows
        if self.scroll_offset:
            self.scroll_offset += len(new_rows)
        elif is_page and self.height:
            self.scroll_offset = max(0, len(new_rows) - self.height)
        over = len(self._rows) - self._rows_max
        if over > 0:
            del self._rows[:over]
        self.scroll_offset = min(self.scroll_offset, self._scroll_offset_max())

    def clear(self) -> None:
        self._lines.clear()
        self._rows = None
        self.scroll_offset = 0
        self._version += 1

    def scroll(self, rows: int) -> None:
        """Scroll back by *rows*; forwards if it is negative."""
        self.scroll_offset = max(0, min(self.scroll_offset + rows, self._scroll_offset_max()))

    def visible_rows(self, cols: int, rows: int, charset: str) -> list[StyledLine]:
        """The rows to show: at most *rows*, each of at most *cols* cells."""
        if self._rows is None or (cols, charset) != (self._cols, self._charset):
            self._cols, self._charset = cols, charset
            all_rows = [row for it in self._lines for row in wrap_line(it, cols, charset)]
            self._rows = all_rows[-self._rows_max :]
            self._version += 1
        self.height = rows
        self.scroll_offset = min(self.scroll_offset, self._scroll_offset_max())
        end = len(self._rows) - self.scroll_offset
        return self._rows[max(0, end - rows) : end]

    @property
    def version(self) -> Hashable:
        return self._version, self.scroll_offset

    @property
    def last_lines(self) -> deque[StyledLine]:
        return self._lines

    @property
    def hidden_note(self) -> str:
        """The note in the title on rows below; "" if there are none."""
        return f"{self.scroll_offset} more below" if self.scroll_offset else ""

    def _scroll_offset_max(self) -> int:
        return max(0, len(self._rows or ()) - self.height)


class TableView:
    """The table, rendered for each width.

    It is shown from its top, or with `shows_own_seat` from the reader's own part: every game ends
    its view with that part, which begins with OWN_SEAT_PREFIX.
    """

    __slots__ = (
        *("_key", "_own_seat_row", "_rows", "_top", "_version"),
        *("height", "render", "rows_needed_max", "shows_own_seat"),
    )

    def __init__(self) -> None:
        self.render: Render | None = None
        self.shows_own_seat = False  # scroll to the reader's own part
        self._own_seat_row = 0  # the first row of that part
        self._rows: list[StyledLine] = []
        self._key: tuple[int, int, str] | None = None
        self._top: int | None = None  # the first row shown, if the reader has scrolled
        self._version = 0
        self.height = 0
        self.rows_needed_max = 0  # since `reset_height`

    def reset_height(self) -> None:
        """Forget the height needed so far: another game, or another size."""
        self.rows_needed_max = 0

    def set_render(self, render: Render | None, *, shows_own_seat: bool = False) -> None:
        self.render, self.shows_own_seat, self._top = render, shows_own_seat, None
        self._version += 1
        if render is None:
            self.reset_height()

    def rows_needed(self, cols: int, charset: str) -> int | None:
        """The rows needed at that width; None: there is no table."""
        if self.render is None:
            return None
        key = (self._version, cols, charset)
        if key != self._key:
            lines = self.render(cols)
            self._rows = [row for it in lines for row in wrap_line(it, cols, charset)]
            while self._rows and not any(text.strip() for text, _ in self._rows[-1]):
                self._rows.pop()
            own = (
                at
                for at, row in enumerate(self._rows)
                if plain_text(row).startswith(OWN_SEAT_PREFIX)
            )
            self._own_seat_row = next(own, len(self._rows))
            if self._key is not None and self._key[1:] != key[1:]:
                self.reset_height()
            self._key = key
        self.rows_needed_max = max(self.rows_needed_max, len(self._rows))
        return self.rows_needed_max

    def scroll(self, rows: int) -> None:
        self._top = max(0, min(self.top - rows, self._top_max()))

    def visible_rows(self, cols: int, rows: int, charset: str) -> list[StyledLine]:
        self.rows_needed(cols, charset)
        self.height = rows
        return self._rows[self.top : self.top + rows]

    @property
    def top(self) -> int:
        top_max = self._top_max()
        if self._top is None:
            return min(top_max, self._own_seat_row) if self.shows_own_seat else 0
        return min(self._top, top_max)

    @property
    def version(self) -> Hashable:
        return self._version, self.top

    @property
    def hidden_note(self) -> str:
        """`rows 3-8 of 14` if not all are shown, else ""."""
        count = len(self._rows)
        if count <= self.height:
            return ""
        return f"rows {self.top + 1}-{min(count, self.top + self.height)} of {count}"

    def _top_max(self) -> int:
        return max(0, len(self._rows) - self.height)
