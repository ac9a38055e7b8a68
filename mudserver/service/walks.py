"""Whether somebody has to go to another server for a table, and may.

Rule 1: where one server writes nothing is elsewhere, and nothing is looked up.
Rule 2: who goes to a table of another server leaves the one here, under the same conditions as if
        both were here.
Rule 3: whoever logs in where no session of that person is comes in where one is, or waits.  A seat
        here, in whatever game, comes first.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress

from mudserver.accounts.person import Person
from mudserver.cluster.directory import Directory, SeatElsewhere
from mudserver.errors import JournalWriteError, UserError
from mudserver.lobby.elsewhere import PeopleElsewhere
from mudserver.service.online_people import OnlinePeople
from mudserver.service.places_elsewhere import PlacesElsewhere
from mudserver.tables.manager import TableManager

FAILURES_S = 30.0  # between two that belong together
FAILURES_MAX = 10_000  # people
RESTORE_S = 2.5  # less than a door waits for who goes to another server
LOOK_S = 0.01


class Walks:
    def __init__(
        self,
        directory: Directory,
        tables: TableManager,
        online: OnlinePeople,
        now_s: Callable[[], float],
        places: PlacesElsewhere,
        people: PeopleElsewhere,
    ) -> None:
        self._directory, self._tables, self._online = directory, tables, online
        self.places, self._people = places, people
        self.left = directory.left
        self._failures: OrderedDict[str, tuple[float, float]] = OrderedDict()  # first, last; s
        self._now_s = now_s

    @property
    def own(self) -> str:
        """What this server is called; "": one server writes."""
        return self._directory.own

    def has_room_for(self, person_id: str) -> bool:
        """Whether the person is let in here, for all that is known now."""
        return not self._online.is_full or self._online.get(person_id) is not None

    def server_of_session(self, person: Person, *, takes_left: bool) -> str:
        """Where somebody comes in who logs in here; "": here [rule 3].

        Args:
            takes_left: The person wants what was left for the next terminal.
        """
        if self._online.get(person.id) is not None or not self.may_sit_elsewhere(person):
            return ""
        live, left = self._people.get(person.id), self.left.find(person.id)
        server = left.server if left is not None and takes_left else ""
        server = server if live is None else live.server
        return server if server and self._directory.is_staying(server) else ""

    def may_be_elsewhere(self, number: int) -> bool:
        """Whether another server may have the table."""
        return bool(self._directory.own) and not self._tables.lists.has(number)

    async def server_of(self, number: int) -> str:
        """The other server that has the table; "": none.  JournalWriteError: nobody can say."""
        return await self._directory.find_table(number)

    async def is_open(self, number: int) -> bool:
        """Whether some server has the table, or will have it.  JournalWriteError: as above."""
        return await self._directory.is_open(number)

    async def wait_for_table(self, number: int) -> bool:
        """Wait for a table that this server has just got; False: nobody knows whether it has.

        Where another server has it, or none, nobody waits.
        """
        end_s = self._now_s() + RESTORE_S
        try:
            if number and not self._tables.lists.has(number):
                is_awaited = await self._directory.is_own(number)
                while is_awaited:
                    await asyncio.sleep(LOOK_S)
                    is_awaited = not self._tables.lists.has(number) and self._now_s() < end_s
        except JournalWriteError:
            return False
        return True

    def check_may_go(self, person: Person) -> None:
        """UserError: the person has to stay where a game or people wait."""
        self._tables.check_may_go(person.id)

    def leave_table(self, person: Person) -> None:
        """The person is at another server now."""
        with suppress(UserError):  # a game that has begun meanwhile holds the seat
            self._tables.leave_other(person.id)

    def note_failure(self, person: Person, now_s: float) -> float:
        """A walk to the own place has failed; returns for how long all have, 0: it is the first."""
        first_s, last_s = self._failures.pop(person.id, (now_s, now_s))
        first_s = first_s if now_s - last_s < FAILURES_S else now_s
        self._failures[person.id] = first_s, now_s
        if len(self._failures) > FAILURES_MAX:
            self._failures.popitem(last=False)
        return now_s - first_s

    def may_sit_elsewhere(self, person: Person) -> bool:
        """Whether the person may have a seat in a game that is not here."""
        return bool(self._directory.own) and self._tables.table_of(person.id) is None

    def leave_for_round(self, person: Person) -> bool:
        """A round of a tournament begins for the person at a table elsewhere: leave the one here.

        False: a game holds the person.
        """
        table = self._tables.table_at(person.id)
        if not self._directory.own or (table is not None and table.binds(person.id)):
            return False
        if table is not None:
            self._tables.places.leave(person.id)
        return True

    async def seat_of(self, person: Person) -> SeatElsewhere | None:
        """The game elsewhere in which the person has a seat.  JournalWriteError: nobody can say.

        A table that comes back on this server is none: who has a seat there is found by it.
        """
        seat = await self._directory.find_seat(person.id)
        return None if seat is not None and seat.server == self._directory.own else seat
