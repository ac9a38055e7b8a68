"""The journal as the server uses it, whatever stores it.

Rule 1: a record counts when `append` has returned.  Nobody is told of it before.
Rule 2: the sequence numbers of a stream are its fence: a second writer of a stream is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from mudserver.config import schema
from mudserver.journal.hash_chain import StoredRecord


class Journal(Protocol):
    """Streams of records.  All methods belong to one event loop, except `read` (any thread)."""

    @property
    def last_alive_ms(self) -> int | None:
        """UTC time of the previous run's last heartbeat; None: there was none."""

    def reconfigure(self, config: schema.JournalConfig) -> None:
        """Apply other limits to future records."""

    # -- writing -------------------------------------------------------------------------------

    async def append(
        self, stream: str, sequence: int, body: bytes, *, closes: bool = False
    ) -> None:
        """Return when the record is durable.  Cancelling the wait does not take it back.

        Args:
            stream: `table/12`, `person/7`; at most 64 characters.
            sequence: One more than the stream's last, from 1.
            closes: This is the stream's last record.

        Raises:
            JournalWriteError: The record does not count; nobody may see it.  `read_async` tells
                whether it is stored nevertheless.
            ValueError: A wrong sequence, a closed stream, a body that is too large: a caller's
                bug.  Nothing was written.
        """

    async def write_heartbeat(self) -> None:
        """Store that the server is alive now; the next run reads it as `last_alive_ms`.

        Raises:
            JournalWriteError: It is not stored.
        """

    def queue_length(self) -> int:
        """Records that wait for the writer."""
        ...

    # -- reading -------------------------------------------------------------------------------

    def read(self, stream: str, after: int = 0) -> list[StoredRecord]:
        """The records of *stream* after sequence *after*, oldest first, their chain verified.

        Blocks on the disk: for the start of the server, and for other threads.

        Raises:
            JournalCorruptError: The stored records are not what was written.
            JournalWriteError: They cannot be read now.
        """
        ...

    async def read_async(self, stream: str, after: int = 0) -> list[StoredRecord]:
        """`read` without blocking the event loop: the truth after an append has failed."""
        ...

    def streams(self, prefix: str, is_open: bool | None = None) -> list[str]:
        """Names that begin with *prefix*, in the order of their first records."""
        ...

    def last_number(self, prefix: str) -> int:
        """The largest N of all streams `prefix` + N, open or closed; 0 if there is none."""
        ...

    # -- size, copies, the end -----------------------------------------------------------------

    def size_bytes(self) -> int:
        """The disk space of the records, as of the last heartbeat."""
        ...

    def is_full(self) -> bool:
        """Whether nothing new may begin: no table, no game, no account.  The rest goes on."""
        ...

    async def prune(self, before_ms: int) -> int:
        """Remove tables that closed before *before_ms*, UTC; returns how many.

        Raises:
            JournalWriteError: It stopped early; the tables removed until then stay removed.
        """
        ...

    async def copy(self, path: Path) -> None:
        """Copy the whole journal to *path*, which must not exist, while play goes on.

        Raises:
            JournalWriteError: The copy failed, and nothing of it is left.
        """

    async def close(self) -> None:
        """Write what waits, with a last heartbeat, and let go of the storage.  Idempotent."""
