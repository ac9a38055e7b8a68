"""PostgreSQL for commands, which have no event loop.

Rule 1: one connection, one transaction; whatever ends the command before its end undoes it.
Rule 2: every failure is one sentence for the operator.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import asyncpg

from mudserver.errors import DataError, JournalWriteError, StartError
from mudserver.journal.postgres.connection import BROKEN, connect, drop, reason
from mudserver.journal.postgres.schema import (
    LOCK,
    STEPS,
    check_database,
    make_schema,
    moved_ms,
    moved_sentence,
    version,
)

NAME = "command"  # in `pg_stat_activity`
ALIVE = "select name from server where until > clock_timestamp() order by name"
BURY_ALL = "update server set epoch = epoch + 1, until = '-infinity'"


class Offline:
    """A connection in a transaction.  Its methods raise StartError.  Made by `offline`."""

    def __init__(self, runner: asyncio.Runner, connection: Any) -> None:
        self._runner, self._connection = runner, connection

    def run(self, what: Coroutine[Any, Any, Any]) -> Any:
        try:
            return self._runner.run(what)
        except StartError:
            raise
        except asyncpg.LockNotAvailableError:
            raise StartError(
                "PostgreSQL: a server that plays, or another command, holds the journal just now"
            ) from None
        except asyncpg.DiskFullError as exc:
            raise StartError(
                f"PostgreSQL has no room: {reason(exc)}; nothing was changed there: make room on"
                " its disk, then do the same again"
            ) from None
        except (JournalWriteError, *BROKEN) as exc:
            raise StartError(f"PostgreSQL: {reason(exc)}") from exc

    def fetch(self, statement: str, *values: object) -> list[Any]:
        rows: list[Any] = self.run(self._connection.fetch(statement, *values))
        return rows

    def value(self, statement: str, *values: object) -> Any:
        return self.run(self._connection.fetchval(statement, *values))

    def execute(self, statement: str) -> None:
        self.run(self._connection.execute(statement))

    def write(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """The same statement for each of *rows*."""
        self.run(self._connection.executemany(statement, rows))

    def copy(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Add rows to a table."""
        self.run(self._connection.copy_records_to_table(table, columns=columns, records=rows))

    # -- the journal there -----------------------------------------------------------------------

    def has_journal(self) -> bool:
        return bool(self.run(version(self._connection)))

    def make_schema(self) -> None:
        self.run(check_database(self._connection))
        self.run(make_schema(self._connection))

    def moved_ms(self) -> int | None:
        """When the journal was moved away; None: it was not."""
        found: int | None = self.run(moved_ms(self._connection))
        return found

    def check_is_here(self) -> None:
        """DataError: there is no journal of this server's schema, or it was moved away."""
        found = self.run(version(self._connection))
        if not found:
            raise DataError("there is no journal in this database")
        if found != len(STEPS):
            raise DataError(
                f"the journal in PostgreSQL has schema {found}, and this server has {len(STEPS)}:"
                " start the server once, or take the server that wrote it"
            )
        if (at_ms := self.moved_ms()) is not None:
            raise DataError(moved_sentence(at_ms))

    def hold(self) -> None:
        """Keep servers out until the end of the transaction.

        Raises:
            StartError: A server has a lease, so it plays or has died just now.
        """
        self.fetch("select pg_advisory_xact_lock($1)", LOCK)  # before the table, as a start does
        self.execute("lock table server in exclusive mode")
        if alive := [name for (name,) in self.fetch(ALIVE)]:
            raise StartError(
                f"the server {alive[0]} uses the journal in PostgreSQL: stop it first; after a"
                " crash wait until its lease has run out (journal.lease_s)"
            )

    def bury_all(self) -> None:
        """A server that was stopped and is continued writes no more."""
        self.execute(BURY_ALL)


@contextmanager
def offline(address: str, *, is_reading: bool = False) -> Iterator[Offline]:
    """A transaction; it is undone if the block raises.

    Args:
        is_reading: It sees one moment of the journal, beside servers that play.

    Raises:
        StartError: PostgreSQL cannot be reached, or a statement fails.
    """
    with asyncio.Runner() as runner:
        try:
            connection = runner.run(connect(address, NAME, is_patient=True))
        except JournalWriteError as exc:
            raise StartError(str(exc)) from None
        try:
            db = Offline(runner, connection)
            isolation = "repeatable_read" if is_reading else "read_committed"
            transaction = connection.transaction(isolation=isolation, readonly=is_reading)
            db.run(transaction.start())
            yield db
            db.run(transaction.commit())
        finally:
            drop(connection)
