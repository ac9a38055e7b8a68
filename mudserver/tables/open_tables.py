"""What is told of all tables, or of all tables of one person: those in memory and the parked ones.

Rule 1: lists show public facts, and what the person's own seats are asked.  [SEC-7]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from mudserver.accounts.person import Person
from mudserver.data_messages import OwnGame, TableRow
from mudserver.messages import TableNumber
from mudserver.tables import notifications
from mudserver.tables.parked import Parked, row_of, slow_game
from mudserver.tables.parking import Parking
from mudserver.tables.places import Places
from mudserver.tables.program_data import own_game, table_row
from mudserver.tables.runner import TableRunner
from mudserver.tables.summary import GameNow, InvitationSummary, SlowGame, TablePeople, TableSummary
from mudserver.tables.table import Table
from mudserver.tables.waiting import invitations_of

NEW_MS = 60_000  # sooner no table is parked

OwnElsewhere = Callable[[str], Sequence[tuple[SlowGame, OwnGame | None]]]
"""The games of a person on other servers where nobody has to be; for programs, too."""


class OpenTables:
    """Args: pending_count: How many tables are not restored yet."""

    def __init__(
        self,
        runners: Mapping[int, TableRunner],
        parking: Parking,
        places: Places,
        pending_count: Callable[[], int],
        now_ms: Callable[[], int],
    ) -> None:
        self._runners, self._parking, self._places = runners, parking, places
        self._pending_count, self._now_ms = pending_count, now_ms
        self.elsewhere: OwnElsewhere = lambda person: ()
        self.promised: Callable[[str], int] = lambda person: 0

    # -- of all --------------------------------------------------------------------------------

    def in_memory(self) -> Iterator[tuple[int, Table]]:
        """The tables that are in the journal, so that everybody may see them."""
        for number, runner in self._runners.items():
            if runner.table.sequence > 0:
                yield number, runner.table

    def summaries(self) -> list[TableSummary]:
        """Every table, by number."""
        found = [*self.summaries_in_memory(), *self._parking.rows.summaries()]
        return sorted(found, key=lambda it: it.number)

    def summaries_in_memory(self) -> list[TableSummary]:
        """By number."""
        found = (notifications.summary_of(table) for _, table in self.in_memory())
        return sorted(found, key=lambda it: it.number)

    def rows(self) -> list[TableRow]:
        """The same, as data for programs."""
        found = [table_row(table) for _, table in self.in_memory()]
        found += self._parking.rows.table_rows()
        return sorted(found, key=lambda it: it.number)

    def numbers(self) -> list[int]:
        return [*(number for number, _ in self.in_memory()), *self._parking.rows.numbers()]

    def count(self) -> int:
        return len(self._runners) + len(self._parking) + self._pending_count()

    def slow_count(self) -> int:
        """Those where nobody has to be, and all parked ones."""
        return len(self._parking) + sum(it.table.is_slow for it in self._runners.values())

    def private_count(self) -> int:
        in_memory = sum(table.is_private for _, table in self.in_memory())
        return in_memory + self._parking.rows.private_count()

    def seated_guests(self) -> Iterator[Person]:
        """Guests who have a seat, online or not."""
        return (guest for _, table in self.in_memory() for guest in table.seated_guests())

    def code_hashes(self) -> Iterator[tuple[int, str]]:
        """Of the private tables, by number."""
        for number, table in self.in_memory():
            if table.is_private:
                yield number, table.options.code_hash
        yield from self._parking.rows.code_hashes()

    # -- of one table --------------------------------------------------------------------------

    def find(self, number: int) -> Table | None:
        """A table in memory; None: it is parked, there is none, or the journal lacks it yet."""
        runner = self._runners.get(number)
        return runner.table if runner is not None and runner.table.sequence else None

    def has(self, number: int) -> bool:
        """Whether the table is on this server, in memory or parked."""
        return number in self._parking or self.find(number) is not None

    def people_at(self, number: TableNumber) -> TablePeople | None:
        """Who is at a table; None: there is no such table."""
        if (table := self.find(number)) is not None:
            return table.people_here()
        parked = self._parking.get(number)
        return None if parked is None else parked.here

    def shown_row(self, number: int) -> TableRow | None:
        """The table as lists show it; None: they do not."""
        if (table := self.find(number)) is not None:
            return None if table.is_private else table_row(table)
        parked = self._parking.get(number)
        return None if parked is None or parked.code_hash else row_of(parked)

    def is_to_come(self, number: int, game: int) -> bool:
        """Whether that game of the table runs, or is a later one."""
        if (parked := self._parking.get(number)) is not None:
            return game >= parked.game
        table = self.find(number)
        if table is None or table.is_closed:
            return False
        last = 0 if table.game is None else table.game.number
        return game > last or (game == last and table.is_playing)

    def parked(self, number: int) -> Parked | None:
        """The table as it was parked; None: it is not."""
        return self._parking.get(number)

    def game_at(self, number: int) -> GameNow | None:
        """The game of a table in memory, as people elsewhere are told of it; None: it is none."""
        if (table := self.find(number)) is None:
            return None
        people = frozenset(o.person for o in table.seats if o.person is not None)
        asked = frozenset(it for it in people if table.is_slow and table.question_of(it))
        game = 0 if table.game is None else table.game.number
        shown = number, table.variant.name, game, table.is_slow, table.is_playing
        here, age_ms = frozenset(table.people_in_room()), self._now_ms() - table.changed_ms
        return GameNow(*shown, people, asked, here, table.sequence == 1 and age_ms < NEW_MS)

    # -- of one person -------------------------------------------------------------------------

    def invitations_of(self, person: str) -> list[InvitationSummary]:
        """The open invitations of a person, newest first."""
        return invitations_of(self.in_memory(), person, self._now_ms())

    def slow_games(self, person: str) -> list[SlowGame]:
        """The games by correspondence where the person has a seat, on whichever server, by number
        of the table."""
        found = list[SlowGame]()
        for number in sorted(self._places.all_of(person)):
            if (parked := self._parking.get(number)) is not None:
                is_own = person in parked.games and not parked.is_live
                found += [parked.games[person]] if is_own else []
            elif (table := self.find(number)) and table.is_slow and _has_seat(table, person):
                found.append(slow_game(table, person))
        if there := self._elsewhere(person):
            found = sorted([*found, *(game for game, _ in there)], key=lambda it: it.number)
        return found

    def asked_at(self, person: str) -> list[int]:
        """Those of `slow_games` where the person is to move, by number.  Every prompt asks it."""
        found = [*self._parking.rows.asking(person)]
        for table in self._places.tables_of(person):
            if table.sequence and table.is_slow and table.question_of(person) is not None:
                found.append(table.number)
        found += [game.number for game, _ in self._elsewhere(person) if game.is_asked]
        return sorted(found)

    def slow_seats(self, person: str) -> int:
        """How many there are, with those to come that are promised to tournaments."""
        return len(self.slow_games(person)) + self.promised(person)

    def has_others(self, person: str) -> bool:
        """Whether the person has, or had, a seat at another table than the own one."""
        return self._places.has_several(person) or bool(self._elsewhere(person))

    def _elsewhere(self, person: str) -> list[tuple[SlowGame, OwnGame | None]]:
        return [it for it in self.elsewhere(person) if not self.has(it[0].number)]

    def keeps_seat(self, person: str) -> bool:
        """Whether the person has a seat in a running game, or in a match that goes on, or on
        another server in a game where nobody has to be."""
        for number in self._places.all_of(person):
            if number in self._parking:
                return True
            table = self.find(number)
            if table is not None and table.goes_on and _has_seat(table, person):
                return True
        return any(own is not None for _, own in self._elsewhere(person))

    def tables_left(self, person: str) -> list[int]:
        """The tables where a computer player has the person's seat in a game or match."""
        found = [n for n, it in self.in_memory() if it.left_seat_of(person) is not None]
        return sorted([*found, *self._parking.rows.left_by(person)])

    def own_games(self, person: str) -> tuple[OwnGame, ...]:
        """The running games in which the person has a seat, then those that the person has left."""
        found = [own_game(table, person) for _, table in self.in_memory()]
        for number in {*self._places.all_of(person), *self._parking.rows.left_by(person)}:
            if (parked := self._parking.get(number)) is not None:
                found.append(parked.own.get(person))
        found += [own for _, own in self._elsewhere(person)]
        games = [game for game in found if game is not None]
        return tuple(sorted(games, key=lambda it: (it.is_left, it.table)))


def _has_seat(table: Table, person: str) -> bool:
    return table.seat_of(person) is not None
