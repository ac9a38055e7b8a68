"""Files that are there whole, and still there after a power cut, or not there at all.

Rule 1: bytes are written under another name and synced, then named, then the folder is synced; only
        then is anybody told.
Source: https://man7.org/linux/man-pages/man2/fsync.2.html (a name needs its folder's fsync).
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS)


def create_exclusive(path: Path) -> None:
    """Make the file, new, empty and its owner's alone.  FileExistsError: the name is taken."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def fsync_path(path: Path) -> None:
    """A file, or the names in a folder.  OSError: they may not be on the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def link_into_place(new: Path, path: Path) -> None:
    """Give the file *new* the name *path*, too or instead.  FileExistsError: it is taken."""
    try:
        os.link(new, path)  # unlike a rename, never over another file or a link that leads nowhere
    except OSError as exc:
        if exc.errno not in NO_LINKS or os.path.lexists(path):
            raise
        os.rename(new, path)  # a stick, a share: they know no second name for a file
