"""A copy of the journal while it is being written."""

from __future__ import annotations

import asyncio
import stat

import pytest

from mudserver.errors import JournalWriteError
from mudserver.journal.sqlite import store
from tests.mudserver.journal.journals import opened


@pytest.fixture
async def journal(tmp_path):
    """A journal of some two megabytes: more than a step."""
    journal = opened(tmp_path / "var")
    for sequence in range(1, 41):
        streams = range(1, 11)
        await asyncio.gather(
            *(journal.append(f"table/{n}", sequence, b"%05d" % n * 1_000) for n in streams)
        )
    yield journal
    await journal.close()


async def test_a_copy_made_while_people_play_is_whole_and_holds_what_was_there(journal, tmp_path):
    told = 40

    async def play() -> None:
        nonlocal told
        while not copying.done():
            await journal.append("table/1", told + 1, b"x" * 20_000)
            told += 1

    copying = asyncio.create_task(journal.copy(tmp_path / "copy"))
    await play()
    await copying
    assert 0o600 == stat.S_IMODE((tmp_path / "copy").stat().st_mode)
    assert told > 42  # the copy did not stop the writer
    (tmp_path / "other").mkdir()
    (tmp_path / "copy").rename(tmp_path / "other" / "journal.db")
    copy = opened(tmp_path / "other")
    assert 40 <= len(await copy.read("table/1")) <= told
    assert 40 == len(await copy.read("table/10"))
    db = copy._store._db
    assert [("ok",)] == db.execute("pragma integrity_check").fetchall()
    await copy.close()


async def test_a_copy_is_as_large_as_the_file_while_that_is_there(journal, tmp_path):
    file = tmp_path / "var" / "journal.db"
    assert file.stat().st_size == journal.copy_size_bytes()
    file.unlink()
    assert 0 == journal.copy_size_bytes()


async def test_a_copy_does_not_overwrite_anything(journal, tmp_path):
    (tmp_path / "copy").write_text("dear diary")
    with pytest.raises(JournalWriteError, match="File exists"):
        await journal.copy(tmp_path / "copy")
    assert "dear diary" == (tmp_path / "copy").read_text()


async def test_two_copies_at_once_are_one_too_many(journal, tmp_path):
    results = await asyncio.gather(
        journal.copy(tmp_path / "one"), journal.copy(tmp_path / "two"), return_exceptions=True
    )
    assert [JournalWriteError] == [type(result) for result in results if result is not None]
    assert 1 == len(list(tmp_path.glob("one")) + list(tmp_path.glob("two")))


async def test_a_failed_write_ends_the_copy_and_the_journal_goes_on(journal, tmp_path, monkeypatch):
    """The connection is given up in the middle of a copy: the next one is not kept waiting."""
    monkeypatch.setattr(store, "COPY_PAUSE_S", 60.0)  # until it is woken
    copying = asyncio.create_task(journal.copy(tmp_path / "copy"))
    while not journal._store._is_copying:  # noqa: ASYNC110
        await asyncio.sleep(0)
    with journal._store._lock:
        journal._store._drop_connection()
    await journal.append("table/1", 41, b"after")
    with pytest.raises(JournalWriteError, match="closed or opened anew"):
        await copying
    assert not (tmp_path / "copy").exists()
    assert 41 == len(await journal.read("table/1"))


async def test_a_copy_that_does_not_fit_leaves_nothing(journal, tmp_path, monkeypatch):
    def full(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "fsync_path", full)
    with pytest.raises(JournalWriteError, match="No space left"):
        await journal.copy(tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    await journal.append("table/1", 41, b"after")
