"""Temporary files of backups, and what a killed process has left of them.

Rule 1: they have names that nothing else uses: `.mudserver-`, eight characters and `.parts` (a
        folder with the parts of a backup) or `.new` (a backup being packed).  The suffix keeps
        them apart from somebody's data directory: `.mudserver-database`.
Rule 2: files of such a name that no process can still be using are removed before new ones are
        made: they hold hidden cards and password hashes, and would fill the disk.
Rule 3: a folder that contains anything but files is left alone.
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
JOB_S_MAX = 21_600.0  # six hours: no process packs or checks a backup for longer


def unfinished_path(folder: Path) -> Path:
    """A name in *folder* for a backup that is being packed."""
    return folder / f"{PREFIX}{secrets.token_hex(4)}{NEW}"


@contextmanager
def temp_folder(beside: Path) -> Iterator[Path]:
    """A temporary folder in the directory *beside*, mode 0700."""
    try:
        folder = _make_folder(beside)
    except OSError:  # only the owner of that directory may write there
        folder = _make_folder(Path(tempfile.gettempdir()))
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_folder(beside: Path) -> str:
    remove_stale(beside)
    return tempfile.mkdtemp(PARTS, PREFIX, beside)


def remove_stale(folder: Path, job_s_max: float = JOB_S_MAX) -> None:
    """Remove stale temporary files from *folder*; ignore those that cannot be removed.

    Args:
        job_s_max: Younger files may be in use; 0.0: *folder* is ours alone.
    """
    older_than_s = wall_clock_ms() / 1000 - job_s_max if job_s_max else inf
    with suppress(OSError):
        for path in folder.iterdir():
            if NAME.fullmatch(path.name):
                with suppress(OSError):
                    _remove(path, path.lstat(), older_than_s)


def _remove(path: Path, found: os.stat_result, older_than_s: float) -> None:
    if found.st_mtime > older_than_s:
        return
    if stat.S_ISREG(found.st_mode) and path.suffix == NEW:
        path.unlink()
    elif stat.S_ISDIR(found.st_mode) and path.suffix == PARTS and _has_only_files(path):
        shutil.rmtree(path)


def _has_only_files(folder: Path) -> bool:
    with os.scandir(folder) as entries:
        return all(entry.is_file(follow_symlinks=False) for entry in entries)
