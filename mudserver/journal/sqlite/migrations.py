"""Migrating a journal of an older server to this server's schema.

Rule 1: a step takes schema N to N + 1 in one transaction, its number included: a crash leaves the
        one or the other, and the next start goes on from there.
Rule 2: before the first step the journal is copied, synced, to `journal.db.v<N>.bak` beside it.
        The copy stays until an operator removes it.  Without room for it nothing begins.
Rule 3: a released step is never changed.  The content of records is not part of the schema: facts
        of every released version replay as they are (`tables/records.py`, rule 4).
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from mudserver.atomic_file import create_exclusive, fsync_path
from mudserver.errors import StartError
from mudserver.journal.index import (
    FIRST_COUNTED,
    FIRST_TABLES,
    PARKED,
    SEASONS,
    TOURNEY_GAMES,
    create_statements,
)

log = logging.getLogger(__name__)

Step = Callable[[sqlite3.Connection], object]
"""Changes tables over a connection in a transaction; neither begins nor commits."""

CLOSED_TABLE = "is_closed = 1 and name glob 'table/*'"
RECORD_BYTES = 500  # an estimate for streams of schema 1, whose sizes were not kept


def _add_bases_and_worths(db: sqlite3.Connection) -> None:
    """Schema 2: streams can be trimmed, and closed tables have a worth."""
    for column in (
        "base integer not null default 0",
        "base_hash blob",
        "bytes integer not null default 0",
        "closed_ms integer",
        "worth integer not null default 2",
        "person text not null default ''",
    ):
        db.execute(f"alter table stream add column {column}")
    last = "from record where record.id = stream.head"
    db.execute(
        f"update stream set bytes = {RECORD_BYTES} * coalesce((select sequence {last}), 0),"
        f" closed_ms = case when is_closed = 1 then (select at_ms {last}) end"
    )
    db.execute(f"create index closed_table on stream (worth, closed_ms) where {CLOSED_TABLE}")


def _add_index(db: sqlite3.Connection) -> None:
    """Schema 3: what is looked up of recorded games."""
    for statement in create_statements(FIRST_TABLES):
        db.execute(statement)


def _add_tallies(db: sqlite3.Connection) -> None:
    """Schema 4: statistics of accounts."""
    for statement in create_statements(FIRST_COUNTED):
        db.execute(statement)


def _add_seasons(db: sqlite3.Connection) -> None:
    """Schema 5: ratings of seasons."""
    for statement in create_statements(SEASONS):
        db.execute(statement)


def _add_parked(db: sqlite3.Connection) -> None:
    """Schema 6: tables that are in no server's memory."""
    for statement in create_statements(PARKED):
        db.execute(statement)


def _add_tourney_games(db: sqlite3.Connection) -> None:
    """Schema 7: which games were of which tournament."""
    for statement in create_statements(TOURNEY_GAMES):
        db.execute(statement)


STEPS: tuple[Step, ...] = (
    *(_add_bases_and_worths, _add_index, _add_tallies, _add_seasons),
    *(_add_parked, _add_tourney_games),
)
"""The first makes schema 2 of schema 1."""
ROOM = 3  # times the size: the copy, the changed pages in the log, and again in the file


def newest_schema() -> int:
    """The schema that this server reads and writes."""
    return 1 + len(STEPS)


def migrate(db: sqlite3.Connection, path: Path, version: int) -> None:
    """Take every step from *version* on.

    Args:
        db: The journal, locked and sound, its log moved into the main file.
        path: Its file.

    Raises:
        StartError: No room for the copy; nothing was changed.
        sqlite3.Error, OSError: A step or the copy failed; that step is undone.
    """
    if version == newest_schema():
        return
    copy = _copy_before_migration(db, path, version)
    for number in range(version, newest_schema()):
        db.execute("begin immediate")
        try:
            STEPS[number - 1](db)
            db.execute(f"pragma user_version = {number + 1}")
            db.execute("commit")
        except BaseException:
            if db.in_transaction:
                db.execute("rollback")
            raise
    log.info("journal migrated from=%s to=%s copy=%s", version, newest_schema(), copy.name)


def _copy_before_migration(db: sqlite3.Connection, path: Path, version: int) -> Path:
    """Copy the journal as it is; returns the file of the copy."""
    size_bytes, disk = path.stat().st_size, os.statvfs(path.parent)
    if disk.f_bavail * disk.f_frsize < ROOM * size_bytes:
        needed = ROOM * size_bytes // 1_048_576 + 1
        raise StartError(
            f"{path} is of schema {version} and has to be brought to {newest_schema()}, and there"
            f" is no room for a copy first: make {needed} MiB free on its disk"
        )
    kept, new = Path(f"{path}.v{version}.bak"), Path(f"{path}.v{version}.new")
    new.unlink(missing_ok=True)
    create_exclusive(new)
    with closing(sqlite3.connect(new, isolation_level=None)) as copy:
        db.backup(copy)
    fsync_path(new)
    os.replace(new, kept)
    fsync_path(path.parent)
    return kept
