"""A follower misses no change and sees none twice, whatever commits are late or connections break.

The control numbers changes by one sequence for all writers: then a change that is committed late
stands behind one that was seen already, and is missed.
"""

from __future__ import annotations

import asyncio
from random import Random

import asyncpg
import pytest

from mudserver.errors import JournalWriteError
from mudserver.journal import Entry
from mudserver.journal.postgres import following, removing, statements
from mudserver.journal.postgres.connection import Reader
from mudserver.journal.postgres.following import Change, Follower
from tests.counts import count
from tests.postgres_servers import Servers

WRITERS, STREAMS, CHANGES_MIN = 4, 5, 50
SKIPPING_FOLLOW = """
select 'all' as name, position, stream, sequence, false as is_behind from change
where position > coalesce(($2::bigint[])[1], 0) and $1::text[] is not null
order by position limit 1000"""


async def write_until(over: asyncio.Event, servers: Servers, number: int) -> None:
    """Append to own streams; commits are late by chance, and connections break in the middle."""
    journal, dice = await servers.open(f"g{number}", append_wait_s=30.0), Random(number)
    sequences = dict.fromkeys(range(STREAMS), 0)
    while not over.is_set():
        chosen = dice.sample(range(STREAMS), dice.randint(1, 3))
        entries = [Entry(f"person/{number}{each}", sequences[each] + 1, b"x") for each in chosen]
        waiting = asyncio.ensure_future(journal.append_all(entries))
        if dice.random() < 0.1:
            await asyncio.sleep(dice.uniform(0, 0.02))
            if (connection := journal._writer._connection) is not None:
                connection.terminate()
        await waiting
        for each in chosen:
            sequences[each] += 1


async def follow(servers: Servers, seconds: float) -> tuple[list[Change], set[tuple[str, int]]]:
    """What was seen, and the writers and positions that there are at the end."""
    over, seen = asyncio.Event(), list[Change]()
    await (await servers.open("g0")).close()  # the schema is there
    reader = Reader(servers.address, "follower")
    follower = Follower(reader)
    writing = [
        asyncio.ensure_future(write_until(over, servers, number))
        for number in range(1, WRITERS + 1)
    ]
    end = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < end or len(seen) <= CHANGES_MIN:
        seen += await follower.news()
        await asyncio.sleep(0.002)
    over.set()
    await asyncio.gather(*writing)
    while news := await follower.news():
        seen += news
    await reader.close()
    rows = await servers.run("select writer, position from change")
    return seen, {(writer, position) for writer, position in rows}


@pytest.fixture
def late_commits(monkeypatch):
    """Some statements take up to 60 ms before they are committed."""
    late = statements.APPEND.replace(
        "select (select held",
        "select pg_sleep(case when random() < 0.2 then random() * 0.06 else 0 end), (select held",
    )
    assert late != statements.APPEND
    monkeypatch.setattr(statements, "APPEND", late)


async def check_follower(servers: Servers, seconds: float) -> None:
    seen, there = await follow(servers, seconds)
    found = [(change.writer, change.position) for change in seen]
    print(
        f"changes={len(there)} skipped={len(there - {*found})} twice={len(found) - len({*found})}"
    )
    assert len(found) == len({*found}) and {*found} == there
    assert len(there) > CHANGES_MIN


async def test_no_change_is_missed_and_none_seen_twice(servers, late_commits):
    await check_follower(servers, 1.0)


@pytest.mark.prove
async def test_no_change_is_missed_in_a_long_time(servers, late_commits):
    await check_follower(servers, count(600, 60))


@pytest.mark.parametrize("is_one_sequence", [False, True])
async def test_a_change_that_is_committed_late_is_missed_only_by_one_sequence_for_all(
    servers, monkeypatch, is_one_sequence
):
    """The control: numbered by one sequence, the late change stands behind what was seen."""
    wait = "pg_sleep(case $1 when 'g1' then 3 else 0 end)"
    late_change = f"select (select count(*) from changed), {wait}"  # numbered, then late
    end = "h.stream in (select stream from done))\n"
    append = statements.APPEND.replace(end, f"{end} returning 1\n")
    append = append.replace("select (select held", f"{late_change}, (select held")
    assert "returning 1" in append and late_change in append
    if is_one_sequence:
        own = "$9::bigint + row_number() over (order by h.stream)"
        assert own in append
        append = append.replace(own, "nextval('everybody') + 0 * $9::bigint")
        monkeypatch.setattr("mudserver.journal.postgres.following.FOLLOW", SKIPPING_FOLLOW)
    late, quick = await servers.open("g1", append_wait_s=30.0), await servers.open("g2")
    await servers.run("create sequence if not exists everybody")
    monkeypatch.setattr(statements, "APPEND", append)
    follower = Follower(quick)
    waiting = asyncio.ensure_future(late.append_all([Entry("person/1", 1, b"")]))
    while not await servers.run("select 1 from pg_stat_activity where wait_event = 'PgSleep'"):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await quick.append_all([Entry("person/2", 1, b"")])
    seen = await follower.news()
    assert not waiting.done() and ["person/2"] == [change.stream for change in seen]
    await waiting
    assert ([] if is_one_sequence else ["person/1"]) == [
        change.stream for change in await follower.news()
    ]


