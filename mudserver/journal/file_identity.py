"""Whether what lies on the disk is still what was opened.

SQLite goes on writing to a file that has lost its name, and nobody would ever find that again.
"""

from __future__ import annotations

from pathlib import Path

from mudserver.errors import JournalWriteError


class FileIdentity:
    """The file of the ledger and its write-ahead log.  Made when both are open."""

    def __init__(self, path: Path) -> None:
        self._path, self.wal_path = path, Path(f"{path}-wal")
        self._file_identity = _identity(path)
        self.refresh_wal()

    def refresh_wal(self) -> None:
        """The log may be a new one now; the file must not."""
        self._wal_identity = _identity(self.wal_path)

    def check(self) -> None:
        """JournalFailed: another file lies there than the one of the start, or none."""
        if _identity(self._path) != self._file_identity:
            raise JournalWriteError(
                f"{self._path} was removed or replaced: run mudserver backup FILE, then stop this"
                " server and restore FILE"
            )

    def is_wal_unchanged(self) -> bool:
        return _identity(self.wal_path) == self._wal_identity


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
