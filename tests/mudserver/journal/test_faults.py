"""The ledger when the disk, the file or the process does not do its part."""

from __future__ import annotations

import asyncio
import random
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from mudserver.errors import JournalBroken, JournalFailed, StartError
from mudserver.journal import store
from tests.mudserver.journal.ledgers import filled, opened

# -- the process dies --------------------------------------------------------------------------

WRITER = """
import asyncio, sys
from pathlib import Path
from mudserver import config
from mudserver.journal import Journal

async def play(journal, table):
    sequence = len(journal.read(f"table/{table}"))
    while True:
        sequence += 1
        await journal.append(f"table/{table}", sequence, b"x" * 50)
        sys.stdout.write(f"{table} {sequence}\\n")
        sys.stdout.flush()

async def main():
    journal = Journal.open(Path(sys.argv[1]), lambda: 0, config.Journal())
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
            assert len(journal.read(f"table/{table}")) - sequence in (0, 1)
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
    with file_size_limit(200_000):
        while failures < 3:  # one failure may end with room: the log is emptied on the way
            try:
                await journal.append("table/1", done + 1, body)
                done, failures = done + 1, 0
            except JournalFailed:
                failures += 1
        with pytest.raises(JournalFailed):
            await journal.append("table/2", 1, body)
    assert 30 < done < 66
    assert done == len(await journal.read_again("table/1"))
    await journal.append("table/1", done + 1, body)
    await journal.close()
    journal = opened(tmp_path)
    assert done + 1 == len(journal.read("table/1"))
    await journal.close()


async def test_a_first_start_without_room_is_one_sentence_and_leaves_no_half_ledger(tmp_path):
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
async def test_whichever_call_fails_the_file_is_the_truth_and_the_house_goes_on(
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
        except JournalFailed:
            told = [record.sequence for record in await journal.read_again("table/1")][1:]
    faults.is_armed = False
    assert told == list(range(2, 2 + len(told))) and len(told) >= 3
    assert told == [record.sequence for record in await journal.read_again("table/1")][1:]
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
        with pytest.raises(JournalFailed, match=reason):
            await journal.append("table/1", 1, b"")
    with pytest.raises(JournalFailed):
        journal.read("table/1")
    faults.reopens = True
    await journal.append("table/1", 1, b"")
    await journal.close()


async def test_a_bug_in_one_record_leaves_no_half_transaction_behind(tmp_path):
    journal = opened(tmp_path)
    await journal.append("table/1", 1, b"")
    journal._now_ms = lambda: -1  # no such time: it cannot be hashed
    with pytest.raises(JournalFailed, match="error"):
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
            raise JournalFailed("append failed")
        return write(batch)

    journal._store.write = fail_first
    first = asyncio.ensure_future(journal.append("table/1", 1, b""))
    await asyncio.sleep(0)  # in the loop's next turn it goes to the writer
    behind = [asyncio.ensure_future(journal.append("table/1", n, b"")) for n in (2, 3)]
    results = await asyncio.gather(first, *behind, return_exceptions=True)
    assert [JournalFailed] * 3 == [type(r) for r in results]
    await journal.append("table/1", 1, b"")
    await journal.close()


# -- the file is not what it was ---------------------------------------------------------------


async def test_flipped_bytes_are_found_at_the_start_or_by_the_chain(tmp_path):
    await filled(tmp_path, 200, times=20)
    path = tmp_path / "journal.db"
    whole = path.read_bytes()
    journal = opened(tmp_path)
    expected = journal.read("table/1")
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
            assert expected == journal.read("table/1") or not journal.streams("table/1")
        except (JournalBroken, JournalFailed):
            found += 1
        finally:
            await journal.close()
    assert found > 30
    path.write_bytes(whole)
    await opened(tmp_path).close()


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
        return len(journal.read("table/1"))
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


@pytest.mark.parametrize(("version", "age"), [(0, "an older"), (2, "a newer")])
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
