"""A pane's text: lines that came one after the other, or a page that is shown from some row.

Rule 1: nothing grows without bound: a roll keeps so many lines, and so many rows of them.
Rule 2: who has scrolled back stays where they read, whatever arrives below; it is counted.
Rule 3: a page longer than the pane is shown from its beginning.
Rule 4: what a pane shows follows from `mark`: the same mark and size, the same rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence

from mudserver.ui.encode import wrap_line
from variants.kit.text import StyledLine, plain_text

OWN_SEAT_PREFIX = "Your "
ROWS_PER_LINE = 4  # of a roll's bound: lines are longer than rows, seldom four times

Render = Callable[[int], Sequence[StyledLine]]  # columns -> lines


class ScrollBuffer:
    """The log, or the chat: it follows what arrives, unless somebody reads further up."""

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
        self._rows: list[StyledLine] | None = None  # None: to be wrapped when somebody looks
        self._cols, self._charset = 0, "utf-8"
        self._version = 0
        self.scroll_offset = 0  # rows below the last one shown
        self.height = 0  # rows of the pane, when it was last looked at

    def add(self, lines: Sequence[StyledLine], *, is_page: bool = False) -> None:
        self._lines.extend(lines)
        self._version += 1
        if self._rows is None:
            return
        fresh = [row for it in lines for row in wrap_line(it, self._cols, self._charset)]
        self._rows += fresh
        if self.scroll_offset:
            self.scroll_offset += len(fresh)
        elif is_page and self.height:
            self.scroll_offset = max(0, len(fresh) - self.height)
        over = len(self._rows) - self._rows_max
        if over > 0:
            del self._rows[:over]
        self.scroll_offset = min(self.scroll_offset, self._back_max())

    def clear(self) -> None:
        self._lines.clear()
        self._rows = None
        self.scroll_offset = 0
        self._version += 1

    def scroll(self, rows: int) -> None:
        """Backwards by so many rows; forwards where it is negative."""
        self.scroll_offset = max(0, min(self.scroll_offset + rows, self._back_max()))

    def visible_rows(self, cols: int, rows: int, charset: str) -> list[StyledLine]:
        """At most *rows* rows, each of at most *cols* cells."""
        if self._rows is None or (cols, charset) != (self._cols, self._charset):
            self._cols, self._charset = cols, charset
            all_rows = [row for it in self._lines for row in wrap_line(it, cols, charset)]
            self._rows = all_rows[-self._rows_max :]
            self._version += 1
        self.height = rows
        self.scroll_offset = min(self.scroll_offset, self._back_max())
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
        """What the title says of rows that are not shown; "" if there are none below."""
        return f"{self.scroll_offset} more below" if self.scroll_offset else ""

    def _back_max(self) -> int:
        return max(0, len(self._rows or ()) - self.height)


class TableView:
    """The table: it is rendered anew for each width, and shown from its top, or while the reader is
    asked so that the own part is seen: every game ends its view with it, and it begins with OWN."""

    __slots__ = (
        *("_key", "_own", "_rows", "_top", "_version"),
        *("height", "render", "rows_needed_max", "shows_own_seat"),
    )

    def __init__(self) -> None:
        self.render: Render | None = None
        self.shows_own_seat = False  # show the own part
        self._own = 0  # its first row
        self._rows: list[StyledLine] = []
        self._key: tuple[int, int, str] | None = None
        self._top: int | None = None  # the first row shown, if somebody has scrolled
        self._version = 0
        self.height = 0
        self.rows_needed_max = 0  # that were needed since `start`

    def reset_height(self) -> None:
        """Another game, or another size: what was needed before does not matter."""
        self.rows_needed_max = 0

    def set_render(self, render: Render | None, *, shows_own_seat: bool = False) -> None:
        self.render, self.shows_own_seat, self._top = render, shows_own_seat, None
        self._version += 1
        if render is None:
            self.reset_height()

    def rows_needed(self, cols: int, charset: str) -> int | None:
        """Rows, at that width; None: there is no table."""
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
            self._own = next(own, len(self._rows))
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
            return min(top_max, self._own) if self.shows_own_seat else 0
        return min(self._top, top_max)

    @property
    def version(self) -> Hashable:
        return self._version, self.top

    @property
    def hidden_note(self) -> str:
        """`rows 3-8 of 14`, where not all are shown."""
        count = len(self._rows)
        if count <= self.height:
            return ""
        return f"rows {self.top + 1}-{min(count, self.top + self.height)} of {count}"

    def _top_max(self) -> int:
        return max(0, len(self._rows) - self.height)
