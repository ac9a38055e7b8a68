"""What programs alone do: answer a question by its id, and learn when a line is answered.

Rule 1: a program may do what a person may, under the same limits.  A question is answered by the
        table's own queue, so that one which was overtaken is refused there.
Rule 2: a line is answered when every table that it may have asked has settled that.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from mudserver.accounts.person import Person
from mudserver.config.schema import Config
from mudserver.data_messages import TablesData
from mudserver.errors import UserError
from mudserver.messages import LineAnswered
from mudserver.outbox import Outbox
from mudserver.service.account_service import AccountService
from mudserver.tables import requests
from mudserver.tables.manager import TableManager


class ProgramService:
    def __init__(
        self, config: Config, outbox: Outbox, tables: TableManager, accounts: AccountService
    ) -> None:
        self._config, self._outbox, self._tables = config, outbox, tables
        self._account_service = accounts

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
