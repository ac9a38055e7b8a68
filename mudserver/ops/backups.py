"""Journal copies for backups, and scheduled backups.

Rule 1: this process only copies.  Checking and packing a copy keeps a core busy for a while, so
        another process does it: `mudserver backup`, whoever started it.
Rule 2: a failed backup is one log line and one more in a counter.  Play never stops.
Rule 3: the newest `backup.keep` scheduled backups are kept.  Other files are never touched.
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
from mudserver.config.sources import ENV_PREFIX, ENV_SEPARATOR
from mudserver.errors import JournalWriteError, StartError, UserError
from mudserver.ops import backup_archive, temp_files

COPIES_MAX = 4  # copies in use at once
RUN_S_MAX = 3_600.0  # for one backup
COPY_S_MAX = 86_400.0  # after this a copy counts as abandoned
RETRY_S_MAX = 3_600.0  # after a failed backup
NAME = re.compile(r"mudserver-\d{8}T\d{6}Z\.tar")

log = logging.getLogger("mudserver")


class BackupScheduler:
    def __init__(
        self,
        config: schema.Config,
        clock: Clock,
        copy: Callable[[Path], Awaitable[None]],
        copy_size_bytes: Callable[[], int],
    ) -> None:
        """Args: copy, copy_size_bytes: as in `Journal`."""
        self._directory, self._config = Path(config.server.data), config.backup
        self._files = config.games
        self._clock, self._copy, self._copy_size_bytes = clock, copy, copy_size_bytes
        self._task: asyncio.Task[None] | None = None

    async def make_copy(self) -> str:
        """Copy the journal; returns the file name.  The caller owns the file and removes it."""
        _remove([path for path in _copies(self._directory) if self._is_abandoned(path)])
        if len(_copies(self._directory)) >= COPIES_MAX:
            raise UserError(
                f"{COPIES_MAX} backups are being made: wait for one of them, or, if there are none,"
                f" remove copy-* in {self._directory}",
                "limit",
            )
        path = self._directory / f"copy-{secrets.token_hex(4)}.db"
        try:
            self._check_free_space()
            await self._copy(path)
        except (JournalWriteError, StartError) as exc:
            raise UserError(str(exc)) from None
        return path.name

    def _check_free_space(self) -> None:
        """StartError: no room for the copy and as much again for play and packing."""
        with contextlib.suppress(OSError):  # unknown: the copy is tried
            backup_archive.check_free_space(self._directory, 2 * self._copy_size_bytes())

    def _is_abandoned(self, path: Path) -> bool:
        """Whether its owner must have ended without removing it."""
        with contextlib.suppress(OSError):
            return self._clock.now_ms() / 1000 - path.stat().st_mtime > COPY_S_MAX
        return False

    def record_success(self) -> None:
        """The owner of a copy has checked it and packed it into a backup."""
        metrics.BACKUPS.increment("succeeded")
        metrics.LAST_BACKUP.value = self._clock.now_ms() / 1000

    def start(self) -> None:
        """Remove what an earlier run has left behind, and start the schedule if there is one."""
        _remove(_copies(self._directory))
        temp_files.remove_stale(self._directory, 0.0)
        self._start_schedule()

    def _start_schedule(self) -> None:
        self._task = None
        if self._config.directory:
            self._task = asyncio.create_task(self._run(), name="backups")

    def reconfigure(self, config: schema.BackupConfig) -> None:
        """Apply another schedule.  A backup in progress is cancelled and started again."""
        if config == self._config:
            return
        if self._task is not None:
            self._task.cancel()
        self._config = config
        self._start_schedule()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        """Back up every `every_h`, counted from the newest backup: a restart makes no extra one."""
        every_s = self._config.every_h * 3600
        wait_s = min(every_s, 60.0)
        while True:
            await asyncio.sleep(wait_s)
            try:
                wait_s = await self._run_once(every_s)
            except Exception as exc:
                metrics.BACKUPS.increment("failed")
                reason = str(exc) if isinstance(exc, _Failed) else getattr(exc, "strerror", None)
                log.error("backup failed dir=%s err=%s reason=%r", self._config.directory,
                          type(exc).__name__.strip("_"), reason)  # fmt: skip
                wait_s = min(every_s, RETRY_S_MAX)

    async def _run_once(self, every_s: float) -> float:
        """Make a backup if it is due; returns the seconds until the next check."""
        folder = Path(self._config.directory)
        path = folder / f"mudserver-{format_file_timestamp(self._clock.now_ms())}.tar"
        made, newest_s = _existing_backups(folder, path.name)
        age_s = self._clock.now_ms() / 1000 - newest_s
        if 0 <= age_s < every_s:
            return every_s - age_s
        summary = await self._run_backup_process(path)
        log.info("backup done %s", summary)
        _remove([*made, path][: -self._config.keep])
        return every_s

    async def _run_backup_process(self, path: Path) -> str:
        """Let another process make the backup; returns its summary line.  _Failed: its error."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "mudserver", "backup", str(path)),
            *("--data", str(self._directory)),
            env=_environment(os.environ, self._files),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, 10)  # people are playing
        try:
            async with asyncio.timeout(RUN_S_MAX):
                output, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.terminate()  # it removes its temporary files
        lines = output.decode("utf-8", "replace").strip().splitlines() or [""]
        if process.returncode:
            raise _Failed(lines[-1])
        return lines[-1]


class _Failed(Exception):
    """The other process reported why."""


def _environment(ours: Mapping[str, str], files: schema.GamesConfig) -> dict[str, str]:
    """The environment of a process that reads no configuration file.

    It gets the [games] files, and no other setting of *ours*: some are valid only together with
    the rest of the file.
    """
    others = {name: value for name, value in ours.items() if not name.startswith(ENV_PREFIX)}
    named = msgspec.structs.asdict(files)
    return others | {
        f"{ENV_PREFIX}GAMES{ENV_SEPARATOR}{key.upper()}": f for key, f in named.items() if f
    }


def _existing_backups(folder: Path, now: str) -> tuple[list[Path], float]:
    """The scheduled backups, oldest first, and when the newest was made; 0: never.

    Args:
        now: The name of a backup made now.  Backups with later names come from a wrong clock.  They
            sort first; otherwise they would be kept for ever and today's removed.
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
