"""Where each person is: at one table, and perhaps with seats at others.  State without I/O.

Rule 1: a person is at one table at a time, seated or watching.  Who goes to another one leaves the
        first, unless a game runs there: that seat takes an explicit `leave`.
Rule 2: a seat of a game by correspondence is kept by who goes elsewhere, and by who is offline.
        Who has one is there only after asking for it.
Rule 3: a live table that was taken over from another server waits while its people are at another
        one.  When that ends, or when they ask for it, they are there again.
Rule 4: what stands here of further places was true once; who reads it looks at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from mudserver.errors import UserError
from mudserver.outbox import Outbox
from mudserver.tables import requests as r
from mudserver.tables import texts
from mudserver.tables.runner import TableRunner
from mudserver.tables.table import Table


class Places:
    """Args:
    runners: All tables, by number.
    on_move: A person is at that table now; None: at none.
    is_parked: Whether a table is in no memory; nobody comes or goes there.
    """

    def __init__(
        self,
        runners: Mapping[int, TableRunner],
        outbox: Outbox,
        on_move: Callable[[str, int | None], None],
        is_parked: Callable[[int], bool],
    ) -> None:
        self._runners, self._outbox, self._on_move = runners, outbox, on_move
        self._is_parked = is_parked
        self._first: dict[str, int] = {}  # person -> table, committed
        self._expected: dict[str, int] = {}  # person -> table, requested
        self._further: dict[str, list[int]] = {}  # person -> other tables, oldest first

    # -- reading -------------------------------------------------------------------------------

    def number_of(self, person: str) -> int | None:
        """Where the person is, or is going."""
        number = self._expected.get(person, self._first.get(person))
        return number if number in self._runners else None

    def runner_of(self, person: str) -> TableRunner | None:
        number = self.number_of(person)
        return None if number is None else self._runners[number]

    def is_elsewhere(self, person: str, number: int) -> bool:
        """Whether the person is at another table than *number*, and not on the way to that one."""
        expected = self._expected.get(person)
        if expected == number:
            return False
        if expected is not None and expected in self._runners and self._is_there(person, expected):
            return True  # its record is written, and is being settled
        first = self._first.get(person, number)
        return first != number and first in self._runners

    def is_expected(self, person: str, number: int) -> bool:
        """Whether the person has asked for a place there, which is not settled yet."""
        return self._expected.get(person) == number

    def has_further(self, person: str, number: int) -> bool:
        return number in self._further.get(person, ()) and self._is_there(person, number)

    def all_of(self, person: str) -> list[int]:
        """All tables where the person is, or has a seat; the one where the person is first."""
        here, further = self.number_of(person), self._further.get(person, ())
        others = [self._first.get(person, 0), *further]
        found = dict.fromkeys(it for it in others if it != here and self._is_there(person, it))
        return [*found] if here is None else [here, *found]

    def tables_of(self, person: str) -> list[Table]:
        """Tables in memory where the person is, or was and may have a seat still."""
        further = self._further.get(person, ())
        numbers = {self.number_of(person), self._first.get(person), *further}
        return [self._runners[it].table for it in numbers if it in self._runners]

    def has_several(self, person: str) -> bool:
        """Whether the person has, or had, a seat at another table than the own one."""
        return bool(self._further.get(person))

    def people(self) -> list[str]:
        """Who is remembered."""
        return [*self._first, *self._expected, *self._further]

    # -- changes -------------------------------------------------------------------------------

    def expect(self, person: str, number: int) -> None:
        """The person has asked for a place at a table."""
        self._expected[person] = number

    def take_up(self, table: Table) -> None:
        """The table is replayed, with people who may be at another one meanwhile."""
        for person in table.people():
            if self.runner_of(person) is None and not table.is_slow:
                self._first[person] = table.number
            else:
                self._note_further(person, table.number)

    def note_parked(self, number: int, people: Iterable[str]) -> None:
        """These have seats at a parked table, where nobody is."""
        for person in people:
            self._note_elsewhere(person, number)

    def replace_person(self, old: str, new: str) -> int | None:
        """The person *old* is *new*; where that is."""
        if (here := self.number_of(old)) is not None:
            self._first[new] = here
        return here

    def check_may_go(self, person: str, is_passed_over: bool) -> None:
        """UserError: the person may not go to another table without `leave`."""
        table = self.table_of(person)
        if table is None:
            return
        number = table.number
        if table.binds(person):
            raise UserError(texts.PLAYING_ELSEWHERE.format(number), tables=(number,))
        is_waited_for = table.seat_of(person) is not None and len(table.seated) > 1
        if not (table.is_playing or table.is_slow) and is_waited_for and not is_passed_over:
            # People wait there for this one; nobody may wait at two live tables.
            raise UserError(texts.SITS_ELSEWHERE.format(number), tables=(number,))

    def leave(self, person: str) -> None:
        """Leave the table, or its room where the seat is kept.  `check_may_go` was asked."""
        if (runner := self.runner_of(person)) is not None:
            is_kept = runner.table.is_slow and runner.table.seat_of(person) is not None
            runner.submit(r.StepOut(person) if is_kept else r.Stand(person))

    def go(self, person: str, number: int | None = None) -> bool:
        """To a further place: *number*, or any live one if the person is at no table.

        Returns:
            Whether the person is there now; the table is not told yet.
        """
        if number is None and self.runner_of(person) is not None:
            return False
        further = self._further.get(person, ())
        places = [it for it in further if it in self._runners and self._is_there(person, it)]
        wanted = [it for it in places if self._runners[it].table.is_slow is False]
        if number is not None:
            wanted = [number] if number in places else []
        if not wanted:
            return False
        self._forget_further(person, wanted[0])
        self._first[person] = wanted[0]
        self._on_move(person, wanted[0])
        return True

    def return_to(self, person: str, number: int | None = None) -> bool:
        """`go`, and the table shows itself to a person who is online."""
        if not self.go(person, number):
            return False
        if self._outbox.has_inbox(person):
            self._runners[self._first[person]].submit(r.Reconnect(person))
        return True

    def settle(self, runner: TableRunner, request: r.Request) -> None:
        """*runner* has settled *request*: note who is there now."""
        table, number = runner.table, runner.table.number
        is_asked = isinstance(request, r.Open | r.Sit | r.Watch | r.Substitute)
        present = set() if table.is_closed else table.people()
        if is_asked and self.is_expected(request.person, number):
            del self._expected[request.person]
            if request.person not in present:  # who has left another table for this one is nowhere
                self._on_move(request.person, self.number_of(request.person))
        if isinstance(request, r.OpenRound):
            for it in request.entrants:
                if self.is_expected(it.person, number):
                    del self._expected[it.person]
        for person in runner.known_people - present:
            self._forget_further(person, number)
            if self._first.get(person) == number:
                del self._first[person]
                self._on_move(person, self.number_of(person))
                self.return_to(person)
        for person in present - runner.known_people:
            if isinstance(request, r.OpenRound) and table.is_slow:
                self._note_further(person, number)
                continue
            self._first[person] = number
            self._on_move(person, number)
        runner.known_people = present
        if isinstance(request, r.StepOut | r.Disconnect):
            self._step_out(table, request.person)
        self.return_to(request.person)

    def _step_out(self, table: Table, person: str) -> None:
        if not table.is_slow or table.seat_of(person) is None:
            return
        self._note_elsewhere(person, table.number)

    def _note_elsewhere(self, person: str, number: int) -> None:
        """The person has a seat there, and is not at that table."""
        self._note_further(person, number)
        if self._first.get(person) == number:  # else the person is at another one already
            del self._first[person]
            self._on_move(person, self.number_of(person))

    def _note_further(self, person: str, number: int) -> None:
        self._forget_further(person, number)
        self._further.setdefault(person, []).append(number)

    def _forget_further(self, person: str, number: int) -> None:
        if places := [it for it in self._further.pop(person, ()) if it != number]:
            self._further[person] = places

    def table_of(self, person: str) -> Table | None:
        runner = self.runner_of(person)
        return None if runner is None else runner.table

    def _is_there(self, person: str, number: int) -> bool:
        runner = self._runners.get(number)
        if runner is None:
            return self._is_parked(number)
        return not runner.table.is_closed and person in runner.table.people()
