"""What a full screen shows: the table, the log, the chat, the status, and which pane is which.

Rule 1: what is said goes to the log and to the chat as well as to the log of everything, which
        stands for both where there is no room for two; the lines are kept once.
Rule 2: one pane is marked: the keys that scroll, scroll it.
"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.ui.fullscreen.layout import Layout, PaneName, compute_layout, table_cols
from mudserver.ui.fullscreen.scroll_buffer import ScrollBuffer, TableView
from mudserver.ui.fullscreen.status_bar import StatusBarState
from variants.kit.text import StyledLine


class FullScreenModel:
    def __init__(self, lines_max: int) -> None:
        self.table = TableView()
        self.combined_log, self.log, self.chat = (ScrollBuffer(lines_max) for _ in range(3))
        self.status = StatusBarState()
        self.focused: PaneName = "log"
        self.zoomed: PaneName | None = None
        self._plan = Layout(())

    def add(
        self, lines: Sequence[StyledLine], *, is_chat: bool = False, is_page: bool = False
    ) -> None:
        self.combined_log.add(lines, is_page=is_page)
        (self.chat if is_chat else self.log).add(lines, is_page=is_page)

    def layout(self, cols: int, rows: int, charset: str) -> Layout:
        """Where the panes are at this size."""
        width = table_cols(cols, rows, self.zoomed)
        needs = self.table.rows_needed(width, charset)
        self._plan = compute_layout(cols, rows, needs, self.zoomed)
        if self._plan.area_of(self.focused) is None:
            self.focused = "log" if self._plan.area_of("log") else self._plan.areas[0].pane
        return self._plan

    def pane(self, name: PaneName) -> ScrollBuffer | TableView:
        if name == "table":
            return self.table
        if name == "chat":
            return self.chat
        return self.combined_log if self._plan.area_of("chat") is None else self.log

    def title_note(self, name: PaneName) -> str:
        """What a title tells of rows that are not shown, those of a table without a title too."""
        note, table = self.pane(name).hidden_note, self._plan.area_of("table")
        if note and name == self.focused:
            note += ": PageDown" if name != "table" else ": PageUp, PageDown"
        elif note:
            note += ": F6"  # the keys that scroll are of another pane now
        elif self.zoomed:
            note = "F2: all panes"
        if name == "log" and not note and table is not None and not table.has_title:
            note = self.table.hidden_note and f"table {self.table.hidden_note}"
        return note

    # -- keys --------------------------------------------------------------------------------------

    def focus_next(self) -> None:
        panes = [place.pane for place in self._plan.areas]
        if self.zoomed:
            panes = ["log", "chat"] if self.table.render is None else ["table", "log", "chat"]
        # Several keys may come between two drawings: the plan need not know of the mark.
        at = panes.index(self.focused) if self.focused in panes else -1
        self.focused = [*panes, "log"][(at + 1) % max(1, len(panes))]
        if self.zoomed:
            self.zoomed = self.focused

    def toggle_zoom(self) -> None:
        """The marked pane has all the room; where there is but one, the other takes its place."""
        if self.zoomed is None and len(self._plan.areas) == 1 and self.table.render is not None:
            self.zoomed = self.focused = "table"
        else:
            self.zoomed = None if self.zoomed else self.focused

    def focus_log(self) -> None:
        """Where an answer comes: it is seen, and the keys that scroll, scroll it."""
        self.focused, self.zoomed = "log", None
        self.scroll_to_end()

    def scroll(self, *, rows: int = 0, pages: int = 0) -> None:
        pane = self.pane(self.focused)
        pane.scroll(rows + pages * max(1, pane.height - 1))

    def scroll_to_end(self) -> None:
        """Whoever types a line wants to see what it does."""
        for roll in (self.combined_log, self.log, self.chat):
            roll.scroll_offset = 0
