"""The tables of tournaments that this server has: how they are opened and ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from mudserver.source_budgets import LOCAL, Hold, Kind
from mudserver.tables import requests as r
from mudserver.tables.parking import Parking
from mudserver.tables.places import Places
from mudserver.tables.runner import TableRunner
from mudserver.tables.services import TableServices
from mudserver.tables.table import Table

COMES_S = 10.0  # so long nobody is told that somebody has not come from another server


class RoundTables:
    """Args:
    runners: All tables, by number.
    take_number: Of a new table.
    make: A new table, of its number and the name of its game.
    make_runner: Its runner.  Args: as of `TableCharges`.
    """

    def __init__(
        self,
        services: TableServices,
        places: Places,
        runners: Mapping[int, TableRunner],
        parking: Parking,
        take_number: Callable[[], int],
        make: Callable[[int, str], Table],
        make_runner: Callable[[Table, str, Hold], TableRunner],
    ) -> None:
        self._services, self._places, self._runners = services, places, runners
        self._parking, self._take_number = parking, take_number
        self._make, self._make_runner = make, make_runner
        self.is_coming: Callable[[str], bool] = lambda person: False
        """Whether a person who is not here is at another server, and may be taken here."""
        self.on_closed: Callable[[int], None] = lambda number: None
        """A table of a tournament has closed, with or without a result."""

    def open(self, variant: str, request: r.OpenRound, *, is_slow: bool) -> int:
        """Queue the opening of a table, with all of its people; returns its number.  No source pays
        for it.

        Of a live game those are not there who are bound to another one, and the others are taken
        there.  By correspondence everybody has the seat, and stays where they are.

        UserError: no number is at hand.
        """
        number = self._take_number()
        if is_slow:
            place = self._services.budgets.hold_again(Kind.CORRESPONDENCE, LOCAL)
            runner = self._make_runner(self._make(number, variant), LOCAL, place)
            runner.submit(request)
            runner.start()
            return number
        people = [it.person for it in request.entrants]
        bound = request.elsewhere | {it for it in people if self._is_bound(it)}
        for person in people:
            if person not in bound:
                self._places.leave(person)
                self._places.expect(person, number)
        place = self._services.budgets.hold_again(Kind.TABLES, LOCAL)
        runner = self._make_runner(self._make(number, variant), LOCAL, place)
        runner.submit(replace(request, elsewhere=bound))
        for person in people:
            if self._services.outbox.has_inbox(person):
                continue
            if self.is_coming(person):
                note = partial(self._note_absent, runner, person)
                self._services.clock.call_later(COMES_S, note)
            else:
                runner.submit(r.Disconnect(person))
        runner.start()
        return number

    def _note_absent(self, runner: TableRunner, person: str) -> None:
        is_open = self._runners.get(runner.table.number) is runner
        if is_open and not self._services.outbox.has_inbox(person):
            runner.submit(r.Disconnect(person))

    def is_banned(self, person: str) -> bool:
        """Whether the person could have no seat now."""
        return self._services.people.is_banned(person, self._services.clock.now_ms())

    def is_here(self, number: int) -> bool:
        """Whether this server has the table, in memory or parked."""
        return number in self._runners or number in self._parking

    def note_closed(self, table: Table) -> None:
        if table.tourney.tourney:
            self.on_closed(table.number)

    def end(self, number: int) -> bool:
        """End the game of a table, for the round is over.  False: the table is not here."""
        if number in self._parking:
            self._parking.fetch_later(number, lambda: self.end(number))
            return True
        if (runner := self._runners.get(number)) is None:
            return False
        runner.submit(r.EndRound(""))
        return True

    def note_not_come(self, number: int, person: str) -> None:
        """Somebody has typed nothing since the round began.  Tables of other servers know that."""
        if (runner := self._runners.get(number)) is not None:
            runner.submit(r.NotCome(person))

    def _is_bound(self, person: str) -> bool:
        runner = self._places.runner_of(person)
        return runner is not None and runner.table.binds(person)
