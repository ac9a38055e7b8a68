"""One directory, two journals: one lets go, the other takes over, and never both."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

import pytest

from mudserver.config.schema import JournalConfig
from mudserver.data_directory import lock_directory
from mudserver.errors import JournalCorruptError, JournalWriteError, StartError
from mudserver.journal import StoredRecord
from mudserver.journal.fed_store import FedStore
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.journal.sqlite.store import SqliteStore
from tests.mudserver.journal.journals import opened


def standby() -> SqliteJournal:
    return SqliteJournal(FedStore(), None, lambda: 1_000, JournalConfig())


def take(directory) -> tuple[SqliteStore, int]:
    lock = lock_directory(directory)
    return SqliteStore(directory / "journal.db", is_start=False), lock


async def test_what_is_appended_after_letting_go_waits_and_is_written_when_taken_back(tmp_path):
    journal = opened(tmp_path)
    await journal.append("table/1", 1, b"a")
    await journal.hold()
    await journal.let_go()
    waiting = asyncio.ensure_future(journal.append("table/1", 2, b"b"))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    with pytest.raises(JournalWriteError, match="closed"):
        await journal.read("table/1")
    os.close(lock_directory(tmp_path))
    await journal.take_back()
    await waiting
    assert [1, 2] == [record.sequence for record in await journal.read("table/1")]
    await journal.close()


async def test_a_standby_writes_only_what_has_waited_until_it_may(tmp_path):
    first, second = opened(tmp_path), standby()
    await first.append("table/1", 1, b"a")
    await first.hold()
    await first.let_go()
    second.take_over(*take(tmp_path))
    with pytest.raises(StartError, match="in use"):
        await first.take_back()
    waiting = asyncio.ensure_future(second.append("table/1", 2, b"b"))
    await asyncio.sleep(0.01)
    assert [1] == [record.sequence for record in await second.read("table/1")]
    second.resume()
    await waiting
    assert [1, 2] == [record.sequence for record in await second.read("table/1")]
    await second.close()
    with pytest.raises(JournalWriteError, match="another server has written"):
        await first.take_back()


async def test_a_standby_gives_up_and_the_first_goes_on(tmp_path):
    first, second = opened(tmp_path), standby()
    await first.hold()
    await first.let_go()
    second.take_over(*take(tmp_path))
    await second.give_up(FedStore())
    await first.take_back()
    await first.append("table/1", 1, b"a")
    with pytest.raises(JournalWriteError, match="standby"):
        await second.trim("table/1")
    await first.close()


async def test_a_journal_that_cannot_be_written_is_not_let_go(tmp_path):
    journal = opened(tmp_path)
    await journal.append("table/1", 1, b"a")
    store = journal._store
    write, store.write = store.write, lambda items: (_ for _ in ()).throw(JournalWriteError("full"))
    with pytest.raises(JournalWriteError, match="full"):
        await journal.hold()
    store.write = write
    with pytest.raises(StartError, match="in use"):
        lock_directory(tmp_path)
    await journal.append("table/1", 2, b"b")
    await journal.close()


async def test_what_is_written_and_removed_is_told_in_order(tmp_path):
    journal, told = opened(tmp_path), []
    journal.on_written = lambda records: told.extend(r.stream for r in records)
    journal.on_removed = lambda streams: told.extend(f"-{stream}" for stream in streams)
    await journal.append("mailbox/1", 1, b"a", closes=True)
    with suppress(ValueError):
        await journal.append("mailbox/1", 2, b"a")
    await journal.append_all([("person/1", 1, b"b", False), ("site/1", 1, b"c", False)])
    await journal.remove(["mailbox/1"])
    assert ["mailbox/1", "person/1", "site/1", "-mailbox/1"] == told
    await journal.close()


async def test_what_is_fed_ends_as_the_file_does(tmp_path):
    journal, fed = opened(tmp_path), FedStore()
    for n in (1, 2):
        await journal.append("person/1", n, b"%d" % n)
    fed.begin("person/1", *await journal.read_chain("person/1"))
    fed.begin("person/9", *await journal.read_chain("person/9"))
    journal.on_written = lambda records: [
        fed.add(r.stream, StoredRecord(r.sequence, r.at_ms, r.body), closes=r.closes)
        for r in records
    ]
    await journal.append("person/1", 3, b"3")
    await journal.append("table/7", 1, b"t")
    await journal.append("table/8", 1, b"t", closes=True)
    heads = journal._store.heads()
    assert {"person/1", "table/7"} == heads.keys()
    assert heads == {name: tuple(fed.heads[name]) for name in heads}
    assert ["table/7"] == fed.streams("table/", is_open=True)
    assert [3] == [record.sequence for record in fed.read("person/1", 2)]
    assert 8 == fed.last_number("table/")
    fed.forget_folded()
    assert [] == fed.read("person/1", 0)
    fed.add("person/1", StoredRecord(3, 0, b"known"), closes=False)
    with pytest.raises(JournalCorruptError):
        fed.add("person/1", StoredRecord(5, 0, b""), closes=False)
    await journal.close()
