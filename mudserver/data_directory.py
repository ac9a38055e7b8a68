"""The data directory, which one process at a time may use.

Rule 1: who opens or replaces anything in it holds its lock: a running server all the time, and a
        command while no server runs.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from mudserver.errors import StartError

LOCK_FILE = "lock"


class DirectoryInUse(StartError):
    """Another server has the lock."""

    def __init__(self, directory: Path) -> None:
        super().__init__(
            f"{directory} is in use by another server: stop that one, and its standby if there is"
            " one, or choose another with --data"
        )


def open_lock_file(directory: Path, name: str) -> int:
    """A descriptor that nothing is read from or written to.  OSError: it cannot be made."""
    return os.open(directory / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def lock_directory(directory: Path) -> int:
    """Lock the directory until the descriptor is closed; a forked child does not keep the lock.

    Raises:
        DirectoryInUse: Another server uses it.
        OSError: It cannot be used.
    """
    lock = open_lock_file(directory, LOCK_FILE)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        os.close(lock)
        raise DirectoryInUse(directory) from exc
    return lock
