"""The tables where a computer player searches: only so many at once, for a search costs most.

Rule 1: a table has its place from the moment its record is written, or decided if it starts a
        game, until the last such player has gone.  Who came first keeps it, whatever others ask.
Rule 2: asked are those who seat such a player or start a game, never a game that runs.
"""

from __future__ import annotations

from mudserver.errors import UserError
from mudserver.tables import records as f
from mudserver.tables.table import Table


class SearchingTables:
    """Args: tables_max: with such a player, in this process."""

    def __init__(self, tables_max: int) -> None:
        self._max = tables_max
        self._numbers: dict[int, None] = {}  # in the order in which they got such a player

    def note(self, table: Table) -> None:
        """*table* has changed, or was restored."""
        if table.is_closed or not table.searching_levels:
            self._numbers.pop(table.number, None)
        else:
            self._numbers.setdefault(table.number)

    def forget(self, number: int) -> None:
        """The table is another server's."""
        self._numbers.pop(number, None)

    def check_seat(self, table: Table, record: f.Record) -> None:
        """UserError: *record* seats such a player, and there is no place for it."""
        for fact in record.facts:
            if isinstance(fact, f.ComputerSat) and fact.player in table.variant.searching:
                self._check_place(table, fact.player, f"Try: bot {table.variant.stand_in}")
                if any(isinstance(each, f.Started) for each in record.facts):
                    # By `fill`: nobody asks once more before the game starts.
                    self._numbers.setdefault(table.number)

    def check_start(self, table: Table) -> None:
        """UserError: no game may start with such a player here."""
        for level in table.searching_levels:
            self._check_place(table, level, "To play without: unbot")

    def has_place(self, number: int) -> bool:
        """Whether such a player can sit at this table."""
        first = list(self._numbers)[: self._max]
        return number in first or len(self._numbers) < self._max

    def _check_place(self, table: Table, level: str, advice: str) -> None:
        if not self.has_place(table.number):
            raise UserError(
                f"{level.capitalize()}s already play at {self._max} tables here, as many as this "
                f"server allows. {advice}",
                "limit",
            )
