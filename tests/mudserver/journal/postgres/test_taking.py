"""Tables of servers that are gone, and who takes them over: in PostgreSQL."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import count

import asyncpg
import pytest

from mudserver.errors import JournalFencedError, JournalWriteError
from mudserver.journal.interface import TakenTable
from mudserver.journal.postgres import journal as postgres_journal
from mudserver.journal.postgres import statements
from mudserver.journal.postgres.journal import PostgresJournal
from tests.postgres_servers import NOW_MS


async def test_tables_of_a_server_that_is_gone_are_taken_over_with_its_last_sign_of_life(servers):
    gone = await servers.open("g1")
    await gone.append("table/1", 1, b"a")
    await gone.write_heartbeat()
    assert None is (await servers.open("g2")).last_alive_ms  # its lease has not run out
    await servers.run(
        "update server set until = clock_timestamp() - interval '1 s' where name = 'g1'"
    )
    heir = await servers.open("g3")
    assert NOW_MS == heir.last_alive_ms
    assert ["table/1"] == await heir.streams("table/", is_open=True)
    await heir.append("table/1", 2, b"b")
    with pytest.raises(JournalFencedError):
        await gone.append("table/1", 2, b"x")


async def test_a_table_is_open_whoever_has_it_and_has_a_server_while_that_lives(servers):
    one, other, gone = [await servers.open(name) for name in ("g1", "g2", "g3")]
    await one.append("table/1", 1, b"a")
    await other.append("table/2", 1, b"a")
    await other.append("table/2", 2, b"b", closes=True)
    await gone.append("table/3", 1, b"a")
    await servers.run(
        "update server set until = clock_timestamp() - interval '1 s' where name = 'g3'"
    )
    tables = [f"table/{number}" for number in (1, 2, 3, 4)]
    for journal in (one, other):
        assert ["g1", "", "", ""] == [await journal.server_of(table) for table in tables]
        assert [True, False, True, False] == [await journal.is_open(table) for table in tables]


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(postgres_journal, "TAKE_EVERY_S", (0.02, 0.03))
    monkeypatch.setattr(postgres_journal, "ROUND_S", 0.01)


def everything(stream: str) -> bool:
    return True


@pytest.fixture
def two_gone(servers):
    """Two servers that left a table each; and the heir of both."""

    async def make() -> PostgresJournal:
        heir = await servers.open("g3")
        for number in (1, 2):
            gone = await servers.open(f"g{number}")
            await gone.append(f"table/{number}", 1, b"x")
            await gone.write_heartbeat()
        await servers.run(
            "update server set until = clock_timestamp() - interval '1 ms' where name <> 'g3'"
        )
        return heir

    return make


async def taken_by(heir: PostgresJournal) -> list[TakenTable]:
    """All that it is told of, in time enough for several rounds."""
    taken = dict[str, TakenTable]()
    with suppress(TimeoutError):
        async with asyncio.timeout(1.0):
            async for tables in heir.take_tables(taken.__contains__):
                assert not taken.keys() & {table.stream for table in tables}
                taken |= {table.stream: table for table in tables}
    return [taken[stream] for stream in sorted(taken)]


@pytest.mark.parametrize("nth", [1, 2])
async def test_tables_taken_when_the_answer_is_lost_are_handed_over_nevertheless(
    two_gone, at_once, monkeypatch, nth
):
    heir, claims = await two_gone(), count(1)
    fetch = heir._reader._fetch

    async def lose(statement: str, values: tuple[object, ...]) -> list[asyncpg.Record]:
        rows = await fetch(statement, values)
        if statement == statements.CLAIM and next(claims) == nth:
            heir._reader._drop()
            raise JournalWriteError("the connection is lost")
        return rows

    monkeypatch.setattr(heir._reader, "_fetch", lose)
    assert [("table/1", NOW_MS), ("table/2", NOW_MS)] == await taken_by(heir)


async def test_what_was_taken_from_one_is_told_though_the_next_cannot_be_taken_from(
    two_gone, at_once, monkeypatch
):
    heir, burials = await two_gone(), count(1)
    fetch = heir._reader.fetch

    async def refuse_second(statement: str, *values: object) -> list[asyncpg.Record]:
        if statement == statements.BURY and next(burials) == 2:
            raise JournalWriteError("canceling statement due to lock timeout")
        return await fetch(statement, *values)

    monkeypatch.setattr(heir._reader, "fetch", refuse_second)
    assert [("table/1", NOW_MS), ("table/2", NOW_MS)] == await taken_by(heir)


async def test_servers_that_live_divide_the_open_tables_of_one_that_is_gone(servers, at_once):
    gone, *others = [await servers.open(f"g{n}") for n in (1, 2, 3)]
    for number in range(1, 10):
        await gone.append(f"table/{number}", 1, b"x")
    await gone.append("table/9", 2, b"x", closes=True)
    await gone.write_heartbeat()

    async def take(journal: PostgresJournal) -> list[TakenTable]:
        taken = list[TakenTable]()
        with suppress(TimeoutError):
            async with asyncio.timeout(1.5):
                async for tables in journal.take_tables(everything):
                    taken += tables
        return taken

    assert [[], []] == await asyncio.gather(*map(take, others))  # it lives
    await servers.run(
        "update server set until = clock_timestamp() - interval '1 ms', alive_ms = $1"
        " where name = 'g1'", NOW_MS,
    )  # fmt: skip
    found = await asyncio.gather(*map(take, others))
    assert all(found) and {NOW_MS} == {table.alive_ms for part in found for table in part}
    streams = sorted(table.stream for part in found for table in part)
    assert [f"table/{number}" for number in range(1, 9)] == streams
    first = found[0][0].stream
    await others[0].append(first, 2, b"y")
    with pytest.raises(JournalFencedError):
        await gone.append(first, 2, b"z")


async def test_a_server_looks_again_when_the_lease_of_another_has_run_out(servers):
    one = await servers.open("g1", lease_s=2.0)
    assert {} == await one._other_leases_s()
    await servers.open("g2", lease_s=100.0)
    await servers.open("g3", lease_s=50.0)
    leases_s = await one._other_leases_s()
    assert 40.0 < leases_s["g3"] <= 50.0 < leases_s["g2"]


async def test_that_tables_may_follow_is_told_once_and_before_they_do(servers, monkeypatch):
    monkeypatch.setattr(postgres_journal, "TAKE_EVERY_S", (0.3, 0.4))
    gone, heir = await servers.open("g1"), await servers.open("g2")
    await gone.append("table/1", 1, b"x")
    await servers.run(
        "update server set until = clock_timestamp() + interval '600 ms', alive_ms = $1"
        " where name = 'g1'", NOW_MS,
    )  # fmt: skip
    told = list[list[str]]()
    with suppress(TimeoutError):
        async with asyncio.timeout(1.5):
            async for tables in heir.take_tables(everything):
                told.append([table.stream for table in tables])
    assert [[], ["table/1"]] == told


async def test_who_has_ended_in_an_orderly_way_finds_its_tables_for_the_time_of_a_lease(
    servers, at_once
):
    other = await servers.open("g2", lease_s=3)
    gone = await servers.open("g1")
    await gone.append("table/1", 1, b"x")
    await gone.close()
    taking = asyncio.ensure_future(anext(other.take_tables(everything)))
    await servers.run(
        "update server set alive_ms = 1000 * extract(epoch from clock_timestamp())"
        " where name = 'g1'"
    )
    await asyncio.sleep(0.5)
    assert not taking.done()
    [table] = await asyncio.wait_for(taking, 10)
    assert "table/1" == table.stream


async def test_neither_does_a_start_take_the_tables_of_one_that_has_just_ended(servers):
    gone = await servers.open("g1")
    await gone.append("table/1", 1, b"x")
    await servers.run(
        "update server set alive_ms = 1000 * extract(epoch from clock_timestamp())"
        " where name = 'g1'"
    )
    await gone.close()
    assert [] == await (await servers.open("g2")).streams("table/", is_open=True)
    assert ["table/1"] == await (await servers.open("g1")).streams("table/", is_open=True)
