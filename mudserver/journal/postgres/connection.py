"""Connections to PostgreSQL: the border to asyncpg.

Rule 1: whatever asyncpg raises means that the statement may or may not have been carried out; the
        connection is closed and not used again.  Beyond this border it is a JournalWriteError.
Rule 2: every wait ends: for the connection, for a statement, for a lock.
Rule 3: no password stands in the settings; PGPASSFILE and `~/.pgpass` have it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg

from mudserver.errors import JournalWriteError
from mudserver.journal.postgres.schema import SCHEMA

CONNECT_S, COMMAND_S = 5.0, 15.0
SETTINGS = {
    "search_path": SCHEMA,
    "statement_timeout": "10s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "10s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "jit": "off",  # a batch is planned as if it were large
}
BROKEN = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""What asyncpg raises; the third one when PostgreSQL ends a connection in mid-command."""
REPEATED = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
"""Nothing was written, and the same may be tried again at once."""


async def connect(address: str, name: str, *, is_patient: bool = False) -> Any:
    """Connect.

    Args:
        name: Shown in `pg_stat_activity`.
        is_patient: A statement and a transaction may take as long as they take.

    Raises:
        JournalWriteError: It cannot be reached.
    """
    settings = {**SETTINGS, "application_name": f"mudserver {name}"}
    if is_patient:
        settings |= {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}
    limit_s = None if is_patient else COMMAND_S
    try:
        return await asyncpg.connect(
            address, timeout=CONNECT_S, command_timeout=limit_s, server_settings=settings
        )
    except Exception as exc:
        raise JournalWriteError(f"PostgreSQL cannot be reached: {reason(exc)}") from exc


def reason(exc: BaseException) -> str:
    """One line for operators."""
    if isinstance(exc, TimeoutError) and not str(exc):
        return "it does not answer"
    return " ".join(str(exc).split()) or type(exc).__name__


def drop(connection: Any) -> None:
    """Close at once, without a word to the server."""
    if connection is not None and not connection.is_closed():
        connection.terminate()


class Connector:
    """Whoever waits while somebody else tries to connect in vain has tried it, too: else each of
    many would wait for its own attempt, one behind the other."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._failures = 0
        self._last: JournalWriteError | None = None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """One at a time.  JournalWriteError: somebody else has tried meanwhile."""
        failures = self._failures
        async with self._lock:
            if self._failures != failures and self._last is not None:
                raise JournalWriteError(str(self._last)) from self._last
            yield

    async def connect(self, address: str, name: str) -> Any:
        """As `connect`, in one's turn."""
        try:
            return await connect(address, name)
        except JournalWriteError as exc:
            self._failures, self._last = self._failures + 1, exc
            raise


class Reader:
    """One connection for everything but appends; one statement at a time."""

    def __init__(self, address: str, name: str) -> None:
        self._address, self._name = address, name
        self._connection: Any = None
        self._connector = Connector()

    async def fetch(self, statement: str, *values: object) -> list[Any]:
        """All rows.  Only for what may be carried out twice: a lost connection is made again.

        Raises:
            JournalWriteError: It cannot be done now.
        """
        async with self._connector.turn():
            is_old = self._connection is not None
            try:
                return await self._fetch(statement, values)
            except JournalWriteError as exc:
                if not is_old or isinstance(exc.__cause__, TimeoutError):
                    raise
            return await self._fetch(statement, values)

    async def fetch_once(self, statement: str, *values: object) -> list[Any]:
        """All rows.  JournalWriteError: it may or may not have been carried out."""
        async with self._connector.turn():
            return await self._fetch(statement, values)

    async def _fetch(self, statement: str, values: tuple[object, ...]) -> list[Any]:
        connection = await self._connected()
        try:
            rows: list[Any] = await connection.fetch(statement, *values)
        except BaseException as exc:
            self._drop()
            if not isinstance(exc, Exception):
                raise
            raise JournalWriteError(f"PostgreSQL: {reason(exc)}") from exc
        return rows

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Any]:
        """The connection, in a transaction; it is undone if the block raises."""
        async with self._connector.turn():
            await self._fetch("select 1", ())  # it lives
            connection = self._connection
            try:
                async with connection.transaction():
                    yield connection
            except BROKEN as exc:
                self._drop()
                raise JournalWriteError(f"PostgreSQL: {reason(exc)}") from exc
            except asyncio.CancelledError:
                self._drop()
                raise

    async def _connected(self) -> Any:
        if self._connection is None or self._connection.is_closed():
            self._connection = await self._connector.connect(self._address, self._name)
        return self._connection

    def _drop(self) -> None:
        drop(self._connection)
        self._connection = None

    async def close(self) -> None:
        with suppress(JournalWriteError):
            async with self._connector.turn():
                pass
        self._drop()
