"""Commands about what a house keeps: `backup`, `restore`, `check`.

Rule 1: a running server is asked for a copy of its ledger; the directory of one that does not run
        is locked.  Never do two programs have one ledger open.
Rule 2: nothing is packed, and nothing put back, that has not been looked at as a whole.
Rule 3: standard output says in one line what was done, standard error one line for each fault.
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

from mudserver import __version__, atomic_file, game_files
from mudserver.cli.settings import add_options, config_sources
from mudserver.clock import format_file_timestamp, wall_clock_ms
from mudserver.config import load, schema
from mudserver.errors import StartError
from mudserver.journal.inspector import open_inspector
from mudserver.journal.sqlite_journal import JOURNAL_FILE as LEDGER
from mudserver.journal.sqlite_journal import lock_directory
from mudserver.ops import backup_archive, control_socket, temp_files
from mudserver.ops.audit import AuditReport, audit_journal
from mudserver.transport.ssh import host_keys

REPORT_S = 10.0  # for the server to hear that the backup is made
HOST_KEY = host_keys.FILE_NAME
PARTS = (LEDGER, HOST_KEY)
Command = Callable[[argparse.Namespace], int]


def add(commands: Any) -> None:
    backup = commands.add_parser(
        "backup",
        help="put the journal and the host key into one file",
        description="Put the journal and the SSH host key into FILE (a tar, mode 0600), while the "
        "server runs or not.  The copy is checked first; FILE must not be there yet.",
    )
    backup.add_argument("file", type=Path, metavar="FILE")
    add_options(backup)
    backup.set_defaults(run=_cleaning_up(_backup))

    restore = commands.add_parser(
        "restore",
        help="put a backup back",
        description="Check a backup and put it into the data directory of a server that does not "
        "run.",
    )
    restore.add_argument("file", type=Path, metavar="FILE")
    restore.add_argument(
        "--replace", action="store_true", help="move aside what the directory holds already"
    )
    add_options(restore)
    restore.set_defaults(run=_cleaning_up(_restore))

    check = commands.add_parser(
        "check",
        help="look through a data directory or a backup",
        description="Look through the data directory (--data), or through the backup FILE: the "
        "database, the chain of every stream, every table, game, view and account.  Exit status "
        "1 if there is a fault.",
    )
    check.add_argument("file", nargs="?", type=Path, metavar="FILE")
    add_options(check)
    check.set_defaults(run=_cleaning_up(_check))


def _cleaning_up(run: Command) -> Command:
    """SIGTERM ends the command as Ctrl-C does: what it has laid out is removed first."""

    def tidied(options: argparse.Namespace) -> int:
        if threading.current_thread() is not threading.main_thread():
            return run(options)  # signals are somebody else's
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            return run(options)
        finally:
            signal.signal(signal.SIGTERM, before)

    return tidied


# -- backup --------------------------------------------------------------------------------------


def _backup(options: argparse.Namespace) -> int:
    wanted = load.load(config_sources(options)).config
    directory, file = Path(wanted.server.data), options.file
    if os.path.lexists(file):
        raise StartError(f"{file} is there already: choose another name")
    with _copy_of(directory) as copy:
        audit, key = _audited(copy, wanted), directory / HOST_KEY
        audit.faults += _key_faults(key)
        if audit.faults:
            return _report(f"nothing written to {file}: the house has faults", audit)
        about = {"made_ms": wall_clock_ms(), "by": f"mudserver {__version__}"}
        size_bytes = backup_archive.pack(file, {LEDGER: copy, HOST_KEY: key}, about)
    with suppress(StartError):  # for its figures; nobody may be there to count
        control_socket.send_request(directory, "backed_up", timeout_s=REPORT_S)
    return _report(f"{file} bytes={size_bytes}", audit)


@contextmanager
def _copy_of(directory: Path) -> Iterator[Path]:
    """A copy of the ledger in *directory*, which is gone afterwards."""
    copy: Path | None = None
    try:
        try:  # a server has its ledger open even if somebody has removed the file
            copy = directory / str(control_socket.send_request(directory, "copy"))
        except control_socket.ServerNotRunning:
            _check_has_journal(directory)
            with _locked(directory):
                copy = directory / f"copy-{os.getpid()}.db"
                with open_inspector(directory / LEDGER) as ledger:
                    ledger.copy(copy)
        yield copy
    finally:
        if copy is not None:
            copy.unlink(missing_ok=True)


def _check_has_journal(directory: Path) -> None:
    try:
        is_there = (directory / LEDGER).exists()
    except OSError as exc:
        raise StartError(f"{directory} cannot be read: {exc.strerror}") from None
    if not is_there:
        raise StartError(f"{directory} holds no journal: name the data directory with --data")


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """No server runs in *directory*, and none starts meanwhile."""
    try:
        lock = lock_directory(directory)
    except OSError as exc:
        raise StartError(f"{directory} cannot be used: {exc.strerror}") from None
    try:
        _chown(directory / "lock", directory.stat())
        yield
    finally:
        os.close(lock)


# -- check ---------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    wanted = load.load(config_sources(options)).config
    if options.file is not None:
        with _unpacked(options.file, options.file.parent) as parts:
            return _report(str(options.file), _audit_parts(parts, wanted, options.file))
    directory = Path(wanted.server.data)
    with _copy_of(directory) as copy:
        audit = _audited(copy, wanted)
        audit.faults += _key_faults(directory / HOST_KEY)
        return _report(str(directory), audit)


def _audit_parts(parts: Path, wanted: schema.Config, file: Path) -> AuditReport:
    """What the backup *file* holds, laid out as *parts*.  Sentences name the file."""
    try:
        audit = _audited(parts / LEDGER, wanted)
    except StartError as exc:
        raise type(exc)(str(exc).replace(str(parts / LEDGER), str(file))) from None
    audit.faults += [fault.replace(f"{parts}/", "") for fault in _key_faults(parts / HOST_KEY)]
    return audit


def _audited(ledger: Path, wanted: schema.Config) -> AuditReport:
    catalogue = game_files.load_games(wanted.games).catalogue
    with open_inspector(ledger) as inspection:
        return audit_journal(inspection, catalogue, wanted.tables)


def _key_faults(key: Path) -> list[str]:
    """Without it the house does not open.  That others can read it, a start says."""
    try:
        host_keys.load(key)
    except StartError as exc:
        return [str(exc)]
    return []


@contextmanager
def _unpacked(file: Path, beside: Path) -> Iterator[Path]:
    """A directory with the parts of a backup, gone afterwards."""
    with temp_files.temp_folder(beside) as room:
        backup_archive.unpack(file, PARTS, room)
        yield room


def _report(what: str, audit: AuditReport) -> int:
    print(f"{what} {audit}")
    for fault in audit.faults:
        print(fault, file=sys.stderr)
    return 1 if audit.faults else 0


# -- restore -------------------------------------------------------------------------------------


def _restore(options: argparse.Namespace) -> int:
    wanted = load.load(config_sources(options)).config
    file, directory = options.file, Path(wanted.server.data)
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise StartError(f"{directory} is no usable data directory: {exc.strerror}") from None
    with _locked(directory):
        held = [directory / name for name in (f"{LEDGER}-wal", *PARTS)]
        old = [path for path in held if path.exists()]
        if old and not options.replace:
            raise StartError(
                f"{directory} holds a house already: choose another with --data, or add --replace"
                " to move it aside"
            )
        temp_files.remove_stale(directory, 0.0)
        with _unpacked(file, directory) as parts:
            audit = _audit_parts(parts, wanted, file)
            if audit.faults:
                return _report(f"nothing put back: {file} has faults", audit)
            try:
                aside = _install_parts(parts, directory, old)
            except OSError as exc:
                raise StartError(f"{directory} cannot be written: {exc.strerror}") from None
    was = f" the house before is in {aside};" if aside else ""
    return _report(f"{directory} restored from {file};{was}", audit)


def _install_parts(parts: Path, directory: Path, old: list[Path]) -> Path | None:
    """Put the parts in their places; answers where the *old* ones are.

    The log goes first, for it would be taken for that of the new ledger.  The ledger takes the
    place of the old one in one step: at no moment could a server find none and begin anew.
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
        _chown(aside, owner)
    for name in reversed(PARTS):
        _chown(parts / name, owner)
        os.replace(parts / name, directory / name)
    atomic_file.fsync_path(directory)
    return aside


def _chown(path: Path, owner: os.stat_result) -> None:
    """root restores for the account that the directory belongs to."""
    if os.geteuid() == 0:
        os.chown(path, owner.st_uid, owner.st_gid)
