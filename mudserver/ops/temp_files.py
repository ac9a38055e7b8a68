"""Files on the way to a backup or from one, and what a killed program has left of them.

Rule 1: all of it has a name that nobody else gives: `.mudserver-`, eight characters and `.parts`, a
        folder with parts of a backup, or `.new`, a backup that is being packed.  Without an end of
        its own the name might be that of somebody's house: `.mudserver-database`.
Rule 2: what has such a name, and nobody can be at work on, is removed before the next one is laid
        out: cards in play and password hashes are in it, and a disk is soon full of them.
Rule 3: a folder that holds anything else than files stays as it is.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path

from mudserver.clock import wall_clock_ms

PREFIX = ".mudserver-"
PARTS, NEW = ".parts", ".new"
NAME = re.compile(r"\.mudserver-[a-z0-9_]{8}\.(parts|new)")
JOB_S_MAX = 21_600.0  # six hours: nobody packs or looks through a backup for longer


def unfinished_path(folder: Path) -> Path:
    """The name in *folder* of a backup that is being packed."""
    return folder / f"{PREFIX}{secrets.token_hex(4)}{NEW}"


@contextmanager
def temp_folder(beside: Path) -> Iterator[Path]:
    """A folder in the directory *beside*, mode 0700, gone afterwards."""
    try:
        made = _made(beside)
    except OSError:  # a place for backups that only its owner writes
        made = _made(Path(tempfile.gettempdir()))
    try:
        yield Path(made)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _made(beside: Path) -> str:
    remove_stale(beside)
    return tempfile.mkdtemp(PARTS, PREFIX, beside)


def remove_stale(folder: Path, job_s_max: float = JOB_S_MAX) -> None:
    """Remove what was left in *folder*.  What cannot be removed stays: whoever packs goes on.

    Args:
        at_work_s: Younger ones may be somebody's; 0.0: *folder* is ours alone.
    """
    before_s = wall_clock_ms() / 1000 - job_s_max if job_s_max else inf
    with suppress(OSError):
        for path in folder.iterdir():
            if NAME.fullmatch(path.name):
                with suppress(OSError):
                    _remove(path, path.lstat(), before_s)


def _remove(path: Path, found: os.stat_result, before_s: float) -> None:
    if found.st_mtime > before_s:
        return
    if stat.S_ISREG(found.st_mode) and path.suffix == NEW:
        path.unlink()
    elif stat.S_ISDIR(found.st_mode) and path.suffix == PARTS and _holds_files(path):
        shutil.rmtree(path)


def _holds_files(folder: Path) -> bool:
    with os.scandir(folder) as entries:
        return all(entry.is_file(follow_symlinks=False) for entry in entries)
