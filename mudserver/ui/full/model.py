"""What a full screen shows: the table, the log, the chat, the status, and which pane is which.

Rule 1: what is said goes to the log and to the chat as well as to the log of everything, which
        stands for both where there is no room for two; the lines are kept once.
Rule 2: one pane is marked: the keys that scroll, scroll it.
"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.ui.full.bar import Status
from mudserver.ui.full.plan import Name, Plan, planned, table_cols
from mudserver.ui.full.roll import Roll, Sheet
from variants.kit.text import Line


class Model:
    def __init__(self, lines_max: int) -> None:
        self.table = Sheet()
        self.everything, self.log, self.chat = (Roll(lines_max) for _ in range(3))
        self.status = Status()
        self.marked: Name = "log"
        self.alone: Name | None = None
        self._plan = Plan(())

    def add(self, lines: Sequence[Line], *, is_talk: bool = False, is_page: bool = False) -> None:
        self.everything.add(lines, is_page=is_page)
        (self.chat if is_talk else self.log).add(lines, is_page=is_page)

    def plan(self, cols: int, rows: int, charset: str) -> Plan:
        """Where the panes are at this size."""
        width = table_cols(cols, rows, self.alone)
        needs = self.table.needs(width, charset)
        self._plan = planned(cols, rows, needs, self.alone)
        if self._plan.place(self.marked) is None:
            self.marked = "log" if self._plan.place("log") else self._plan.places[0].pane
        return self._plan

    def pane(self, name: Name) -> Roll | Sheet:
        if name == "table":
            return self.table
        if name == "chat":
            return self.chat
        return self.everything if self._plan.place("chat") is None else self.log

    def note(self, name: Name) -> str:
        """What a title tells of rows that are not shown, those of a table without a title too."""
        note, table = self.pane(name).below, self._plan.place("table")
        if note and name == self.marked:
            note += ": PageDown" if name != "table" else ": PageUp, PageDown"
        elif note:
            note += ": F6"  # the keys that scroll are of another pane now
        elif self.alone:
            note = "F2: all panes"
        if name == "log" and not note and table is not None and not table.has_title:
            note = self.table.below and f"table {self.table.below}"
        return note

    # -- keys --------------------------------------------------------------------------------------

    def mark_next(self) -> None:
        panes = [place.pane for place in self._plan.places]
        if self.alone:
            panes = ["log", "chat"] if self.table.render is None else ["table", "log", "chat"]
        # Several keys may come between two drawings: the plan need not know of the mark.
        at = panes.index(self.marked) if self.marked in panes else -1
        self.marked = [*panes, "log"][(at + 1) % max(1, len(panes))]
        if self.alone:
            self.alone = self.marked

    def toggle_alone(self) -> None:
        """The marked pane has all the room; where there is but one, the other takes its place."""
        if self.alone is None and len(self._plan.places) == 1 and self.table.render is not None:
            self.alone = self.marked = "table"
        else:
            self.alone = None if self.alone else self.marked

    def turn_to_log(self) -> None:
        """Where an answer comes: it is seen, and the keys that scroll, scroll it."""
        self.marked, self.alone = "log", None
        self.follow()

    def scroll(self, *, rows: int = 0, pages: int = 0) -> None:
        pane = self.pane(self.marked)
        pane.scroll(rows + pages * max(1, pane.height - 1))

    def follow(self) -> None:
        """Whoever types a line wants to see what it does."""
        for roll in (self.everything, self.log, self.chat):
            roll.back = 0
