"""A PostgreSQL in memory, for the journal's own statements: the writer above it is the real one.

Rule 1: a statement takes its locks, is worked out, and counts when it is committed; until then
        nobody else sees it, and whoever wants the same rows waits.  It takes time, by chance.
Rule 2: a connection that breaks says nothing of what was under way: it was not begun, it goes on
        and is committed later, or it is committed already.  What a client has begun by BEGIN and
        not committed is undone once the end of its connection is noticed.
Rule 3: notifications are told when their transaction is committed, to all in the same order, to
        each in its own time; who is cut off hears them when that is over.  One is lost with its
        listener's connection alone.
Rule 4: it knows the statements of `journal/postgres/` alone, without those of `trim` and `prune`;
        SQLite answers those of the index.

`test_virtual_postgres.py` holds it to the real one.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

import asyncpg

from mudserver.errors import JournalWriteError
from mudserver.journal.index import create_statements
from mudserver.journal.postgres import bus
from mudserver.journal.postgres import connection as border
from mudserver.journal.postgres import journal as engine
from mudserver.journal.postgres.schema import SET_META, STEPS
from tests.simulation.postgres_verbs import NEEDS, VERBS, Key, Row, Tables

DEADLOCK_S, IDLE_S = 1.0, 10.0
SETTINGS = {"server_version_num": "150018", "server_encoding": "UTF8"}
META = "select value from meta where key = $1"
IS_THERE = "select to_regclass($1)"
TRY_LOCK = "select pg_try_advisory_xact_lock($1)"


Hear = Callable[[Any, int, str, str], object]  # connection, process, channel, payload


@dataclass
class Weather:
    """What may happen to a statement: parts of all, and seconds at most."""

    dice: Random
    late: float = 0.0  # so often it takes up to `late_s`, three times: to there, at work, back
    late_s: float = 0.1
    broken: float = 0.0  # so often its connection breaks
    unheard: float = 0.0  # so often a listener loses its connection instead of being told

    def delay_s(self) -> float:
        return self.dice.uniform(0, self.late_s) if self.dice.random() < self.late else 0.001


class Transaction:
    """What is not committed yet, and the rows that it keeps from others."""

    def __init__(self, database: VirtualPostgres) -> None:
        self._database = database
        self._kept: dict[Key, bool] = {}  # whether for itself alone
        self.changes: list[Callable[[], object]] = []
        self.claims: dict[tuple[str, str], str | None] = {}  # as they will be

    def may_have(self, key: Key, is_alone: bool) -> bool:
        return not any(
            key in other._kept and (is_alone or other._kept[key])
            for other in self._database.open
            if other is not self
        )

    def take(self, key: Key, is_alone: bool) -> None:
        self._kept[key] = is_alone or self._kept.get(key, False)

    async def lock(self, key: Key, is_alone: bool) -> None:
        try:
            async with asyncio.timeout(DEADLOCK_S):
                while not self.may_have(key, is_alone):
                    await self._database.next_release()
        except TimeoutError:
            raise asyncpg.DeadlockDetectedError("deadlock detected") from None
        self.take(key, is_alone)

    def end(self, *, commits: bool) -> None:
        if self in self._database.open:
            self._database.open.remove(self)
            if commits:
                for change in self.changes:
                    change()
            self._database.note_release()


class VirtualPostgres:
    def __init__(self, weather: Weather) -> None:
        self.tables, self.weather = Tables(), weather
        self.tables.meta["schema"] = str(len(STEPS)).encode()
        self.open: list[Transaction] = []
        self.context: Context = copy_context()  # of its own work, whoever waits for it
        self.cut_off: dict[str, asyncio.Event] = {}  # servers that are not reached, until when
        self.index = sqlite3.connect(":memory:", isolation_level=None)
        for statement in create_statements():
            self.index.execute(statement)
        self._released: asyncio.Event | None = None
        self.listeners: list[Connection] = []
        self.tables.notify = self._notify

    async def next_release(self) -> None:
        if self._released is None:
            self._released = asyncio.Event()
        await self._released.wait()

    def note_release(self) -> None:
        if self._released is not None:
            self._released.set()
            self._released = None

    def begin(self) -> Transaction:
        self.open.append(transaction := Transaction(self))
        return transaction

    async def connect(self, address: str, name: str, *, is_patient: bool = False) -> Connection:
        """In the place of `connection.connect`."""
        try:
            async with asyncio.timeout(border.CONNECT_S):
                await self.reached(name)
                await asyncio.sleep(self.weather.delay_s())
        except TimeoutError as exc:
            raise JournalWriteError("PostgreSQL cannot be reached: it does not answer") from exc
        return Connection(self, name)

    async def reached(self, name: str) -> None:
        while (over := self.cut_off.get(name)) is not None:
            await over.wait()

    # -- notifications ---------------------------------------------------------------------------

    def _notify(self, channel: str, payload: str) -> None:
        self.listeners = [each for each in self.listeners if not each.is_closed()]
        for connection in self.listeners:
            connection.note(channel, payload)

    # -- partitions ------------------------------------------------------------------------------

    def cut(self, name: str) -> None:
        self.cut_off.setdefault(name, asyncio.Event())

    def heal(self, name: str) -> None:
        if (over := self.cut_off.pop(name, None)) is not None:
            over.set()


class Connection:
    """As asyncpg's, of one server."""

    def __init__(self, database: VirtualPostgres, name: str) -> None:
        self._database, self.name = database, name
        self._on_end: list[tuple[Callable[[Connection], object], Context]] = []
        self._hear: dict[str, Hear] = {}
        self._context = copy_context()  # of the server
        self._notes, self._arrived = deque[tuple[str, str]](), deque[tuple[str, str]]()
        self._bringing: asyncio.Task[Any] | None = None
        self._transaction: Transaction | None = None  # after BEGIN
        self._is_closed = False

    def is_closed(self) -> bool:
        return self._is_closed

    def terminate(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            for on_end, context in self._on_end:
                asyncio.get_running_loop().call_soon(on_end, self, context=context)
            is_cut_off = self.name in self._database.cut_off
            delay_s = IDLE_S if is_cut_off else self._database.weather.delay_s()
            at_the_database = self._database.context
            asyncio.get_running_loop().call_later(
                delay_s, self._notice_the_end, context=at_the_database
            )

    def add_termination_listener(self, on_end: Callable[[Connection], object]) -> None:
        self._on_end.append((on_end, copy_context()))

    async def add_listener(self, channel: str, hear: Hear) -> None:
        await self.fetch("select 1")
        self._hear[channel] = hear
        if self not in self._database.listeners:
            self._database.listeners.append(self)

    def note(self, channel: str, payload: str) -> None:
        """Another notification is on its way here."""
        if channel in self._hear:
            self._notes.append((channel, payload))
            if self._bringing is None or self._bringing.done():
                self._bringing = self._at_the_database(self._bring())

    async def _bring(self) -> None:
        weather = self._database.weather
        while self._notes and not self._is_closed:
            await asyncio.sleep(weather.delay_s())
            await self._database.reached(self.name)
            if weather.dice.random() < weather.unheard:
                self.terminate()
                return
            self._arrived.append(self._notes.popleft())
            asyncio.get_running_loop().call_soon(self._tell, context=self._context)

    def _tell(self) -> None:
        """What has arrived, in its order, whichever of these calls comes first."""
        while self._arrived and not self._is_closed:
            channel, payload = self._arrived.popleft()
            self._hear[channel](self, 0, channel, payload)

    def _notice_the_end(self) -> None:
        if self._transaction is not None:
            self._transaction.end(commits=False)

    def _at_the_database(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work, context=self._database.context)
        task.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody waits
        return task

    # -- statements ------------------------------------------------------------------------------

    async def fetch(self, statement: str, *values: Any) -> list[Row]:
        if self._is_closed:
            raise asyncpg.InterfaceError("connection is closed")
        database, weather = self._database, self._database.weather
        fate = weather.dice.choice(("before", "during", "after"))
        is_broken = weather.dice.random() < weather.broken
        async with asyncio.timeout(border.COMMAND_S):
            await database.reached(self.name)
            await asyncio.sleep(weather.delay_s())
            if is_broken and fate == "before":
                self._break()
            working = self._at_the_database(self._work(statement, values))
            if is_broken and fate == "during":
                await asyncio.sleep(weather.delay_s())
                self._break()
            rows: list[Row] = await asyncio.shield(working)
            await asyncio.sleep(weather.delay_s())
            await database.reached(self.name)
            if is_broken:
                self._break()
        return rows

    def _break(self) -> None:
        self.terminate()
        raise asyncpg.ConnectionDoesNotExistError("connection was closed in mid-operation")

    async def _work(self, statement: str, values: Sequence[Any]) -> list[Row]:
        database = self._database
        if (known := self._answer(statement, values)) is not None:
            return known
        transaction = self._transaction or database.begin()
        try:
            for key, is_alone in NEEDS.get(statement, _nothing)(*values):
                await transaction.lock(key, is_alone)
            await asyncio.sleep(database.weather.delay_s())
            now_s = asyncio.get_running_loop().time()
            rows = VERBS[statement](database.tables, transaction, now_s, *values)
            if self._transaction is None:
                await asyncio.sleep(database.weather.delay_s())
                transaction.end(commits=True)
            return rows
        except BaseException:
            transaction.end(commits=False)
            raise

    def _answer(self, statement: str, values: Sequence[Any]) -> list[Row] | None:
        """To what neither waits nor changes."""
        meta = self._database.tables.meta
        if statement.startswith("show "):
            name = statement.removeprefix("show ")
            return [Row({name: SETTINGS.get(name, "on")})]
        if statement == META:
            return [Row({"value": meta[values[0]]})] if values[0] in meta else []
        if statement == IS_THERE:
            return [Row({"to_regclass": values[0]})]
        if statement == TRY_LOCK:  # nothing is forgotten
            return [Row({"is_held": False})]
        if statement == "select 1":
            return [Row({"one": 1})]
        if statement not in VERBS:
            rows = self._database.index.execute(_for_sqlite(statement), values).fetchall()
            return [Row(dict(enumerate(row))) for row in rows]
        return None

    async def fetchrow(self, statement: str, *values: Any) -> Row | None:
        return next(iter(await self.fetch(statement, *values)), None)

    async def fetchval(self, statement: str, *values: Any) -> Any:
        row = await self.fetchrow(statement, *values)
        return None if row is None else row[0]

    async def execute(self, statement: str, *values: Any) -> None:
        """The schema is there already."""
        if statement == SET_META:
            self._database.tables.meta[values[0]] = values[1]

    async def executemany(self, statement: str, rows: Sequence[Any]) -> None:
        await asyncio.sleep(self._database.weather.delay_s())
        assert self._transaction is not None
        self._transaction.changes.append(
            lambda: self._database.index.executemany(_for_sqlite(statement), rows)
        )

    async def prepare(self, statement: str) -> Prepared:
        await asyncio.sleep(0)
        return Prepared(self, statement)

    def transaction(self) -> ClientTransaction:
        return ClientTransaction(self)

    # -- BEGIN and COMMIT ------------------------------------------------------------------------

    async def begin(self) -> None:
        assert self._transaction is None
        await asyncio.sleep(self._database.weather.delay_s())
        if self._is_closed:  # its end was noticed already: nobody would end the transaction
            raise asyncpg.InterfaceError("connection is closed")
        self._transaction = self._database.begin()

    async def end(self, *, commits: bool) -> None:
        """COMMIT can break like any statement."""
        if self._is_closed:
            raise asyncpg.InterfaceError("connection is closed")
        transaction, weather = self._transaction, self._database.weather
        assert transaction is not None
        is_broken = weather.dice.random() < weather.broken
        await self._database.reached(self.name)
        await asyncio.sleep(weather.delay_s())
        if self._is_closed or (is_broken and weather.dice.random() < 0.5):
            self._break()
        self._transaction = None
        transaction.end(commits=commits)
        if is_broken:
            self._break()
        await asyncio.sleep(weather.delay_s())


@dataclass
class Prepared:
    _connection: Connection
    _statement: str

    async def fetchrow(self, *values: Any) -> Row | None:
        return await self._connection.fetchrow(self._statement, *values)


@dataclass
class ClientTransaction:
    _connection: Connection
    _is_over: bool = field(default=False)

    async def start(self) -> None:
        await self._connection.begin()

    async def commit(self) -> None:
        await self._connection.end(commits=True)

    async def rollback(self) -> None:
        await self._connection.end(commits=False)

    async def __aenter__(self) -> None:
        await self.start()

    async def __aexit__(self, kind: object, *_: object) -> None:
        if kind is None:
            await self.commit()
            return
        with suppress(asyncpg.InterfaceError, asyncpg.PostgresError):
            await self.rollback()


def _nothing(*values: Any) -> list[tuple[Key, bool]]:
    return []


def _for_sqlite(statement: str) -> str:
    return re.sub(r"\$(\d+)", r"?\1", statement)


@contextmanager
def installed(database: VirtualPostgres) -> Iterator[None]:
    """Every journal that is opened meanwhile is in *database*."""
    with (
        patch.object(border, "connect", database.connect),
        patch.object(engine, "connect", database.connect),
        patch.object(bus, "connect", database.connect),
    ):
        yield


@asynccontextmanager
async def connected(database: VirtualPostgres, name: str) -> AsyncIterator[Connection]:
    """For a test."""
    connection = await database.connect("", name)
    yield connection
    connection.terminate()
