"""How a ledger of an older server becomes one of this server.

Rule 1: a step takes schema N to N + 1 in one transaction, its number included: a crash leaves the
        one or the other, and the next start goes on from there.
Rule 2: before the first step the ledger is copied, synced, to `journal.db.v<N>.bak` beside it.  The
        copy stays until somebody removes it.  Without room for it nothing is begun.
Rule 3: a released step is never changed.  What a record says is not a schema: facts of every
        released version fold as they are (`tables/facts.py`, rule 4).
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

log = logging.getLogger(__name__)

Step = Callable[[sqlite3.Connection], object]
"""Changes tables over a connection in a transaction; neither begins nor commits."""

STEPS: tuple[Step, ...] = ()  # the first makes schema 2 of schema 1; schema 1 is still the newest
ROOM = 3  # times the ledger's size: the copy, the changed pages in the log, and these once more


def newest_schema() -> int:
    """The schema that this server reads and writes."""
    return 1 + len(STEPS)


def migrate(db: sqlite3.Connection, path: Path, version: int) -> None:
    """Take every step from *version* on.

    Args:
        db: The ledger, locked, sound, its log moved into the main file.
        path: Its file.

    Raises:
        StartError: No room for the copy; nothing was changed.
        sqlite3.Error, OSError: A step or the copy failed; that step is undone.
    """
    if version == newest_schema():
        return
    kept = _copy_before_migration(db, path, version)
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
    log.info("journal brought forward from=%s to=%s kept=%s", version, newest_schema(), kept.name)


def _copy_before_migration(db: sqlite3.Connection, path: Path, version: int) -> Path:
    """The copy of the ledger as it is."""
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
