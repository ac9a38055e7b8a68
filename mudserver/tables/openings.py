"""What the lobby is told of tables: that one has opened, and how a game has ended.

Rule 1: who comes to a table that opens, because a game was offered or a match proposed, reads of it
        as the answer to that, and not the line for the lobby.
Rule 2: nobody is asked to sit down where no seat is left for others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from mudserver.tables import notifications
from mudserver.tables.records import Record
from mudserver.tables.table import Table

Announce = Callable[[str, Collection[str]], None]
"""Says a sentence in the lobby, but not to those people."""


def announce_nothing(text: str, but: Collection[str]) -> None:
    pass


class Openings:
    def __init__(self, announce: Announce) -> None:
        self._announce = announce
        self._coming: dict[int, set[str]] = {}  # by table, until its first record is settled

    def expect(self, number: int, person: str) -> None:
        """The person comes to a table that is about to open."""
        self._coming.setdefault(number, set()).add(person)

    def tell(self, table: Table, record: Record | None) -> None:
        """The table has settled a request.  Args: record: None: it was refused."""
        coming = self._coming.pop(table.number, frozenset[str]())
        for fact in record.facts if record is not None else ():
            if text := notifications.lobby_announcement(table, fact, len(coming)):
                self._announce(text, coming)
