"""Creating and opening the file of the journal, and the sentences that say why it failed.

Rule 1: a file is created complete or not at all: under another name first.
Rule 2: nothing in a file is changed before it is known to be ours, whole, and of no newer schema.
Rule 3: every refusal is one line: the file, what is wrong, what to do.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from mudserver.atomic_file import create_exclusive, fsync_path
from mudserver.clock import format_date
from mudserver.errors import DataError, StartError
from mudserver.journal.index import create_statements
from mudserver.journal.sqlite.migrations import CLOSED_TABLE, migrate, newest_schema
from mudserver.journal.sqlite.wal_check import is_damaged

APPLICATION_ID = 0x4C6F636B  # "Lock", in the header of the file
MOVED_ID = 0x4C6F636D  # the same of a journal that is in PostgreSQL now; `moved` says since when
CHECKED_BYTES_MAX = 268_435_456  # of a file that is checked for damage at every start
WAL_BYTES_MAX = 67_108_864  # what a checkpoint leaves of the write-ahead log

SCHEMA = (  # the newest
    # head: the id of the stream's last record, 0 for none.  base, base_hash: sequence and hash of
    # the last record that `trim` removed.  bytes: of the bodies.  closed_ms: of the last record.
    # worth, person: of a closed table, see `prune.py`.
    """create table stream (
        id integer primary key, name text not null unique,
        head integer not null, is_closed integer not null,
        base integer not null default 0, base_hash blob, bytes integer not null default 0,
        closed_ms integer, worth integer not null default 2, person text not null default '')""",
    f"create index closed_table on stream (worth, closed_ms) where {CLOSED_TABLE}",
    # In the order of writing; each points to the previous record of its stream, 0 for none.  An
    # index by stream would write a page for every stream of a commit; heads share a page.
    """create table record (
        id integer primary key, previous integer not null, sequence integer not null,
        at_ms integer not null, body blob not null, hash blob not null)""",
    "create table house (only integer primary key check (only = 1), alive_ms integer)",
    "insert into house values (1, null)",
    *create_statements(),
    f"pragma application_id = {APPLICATION_ID}",
)


def create_database(path: Path) -> None:
    """Create the file if it is missing, complete or not at all."""
    if path.exists():
        return
    log = Path(f"{path}-wal")
    if log.exists():
        raise DataError(f"{path} is missing, but {log.name} is there: restore both from a backup")
    new = path.with_suffix(".new")
    make_file(new)
    os.replace(new, path)
    fsync_path(path.parent)


def make_file(new: Path) -> None:
    """Make an empty journal, in place of what an interrupted attempt has left."""
    for leftover in (new, Path(f"{new}-journal")):
        leftover.unlink(missing_ok=True)
    create_exclusive(new)
    try:
        db = sqlite3.connect(new, isolation_level=None)
        try:
            db.execute("pragma synchronous = full")
            db.execute("begin immediate")
            for statement in SCHEMA:
                db.execute(statement)
            db.execute(f"pragma user_version = {newest_schema()}")
            db.execute("commit")
        finally:
            db.close()
    except sqlite3.Error as exc:
        path = new.with_suffix(".db")
        raise StartError(f"{path} cannot be made: {error_reason(exc)}") from exc


def open_database(path: Path, *, is_start: bool) -> sqlite3.Connection:
    """Open an existing journal.  Reads come first, before anything that would change it."""
    try:
        size_bytes = path.stat().st_size
        if is_start:
            _check_permissions(path)
            check_before_open(path, size_bytes)
        # mode=rw: a missing file is an error, not a new and empty journal.
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=0,
            isolation_level=None,
            check_same_thread=False,
        )
    except (OSError, sqlite3.Error) as exc:
        raise StartError(f"{path} cannot be opened: {error_reason(exc)}") from exc
    try:
        query_value(db, "pragma locking_mode = exclusive")
        version = check_schema(db, path)
        query_value(db, "pragma journal_mode = wal")
        db.execute("pragma synchronous = full")
        query_value(db, "pragma secure_delete = on")  # what is removed must not stay in free pages
        query_value(db, f"pragma journal_size_limit = {WAL_BYTES_MAX}")
        if is_start:
            os.chmod(path, 0o600)
            if size_bytes <= CHECKED_BYTES_MAX:
                verdict = query_value(db, "pragma quick_check(1)")
                if verdict != "ok":
                    raise DataError(f"{path} is damaged: restore it from a backup")
        if query_value(db, "pragma wal_checkpoint(truncate)"):
            raise StartError(f"{path} cannot be opened: it is in use by another program")
        migrate(db, path, version)
    except (OSError, sqlite3.Error) as exc:
        db.close()
        kind = DataError if _is_permanent(exc) else StartError
        raise kind(f"{path} cannot be opened: {error_reason(exc)}") from exc
    except BaseException:  # a bug in a step, too: whoever had the journal before goes on with it
        db.close()
        raise
    return db


def _check_permissions(path: Path) -> None:
    """StartError: no permission, as after root has restored the file; SQLite blames the disk."""
    for place in (path.parent, path, Path(f"{path}-wal")):
        if place.exists() and not os.access(place, os.R_OK | os.W_OK):
            raise StartError(
                f"{place} may not be read and written: it has to belong to the account of the"
                " server, on a disk that can be written"
            )


def check_before_open(path: Path, size_bytes: int) -> None:
    """DataError: damage that SQLite does not report: it takes an empty file for a new one."""
    if not size_bytes:
        raise DataError(f"{path} is empty: restore it from a backup, or remove it")
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size <= WAL_BYTES_MAX and is_damaged(log.read_bytes()):
        raise DataError(f"{log} is damaged: restore it and {path.name} from a backup")


def check_schema(db: sqlite3.Connection, path: Path) -> int:
    """The schema version.  DataError: not a journal, or one that this server cannot read."""
    application = query_value(db, "pragma application_id")
    if application == MOVED_ID:
        raise MovedError(path, query_value(db, "select at_ms from moved"))
    if application != APPLICATION_ID:
        raise DataError(f"{path} belongs to another program: choose another data directory")
    version = int(query_value(db, "pragma user_version"))
    if not 1 <= version <= newest_schema():
        age = "an older" if version < 1 else "a newer"
        raise DataError(
            f"{path} was written by {age} server (schema {version}; this one reads 1 to"
            f" {newest_schema()}): start that one, or choose other data"
        )
    return version


class MovedError(DataError):
    """The journal is in PostgreSQL now."""

    def __init__(self, path: Path, at_ms: int) -> None:
        self.at_ms = at_ms
        super().__init__(
            f"{path}: this journal was moved to PostgreSQL on {format_date(at_ms)}; use it there,"
            " or move it back"
        )


def query_value(db: sqlite3.Connection, sql: str) -> Any:
    """The first value of the result.  Fetches all rows: an open statement holds locks."""
    return db.execute(sql).fetchall()[0][0]


_REASONS = {
    "SQLITE_NOTADB": "it is not a database",
    "SQLITE_CORRUPT": "it is damaged; restore it from a backup",
    "SQLITE_BUSY": "it is in use by another program",
    "SQLITE_FULL": "no space left on the disk",
    "SQLITE_READONLY": "it may not be written",
    "SQLITE_CANTOPEN": "it may not be opened",
}


def _is_permanent(exc: Exception) -> bool:
    """Whether the file itself is wrong, not only its surroundings at the moment."""
    return getattr(exc, "sqlite_errorname", "").startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT"))


def error_reason(exc: Exception) -> str:
    if isinstance(exc, OSError):
        return exc.strerror or str(exc)
    name = getattr(exc, "sqlite_errorname", "")  # SQLITE_IOERR_WRITE and the like
    plain = next((text for kind, text in _REASONS.items() if name.startswith(kind)), "")
    return plain or f"{exc} {name}".strip()
