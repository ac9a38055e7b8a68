"""The PostgreSQL in memory answers as the real one: the same random histories on both."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from mudserver.config import schema
from mudserver.journal.postgres import batch, following, journal, reading, removing, writer
from mudserver.journal.postgres import statements as sql
from mudserver.journal.postgres.journal import PostgresJournal
from tests.simulation import postgres_verbs as verbs
from tests.simulation.virtual_postgres import VirtualPostgres, Weather, connected
from tests.slow_cases import every_third

STEPS = 400
SERVERS = ("g1", "g2", "g3")
STREAMS = [*(f"table/{n}" for n in range(1, 7)), *(f"person/{n}" for n in range(1, 5))]
UNORDERED = (batch.HEADS, journal.CLAIMED, sql.RELEASE, sql.TAKE, sql.ADOPT, sql.CLAIM,
             sql.GONE, following.POSITIONS, writer.WRITTEN)  # fmt: skip


class History:
    """Statements that fit what is there, mostly."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.epochs = dict.fromkeys(SERVERS, 0)
        self.ends: dict[str, int] = {}
        self.positions = dict.fromkeys(SERVERS, 0)
        self.seen: dict[str, int] = {}

    def steps(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        for name in SERVERS:
            yield self._open(name)
        kinds = (
            *(self._append,) * 6, *(self._plays,) * 4, self._open, self._renew, self._beat,
            *(self._bury, self._claim, self._adopt) * 2, self._take, self._release, self._numbers,
            self._rank, self._held, self._leave, self._read, self._follow,
        )  # fmt: skip
        for _ in range(STEPS):
            yield self.dice.choice(kinds)(self.dice.choice(SERVERS))

    def note(self, statement: str, values: tuple[Any, ...], rows: list[tuple[Any, ...]]) -> None:
        """What the real one has answered."""
        if statement in (sql.OPEN, sql.RENEW) and rows:
            self.epochs[values[0]] = rows[0][0]
        if statement in (sql.APPEND, sql.PLAYS):
            columns = values[2:4] if statement == sql.APPEND else zip(*values[2], strict=True)
            for stream, sequence, *_ in zip(*columns, strict=True):
                if rows[0][0] and stream not in rows[0][1]:
                    self.ends[stream] = sequence
        if statement == sql.FOLLOW:
            for name, position, *_ in rows:
                self.seen[name] = position

    def _epoch(self, name: str) -> int:
        return self.epochs[name] - (self.dice.random() < 0.1)

    def _lease_s(self) -> float:
        return self.dice.choice((3_600.0, 3_600.0, -1.0))

    def _open(self, name: str) -> tuple[str, tuple[Any, ...]]:
        host = self.dice.choice(("one", "one", "other"))
        return sql.OPEN, (name, UUID(int=self.dice.randint(1, 3)), host, self._lease_s())

    def _renew(self, name: str) -> tuple[str, tuple[Any, ...]]:
        known = self.epochs[name]
        return sql.RENEW, (name, UUID(int=self.dice.randint(1, 3)), known, self._lease_s())

    def _beat(self, name: str) -> tuple[str, tuple[Any, ...]]:
        return sql.BEAT, (name, self._epoch(name), self._lease_s(), self.dice.randint(1, 99))

    def _leave(self, name: str) -> tuple[str, tuple[Any, ...]]:
        return sql.LEAVE, (name, self._epoch(name), self.dice.choice((None, 7)))

    def _bury(self, name: str) -> tuple[str, tuple[Any, ...]]:
        return sql.BURY, (name,)

    def _claim(self, name: str) -> tuple[str, tuple[Any, ...]]:
        parts = self.dice.randint(1, 3)
        part = self.dice.randrange(parts)
        return sql.CLAIM, (name, self._epoch(name), self.dice.choice(SERVERS), 2, parts, part)

    def _adopt(self, name: str) -> tuple[str, tuple[Any, ...]]:
        return sql.ADOPT, (name, self._epoch(name))

    def _held(self, name: str) -> tuple[str, tuple[Any, ...]]:
        return sql.HELD, (name, self._epoch(name))

    def _columns(self, streams: list[str]) -> tuple[list[Any], ...]:
        sequences = [self.ends.get(stream, 0) + 1 for stream in streams]
        if self.dice.random() < 0.1:
            sequences[0] += self.dice.choice((-1, 1))
        bodies = [self.dice.randbytes(9) for _ in streams]
        hashes = [sha256(body).digest() for body in bodies]
        return streams, sequences, [5] * len(streams), bodies, hashes

    def _append(self, name: str) -> tuple[str, tuple[Any, ...]]:
        columns = self._columns(self.dice.sample(STREAMS, self.dice.randint(1, 4)))
        if self.dice.random() < 0.3:  # two records of one stream
            for column in columns:
                column.append(column[-1])
            columns[1][-1] += 1
        closes = [False] * len(columns[0])
        closes[-1] = self.dice.random() < 0.05
        self.positions[name] += 10
        position = (self.epochs[name] << sql.POSITION_BITS) + self.positions[name]
        return sql.APPEND, (name, self._epoch(name), *columns, closes, position)

    def _plays(self, name: str) -> tuple[str, tuple[Any, ...]]:
        tables = [stream for stream in self.ends if stream.startswith("table/")]
        if not tables:
            return self._append(name)
        streams = self.dice.sample(tables, self.dice.randint(1, len(tables)))
        return sql.PLAYS, (name, self._epoch(name), [*zip(*self._columns(streams), strict=True)])

    def _places(self) -> tuple[list[str], ...]:
        keys = self.dice.sample("abcd", 2)
        return ["name"] * 2, keys, [self.dice.choice(("p1", "p2", *STREAMS)) for _ in keys]

    def _take(self, name: str) -> tuple[str, tuple[Any, ...]]:
        return sql.TAKE, self._places()

    def _release(self, name: str) -> tuple[str, tuple[Any, ...]]:
        return sql.RELEASE, self._places()

    def _numbers(self, name: str) -> tuple[str, tuple[Any, ...]]:
        return sql.NUMBERS, ("table/", 20, self.dice.randint(1, 99))

    def _rank(self, name: str) -> tuple[str, tuple[Any, ...]]:
        return journal.RANK, (self.dice.choice(STREAMS), 1, "p1")

    def _follow(self, name: str) -> tuple[str, tuple[Any, ...]]:
        return sql.FOLLOW, (list(self.seen), list(self.seen.values()))

    def _read(self, name: str) -> tuple[str, tuple[Any, ...]]:
        streams = self.dice.sample(STREAMS, 3)
        return self.dice.choice((
            (batch.HEADS, (streams,)), (reading.READ, (streams, [0, 1, 2])),
            (reading.STREAMS, ("table/", "table0", self.dice.choice((None, True, False)), name)),
            (journal.CLAIMED, (["name"] * 3, ["a", "b", "c"])), (verbs.LAST, (streams[0],)),
            (writer.OWNER, ("name", "a")), (sql.GONE, (name, 600.0)), (removing.SERVERS, ()),
            (journal.LAST_NUMBER, ("table/", "table0")), (following.POSITIONS, ()),
            (removing.SIZE, ()), (sql.LIVE, ()),
            (sql.NOT_BURIED, (name, UUID(int=self.dice.randint(1, 3)))),
            (sql.SERVER_OF, (streams[0],)),
            (sql.OWNER_OF, ("name", self.dice.choice("abcd"))),
        ))  # fmt: skip


def answer(statement: str, rows: list[Any]) -> list[tuple[Any, ...]]:
    found = [
        tuple(sorted(value) if isinstance(value, list) else value for value in row) for row in rows
    ]
    if statement == sql.LIVE:  # on another clock
        found = [(name, round(lease_s, -2)) for name, lease_s in found]
    if statement == following.POSITIONS:  # none yet is null there
        found = [(name, position or 0) for name, position in found]
    return sorted(found, key=repr) if statement in UNORDERED else found


@pytest.mark.parametrize("seed", every_third(range(6)))
async def test_the_same_history_has_the_same_answers(database, tmp_path, seed):
    config = schema.JournalConfig(postgres=database, server="g0")
    await (await PostgresJournal.open(tmp_path, lambda: 0, config)).close()  # the schema
    real = await asyncpg.connect(database, server_settings={"search_path": "lockdown"})
    await real.execute("delete from server")
    history, kinds = History(seed), set[str]()
    try:
        async with connected(VirtualPostgres(Weather(Random(seed))), "test") as virtual:
            for statement, values in history.steps():
                wanted = answer(statement, await real.fetch(statement, *values))
                found = answer(statement, await virtual.fetch(statement, *values))
                assert wanted == found, (statement, values)
                history.note(statement, values, wanted)
                if wanted:
                    kinds.add(statement)
    finally:
        await real.close()
    assert len(kinds) >= 15


@pytest.mark.parametrize("moment_s", [0.0, 0.0005, 0.01])
async def test_no_transaction_outlives_its_connection(moment_s):
    """Nobody would ever end it, and whoever wants its rows would wait for ever."""
    virtual = VirtualPostgres(Weather(Random(1)))
    connection = await virtual.connect("", "test")
    beginning = asyncio.create_task(connection.begin())
    await asyncio.sleep(moment_s)
    assert len(virtual.open) == (moment_s == 0.01)
    connection.terminate()
    (result,) = await asyncio.gather(beginning, return_exceptions=True)
    assert isinstance(result, asyncpg.InterfaceError) or moment_s == 0.01
    await asyncio.sleep(0.05)
    assert [] == virtual.open
