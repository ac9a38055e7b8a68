"""Reading streams: whole, in pieces, many at once; always with their chain verified."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from itertools import groupby
from typing import Any, Protocol

from mudserver.journal.chain_reader import PIECE, ChainReader
from mudserver.journal.hash_chain import StoredRecord, chain_error

READ_AT_ONCE = 200  # streams

# A stream that is not there has no row; `last` is null where a row has no record.  The record of
# sequence `after` comes along for its hash.
READ = """
select w.n, s.stream, s.base, s.base_hash, s.last, s.hash as last_hash,
       r.sequence, r.at_ms, r.body, r.hash
from unnest($1::text[], $2::int[]) with ordinality as w(stream, after, n)
join stream s on s.stream = w.stream
left join record r on r.stream = w.stream and r.sequence >= w.after
order by w.n, r.sequence"""
END = "select base, base_hash, last, hash from stream where stream = $1"
PART = """
select sequence, at_ms, body, hash from record
where stream = $1 and sequence between $2 and $3 order by sequence"""
STREAMS = """
select stream, is_closed from stream
where stream >= $1 and ($2::text is null or stream < $2)
    and ($3::bool is null or is_closed <> $3)
    and (is_closed or owner is null or owner = $4 or $4 = '')
order by first"""
"""$1 to $2: names; $3: open ones only, closed ones only, or null; $4: of open tables those of this
server, "" for all."""

NOT_THE_END = "it is not the record with which the stream ends"


class Fetches(Protocol):
    async def fetch(self, statement: str, *values: object) -> list[Any]: ...


def name_range(prefix: str) -> tuple[str, str | None]:
    """The names that begin with *prefix*: from the first to before the second; None: no end."""
    return prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else None


async def read_stream(reader: Fetches, stream: str, after: int) -> list[StoredRecord]:
    """JournalCorruptError: the chain does not verify."""
    rows = await reader.fetch(READ, [stream], [after])
    return verified(rows, after) if rows else []


async def read_pieces(
    reader: Fetches, stream: str, after: int
) -> AsyncIterator[list[StoredRecord]]:
    """The same, PIECE records at a time; none is empty."""
    pieces = Pieces(stream, after)
    pieces.begin(await reader.fetch(END, stream))
    while (wanted := pieces.wanted()) is not None:
        yield pieces.take(await reader.fetch(PART, stream, *wanted))


async def read_streams(
    reader: Fetches, names: Sequence[str], after: Callable[[str], int]
) -> AsyncIterator[tuple[str, list[StoredRecord]]]:
    """Many streams, in the order of *names*."""
    for first in range(0, len(names), READ_AT_ONCE):
        step = names[first : first + READ_AT_ONCE]
        known = [after(name) for name in step]
        rows = await reader.fetch(READ, list(step), known)
        for n, found in groupby(rows, lambda row: int(row["n"])):
            yield step[n - 1], verified(list(found), known[n - 1])


class Pieces:
    """What is asked for, with END and then PART, to read a stream in pieces."""

    def __init__(self, stream: str, after: int) -> None:
        self._stream, self._after = stream, after
        self._chain: ChainReader | None = None  # None: the stream is not there
        self._last, self._last_hash = 0, b""

    def begin(self, rows: Sequence[Any]) -> None:
        """Args: rows: the answer to END."""
        if rows:
            base, base_hash, self._last, self._last_hash = rows[0]
            self._chain = ChainReader(self._stream, self._after, base, base_hash)

    def wanted(self) -> tuple[int, int] | None:
        """The first and the last sequence for PART; None: all was read."""
        if self._chain is None or self._chain.after >= self._last:
            return None
        return self._chain.after, min(self._chain.after + PIECE, self._last)

    def take(self, rows: Sequence[Any]) -> list[StoredRecord]:
        """The next records.  JournalCorruptError: they are not what was written."""
        assert self._chain is not None
        due = min(self._chain.after + PIECE, self._last)
        records = self._chain.take([tuple(row) for row in rows])
        if self._chain.after != due:
            raise chain_error(self._stream, self._chain.after + 1, "missing")
        if due == self._last and self._chain.hash != self._last_hash:
            raise chain_error(self._stream, due, NOT_THE_END)
        return records


def verified(rows: Sequence[Any], after: int) -> list[StoredRecord]:
    """The records of one stream of READ.  JournalCorruptError: they are not what was written."""
    stream, base, last = rows[0]["stream"], rows[0]["base"], rows[0]["last"]
    found = [tuple(row)[6:] for row in rows if row["sequence"] is not None]
    if not found or found[-1][0] != last:
        raise chain_error(stream, last, "the last record is missing")
    if found[-1][3] != rows[0]["last_hash"]:
        raise chain_error(stream, last, NOT_THE_END)
    return ChainReader(stream, after, base, rows[0]["base_hash"]).take(found)
