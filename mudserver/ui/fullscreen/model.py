"""The model of a full screen: table, log, chat, page, status, and the focused pane.

Rule 1: each line goes to the log or the chat, and to the combined log, which replaces both where
        there is no room for two; the lines themselves are shared.
Rule 2: one pane has the focus: the scroll keys act on it.
Rule 3: what is added where its reader does not look is counted, and the newest of it is shown in a
        row of its own.  What is meant for the reader is not replaced there by what is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mudserver.ui.fullscreen.layout import Layout, PaneName, compute_layout, table_cols
from mudserver.ui.fullscreen.scroll_buffer import PageView, ScrollBuffer, TableStand, TableView
from mudserver.ui.fullscreen.status_bar import StatusBarState
from variants.kit.text import StyledLine

CLOSES_PAGE = "Esc or q closes"


class Arrangement(NamedTuple):
    """How the panes stand, but for the log: its rows are not known on another screen."""

    focused: PaneName
    is_zoomed: bool
    table: TableStand
    chat_offset: int  # rows below the last one shown


class FullScreenModel:
    def __init__(self, lines_max: int) -> None:
        self.table = TableView()
        self.table_title = "Table"
        self.combined_log, self.log, self.chat = (ScrollBuffer(lines_max) for _ in range(3))
        self.status = StatusBarState()
        self.focused: PaneName = "log"
        self.zoomed: PaneName | None = None
        self.page: PageView | None = None  # in the place of the log
        self.has_menu = False  # it covers the last rows
        self.typed = ""  # the last line
        self._last_page: PageView | None = None
        self._lines_max = lines_max
        self._layout = Layout(())
        self._new_counts: dict[PaneName, int] = {"log": 0, "chat": 0}
        self._newest: StyledLine = ()
        self._is_newest_own = False  # it is meant for the reader
        self._restored: Arrangement | None = None

    @property
    def arrangement(self) -> Arrangement:
        is_zoomed, chat_offset = self.zoomed is not None, self.chat.scroll_offset
        return self._restored or Arrangement(self.focused, is_zoomed, self.table.stand, chat_offset)

    def restore(self, arrangement: Arrangement) -> None:
        """From the next draw on, stand as another screen of the same reader stood."""
        self._restored = arrangement

    def _take_up(self, arrangement: Arrangement) -> None:
        self.focused = arrangement.focused
        self.zoomed = arrangement.focused if arrangement.is_zoomed else None
        self.table.restore(arrangement.table)
        self.chat.scroll_offset = arrangement.chat_offset  # bounded when it is drawn

    def add(
        self, lines: Sequence[StyledLine], *, is_chat: bool = False, is_own: bool = False
    ) -> None:
        """Args: is_own: it is meant for the reader."""
        self.combined_log.add(lines)
        (self.chat if is_chat else self.log).add(lines)
        if lines and not self._is_seen(pane := self._pane_of(is_chat)):
            self._new_counts[pane] += 1
            if is_own or not self._is_newest_own:
                self._newest, self._is_newest_own = lines[0], is_own

    def replace_last(self, before: StyledLine, line: StyledLine) -> bool:
        """Rewrite a line of the log that is the last one.  False: it is not."""
        if not self.combined_log.replace_last(before, line):
            return False
        self.log.replace_last(before, line)
        if self._newest is before:
            self._newest = line
        return True

    # -- news ------------------------------------------------------------------------------------

    def _pane_of(self, is_chat: bool) -> PaneName:
        return "chat" if is_chat and self._layout.area_of("chat") else "log"

    def _is_seen(self, name: PaneName) -> bool:
        """Whether the newest line of log or chat is on the screen."""
        if not self._layout.areas:
            return True  # nothing was drawn yet
        pane, is_shown = self.pane(name), self._layout.area_of(name) is not None
        return (
            is_shown
            and isinstance(pane, ScrollBuffer)
            and not (pane.scroll_offset or self.has_menu)
        )

    @property
    def new_count(self) -> int:
        """How many entries came where the reader does not look."""
        return sum(self._new_counts.values())

    @property
    def newest(self) -> StyledLine:
        """The first line of the newest of them."""
        return self._newest

    def _forget_seen(self) -> None:
        for name in self._new_counts:
            if self._is_seen(self._pane_of(name == "chat")):
                self._new_counts[name] = 0
        if not self.new_count:
            self._newest, self._is_newest_own = (), False

    # -- the page --------------------------------------------------------------------------------

    def show_page(self, title: str, lines: Sequence[StyledLine]) -> bool:
        """Show an answer: in the log if it fits there, else in its place.  Returns the former.

        Args:
            title: What the first line says; "" for an answer without a title.
        """
        if self.page is not None:
            self.page.add([(), *lines])
            return False
        log = self.pane("log")
        if isinstance(log, ScrollBuffer) and self._is_seen("log") and log.fits(lines):
            self.add(lines)
            return True
        text = lines[1:] if title else lines
        self._open(PageView(title or self.typed or "Answer", text, self._lines_max))
        return False

    def _open(self, page: PageView) -> None:
        self.page = self._last_page = page
        self.focused, self.zoomed = "log", None

    def close_page(self) -> bool:
        """Back to the log.  False: no page is open."""
        was_open, self.page = self.page is not None, None
        return was_open

    def reopen_page(self) -> bool:
        """The last page again.  False: there was none."""
        if self._last_page is not None:
            self._open(self._last_page)
        return self._last_page is not None

    def show_news(self) -> None:
        """Close the page and show the newest lines: what comes next must not be missed."""
        if self.page is None or self.page.was_drawn:  # else it answers the line just typed
            self.page = None
            self.scroll_to_end()

    # -- panes -----------------------------------------------------------------------------------

    def layout(self, cols: int, rows: int, charset: str) -> Layout:
        """The layout at this size."""
        if self._restored is not None:
            self._take_up(self._restored)
            self._restored = None
        width = table_cols(cols, rows, self.zoomed)
        needs = self.table.rows_needed(width, charset)
        self._layout = compute_layout(cols, rows, needs, self.zoomed)
        if self._layout.area_of(self.focused) is None:
            self.focused = "log" if self._layout.area_of("log") else self._layout.areas[0].pane
        self._forget_seen()
        return self._layout

    def pane(self, name: PaneName) -> ScrollBuffer | TableView | PageView:
        if name == "table":
            return self.table
        if name == "chat":
            return self.chat
        if self.page is not None:
            return self.page
        return self.combined_log if self._layout.area_of("chat") is None else self.log

    def title_notes(self, name: PaneName) -> tuple[str, ...]:
        """The note in a title on hidden rows, also on those of a table without a title.

        Returns its forms, the longest first.
        """
        note, table = self.pane(name).hidden_note, self._layout.area_of("table")
        if name == "log" and self.page is not None:
            if name != self.focused:
                return (f"{note}: F6", note) if note else ()
            more = (f"{note}: PageDown, Esc or q closes", f"{note}: q closes") if note else ()
            return (*more, "Esc or q closes", "q closes")
        if note and name == self.focused:
            return f"{note}: {'PageDown' if name != 'table' else 'PageUp, PageDown'}", note
        if note:
            return f"{note}: F6", note  # the scroll keys act on another pane now
        if self.zoomed:
            return "F2: all panes", "F2"
        if name == "log" and table is not None and not table.has_title and self.table.hidden_note:
            return (f"table {self.table.hidden_note}",)
        return ()

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
