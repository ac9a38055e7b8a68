"""The journal when its file is not what it was: it is whole, refused in a line, or says so."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mudserver.errors import JournalCorruptError, JournalWriteError, StartError
from mudserver.journal.sqlite import read_stream
from mudserver.journal.sqlite.migrations import newest_schema
from tests.mudserver.journal.journals import filled, opened


async def test_flipped_bytes_are_found_at_the_start_or_by_the_chain(tmp_path):
    await filled(tmp_path, 400, times=30)
    path = tmp_path / "journal.db"
    whole = path.read_bytes()
    journal = opened(tmp_path)
    expected = await journal.read("table/1")
    await journal.close()
    dice, found = random.Random(2), 0
    for _ in range(60):
        at = dice.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << dice.randrange(8)]) + whole[at + 1 :])
        try:
            journal = opened(tmp_path)
        except StartError as exc:
            assert "\n" not in str(exc)
            found += 1
            continue
        try:
            # What is found neither by SQLite nor by the chain is no part of any record.
            assert expected == await journal.read("table/1") or not await journal.streams("table/1")
        except (JournalCorruptError, JournalWriteError):
            found += 1
        finally:
            await journal.close()
    assert found > 30
    path.write_bytes(whole)
    await opened(tmp_path).close()


@pytest.mark.parametrize("at", [2, 5, 6, 17, 20])
@pytest.mark.parametrize("change", ["set hash = x'00'", "set body = x'00'", "set previous = 0"])
async def test_a_changed_record_ends_reading_in_pieces_before_its_own(
    tmp_path, monkeypatch, at, change
):
    monkeypatch.setattr(read_stream, "PIECE", 5)
    path = await filled(tmp_path, 20)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"update record {change} where sequence = {at}")
    journal, found = opened(tmp_path), 0
    with pytest.raises(JournalCorruptError):
        async for piece in journal.read_pieces("table/1"):
            found = piece[-1].sequence
    assert found < at
    await journal.close()


@pytest.mark.parametrize("keeps", [0, 100, 4_096, 10_000])
async def test_a_cut_or_emptied_file_is_refused(tmp_path, keeps):
    await filled(tmp_path, 200, times=20)
    path = tmp_path / "journal.db"
    path.write_bytes(path.read_bytes()[:keeps])
    with pytest.raises(StartError, match="restore it from a backup"):
        opened(tmp_path)


def copy(directory: Path, into: Path) -> None:
    into.mkdir()
    for name in ("journal.db", "journal.db-wal"):
        (into / name).write_bytes((directory / name).read_bytes())


async def crashed(directory: Path, into: Path, records: int = 30) -> bytes:
    """What a killed server leaves in *into*, one record a commit; answers the log's bytes."""
    journal = opened(directory)
    for sequence in range(1, records + 1):
        await journal.append("table/1", sequence, b"record %d " % sequence * 20)
    copy(directory, into)
    await journal.close()
    return (into / "journal.db-wal").read_bytes()


async def read_after(directory: Path) -> int | None:
    """How many records a restarted server finds; None: it does not start."""
    try:
        journal = opened(directory)
    except StartError as exc:
        assert "restore it" in str(exc)
        return None
    try:
        return len(await journal.read("table/1"))
    finally:
        await journal.close()


async def test_a_flipped_byte_in_the_log_takes_back_one_commit_at_most(tmp_path):
    whole = await crashed(tmp_path / "a", tmp_path / "b")
    database = (tmp_path / "b" / "journal.db").read_bytes()
    dice, found = random.Random(3), dict.fromkeys((None, 29, 30), 0)
    for at in [0, 8, 20, 31, len(whole) - 1, *(dice.randrange(len(whole)) for _ in range(40))]:
        flipped = whole[:at] + bytes([whole[at] ^ 1 << dice.randrange(8)]) + whole[at + 1 :]
        (tmp_path / "b" / "journal.db").write_bytes(database)
        (tmp_path / "b" / "journal.db-wal").write_bytes(flipped)
        found[await read_after(tmp_path / "b")] += 1  # KeyError: two acknowledged ones were lost
    assert found[None] > 30 and found[29] >= 1


async def test_a_whole_log_and_one_torn_in_its_last_commit_are_taken(tmp_path):
    whole = await crashed(tmp_path / "a", tmp_path / "b")
    database = (tmp_path / "b" / "journal.db").read_bytes()
    for torn, records in ((0, 30), (1, 29), (4_096, 29)):
        (tmp_path / "b" / "journal.db").write_bytes(database)
        (tmp_path / "b" / "journal.db-wal").write_bytes(whole[: len(whole) - torn])
        assert records == await read_after(tmp_path / "b")
    for left in (whole[:32], whole[:10], b""):
        (tmp_path / "b" / "journal.db").write_bytes(database)
        (tmp_path / "b" / "journal.db-wal").write_bytes(left)
        assert 0 == await read_after(tmp_path / "b")


async def test_a_log_that_began_again_after_a_checkpoint_is_whole(tmp_path):
    """Frames from before the checkpoint are left behind the new ones, with another salt."""
    await crashed(tmp_path / "a", tmp_path / "b", records=600)
    assert 600 == await read_after(tmp_path / "b")


def test_a_missing_file_beside_its_log_is_refused(tmp_path):
    (tmp_path / "journal.db-wal").write_bytes(b"x")
    with pytest.raises(StartError, match="restore both from a backup"):
        opened(tmp_path)


def test_what_is_no_database_is_refused_and_left_alone(tmp_path):
    (tmp_path / "journal.db").write_text("Dear diary, " * 200)
    with pytest.raises(StartError, match="it is not a database"):
        opened(tmp_path)
    assert (tmp_path / "journal.db").read_text().startswith("Dear diary")


async def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "journal.db"
    db = sqlite3.connect(path)
    db.execute("create table recipe (text)")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(StartError, match="belongs to another program"):
        opened(tmp_path)
    assert before == path.read_bytes()


@pytest.mark.parametrize(("version", "age"), [(0, "an older"), (newest_schema() + 1, "a newer")])
async def test_another_schema_version_is_refused(tmp_path, version, age):
    await filled(tmp_path, times=20)
    db = sqlite3.connect(tmp_path / "journal.db")
    db.execute(f"pragma user_version = {version}")
    db.close()
    with pytest.raises(StartError, match=f"was written by {age} server"):
        opened(tmp_path)


def test_a_file_that_is_a_directory_is_refused(tmp_path):
    (tmp_path / "journal.db").mkdir()
    with pytest.raises(StartError, match="cannot be opened"):
        opened(tmp_path)


async def test_the_leftover_of_a_first_start_that_was_killed_is_no_obstacle(tmp_path):
    (tmp_path / "journal.new").write_bytes(b"half")
    await filled(tmp_path, times=20)
    assert {"journal.db", "lock"} == {path.name for path in tmp_path.iterdir()}
