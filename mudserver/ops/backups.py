"""Copies of the ledger for backups, and the backups that the server has made by itself.

Rule 1: this process copies and nothing else.  Checking and packing a copy costs a processor for a
        while, so that is the work of another process: `mudserver backup`, whoever started it.
Rule 2: a backup that failed is one line in the log and a number that grows.  Play never stops.
Rule 3: of what this schedule has made the newest `kept` stay.  Other files are never touched.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import secrets
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from mudserver import metrics
from mudserver.clock import Clock, format_file_timestamp
from mudserver.config import schema
from mudserver.config.load import ENV_PREFIX, ENV_SEPARATOR
from mudserver.errors import JournalWriteError, StartError, UserError
from mudserver.journal.sqlite_journal import JOURNAL_FILE as LEDGER
from mudserver.ops import backup_archive, temp_files

COPIES_MAX = 4  # not yet fetched, beside the ledger
RUN_S_MAX = 3_600.0  # for one backup
COPY_S_MAX = 86_400.0  # then nobody looks through it any more
RETRY_S_MAX = 3_600.0  # after one that failed
NAME = re.compile(r"mudserver-\d{8}T\d{6}Z\.tar")

log = logging.getLogger("house")


class BackupScheduler:
    def __init__(
        self, settings: schema.Config, clock: Clock, copy: Callable[[Path], Awaitable[None]]
    ) -> None:
        """Args: copy: makes a copy of the ledger at a path; JournalFailed."""
        self._directory, self._settings = Path(settings.server.data), settings.backup
        self._files = settings.games
        self._clock, self._copy = clock, copy
        self._task: asyncio.Task[None] | None = None

    async def make_copy(self) -> str:
        """A copy of the ledger; answers its file, which belongs to whoever has asked."""
        _remove([path for path in _copies(self._directory) if self._is_forgotten(path)])
        if len(_copies(self._directory)) >= COPIES_MAX:
            raise UserError(
                f"{COPIES_MAX} backups are being made: wait for one of them, or, if there are none,"
                f" remove copy-* in {self._directory}"
            )
        path = self._directory / f"copy-{secrets.token_hex(4)}.db"
        try:
            self._check_room()
            await self._copy(path)
        except (JournalWriteError, StartError) as exc:
            raise UserError(str(exc)) from None
        return path.name

    def _check_room(self) -> None:
        """StartError: the copy, and as much again for whoever plays or packs, find no room."""
        with contextlib.suppress(OSError):  # a ledger without its name: this copy is its rescue
            size_bytes = (self._directory / LEDGER).stat().st_size
            backup_archive.check_free_space(self._directory, 2 * size_bytes)

    def _is_forgotten(self, path: Path) -> bool:
        """Whoever asked for it has ended long ago, without a chance to remove it."""
        with contextlib.suppress(OSError):
            return self._clock.now_ms() / 1000 - path.stat().st_mtime > COPY_S_MAX
        return False

    def record_success(self) -> None:
        """Whoever has asked for a copy has made a backup of it, looked through and packed."""
        metrics.BACKUPS.increment("done")
        metrics.LAST_BACKUP.value = self._clock.now_ms() / 1000

    def start(self) -> None:
        """Remove what a run before has left over, and keep to the schedule if there is one."""
        _remove(_copies(self._directory))
        temp_files.remove_stale(self._directory, 0.0)
        self._begin()

    def _begin(self) -> None:
        self._task = None
        if self._settings.directory:
            self._task = asyncio.create_task(self._run(), name="backups")

    def reconfigure(self, settings: schema.Backup) -> None:
        """Another schedule.  A backup that is being made is begun again if it was not made."""
        if settings == self._settings:
            return
        if self._task is not None:
            self._task.cancel()
        self._settings = settings
        self._begin()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        """Every `every_h`, counted from the newest backup there is, so that restarts make none."""
        every_s = self._settings.every_h * 3600
        wait_s = min(every_s, 60.0)
        while True:
            await asyncio.sleep(wait_s)
            try:
                wait_s = await self._one(every_s)
            except Exception as exc:
                metrics.BACKUPS.increment("failed")
                why = str(exc) if isinstance(exc, _Failed) else getattr(exc, "strerror", None)
                log.error("backup failed dir=%s err=%s why=%r", self._settings.directory,
                          type(exc).__name__.strip("_"), why)  # fmt: skip
                wait_s = min(every_s, RETRY_S_MAX)

    async def _one(self, every_s: float) -> float:
        """Make a backup if it is time; answers the seconds until the next look."""
        folder = Path(self._settings.directory)
        path = folder / f"mudserver-{format_file_timestamp(self._clock.now_ms())}.tar"
        made, newest_s = _made(folder, path.name)
        age_s = self._clock.now_ms() / 1000 - newest_s
        if 0 <= age_s < every_s:
            return every_s - age_s
        summary = await self._packed(path)
        log.info("backup made %s", summary)
        _remove([*made, path][: -self._settings.kept])
        return every_s

    async def _packed(self, path: Path) -> str:
        """Let another process make the backup; answers its summary.  _Failed: why not."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "mudserver", "backup", str(path)),
            *("--data", str(self._directory)),
            env=_environment(os.environ, self._files),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, 10)  # people are playing meanwhile
        try:
            async with asyncio.timeout(RUN_S_MAX):
                said, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.terminate()  # it removes what it has begun
        lines = said.decode("utf-8", "replace").strip().splitlines() or [""]
        if process.returncode:
            raise _Failed(lines[-1])
        return lines[-1]


class _Failed(Exception):
    """The other process has said why."""


def _environment(ours: Mapping[str, str], files: schema.Games) -> dict[str, str]:
    """For a process that reads no configuration file: the games' own files, and no setting of
    *ours*, which may go together with the rest of the file alone.
    """
    others = {name: value for name, value in ours.items() if not name.startswith(ENV_PREFIX)}
    named = msgspec.structs.asdict(files)
    return others | {
        f"{ENV_PREFIX}GAMES{ENV_SEPARATOR}{key.upper()}": f for key, f in named.items() if f
    }


def _made(folder: Path, now: str) -> tuple[list[Path], float]:
    """The backups of this schedule, oldest first, and when the newest was made; 0: never.

    Those of a time after *now*, the name of one that is made now, are the work of a wrong clock
    and come first, or they would stay for ever and today's would go.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = [path for path in folder.iterdir() if NAME.fullmatch(path.name)]
    made.sort(key=lambda path: (path.name <= now, path.name))
    return made, made[-1].stat().st_mtime if made else 0.0


def _remove(paths: Sequence[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _copies(directory: Path) -> list[Path]:
    return [*directory.glob("copy-*.db"), *directory.glob("copy-*.db-*")]
