"""What the statements of `journal/postgres/` do, on tables in memory.

Rule 1: a verb reads what is committed and what its transaction keeps for itself, and leaves what it
        changes to the commit.
Rule 2: `NEEDS` names the rows that a statement keeps from others, in the order in which it takes
        them, and whether for itself alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import md5
from math import inf
from typing import Any, Protocol

from mudserver.journal.postgres import batch, bus, following, journal, reading, removing, writer
from mudserver.journal.postgres import statements as sql

Key = tuple[str, ...]
WALL_S = 10_000_000  # when the clock of the loop begins
NO_RECORD = dict.fromkeys(("sequence", "at_ms", "body", "hash"))
LAST = "select last from stream where stream = $1"


class Row(tuple[Any, ...]):
    """Values by place and by name."""

    names: tuple[Any, ...]

    def __new__(cls, values: dict[Any, Any]) -> Row:
        row = super().__new__(cls, tuple(values.values()))
        row.names = tuple(values)
        return row

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self.names.index(key) if isinstance(key, str) else key)


@dataclass
class Server:
    instance: object
    host: str
    epoch: int
    until_s: float
    alive_ms: int | None = None


@dataclass
class Stored:
    sequence: int
    at_ms: int
    body: bytes
    hash: bytes


@dataclass
class Stream:
    owner: str | None
    is_closed: bool = False
    closed_ms: int | None = None
    worth: int = 2
    person: str = ""
    records: list[Stored] = field(default_factory=list)

    @property
    def last(self) -> int:
        return self.records[-1].sequence


@dataclass
class Tables:
    meta: dict[str, bytes] = field(default_factory=dict)
    servers: dict[str, Server] = field(default_factory=dict)
    streams: dict[str, Stream] = field(default_factory=dict)
    changes: dict[str, dict[int, tuple[str, int]]] = field(default_factory=dict)
    claims: dict[tuple[str, str], str] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)
    late: list[tuple[str, str, int]] = field(default_factory=list)  # by whom it does not belong to
    notify: Callable[[str, str], None] = lambda channel, payload: None
    is_fenced: bool = True  # False: the control, without epoch and owner

    def held(self, server: str, epoch: int) -> bool:
        known = self.servers.get(server)
        return known is not None and (known.epoch == epoch or not self.is_fenced)


class Transaction(Protocol):
    changes: list[Callable[[], object]]
    claims: dict[tuple[str, str], str | None]

    def may_have(self, key: Key, is_alone: bool) -> bool: ...
    def take(self, key: Key, is_alone: bool) -> None: ...


Verb = Callable[..., list[Row]]
VERBS: dict[str, Verb] = {}
NEEDS: dict[str, Callable[..., list[tuple[Key, bool]]]] = {}


def verb(statement: str, needs: Callable[..., list[tuple[Key, bool]]] | None = None) -> Any:
    def add(function: Verb) -> Verb:
        VERBS[statement] = function
        if needs is not None:
            NEEDS[statement] = needs
        return function

    return add


def _server(name: str, *_: Any) -> list[tuple[Key, bool]]:
    return [(("server", name), True)]


def _held(name: str, *_: Any) -> list[tuple[Key, bool]]:
    return [(("server", name), False)]


def _batch(name: str, epoch: int, streams: Sequence[str], *_: Any) -> list[tuple[Key, bool]]:
    return [*_held(name), *((("stream", stream), True) for stream in sorted(set(streams)))]


def _plays(name: str, epoch: int, rows: Sequence[Sequence[Any]]) -> list[tuple[Key, bool]]:
    return _batch(name, epoch, [stream for stream, *_ in rows])


def _claims(kinds: Sequence[str], keys: Sequence[str], *_: Any) -> list[tuple[Key, bool]]:
    return [(("claim", *place), True) for place in sorted(set(zip(kinds, keys, strict=True)))]


# -- appending -----------------------------------------------------------------------------------


@verb(sql.APPEND, _batch)
def append(
    tables: Tables, transaction: Transaction, now_s: float, server: str, epoch: int,
    streams: Sequence[str], sequences: Sequence[int], times: Sequence[int],
    bodies: Sequence[bytes], hashes: Sequence[bytes], closes: Sequence[bool], position: int,
) -> list[Row]:  # fmt: skip
    if not tables.held(server, epoch):
        return [Row({"held": False, "refused": sorted(set(streams))})]
    refused, done = list[str](), list[str]()
    for stream in sorted(set(streams)):
        first = min(s for s, name in zip(sequences, streams, strict=True) if name == stream)
        (done if _fits(tables, server, stream, first) else refused).append(stream)

    def change() -> None:
        for stream in done:  # new ones are in this order
            owner = server if stream.startswith("table/") else None
            tables.streams.setdefault(stream, Stream(owner))
        for stream, sequence, at_ms, body, digest, is_last in zip(
            streams, sequences, times, bodies, hashes, closes, strict=True
        ):
            if stream not in done:
                continue
            there = tables.streams[stream]
            there.records.append(Stored(sequence, at_ms, body, digest))
            if is_last:
                there.is_closed, there.closed_ms = True, at_ms
            if there.owner not in (None, server):
                tables.late.append((server, stream, sequence))
        ends = {stream: tables.streams[stream].last for stream in done}
        shared = [stream for stream in done if not stream.startswith("table/")]
        for n, stream in enumerate(shared, 1):
            changes = tables.changes.setdefault(server, {})
            assert position + n not in changes, "the primary key of change"
            changes[position + n] = (stream, ends[stream])

    transaction.changes.append(change)
    return [Row({"held": True, "refused": refused})]


def _fits(tables: Tables, server: str, stream: str, first: int) -> bool:
    there = tables.streams.get(stream)
    if there is None:
        return first == 1
    is_own = not stream.startswith("table/") or there.owner == server or not tables.is_fenced
    return there.last == first - 1 and not there.is_closed and is_own


@verb(sql.PLAYS, _plays)
def plays(
    tables: Tables, transaction: Transaction, now_s: float, server: str, epoch: int,
    rows: Sequence[Sequence[Any]],
) -> list[Row]:  # fmt: skip
    streams, *columns = zip(*rows, strict=True)
    assert len(set(streams)) == len(streams)
    closes = [False] * len(streams)
    return append(tables, transaction, now_s, server, epoch, streams, *columns, closes, 0)


@verb(sql.HELD, _held)
def held(tables: Tables, _: Transaction, now_s: float, server: str, epoch: int) -> list[Row]:
    return [Row({"held": 1})] if tables.held(server, epoch) else []


@verb(sql.LOST)
def lost(
    tables: Tables, _: Transaction, now_s: float, server: str, epoch: int, names: Sequence[str]
) -> list[Row]:
    found = [name for name in names if name in tables.streams]
    refused = [name for name in found if tables.streams[name].owner != server]
    return [Row({"held": tables.held(server, epoch), "refused": refused})]


@verb(sql.RELEASE, _claims)
def release(
    tables: Tables, transaction: Transaction, now_s: float, *columns: Sequence[str]
) -> list[Row]:
    freed = list[Row]()
    for kind, key, owner in zip(*columns, strict=True):
        if _owner(tables, transaction, kind, key) == owner:
            transaction.claims[kind, key] = None
            freed.append(Row({"kind": kind, "key": key}))
    transaction.changes.append(lambda: _settle(tables, transaction))
    return freed


@verb(sql.TAKE, _claims)
def take(
    tables: Tables, transaction: Transaction, now_s: float, *columns: Sequence[str]
) -> list[Row]:
    taken = list[Row]()
    for kind, key, owner in sorted(set(zip(*columns, strict=True))):
        before = _owner(tables, transaction, kind, key)
        if before in (None, owner) or _has_closed(tables, before):
            transaction.claims[kind, key] = owner
            taken.append(Row({"kind": kind, "key": key}))
    transaction.changes.append(lambda: _settle(tables, transaction))
    return taken


def _owner(tables: Tables, transaction: Transaction, kind: str, key: str) -> str | None:
    return transaction.claims.get((kind, key), tables.claims.get((kind, key)))


def _has_closed(tables: Tables, owner: str | None) -> bool:
    return owner in tables.streams and tables.streams[owner].is_closed


@verb(writer.OWNER)
def owner_of(
    tables: Tables, transaction: Transaction, now_s: float, kind: str, key: str
) -> list[Row]:
    owner = _owner(tables, transaction, kind, key)
    return [] if owner is None else [Row({"owner": owner})]


def _settle(tables: Tables, transaction: Transaction) -> None:
    for place, owner in transaction.claims.items():
        if owner is None:
            tables.claims.pop(place, None)
        else:
            tables.claims[place] = owner


# -- who writes ----------------------------------------------------------------------------------


@verb(sql.OPEN, _server)
def open_server(
    tables: Tables, transaction: Transaction, now_s: float, name: str, instance: object,
    host: str, lease_s: float,
) -> list[Row]:  # fmt: skip
    before = tables.servers.get(name)
    if before is not None and before.host != host and before.until_s >= now_s:
        return []
    alive_ms = None if before is None else before.alive_ms
    epoch = 1 if before is None else before.epoch + 1
    made = Server(instance, host, epoch, now_s + lease_s, alive_ms)
    transaction.changes.append(lambda: tables.servers.update({name: made}))
    return [Row({"epoch": epoch, "alive_ms": alive_ms})]


@verb(sql.RENEW, _server)
def renew(
    tables: Tables, transaction: Transaction, now_s: float, name: str, instance: object,
    known: int, lease_s: float,
) -> list[Row]:  # fmt: skip
    server = tables.servers[name]
    if server.instance != instance or server.until_s == -inf:
        return []
    return _set(transaction, server, epoch=max(server.epoch, known) + 1, until_s=now_s + lease_s)


@verb(sql.BEAT, _server)
def beat(
    tables: Tables, transaction: Transaction, now_s: float, name: str, epoch: int,
    lease_s: float, alive_ms: int,
) -> list[Row]:  # fmt: skip
    server = tables.servers[name]
    if server.epoch != epoch:
        return []
    return _set(transaction, server, until_s=now_s + lease_s, alive_ms=alive_ms, epoch=epoch)


@verb(sql.NOT_BURIED)
def not_buried(
    tables: Tables, _: Transaction, now_s: float, name: str, instance: object
) -> list[Row]:
    server = tables.servers.get(name)
    is_there = server is not None and server.instance == instance and server.until_s != -inf
    return [Row({"one": 1})] if is_there else []


@verb(sql.LEAVE, _server)
def leave(
    tables: Tables, transaction: Transaction, now_s: float, name: str, epoch: int,
    alive_ms: int | None,
) -> list[Row]:  # fmt: skip
    server = tables.servers[name]
    if server.epoch == epoch:
        known = server.alive_ms if alive_ms is None else alive_ms
        _set(transaction, server, until_s=now_s, alive_ms=known, epoch=epoch)
    return []


@verb(sql.BURY, _server)
def bury(tables: Tables, transaction: Transaction, now_s: float, name: str) -> list[Row]:
    server = tables.servers[name]
    if not -inf < server.until_s < now_s:
        return []
    return _set(transaction, server, epoch=server.epoch + 1, until_s=-inf)


def _set(transaction: Transaction, server: Server, **fields: Any) -> list[Row]:
    transaction.changes.append(lambda: vars(server).update(fields))
    return [Row({"epoch": fields["epoch"]})]


@verb(sql.CLAIM, lambda name, epoch, gone, *_: [*_held(name), *_held(gone)])
def claim(
    tables: Tables, transaction: Transaction, now_s: float, name: str, epoch: int, gone: str,
    most: int, parts: int, part: int,
) -> list[Row]:  # fmt: skip
    dead = tables.servers[gone]
    if not tables.held(name, epoch) or dead.until_s != -inf:
        return []
    found = [
        stream
        for stream, there in tables.streams.items()
        if there.owner == gone and not there.is_closed
        and int(md5(f"{stream}{gone}{dead.epoch}".encode()).hexdigest()[:6], 16) % parts == part
        and transaction.may_have(("stream", stream), True)
    ][:most]  # fmt: skip
    return [
        Row({"stream": stream, "last": there.last, "hash": there.records[-1].hash})
        for stream, there in _own(tables, transaction, name, found)
    ]


@verb(sql.ADOPT, _held)
def adopt(
    tables: Tables, transaction: Transaction, now_s: float, name: str, epoch: int
) -> list[Row]:
    found = [
        stream
        for stream, there in tables.streams.items()
        if there.owner is None and not there.is_closed and stream.startswith("table/")
    ]
    if not tables.held(name, epoch):
        return []
    return [Row({"stream": stream}) for stream, _ in _own(tables, transaction, name, found)]


def _own(
    tables: Tables, transaction: Transaction, name: str, streams: Sequence[str]
) -> list[tuple[str, Stream]]:
    owned = [(stream, tables.streams[stream]) for stream in streams]
    for stream, there in owned:
        transaction.take(("stream", stream), True)
        transaction.changes.append(lambda there=there: setattr(there, "owner", name))  # type: ignore[misc]
    return owned


@verb(sql.GONE)
def gone(tables: Tables, _: Transaction, now_s: float, name: str, lease_s: float) -> list[Row]:
    owners = [it.owner for it in tables.streams.values() if not it.is_closed]
    alive = [it for it, server in tables.servers.items() if server.until_s > now_s]
    ranked = {"alive": len(alive), "rank": sum(it < name for it in alive)}
    found = list[Row]()
    for other, server in tables.servers.items():
        alive_s = inf if server.alive_ms is None else server.alive_ms / 1_000 - WALL_S
        ended_s = min(server.until_s, alive_s)
        is_gone = server.until_s < now_s and ended_s < now_s - lease_s
        if other != name and is_gone and other in owners:
            row = {"name": other, "alive_ms": server.alive_ms, "tables": owners.count(other)}
            found.append(Row(row | ranked))
    return found


@verb(following.LAG)
def lag(
    tables: Tables, _: Transaction, now_s: float, writers: Sequence[str], after: Sequence[int]
) -> list[Row]:
    """Times are not kept here."""
    return [Row({"lag_s": 0.0})]


@verb(sql.LIVE)
def live(tables: Tables, _: Transaction, now_s: float) -> list[Row]:
    return [
        Row({"name": name, "lease_s": server.until_s - now_s})
        for name, server in sorted(tables.servers.items())
        if server.until_s > now_s
    ]


@verb(sql.GIVE)
def give(
    tables: Tables,
    transaction: Transaction,
    now_s: float,
    name: str,
    epoch: int,
    heir: str,
    streams: Sequence[str],
) -> list[Row]:
    if not tables.held(name, epoch) or tables.servers[heir].until_s <= now_s:
        return []
    found = [
        stream
        for stream in streams
        if not tables.streams[stream].is_closed and tables.streams[stream].owner in (name, heir)
    ]
    return [Row({"stream": stream}) for stream, _ in _own(tables, transaction, heir, found)]


@verb(sql.CLOCK)
def clock(tables: Tables, _: Transaction, now_s: float) -> list[Row]:
    return [Row({"at_ms": int((WALL_S + now_s) * 1_000)})]


@verb(sql.SERVER_OF)
def server_of(tables: Tables, _: Transaction, now_s: float, stream: str) -> list[Row]:
    there = tables.streams.get(stream)
    if there is None or there.is_closed or there.owner not in tables.servers:
        return []
    is_alive = tables.servers[there.owner].until_s > now_s
    return [Row({"owner": there.owner})] if is_alive else []


@verb(sql.IS_OPEN)
def is_open(tables: Tables, _: Transaction, now_s: float, stream: str) -> list[Row]:
    there = tables.streams.get(stream)
    return [] if there is None or there.is_closed else [Row({"found": 1})]


@verb(sql.OWNER_OF)
def claim_of(tables: Tables, _: Transaction, now_s: float, kind: str, key: str) -> list[Row]:
    owner = tables.claims.get((kind, key))
    there = None if owner is None else tables.streams.get(owner)
    is_closed = there is not None and there.is_closed
    return [] if owner is None or is_closed else [Row({"owner": owner})]


@verb(removing.SERVERS)
def servers(tables: Tables, _: Transaction, now_s: float) -> list[Row]:
    return [Row({"name": name}) for name in sorted(tables.servers)]


@verb(sql.NUMBERS, lambda kind, count, lowest: [(("counter", kind), True)])
def numbers(
    tables: Tables, transaction: Transaction, now_s: float, kind: str, count: int, lowest: int
) -> list[Row]:
    first = max(tables.counters.get(kind, 0), lowest)
    transaction.changes.append(lambda: tables.counters.update({kind: first + count}))
    return [Row({"first": first})]


@verb(journal.RANK, lambda stream, *_: [(("stream", stream), True)])
def rank(
    tables: Tables, transaction: Transaction, now_s: float, stream: str, worth: int, person: str
) -> list[Row]:
    there = tables.streams.get(stream)
    if there is None or not there.is_closed:
        return []
    transaction.changes.append(lambda: vars(there).update(worth=worth, person=person))
    return [Row({"stream": stream})]


@verb(bus.NOTIFY)
def notify(
    tables: Tables, transaction: Transaction, now_s: float, channels: Sequence[str],
    payloads: Sequence[str],
) -> list[Row]:  # fmt: skip
    for told in zip(channels, payloads, strict=True):
        transaction.changes.append(partial(tables.notify, *told))
    return [Row({"pg_notify": ""}) for _ in channels]


# -- reading -------------------------------------------------------------------------------------


@verb(batch.HEADS)
def heads(tables: Tables, _: Transaction, now_s: float, names: Sequence[str]) -> list[Row]:
    found = [(name, tables.streams[name]) for name in names if name in tables.streams]
    return [
        Row({"stream": name, "last": there.last, "hash": there.records[-1].hash,
             "is_closed": there.is_closed})
        for name, there in found
    ]  # fmt: skip


@verb(writer.WRITTEN)
def written(
    tables: Tables, _: Transaction, now_s: float, streams: Sequence[str],
    sequences: Sequence[int], hashes: Sequence[bytes],
) -> list[Row]:  # fmt: skip
    return [
        Row({"stream": stream, "sequence": sequence})
        for stream, sequence, digest in zip(streams, sequences, hashes, strict=True)
        if stream in tables.streams
        and any(
            (record.sequence, record.hash) == (sequence, digest)
            for record in tables.streams[stream].records
        )
    ]


@verb(reading.READ)
def read(
    tables: Tables, _: Transaction, now_s: float, names: Sequence[str], after: Sequence[int]
) -> list[Row]:
    return [
        Row({"n": n, "stream": name, "base": 0, "base_hash": None, "last": there.last,
             "last_hash": there.records[-1].hash, **record})
        for n, (name, known) in enumerate(zip(names, after, strict=True), 1)
        if (there := tables.streams.get(name)) is not None
        for record in [vars(it) for it in there.records if it.sequence >= known] or [NO_RECORD]
    ]  # fmt: skip


@verb(reading.STREAMS)
def streams(
    tables: Tables, _: Transaction, now_s: float, first: str, end: str | None,
    is_open: bool | None, server: str,
) -> list[Row]:  # fmt: skip
    return [
        Row({"stream": name, "is_closed": there.is_closed})
        for name, there in tables.streams.items()
        if name >= first and (end is None or name < end)
        and (is_open is None or there.is_closed != is_open)
        and (there.is_closed or there.owner in (None, server) or not server)
    ]  # fmt: skip


@verb(LAST)
def last(tables: Tables, _: Transaction, now_s: float, stream: str) -> list[Row]:
    there = tables.streams.get(stream)
    return [] if there is None else [Row({"last": there.last})]


@verb(journal.LAST_NUMBER)
def last_number(
    tables: Tables, _: Transaction, now_s: float, first: str, end: str | None
) -> list[Row]:
    found = [name for name in tables.streams if name.startswith(first)]
    return [Row({"last": max((int(name[len(first) :]) for name in found), default=0)})]


@verb(journal.CLAIMED)
def claimed(
    tables: Tables, _: Transaction, now_s: float, kinds: Sequence[str], keys: Sequence[str]
) -> list[Row]:
    return [
        Row({"kind": kind, "key": key, "owner": tables.claims[kind, key]})
        for kind, key in zip(kinds, keys, strict=True)
        if (kind, key) in tables.claims
    ]


@verb(removing.SIZE)
def size(tables: Tables, _: Transaction, now_s: float) -> list[Row]:
    stored = [record for there in tables.streams.values() for record in there.records]
    return [Row({"size": sum(len(r.body) + removing.RECORD_BYTES for r in stored)})]


@verb(following.POSITIONS)
def positions(tables: Tables, _: Transaction, now_s: float) -> list[Row]:
    return [
        Row({"name": name, "position": max(tables.changes.get(name, {}), default=0)})
        for name in tables.servers
    ]


@verb(sql.FOLLOW)
def follow(
    tables: Tables, _: Transaction, now_s: float, writers: Sequence[str], after: Sequence[int]
) -> list[Row]:
    known = dict(zip(writers, after, strict=True))
    return [
        Row({"name": name, "position": position, "stream": stream, "sequence": sequence,
             "is_behind": False})
        for name in sorted(tables.servers)
        for position, (stream, sequence) in sorted(tables.changes.get(name, {}).items())
        if position > known.get(name, 0)
    ][: 1_000 * len(tables.servers)]  # fmt: skip
