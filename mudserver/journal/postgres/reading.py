"""Reading streams: whole, behind a sequence, many at once; always with their chain verified."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from itertools import groupby
from typing import Any, Protocol

from mudserver.journal.hash_chain import StoredRecord, chain_error, first_hash, verify_chain
from mudserver.journal.replacing import replaces_past

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
STREAMS = """
select stream, is_closed from stream
where stream >= $1 and ($2::text is null or stream < $2)
    and ($3::bool is null or is_closed <> $3)
    and (is_closed or owner is null or owner = $4 or $4 = '')
order by first"""
"""$1 to $2: names; $3: open ones only, closed ones only, or null; $4: of open tables those of this
server, "" for all."""


class Fetches(Protocol):
    async def fetch(self, statement: str, *values: object) -> list[Any]: ...


def name_range(prefix: str) -> tuple[str, str | None]:
    """The names that begin with *prefix*: from the first to before the second; None: no end."""
    return prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else None


async def read_stream(reader: Fetches, stream: str, after: int) -> list[StoredRecord]:
    """JournalCorruptError: the chain does not verify."""
    rows = await reader.fetch(READ, [stream], [after])
    return verified(rows, after) if rows else []


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


def verified(rows: Sequence[Any], after: int) -> list[StoredRecord]:
    """The records of one stream of READ.  JournalCorruptError: they are not what was written."""
    stream, base, last = rows[0]["stream"], rows[0]["base"], rows[0]["last"]
    found = [tuple(row)[6:] for row in rows if row["sequence"] is not None]
    after = max(after, base)
    if not found or found[-1][0] != last:
        raise chain_error(stream, last, "the last record is missing")
    if found[-1][3] != rows[0]["last_hash"]:
        raise chain_error(stream, last, "it is not the record with which the stream ends")
    if after > base:
        if found[0][0] != after:
            raise chain_error(stream, after, "missing")
        return verify_chain(stream, found[1:], after, found[0][3])
    if base == 0:
        return verify_chain(stream, found, 0, first_hash(stream))
    records = verify_chain(stream, found, base, bytes(rows[0]["base_hash"] or b""))
    if not replaces_past(records[0].body):
        raise chain_error(stream, base + 1, "it does not replace what was removed before it")
    return records
