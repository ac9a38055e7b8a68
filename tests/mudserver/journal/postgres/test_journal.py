"""The journal in PostgreSQL: what it promises beside what every journal does."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import count

import asyncpg
import pytest

from mudserver.config import schema
from mudserver.errors import (
    DataError,
    JournalConflictError,
    JournalCorruptError,
    JournalFencedError,
    JournalWriteError,
    StartError,
)
from mudserver.journal import Claim, Entry
from mudserver.journal.postgres import statements
from mudserver.journal.postgres.batch import Rows
from mudserver.journal.postgres.journal import PostgresJournal
from mudserver.journal.postgres.schema import STEPS
from tests.postgres import Cluster, require_programs
from tests.postgres_servers import Servers

# -- the fence -----------------------------------------------------------------------------------


async def test_a_buried_server_writes_nothing_more_and_hears_why_once(servers):
    journal, told = await servers.open("g1"), []
    journal.on_fenced = told.append
    await journal.append("table/1", 1, b"a")
    await servers.run("update server set epoch = epoch + 1")
    results = await asyncio.gather(
        journal.append("table/1", 2, b"b"),
        journal.append_all([Entry("person/1", 1, b"b")]),
        return_exceptions=True,
    )
    assert [JournalFencedError] * 2 == [type(result) for result in results]
    with pytest.raises(JournalFencedError):
        await journal.append("table/2", 1, b"c")
    assert ["another server has taken over from g1"] == told
    assert [("table/1", 1)] == [tuple(r) for r in await servers.run(
        "select stream, last from stream")]  # fmt: skip


@pytest.mark.parametrize("is_group", [False, True])
async def test_who_was_stopped_while_others_went_on_with_its_tables_gives_way(servers, is_group):
    """It had lost its connection, and reads where its tables end when others have written."""
    journal, told = await servers.open("g1"), []
    journal.on_fenced = told.append
    await journal.append("table/1", 1, b"a")
    journal._writer.heads.forget_all()
    await servers.run("update server set until = clock_timestamp() - interval '1 minute'")
    heir = await servers.open("g2")
    await heir.append("table/1", 2, b"theirs")
    late = [Entry("table/1", 2, b"mine")]
    results = await asyncio.gather(
        journal.append_all(late) if is_group else journal.append("table/1", 2, b"mine"),
        journal.append("table/2", 1, b"new"),
        return_exceptions=True,
    )
    assert [JournalFencedError] * 2 == [type(result) for result in results]
    assert ["another server has taken over from g1"] == told
    assert [b"a", b"theirs"] == [record.body for record in await heir.read("table/1")]
    assert [] == await heir.read("table/2")


@pytest.mark.parametrize("is_group", [False, True])
async def test_a_table_given_away_in_doubt_is_the_others_and_a_bug_is_a_bug(servers, is_group):
    journal, told = await servers.open("g1"), []
    journal.on_fenced = told.append
    heir = await servers.open("g2")
    await asyncio.gather(journal.append("table/1", 1, b"a"), journal.append("table/2", 1, b"a"))
    await journal.give(["table/1"], "g2")
    await heir.append("table/1", 2, b"theirs")

    def late(stream: str, body: bytes, sequence: int = 2):
        if is_group:
            return journal.append_all([Entry(stream, sequence, body)])
        return journal.append(stream, sequence, body)

    results = await asyncio.gather(
        late("table/1", b"mine"), late("table/2", b"b"), late("table/2", b"a", 1),
        return_exceptions=True,
    )  # fmt: skip
    wrong = JournalConflictError if is_group else ValueError
    assert [JournalFencedError, type(None), wrong] == [type(result) for result in results]
    assert [] == told
    assert [b"a", b"b"] == [record.body for record in await journal.read("table/2")]


async def test_a_heartbeat_finds_out_too_and_so_does_who_removes(servers):
    journal = await servers.open("g1")
    await servers.run("update server set epoch = epoch + 1, until = '-infinity'")
    with pytest.raises(JournalFencedError):
        await journal.trim("person/1")
    with pytest.raises(JournalFencedError):
        await journal.write_heartbeat()


async def test_a_table_of_another_server_takes_nothing_and_the_others_of_the_batch_stand(servers):
    one, other = await servers.open("g1"), await servers.open("g2")
    await one.append("table/1", 1, b"a")
    results = await asyncio.gather(
        other.append("table/1", 2, b"x"),
        other.append("table/2", 1, b"b"),
        return_exceptions=True,
    )
    assert [JournalFencedError, type(None)] == [type(result) for result in results]
    with pytest.raises(JournalFencedError):
        await other.append_all([Entry("person/1", 1, b""), Entry("table/1", 2, b"x")])
    await one.append("table/1", 2, b"b")
    assert ["table/1"] == await one.streams("table/", is_open=True)
    assert ["table/2"] == await other.streams("table/", is_open=True)
    assert [] == await one.streams("person/")


async def test_of_plays_at_once_only_that_of_a_lost_table_is_refused(servers):
    one, other = await servers.open("g1"), await servers.open("g2")
    tables = [f"table/{number}" for number in range(1, 9)]
    await asyncio.gather(*(one.append(table, 1, b"a") for table in tables))
    await servers.run("update stream set owner = 'g2' where stream = 'table/3'")
    await other.append("table/3", 2, b"theirs")
    results = await asyncio.gather(
        *(one.append(table, 2, b"mine") for table in tables), return_exceptions=True
    )
    assert ["table/3"] == [
        table for table, result in zip(tables, results, strict=True) if result is not None
    ]
    assert type(results[2]) is JournalFencedError
    assert b"theirs" == (await other.read("table/3"))[-1].body
    for table in tables[:2] + tables[3:]:
        assert [b"a", b"mine"] == [record.body for record in await one.read(table)]


async def test_a_batch_of_plays_is_stored_as_any_other(servers, postgres, monkeypatch):
    """Two statements write the same rows."""
    stored, are_plays, quick = [], Rows.are_plays, []
    for is_quick in (True, False):
        database = await postgres.make_database()
        others = Servers(database, servers.directory / str(is_quick))
        if not is_quick:
            monkeypatch.setattr(Rows, "are_plays", lambda rows: quick.append(are_plays(rows)))
        journal = await others.open("g1")
        for sequence in range(1, 4):
            await asyncio.gather(
                *(journal.append(f"table/{n}", sequence, b"%d" % n * n) for n in range(1, 7))
            )
        await journal.append("table/6", 4, b"", closes=True)
        stored.append([
            await others.run(f"select * from {table} order by stream, 2")
            for table in ("stream", "record", "change")
        ])  # fmt: skip
        await journal.close()
        await postgres.drop_database(database)
    assert stored[0] == stored[1] and len(stored[0][0]) == 6 and len(stored[0][1]) == 19
    assert [False, True, True, False] == quick


async def test_who_is_second_at_a_shared_stream_reads_and_goes_on(servers):
    one, other = await servers.open("g1"), await servers.open("g2")
    await one.append_all([Entry("person/1", 1, b"a")])
    await other.append_all([Entry("person/1", 2, b"b")])
    with pytest.raises(JournalConflictError):
        await one.append_all([Entry("person/1", 2, b"c"), Entry("site/1", 1, b"c")])
    assert [b"b"] == [record.body for record in await one.read("person/1", 1)]
    await one.append_all([Entry("person/1", 3, b"c"), Entry("site/1", 1, b"c")])


async def test_of_three_who_take_one_name_at_once_one_gets_it_and_nothing_else_is_written(servers):
    journals = [await servers.open(name) for name in ("g1", "g2", "g3")]
    for n in range(20):
        results = await asyncio.gather(
            *(
                each.append_all(
                    [Entry(f"person/{3 * n + k}", 1, b"")], [Claim("name", f"{n}", f"p{k}")]
                )
                for k, each in enumerate(journals, 1)
            ),
            return_exceptions=True,
        )
        assert 1 == results.count(None), results
        assert {JournalConflictError} == {type(r) for r in results if r is not None}
    assert 20 == len(await journals[0].streams("person/"))


async def test_numbers_are_distinct_among_servers(servers):
    journals = [await servers.open(name) for name in ("g1", "g2", "g3")]
    blocks = await asyncio.gather(*(each.numbers("table/") for each in journals * 10))
    given = [number for block in blocks for number in block]
    assert len(given) == len(set(given)) == 600


# -- names of servers ----------------------------------------------------------------------------


async def test_a_name_in_use_on_another_machine_is_refused_until_its_lease_has_run_out(servers):
    await servers.open("g1")
    await servers.run("update server set host = 'elsewhere'")
    with pytest.raises(DataError, match="the name g1 is in use by another machine"):
        await servers.open("g1", "other")
    await servers.run("update server set until = clock_timestamp() - interval '1 s'")
    await servers.open("g1", "other")


async def test_a_new_run_of_a_server_fences_the_one_before(servers):
    before = await servers.open("g1")
    await before.append("table/1", 1, b"a")
    after = await servers.open("g1", "elsewhere")  # the lock of the directory is no help here
    await after.append("table/1", 2, b"b")
    with pytest.raises(JournalFencedError):
        await before.append("table/1", 2, b"x")


async def test_a_start_that_fails_takes_nobody_the_time_since_the_last_sign_of_life(
    servers, monkeypatch
):
    played = await servers.open("g1")
    await played.write_heartbeat()
    await played.close()
    monkeypatch.setattr(f"{Servers.__module__}.NOW_MS", 9_000)
    await (await servers.open("g1")).close()  # no port was free, say
    again = await servers.open("g1")
    assert 1_000 == again.last_alive_ms
    await again.write_heartbeat()
    await again.close()
    assert 9_000 == (await servers.open("g1")).last_alive_ms


async def test_a_heartbeat_that_meets_new_epochs_does_not_end_the_server(servers, monkeypatch):
    """The connection of the writer breaks twice while a heartbeat is under way."""
    journal, left = await servers.open("g1"), [2]
    await journal.append("table/1", 1, b"a")
    fetch = journal._reader.fetch

    async def renew_first(statement: str, *values: object) -> list[asyncpg.Record]:
        if statement == statements.BEAT and left[0]:
            left[0] -= 1
            journal._writer._lose()
            await journal._writer.connected()
        return await fetch(statement, *values)

    monkeypatch.setattr(journal._reader, "fetch", renew_first)
    await journal.write_heartbeat()
    await journal.append("table/1", 2, b"b")


# -- doubt ---------------------------------------------------------------------------------------


async def test_a_connection_that_is_cut_again_and_again_loses_and_doubles_nothing(servers):
    journal = await servers.open("g1")
    is_over, has_written = asyncio.Event(), asyncio.Event()

    async def write(number: int) -> int:
        sequence = 0
        while not is_over.is_set():
            sequence += 1
            await journal.append(f"table/{number}", sequence, b"%d" % sequence)
            has_written.set()
            if sequence % 5 == 0:
                entry = Entry(f"person/{number}", sequence // 5, b"%d" % sequence)
                await journal.append_all([entry], [Claim("name", f"{number}", f"p{number}")])
        return sequence

    writing = [asyncio.ensure_future(write(number)) for number in range(1, 9)]
    for n in count():
        await asyncio.sleep(0.001 * (n % 20))
        if n >= 20 and journal.epoch > 1:
            break  # at least one batch was in doubt
        if any(writer.done() for writer in writing):
            break  # it has failed, which is raised below
        if n % 4 == 0:  # a busy machine is slower than the cuts: something is written between them
            has_written.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(has_written.wait(), 2.0)
        if n % 2:
            await servers.cut("g1")  # mostly between two batches
        elif (connection := journal._writer._connection) is not None:
            connection.terminate()  # a batch is under way, and is written or not
    is_over.set()
    last = await asyncio.gather(*writing)
    for number, sequence in enumerate(last, 1):
        assert [b"%d" % n for n in range(1, sequence + 1)] == [
            record.body for record in await journal.read(f"table/{number}")
        ]
        assert sequence // 5 == len(await journal.read(f"person/{number}"))


@pytest.fixture(scope="module")
def module_cluster():
    cluster = Cluster(require_programs())
    yield cluster
    cluster.remove()


@pytest.fixture
def own_cluster(module_cluster):
    """One that may be killed, and has just started."""
    module_cluster.kill()
    module_cluster.start()
    return module_cluster


async def test_a_postgres_that_is_killed_and_comes_back_is_a_pause(own_cluster, tmp_path):
    address = await own_cluster.make_database()
    servers = Servers(address, tmp_path)
    journal = await servers.open("g1", append_wait_s=30.0)
    await journal.append("table/1", 1, b"a")
    for sequence in (2, 3, 4):
        waiting = asyncio.ensure_future(journal.append("table/1", sequence, b"b"))
        await asyncio.to_thread(own_cluster.kill)
        await asyncio.to_thread(own_cluster.start)
        await waiting
    assert [1, 2, 3, 4] == [record.sequence for record in await journal.read("table/1")]
    await journal.close()


async def test_without_a_postgres_an_append_fails_and_the_next_ones_go_on(own_cluster, tmp_path):
    address = await own_cluster.make_database()
    journal = await Servers(address, tmp_path).open("g1", append_wait_s=0.3)
    await journal.append("table/1", 1, b"a")
    await asyncio.to_thread(own_cluster.kill)
    results = await asyncio.gather(
        *(journal.append(f"table/{n}", 1 + (n == 1), b"b") for n in (1, 2, 3)),
        return_exceptions=True,
    )
    assert [JournalWriteError] * 3 == [type(result) for result in results]
    with pytest.raises(JournalWriteError):
        await journal.read("table/1")
    await asyncio.to_thread(own_cluster.start)
    written = len(await journal.read("table/1"))
    await journal.append("table/1", written + 1, b"c")
    assert b"c" == (await journal.read("table/1"))[-1].body
    await journal.close()


async def test_a_postgres_that_does_not_answer_is_waited_for_no_longer_than_it_says(
    own_cluster, tmp_path, monkeypatch
):
    journal = await Servers(await own_cluster.make_database(), tmp_path).open(
        "g1", append_wait_s=1.0
    )
    monkeypatch.setattr("mudserver.journal.postgres.journal.BEAT_S", 1.0)
    await journal.append("table/1", 1, b"a")
    await journal.write_heartbeat()
    own_cluster.freeze()
    try:
        async with asyncio.timeout(3.0):
            with pytest.raises(JournalWriteError, match="does not answer") as failed:
                await journal.write_heartbeat()
        assert failed.value.__cause__ is not None  # so the watchdog knows that the server lives
        async with asyncio.timeout(3.0):
            results = await asyncio.gather(
                journal.append("table/1", 2, b"b"),
                journal.append_all([Entry("person/1", 1, b"b")], [Claim("name", "x", "p1")]),
                return_exceptions=True,
            )
        assert [JournalWriteError] * 2 == [type(result) for result in results]
        async with asyncio.timeout(3.0):  # also where it is not connected
            with pytest.raises(JournalWriteError, match="does not answer"):
                await journal.append("table/2", 1, b"b")
    finally:
        own_cluster.thaw()
    written = len(await journal.read("table/1"))
    await journal.append("table/1", written + 1, b"c")
    assert [b"c"] == [it.body for it in await journal.read("table/1") if it.sequence > written]
    await journal.append_all([Entry("person/2", 1, b"b")], [Claim("name", "y", "p2")])
    await journal.close()


async def test_many_who_wait_for_a_postgres_that_does_not_answer_wait_together(
    own_cluster, tmp_path, monkeypatch
):
    monkeypatch.setattr("mudserver.journal.postgres.connection.CONNECT_S", 0.5)
    address = await own_cluster.make_database()
    journal = await Servers(address, tmp_path).open("g1", append_wait_s=1.0)
    for is_in_doubt in (False, True):
        await journal.write_heartbeat()
        own_cluster.freeze()
        try:
            if is_in_doubt:
                with pytest.raises(JournalWriteError):
                    await journal.append("table/1", 1, b"a")
            else:
                journal._reader._drop()
            async with asyncio.timeout(3.0):
                results = await asyncio.gather(
                    *(journal.read(f"table/{n}") for n in range(20)),
                    journal.write_heartbeat(),
                    return_exceptions=True,
                )
        finally:
            own_cluster.thaw()
        assert {JournalWriteError} == {type(result) for result in results}
        assert all(result.__cause__ is not None for result in results)  # the heartbeat counts
    assert 1 >= len(await journal.read("table/1"))
    await journal.close()


async def test_a_group_that_met_a_deadlock_is_written_the_second_time(servers, monkeypatch):
    journal, left = await servers.open("g1"), [1]
    execute = journal._writer._execute

    async def meet_one(rows: Rows) -> list[str]:
        refused = await execute(rows)
        if left[0]:
            left[0] -= 1
            raise asyncpg.DeadlockDetectedError("deadlock detected")
        return refused

    monkeypatch.setattr(journal._writer, "_execute", meet_one)
    claim = Claim("name", "ann", "p1")
    await journal.append_all([Entry("person/1", 1, b"a"), Entry("person/2", 1, b"b")], [claim])
    assert [("person/1", 1), ("person/2", 1)] == [
        tuple(row) for row in await servers.run("select stream, last from stream order by 1")
    ]
    assert [(claim,)] == [(Claim(*row),) for row in await servers.run("select * from claim")]


async def test_whoever_gives_up_waiting_has_not_taken_it_back(servers):
    journal = await servers.open("g1")
    waiting = asyncio.ensure_future(journal.append("table/1", 1, b"a"))
    await asyncio.sleep(0)
    waiting.cancel()
    await journal.append("table/1", 2, b"b")
    assert [b"a", b"b"] == [record.body for record in await journal.read("table/1")]


# -- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("update record set body = 'x' where sequence = 2", "does not fit its hash"),
        ("delete from record where sequence = 2", "missing"),
        ("delete from record where sequence = 3", "the last record is missing"),
    ],
)
async def test_what_somebody_has_changed_is_found(servers, change, reason):
    journal = await servers.open("g1")
    for sequence in (1, 2, 3):
        await journal.append("table/1", sequence, b"%d" % sequence)
    await servers.run(change)
    with pytest.raises(JournalCorruptError, match=f"stream=table/1 .*{reason}"):
        await journal.read("table/1")


async def test_a_database_that_forgets_or_is_a_newer_servers_is_refused(servers, monkeypatch):
    await (await servers.open("g1")).close()
    name = servers.address.split("/")[3].split("?")[0]
    await servers.run(f"alter database {name} set synchronous_commit = off")
    with pytest.raises(DataError, match="synchronous_commit is off, so plays could be lost"):
        await servers.open("g1", "again")
    await servers.run(f"alter database {name} reset synchronous_commit")
    monkeypatch.setattr("mudserver.journal.postgres.schema.STEPS", STEPS[:-1])
    with pytest.raises(DataError, match="written by a newer server"):
        await servers.open("g1", "again")


async def test_a_database_that_is_not_there_is_one_sentence(tmp_path):
    config = schema.JournalConfig(postgres=f"postgresql://nobody@/none?host={tmp_path}")
    with pytest.raises(StartError, match="PostgreSQL cannot be reached") as refused:
        await PostgresJournal.open(tmp_path / "data", lambda: 0, config)
    assert "\n" not in str(refused.value)


async def test_a_copy_is_postgres_own_affair(servers, tmp_path):
    journal = await servers.open("g1")
    with pytest.raises(JournalWriteError, match="pg_basebackup"):
        await journal.copy(tmp_path / "copy")


# -- planted faults ------------------------------------------------------------------------------


async def test_without_the_epoch_a_buried_server_would_write(servers, monkeypatch):
    """The control of the first test: it can fail."""
    statement = statements.APPEND.replace(
        "name = $1 and epoch = $2", "name = $1 and $2::bigint > 0"
    )
    assert statement != statements.APPEND
    monkeypatch.setattr(statements, "APPEND", statement)
    journal = await servers.open("g1")
    await servers.run("update server set epoch = epoch + 1")
    await journal.append("table/1", 1, b"late")


# -- seats ---------------------------------------------------------------------------------------


async def test_a_table_that_has_closed_or_is_removed_has_nobodys_seat(servers):
    one, other = await servers.open("g1"), await servers.open("g2")
    ann, bob = Claim("seat", "p1", "table/1"), Claim("seat", "p2", "table/1")
    await one.append_all([Entry("table/1", 1, b"x")], [ann, bob])
    with pytest.raises(JournalConflictError) as refused:
        await other.append_all([Entry("table/2", 1, b"x")], [ann._replace(owner="table/2")])
    assert ("p1", "table/1") == (refused.value.key, refused.value.owner)
    await one.append("table/1", 2, b"x", closes=True)
    await other.append_all([Entry("table/2", 1, b"x")], [ann._replace(owner="table/2")])
    await one.remove(["table/1"])
    assert [("p1", "table/2")] == [
        tuple(row) for row in await servers.run("select key, owner from claim")
    ]


async def test_who_cannot_restore_its_table_gives_up_the_seats_there_and_no_others(servers):
    one, other = await servers.open("g1"), await servers.open("g2")
    for number in (1, 2):
        seat = Claim("seat", f"p{number}", f"table/{number}")
        await one.append_all([Entry(seat.owner, 1, b"x")], [seat])
    await other.free_seats("table/1")  # which is not its own
    claims = "select key, owner from claim order by key"
    assert [("p1", "table/1"), ("p2", "table/2")] == [
        tuple(row) for row in await servers.run(claims)
    ]
    await one.free_seats("table/1")
    assert [("p2", "table/2")] == [tuple(row) for row in await servers.run(claims)]
    await other.append_all([Entry("table/3", 1, b"x")], [Claim("seat", "p1", "table/3")])
