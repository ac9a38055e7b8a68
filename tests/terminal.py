"""A terminal to look at: pyte, fed with what a screen writes.

pyte does not know bracketed paste; its switches are noted here and not shown to it.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import pyte
from wcwidth import wcwidth

# pyte makes a cell of each character that it draws; most are like one that there is.
pyte.screens.Char._replace = lru_cache(65_536)(pyte.screens.Char._replace)  # type: ignore[method-assign]

PASTE_ON, PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"


def row_of(screen: pyte.Screen, row: int) -> str:
    return text_of(screen.buffer[row], screen.columns)


def text_of(cells: Any, columns: int) -> str:
    """What stands in a row of so many *columns*, blanks at its end included.

    As pyte's `display`, but for one row, and only its written cells are looked at: most tests look
    after each write, and most cells of a screen are blank.
    """
    shown, halves = [" "] * columns, list[int]()
    for column, cell in cells.items():
        if column < columns:
            shown[column] = cell.data
            if not cell.data:
                halves.append(column)  # behind a character of two cells
    for column in halves:  # pyte keeps the second one where something else stands in the first
        if wcwidth(shown[column - 1][:1]) != 2:
            shown[column] = " "
    return "".join(shown)


class Row(NamedTuple):
    """A row with all that can be seen: `marks` are the cells that are not plain, by column."""

    text: str  # without the blanks at its end
    marks: tuple[tuple[int, tuple[Any, ...]], ...] = ()


def _visible(cell: Any) -> tuple[Any, ...]:
    """How *cell* looks; a blank has no colour of its own, nor is it bold."""
    if cell.data == " " and not (cell.reverse or cell.underscore or cell.strikethrough):
        cell = cell._replace(fg="default", bold=False, italics=False, blink=False)
    return tuple(cell[1:])


class _Screen(pyte.Screen):
    """Remembers the rows that have left at its top, and counts bells."""

    def __init__(self, cols: int, rows: int) -> None:
        self._gone: list[Row] = []
        self._left: list[tuple[Any, int]] = []  # of those the cells, not looked at yet
        self.bells = 0
        super().__init__(cols, rows)

    def index(self) -> None:
        if self.margins is None and self.cursor.y == self.lines - 1:
            self._left.append((self.buffer[0], self.columns))
        super().index()

    def bell(self, *_: object) -> None:
        self.bells += 1

    @property
    def gone(self) -> list[Row]:
        self._gone += [self._row(*left) for left in self._left]
        self._left.clear()
        return self._gone

    def row(self, row: int) -> Row:
        return self._row(self.buffer[row], self.columns)

    def _row(self, cells: Any, columns: int) -> Row:
        plain = self.default_char[1:]
        looks = [(column, _visible(cell)) for column, cell in sorted(cells.items())]
        marks = tuple((column, seen) for column, seen in looks if seen != plain)
        return Row(text_of(cells, columns).rstrip(), marks)


class Emulator:
    """`feed` bytes, read `rows`, `row` (where the cursor is) and `cursor` (row, column).

    pyte is slow: it works only when somebody looks.
    """

    def __init__(self, cols: int = 80, rows: int = 24) -> None:
        self._size = cols, rows
        self._seen: _Screen | None = None
        self._unseen = bytearray()
        self.has_paste_mode = False
        self.writes = 0

    def feed(self, data: bytes) -> None:
        self.writes += 1
        if PASTE_ON in data or PASTE_OFF in data:
            self.has_paste_mode = data.rfind(PASTE_ON) > data.rfind(PASTE_OFF)
        self._unseen += data

    @property
    def _screen(self) -> _Screen:
        if self._seen is None:
            self._seen = _Screen(*self._size)
            self._stream = pyte.ByteStream(self._seen)
        if self._unseen:
            # Looked at between two writes only, so that no switch is cut in half.
            data = bytes(self._unseen).replace(PASTE_ON, b"").replace(PASTE_OFF, b"")
            self._unseen.clear()
            self._stream.feed(data)
        return self._seen

    def resize(self, cols: int, rows: int) -> None:
        """Rows go at the top, columns at the right, and the cursor stays on its row."""
        screen = self._screen
        lost = max(0, screen.cursor.y - rows + 1)
        row, column = screen.cursor.y - lost, screen.cursor.x
        shown = [dict(screen.buffer[y]) for y in range(screen.lines)]
        screen.resize(rows, cols)
        screen.buffer.clear()
        for y, cells in enumerate(shown[lost : lost + rows]):
            screen.buffer[y].update({x: cell for x, cell in cells.items() if x < cols})
        screen.cursor.y, screen.cursor.x = row, min(column, cols - 1)

    @property
    def rows(self) -> list[str]:
        """All rows from the top, without the blanks at their ends."""
        screen = self._screen
        return [row_of(screen, row).rstrip() for row in range(screen.lines)]

    @property
    def text(self) -> list[str]:
        """The rows that are not blank."""
        return [row for row in self.rows if row]

    @property
    def row(self) -> str:
        """The row with the cursor, blanks at its end included."""
        return row_of(self._screen, self._screen.cursor.y)

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column, from 0."""
        return self._screen.cursor.y, self._screen.cursor.x

    @property
    def cells(self) -> list[Row]:
        """All rows from the top, with colours and the like."""
        screen = self._screen
        return [screen.row(row) for row in range(screen.lines)]

    @property
    def gone(self) -> list[Row]:
        """The rows that have left at the top, since the beginning."""
        return self._screen.gone

    @property
    def bells(self) -> int:
        """How often it has rung."""
        return self._screen.bells

    @property
    def title(self) -> str:
        return str(self._screen.title)
