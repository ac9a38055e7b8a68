"""A terminal to look at: pyte, fed with what a screen writes.

pyte does not know bracketed paste; its switches are counted here and not shown to it.
"""

from __future__ import annotations

import pyte

PASTE_ON, PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"


class Emulator:
    """`feed` bytes, read `rows`, `row` (where the cursor is) and `cursor` (row, column)."""

    def __init__(self, cols: int = 80, rows: int = 24) -> None:
        self._screen = pyte.HistoryScreen(cols, rows, history=10_000)
        self._stream = pyte.ByteStream(self._screen)
        self.written = bytearray()
        self.writes = 0
        self.has_paste_mode = False

    def feed(self, data: bytes) -> None:
        self.written += data
        self.writes += 1
        if PASTE_ON in data or PASTE_OFF in data:
            self.has_paste_mode = data.rfind(PASTE_ON) > data.rfind(PASTE_OFF)
            data = data.replace(PASTE_ON, b"").replace(PASTE_OFF, b"")
        self._stream.feed(data)

    def resize(self, cols: int, rows: int) -> None:
        """Rows go at the top, columns at the right, and the cursor stays on its row."""
        lost = max(0, self._screen.cursor.y - rows + 1)
        column = self._screen.cursor.x
        row = self._screen.cursor.y - lost
        shown = [dict(self._screen.buffer[y]) for y in range(self._screen.lines)]
        self._screen.resize(rows, cols)
        self._screen.buffer.clear()
        for y, cells in enumerate(shown[lost : lost + rows]):
            self._screen.buffer[y].update({x: c for x, c in cells.items() if x < cols})
        self._screen.cursor.y, self._screen.cursor.x = row, min(column, cols - 1)

    @property
    def rows(self) -> list[str]:
        """All rows from the top, without the blanks at their ends."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> list[str]:
        """The rows that are not blank."""
        return [row for row in self.rows if row]

    @property
    def row(self) -> str:
        """The row with the cursor, blanks at its end included."""
        return self._screen.display[self._screen.cursor.y]

    @property
    def cursor(self) -> tuple[int, int]:
        return self._screen.cursor.y, self._screen.cursor.x

    def history(self) -> list[str]:
        """Rows that have left at the top, oldest first."""
        cols = self._screen.columns
        return [
            "".join(row[x].data for x in range(cols)).rstrip() for row in self._screen.history.top
        ]
