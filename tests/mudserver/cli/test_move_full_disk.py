"""`mudserver move` where PostgreSQL has no room: a sentence, nothing half, and it goes on later."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from mudserver.config import schema
from mudserver.journal.sqlite.journal import SqliteJournal
from tests.mudserver.cli.test_move import address, content, moved, refused, run_sql
from tests.postgres import Cluster

assert address  # a fixture
TABLES = "select from pg_tables where schemaname = 'lockdown'"
RECORDS, RECORD_BYTES = 60, 50_000  # of random bytes, which are not packed


@pytest.fixture
def server(server):
    """A journal of 3 MB."""

    async def run() -> None:
        journal = SqliteJournal.open(server, lambda: 5_000, schema.JournalConfig())
        for sequence in range(1, RECORDS + 1):
            await journal.append("table/90", sequence, os.urandom(RECORD_BYTES))
        await journal.close()

    asyncio.run(run())
    return server


@pytest.fixture
def small_disk(postgres, address):
    """Gives the tables of the database a disk of that size; False: this machine mounts none."""
    place = postgres.directory / f"disk_{_name(address)}"
    place.mkdir()

    def resize(size: str) -> bool:
        again = "remount," if os.path.ismount(place) else ""
        mount = ("mount", "-t", "tmpfs", "-o", f"{again}size={size}", "tmpfs", str(place))
        if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
            return False
        if not again:
            _use(postgres, address, place)
        return True

    yield resize
    if os.path.ismount(place):
        name = _name(address)
        run_sql(address, "drop schema if exists lockdown cascade",
                f"alter database {name} reset default_tablespace",
                f"drop tablespace space_{name}")  # fmt: skip
        subprocess.run(("umount", "-l", str(place)), check=True)
    place.rmdir()


def _name(address: str) -> str:
    return address.split("/")[3].split("?")[0]


def _use(postgres: Cluster, address: str, place: Path) -> None:
    postgres.give(place)
    name = _name(address)
    run_sql(address, f"create tablespace space_{name} location '{place}'",
            f"alter database {name} set default_tablespace = space_{name}")  # fmt: skip


def fail_without_disk(address: str) -> None:
    """PostgreSQL answers as with a full disk."""
    run_sql(
        address,
        "create function public.fail() returns event_trigger language plpgsql as"
        " $$ begin raise 'could not extend file' using errcode = 'disk_full'; end $$",
        "create event trigger fail on ddl_command_end when tag in ('CREATE INDEX')"
        " execute function public.fail()",
    )


@pytest.mark.parametrize("size", ["64k", "1m"])  # the tables have no room, or the records have none
def test_a_full_disk_is_a_sentence_and_with_room_the_same_command_ends_it(
    server, address, told, small_disk, size
):
    before = content(server)
    if not (is_mounted := small_disk(size)):
        fail_without_disk(address)
    refused(told, server, address, "PostgreSQL has no room: could not extend file")
    refused(told, server, address, "nothing was changed there: make room on its disk, then do")
    assert [] == run_sql(address, TABLES)[0]
    assert before == content(server)
    if is_mounted:
        small_disk("64m")
    else:
        run_sql(address, "drop event trigger fail")
    moved(server, address, told)
    assert before[:2] == content(address)[:2]
