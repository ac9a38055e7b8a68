"""The journal in PostgreSQL, for one of several servers that share it.

Rule 1: three things decide who writes: the epoch of the server, the owner of a table, and the
        sequence of a stream.  No clock does.
Rule 2: streams of tables belong to the server that opened them; all others to everybody, and who
        was second there reads, and decides again.
Rule 3: a server that was buried ends; its data directory is its own as with SQLite.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import re
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Self
from uuid import UUID, uuid4

from mudserver.config import schema
from mudserver.data_directory import lock_directory
from mudserver.errors import DataError, JournalFencedError, JournalWriteError, StartError
from mudserver.journal.claims import Claim
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.index import IndexRow, Row, Value, check_rows
from mudserver.journal.interface import (
    Entry,
    LiveServer,
    Pruned,
    Pruning,
    StoredServer,
    TakenTable,
    from_the_first,
)
from mudserver.journal.postgres import reading, removing
from mudserver.journal.postgres import statements as sql
from mudserver.journal.postgres.batch import Group, Record, check_size
from mudserver.journal.postgres.bus import Bus, Talk
from mudserver.journal.postgres.connection import Reader, connect, drop, reason
from mudserver.journal.postgres.following import Follower
from mudserver.journal.postgres.schema import (
    ALIVE,
    check_database,
    make_schema,
    meta_number,
    moved_ms,
    moved_sentence,
)
from mudserver.journal.postgres.statements import with_numbers
from mudserver.journal.postgres.writer import FENCED, Writer
from mudserver.journal.streams import TABLE_STREAMS

log = logging.getLogger(__name__)

MIB = 1_048_576
PRUNE_PAUSE_S = 0.05  # between two steps, for the others
CLAIMED_AT_ONCE = 1_000  # tables
CHANGED = "lockdown_change"  # the channel on which a server says that it has written for others
SESSIONS, TALK = "lockdown_bus", "lockdown_talk"  # the channels of what is not in the journal
TAKE_EVERY_S = 1.0, 1.5  # how often a server looks for others that are gone
EXPIRED_S = 0.1  # at most, from the end of another server's lease to the look
ROUND_S = 0.2  # at most, until a server takes what is left: by then all have taken their parts
LOOK_S = 2.0  # so long without a word, and what others have written is looked for nevertheless
BEAT_S = 4.0  # so long a heartbeat is waited for: whoever watches the server has to hear of it
FORGET_EVERY_S = 600.0  # old changes; while there are many, a part of them at every heartbeat
NO_COPY = (
    "the journal is in PostgreSQL: back it up there, with pg_basebackup and the archive of its"
    " log, or with pg_dump --format=custom"
)
LAST_NUMBER = """
select coalesce(max(substr(stream, length($1) + 1)::bigint), 0) from stream
where stream >= $1 and stream < $2"""
RANK = """
update stream set worth = $2, person = $3 where stream = $1 and is_closed returning stream"""
CLAIMED = """
select kind, key, owner from claim join unnest($1::text[], $2::text[]) as wanted(kind, key)
using (kind, key)"""


class PostgresJournal:
    """Implements `interface.Journal`, which documents the methods.  Made by `open`."""

    def __init__(
        self,
        writer: Writer,
        reader: Reader,
        lock: int,
        now_ms: Callable[[], int],
        config: schema.JournalConfig,
        last_alive_ms: int | None,
        heirs: dict[tuple[str, str], list[str]],
    ) -> None:
        self._writer, self._reader, self._lock = writer, reader, lock
        self._now_ms, self._config, self._heirs = now_ms, config, heirs
        self.last_alive_ms, self.is_shared = last_alive_ms, True
        self.on_fenced: Callable[[str], None] = lambda why: None
        writer.on_fenced = lambda why: self.on_fenced(why)
        self._follower, self._has_changed = Follower(reader), asyncio.Event()
        self.bus = Talk(writer.server, writer.run, partial(self._tell, SESSIONS))
        self.talk = Talk(writer.server, writer.run, partial(self._tell, TALK))
        hear = {
            CHANGED: lambda _: self._has_changed.set(),
            SESSIONS: self.bus.hear,
            TALK: self.talk.hear,
        }
        self._bus = Bus(config.postgres, writer.server, hear, writer.check_not_buried)
        self._bus.on_connected = self._on_bus
        writer.on_shared = self._tell_of_change
        self._given = dict[str, int]()  # tables that this server was told of, and when they stopped
        self._has_given = asyncio.Event()
        self._claimed_alive_ms: int | None = None  # of the server last claimed from
        self._size_bytes = 0
        self._forget_at_s = 0.0
        self._has_beaten = False
        self._is_closed = False

    @classmethod
    async def open(
        cls, directory: Path, now_ms: Callable[[], int], config: schema.JournalConfig
    ) -> Self:
        """Take the name of this server, and make what is missing.

        Args:
            directory: The server's own data, but for the journal.

        Raises:
            StartError: One sentence: another server has the directory or the name, or the database
                cannot be reached or used.
        """
        try:
            os.makedirs(directory, mode=0o700, exist_ok=True)
            lock = lock_directory(directory)
        except OSError as exc:
            raise StartError(f"{directory} is no usable data directory: {exc.strerror}") from exc
        server, instance = server_name(config), uuid4()
        try:
            epoch, alive_ms = await _take_name(server, instance, config)
        except BaseException:
            os.close(lock)
            raise
        heirs: dict[tuple[str, str], list[str]] = {}
        writer = Writer(
            *(config.postgres, server, instance, epoch, config),
            lambda kind, key: _next_heir(heirs, kind, key),
        )
        reader = Reader(config.postgres, server)
        journal = cls(writer, reader, lock, now_ms, config, alive_ms, heirs)
        try:
            await journal._follower.skip()  # what was written until now is read after this
        except JournalWriteError as exc:
            await journal.close()
            raise StartError(f"journal.postgres: {exc}") from None
        return journal

    def _tell_of_change(self) -> None:
        self._bus.tell(CHANGED, self.server)

    def _tell(self, channel: str, text: str) -> bool:
        return not self._writer.is_fenced and self._bus.tell(channel, text)

    def _on_bus(self) -> None:
        """What was told and written meanwhile, here and elsewhere, may not be known."""
        self._has_changed.set()
        self._tell_of_change()
        self.bus.on_connected()
        self.talk.on_connected()

    @property
    def server(self) -> str:
        return self._writer.server

    @property
    def epoch(self) -> int:
        return self._writer.epoch

    def reconfigure(self, config: schema.JournalConfig) -> None:
        self._config = self._writer.config = config

    # -- writing ---------------------------------------------------------------------------------

    async def append(
        self, stream: str, sequence: int, body: bytes, *, closes: bool = False
    ) -> None:
        check_size(stream, body, self._config.record_bytes_max)
        done = asyncio.get_running_loop().create_future()
        self._writer.put(Record(stream, sequence, self._now_ms(), body, closes, done))
        await done

    async def append_all(
        self,
        entries: Sequence[Entry],
        claims: Sequence[Claim] = (),
        releases: Sequence[Claim] = (),
        index: Sequence[IndexRow] = (),
    ) -> None:
        check_rows(index)
        done, at_ms = asyncio.get_running_loop().create_future(), self._now_ms()
        records = list[Record]()
        for stream, sequence, body, closes in entries:
            check_size(stream, body, self._config.record_bytes_max)
            records.append(Record(stream, sequence, at_ms, body, closes, done))
        group = Group(tuple(records), tuple(claims), tuple(releases), done, tuple(index))
        self._writer.put(group)
        await done

    async def adopt_claims(self, claims: Sequence[Claim]) -> None:
        places = [*{(claim.kind, claim.key) for claim in claims}]
        wanted = [kind for kind, _ in places], [key for _, key in places]
        rows = await self._fetch(CLAIMED, *wanted) if claims else []
        owners = {(kind, key): owner for kind, key, owner in rows}
        new = list[Claim]()
        for claim in claims:
            place = claim.kind, claim.key
            owner = owners.setdefault(place, claim.owner)
            if owner == claim.owner:
                new.append(claim)
            elif claim.owner not in self._heirs.setdefault(place, []):
                self._heirs[place].append(claim.owner)
        known = {tuple(row) for row in rows}
        if missing := [claim for claim in new if tuple(claim) not in known]:
            await self.append_all([], missing)

    async def numbers(self, prefix: str, at_least: int = 1) -> range:
        first, end = reading.name_range(prefix)
        count = max(self._config.numbers_block, at_least)
        last = (await self._fetch(LAST_NUMBER, first, end))[0][0]
        number = (await self._fetch(sql.NUMBERS, prefix, count, last + 1))[0][0]
        return range(number, number + count)

    async def rank(self, stream: str, worth: int, person: str) -> None:
        if not await self._fetch(RANK, stream, worth, person):
            raise ValueError(f"{stream} is not closed")

    async def write_heartbeat(self) -> None:
        """It also keeps the lease, counts the size, and now and then removes old changes."""
        try:
            async with asyncio.timeout(BEAT_S):
                await self._beat()
        except TimeoutError as exc:
            raise JournalWriteError("PostgreSQL does not answer") from exc

    async def _beat(self) -> None:
        lease_s, epoch = float(self._config.lease_s), self.epoch
        while not await self._fetch(sql.BEAT, self.server, epoch, lease_s, self._now_ms()):
            await self._writer.connected()  # the epoch has changed meanwhile, perhaps
            if epoch == self.epoch:
                self._writer.note_fenced()
                raise JournalFencedError(FENCED.format(self.server))
            epoch = self.epoch
        self._has_beaten = True
        self._size_bytes = (await self._fetch(removing.SIZE))[0][0]
        now_s = asyncio.get_running_loop().time()
        if now_s >= self._forget_at_s:
            self._forget_at_s = now_s + FORGET_EVERY_S  # also if it fails, or takes too long
            if await removing.forget_changes(self._reader):
                self._forget_at_s = now_s

    def queue_length(self) -> int:
        return self._writer.queue_length()

    # -- reading ---------------------------------------------------------------------------------

    async def fetch(self, statement: str, *values: object) -> list[Any]:
        """Rows of a statement that may be carried out twice, when nothing is in doubt."""
        if self._is_closed:
            raise JournalWriteError("the journal is closed")
        await self._writer.settle()
        return await self._reader.fetch(statement, *values)

    _fetch = fetch

    async def read(self, stream: str, after: int = 0) -> list[StoredRecord]:
        return await reading.read_stream(self, stream, after)

    async def read_pieces(self, stream: str, after: int = 0) -> AsyncIterator[list[StoredRecord]]:
        async for piece in reading.read_pieces(self, stream, after):
            yield piece

    async def read_each(
        self, prefix: str, after: Callable[[str], int] = from_the_first
    ) -> AsyncIterator[tuple[str, list[StoredRecord]]]:
        async for found in reading.read_streams(self, await self.streams(prefix), after):
            yield found

    async def last_sequence(self, stream: str) -> int:
        rows = await self._fetch("select last from stream where stream = $1", stream)
        return rows[0][0] if rows else 0

    async def follow(self) -> AsyncIterator[tuple[str, int]]:
        self._bus.start()
        while not self._is_closed:
            self._has_changed.clear()  # before it looks: what is told meanwhile is looked at
            try:
                news = await self._follower.news()
            except JournalWriteError as exc:
                log.debug("not followed err=%s", exc)  # tables say so, and the heartbeat
                news = []
            for change in news:
                yield change.stream, change.sequence
            if not news:
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S):
                        await self._has_changed.wait()

    async def take_tables(
        self, is_known: Callable[[str], bool]
    ) -> AsyncIterator[Sequence[TakenTable]]:
        pause_s, has_taken = random.uniform(*TAKE_EVERY_S), False
        late = set[str]()
        while not self._is_closed:
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
                    await self._has_given.wait()
            self._has_given.clear()
            had_taken, has_taken = has_taken, False
            pause_s = random.uniform(*TAKE_EVERY_S)  # others look, too
            try:
                leases_s = await self._other_leases_s()
                if leases_s:  # look at once when one ends, if nobody beats
                    expired_s = min(leases_s.values()) + random.uniform(0.0, EXPIRED_S)
                    pause_s = min(pause_s, expired_s)
                known_late = late
                late = {name for name, lease_s in leases_s.items() if lease_s < TAKE_EVERY_S[1]}
                if late - known_late:
                    yield []
                async for taken in self._take_round(takes_rest=had_taken):
                    pause_s, has_taken = random.uniform(EXPIRED_S, ROUND_S), True
                    if taken:
                        yield taken
            except JournalWriteError as exc:
                log.debug("no look for servers that are gone err=%s", exc)
            try:
                own = await self.streams(TABLE_STREAMS.prefix, is_open=True)
            except JournalWriteError:
                continue
            if lost := [stream for stream in own if not is_known(stream)]:
                told = {stream: self._given.pop(stream, None) for stream in lost}
                if unknown := sum(at_ms is None for at_ms in told.values()):
                    log.warning("tables taken over in doubt tables=%d", unknown)
                self._writer.heads.forget(lost)  # it may have had them before
                yield [TakenTable(it, told[it] or self._claimed_alive_ms) for it in lost]
            self._given.clear()

    async def give(self, streams: Sequence[str], server: str) -> None:
        given = await self._fetch(sql.GIVE, self.server, self.epoch, server, list(streams))
        self._writer.heads.forget(streams)
        if len(given) < len(streams):
            raise JournalWriteError(f"{server} does not live, or has not got all tables")
        log.warning("tables given to=%s tables=%d server=%s epoch=%d", server, len(given),
                    self.server, self.epoch)  # fmt: skip

    def note_given(self, streams: Sequence[str], at_ms: int) -> None:
        self._given.update(dict.fromkeys(streams, at_ms))
        self._has_given.set()

    async def _other_leases_s(self) -> dict[str, float]:
        """Seconds until the lease of each other server ends that is not heard of any more."""
        return {it.name: it.lease_s for it in await self.live_servers() if it.name != self.server}

    async def _take_round(self, *, takes_rest: bool) -> AsyncIterator[list[TakenTable]]:
        """Of the open tables of each server that is gone, this one's part, or all that are left."""
        for gone in await self._fetch(sql.GONE, self.server, float(self._config.lease_s)):
            name = gone["name"]
            if await self._fetch(sql.BURY, name):
                log.warning(
                    "server gone name=%s tables=%d by=%s", name, gone["tables"], self.server
                )
            rank = gone["rank"]  # it may count as dead itself, until it beats
            part = (1, 0) if takes_rest else (max(gone["alive"], rank + 1), rank)
            self._claimed_alive_ms = gone["alive_ms"]
            await self._writer.settle()  # twice would be told of once
            rows = await self._reader.fetch_once(
                sql.CLAIM, self.server, self.epoch, name, CLAIMED_AT_ONCE, *part
            )
            if rows:
                log.warning("tables taken over from=%s tables=%d server=%s epoch=%d",
                            name, len(rows), self.server, self.epoch)  # fmt: skip
            yield [TakenTable(row["stream"], gone["alive_ms"]) for row in rows]

    async def follow_lag_s(self) -> float:
        return await self._follower.lag_s()

    async def live_servers(self) -> list[LiveServer]:
        return [LiveServer(*row) for row in await self._reader.fetch(sql.LIVE)]

    async def all_servers(self) -> list[StoredServer]:
        return [StoredServer(*row) for row in await self._reader.fetch(sql.ALL)]

    async def clock_ms(self) -> int | None:
        return int((await self._reader.fetch(sql.CLOCK))[0]["at_ms"])

    async def server_of(self, stream: str) -> str:
        rows = await self._reader.fetch(sql.SERVER_OF, stream)
        return rows[0][0] if rows else ""

    async def is_open(self, stream: str) -> bool:
        return bool(await self._reader.fetch(sql.IS_OPEN, stream))

    async def owner_of(self, kind: str, key: str) -> str:
        rows = await self._reader.fetch(sql.OWNER_OF, kind, key)
        return rows[0][0] if rows else ""

    async def is_behind(self, stream: str, sequence: int) -> bool:
        return await self.last_sequence(stream) > sequence

    async def free_seats(self, stream: str) -> None:
        await self._writer.settle()
        async with self._reader.transaction() as connection:
            await removing.hold(connection, self.server, self.epoch)
            await connection.execute(removing.FREE_SEATS, stream, self.server)

    async def look_up(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        return [tuple(row) for row in await self._fetch(with_numbers(sql), *values)]

    async def streams(self, prefix: str, is_open: bool | None = None) -> list[str]:
        names = reading.name_range(prefix)
        rows = await self._fetch(reading.STREAMS, *names, is_open, self.server)
        return [row["stream"] for row in rows]

    # -- size ------------------------------------------------------------------------------------

    def size_bytes(self) -> int:
        return self._size_bytes

    def level(self) -> float:
        return self._size_bytes / (self._config.size_mib_max * MIB)

    async def trim(self, stream: str) -> int:
        await self._writer.settle()
        async with self._reader.transaction() as connection:
            await removing.hold(connection, self.server, self.epoch)
            return await removing.trim(connection, stream)

    async def prune(self, what: Pruning) -> Pruned:
        until = None
        if what.until_level is not None:
            until = int(what.until_level * self._config.size_mib_max * MIB)
        removed = Pruned(0, None)
        while True:
            await self._writer.settle()
            async with self._reader.transaction() as connection:
                await removing.hold(connection, self.server, self.epoch)
                step = await removing.prune(connection, what, until)
            self._writer.heads.forget(step.names)
            self._size_bytes = (await self._fetch(removing.SIZE))[0][0]
            if step.closed_ms is None:
                return removed
            closed_ms = max(step.closed_ms, removed.closed_ms or 0)
            removed = Pruned(removed.tables + len(step.names), closed_ms)
            await asyncio.sleep(PRUNE_PAUSE_S)

    async def remove(self, streams: Sequence[str], releases: Sequence[Claim] = ()) -> None:
        for first in range(0, len(streams), removing.PRUNED_MAX):
            step = streams[first : first + removing.PRUNED_MAX]
            await self._writer.settle()
            async with self._reader.transaction() as connection:
                await removing.hold(connection, self.server, self.epoch)
                await removing.remove(connection, step)
            self._writer.heads.forget(step)
            await asyncio.sleep(PRUNE_PAUSE_S)
        if releases:
            await self.append_all([], (), releases)

    # -- copies and the end ----------------------------------------------------------------------

    def copy_size_bytes(self) -> int:
        return 0

    async def copy(self, path: Path) -> None:
        raise JournalWriteError(NO_COPY)

    async def close(self) -> None:
        if self._is_closed:
            return
        await self._bus.close()
        await self._writer.close()
        alive_ms = self._now_ms() if self._has_beaten else None  # else no table has run yet
        with suppress(JournalWriteError):
            await self._fetch(sql.LEAVE, self.server, self.epoch, alive_ms)
        self._is_closed = True
        await self._reader.close()
        os.close(self._lock)


def server_name(config: schema.JournalConfig) -> str:
    """What this server is called among those that share the journal."""
    host = socket.gethostname().split(".")[0].lower()
    return config.server or re.sub("[^a-z0-9-]", "-", host)[:16] or "server"


async def _take_name(
    server: str, instance: UUID, config: schema.JournalConfig
) -> tuple[int, int | None]:
    """Epoch, and the last sign of life before.  StartError: why not."""
    try:
        connection = await connect(config.postgres, server)
    except JournalWriteError as exc:
        raise StartError(f"journal.postgres: {exc}") from None
    try:
        await check_database(connection)
        await make_schema(connection)
        async with connection.transaction():
            row = await connection.fetchrow(
                sql.OPEN, server, instance, socket.gethostname(), float(config.lease_s)
            )
            if (at_ms := await moved_ms(connection)) is not None:  # known only now: `move` has
                raise DataError(moved_sentence(at_ms))  # ended before OPEN, or has not begun
        if row is None:
            raise DataError(
                f"the name {server} is in use by another machine; set journal.server to another"
            )
        alive = [row["alive_ms"]]
        if await connection.fetch(sql.ADOPT, server, row["epoch"]):
            alive.append(await meta_number(connection, ALIVE))
        alive += await _take_over(connection, server, row["epoch"], config)
        return row["epoch"], min((it for it in alive if it is not None), default=None)
    except StartError:
        raise
    except Exception as exc:
        raise StartError(f"journal.postgres: {reason(exc)}") from exc
    finally:
        drop(connection)


async def _take_over(
    connection: Any, server: str, epoch: int, config: schema.JournalConfig
) -> list[int | None]:
    """The open tables of servers that are gone are this server's from now on.

    Returns:
        When those servers were last alive: their clocks stand still since.
    """
    alive = list[int | None]()
    for name, alive_ms, *_ in await connection.fetch(sql.GONE, server, float(config.lease_s)):
        await connection.fetchval(sql.BURY, name)
        count = 0
        all_left = server, epoch, name, CLAIMED_AT_ONCE, 1, 0
        while claimed := await connection.fetch(sql.CLAIM, *all_left):
            count += len(claimed)
        if count:
            log.warning("tables taken over from=%s tables=%d", name, count)
            alive.append(alive_ms)
    return alive


def _next_heir(heirs: dict[tuple[str, str], list[str]], kind: str, key: str) -> str | None:
    waiting = heirs.get((kind, key))
    if not waiting:
        return None
    heir = waiting.pop(0)
    if not waiting:
        del heirs[kind, key]
    return heir
