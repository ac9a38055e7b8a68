"""How large a journal becomes: old tables are taken out, and a full one says so."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mudserver.config import schema
from mudserver.errors import JournalWriteError
from mudserver.journal.sqlite import journal, prune
from mudserver.journal.sqlite.inspector import open_inspector
from mudserver.journal.sqlite.journal import SqliteJournal


class Years:
    """A journal whose clock is moved by hand."""

    def __init__(self, directory: Path, **settings: int) -> None:
        self.now_ms, self.path = 0, directory / "journal.db"
        self.journal = SqliteJournal.open(
            directory, lambda: self.now_ms, schema.JournalConfig(**settings)
        )

    async def table(self, number: int, at_ms: int, *, closes: bool, records: int = 3) -> None:
        self.now_ms = at_ms
        for n in range(1, records + 1):
            is_last = closes and n == records
            await self.journal.append(f"table/{number}", n, b"x" * 3_000, closes=is_last)

    async def closed(self) -> list[str]:
        await self.journal.close()
        with open_inspector(self.path) as inspector:
            return inspector.find_flaws()


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(journal, "PRUNE_PAUSE_S", 0.0)


async def test_only_tables_that_closed_before_go_and_the_rest_is_whole(tmp_path):
    years = Years(tmp_path)
    await years.journal.append("person/1", 1, b"", closes=False)
    await years.table(1, 1_000, closes=True)
    await years.table(2, 1_000, closes=False)
    await years.table(3, 5_000, closes=True)
    await years.table(4, 1_000, closes=True)
    await years.table(5, 1_000, closes=False)
    assert 2 == await years.journal.prune(5_000)
    assert ["person/1", "table/2", "table/3", "table/5"] == years.journal.streams("")
    assert [] == years.journal.read("table/1")
    assert 3 == len(years.journal.read("table/3"))
    assert 0 == await years.journal.prune(5_000)
    assert [] == await years.closed()


async def test_the_largest_number_is_never_given_out_again(tmp_path):
    years = Years(tmp_path)
    for number in (2, 9, 10):
        await years.table(number, 1_000, closes=True)
    assert 2 == await years.journal.prune(5_000)
    assert 10 == years.journal.last_number("table/")
    assert [] == await years.closed()


async def test_many_go_in_small_steps_and_their_room_is_used_again(tmp_path, monkeypatch):
    monkeypatch.setattr(prune, "STREAMS_MAX", 7)
    monkeypatch.setattr(prune, "PRUNED_MAX", 2)
    years = Years(tmp_path)
    for number in range(1, 41):
        await years.table(number, 1_000, closes=number % 3 > 0)
    await years.journal.write_heartbeat()
    before = years.journal.size_bytes()
    pruning_it = asyncio.create_task(years.journal.prune(5_000))
    await years.table(41, 6_000, closes=True)  # play goes on meanwhile
    assert 27 == await pruning_it
    await years.journal.write_heartbeat()
    assert years.journal.size_bytes() < before / 2
    for number in range(50, 70):
        await years.table(number, 7_000, closes=False)
    assert [] == await years.closed()
    assert years.path.stat().st_size < 1.2 * before


async def test_a_stream_that_was_taken_out_is_new_again(tmp_path):
    """Not that a table would do it; the writer's memory of its end must go with it."""
    years = Years(tmp_path)
    await years.table(1, 1_000, closes=True)
    await years.table(2, 1_000, closes=False)
    assert 1 == await years.journal.prune(5_000)
    await years.table(1, 6_000, closes=False)
    assert 3 == len(years.journal.read("table/1"))
    assert [] == await years.closed()


async def test_a_failure_while_pruning_loses_nothing(tmp_path, monkeypatch):
    years = Years(tmp_path)
    await years.table(1, 1_000, closes=True)
    await years.table(2, 1_000, closes=False)
    monkeypatch.setattr(prune, "REMOVE", "delete from nowhere where id = ?")
    with pytest.raises(JournalWriteError, match="pruning failed"):
        await years.journal.prune(5_000)
    await years.journal.append("table/2", 4, b"")
    assert 3 == len(years.journal.read("table/1"))
    assert [] == await years.closed()


async def test_a_full_journal_says_so_and_still_takes_what_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "MIB", 4_096)
    years = Years(tmp_path, size_mib_max=16)
    assert not years.journal.is_full()
    await years.table(1, 1_000, closes=False, records=30)
    await years.journal.write_heartbeat()
    assert years.journal.is_full()
    await years.table(2, 1_000, closes=False)
    await years.journal.close()
    years = Years(tmp_path, size_mib_max=16)
    assert years.journal.is_full()  # from the start on
    await years.journal.close()
