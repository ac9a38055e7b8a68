"""A SQLite database of this process alone, for what would take much memory.

Rule 1: it holds only what follows from the journal.  Its file has no name, so the system frees it
        when the process ends, however that ends.
Rule 2: CACHE_KIB of it are in memory.  It answers at once: no disk is waited for but the one of
        the file, and of that the kernel has in memory what it has room for.
Rule 3: where no file can be made, or where it cannot grow (a full disk), all is in memory from
        then on, and the log says so.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
from collections.abc import Sequence
from typing import Any

CACHE_KIB = 1_024
FOLDER = "/var/tmp"  # /tmp is memory on some systems
SETTINGS = (
    "pragma locking_mode = exclusive",
    "pragma journal_mode = memory",  # so what could not be written is undone
    "pragma synchronous = off",
    f"pragma cache_size = -{CACHE_KIB}",
)

Change = tuple[str, Sequence[Sequence[object]]]
"""A statement, and the values for each time that it is executed."""

log = logging.getLogger(__name__)


class TemporaryDatabase:
    def __init__(self) -> None:
        try:
            self._db = _in_a_file()
        except (OSError, sqlite3.Error) as exc:
            self._db = _in_memory(exc)

    def rows(self, sql: str, *values: object) -> list[Any]:
        """What a query finds: a tuple for each row."""
        return self._db.execute(sql, values).fetchall()

    def column(self, sql: str, *values: object) -> list[Any]:
        """The first value of each row."""
        return [row[0] for row in self._db.execute(sql, values)]

    def value(self, sql: str, *values: object) -> Any:
        """The first value of the first row; None: there is none."""
        found = self.column(sql, *values)
        return found[0] if found else None

    def write(self, *changes: Change) -> None:
        """Write all of this, in one transaction."""
        try:
            self._write(changes)
        except sqlite3.OperationalError as exc:
            memory = _in_memory(exc)
            self._db.backup(memory)
            self._db.close()
            self._db = memory
            self._write(changes)

    def _write(self, changes: Sequence[Change]) -> None:
        self._db.execute("begin")
        try:
            for sql, values in changes:
                self._db.executemany(sql, values)
            self._db.execute("commit")
        finally:
            if self._db.in_transaction:
                self._db.execute("rollback")


def _in_a_file() -> sqlite3.Connection:
    """OSError, sqlite3.Error: it cannot be made."""
    handle, path = _made()
    os.close(handle)
    try:
        db = sqlite3.connect(path, isolation_level=None)
        for sql in SETTINGS:
            db.execute(sql)
        db.execute("pragma user_version = 1")  # from here on it needs no name
    finally:
        os.unlink(path)
    return db


def _made() -> tuple[int, str]:
    try:
        return tempfile.mkstemp(prefix="mudserver-", dir=os.environ.get("TMPDIR") or FOLDER)
    except OSError:
        return tempfile.mkstemp(prefix="mudserver-")


def _in_memory(why: Exception) -> sqlite3.Connection:
    log.warning("no temporary file, parked tables are in memory err=%s", why)
    return sqlite3.connect(":memory:", isolation_level=None)
