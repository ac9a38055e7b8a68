"""The text of panes: the scroll buffer of log and chat, an open page, and the view of the table.

Rule 1: a scroll buffer keeps a bounded number of lines, and of bytes: fifty full screens together
        take at most 24 MiB.  Rows are wrapped when they are shown, and only those are kept.
Rule 2: a reader who has scrolled back keeps their position; rows that arrive below are counted.
Rule 3: a page longer than the pane takes the place of the log, from its beginning, until it is
        closed; nothing is added to the log but what happens.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from sys import getsizeof
from typing import NamedTuple

from mudserver.ui.encode import wrap_line
from variants.kit.text import StyledLine, plain_text

OWN_SEAT_PREFIX = "Your "
BYTES_MAX = 131_072  # of text in a scroll buffer
SPAN_BYTES = 120  # of a span, beside its text

Render = Callable[[int], Sequence[StyledLine]]  # columns -> lines


class ScrollBuffer:
    """The log or the chat: it follows new lines, unless the reader has scrolled back."""

    __slots__ = (
        *("_bytes", "_charset", "_cols", "_lines", "_lines_max", "_row_count", "_row_counts"),
        *("_shown", "_shown_key", "_version", "height", "scroll_offset"),
    )

    def __init__(self, lines_max: int) -> None:
        self._lines: deque[StyledLine] = deque()
        self._lines_max, self._bytes = lines_max, 0
        self._row_counts: deque[int] = deque()  # of each line, at the width last shown
        self._row_count = 0  # their sum
        self._cols, self._charset = 0, ""  # 0: never shown
        self._shown: list[StyledLine] = []
        self._shown_key: Hashable = None
        self._version = 0
        self.scroll_offset = 0  # rows below the last one shown
        self.height = 0  # rows of the pane at the last draw

    def add(self, lines: Sequence[StyledLine]) -> None:
        before = self._row_count
        for line in lines:
            self._lines.append(line)
            self._bytes += _bytes_of(line)
            if self._cols:
                self._count_rows(line)
        new_rows = self._row_count - before
        self._version += 1
        if self.scroll_offset:
            self.scroll_offset += new_rows
        self._drop_oldest()
        self.scroll_offset = min(self.scroll_offset, self._scroll_offset_max())

    def replace_last(self, before: StyledLine, line: StyledLine) -> bool:
        """Rewrite *before*, if it is the last line.  False: it is not."""
        if not self._lines or self._lines[-1] is not before:
            return False
        self._bytes -= _bytes_of(self._lines.pop())
        if self._row_counts:
            self._row_count -= self._row_counts.pop()
        self.add([line])
        return True

    def clear(self) -> None:
        self._lines.clear()
        self._row_counts.clear()
        self._row_count = self._bytes = self.scroll_offset = 0
        self._version += 1

    def fits(self, lines: Sequence[StyledLine]) -> bool:
        """Whether all of *lines* can be seen at once in the pane as it was last drawn."""
        if not self.height:
            return True
        counts = (len(wrap_line(line, self._cols, self._charset)) for line in lines)
        return sum(counts) <= self.height

    def scroll(self, rows: int) -> None:
        """Scroll back by *rows*; forwards if it is negative."""
        self.scroll_offset = max(0, min(self.scroll_offset + rows, self._scroll_offset_max()))

    def visible_rows(self, cols: int, rows: int, charset: str) -> list[StyledLine]:
        """The rows to show: at most *rows*, each of at most *cols* cells."""
        if (cols, charset) != (self._cols, self._charset):
            self._cols, self._charset = cols, charset
            self._row_counts.clear()
            self._row_count = 0
            for line in self._lines:
                self._count_rows(line)
        self.height = rows
        self.scroll_offset = min(self.scroll_offset, self._scroll_offset_max())
        key = (self._version, self.scroll_offset, cols, rows, charset)
        if key != self._shown_key:
            self._shown, self._shown_key = self._last_rows(rows), key
        return self._shown

    @property
    def last_lines(self) -> deque[StyledLine]:
        return self._lines

    @property
    def hidden_note(self) -> str:
        """The note in the title on rows below; "" if there are none."""
        return f"{self.scroll_offset} more below" if self.scroll_offset else ""

    def _last_rows(self, rows: int) -> list[StyledLine]:
        """The last *rows* rows above the scroll offset."""
        wanted = self.scroll_offset + rows
        found: deque[StyledLine] = deque()
        for line in reversed(self._lines):
            if len(found) >= wanted:
                break
            found.extendleft(reversed(wrap_line(line, self._cols, self._charset)))
        end = len(found) - self.scroll_offset
        return list(found)[max(0, end - rows) : end]

    def _count_rows(self, line: StyledLine) -> None:
        count = len(wrap_line(line, self._cols, self._charset))
        self._row_counts.append(count)
        self._row_count += count

    def _drop_oldest(self) -> None:
        while len(self._lines) > self._lines_max or self._bytes > BYTES_MAX:
            self._bytes -= _bytes_of(self._lines.popleft())
            if self._row_counts:
                self._row_count -= self._row_counts.popleft()

    def _scroll_offset_max(self) -> int:
        return max(0, self._row_count - self.height)


def _bytes_of(line: StyledLine) -> int:
    return sum([SPAN_BYTES + getsizeof(text) for text, _ in line])


class PageView:
    """A page in the place of the log.  It is shown from its top; scrolling moves it.

    Args:
        lines: At most *lines_max* of them are kept.
    """

    __slots__ = ("_key", "_lines", "_lines_max", "_rows", "_top", "height", "title", "was_drawn")

    def __init__(self, title: str, lines: Sequence[StyledLine], lines_max: int) -> None:
        self.title, self._lines, self._lines_max = title, list(lines[:lines_max]), lines_max
        self._rows: list[StyledLine] = []
        self._key: Hashable = None
        self._top = self.height = 0
        self.was_drawn = False

    def add(self, lines: Sequence[StyledLine]) -> None:
        """A further part of the same answer."""
        self._lines = [*self._lines, *lines][: self._lines_max]
        self._key = None

    def scroll(self, rows: int) -> None:
        self._top = max(0, min(self._top - rows, len(self._rows) - self.height))

    def visible_rows(self, cols: int, rows: int, charset: str) -> list[StyledLine]:
        if (cols, charset) != self._key:
            self._key = (cols, charset)
            self._rows = [row for it in self._lines for row in wrap_line(it, cols, charset)]
        self.height, self.was_drawn = rows, True
        self._top = max(0, min(self._top, len(self._rows) - rows))
        return self._rows[self._top : self._top + rows]

    @property
    def hidden_note(self) -> str:
        """`17 more`: the rows below the last one shown; "" if there are none."""
        below = len(self._rows) - self._top - self.height
        return f"{below} more" if below > 0 else ""


class TableStand(NamedTuple):
    about: int | None  # which table it is; None: none
    rows_needed_max: int
    top: int | None  # the first row shown, if the reader has scrolled


class TableView:
    """The table, rendered for each width.

    It is shown from its top, or with `shows_own_seat` from the reader's own part: every game ends
    its view with that part, which begins with OWN_SEAT_PREFIX.
    """

    __slots__ = (
        *("_key", "_own_seat_row", "_restored", "_rows", "_top", "_version"),
        *("about", "height", "render", "rows_needed_max", "shows_own_seat"),
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
        self.about: int | None = None  # which table it is
        self._restored: TableStand | None = None  # for the next draw of that table

    @property
    def stand(self) -> TableStand:
        return self._restored or TableStand(self.about, self.rows_needed_max, self._top)

    def restore(self, stand: TableStand) -> None:
        """When that table is drawn next, it stands as on another screen."""
        self._restored = stand

    def reset_height(self) -> None:
        """Forget the height needed so far: another game, or another size."""
        self.rows_needed_max = 0

    def set_render(
        self, render: Render | None, *, shows_own_seat: bool = False, about: int | None = None
    ) -> None:
        """Args: about: Which table it is; None: none, as in the lobby."""
        self.render, self.shows_own_seat, self._top = render, shows_own_seat, None
        self.about = about
        if self._restored is not None and about not in (None, self._restored.about):
            self._restored = None
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
        if self._restored is not None and self._restored.about == self.about:
            (_, self.rows_needed_max, self._top), self._restored = self._restored, None
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
    def hidden_note(self) -> str:
        """`rows 3-8 of 14` if not all are shown, else ""."""
        count = len(self._rows)
        if count <= self.height:
            return ""
        return f"rows {self.top + 1}-{min(count, self.top + self.height)} of {count}"

    def _top_max(self) -> int:
        return max(0, len(self._rows) - self.height)
