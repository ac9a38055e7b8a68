"""What is counted of results game by game is made in the background, while games end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

import pytest

from mudserver.accounts.accounts import Accounts
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.journal import Entry, IndexRow
from mudserver.journal.streams import RESULT_STREAM
from mudserver.results.events import AnyResultEvent, GameRecorded, SeatResult, decode, encode
from mudserver.results.rows import index_rows
from mudserver.results.statistics import Tallies
from mudserver.service import result_streams
from mudserver.service.account_streams import AccountStreams
from mudserver.service.result_streams import ResultStreams
from tests.memory_journal import MemoryJournal
from tests.simulation import virtual

GAMES = 400
COUNTED = ("tally", "season", "program")


@pytest.fixture(autouse=True)
def _short_steps(monkeypatch):
    monkeypatch.setattr(result_streams, "STEP", 7)
    monkeypatch.setattr("tests.memory_journal.PIECE", 30)
    monkeypatch.setattr(result_streams, "PAUSE_S", 0.004)


def a_game(number: int) -> GameRecorded:
    dice = Random(number)
    seats = tuple(
        SeatResult(
            "program" if who == 9 else "person", f"p{who}", place=place,
            before=(250_000, 30_000), after=(250_000 + number, 30_000), games=number,
        )
        for place, who in enumerate(dice.sample(range(1, 30), 3), 1)
    )  # fmt: skip
    at_ms = 1_790_000_000_000 + number * 3_600_000  # over more than one season
    return GameRecorded(at_ms, number, f"{number}.1", "duel", 0, 1, 2, "finished", seats,
                        pool="duel")  # fmt: skip


def streams(journal: MemoryJournal) -> ResultStreams:
    """Those of a server that starts."""
    clock = Clock(asyncio.get_running_loop())
    accounts = AccountStreams(journal, Accounts(), clock, schema.JournalConfig())
    return ResultStreams(journal, accounts)


async def recorded(*counted: IndexRow) -> MemoryJournal:
    """A journal of many results, whose index has what is not counted, and *counted*."""
    journal = MemoryJournal()
    entries, rows = list[Entry](), list[IndexRow]()
    for number in range(1, GAMES + 1):
        entries.append(Entry(RESULT_STREAM, number, encode(a_game(number))))
        rows += index_rows(number, a_game(number))
    await journal.append_all(entries, index=[*rows, *counted])
    return journal


def counted_whole(events: Sequence[AnyResultEvent]) -> list[IndexRow]:
    tallies = Tallies(is_whole=True)
    return [row for at, event in enumerate(events, 1) for row in tallies.rows(at, event)]


async def check(journal: MemoryJournal, games: int) -> None:
    """What is counted is what all the results make."""
    events = [decode(stored.body) for stored in await journal.read(RESULT_STREAM)]
    assert [*range(1, games + 1)] == [it.number for it in events if isinstance(it, GameRecorded)]
    whole = MemoryJournal()
    await whole.append_all([], index=counted_whole(events))
    for table in COUNTED:
        found, wanted = [
            sorted(await each.look_up(f"select * from {table}", ())) for each in (journal, whole)
        ]
        assert wanted == found, table
    assert [(len(events),)] == await journal.look_up(
        "select value from mark where name = 'counted'"
    )


async def ends(results: ResultStreams) -> int:
    """A game ends; its number."""

    async def make(number: int) -> list[GameRecorded]:
        return [a_game(number)]

    [event] = await results.append(make)
    assert isinstance(event, GameRecorded)
    return event.number


async def test_games_end_while_older_ones_are_counted():
    journal = await recorded()
    results = streams(journal)
    counting = asyncio.create_task(results.count())
    for number in range(GAMES + 1, GAMES + 11):
        await asyncio.sleep(0.002)
        assert number == await ends(results)
        assert (await results.mark("counted") or 0) < GAMES
        assert not counting.done()
    await counting
    await check(journal, GAMES + 10)
    await ends(results)
    await check(journal, GAMES + 11)


async def test_an_interrupted_counting_over_the_rows_of_a_former_one_goes_on():
    former = counted_whole([a_game(number) for number in range(1, GAMES + 1)])
    journal = await recorded(*[row for row in former if row.table == "tally"])
    results = streams(journal)
    counting = asyncio.create_task(results.count())
    for _ in range(1_000):
        if await results.mark("counted"):
            break
        await asyncio.sleep(0.001)
    counting.cancel()
    await asyncio.wait([counting])
    results = streams(journal)
    assert 0 < (await results.mark("counted") or 0) < GAMES
    await results.count()
    await check(journal, GAMES)


def test_servers_that_count_at_once_count_nothing_twice():
    """On virtual time: on a busy machine one of them could lose to the other again and again."""

    async def life(results: ResultStreams) -> None:
        counting = asyncio.create_task(results.count())
        for _ in range(8):
            await ends(results)
            await asyncio.sleep(0.01)
        await counting
        await ends(results)

    async def scenario() -> None:
        journal = await recorded()
        await asyncio.gather(life(streams(journal)), life(streams(journal)))
        await check(journal, GAMES + 18)

    virtual.run(scenario())


async def test_a_mark_of_another_journal_counts_for_nothing():
    former = counted_whole([a_game(number) for number in range(1, GAMES + 50)])
    journal = await recorded(*former[-1:], IndexRow("mark", ("counted", 10**6)))
    await streams(journal).count()
    await check(journal, GAMES)
