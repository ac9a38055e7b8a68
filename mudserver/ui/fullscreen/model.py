"""The model of a full screen: table, log, chat, status, and the focused pane.

Rule 1: each line goes to the log or the chat, and to the combined log, which replaces both where
        there is no room for two; the lines themselves are shared.
Rule 2: one pane has the focus: the scroll keys act on it.
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
        self._layout = Layout(())

    def add(
        self, lines: Sequence[StyledLine], *, is_chat: bool = False, is_page: bool = False
    ) -> None:
        self.combined_log.add(lines, is_page=is_page)
        (self.chat if is_chat else self.log).add(lines, is_page=is_page)

    def layout(self, cols: int, rows: int, charset: str) -> Layout:
        """The layout at this size."""
        width = table_cols(cols, rows, self.zoomed)
        needs = self.table.rows_needed(width, charset)
        self._layout = compute_layout(cols, rows, needs, self.zoomed)
        if self._layout.area_of(self.focused) is None:
            self.focused = "log" if self._layout.area_of("log") else self._layout.areas[0].pane
        return self._layout

    def pane(self, name: PaneName) -> ScrollBuffer | TableView:
        if name == "table":
            return self.table
        if name == "chat":
            return self.chat
        return self.combined_log if self._layout.area_of("chat") is None else self.log

    def title_note(self, name: PaneName) -> str:
        """The note in a title on hidden rows, also on those of a table without a title."""
        note, table = self.pane(name).hidden_note, self._layout.area_of("table")
        if note and name == self.focused:
            note += ": PageDown" if name != "table" else ": PageUp, PageDown"
        elif note:
            note += ": F6"  # the scroll keys act on another pane now
        elif self.zoomed:
            note = "F2: all panes"
        if name == "log" and not note and table is not None and not table.has_title:
            note = self.table.hidden_note and f"table {self.table.hidden_note}"
        return note

    # -- keys --------------------------------------------------------------------------------------

    def focus_next(self) -> None:
        panes = [area.pane for area in self._layout.areas]
        if self.zoomed:
            panes = ["log", "chat"] if self.table.render is None else ["table", "log", "chat"]
        # Several keys may arrive between two draws: the layout may not contain the focused pane.
        at = panes.index(self.focused) if self.focused in panes else -1
        self.focused = [*panes, "log"][(at + 1) % max(1, len(panes))]
        if self.zoomed:
            self.zoomed = self.focused

    def toggle_zoom(self) -> None:
        """Show only the focused pane, or all again; with a single pane, swap table and log."""
        if self.zoomed is None and len(self._layout.areas) == 1 and self.table.render is not None:
            self.zoomed = self.focused = "table"
        else:
            self.zoomed = None if self.zoomed else self.focused

    def focus_log(self) -> None:
        """Show and focus the log, where answers appear."""
        self.focused, self.zoomed = "log", None
        self.scroll_to_end()

    def scroll(self, *, rows: int = 0, pages: int = 0) -> None:
        pane = self.pane(self.focused)
        pane.scroll(rows + pages * max(1, pane.height - 1))

    def scroll_to_end(self) -> None:
        """Show the newest lines, for whoever has just typed one."""
        for buffer in (self.combined_log, self.log, self.chat):
            buffer.scroll_offset = 0
