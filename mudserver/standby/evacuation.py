"""A server gives its tables and people to the others that share its journal, and ends.

Rule 1: nobody is told, and no line that was typed is lost.  Who is at a table goes with it, to the
        server that has it from then on; all others go where their door finds fewest people.
Rule 2: tables go some at a time: first what is under way is settled, then the table stops, its
        sessions leave capsules, its stream changes its owner, and its people are sent after it.
        Nothing of it is written here any more.
Rule 3: from the first table that was given on there is no way back, and none is needed: whatever
        fails, this server ends, and the others take over what it still has, as after a crash.
Rule 4: it takes ALL_S at most, and the operator reads "evacuated" only when the others have said
        that they have the tables, for which they have TAKEN_S.  People do not wait for that: they
        have been sent on before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import NamedTuple

from mudserver.clock import Clock
from mudserver.cluster.directory import Directory
from mudserver.cluster.mirror import Mirror
from mudserver.errors import JournalWriteError, UserError
from mudserver.journal import Journal
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.logs import log_exception
from mudserver.session.manager import AnySession, SessionManager
from mudserver.standby import texts
from mudserver.tables.manager import TableManager
from mudserver.wall.game import WallServer
from mudserver.wall.remote_connection import RemoteConnection
from variants.kit.text import join_words, quantity

AT_ONCE = 20  # tables
SETTLE_S = 2.0  # for lines that have begun
RESTORED_S = 30.0  # for tables of servers that are gone
WITHIN_S = 60.0  # for giving all away
TAKEN_S = 10.0  # until the others have the tables
ALL_S = RESTORED_S + WITHIN_S + TAKEN_S  # service managers wait longer: TimeoutStopSec
LOOK_S = 0.005
TURNS = 10  # of the loop, in which what was written is told

log = logging.getLogger("standby")


class MovingSession(NamedTuple):
    """A session at a table that is given away, and its connection."""

    session: AnySession
    connection: RemoteConnection
    table: int


class Evacuation:
    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        wall: WallServer,
        sessions: SessionManager,
        tables: TableManager,
        directory: Directory,
        mirror: Mirror,
        is_writable: Callable[[], bool],
    ) -> None:
        self._clock, self._journal, self._wall = clock, journal, wall
        self._sessions, self._tables = sessions, tables
        self._directory, self._mirror = directory, mirror
        self._is_writable = is_writable
        self.on_end: Callable[[], None] = lambda: None  # this server has to end now
        self._given = dict[str, int]()  # tables, by server
        self._heirs = dict[int, str]()  # the same, by table
        self._gone = 0  # sessions that went with them
        self._is_under_way = False
        self.is_over = False
        """The doors have been sent elsewhere; this server may only end."""

    async def run(self) -> str:
        """Give all away; what happened.  UserError: why not, and nothing has changed."""
        if obstacle := self._find_obstacle():
            raise UserError(obstacle)
        self._is_under_way = True
        try:
            await self._wait_restored()
            self._mirror.begin_to_leave()
            self._wall.tell_leaving()
            return await self._give_all()
        except UserError:
            self._is_under_way = False
            raise
        except Exception as exc:  # rule 3
            ref = log_exception(log, "evacuation failed", exc)
            self._end()
            return texts.EVACUATED_IN_PART.format(texts.BUG.format(ref))

    def _find_obstacle(self) -> str:
        if self._is_under_way:
            return texts.EVACUATION_UNDER_WAY
        if not self._journal.is_shared:
            return texts.NOT_SHARED
        if self._wall.path is None:
            return texts.NO_DOORS
        if not self._is_writable():
            return texts.NOT_WRITABLE
        for door in self._wall.doors:
            if door.handshake is not None and not door.handshake.redirects:
                return texts.DOOR_KNOWS_NONE.format(door.handshake.name)
        return "" if self._others() else texts.NO_OTHERS

    def _others(self) -> dict[str, int]:
        """Servers that live and stay, and how many tables they have."""
        return {
            it.name: it.beat.tables + self._given.get(it.name, 0)
            for it in self._directory.servers()
            if it.name != self._directory.own and it.beat is not None and not it.beat.is_leaving
        }

    async def _wait_restored(self) -> None:
        """UserError: tables are being restored here."""
        end_s = self._clock.monotonic() + RESTORED_S
        while self._tables.restorer.pending_count():
            if self._clock.monotonic() >= end_s:
                raise UserError(texts.RESTORING)
            await asyncio.sleep(LOOK_S)

    async def _give_all(self) -> str:
        log.info("evacuation begun sessions=%d tables=%d", len(self._sessions.sessions),
                 self._tables.lists.count())  # fmt: skip
        failed = ""
        try:
            async with asyncio.timeout(WITHIN_S):
                await self._give_tables()
        except TimeoutError:
            failed = texts.TOO_SLOW.format(WITHIN_S)
        except JournalWriteError as exc:
            failed = str(exc)
        left = self._sessions.resumable_count()
        await self._turn()
        self._sessions.leave_capsules()
        self._send_on()
        failed = failed or await self._find_untaken()
        if failed:
            log.error("evacuation failed error=%s", failed)
        self.on_end()
        where = ", ".join(f"{count} at {name}" for name, count in sorted(self._given.items()))
        log.info("evacuation done sessions=%d tables=%s", self._gone + left, where or "none")
        if failed:
            return texts.EVACUATED_IN_PART.format(failed)
        tables = quantity(sum(self._given.values()), "table")
        servers = join_words(sorted(self._given) or sorted(self._others()), "and")
        return texts.EVACUATED.format(tables, quantity(self._gone + left, "session"), servers)

    async def _give_tables(self) -> None:
        """JournalWriteError: the others take over what is left."""
        await self._tables.restorer.stop_taking()
        while numbers := self._tables.leaving.numbers()[:AT_ONCE]:
            await self._give(numbers)
        self._wall.hold()
        await self._settle(self._wall.is_handled)
        while numbers := self._tables.leaving.numbers()[:AT_ONCE]:  # opened meanwhile
            await self._give(numbers)

    def _send_on(self) -> None:
        """All people go to the other servers."""
        self.is_over = True
        self._wall.close("evacuate", moves=True)

    def _end(self) -> None:
        self._send_on()
        self.on_end()

    async def _find_untaken(self) -> str:
        """Wait until the others have the tables; why they have not; "": they have [rule 4]."""
        end_s, late = self._clock.monotonic() + TAKEN_S, self._late()
        while late and self._clock.monotonic() < end_s:
            await asyncio.sleep(LOOK_S)
            late = self._late()
        try:
            late = [number for number in late if await self._directory.is_open(number)]
        except JournalWriteError as exc:
            return str(exc)
        if not late:
            return ""
        servers = join_words(sorted({self._heirs[number] for number in late}), "and")
        return texts.NOT_TAKEN.format(servers, quantity(len(late), "table"), TAKEN_S)

    def _late(self) -> list[int]:
        """Tables of which no server has said that it has them now."""
        return [number for number in self._heirs if not self._directory.server_of(number)]

    # -- some tables -------------------------------------------------------------------------------

    async def _give(self, numbers: list[int]) -> None:
        """JournalWriteError: the others take over what is stopped."""
        leaving = self._tables.leaving
        moving = self._moving_sessions(numbers)
        for it in moving:
            it.connection.hold()
        await self._settle(lambda: all(it.connection.is_handled for it in moving))
        stopped = await leaving.stop(numbers)
        await self._turn()
        for it in list(moving):
            if it.table in stopped and not it.session.is_over:
                it.session.walking.depart(it.connection)
            else:
                moving.remove(it)
                it.connection.release()
        leaving.forget(stopped)
        shares = self._shares(stopped)
        for server, part in shares.items():
            await self._journal.give([TABLE_STREAMS.name(number) for number in part], server)
            self._given[server] = self._given.get(server, 0) + len(part)
            self._heirs |= dict.fromkeys(part, server)
            self._mirror.tell_given(server, part)
        server_of = {number: server for server, part in shares.items() for number in part}
        for it in moving:
            it.connection.redirect(server_of[it.table], it.table, b"", 1)
        self._gone += len(moving)

    def _moving_sessions(self, numbers: list[int]) -> list[MovingSession]:
        connections = self._wall.connections_by_visit()
        where = {person: number for number in numbers
                 for person in self._tables.leaving.people_at(number)}  # fmt: skip
        return [
            MovingSession(session, connections[session.id], where[session.person.id])
            for session in self._sessions.sessions
            if session.person is not None
            and session.person.id in where
            and session.id in connections
        ]

    def _shares(self, numbers: list[int]) -> dict[str, list[int]]:
        """Which server gets which tables: always the one that has fewest.

        JournalWriteError: no other is there any more.
        """
        counts = self._others()
        if not counts:
            raise JournalWriteError("no other server lives")
        shares = dict[str, list[int]]()
        for number in numbers:
            server = min(sorted(counts), key=counts.__getitem__)
            counts[server] += 1
            shares.setdefault(server, []).append(number)
        return shares

    async def _settle(self, is_settled: Callable[[], bool]) -> None:
        """Wait for lines that have begun."""
        for _ in range(round(SETTLE_S / LOOK_S)):
            if is_settled():
                return
            await asyncio.sleep(LOOK_S)

    async def _turn(self) -> None:
        """Let sessions show what was told."""
        for _ in range(TURNS):
            await asyncio.sleep(0)
