"""Atomic and durable file creation.

Rule 1: bytes are written under a temporary name and synced, then renamed, then the folder is
        synced; only then does the caller report success.
Source: https://man7.org/linux/man-pages/man2/fsync.2.html (a name needs an fsync of its folder).
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS)


def create_exclusive(path: Path) -> None:
    """Create an empty file with mode 0600.  FileExistsError: the name is taken."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def write_exclusive(path: Path, data: bytes) -> None:
    """Create a file with mode 0600 and this content.  FileExistsError: the name is taken."""
    create_exclusive(path)
    path.write_bytes(data)
    fsync_path(path)


def fsync_path(path: Path) -> None:
    """Sync a file, or the names in a folder.  OSError: they may not be on disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def link_into_place(new: Path, path: Path) -> None:
    """Give the file *new* the name *path*, too or instead.  FileExistsError: the name is taken."""
    try:
        os.link(new, path)  # unlike rename, never replaces a file or a dangling link
    except OSError as exc:
        if exc.errno not in NO_LINKS or os.path.lexists(path):
            raise
        os.rename(new, path)  # file systems without hard links: USB sticks, network shares
