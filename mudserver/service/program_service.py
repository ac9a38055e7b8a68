"""What programs alone do: answer a question by its id, and learn when a line is answered.

Rule 1: a program may do what a person may, under the same limits.  A question is answered by the
        table's own queue, so that one which was overtaken is refused there.
Rule 2: what is told of tables unasked is what `tables` shows.  Only a change of that is told, and
        only that sets the time: no play, no private act and no private table does.
Rule 3: a line is answered when every table that it may have asked has settled that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from mudserver.accounts.person import Person
from mudserver.clock import Clock, TimerHandle
from mudserver.cluster.directory import Directory
from mudserver.config.schema import Config
from mudserver.data_messages import TableChanged, TableRow, TablesData
from mudserver.errors import UserError
from mudserver.messages import LineAnswered
from mudserver.outbox import Inbox, Outbox
from mudserver.service.account_service import AccountService
from mudserver.service.relations import Relations
from mudserver.tables import requests
from mudserver.tables.manager import TableManager

FEED_S = 0.25  # between two tellings
FEED_MAX = 5  # tables in one: twenty a second


class ProgramService:
    def __init__(
        self,
        config: Config,
        clock: Clock,
        outbox: Outbox,
        tables: TableManager,
        accounts: AccountService,
        relations: Relations,
        directory: Directory,
    ) -> None:
        self._config, self._outbox, self._tables = config, outbox, tables
        self._relations, self._directory = relations, directory
        self._account_service, self._clock = accounts, clock
        self._fed: dict[str, tuple[Person, Inbox]] = {}  # who is told of tables that change
        self._told: dict[int, TableRow] = {}  # tables as they know them
        self._changed: dict[int, TableRow | None] = {}  # those that are others now, oldest first
        self._timer: TimerHandle | None = None

    def is_declared(self, person: Person) -> bool:
        """Whether the account says to be a program's."""
        account = self._account_service.streams.accounts.by_id(person.id)
        return account is not None and account.is_program

    def reconfigure(self, config: Config) -> None:
        """Say other limits from now on."""
        self._config = config

    def limits_of(self, person: Person) -> tuple[int, int, int, float]:
        """Lines a second, lines at once, characters of a line, lines of talk a second."""
        session, chat = self._config.session, self._config.chat
        per_s = chat.guest_per_s if person.is_guest else chat.per_s
        return session.lines_per_s, session.lines_burst, session.line_chars_max, per_s

    def tables_data(
        self, person: Person, numbers: Iterable[int], private: int, pending: int, more: int
    ) -> TablesData:
        """Args:
        numbers: Of the public tables that are asked for.
        pending: How many are not loaded.
        more: How many are not listed.
        """
        found = map(self._shown_row, numbers)
        shown = [self._row_for(person, row) for row in found if row is not None]
        return TablesData(tuple(shown), private, pending, more)

    def _shown_row(self, number: int) -> TableRow | None:
        return self._tables.lists.shown_row(number) or self._directory.row_of(number)

    def _rows(self) -> list[TableRow]:
        """By number; of other servers the public ones."""
        own, others = self._tables.lists.rows(), list(self._directory.rows())
        return sorted([*own, *others], key=lambda it: it.number) if others else own

    def _row_for(self, person: Person, row: TableRow) -> TableRow:
        return replace(row, can_sit=True) if self._can_sit(person, row.number) else row

    def _can_sit(self, person: Person, number: int) -> bool:
        if self._tables.lists.find(number) is None:  # elsewhere, or parked: a game runs there
            return False
        here = self._tables.lists.people_at(number)
        assert here is not None
        is_new = person.id not in here.players | here.absent
        if is_new and self._relations.is_ignoring(here.opener, person.id):
            return False
        is_program = self._relations.is_program(person.id)
        sit = requests.Sit(person.id, person.name, person.is_guest, False, is_program=is_program)
        return self._tables.can_sit(number, sit)

    # -- tables that change ----------------------------------------------------------------------

    def feed_tables(self, person: Person, *, is_on: bool) -> None:
        """Tell the person of every table that changes, while the session lasts, or no more."""
        inbox = self._outbox.inbox_of(person.id)
        if not is_on or inbox is None:
            self._fed.pop(person.id, None)
            return
        if not self._fed:
            rows = self._rows()
            self._told = {row.number: row for row in rows if not row.is_private}
            self._changed.clear()
        self._fed[person.id] = person, inbox

    def note_change(self, number: int) -> None:
        """The table may be another than it was."""
        if not self._fed:
            return
        row = self._shown_row(number)
        if number not in self._changed and row == self._told.get(number):
            return
        self._changed[number] = row
        if self._timer is None:
            self._timer = self._clock.call_later(FEED_S, self._tell_changes)

    def note_kind(self, person: Person) -> None:
        """The person says to be a program, or no more."""
        if (number := self._tables.table_of(person.id)) is not None:
            self.note_change(number)

    def _tell_changes(self) -> None:
        self._timer = None
        is_attached = self._outbox.is_attached
        self._fed = {name: fed for name, fed in self._fed.items() if is_attached(name, fed[1])}
        for number in list(self._changed)[:FEED_MAX]:
            row = self._changed.pop(number)
            if row == self._told.get(number):
                continue  # as it was
            readers = [self._fed[person][0] for person in sorted(self._fed)]
            if row is None:
                del self._told[number]
                gone = TableChanged(number, True, None)
                self._outbox.send_all([person.id for person in readers], gone)
            else:
                self._told[number] = row
                self._tell_row(row, readers)
        if self._changed:
            self._timer = self._clock.call_later(FEED_S, self._tell_changes)

    def _tell_row(self, row: TableRow, readers: Sequence[Person]) -> None:
        """One object for all who can sit there, and one for all others."""
        can = {person.id: self._can_sit(person, row.number) for person in readers}
        for can_sit in (True, False):
            changed = TableChanged(row.number, False, replace(row, can_sit=can_sit))
            self._outbox.send_all([it for it, own in can.items() if own is can_sit], changed)

    # -- lines -----------------------------------------------------------------------------------

    def table_of(self, person: Person) -> int | None:
        """Where the person is, or is going."""
        return self._tables.table_of(person.id)

    def is_in_rated_game(self, person: Person) -> bool:
        """Whether the person plays in one now."""
        return self._tables.is_in_rated_game(person.id)

    def mark_answered(self, person: Person, line: int, tables: Collection[int | None]) -> int:
        """Send the person `LineAnswered` once all is settled that they have asked of *tables*.

        Returns:
            How many times it will be sent.
        """
        marks = 0
        for number in {number for number in tables if number is not None}:
            with suppress(UserError):  # closed meanwhile: it has answered
                self._tables.submit(number, requests.MarkAnswered(person.id, line))
                marks += 1
        if not marks:
            self._outbox.send(person.id, LineAnswered(line))
        return marks or 1
