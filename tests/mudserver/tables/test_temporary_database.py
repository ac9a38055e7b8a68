"""A database for what would take much memory: a file without a name, or memory, if need be."""

from __future__ import annotations

import gc
import os
import tempfile
from pathlib import Path

import pytest

from mudserver.tables.temporary_database import TemporaryDatabase
from tests.mudserver.journal.sqlite.test_faults import file_size_limit
from tests.mudserver.tables.test_parking import again, parks, shown
from tests.mudserver.tables.world import World, run
from tests.toys.multistep.game import MULTISTEP

WARNING = "parked tables are in memory"


def filled(db: TemporaryDatabase, first: int = 1, count: int = 100) -> None:
    for number in range(first, first + count):
        db.write(("insert into it values (?, ?)", [(number, bytes(3_000))]))


def empty() -> TemporaryDatabase:
    db = TemporaryDatabase()
    db.write(("create table it (number integer primary key, body blob)", [()]))
    return db


def open_files(folder: Path) -> list[int]:
    """The sizes of those that are open in that folder, by whichever name."""
    found = []
    for handle in os.listdir("/proc/self/fd"):
        path = Path("/proc/self/fd") / handle
        if path.is_symlink() and os.readlink(path).startswith(f"{folder}/"):
            found.append(path.stat().st_size)
    return found


def test_it_is_in_a_file_without_a_name_which_goes_with_it(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    db = empty()
    filled(db, count=1_000)
    assert [] == list(tmp_path.iterdir())
    assert 3_000_000 < sum(open_files(tmp_path))
    assert list(range(1, 1_001)) == db.column("select number from it order by number")
    del db
    gc.collect()
    assert [] == open_files(tmp_path)


def test_where_no_file_can_be_made_it_is_in_memory(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    db = empty()
    filled(db)
    assert 100 == db.value("select count(*) from it") and WARNING in caplog.text


def test_a_full_disk_loses_nothing_and_all_is_in_memory_then(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    db = empty()
    filled(db)
    assert WARNING not in caplog.text
    with file_size_limit(sum(open_files(tmp_path)) + 10_000):
        filled(db, 101)
        assert [] == open_files(tmp_path)
        db.write(("delete from it where number = ?", [(7,)]))
    filled(db, 201)
    assert [*range(1, 7), *range(8, 301)] == db.column("select number from it order by number")
    assert {3_000} == set(db.column("select length(body) from it"))
    assert 1 == caplog.text.count(WARNING)


def test_what_fails_otherwise_changes_nothing():
    db = empty()
    with pytest.raises(Exception, match="UNIQUE"):
        db.write(
            ("insert into it values (?, ?)", [(1, b"")]),
            ("insert into it values (?, ?)", [(1, b"")]),
        )
    assert [] == db.rows("select * from it")


@pytest.mark.parametrize("room_bytes", [0, 10_000])
def test_tables_are_parked_and_come_back_while_the_disk_is_full(room_bytes, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        first = await parks(world, "a", "b")
        with file_size_limit(sum(open_files(tmp_path)) + room_bytes):
            numbers = [first, *[await parks(world, "a", "b") for _ in range(8)]]
            assert numbers == world.tables.parking.rows.numbers()
            asked = world.tables.lists.asked_at("a") + world.tables.lists.asked_at("b")
            assert numbers == sorted({*asked})
            await world.tables.fetch(first)
            assert world.table(first).is_playing
            assert numbers[1:] == world.tables.parking.rows.numbers()
        after = await again(world)
        assert [shown(world, it) for it in "ab"] == [shown(after, it) for it in "ab"]

    run(scenario())
