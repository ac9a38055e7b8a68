"""How large the file becomes: removed records leave room, and no trace."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mudserver.config import schema
from mudserver.errors import JournalCorruptError, JournalWriteError
from mudserver.journal import Pruning
from mudserver.journal.sqlite import database, journal, prune
from mudserver.journal.sqlite.inspector import open_inspector
from mudserver.journal.sqlite.journal import SqliteJournal

OLD = Pruning(2, 5_000)


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

    async def account(self, number: int, records: int, end: bytes = b"") -> None:
        """An account with so many records, the last one a snapshot, and *end* behind it."""
        for n in range(1, records):
            await self.journal.append(f"person/{number}", n, b"secret of %d" % n * 50)
        snapshot = b'[{"type":"snapshot","id":"p%d"}]' % number
        await self.journal.append(f"person/{number}", records, snapshot)
        if end:
            await self.journal.append(f"person/{number}", records + 1, end)

    async def closed(self) -> list[str]:
        await self.journal.close()
        with open_inspector(self.path) as inspector:
            flaws = inspector.find_flaws()
            for stream, _ in inspector.streams():
                try:
                    inspector.read(stream)
                except JournalCorruptError as exc:
                    flaws.append(str(exc))
            return flaws


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(journal, "PRUNE_PAUSE_S", 0.0)


async def test_many_go_in_small_steps_and_their_room_is_used_again(tmp_path, monkeypatch):
    monkeypatch.setattr(prune, "PRUNED_MAX", 2)
    years = Years(tmp_path)
    for number in range(1, 42):
        await years.table(number, 1_000, closes=number % 3 > 0 and number < 41)
    await years.journal.write_heartbeat()
    before = years.journal.size_bytes()
    pruning_it = asyncio.create_task(years.journal.prune(OLD))
    await years.table(42, 6_000, closes=True)  # play goes on meanwhile
    assert 27 == (await pruning_it).tables
    assert years.journal.size_bytes() < before / 2
    for number in range(50, 70):
        await years.table(number, 7_000, closes=False)
    assert [] == await years.closed()
    assert years.path.stat().st_size < 1.2 * before


async def test_a_step_of_pruning_removes_few_bytes_or_one_table(tmp_path, monkeypatch):
    monkeypatch.setattr(prune, "PRUNED_BYTES_MAX", 20_000)
    years = Years(tmp_path)
    for number, records in enumerate((3, 9, 2, 2, 2, 1), 1):
        await years.table(number, number, closes=True, records=records)
    steps = []
    step = years.journal._store.prune
    monkeypatch.setattr(
        years.journal._store, "prune", lambda *what: steps.append(step(*what)) or steps[-1]
    )
    assert 5 == (await years.journal.prune(OLD)).tables  # that with the largest number stays
    expected = [["table/1"], ["table/2"], ["table/3", "table/4", "table/5"], []]
    assert expected == [done.names for done in steps]
    assert [] == await years.closed()


async def test_a_failure_while_pruning_loses_nothing(tmp_path, monkeypatch):
    years = Years(tmp_path)
    await years.table(1, 1_000, closes=True)
    await years.table(2, 1_000, closes=False)
    monkeypatch.setattr(prune, "REMOVE", "delete from nowhere where id = ?")
    with pytest.raises(JournalWriteError, match="pruning failed"):
        await years.journal.prune(OLD)
    await years.journal.append("table/2", 4, b"")
    assert 3 == len(await years.journal.read("table/1"))
    assert [] == await years.closed()


async def test_the_level_counts_pages_in_use_and_a_trim_lowers_it_at_once(tmp_path):
    years = Years(tmp_path, size_mib_max=16)
    assert years.journal.level() < 0.01
    await years.account(1, 700)
    await years.journal.write_heartbeat()
    full = years.journal.level()
    assert full > 0.02
    await years.journal.trim("person/1")
    assert years.journal.level() < full / 4
    assert [] == await years.closed()
    years = Years(tmp_path, size_mib_max=16)
    assert years.journal.level() < full / 4  # from the start on
    await years.journal.close()


async def test_what_was_trimmed_or_pruned_is_in_no_byte_of_the_files(tmp_path):
    years = Years(tmp_path)
    await years.account(1, 60, b"the end")
    await years.table(1, 1_000, closes=True, records=30)
    await years.table(2, 1_000, closes=False, records=0)
    await years.journal.append("table/2", 1, b"")
    await years.journal.trim("person/1")
    await years.journal.prune(OLD)
    assert [] == await years.closed()
    found = years.path.read_bytes()
    assert b"the end" in found
    assert b"secret of" not in found and b"x" * 20 not in found


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        (["update record set body = cast('other' as blob) where sequence = 5"], "seq=5"),
        (["update record set body = cast('other' as blob) where sequence = 6"], "seq=6"),
        (["update stream set base = 0, base_hash = null"], "seq=1"),
        (["update stream set base_hash = null"], "seq=4"),
        (["update stream set base_hash = zeroblob(32)"], "seq=5"),
        (["update stream set base = 3"], "seq=4"),
        (["update stream set base = 5, base_hash = (select hash from record where sequence = 5)",
          "delete from record where sequence = 5"], "seq=6 reason='it does not replace"),
        (["delete from record where sequence = 5"], "seq=5"),
        (["update record set previous = 99 where sequence = 5"], ""),
    ],
)  # fmt: skip
async def test_a_trimmed_chain_that_was_changed_is_found(tmp_path, statements, reason):
    years = Years(tmp_path)
    await years.account(1, 5, b"the end")
    await years.journal.trim("person/1")
    assert [] == await years.closed()
    db = database.open_database(years.path, is_start=False)
    for statement in statements:
        db.execute(statement)
    db.close()
    found = await Years(tmp_path).closed()
    assert any(reason in line for line in found) if reason else [] == found


async def test_a_stream_that_misses_records_is_not_trimmed(tmp_path):
    years = Years(tmp_path)
    await years.account(1, 5)
    await years.journal.close()
    db = database.open_database(years.path, is_start=False)
    db.execute("delete from record where sequence = 2")
    db.close()
    years = Years(tmp_path)
    with pytest.raises(JournalCorruptError, match="stream=person/1 seq=1"):
        await years.journal.trim("person/1")
    await years.journal.append("person/2", 1, b"")  # the journal goes on
    await years.journal.close()
