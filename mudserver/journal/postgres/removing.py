"""Removing records: trimming a stream, pruning closed tables, removing closed streams; and changes
that nobody follows any more.

Rule 1: one step is one transaction that holds the row of this server, as a batch does.
Rule 2: as in SQLite, the closed table with the largest number stays.
Rule 3: the size is that of the records that are there.  PostgreSQL uses the room again, and its
        files do not shrink.
Rule 4: changes of all writers, also of servers that are gone, are removed by one server at a time.
        Those of the last hour stay, and the last 100,000 of each writer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mudserver.errors import JournalFencedError
from mudserver.journal.hash_chain import chain_error
from mudserver.journal.interface import Pruning
from mudserver.journal.postgres.connection import Reader
from mudserver.journal.postgres.statements import FORGET, HELD
from mudserver.journal.replacing import REPLACING

CHANGES_KEPT, CHANGE_S = 100_000, 3_600.0  # of one writer; for so long all of them
FORGOTTEN_MAX = 10_000  # changes of one writer in one step
FORGETTING = 0x4C6F636C  # of the advisory lock of rule 4

PRUNED_MAX = 20  # streams in one step
PRUNED_BYTES_MAX = 1_048_576  # of records in one step, beyond the first stream
RECORD_BYTES = 160  # what a record takes beside its body

SIZE = f"select coalesce(sum(bytes + {RECORD_BYTES} * (last - base)), 0)::bigint from stream"
_REPLACES = " or ".join(
    f"substr(body, 1, {len(start)}) = '\\x{start.hex()}'::bytea" for start in REPLACING
)
NEWEST = f"select max(sequence) from record where stream = $1 and ({_REPLACES})"
TRIM = "delete from record where stream = $1 and sequence < $2 returning length(body)"
BASE = "update stream set base = $2, base_hash = $3, bytes = bytes - $4 where stream = $1"

_LARGEST_NUMBER = """
stream <> (select stream from stream where stream like 'table/%'
           order by length(stream) desc, stream desc limit 1)"""
_OLD = f"""from stream where is_closed and stream like 'table/%' and worth = $1 and closed_ms < $2
and {_LARGEST_NUMBER}"""
OLDEST = f"""select stream, closed_ms, bytes {_OLD} and ($3::text is null or person = $3)
order by closed_ms limit {PRUNED_MAX} for update"""
LARGEST = f"select person {_OLD} group by person order by sum(bytes) desc limit 1"
REMOVE = """
with gone as (
    delete from stream where stream = any($1::text[]) and is_closed returning stream
), records as (
    delete from record r using gone g where r.stream = g.stream
), seats as (
    delete from claim c using gone g where c.kind = 'seat' and c.owner = g.stream
), parked_rows as (
    delete from parked p using gone g
    where p.number = case when g.stream like 'table/%' then substr(g.stream, 7)::bigint end
)
select stream from gone"""
FREE_SEATS = """
delete from claim where kind = 'seat' and owner = $1
and exists (select from stream where stream = $1 and owner = $2)"""
SERVERS = "select name from server order by name"


class Pruned(NamedTuple):
    names: list[str]
    closed_ms: int | None  # when the newest of them closed


async def hold(connection: Any, server: str, epoch: int) -> None:
    """JournalFencedError: this server was buried.  Args: connection: in a transaction."""
    if await connection.fetchval(HELD, server, epoch) is None:
        raise JournalFencedError(f"another server has taken over from {server}")


async def trim(connection: Any, stream: str) -> int:
    """See `Journal.trim`.  Args: connection: in a transaction."""
    base = await connection.fetchval("select base from stream where stream = $1 for update", stream)
    kept = await connection.fetchval(NEWEST, stream) if base is not None else None
    if kept is None or kept == base + 1:
        return 0
    digest = await connection.fetchval(
        "select hash from record where stream = $1 and sequence = $2", stream, kept - 1
    )
    sizes = [size for (size,) in await connection.fetch(TRIM, stream, kept)]
    if digest is None or len(sizes) != kept - 1 - base:
        raise chain_error(stream, base + 1, "records are missing")
    await connection.execute(BASE, stream, kept - 1, digest, sum(sizes))
    return len(sizes)


async def prune(connection: Any, what: Pruning, until_bytes: int | None) -> Pruned:
    """One step; the last one removes nothing.  Args: connection: in a transaction."""
    if until_bytes is not None and await connection.fetchval(SIZE) <= until_bytes:
        return Pruned([], None)
    person = None
    if what.is_largest_first:
        person = await connection.fetchval(LARGEST, what.worth, what.before_ms)
    names, size, closed_ms = list[str](), 0, None
    for stream, at_ms, stream_bytes in await connection.fetch(
        OLDEST, what.worth, what.before_ms, person
    ):
        size += stream_bytes
        if names and size > PRUNED_BYTES_MAX:
            break
        names.append(stream)
        closed_ms = max(at_ms, closed_ms or at_ms)
    await remove(connection, names)
    return Pruned(names, closed_ms)


async def remove(connection: Any, streams: Sequence[str]) -> None:
    """Remove those that are closed.  Args: connection: in a transaction."""
    await connection.fetch(REMOVE, list(streams))


async def forget_changes(reader: Reader) -> int:
    """One step; how many were removed [rule 4].

    Each writer has a transaction of its own: no two rows of servers are held at once, else it and
    a claim could wait for each other.
    """
    count = 0
    for (name,) in await reader.fetch(SERVERS):
        async with reader.transaction() as connection:
            if not await connection.fetchval("select pg_try_advisory_xact_lock($1)", FORGETTING):
                return count
            limits = CHANGES_KEPT, CHANGE_S, FORGOTTEN_MAX
            count += await connection.fetchval(FORGET, name, *limits)
    return count
