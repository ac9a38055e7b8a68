"""What a standby knows of the journal before it may open it: records that are fed to it.

Rule 1: nothing is written, and the file is not touched.
Rule 2: records are kept until they have been folded.  Of each stream the sequence and the hash of
        the last one stay, so that the file can be compared with what was folded.
Rule 3: hashes are computed, not believed: `verify_chain` of the file has to come to the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mudserver.journal.chain_reader import PIECE
from mudserver.journal.claims import Claim
from mudserver.journal.hash_chain import StoredRecord, chain_error, first_hash, next_hash
from mudserver.journal.streams import TABLE_STREAMS


class FedHead(NamedTuple):
    """Where a stream ends, as far as it is known."""

    sequence: int
    hash: bytes


class FedStore:
    size_bytes = 0

    def __init__(self) -> None:
        self.heads: dict[str, FedHead] = {}  # of all streams but closed tables
        self.unfolded_bytes = 0
        self._records: dict[str, list[StoredRecord]] = {}  # that are not folded yet
        self._closed: set[str] = set()  # of these streams

    # -- what is fed -----------------------------------------------------------------------------

    def begin(self, stream: str, records: Sequence[StoredRecord], last_hash: bytes) -> None:
        """A stream, as it was read and verified by who has the file; a long one in parts.

        Args:
            last_hash: Of the last record of the last part.
        """
        if records:
            self.heads[stream] = FedHead(records[-1].sequence, last_hash)
            self._keep(stream, records)

    def add(self, stream: str, record: StoredRecord, *, closes: bool) -> None:
        """One record, just appended.  What is known already is passed over.

        Raises:
            JournalCorruptError: A record is missing before it.
        """
        head = self.heads.get(stream) or FedHead(0, first_hash(stream))
        if record.sequence <= head.sequence:
            return
        if record.sequence != head.sequence + 1:
            raise chain_error(stream, head.sequence + 1, "missing")
        digest = next_hash(head.hash, stream.encode(), *record)
        self.heads[stream] = FedHead(record.sequence, digest)
        self._keep(stream, [record])
        if closes:
            self._closed.add(stream)

    def _keep(self, stream: str, records: Sequence[StoredRecord]) -> None:
        self._records.setdefault(stream, []).extend(records)
        self.unfolded_bytes += sum(len(record.body) for record in records)

    def forget_folded(self) -> None:
        """Everything was folded: keep where the streams end, those of closed tables not."""
        for stream in self._closed:
            if TABLE_STREAMS.owns(stream):
                self.heads.pop(stream, None)
        self._closed.clear()
        self._records.clear()
        self.unfolded_bytes = 0

    # -- what is read ----------------------------------------------------------------------------

    def read(self, stream: str, after: int) -> list[StoredRecord]:
        return [record for record in self._records.get(stream, ()) if record.sequence > after]

    def read_pieces(self, stream: str, after: int) -> Iterator[list[StoredRecord]]:
        records = self.read(stream, after)
        return (records[first : first + PIECE] for first in range(0, len(records), PIECE))

    def last_sequence(self, stream: str) -> int:
        return self.heads[stream].sequence if stream in self.heads else 0

    def streams(self, prefix: str, is_open: bool | None) -> list[str]:
        """Those of which something is to be folded."""
        return [
            stream
            for stream in self._records
            if stream.startswith(prefix) and is_open in (None, stream not in self._closed)
        ]

    def last_number(self, prefix: str) -> int:
        numbers = [name.removeprefix(prefix) for name in self.heads if name.startswith(prefix)]
        return max(map(int, numbers), default=0)

    def read_last_alive_ms(self) -> int | None:
        return None

    def adopt_claims(self, claims: Iterable[Claim]) -> None:
        """Claims are adopted from the file."""
