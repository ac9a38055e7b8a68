"""Commands about stored data: `backup`, `restore`, `check`.

Rule 1: a running server is asked for a copy of its journal; if none runs, its data directory is
        locked.  Two processes never have one journal open.
Rule 2: data is checked completely before it is packed or restored.
Rule 3: standard output says in one line what was done, standard error has one line for each fault.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mudserver import atomic_file, game_files
from mudserver.cli.config import add_options, config_sources
from mudserver.clock import format_file_timestamp, wall_clock_ms
from mudserver.config import load, schema
from mudserver.data_directory import LOCK_FILE, lock_directory
from mudserver.errors import StartError
from mudserver.journal import JournalInspector
from mudserver.journal.opening import require_postgres
from mudserver.journal.sqlite.inspector import open_inspector
from mudserver.journal.sqlite.journal import JOURNAL_FILE
from mudserver.ops import backup_archive, control_socket, temp_files
from mudserver.ops.journal_audit import AuditReport, audit_journal
from mudserver.transport.ssh import host_keys
from mudserver.version import version

REPORT_S = 10.0  # to tell the server that the backup is done
HOST_KEY = host_keys.FILE_NAME
PARTS = {  # of a backup, with the most bytes of each
    JOURNAL_FILE: sys.maxsize,  # the size of the archive bounds it
    HOST_KEY: host_keys.FILE_BYTES_MAX,
}
Command = Callable[[argparse.Namespace], int]
IN_POSTGRES = "the journal is in PostgreSQL, with its own backups: see docs/hosting-many.md"


def add(commands: Any) -> None:
    backup = commands.add_parser(
        "backup",
        help="write the journal and the host key into one file",
        description="Write the journal and the SSH host key into FILE (a tar, mode 0600), whether "
        "the server runs or not.  The data is checked first; FILE must not exist yet.",
    )
    backup.add_argument("file", type=Path, metavar="FILE")
    add_options(backup)
    backup.set_defaults(run=with_cleanup(_backup))

    restore = commands.add_parser(
        "restore",
        help="restore a backup",
        description="Check a backup and restore it into the data directory.  The server must not "
        "run.",
    )
    restore.add_argument("file", type=Path, metavar="FILE")
    restore.add_argument(
        "--replace", action="store_true", help="move the data that is already there aside"
    )
    add_options(restore)
    restore.set_defaults(run=with_cleanup(_restore))

    check = commands.add_parser(
        "check",
        help="check a data directory or a backup",
        description="Check the journal of the data directory (--data) or in PostgreSQL, or the "
        "backup FILE: the database, the hash chain of every stream, every table, game, view and "
        "account.  Exit status 1 if there is a fault.",
    )
    check.add_argument("file", nargs="?", type=Path, metavar="FILE")
    add_options(check)
    check.set_defaults(run=with_cleanup(_check))


def with_cleanup(run: Command) -> Command:
    """Let SIGTERM end the command as Ctrl-C does: temporary files are removed first."""

    def run_with_sigterm(options: argparse.Namespace) -> int:
        if threading.current_thread() is not threading.main_thread():
            return run(options)  # only the main thread may set signal handlers
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            return run(options)
        finally:
            signal.signal(signal.SIGTERM, before)

    return run_with_sigterm


# -- backup --------------------------------------------------------------------------------------


def _backup(options: argparse.Namespace) -> int:
    config = load.load(config_sources(options)).config
    directory, file = Path(config.server.data), options.file
    if config.journal.postgres:
        raise StartError(IN_POSTGRES)
    if os.path.lexists(file):
        raise StartError(f"{file} exists already: choose another name")
    with journal_copy(directory) as copy:
        audit, key = _audit(copy, config), directory / HOST_KEY
        audit.faults += _key_faults_in(directory)
        if audit.faults:
            return _report(f"backup not written to {file}: the data has faults", audit)
        about: dict[str, Any] = {"made_ms": wall_clock_ms(), "by": f"mudserver {version()}"}
        parts = {JOURNAL_FILE: copy, HOST_KEY: key}
        if not key.exists():  # the doors have it
            del parts[HOST_KEY]
            about["absent"] = [HOST_KEY]
        size_bytes = backup_archive.pack(file, parts, about)
    with suppress(StartError):  # only for its metrics; there may be no server
        control_socket.send_request(directory, "backup_done", timeout_s=REPORT_S)
    return _report(f"{file} bytes={size_bytes}", audit)


@contextmanager
def journal_copy(directory: Path) -> Iterator[Path]:
    """A temporary copy of the journal in *directory*."""
    copy: Path | None = None
    try:
        try:  # a running server has its journal open even if somebody has removed the file
            copy = directory / str(control_socket.send_request(directory, "backup_copy"))
        except control_socket.ServerNotRunning:
            check_has_journal(directory)
            with locked(directory):
                copy = directory / f"copy-{os.getpid()}.db"
                with open_inspector(directory / JOURNAL_FILE) as journal:
                    journal.copy(copy)
        yield copy
    finally:
        if copy is not None:
            copy.unlink(missing_ok=True)


def check_has_journal(directory: Path) -> None:
    try:
        is_there = (directory / JOURNAL_FILE).exists()
    except OSError as exc:
        raise StartError(f"{directory} cannot be read: {exc.strerror}") from None
    if not is_there:
        raise StartError(f"{directory} holds no journal: name the data directory with --data")


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Lock *directory*: no server runs in it, and none can start meanwhile."""
    try:
        lock = lock_directory(directory)
    except OSError as exc:
        raise StartError(f"{directory} cannot be used: {exc.strerror}") from None
    try:
        chown(directory / LOCK_FILE, directory.stat())
        yield
    finally:
        os.close(lock)


