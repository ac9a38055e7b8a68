"""A journal of an older schema is migrated, or left as it was.

The steps behind the shipped ones are made up.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest

from mudserver.errors import StartError
from mudserver.journal.sqlite import migrations
from mudserver.journal.sqlite.database import open_database
from mudserver.journal.sqlite.inspector import open_inspector
from tests.mudserver.journal.journals import filled, opened
from tests.samples.make import unpacked


def schema(path: Path) -> tuple[int, list[str]]:
    db = sqlite3.connect(path)
    version = db.execute("pragma user_version").fetchone()[0]
    columns = [row[1] for row in db.execute("pragma table_info(house)")]
    db.close()
    return version, columns


def add_a_note(db: sqlite3.Connection) -> None:
    db.execute("alter table house add column note text")


def write_it(db: sqlite3.Connection) -> None:
    db.execute("alter table house add column colour text")
    db.execute("update house set note = 'written', colour = 'blue'")


@pytest.fixture
def two_steps(monkeypatch):
    def release() -> None:
        monkeypatch.setattr(migrations, "STEPS", (*SHIPPED, add_a_note, write_it))

    return release


SHIPPED = migrations.STEPS
NOW = migrations.newest_schema()
OLD, NEW = ["only", "alive_ms"], ["only", "alive_ms", "note", "colour"]


async def test_every_step_is_taken_and_a_copy_of_the_old_journal_kept(tmp_path, two_steps):
    path = await filled(tmp_path)
    two_steps()
    journal = opened(tmp_path)
    await journal.append("table/1", 4, b"record 4")
    assert [1, 2, 3, 4] == [record.sequence for record in await journal.read("table/1")]
    await journal.close()
    assert (NOW + 2, NEW) == schema(path)
    kept = tmp_path / f"journal.db.v{NOW}.bak"
    assert 0o600 == kept.stat().st_mode & 0o777
    assert (NOW, OLD) == schema(kept)
    before = kept.stat()
    await opened(tmp_path).close()  # nothing is left to do
    assert before == kept.stat()


async def test_the_kept_copy_is_a_journal_for_the_server_before(tmp_path, two_steps, monkeypatch):
    path = await filled(tmp_path)
    two_steps()
    await opened(tmp_path).close()
    monkeypatch.setattr(migrations, "STEPS", SHIPPED)
    newer = rf"written by a newer server \(schema {NOW + 2}; this one reads 1 to {NOW}\)"
    with pytest.raises(StartError, match=newer):
        opened(tmp_path)
    path.unlink()
    (tmp_path / f"journal.db.v{NOW}.bak").rename(path)
    journal = opened(tmp_path)
    assert 3 == len(await journal.read("table/1"))
    await journal.close()


def dying(step, statement: int):
    """*step* in a process that is gone after so many of its statements."""

    class Weak:
        def __init__(self, db):
            self.db, self.left = db, statement

        def execute(self, text):
            self.db.execute(text)
            self.left -= 1
            if not self.left:
                os._exit(9)

    return lambda db: step(Weak(db))


@pytest.mark.parametrize(("step", "statement"), [(1, 1), (2, 1), (2, 2)])
async def test_dying_in_a_step_leaves_whole_steps_and_the_next_start_goes_on(
    tmp_path, two_steps, monkeypatch, step, statement
):
    path = await filled(tmp_path)
    two_steps()
    child = os.fork()
    if child == 0:
        steps = list(migrations.STEPS)
        which = len(SHIPPED) + step - 1
        steps[which] = dying(steps[which], statement)
        migrations.STEPS = tuple(steps)
        opened(tmp_path)
        os._exit(0)
    assert 9 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])  # noqa: ASYNC222
    assert ((NOW, OLD) if step == 1 else (NOW + 1, [*OLD, "note"])) == schema(path)
    journal = opened(tmp_path)
    assert 3 == len(await journal.read("table/1"))
    await journal.close()
    assert (NOW + 2, NEW) == schema(path)
    assert (NOW, OLD) == schema(tmp_path / f"journal.db.v{NOW}.bak")


async def test_without_room_for_the_copy_nothing_is_begun(tmp_path, two_steps, monkeypatch):
    path = await filled(tmp_path)
    two_steps()
    monkeypatch.setattr(
        migrations.os, "statvfs", lambda path: SimpleNamespace(f_bavail=1, f_frsize=4_096)
    )
    with pytest.raises(StartError, match="no room for a copy first: make 1 MiB free"):
        opened(tmp_path)
    assert (NOW, OLD) == schema(path)
    assert [] == list(tmp_path.glob("*.bak"))


async def test_a_step_that_fails_is_one_sentence_and_undone(tmp_path, monkeypatch):
    path = await filled(tmp_path)

    def wrong(db):
        add_a_note(db)
        db.execute("update no_table set note = 1")

    monkeypatch.setattr(migrations, "STEPS", (*SHIPPED, wrong))
    with pytest.raises(StartError, match="cannot be opened: no such table"):
        opened(tmp_path)
    assert (NOW, OLD) == schema(path)


async def test_a_step_with_a_bug_leaves_the_journal_to_whoever_had_it(tmp_path, monkeypatch):
    def bug(db: sqlite3.Connection) -> None:
        raise LookupError

    path = await filled(tmp_path)
    monkeypatch.setattr(migrations, "STEPS", (*SHIPPED, bug))
    with pytest.raises(LookupError) as caught:  # which holds the frame with the connection
        open_database(path, is_start=False)
    monkeypatch.setattr(migrations, "STEPS", SHIPPED)
    open_database(path, is_start=False).close()
    assert NOW == schema(path)[0] and caught


async def test_a_journal_of_schema_1_gets_bases_and_closing_times(tmp_path):
    """Its tables are worth 2 and nobody's; their sizes are estimates."""
    path = unpacked(1, tmp_path)
    with open_inspector(path) as inspector:
        assert [] == inspector.find_flaws()
        before = {stream: inspector.read(stream) for stream, _ in inspector.streams()}
    journal = opened(tmp_path)
    assert before == {stream: await journal.read(stream) for stream in await journal.streams("")}
    await journal.close()
    db = sqlite3.connect(path)
    rows = db.execute("select name, base, base_hash, bytes, closed_ms, worth, person from stream")
    for name, *found in rows.fetchall():
        last = before[name][-1]
        closed_ms = last.at_ms if name == "table/4" else None
        assert [0, None, 500 * last.sequence, closed_ms, 2, ""] == found
    db.close()
    with open_inspector(path) as inspector:
        assert [] == inspector.find_flaws()


def test_a_new_journal_has_the_tables_of_a_migrated_one(tmp_path):
    def columns(path: Path) -> list[list[tuple[str, ...]]]:
        db = sqlite3.connect(path)
        tables = [db.execute(f"pragma table_info({name})").fetchall()
                  for name in ("stream", "record", "house")]  # fmt: skip
        index = db.execute("select sql from sqlite_master where name = 'closed_table'").fetchall()
        db.close()
        return [*tables, index]

    asyncio.run(opened(tmp_path / "new").close())
    path = unpacked(1, tmp_path / "old")
    asyncio.run(opened(tmp_path / "old").close())
    assert columns(tmp_path / "new" / "journal.db") == columns(path)
