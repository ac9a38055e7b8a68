"""What stands against a server in this database, before one is started.

Rule 1: a fault is what a server would refuse, or could not play with; each is one sentence that
        says what would be right.  A note is what an operator should know.
Rule 2: nothing is changed there: the schema is made by the first server.
"""

from __future__ import annotations

import asyncio
from typing import Any

from mudserver.config import schema
from mudserver.errors import JournalWriteError, StartError
from mudserver.journal.postgres.connection import connect, drop, reason
from mudserver.journal.postgres.schema import (
    SCHEMA,
    check_database,
    check_version,
    moved_ms,
    moved_sentence,
)

NAME = "check-config"  # in `pg_stat_activity`
CHANNEL = "lockdown_check"
NOTIFIED_S = 3.0
CONNECTIONS = 6  # free: those of a server, and as many for its next start and the commands
ROOM = """
with used as (
    select count(*) as by_all, count(*) filter (where usename = current_user) as by_role,
           count(*) filter (where datname = current_database()) as here
    from pg_stat_activity where datname is not null
)
select least(
    current_setting('max_connections')::int - by_all
        - current_setting('superuser_reserved_connections')::int,
    nullif((select rolconnlimit from pg_roles where rolname = current_user), -1) - by_role,
    nullif((select datconnlimit from pg_database where datname = current_database()), -1) - here
) from used"""
NO_RIGHT = f"""
select relname from pg_class
where relnamespace = to_regnamespace('{SCHEMA}') and relkind in ('r', 'p')
    and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
             and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
order by relname limit 1"""
READ_ONLY = "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool"
MAY_LOSE = (
    "after a failover to an asynchronous standby acknowledged plays of the last moments can be"
    " lost; to prevent it set synchronous_standby_names, and synchronous_commit to on"
)


async def examine(config: schema.JournalConfig) -> tuple[list[str], list[str]]:
    """Faults and notes."""
    try:
        connection = await connect(config.postgres, NAME)
    except JournalWriteError as exc:
        return [f"journal.postgres: {exc}"], []
    faults = list[str]()
    try:
        for check in (check_database, _check_room, _check_journal):
            try:
                await check(connection)
            except StartError as exc:
                faults.append(str(exc))
        await _check_notifications(connection, config.postgres)
        return faults, await _notes(connection)
    except StartError as exc:
        return [*faults, str(exc)], []
    except Exception as exc:
        return [*faults, f"journal.postgres: {reason(exc)}"], []
    finally:
        drop(connection)


async def _check_journal(connection: Any) -> None:
    await _check_rights(connection)
    if await check_version(connection) and (at_ms := await moved_ms(connection)) is not None:
        raise StartError(f"journal.postgres: {moved_sentence(at_ms)}")


async def _check_rights(connection: Any) -> None:
    if await connection.fetchval(READ_ONLY):
        raise StartError(
            "journal.postgres: this PostgreSQL takes no writes; it is a standby, or set to read"
            " only: name the primary, or all hosts with target_session_attrs=read-write"
        )
    role = await connection.fetchval("select current_user")
    if await connection.fetchval("select to_regnamespace($1) is null", SCHEMA):
        statement = "select has_database_privilege(current_database(), 'create')"
        if not await connection.fetchval(statement):
            raise StartError(
                f"journal.postgres: the role {role} may not make the schema {SCHEMA}: let it own"
                " the database"
            )
    elif not await connection.fetchval("select has_schema_privilege($1, 'usage')", SCHEMA):
        raise StartError(
            f"journal.postgres: the role {role} may not use the schema {SCHEMA}: take the role that"
            " owns it"
        )
    elif name := await connection.fetchval(NO_RIGHT):
        raise StartError(
            f"journal.postgres: the role {role} may not read and write {SCHEMA}.{name}: take the"
            " role that owns it"
        )


async def _check_room(connection: Any) -> None:
    room = max(0, await connection.fetchval(ROOM) + 1)  # this one is no server's
    if room < CONNECTIONS:
        raise StartError(
            f"journal.postgres: {room} connections are free, and {CONNECTIONS} are needed: raise"
            " max_connections, or the limit of the role or the database"
        )


async def _check_notifications(connection: Any, address: str) -> None:
    """A pooler that gives each transaction another connection loses LISTEN."""
    heard = asyncio.Event()
    try:
        await connection.add_listener(CHANNEL, lambda *_: heard.set())
        speaker = await connect(address, NAME)
        try:
            await speaker.execute(f"notify {CHANNEL}")
        finally:
            drop(speaker)
        async with asyncio.timeout(NOTIFIED_S):
            await heard.wait()
    except (TimeoutError, JournalWriteError):
        raise StartError(
            "journal.postgres: notifications do not arrive: connect to PostgreSQL itself, or"
            " through a pooler in session mode"
        ) from None


async def _notes(connection: Any) -> list[str]:
    names = await connection.fetchval("show synchronous_standby_names")
    commit = await connection.fetchval("show synchronous_commit")
    if not names:
        return [f"journal.postgres: synchronous_standby_names is empty: {MAY_LOSE}"]
    if commit == "remote_write":
        return [f"journal.postgres: synchronous_commit is remote_write: {MAY_LOSE}"]
    return []