async def test_what_was_read_anew_is_not_told(servers):
    journal = await servers.open("g1")
    await journal.append_all([Entry("person/1", 1, b"")])
    await journal.append("table/1", 1, b"")  # is nobody else's affair
    follower = Follower(journal)
    await follower.skip()
    assert [] == await follower.news()
    await journal.append_all([Entry("person/1", 2, b""), Entry("person/1", 3, b"")])
    assert [("g1", "person/1", 3)] == [
        (change.writer, change.stream, change.sequence) for change in await follower.news()
    ]


# -- changes that are not kept -------------------------------------------------------------------


@pytest.fixture
def few_kept(monkeypatch):
    """Of each writer the last ten; three go in one step."""
    monkeypatch.setattr(removing, "CHANGES_KEPT", 10)
    monkeypatch.setattr(removing, "FORGOTTEN_MAX", 3)
    monkeypatch.setattr(following, "ENDS_AT_ONCE", 4)
    limit = following.ENDS.replace("limit 1000", "limit 4")
    assert limit != following.ENDS
    monkeypatch.setattr(following, "ENDS", limit)


async def make_old(servers: Servers) -> None:
    await servers.run("update change set at = at - interval '61 min'")


async def positions(servers: Servers, writer: str) -> list[int]:
    rows = await servers.run(
        "select position & 1048575 from change where writer = $1 order by position", writer
    )
    return [row[0] for row in rows]


async def test_old_changes_are_removed_and_so_are_those_of_a_server_that_is_gone(
    servers, few_kept, monkeypatch
):
    one, gone = await servers.open("g1"), await servers.open("g2")
    for n in range(1, 21):
        await one.append(f"person/{n}", 1, b"")
    for n in range(21, 33):
        await gone.append(f"person/{n}", 1, b"")
    await gone.close()
    await one.write_heartbeat()
    assert 20 == len(await positions(servers, "g1"))  # all of the last hour stay
    await make_old(servers)
    await one.write_heartbeat()
    assert 20 == len(await positions(servers, "g1"))  # it was looked at just now
    monkeypatch.setattr(one, "_forget_at_s", 0.0)
    for left in (17, 14, 11, 10, 10):
        await one.write_heartbeat()
        assert list(range(21 - left, 21)) == await positions(servers, "g1")
    assert list(range(3, 13)) == await positions(servers, "g2")
    assert 32 == len(await one.streams("person/"))


async def test_who_was_away_for_long_is_told_where_all_streams_end(servers, few_kept):
    one, other = await servers.open("g1"), await servers.open("g2")
    reader = Reader(servers.address, "follower")
    early, late = Follower(reader), Follower(reader)
    await one.append("person/1", 1, b"")
    assert 1 == len(await early.news()) == len(await late.news())
    for n in range(2, 21):
        await one.append(f"person/{n}", 1, b"")
    await other.append("person/1", 2, b"")
    await other.append("table/1", 1, b"")
    while await early.news():
        pass
    await make_old(servers)
    for _ in range(4):
        one._forget_at_s = 0.0
        await one.write_heartbeat()
    told = dict[str, int]()
    first = await late.news()
    assert 4 == len(first) and {""} == {change.writer for change in first}
    await other.append("person/2", 2, b"")  # behind the part that was told, and before the rest
    while news := (first or await late.news()):
        first = []
        told |= {change.stream: change.sequence for change in news}
    assert told == {f"person/{n}": 1 + (n < 3) for n in range(1, 21)}
    assert [("g2", "person/2", 2)] == [(c.writer, c.stream, c.sequence) for c in await early.news()]
    assert [] == await late.news() == await early.news()
    fresh = Follower(reader)
    await fresh.skip()
    assert [] == await fresh.news()
    await reader.close()


