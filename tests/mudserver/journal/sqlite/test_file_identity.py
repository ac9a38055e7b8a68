"""Somebody removes, replaces or takes the files of a journal."""

from __future__ import annotations

import os
import shutil

import pytest

from mudserver.config import schema
from mudserver.errors import JournalWriteError, StartError
from mudserver.journal.sqlite import database
from mudserver.journal.sqlite.journal import SqliteJournal


@pytest.fixture
async def journal(tmp_path):
    journal = SqliteJournal.open(tmp_path, lambda: 0, schema.JournalConfig())
    for sequence in (1, 2, 3):
        await journal.append("table/1", sequence, b"record %d" % sequence)
    yield journal
    await journal.close()


@pytest.mark.parametrize("is_replaced", [False, True])
async def test_a_file_without_its_name_is_written_no_more_and_can_be_copied(
    tmp_path, journal, is_replaced
):
    path = tmp_path / "journal.db"
    shutil.copy(path, tmp_path / "other")
    os.rename(path, tmp_path / "kept")  # as `rm`, but this test puts it back
    if is_replaced:
        os.rename(tmp_path / "other", path)
    for call in (lambda: journal.append("table/1", 4, b""), journal.write_heartbeat):
        with pytest.raises(
            JournalWriteError, match="was removed or replaced: run mudserver backup"
        ):
            await call()
    assert 3 == len(await journal.read("table/1"))
    copied = tmp_path / "copied"
    copied.mkdir()
    await journal.copy(copied / "journal.db")
    copy = SqliteJournal.open(copied, lambda: 0, schema.JournalConfig())
    assert await journal.read("table/1") == await copy.read("table/1")
    await copy.close()
    os.rename(tmp_path / "kept", path)
    await journal.append("table/1", 4, b"")


async def test_a_log_without_its_name_costs_one_append_and_nothing_that_was_written(
    tmp_path, journal
):
    (tmp_path / "journal.db-wal").unlink()
    with pytest.raises(JournalWriteError, match="-wal was removed"):
        await journal.append("table/1", 4, b"")
    assert 3 == len(await journal.read("table/1"))
    await journal.append("table/1", 4, b"")
    await journal.close()
    again = SqliteJournal.open(tmp_path, lambda: 0, schema.JournalConfig())
    assert 4 == len(await again.read("table/1"))
    await again.close()


async def test_after_a_failure_another_file_is_not_taken_for_the_journal(tmp_path, journal):
    path = tmp_path / "journal.db"
    shutil.copy(path, tmp_path / "other")
    with journal._store._lock:
        journal._store._drop_connection()  # as after a failed write
    os.rename(tmp_path / "other", path)
    with pytest.raises(JournalWriteError, match="was removed or replaced"):
        await journal.append("table/1", 4, b"")


@pytest.mark.parametrize("name", [".", "journal.db", "journal.db-wal"])
async def test_what_belongs_to_another_account_is_said_so(tmp_path, journal, monkeypatch, name):
    shutil.copytree(tmp_path, tmp_path / "copy", ignore=shutil.ignore_patterns("copy"))
    place = tmp_path / "copy" / name
    monkeypatch.setattr(database.os, "access", lambda path, _: path != place)  # root may all
    with pytest.raises(StartError, match=f"{place} may not be read and written: it has to belong"):
        SqliteJournal.open(tmp_path / "copy", lambda: 0, schema.JournalConfig())
