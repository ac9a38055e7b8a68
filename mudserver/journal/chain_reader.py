"""Verifying a stream as it is read, whole or piece by piece.

Rule 1: a piece is returned only when its chain fits the one before.
Rule 2: the chain of a trimmed stream begins at its base, and its first record replaces what was
        removed.
"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.journal.hash_chain import StoredRecord, chain_error, first_hash, verify_chain
from mudserver.journal.replacing import replaces_past

PIECE = 500  # records that are read at once, where a stream may be too long for memory

ChainRow = tuple[int, int, bytes, bytes]
"""sequence, at_ms, body, hash"""


class ChainReader:
    def __init__(self, stream: str, after: int, base: int, base_hash: bytes | None) -> None:
        """Args: after: the sequence behind which is read; base, base_hash: see `StoredStream`."""
        self._stream, self._base, self._base_hash = stream, base, base_hash
        self.after = max(after, base)  # the sequence of the last record that was taken
        self.hash = b""  # of that record; empty: nothing was taken

    def take(self, rows: Sequence[ChainRow]) -> list[StoredRecord]:
        """The next records, verified.

        Args:
            rows: In their order; the record with the sequence `after` comes first, where it is
                stored, for its hash.

        Raises:
            JournalCorruptError: See `hash_chain.verify_chain`.
        """
        is_at_base = self.after == self._base
        if is_at_base:
            previous = self._first_hash()
        else:
            if not rows or rows[0][0] != self.after or self.hash not in (b"", rows[0][3]):
                raise chain_error(self._stream, self.after, "missing")
            previous, rows = rows[0][3], rows[1:]
        records = verify_chain(self._stream, rows, self.after, previous)
        if is_at_base and self._base and records and not replaces_past(records[0].body):
            reason = "it does not replace what was removed before it"
            raise chain_error(self._stream, self._base + 1, reason)
        self.after, self.hash = (rows[-1][0], rows[-1][3]) if rows else (self.after, previous)
        return records

    def _first_hash(self) -> bytes:
        if not self._base:
            return first_hash(self._stream)
        if not isinstance(self._base_hash, bytes):
            raise chain_error(self._stream, self._base, "the hash of what was removed is missing")
        return self._base_hash
