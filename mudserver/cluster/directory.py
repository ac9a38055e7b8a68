"""Which server has what, among those that share a journal.

Rule 1: what is looked up here is a hint.  Who owns a table is decided in the journal, and whoever
        follows the hint is told there if it is not true any more.
Rule 2: what belongs to a server that does not live is nowhere.
Rule 3: there may be thousands of tables.  Those of the same options share them in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from mudserver.cluster.events import Access, Beat, OwnElsewhere, TableHere
from mudserver.cluster.left_sessions import LeftSessions
from mudserver.data_messages import OwnGame, TableRow
from mudserver.journal import Journal
from mudserver.journal.interface import LiveServer
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.tables.seat_claims import KIND as SEAT
from mudserver.tables.summary import InvitationSummary, SlowGame
from mudserver.tables.waiting import invited_ms

OPTIONS_MAX = 1_000  # different ones that are remembered


class SeatElsewhere(NamedTuple):
    """A seat in a game that goes on."""

    table: int
    server: str  # the live one that has the table; "": none has, until it is taken over


class Server(NamedTuple):
    """A live server, as it tells of itself."""

    name: str
    lease_s: float
    beat: Beat | None = None  # None: nothing was heard of it yet


class _Table(NamedTuple):
    server: str
    told: TableHere


class Directory:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._live: dict[str, LiveServer] = {}  # by name, this one too
        self._beats: dict[str, Beat] = {}  # by name of the server
        self._tables: dict[int, _Table] = {}  # of the other servers, by number
        self._options: dict[bytes, dict[str, str]] = {}  # of these, each once [rule 3]
        self.left = LeftSessions()
        self.on_table: Callable[[int], None] = lambda number: None
        """Told of a table of another server that may be another than it was."""
        self.on_access: Callable[[int, Access | None, Access | None], None] = (
            lambda number, before, now: None
        )
        """Told who has another way to such a table than before."""
        self.on_asked: Callable[[str, int], None] = lambda person, number: None
        """Told who is to move at such a table, and was not before."""
        self._own: dict[str, dict[int, OwnElsewhere]] = {}  # of their tables, by person and number

    @property
    def own(self) -> str:
        """What this server is called among those that share the journal; "": no other can be."""
        return self._journal.server

    # -- asking the journal ------------------------------------------------------------------------

    async def find_table(self, number: int) -> str:
        """The other live server that has an open table; "": none, or it is this one's.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        server = await self._journal.server_of(TABLE_STREAMS.name(number))
        return "" if server == self.own else server

    async def is_open(self, number: int) -> bool:
        """Whether a table is open, on whichever server, or waits to be taken over.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        return await self._journal.is_open(TABLE_STREAMS.name(number))

    async def is_own(self, number: int) -> bool:
        """Whether an open table is this server's.  JournalWriteError: nobody can say now."""
        server = await self._journal.server_of(TABLE_STREAMS.name(number))
        return bool(server) and server == self.own

    async def find_seat(self, person: str) -> SeatElsewhere | None:
        """The game, on whichever server, in which the person has a seat; None: in none.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        stream = await self._journal.owner_of(SEAT, person)
        if not stream:
            return None
        return SeatElsewhere(TABLE_STREAMS.number(stream), await self._journal.server_of(stream))

    # -- looking up --------------------------------------------------------------------------------

    def server_of(self, number: int) -> str:
        """As `find_table`, as far as it has been heard of here."""
        found = self._tables.get(number)
        return "" if found is None else found.server

    def is_alive(self, server: str) -> bool:
        return server in self._live

    def is_staying(self, server: str) -> bool:
        """Whether it lives, and is not about to give up what it has."""
        beat = self._beats.get(server)
        return server in self._live and not (beat is not None and beat.is_leaving)

    def row_of(self, number: int) -> TableRow | None:
        """A table of another server as lists show it; None: they do not, or there is none."""
        found = self._tables.get(number)
        return None if found is None else found.told.row

    def rows(self) -> Iterator[TableRow]:
        """The public tables of the other servers, by number."""
        found = (self._tables[number].told.row for number in sorted(self._tables))
        return (row for row in found if row is not None)

    def _access(self) -> Iterator[tuple[int, Access]]:
        """Of the tables of the other servers, by number."""
        for number in sorted(self._tables):
            if (access := self._tables[number].told.access) is not None:
                yield number, access

    def invitations_of(self, person: str, now_ms: int) -> list[InvitationSummary]:
        """The open invitations of a person to tables of the other servers."""
        return [
            InvitationSummary(
                *(number, access.variant, it.by_name, it.by),
                *(invited_ms(it.since_ms, it.until_ms), it.until_ms, access.options),
            )
            for number, access in self._access()
            for it in access.invited
            if it.whom == person and it.until_ms > now_ms
        ]

    def own_of(self, person: str) -> list[tuple[SlowGame, OwnGame | None]]:
        """The games of the person on the other servers where nobody has to be, by number."""
        found = self._own.get(person)
        if not found:
            return []
        return [
            (
                SlowGame(
                    *(number, it.variant, it.phase, it.is_asked, it.others, it.deadline_ms),
                    *(it.has_offer, it.is_opener, it.adjourned_for, it.ends_ms, it.seek_ms),
                ),
                it.own,
            )
            for number, it in sorted(found.items())
        ]

    def tables_left(self, person: str) -> list[int]:
        """Where, on the other servers, a computer player has the person's seat for a while."""
        return [number for number, access in self._access() if person in access.left]

    def code_hashes(self) -> Iterator[tuple[int, str]]:
        """Of the private tables of the other servers, by number."""
        return ((number, it.code_hash) for number, it in self._access() if it.code_hash)

    def seated_guests(self) -> Iterator[tuple[int, str]]:
        """Tables of the other servers with the ids of guests who have a seat there."""
        return ((number, guest) for number, access in self._access() for guest in access.guests)

    def table_count(self) -> int:
        """Open tables of the other servers."""
        return len(self._tables)

    def private_count(self) -> int:
        return sum(it.told.row is None for it in self._tables.values())

    def servers(self) -> list[Server]:
        """Those that live, this one too, by name; empty where no other server can be."""
        return [Server(it.name, it.lease_s, self._beats.get(it.name)) for it in self._live.values()]

    def readers_of(self, channel: str) -> int:
        """People on the other servers who hear a channel."""
        beats = [it for name, it in self._beats.items() if name in self._live and name != self.own]
        return sum(it.readers.get(channel, 0) for it in beats)

    # -- what is heard -----------------------------------------------------------------------------

    def note_live(self, live: Sequence[LiveServer]) -> None:
        """Args: live: By name, this one too."""
        now = {it.name: it for it in live}
        for gone in self._live.keys() - now.keys():
            self._beats.pop(gone, None)
        self._live = now
        self.left.keep_only(now)
        for number, table in list(self._tables.items()):
            if table.server not in now:
                self._drop(number)

    def note_beat(self, server: str, beat: Beat) -> None:
        self._beats[server] = beat

    def put_table(self, server: str, told: TableHere) -> None:
        before = self._tables.get(told.number)
        told = self._with_shared_options(told)
        self._tables[told.number] = _Table(server, told)
        self._note_own(told, before)
        self.on_table(told.number)
        was = None if before is None else before.told.access
        if was != told.access:
            self.on_access(told.number, was, told.access)

    def _with_shared_options(self, told: TableHere) -> TableHere:
        if told.row is None:
            return told
        if len(self._options) >= OPTIONS_MAX:
            self._options.clear()
        key = msgspec.json.encode(told.row.options)
        shared = self._options.setdefault(key, told.row.options)
        return replace(told, row=replace(told.row, options=shared))

    def remove_table(self, server: str, number: int) -> None:
        if self.server_of(number) == server:
            self._drop(number)

    def forget_table(self, number: int) -> None:
        """It is this server's, if it is open: it has been taken over, perhaps."""
        if number in self._tables:
            self._drop(number)

    def end_round(self, server: str, number: int, tables: int) -> None:
        """A server has told of all its tables, unless something of it was lost.

        Args:
            tables: How many it has told of.
        """
        own = {n: it.told.round for n, it in self._tables.items() if it.server == server}
        if sum(it == number for it in own.values()) >= tables:
            for table, told in own.items():
                if told != number:
                    self._drop(table)

    def _note_own(self, told: TableHere, before: _Table | None) -> None:
        was = {it.person: it for it in (before.told.own if before is not None else ())}
        self._forget_own(told.number, was)
        for it in told.own:
            self._own.setdefault(it.person, {})[told.number] = it
        for it in told.own if before is not None else ():
            if it.is_asked and not (it.person in was and was[it.person].is_asked):
                self.on_asked(it.person, told.number)

    def _forget_own(self, number: int, people: Iterable[str]) -> None:
        for person in people:
            own = self._own.get(person, {})
            own.pop(number, None)
            if not own:
                self._own.pop(person, None)

    def _drop(self, number: int) -> None:
        self._forget_own(number, [it.person for it in self._tables[number].told.own])
        del self._tables[number]
        self.on_table(number)
