"""The open tables of all servers, as lists show them."""

from __future__ import annotations

from collections.abc import Collection

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.cluster.directory import Directory
from mudserver.game_files import find_variant
from mudserver.messages import Notice, Page
from mudserver.outbox import Outbox
from mudserver.service import pages
from mudserver.service.program_service import ProgramService
from mudserver.tables.manager import TableManager
from mudserver.tables.program_data import summary_of_row
from mudserver.tables.summary import TableSummary
from variants.catalogue import Catalogue

BOARD_PARKED_MAX = 100  # tables: a screen has fewer rows
QUIET_MAX = 100  # games by correspondence in one list that nobody looks at here
UNPACKED_S = 1.0
TOLD_S = 1.0  # so long people wait without a word
IS_FETCHED = "One moment, table {} is being fetched."


class TableLists:
    def __init__(
        self,
        tables: TableManager,
        directory: Directory,
        programs: ProgramService,
        catalogue: Catalogue,
        clock: Clock,
        outbox: Outbox,
    ) -> None:
        self._tables, self._directory = tables, directory
        self._programs, self._catalogue = programs, catalogue
        self._clock, self._outbox = clock, outbox
        self._unpacked: dict[int, TableSummary] | None = None  # for a moment, by number

    def is_parked(self, number: int) -> bool:
        """Whether the table has to be fetched before anything is asked of it."""
        return number in self._tables.parking

    async def fetch(self, person: Person, number: int) -> None:
        """Fetch a parked table.  Errors: as of `Parking.fetch`."""
        told = Notice(IS_FETCHED.format(number))
        timer = self._clock.call_later(TOLD_S, lambda: self._outbox.send(person.id, told))
        try:
            await self._tables.fetch(number)
        finally:
            timer.cancel()

    def count(self) -> int:
        """All open tables, restored or not."""
        return self._tables.lists.count() + self._directory.table_count()

    def all(self) -> list[TableSummary]:
        """By number; of other servers the public ones."""
        own = self._tables.lists.summaries()
        others = [summary_of_row(row) for row in self._directory.rows()]
        return sorted([*own, *others], key=lambda it: it.number) if others else own

    def board(self) -> tuple[list[TableSummary], int]:
        """Public tables for a screen, and how many more there are.

        By number, but parked ones last, and of those not more than a screen has rows: it is drawn
        again and again.
        """
        tables, rows = self._tables.lists.summaries_in_memory(), self._tables.parking.rows
        if others := [summary_of_row(row) for row in self._directory.rows()]:
            tables = sorted([*tables, *others], key=lambda it: it.number)
        parked = list(rows.public_summaries(BOARD_PARKED_MAX))
        found = [it for it in tables if not it.is_private]
        return [*found, *parked], rows.public_count() - len(parked)

    def listed(
        self, games: Collection[str], only: Collection[str]
    ) -> tuple[list[TableSummary], int]:
        """Public tables, by number, and how many more there are.

        Of games by correspondence that run elsewhere or are parked QUIET_MAX are listed.

        Args:
            games: Of these alone.
            only: `open`, `rated`: such alone.
        """

        def fits(it: TableSummary) -> bool:
            return not it.is_private and it.variant in games and it.fits(only)

        own = filter(fits, self._tables.lists.summaries_in_memory())
        others = list(filter(fits, map(summary_of_row, self._directory.rows())))
        quiet = [] if "open" in only else list(filter(fits, self._parked()))
        quiet += [it for it in others if _is_quiet(it)]
        found = [*own, *(it for it in others if not _is_quiet(it)), *quiet[:QUIET_MAX]]
        return sorted(found, key=lambda it: it.number), max(0, len(quiet) - QUIET_MAX)

    def _parked(self) -> list[TableSummary]:
        """By number.  They are unpacked once in UNPACKED_S, however often they are asked for."""
        rows = self._tables.parking.rows
        if self._unpacked is None:
            self._unpacked = {it.number: it for it in rows.summaries()}
            self._clock.call_later(UNPACKED_S, self._forget)
        numbers = rows.numbers()
        self._unpacked |= {it: rows.summary(it) for it in numbers if it not in self._unpacked}
        return [self._unpacked[number] for number in numbers]

    def _forget(self) -> None:
        self._unpacked = None

    def page(self, person: Person, game: str | None, only: Collection[str]) -> Page:
        """The tables.  Args: game: of this one alone; only: `open`, `rated`: such alone."""
        names = self._catalogue if game is None else (find_variant(game, self._catalogue).name,)
        rows, more = self.listed(names, only)
        # Whatever they are: how many fit would say something of them.
        private = self._tables.lists.private_count() + self._directory.private_count()
        counts = private, self._tables.restorer.pending_count(), more
        data = self._programs.tables_data(person, [row.number for row in rows], *counts)
        return pages.tables_page(rows, *counts, next(iter(self._catalogue)), data)


def _is_quiet(table: TableSummary) -> bool:
    return table.is_slow and table.phase == "playing" and not table.free_seats
