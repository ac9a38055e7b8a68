"""What programs alone do: answer a question by its id, and learn when a line is answered.

Rule 1: a program may do what a person may, under the same limits.  A question is answered by the
        table's own queue, so that one which was overtaken is refused there.
Rule 2: what is told of tables unasked is what `tables` shows, and only when that has changed: no
        play changes it, so its time tells nothing.
Rule 3: a line is answered when every table that it may have asked has settled that.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from mudserver.accounts.person import Person
from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import Config
from mudserver.data_messages import TableChanged, TableRow, TablesData
from mudserver.errors import UserError
from mudserver.messages import LineAnswered
from mudserver.outbox import Outbox
from mudserver.service.account_service import AccountService
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
    ) -> None:
        self._config, self._outbox, self._tables = config, outbox, tables
        self._account_service, self._clock = accounts, clock
        self._fed: dict[str, dict[int, None]] = {}  # tables to be told of, by person
        self._told: dict[int, TableRow] = {}  # what was told last, while anybody is fed
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

    def tables_data(self, numbers: Collection[int], pending: int) -> TablesData:
        """Args: numbers: of the tables that are asked for; pending: how many are not loaded."""
        rows = [row for row in self._tables.table_rows() if row.number in numbers]
        shown = tuple([row for row in rows if not row.is_private])
        return TablesData(shown, len(rows) - len(shown), pending)

    # -- tables that change ----------------------------------------------------------------------

    def feed_tables(self, person: Person, *, is_on: bool) -> None:
        """Tell the person of every table that changes, while they are here, or no more."""
        if not is_on:
            self._fed.pop(person.id, None)
        elif person.id not in self._fed:
            self._told = self._told or {row.number: row for row in self._tables.table_rows()}
            self._fed[person.id] = {}

    def note_change(self, number: int) -> None:
        """The table may be another than it was."""
        if not self._fed:
            return
        for waiting in self._fed.values():
            waiting[number] = None
        if self._timer is None:
            self._timer = self._clock.call_later(FEED_S, self._tell_changes)

    def _tell_changes(self) -> None:
        self._timer = None
        rows = {row.number: row for row in self._tables.table_rows() if not row.is_private}
        for person, waiting in list(self._fed.items()):
            if not self._outbox.has_inbox(person):
                del self._fed[person]
                continue
            changed = [n for n in waiting if rows.get(n) != self._told.get(n)]
            for number in changed[:FEED_MAX]:
                row = rows.get(number)
                self._outbox.send(person, TableChanged(number, row is None, row))
            self._fed[person] = dict.fromkeys(changed[FEED_MAX:])
        late = {number for waiting in self._fed.values() for number in waiting}
        was = {number: row for number, row in self._told.items() if number in late}
        self._told = {**rows, **was} if self._fed else {}
        if late:
            self._timer = self._clock.call_later(FEED_S, self._tell_changes)

    # -- lines -----------------------------------------------------------------------------------

    def table_of(self, person: Person) -> int | None:
        """Where the person is, or is going."""
        return self._tables.table_of(person.id)

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
