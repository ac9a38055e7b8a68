"""Which server has what, among those that share a journal.

Rule 1: what is looked up here is a hint.  Who owns a table is decided in the journal, and whoever
        follows the hint is told there if it is not true any more.
Rule 2: what belongs to a server that does not live is nowhere.
"""

from __future__ import annotations

from typing import NamedTuple

from mudserver.journal import Journal
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.tables.seat_claims import KIND as SEAT


class SeatElsewhere(NamedTuple):
    """A seat in a game that goes on."""

    table: int
    server: str  # the live one that has the table; "": none has, until it is taken over


class Directory:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    @property
    def own(self) -> str:
        """What this server is called among those that share the journal; "": no other can be."""
        return self._journal.server

    async def find_table(self, number: int) -> str:
        """The other live server that has an open table; "": none, or it is this one's.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        server = await self._journal.server_of(TABLE_STREAMS.name(number))
        return "" if server == self.own else server

    async def find_seat(self, person: str) -> SeatElsewhere | None:
        """The game, on whichever server, in which the person has a seat; None: in none.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        stream = await self._journal.owner_of(SEAT, person)
        if not stream:
            return None
        return SeatElsewhere(TABLE_STREAMS.number(stream), await self._journal.server_of(stream))