async def test_who_cannot_read_the_ends_reads_them_the_next_time(servers, few_kept):
    journal, is_broken = await servers.open("g1"), [True]

    class Breaking(Reader):
        async def fetch(self, statement: str, *values: object) -> list[asyncpg.Record]:
            if statement == following.ENDS and is_broken[0]:
                raise JournalWriteError("the connection is lost")
            return await super().fetch(statement, *values)

    for n in range(1, 21):
        await journal.append(f"person/{n}", 1, b"")
    await make_old(servers)
    await journal.write_heartbeat()
    reader = Breaking(servers.address, "follower")
    follower, told = Follower(reader), set[str]()
    with pytest.raises(JournalWriteError):
        await follower.news()
    is_broken[0] = False
    while news := await follower.news():
        told |= {change.stream for change in news}
    assert told == {f"person/{n}" for n in range(1, 21)}
    await reader.close()


async def test_two_servers_do_not_remove_changes_at_once(servers, few_kept):
    one, other = await servers.open("g1"), await servers.open("g2")
    for n in range(1, 21):
        await one.append(f"person/{n}", 1, b"")
    await make_old(servers)
    async with other._reader.transaction() as connection:
        assert await connection.fetchval(
            "select pg_try_advisory_xact_lock($1)", removing.FORGETTING
        )
        assert 0 == await removing.forget_changes(one._reader)
    assert 3 == await removing.forget_changes(one._reader)


async def test_who_removes_changes_holds_the_row_of_one_server_at_a_time(servers, few_kept):
    """Else it waits for a claim that waits for it."""
    one, other = await servers.open("g1"), await servers.open("g2")
    for n in range(1, 21):
        await one.append(f"person/{n}", 1, b"")
        await other.append(f"person/{100 + n}", 1, b"")
    await make_old(servers)
    async with other._reader.transaction() as connection:
        await connection.fetch("select 1 from server where name = 'g2' for share")
        removing_them = asyncio.ensure_future(removing.forget_changes(one._reader))
        while 17 < len(await positions(servers, "g1")):  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # those of the first one are gone, and its row is free
        await connection.fetch("select 1 from server where name = 'g1' for update nowait")
    assert 6 == await removing_them


# -- what others write, as the server is told ----------------------------------------------------


async def test_a_server_is_told_soon_what_anybody_has_written_and_itself_too(servers):
    one, other = await servers.open("g1"), await servers.open("g2")
    told: asyncio.Queue[tuple[str, int]] = asyncio.Queue()

    async def listen() -> None:
        async for change in one.follow():
            told.put_nowait(change)

    listening = [asyncio.ensure_future(listen()), asyncio.ensure_future(anext(other.follow()))]
    await one.append_all([Entry("person/1", 1, b"x")])
    assert ("person/1", 1) == await asyncio.wait_for(told.get(), 10)
    await other.append_all([Entry("person/2", 1, b"x")])
    await other.append("table/1", 1, b"x")
    assert ("person/2", 1) == await asyncio.wait_for(told.get(), 10)
    await servers.cut("g1")  # the bus, too: then it looks by itself
    await other.append_all([Entry("person/1", 2, b"x")])
    assert ("person/1", 2) == await asyncio.wait_for(told.get(), 10)
    assert await one.is_behind("person/1", 1) and told.empty()
    await one.append_all([Entry("person/1", 3, b"x")])  # it knows an older end of that stream
    for each in listening:
        each.cancel()
    await asyncio.gather(*listening, return_exceptions=True)


async def test_a_server_that_ends_while_it_is_told_of_a_change_ends(servers):
    one = await servers.open("g1")
    for turns in range(5):  # of the event loop, from the word to the end
        following = asyncio.ensure_future(anext(one.follow()))
        await asyncio.sleep(0.2)
        one._has_changed.set()
        for _ in range(turns):
            await asyncio.sleep(0)
        following.cancel()
        assert following in (await asyncio.wait({following}, timeout=1))[0]
        assert following.cancelled()


async def test_what_was_written_before_the_start_is_read_and_not_told(servers):
    one = await servers.open("g1")
    await one.append_all([Entry("person/1", 1, b"x")])
    late = await servers.open("g2")
    following = asyncio.ensure_future(anext(late.follow()))
    await asyncio.sleep(0.1)
    assert not following.done()
    await one.append_all([Entry("person/1", 2, b"x")])
    assert ("person/1", 2) == await asyncio.wait_for(following, 10)
