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
from mudserver.errors import UserError
from mudserver.messages import LineAnswered
from mudserver.outbox import Outbox
from mudserver.tables import requests
from mudserver.tables.manager import TableManager


class ProgramService:
    def __init__(self, config: Config, outbox: Outbox, tables: TableManager) -> None:
        self._config, self._outbox, self._tables = config, outbox, tables

    def reconfigure(self, config: Config) -> None:
        """Say other limits from now on."""
        self._config = config

    def limits_of(self, person: Person) -> tuple[int, int, int, float]:
        """Lines a second, lines at once, characters of a line, lines of talk a second."""
        session, chat = self._config.session, self._config.chat
        per_s = chat.guest_per_s if person.is_guest else chat.per_s
        return session.lines_per_s, session.lines_burst, session.line_chars_max, per_s

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
