"""`mudserver move`: the journal goes from SQLite to PostgreSQL, or back.

Rule 1: no server uses either of them, and none can start meanwhile.
Rule 2: the new journal is there whole or not at all, and only then is the former one marked.  After
        an interruption the same command ends what is left to do.
Rule 3: nothing is removed.  What was moved stays where it was, marked; coming back puts it aside.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mudserver.atomic_file import fsync_path, link_into_place
from mudserver.cli.data import check_has_journal, chown, locked, with_cleanup
from mudserver.clock import format_file_timestamp, wall_clock_ms
from mudserver.config.consistency import has_password
from mudserver.data_directory import DirectoryInUse
from mudserver.errors import DataError, StartError
from mudserver.journal import JournalInspector
from mudserver.journal.moving import compare, copy_journal, is_same, measure
from mudserver.journal.opening import require_postgres
from mudserver.journal.sqlite.database import MovedError
from mudserver.journal.sqlite.inspector import open_inspector
from mudserver.journal.sqlite.journal import JOURNAL_FILE
from mudserver.journal.sqlite.moving import leave_journal, migrate_journal, new_journal

TAKEN = "holds another journal already"


def add(commands: Any) -> None:
    move = commands.add_parser(
        "move",
        help="move the journal from SQLite to PostgreSQL, or back",
        description="Move the journal from a data directory to PostgreSQL, or back, while no "
        "server runs.  Interrupted, it has moved nothing, and can be repeated.",
    )
    for option, name in (("--from", "source"), ("--to", "target")):
        move.add_argument(
            option, dest=name, required=True, metavar="PLACE",
            help="a data directory, or an address postgresql://...",
        )  # fmt: skip
    move.set_defaults(run=with_cleanup(_move))


def _move(options: argparse.Namespace) -> int:
    source, target = options.source, options.target
    if has_password(source) or has_password(target):
        raise StartError("a password has no place in an address: use PGPASSFILE or ~/.pgpass")
    if _is_address(source) is _is_address(target):
        raise StartError(
            "one of --from and --to is a data directory, the other one an address postgresql://..."
        )
    require_postgres()
    if _is_address(target):
        said = _to_postgres(Path(source), target)
    else:
        said = _to_sqlite(source, Path(target))
    print(f"{source} moved to {target} {said}")
    return 0


def _is_address(place: str) -> bool:
    return re.match("postgres(ql)?://", place) is not None


def _to_postgres(directory: Path, address: str) -> str:
    from mudserver.journal.postgres import moving
    from mudserver.journal.postgres.inspector import PostgresInspector
    from mudserver.journal.postgres.offline import offline

    path, now_ms = directory / JOURNAL_FILE, wall_clock_ms()
    check_has_journal(directory)
    with _locked(directory):
        migrate_journal(path)
        with open_inspector(path) as source, offline(address) as db:
            is_empty, aside = moving.prepare(db, now_ms)
            if is_empty:
                copy_journal(source, moving.PostgresTarget(db))
                compare(source, PostgresInspector(db))
            elif not is_same(source, PostgresInspector(db)):
                raise StartError(f"{address} {TAKEN}: name an empty database")
            done = measure(source)
        leave_journal(path, now_ms)
    return f"{done}{f'; what was there is in the schema {aside}' if aside else ''}"


def _to_sqlite(address: str, directory: Path) -> str:
    from mudserver.journal.postgres import moving
    from mudserver.journal.postgres.inspector import PostgresInspector
    from mudserver.journal.postgres.offline import offline

    path, now_ms = directory / JOURNAL_FILE, wall_clock_ms()
    with offline(address) as db:
        db.check_is_here()
        db.hold()
        db.bury_all()
        source = PostgresInspector(db)
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as exc:
            raise StartError(f"{directory} is no usable data directory: {exc.strerror}") from None
        with _locked(directory):
            aside, has_copy = None, False
            try:
                has_copy = _has_copy(path, source)
            except MovedError as here:  # it comes back
                aside = directory / f"replaced-{format_file_timestamp(here.at_ms)}"
            if not has_copy:
                _write_file(path, source, aside)
        moving.leave_journal(db, now_ms)
        done = measure(source)
    return f"{done}{f'; what was there is in {aside}' if aside else ''}"


def _has_copy(path: Path, source: JournalInspector) -> bool:
    """Whether the copy is there.

    Raises:
        MovedError: A journal that was moved away is there.
        StartError: Another journal is there.
    """
    if not path.exists():
        if Path(f"{path}-wal").exists():
            raise DataError(f"{path} is missing, but {path.name}-wal is there: remove both")
        return False
    with open_inspector(path) as there:
        if is_same(there, source):
            return True
    raise StartError(f"{path.parent} {TAKEN}: name another directory")


def _write_file(path: Path, source: JournalInspector, aside: Path | None) -> None:
    """Put the copy into its place.  Args: aside: a folder for what is there [rule 3]."""
    new, owner = path.with_suffix(".moving"), path.parent.stat()
    try:
        with new_journal(new) as target:
            copy_journal(source, target)
        with open_inspector(new) as copy:
            compare(source, copy)
        chown(new, owner)
        if aside is not None:
            aside.mkdir(mode=0o700, exist_ok=True)
            chown(aside, owner)
            if not (aside / path.name).exists():  # an interrupted attempt has done it
                link_into_place(path, aside / path.name)
            fsync_path(aside)
        os.replace(new, path)
        fsync_path(path.parent)
    except OSError as exc:
        raise StartError(f"{path.parent} cannot be written: {exc.strerror}") from None
    finally:
        with suppress(OSError):  # it has its place, mostly; a full disk gets its room back
            new.unlink()


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    try:
        with locked(directory):
            yield
    except DirectoryInUse:
        raise StartError(f"{directory} is in use by a server: stop it first") from None
