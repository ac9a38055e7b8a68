"""A ledger looked through from outside, for backups and for `mudserver check`.

Rule 1: nothing is written.  The file belongs to nobody meanwhile: it is a copy, or the directory
        is locked.
Rule 2: every flaw is one line, and the next thing is looked at: a check that stops at the first
        flaw leaves its operator guessing.
Rule 3: lines name streams and sequence numbers, never what a record holds.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from mudserver.durable import claimed
from mudserver.errors import JournalBroken, StartError
from mudserver.journal.chain import Stored
from mudserver.journal.opening import check_before, check_kind, reason, value
from mudserver.journal.reading import records_of

FLAWS_MAX = 100  # of one kind; a file with more is thrown away anyway
OBJECTS = {"stream", "record", "house", "sqlite_autoindex_stream_1"}
STREAM = re.compile(r"(?:table|person)/[1-9][0-9]*|house/1")


class Inspection:
    """Use `inspected`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def flaws(self) -> list[str]:
        """What is wrong with the file and its rows, whatever the records say."""
        try:
            self._check_no_view()
            return [*self._damage(), *self._strangers()]
        except sqlite3.Error as exc:
            return [f"the file cannot be read: {reason(exc)}"]

    def _check_no_view(self) -> None:
        """What is asked of a view may never be answered, so nothing else is asked."""
        if views := self._ask("select name from sqlite_master where type = 'view'"):
            raise sqlite3.DatabaseError(f"{views[0][0]} is a view")

    def _damage(self) -> Iterator[str]:
        for (line,) in self._ask(f"pragma integrity_check({FLAWS_MAX})"):
            if line != "ok":
                yield f"integrity: {' '.join(line.split())}"

    def _strangers(self) -> Iterator[str]:
        """Tables and rows that no server has written."""
        for (name,) in self._ask("select name from sqlite_master"):
            if name not in OBJECTS:
                yield f"foreign: {name} is no part of a ledger"
        for (name,) in self._ask("select name from stream order by id"):
            if not STREAM.fullmatch(name):
                yield f"foreign: a stream is called {name!r}"
        rows = value(self._db, "select count(*) from record")
        held = value(
            self._db,
            "select coalesce(sum(sequence), 0) from stream join record on record.id = head",
        )
        if rows != held:
            yield f"foreign: {rows} records, where the streams hold {held}"

    def streams(self) -> list[tuple[str, bool]]:
        """Names, and whether each is closed, in the order of their first records."""
        rows = self._ask("select name, is_closed from stream order by id")
        return [(name, bool(is_closed)) for name, is_closed in rows]

    def read(self, stream: str) -> list[Stored]:
        """The records of *stream*.  JournalBroken: its chain does not verify."""
        try:
            return records_of(self._ask, stream)
        except sqlite3.Error as exc:
            raise JournalBroken(f"journal broken stream={stream} reason={reason(exc)}") from None

    def copy(self, path: Path) -> None:
        """Copy the file to *path*, new and with mode 0600, not synced.  StartError: it cannot."""
        try:
            claimed(path)
            with closing(sqlite3.connect(path, isolation_level=None)) as copy:
                self._db.backup(copy)
        except (OSError, sqlite3.Error) as exc:
            path.unlink(missing_ok=True)
            raise StartError(f"{path} cannot be written: {reason(exc)}") from exc

    def _ask(self, question: str, values: Any = ()) -> list[Any]:
        return self._db.execute(question, values).fetchall()


@contextmanager
def inspected(path: Path) -> Iterator[Inspection]:
    """Look through the ledger in the file *path*, which nobody else has open.

    Raises:
        StartError: It cannot be opened, or is no ledger of this schema or an older one.
    """
    # A copy has no log beside it, and must get none.  One that has is read with it.
    has_log = Path(f"{path}-wal").exists()
    try:
        check_before(path, path.stat().st_size)
    except OSError as exc:
        raise StartError(f"{path} cannot be read: {exc.strerror}") from None
    mode = "mode=rw" if has_log else "mode=ro&immutable=1"
    try:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=0, isolation_level=None
        )
    except sqlite3.Error as exc:
        raise StartError(f"{path} cannot be opened: {reason(exc)}") from exc
    with closing(db):
        try:
            if has_log:
                value(db, "pragma locking_mode = exclusive")
            check_kind(db, path)
        except sqlite3.Error as exc:
            raise StartError(f"{path} cannot be opened: {reason(exc)}") from exc
        yield Inspection(db)
