"""The place of a session that goes on in this process, and how much of it was shown.

Rule 1: a session is sent what was not shown yet, and nothing twice.  Nobody else is told anything.
"""

from __future__ import annotations

from msgspec.structs import replace

from mudserver.accounts.person import Person
from mudserver.messages import KnownPlace, LocationMessage, Message
from mudserver.outbox import Outbox
from mudserver.tables.manager import TableManager
from mudserver.tables.missed_events import shown_until

EVENTS_MAX = 200  # with which a full screen begins


class GoingOn:
    def __init__(self, outbox: Outbox, tables: TableManager) -> None:
        self._outbox, self._tables = outbox, tables

    def table_and_sequence(self, person: Person) -> tuple[int, int] | None:
        """The person's table, and its last record, of which everybody was sent all.

        0, 0: no table.  None: the table does not know yet that the person is here.
        """
        table = self._tables.table_at(person.id)
        if table is None:
            return 0, 0
        return (table.number, table.sequence) if person.id in table.online else None

    def shown_until(self, person: Person, taken: int, waiting: int) -> int:
        """As `missed_events.shown_until`, of the person's table."""
        table = self._tables.table_at(person.id)
        return 0 if table is None else shown_until(table, person.id, taken, waiting)

    def show_place(self, person: Person, table: int, seen: int) -> None:
        """Send where the person is, and what was not shown yet.

        Args:
            table: Where the session was before; 0: in the lobby.
            seen: The record of that table up to which all was shown; 0: none.
        """
        here = self._tables.table_of(person.id)
        if here is None:
            place = LocationMessage(None)
            is_same = not table and not self._tables.restorer.pending_count()
            self._outbox.send(person.id, KnownPlace(place) if is_same else place)
        is_known = bool(seen) and here in (None, table)
        self._tables.on_reconnect(person.id, is_silent=True, seen=seen if is_known else None)

    def events_shown(self, person: Person, count: int) -> list[Message]:
        """The last of the first *count* events of the game, as the person knows them."""
        events = self._tables.history(person.id)[max(0, count - EVENTS_MAX) : count]
        return [replace(event, is_past=True) for event in events]
