"""The journal when the disk or the process does not do its part."""

from __future__ import annotations

import asyncio
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import contextmanager

import pytest

from mudserver.errors import JournalWriteError, StartError
from mudserver.journal.sqlite import store
from tests.mudserver.journal.journals import opened

# -- the process dies --------------------------------------------------------------------------

WRITER = """
import asyncio, sys
from pathlib import Path
from mudserver.config import schema
from mudserver.journal.sqlite.journal import SqliteJournal

async def play(journal, table):
    sequence = len(await journal.read(f"table/{table}"))
    while True:
        sequence += 1
        await journal.append(f"table/{table}", sequence, b"x" * 50)
        sys.stdout.write(f"{table} {sequence}\\n")
        sys.stdout.flush()

async def main():
    journal = SqliteJournal.open(Path(sys.argv[1]), lambda: 0, schema.JournalConfig())
    await asyncio.gather(*(play(journal, table) for table in range(8)))

asyncio.run(main())
"""


def test_every_acknowledged_record_survives_sigkill(tmp_path):
    acknowledged: dict[str, int] = {}
    for lines in (1, 40, 700):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        heard = [writer.stdout.readline() for _ in range(lines)]
        writer.send_signal(signal.SIGKILL)
        heard += [line for line in writer.stdout.readlines() if line.endswith("\n")]
        writer.wait()
        writer.stdout.close()
        acknowledged |= {table: int(n) for table, n in map(str.split, heard)}
        journal = opened(tmp_path)
        for table, sequence in acknowledged.items():
            # At most the one in flight is there without anybody having been told.
            assert len(journal._store.read(f"table/{table}", 0)) - sequence in (0, 1)
        asyncio.run(journal.close())
    assert len(acknowledged) == 8 and sum(acknowledged.values()) > 740


# -- the disk is full --------------------------------------------------------------------------


@contextmanager
def file_size_limit(size_bytes: int):
    """No file of this process grows beyond *size_bytes* (EFBIG; Python ignores SIGXFSZ)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_full_disk_loses_nothing_acknowledged_and_is_over_when_there_is_room(tmp_path):
    journal, body, done, failures = opened(tmp_path), bytes(3_000), 0, 0
    with file_size_limit(260_000):
        while failures < 3:  # one failure may end with room: the log is emptied on the way
            try:
                await journal.append("table/1", done + 1, body)
                done, failures = done + 1, 0
            except JournalWriteError:
                failures += 1
        with pytest.raises(JournalWriteError):
            await journal.append("table/2", 1, body)
    assert 30 < done < 66
    assert done == len(await journal.read("table/1"))
    await journal.append("table/1", done + 1, body)
    await journal.close()
    journal = opened(tmp_path)
    assert done + 1 == len(await journal.read("table/1"))
    await journal.close()


async def test_a_first_start_without_room_is_one_sentence_and_leaves_no_half_journal(tmp_path):
    with file_size_limit(6_000), pytest.raises(StartError, match=r"journal\.db cannot be made: "):
        opened(tmp_path)
    await opened(tmp_path).close()


# -- any call fails ----------------------------------------------------------------------------


class Faults:
    """Lets the *nth* statement of the connection fail, before or after it has done its work."""

    def __init__(self, nth: int, is_done_first: bool, reopens: bool) -> None:
        self.nth, self.is_done_first, self.reopens = nth, is_done_first, reopens
        self.calls, self.connections, self.is_armed = 0, 0, False

    def connect(self, *args, **kwargs) -> sqlite3.Connection:
        self.connections += 1
        faults = self

        class Connection(sqlite3.Connection):
            def execute(self, *args):
                return faults.run(super().execute, *args)

            def executemany(self, *args):
                return faults.run(super().executemany, *args)

        if self.connections > 1 and not self.reopens:
            raise sqlite3.OperationalError("unable to open database file")
        return real_connect(*args, factory=Connection, **kwargs)

    def run(self, call, *args):
        if not self.is_armed:
            return call(*args)
        self.calls += 1
        if self.calls == self.nth:
            if self.is_done_first:
                call(*args)
            raise sqlite3.OperationalError("disk I/O error")
        return call(*args)


real_connect = sqlite3.connect


@pytest.mark.parametrize("is_done_first", [False, True])
@pytest.mark.parametrize("nth", range(1, 13))
async def test_whichever_call_fails_the_file_is_the_truth_and_the_server_goes_on(
    tmp_path, monkeypatch, nth, is_done_first
):
    await opened(tmp_path).close()
    faults = Faults(nth, is_done_first, reopens=True)
    monkeypatch.setattr(store.sqlite3, "connect", faults.connect)
    journal = opened(tmp_path)
    await journal.append("table/1", 1, b"before")
    faults.is_armed = True
    told = []
    for _ in range(4):
        sequence = len(told) + 2
        try:
            await journal.append("table/1", sequence, b"%d" % sequence)
            told.append(sequence)
        except JournalWriteError:
            told = [record.sequence for record in await journal.read("table/1")][1:]
    faults.is_armed = False
    assert told == list(range(2, 2 + len(told))) and len(told) >= 3
    assert told == [record.sequence for record in await journal.read("table/1")][1:]
    assert faults.calls >= nth and faults.connections == 2
    await journal.append("table/1", len(told) + 2, b"after")
    await journal.close()


async def test_while_the_file_cannot_be_opened_again_every_append_fails_at_once(
    tmp_path, monkeypatch
):
    await opened(tmp_path).close()
    faults = Faults(1, False, reopens=False)
    monkeypatch.setattr(store.sqlite3, "connect", faults.connect)
    journal = opened(tmp_path)
    faults.is_armed = True
    for reason in ("append failed: disk I/O error", "cannot be opened", "cannot be opened"):
        with pytest.raises(JournalWriteError, match=reason):
            await journal.append("table/1", 1, b"")
    with pytest.raises(JournalWriteError):
        await journal.read("table/1")
    faults.reopens = True
    await journal.append("table/1", 1, b"")
    await journal.close()


async def test_a_bug_in_one_record_leaves_no_half_transaction_behind(tmp_path):
    journal = opened(tmp_path)
    await journal.append("table/1", 1, b"")
    journal._now_ms = lambda: -1  # no such time: it cannot be hashed
    with pytest.raises(JournalWriteError, match="error"):
        await journal.append("table/1", 2, b"")
    journal._now_ms = lambda: 0
    await journal.append("table/1", 2, b"")
    await journal.close()


async def test_a_failed_batch_takes_along_what_waits_behind_it(tmp_path):
    journal = opened(tmp_path)
    write, calls = journal._store.write, []

    def fail_first(batch):
        calls.append(len(batch))
        if len(calls) == 1:
            raise JournalWriteError("append failed")
        return write(batch)

    journal._store.write = fail_first
    first = asyncio.ensure_future(journal.append("table/1", 1, b""))
    await asyncio.sleep(0)  # in the loop's next turn it goes to the writer
    behind = [asyncio.ensure_future(journal.append("table/1", n, b"")) for n in (2, 3)]
    results = await asyncio.gather(first, *behind, return_exceptions=True)
    assert [JournalWriteError] * 3 == [type(r) for r in results]
    await journal.append("table/1", 1, b"")
    await journal.close()