# -- check ---------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    config = load.load(config_sources(options)).config
    if options.file is not None:
        with _unpack(options.file, options.file.parent) as parts:
            return _report(str(options.file), _audit_parts(parts, config, options.file))
    directory = Path(config.server.data)
    with open_journal(config) as (what, journal):
        audit = _audit_journal(journal, config)
        audit.faults += _key_faults_in(directory)
        return _report(what, audit)


@contextmanager
def open_journal(config: schema.Config) -> Iterator[tuple[str, JournalInspector]]:
    """What the journal of the settings holds now, with its place; a server may play meanwhile."""
    if config.journal.postgres:
        require_postgres()
        from mudserver.journal.postgres import inspector

        with inspector.open_inspector(config.journal.postgres) as journal:
            yield config.journal.postgres, journal
        return
    directory = Path(config.server.data)
    with journal_copy(directory) as copy, open_inspector(copy) as journal:
        yield str(directory), journal


def _audit_parts(parts: Path, config: schema.Config, file: Path) -> AuditReport:
    """Audit the unpacked *parts* of the backup *file*; sentences name the file."""
    try:
        audit = _audit(parts / JOURNAL_FILE, config)
    except StartError as exc:
        raise type(exc)(str(exc).replace(str(parts / JOURNAL_FILE), str(file))) from None
    if (parts / HOST_KEY).exists():  # else the doors had it
        audit.faults += [fault.replace(f"{parts}/", "") for fault in _key_faults(parts / HOST_KEY)]
    return audit


def _audit(journal: Path, config: schema.Config) -> AuditReport:
    with open_inspector(journal) as inspection:
        return _audit_journal(inspection, config)


def _audit_journal(journal: JournalInspector, config: schema.Config) -> AuditReport:
    catalogue = game_files.load_games(config.games).catalogue
    return audit_journal(journal, catalogue, config.tables)


def _key_faults_in(directory: Path) -> list[str]:
    """The same of a data directory, which has no key where the doors have it."""
    if not (directory / HOST_KEY).exists() and host_keys.door_key(directory):
        return []
    return _key_faults(directory / HOST_KEY)


def _key_faults(key: Path) -> list[str]:
    """What is wrong with the host key, except its mode: the start of the server checks that."""
    try:
        host_keys.load(key)
    except StartError as exc:
        return [str(exc)]
    return []


@contextmanager
def _unpack(file: Path, beside: Path) -> Iterator[Path]:
    """A temporary directory with the parts of a backup."""
    with temp_files.temp_folder(beside) as folder:
        backup_archive.unpack(file, PARTS, folder, may_lack=(HOST_KEY,))
        yield folder


def _report(what: str, audit: AuditReport) -> int:
    print(f"{what} {audit}")
    for fault in audit.faults:
        print(fault, file=sys.stderr)
    return 1 if audit.faults else 0


# -- restore -------------------------------------------------------------------------------------


def _restore(options: argparse.Namespace) -> int:
    config = load.load(config_sources(options)).config
    file, directory = options.file, Path(config.server.data)
    if config.journal.postgres:
        raise StartError(IN_POSTGRES)
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise StartError(f"{directory} is no usable data directory: {exc.strerror}") from None
    with locked(directory):
        present = [directory / name for name in (f"{JOURNAL_FILE}-wal", *PARTS)]
        old = [path for path in present if path.exists()]
        if old and not options.replace:
            raise StartError(
                f"{directory} already holds data: choose another directory with --data, or add"
                " --replace to move the data aside"
            )
        temp_files.remove_stale(directory, 0.0)
        with _unpack(file, directory) as parts:
            audit = _audit_parts(parts, config, file)
            if audit.faults:
                return _report(f"nothing restored: {file} has faults", audit)
            has_key = (parts / HOST_KEY).exists()
            try:
                aside = _install_parts(parts, directory, old)
            except OSError as exc:
                raise StartError(f"{directory} cannot be written: {exc.strerror}") from None
    note = f" previous data moved to {aside};" if aside else ""
    if not has_key:
        note += " the host key is that of the doors;"
    return _report(f"{directory} restored from {file};{note}", audit)


def _install_parts(parts: Path, directory: Path, old: list[Path]) -> Path | None:
    """Move the parts into place; returns the folder with the *old* ones.

    The write-ahead log goes first: it would be taken for that of the new journal.  The journal
    replaces the old one in one step, so that a server never finds none and begins anew.
    """
    aside = directory / f"replaced-{format_file_timestamp(wall_clock_ms())}" if old else None
    owner = directory.stat()
    if aside is not None:
        aside.mkdir(mode=0o700)
        for path in old:
            if path.name in PARTS:
                os.link(path, aside / path.name)
            else:
                os.replace(path, aside / path.name)
        atomic_file.fsync_path(aside)
        chown(aside, owner)
    for name in (HOST_KEY, JOURNAL_FILE):
        if not (parts / name).exists():
            continue  # the key is with the doors; what is here stays
        chown(parts / name, owner)
        os.replace(parts / name, directory / name)
    atomic_file.fsync_path(directory)
    return aside


def chown(path: Path, owner: os.stat_result) -> None:
    """When root restores, give the file to the owner of the directory."""
    if os.geteuid() == 0:
        os.chown(path, owner.st_uid, owner.st_gid)
