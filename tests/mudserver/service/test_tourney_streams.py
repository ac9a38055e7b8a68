"""Streams of tournaments where the journal fails, and nobody knows whether a record was written."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from typing import Any

import pytest

from mudserver.errors import JournalWriteError, UserError
from mudserver.service.tourney_streams import CLOSED_KEPT, TourneyStreams
from mudserver.tourneys.events import AnyTourneyEvent, TourneyEntered, TourneyOpened
from mudserver.tourneys.tourney import Tourney
from tests.memory_journal import Disk, MemoryJournal
from tests.mudserver.service.test_tourneys import (
    NAMES,
    come,
    duel_world,
    opened,
    stored,
    tables_by_place,
    tourney_of,
    types,
    until,
)
from tests.simulation import virtual
from tests.simulation.server import SimServer

OPENED = TourneyOpened(
    1000, "p1", "Winter Cup", "duel", ("seats=2",), 2, 2, 0, 8, 180, 180, 1200, False
)


class Kept:
    """Streams over a journal in memory, and what was told of them."""

    def __init__(self, disk: Disk | None = None) -> None:
        self.journal = MemoryJournal(lambda: 5, disk)
        self.streams = TourneyStreams(self.journal, lambda: 5)
        self.told: list[AnyTourneyEvent] = []
        self.streams.on_events = lambda tourney, events: self.told.extend(events)

    async def open(self) -> int:
        return await self.streams.open(OPENED, lambda: None)

    async def enter(self, number: int, person: str) -> None:
        await self.streams.change(number, lambda now: now.enter(person, 2000))


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    virtual.run(coroutine)


@pytest.mark.parametrize("is_kept", [True, False])
def test_an_opening_that_failed_is_there_if_it_was_written_and_its_number_is_used_once(is_kept):
    async def scenario():
        kept = Kept()
        kept.journal.fail(keeps=is_kept)
        with pytest.raises(JournalWriteError):
            await kept.open()
        assert [] == kept.told == kept.streams.all()
        await kept.streams.refresh()
        assert ([OPENED] if is_kept else []) == kept.told
        assert ([1] if is_kept else []) == [it.number for it in kept.streams.all()]
        assert 2 == await kept.open()
        await kept.streams.refresh()
        assert is_kept + 1 == len(kept.told), "each is told once"
        if not is_kept:
            with pytest.raises(UserError, match="no tournament 1"):
                await kept.streams.find(1)
            with pytest.raises(UserError, match="no tournament 1"):
                await kept.enter(1, "p2")

    run(scenario())


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_change_that_failed_is_looked_for_before_the_next_one_is_decided(is_kept):
    async def scenario():
        kept = Kept()
        await kept.open()
        kept.journal.fail(keeps=is_kept)
        with pytest.raises(JournalWriteError):
            await kept.enter(1, "p2")
        assert [] == kept.streams.all()[0].entries
        if is_kept:
            with pytest.raises(UserError, match="already"):
                await kept.enter(1, "p2")
        else:
            await kept.enter(1, "p2")
        assert ["p2"] == kept.streams.all()[0].entries
        assert [OPENED, TourneyEntered(2000, "p2")] == kept.told
        assert 2 == len(kept.journal.disk.read("tourney/1"))

    run(scenario())


def test_nobody_is_refused_because_of_what_another_server_has_changed():
    async def scenario():
        disk = Disk()
        one, other = Kept(disk), Kept(disk)
        for each in (one, other):
            each.journal.is_shared = True
        disk.owner = one.journal
        await one.open()
        await other.streams.restore()
        for person in ("p1", "p2", "p3", "p4"):
            await one.enter(1, person)
        disk.owner = other.journal
        assert [] == other.streams.all()[0].entries
        await other.streams.change(1, lambda now: now.start("p1", 9))
        assert 4 == len(other.streams.all()[0].active)
        assert 5 == len(other.told), "what the other has written is told here as well"
        with pytest.raises(UserError, match="has started"):
            await other.streams.change(1, lambda now: now.start("p1", 9))

    run(scenario())


def test_while_the_journal_cannot_be_read_nothing_is_decided(monkeypatch):
    async def scenario():
        kept = Kept()
        await kept.open()
        kept.journal.fail(keeps=True)
        with pytest.raises(JournalWriteError):
            await kept.enter(1, "p2")

        async def read(*_):
            raise JournalWriteError("no")

        def decide(now: Tourney) -> list[AnyTourneyEvent]:
            raise AssertionError("decided on what may be old")

        with monkeypatch.context() as patch:
            patch.setattr(kept.journal, "read", read)
            with pytest.raises(JournalWriteError):
                await kept.streams.refresh()
            with pytest.raises(JournalWriteError):
                await kept.streams.change(1, decide)
        await kept.streams.refresh()
        assert ["p2"] == kept.streams.all()[0].entries

    run(scenario())


def test_what_a_table_failed_to_write_is_decided_again_by_who_asks_again():
    """The result of a game: the runner replays its table, and appends the end again."""

    async def scenario():
        kept = Kept()
        await kept.open()
        written = 0

        async def write(entries):
            nonlocal written
            written += 1
            await kept.journal.append_all(entries)

        def decide(now: Tourney) -> list[AnyTourneyEvent]:
            return [] if "p2" in now.entries else [TourneyEntered(2000, "p2")]

        kept.journal.fail(keeps=True)
        with pytest.raises(JournalWriteError):
            await kept.streams.change(1, decide, write)
        assert [] == await kept.streams.change(1, decide, write)
        assert 2 == written and ["p2"] == kept.streams.all()[0].entries

    run(scenario())


def test_after_a_restart_all_is_there_and_of_the_old_ones_the_last():
    async def scenario():
        disk = Disk()
        kept = Kept(disk)
        for _ in range(CLOSED_KEPT + 3):
            number = await kept.open()
            await kept.streams.change(number, lambda now: now.close("organiser", "p1", "x", 9))
        last = await kept.open()
        again = Kept(disk)
        await again.streams.restore()
        assert [] == again.told
        expected = [*range(4, CLOSED_KEPT + 4), last]
        assert expected == [it.number for it in again.streams.all()]
        assert [last] == [it.number for it in again.streams.open_ones()]
        assert "closed" == (await again.streams.find(1)).phase, "the rest is read when asked for"
        assert last + 1 == await again.open()

    run(scenario())


@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize("nth", range(1, 13))
def test_a_write_of_which_nobody_knows_changes_nothing_of_a_tournament(nth, is_kept):
    """From its start on: the start, the round, tables, moves, results, whatever comes then."""

    async def scenario():
        world = duel_world(7)
        server = await SimServer(world).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=1")
        server.journal.fail(nth, keeps=is_kept)
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(10)
        if tourney_of(server).phase == "open":
            await types(people[0], "tourney 1 start")
        await until(lambda: tourney_of(server).phase == "closed")
        in_memory = tourney_of(server).standings()
        await server.die()
        return world, in_memory

    world, in_memory = virtual.run(scenario())
    done = stored(world)
    assert "finished" == done.closed.why and done.standings() == in_memory
    places = Counter((number, place) for number, place, _ in tables_by_place(world))
    assert {(1, 1): 1, (1, 2): 1} == places
    assert ["finished"] * 2 == [it.end for it in done.results()]
    first = [world.disk.read(name)[0].body for name in world.disk.streams("table/")]
    assert 2 == sum(b'"tourney":1' in body for body in first)
