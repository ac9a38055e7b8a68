"""Tables of the journal in PostgreSQL, and what a server demands of the database.

Rule 1: everything is in the schema `lockdown`; the first server makes it, under a lock that all
        servers take, so that two that start at once do not meet.
Rule 2: a released step of `STEPS` is never changed; a server refuses a schema newer than its own.
Rule 3: a database that may forget what it has confirmed is refused.
"""

from __future__ import annotations

import re
from typing import Any

from mudserver.clock import format_date
from mudserver.errors import DataError
from mudserver.journal.index import (
    FIRST_COUNTED,
    FIRST_TABLES,
    PARKED,
    SEASONS,
    TOURNEY_GAMES,
    create_statements,
)

SCHEMA = "lockdown"
OLDEST_POSTGRES = 140_000
LOCK = 0x4C6F636B  # "Lock", of the advisory lock

STEP_1 = """
create table meta (key text primary key, value bytea not null);

-- epoch: the fence; only its holder writes.  until: before that nobody may take the name or the
-- tables.  alive_ms: the server's own clock at its last heartbeat.  forgotten: the highest position
-- of its changes that are not kept any more.
create table server (
    name text primary key, instance uuid not null, host text not null, epoch bigint not null,
    until timestamptz not null, alive_ms bigint, forgotten bigint not null default 0);

-- first: the order of the streams.  owner: of a table, the server that plays it.  base, base_hash:
-- sequence and hash of the last record that was trimmed.  bytes: of the bodies.
create table stream (
    stream text collate "C" primary key, first bigint generated always as identity,
    last int not null, hash bytea not null, is_closed boolean not null default false,
    closed_ms bigint, owner text, base int not null default 0, base_hash bytea,
    bytes bigint not null default 0, worth smallint not null default 2,
    person text not null default '');
create index stream_owned on stream (owner) where owner is not null and not is_closed;
create index stream_closed on stream (worth, closed_ms) where is_closed and stream like 'table/%';

create table record (
    stream text collate "C", sequence int, at_ms bigint not null, body bytea not null,
    hash bytea not null, primary key (stream, sequence));

-- What streams of people have gained, in the order in which its writer has written it; only for
-- those who follow, so that old ones are removed.
create table change (
    writer text, position bigint, stream text collate "C" not null, sequence int not null,
    at timestamptz not null default now(), primary key (writer, position));

create table counter (kind text primary key, next bigint not null);
create table claim (
    kind text collate "C", key text collate "C", owner text not null, primary key (kind, key));
"""
CLAIMS_OF = "create index claim_owner on claim (owner)"  # when a table frees its seats
STEPS = (
    (STEP_1, *create_statements(FIRST_TABLES)),
    tuple(create_statements(FIRST_COUNTED)),
    (CLAIMS_OF,),
    tuple(create_statements(SEASONS)),
    tuple(create_statements(PARKED)),
    tuple(create_statements(TOURNEY_GAMES)),
)

MOVED = "moved"  # in `meta`: when the journal was moved to SQLite
ALIVE = "alive_ms"  # in `meta`: the last heartbeat before it was moved here
SET_META = "insert into meta values ($1, $2) on conflict (key) do update set value = excluded.value"

REFUSED_SETTINGS = {
    "fsync": ("off",),
    "full_page_writes": ("off",),
    "synchronous_commit": ("off", "local"),
}


async def check_database(connection: Any) -> None:
    """DataError: its settings do not keep what is promised to people [rule 3]."""
    if int(await connection.fetchval("show server_version_num")) < OLDEST_POSTGRES:
        raise DataError("journal.postgres: PostgreSQL 14 or newer is needed")
    if await connection.fetchval("show server_encoding") != "UTF8":
        raise DataError("journal.postgres: the encoding of the database has to be UTF8")
    for name, refused in REFUSED_SETTINGS.items():
        if (value := await connection.fetchval(f"show {name}")) in refused:
            raise DataError(
                f"journal.postgres: {name} is {value}, so plays could be lost: change it in"
                " postgresql.conf, or for the role"
            )


async def make_schema(connection: Any) -> None:
    """Make what is missing.  DataError: the schema is a newer server's."""
    async with connection.transaction():
        await connection.execute("select pg_advisory_xact_lock($1)", LOCK)
        await connection.execute(f"create schema if not exists {SCHEMA}")
        known = await check_version(connection)
        for step in STEPS[known:]:
            for statement in step:
                await connection.execute(statement)
        await connection.execute(SET_META, "schema", str(len(STEPS)).encode())


async def check_version(connection: Any) -> int:
    """The schema there; 0: none.  DataError: it is a newer server's."""
    known = await version(connection)
    if known > len(STEPS):
        raise DataError(
            f"journal.postgres: the journal was written by a newer server (schema {known};"
            f" this one reads 1 to {len(STEPS)}): start that one"
        )
    return known


async def version(connection: Any) -> int:
    """The schema there; 0: none."""
    if await connection.fetchval("select to_regclass($1)", f"{SCHEMA}.meta") is None:
        return 0
    return await meta_number(connection, "schema") or 0


async def moved_ms(connection: Any) -> int | None:
    """When the journal was moved to SQLite; None: it is here."""
    return await meta_number(connection, MOVED)


async def meta_number(connection: Any, key: str) -> int | None:
    """DataError: no server has written it."""
    found = await connection.fetchval("select value from meta where key = $1", key)
    if found is not None and not re.fullmatch(rb"[0-9]{1,18}", found):
        raise DataError(f"the journal in PostgreSQL is damaged: {key} in meta is no number")
    return None if found is None else int(found)


def moved_sentence(at_ms: int) -> str:
    return (
        f"this journal was moved to SQLite on {format_date(at_ms)}; use it there, or move it back"
    )
