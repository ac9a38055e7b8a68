"""The journal: what it promises while the disk works."""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
from pathlib import Path

import pytest

from mudserver.errors import JournalCorruptError, JournalWriteError, StartError
from tests.memory_journal import Disk, MemoryJournal
from tests.mudserver.journal.journals import filled, opened


def tampered(directory: Path, *statements: str) -> None:
    db = sqlite3.connect(directory / "journal.db")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


async def test_many_appends_at_once_are_all_there_in_few_commits(tmp_path):
    journal = opened(tmp_path, batch_max=16)
    batches = []
    write = journal._store.write
    journal._store.write = lambda batch: batches.append(len(batch)) or write(batch)
    await asyncio.gather(*(journal.append(f"table/{n}", 1, b"x") for n in range(40)))
    assert [16, 16, 8] == batches
    assert 40 == len(await journal.streams("table/"))
    await journal.close()


async def test_a_full_queue_refuses_at_once(tmp_path):
    journal = opened(tmp_path, queue_max=2)
    waiting = [asyncio.ensure_future(journal.append(f"table/{n}", 1, b"")) for n in range(3)]
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [None, None, JournalWriteError] == [r and type(r) for r in results]
    await journal.close()


async def test_closing_writes_what_waits_and_then_refuses(tmp_path):
    journal = opened(tmp_path)
    waiting = [asyncio.ensure_future(journal.append(f"table/{n}", 1, b"")) for n in range(9)]
    await asyncio.sleep(0)
    await journal.close()
    await journal.close()
    assert all(task.done() and task.exception() is None for task in waiting)
    with pytest.raises(JournalWriteError, match="closed"):
        await journal.append("table/1", 2, b"")
    assert {"journal.db", "lock"} == set(os.listdir(tmp_path))


async def test_a_cancelled_wait_takes_nothing_back(tmp_path):
    journal = opened(tmp_path)
    task = asyncio.ensure_future(journal.append("table/1", 1, b""))
    await asyncio.sleep(0)
    task.cancel()
    await journal.append("table/1", 2, b"")
    assert [1, 2] == [record.sequence for record in await journal.read("table/1")]
    await journal.close()


async def test_only_the_owner_may_read_the_files(tmp_path):
    await filled(tmp_path / "a" / "b")
    assert 0o700 == (tmp_path / "a" / "b").stat().st_mode & 0o777
    for name in ("journal.db", "lock"):
        assert 0o600 == (tmp_path / "a" / "b" / name).stat().st_mode & 0o777


async def test_a_second_server_is_refused(tmp_path):
    journal = opened(tmp_path)
    with pytest.raises(StartError, match="in use by another server"):
        opened(tmp_path)
    with pytest.raises(sqlite3.OperationalError, match="locked"):  # and so is any other program
        sqlite3.connect(tmp_path / "journal.db", timeout=0).execute("select * from record")
    await journal.close()
    await opened(tmp_path).close()


async def test_a_database_that_another_program_holds_is_refused(tmp_path):
    await filled(tmp_path)
    other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(StartError, match="in use by another program"):
        opened(tmp_path)
    other.close()
    await opened(tmp_path).close()  # the refused one left no lock behind


@pytest.mark.parametrize(
    ("statements", "sequence"),
    [
        (["update record set body = cast('other' as blob) where sequence = 2"], 2),
        (["update record set body = 'text' where sequence = 2"], 2),
        (["update record set at_ms = at_ms + 1 where sequence = 3"], 3),
        (["delete from record where sequence = 1"], 1),
        (["delete from record where sequence = 2"], 1),
        (["update record set sequence = 9 where sequence = 1",
          "update record set sequence = 1 where sequence = 2",
          "update record set sequence = 2 where sequence = 9"], 1),
        (["update stream set name = 'table/7'"], 1),
        (["delete from record where sequence = 3"], 1),
        (["update stream set head = 0"], 1),
        (["update record set previous = 3 where sequence = 2"], 1),
    ],
)  # fmt: skip
async def test_what_was_changed_behind_our_back_is_found(tmp_path, statements, sequence):
    await filled(tmp_path)
    tampered(tmp_path, *statements)
    journal = opened(tmp_path)
    [stream] = await journal.streams("table/")
    with pytest.raises(JournalCorruptError, match=rf"stream={stream} seq={sequence} reason="):
        await journal.read(stream)
    await journal.close()


async def test_a_damaged_stream_takes_nothing_more_and_harms_no_other(tmp_path):
    await filled(tmp_path)
    tampered(tmp_path, "delete from record where sequence = 3")
    journal = opened(tmp_path)
    damaged, other = await asyncio.gather(
        journal.append("table/1", 4, b""), journal.append("table/2", 1, b""), return_exceptions=True
    )
    assert isinstance(damaged, JournalWriteError) and "last record is missing" in str(damaged)
    assert other is None
    await journal.close()


async def test_the_chain_binds_the_part_behind_a_sequence_too(tmp_path):
    await filled(tmp_path)
    tampered(tmp_path, "update record set body = x'00' where sequence = 3")
    journal = opened(tmp_path)
    with pytest.raises(JournalCorruptError, match="seq=3"):
        await journal.read("table/1", after=2)
    with pytest.raises(JournalCorruptError, match="seq=4"):
        await journal.read("table/1", after=4)
    await journal.close()


def test_the_directory_cannot_be_a_file_or_lie_where_none_can_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere")):
        with pytest.raises(StartError, match=f"{path} is no usable data directory"):
            opened(path)


async def test_a_lock_without_a_holder_is_no_obstacle(tmp_path):
    lock = os.open(tmp_path / "lock", os.O_CREAT | os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with pytest.raises(StartError):
        opened(tmp_path)
    os.close(lock)
    await opened(tmp_path).close()


# -- the one in memory -------------------------------------------------------------------------


async def test_the_journal_in_memory_fails_on_command_and_outlives_a_restart():
    disk = Disk()
    journal = MemoryJournal(lambda: 7, disk)
    await journal.append("table/2", 1, b"a")
    journal.fail(2)
    results = await asyncio.gather(
        *(journal.append("table/2", n, b"") for n in (2, 3, 4)), return_exceptions=True
    )
    assert [None, JournalWriteError, JournalWriteError] == [r and type(r) for r in results]
    journal.fail(keeps=True)
    with pytest.raises(JournalWriteError):
        await journal.append("table/2", 3, b"there all the same", closes=True)
    await journal.write_heartbeat()
    before = journal.digest()
    lost = asyncio.ensure_future(journal.append("table/3", 1, b""))
    await asyncio.sleep(0)
    again = MemoryJournal(lambda: 9, disk)
    await again.close()
    assert not lost.done()
    lost.cancel()
    assert 7 == again.last_alive_ms and 9 == disk.alive_ms
    assert [1, 2, 3] == [record.sequence for record in disk.read("table/2")]
    assert ["table/2"] == disk.streams("table/", is_open=False)
    disk.alive_ms = 7
    assert before == again.digest()
