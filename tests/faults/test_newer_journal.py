"""A newer release with a newer form of the journal takes over, and an older one cannot."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import asyncssh
import pytest

from mudserver.journal.sqlite.migrations import newest_schema
from mudserver.transport.ssh import host_keys
from tests.faults.test_game_server import House, house, until_heard
from tests.samples.make import unpacked

NEWER = """
import sys
from mudserver.journal.sqlite import migrations

def step(db):
    db.execute("alter table stream add column newer text not null default 'yes'")
    if {fails}:
        raise RuntimeError("a fault of the new release")

migrations.STEPS = (*migrations.STEPS, step)
from mudserver.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
"""The program of the next release, whose first start fails (*fails*) half-way."""


def start_newer(here: House, name: str, *, fails: bool) -> None:
    """As a standby; returns when it is ready."""
    program = here.directory / f"{name}.py"
    program.write_text(NEWER.format(fails=fails))
    options = ("--config", str(here.settings), "--data", str(here.directory / "data"))
    with (here.directory / "game.log").open("ab") as log:
        here.processes[name] = subprocess.Popen(
            [sys.executable, str(program), "game", *options],
            stdout=subprocess.PIPE, stderr=log, text=True,
        )  # fmt: skip
    assert here.hears(name).startswith("standby of=")
    assert "standby ready\n" == here.hears(name)


def schema_and_streams(data: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(f"file:{data}/journal.db?mode=ro", uri=True)) as db:
        (schema,) = db.execute("pragma user_version").fetchone()
        (count,) = db.execute("select count(*) from stream").fetchone()
    return schema, count


@pytest.mark.prove
def test_a_newer_journal_is_taken_over_with_the_people_or_stays_as_it_was(tmp_path):
    newest, data = newest_schema(), tmp_path / "data"
    unpacked(newest, data)
    _, count = schema_and_streams(data)
    host_keys.load_or_create(data, may_create=True)
    with house(tmp_path) as here:
        assert here.start("game", name="first").startswith("ready game=")
        ready = here.start("door", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
        port = int(re.match(r"ready ssh=127\.0\.0\.1:(\d+) telnet=", ready)[1])
        asyncio.run(_play_on(here, port, data))
        assert 0 == here.stop("newer")
        assert (newest + 1, count) == schema_and_streams(data)


async def _play_on(here: House, port: int, data: Path) -> None:
    client = await asyncssh.connect(
        "127.0.0.1", port, username="guest", known_hosts=None, client_keys=None, agent_path=None,
        config=None,
    )  # fmt: skip
    process = await client.create_process(encoding=None, term_type="xterm", term_size=(80, 24))
    await until_heard(process, "lobby> ")

    async def answered() -> None:
        process.stdin.write(b"who\r")
        await until_heard(process, "1 person is here")

    async def restart(*options: str) -> tuple[int, str]:
        done = await asyncio.to_thread(here.ask, "restart", *options)
        return done.returncode, done.stdout + done.stderr

    start_newer(here, "failing", fails=True)
    status, said = await restart()
    assert (1, True) == (status, "--with-migration" in said), said
    await answered()
    status, said = await restart("--with-migration")
    assert 1 == status and "restart not done" in said and "this server goes on" in said
    await answered()  # it has opened the journal again, which is in the form of before
    here.kill("failing")
    start_newer(here, "newer", fails=False)
    process.stdin.write(b"wh")
    status, said = await restart("--with-migration")
    assert 0 == status and "restarted: 1 of 1 sessions went on" in said, said
    process.stdin.write(b"o\r")
    await until_heard(process, "1 person is here")
    assert (data / f"journal.db.v{newest_schema()}.bak").exists()
    assert here.start("game", name="older").startswith("standby of=")
    assert "standby ready\n" == here.hears("older")
    status, said = await restart()
    assert 1 == status and "not ready: the standby cannot read this journal" in said, said
    await answered()
    process.stdin.write(b"quit\r")
    await process.wait_closed()
    client.close()
    here.stop("older")
