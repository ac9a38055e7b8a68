"""`mudserver check-config --connect`: what stands against a server in this PostgreSQL."""

from __future__ import annotations

import os

import asyncpg
import pytest

from mudserver.journal.postgres import examining
from tests.mudserver.cli.test_move import address, run_sql, with_journal

assert address  # a fixture
MAY_LOSE = (
    "journal.postgres: synchronous_standby_names is empty: after a failover to an asynchronous"
    " standby acknowledged plays of the last moments can be lost"
)


@pytest.fixture
def check(tmp_path, told):
    """Status, and the lines that are said of a database."""

    def run(place: str) -> tuple[int, list[str]]:
        file = tmp_path / "mudserver.toml"
        file.write_text(f'[journal]\npostgres = "{place}"\n')
        file.chmod(0o600)
        status, out, err = told("check-config", "--connect", file)
        return status, [line for line in (out + err).splitlines() if "words:" not in line]

    return run


def database(address: str) -> str:
    return address.split("/")[3].split("?")[0]


async def play(journal: object) -> None:
    """A server is started, and has made the schema."""


def test_a_good_database_is_ok_and_it_is_said_what_a_failover_may_lose(address, tmp_path, check):
    for _ in range(2):  # without the schema, and with it
        status, lines = check(address)
        assert 0 == status and lines[0].startswith(MAY_LOSE) and lines[1].endswith(": ok")
        assert 2 == len(lines)
        with_journal(address, tmp_path / "var", play)


@pytest.mark.parametrize(("commit", "notes"), [("on", 0), ("remote_write", 1)])
def test_with_a_synchronous_standby_nothing_is_lost(postgres, address, check, commit, notes):
    name = database(address)
    run_sql(address, f"alter database {name} set synchronous_commit = {commit}")
    postgres.set_up(synchronous_standby_names="*")
    while not run_sql(address, "show synchronous_standby_names")[0][0][0]:
        pass  # it reads them in its own time
    try:
        status, lines = check(address)
    finally:
        postgres.set_up(synchronous_standby_names="")
    assert 0 == status and notes == len(lines) - 1


def test_nothing_is_changed_there(address, check):
    check(address)
    assert [] == run_sql(address, "select from pg_namespace where nspname = 'lockdown'")[0]


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("alter database {name} set synchronous_commit = off",
         "synchronous_commit is off, so plays could be lost"),
        ("alter database {name} set default_transaction_read_only = on",
         "this PostgreSQL takes no writes"),
        ("alter database {name} connection limit 4",
         "4 connections are free, and 6 are needed"),
        ("update lockdown.meta set value = '99' where key = 'schema'",
         "written by a newer server (schema 99"),
        ("insert into lockdown.meta values ('moved', '0')",
         "this journal was moved to SQLite on 1970-01-01"),
    ],
)  # fmt: skip
def test_what_a_server_would_refuse_is_a_fault(address, tmp_path, check, statement, fault):
    with_journal(address, tmp_path / "var", play)
    run_sql(address, statement.format(name=database(address)))
    status, lines = check(address)
    assert 2 == status and fault in "\n".join(lines), lines


def test_a_role_without_rights_is_told_which(address, tmp_path, check):
    name = database(address)
    run_sql(address, f"create role poor_{name} login")
    poor = address.replace("lockdown@", f"poor_{name}@")
    try:
        assert f"the role poor_{name} may not make the schema lockdown" in check(poor)[1][-1]
        with_journal(address, tmp_path / "var", play)
        assert f"the role poor_{name} may not use the schema lockdown" in check(poor)[1][-1]
        run_sql(
            address,
            f"grant usage on schema lockdown to poor_{name}",
            f"grant select, insert, update on all tables in schema lockdown to poor_{name}",
        )
        assert f"the role poor_{name} may not read and write lockdown." in check(poor)[1][-1]
        run_sql(address, f"grant delete on all tables in schema lockdown to poor_{name}")
        assert 0 == check(poor)[0]
    finally:
        run_sql(address, f"drop owned by poor_{name}", f"drop role poor_{name}")


def test_all_faults_are_said_at_once(address, check):
    name = database(address)
    run_sql(
        address,
        f"alter database {name} set synchronous_commit = local",
        f"alter database {name} set default_transaction_read_only = on",
    )
    status, lines = check(address)
    assert 2 == status and 2 == len(lines)


def test_a_pooler_that_forgets_listen_is_found(address, check, monkeypatch):
    """As one that gives each transaction another connection."""

    async def forget(connection: object, channel: str, heard: object) -> None:
        pass

    monkeypatch.setattr(examining, "NOTIFIED_S", 0.2)
    monkeypatch.setattr(asyncpg.Connection, "add_listener", forget)
    status, lines = check(address)
    assert 2 == status and "notifications do not arrive" in lines[-1]


def test_one_that_cannot_be_reached_and_none_at_all(tmp_path, check):
    status, lines = check(f"postgresql://nobody@/none?host={tmp_path}")
    assert 2 == status and "PostgreSQL cannot be reached" in lines[-1]
    status, lines = check("")
    assert os.EX_OK == status
    assert "journal.postgres is empty: the journal is in SQLite" == lines[0]
