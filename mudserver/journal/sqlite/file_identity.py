"""Whether the file on the disk is still the file that was opened.

SQLite goes on writing to a file that has lost its name.  After a restart those records are gone.
"""

from __future__ import annotations

from pathlib import Path

from mudserver.errors import JournalWriteError


class FileIdentity:
    """The file of the journal and its write-ahead log.  Make it when both are open."""

    def __init__(self, path: Path) -> None:
        self._path, self.wal_path = path, Path(f"{path}-wal")
        self._file_identity = _identity(path)
        self.refresh_wal()

    def refresh_wal(self) -> None:
        """Note the write-ahead log anew, which may be another file now; the main file may not."""
        self._wal_identity = _identity(self.wal_path)

    def check(self) -> None:
        """JournalWriteError: the file of the start was replaced or removed."""
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
