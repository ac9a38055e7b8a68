"""Live tables whose people are all offline leave memory, and are there for who comes back."""

from __future__ import annotations

import asyncio

from mudserver.messages import LocationMessage
from mudserver.tables import requests as r
from mudserver.tables.parked import may_park
from mudserver.tables.parking import QUIET_S
from mudserver.tables.pause_state import PAUSE_MS
from tests.mudserver.tables.driver import Driver
from tests.mudserver.tables.test_parking import copied
from tests.mudserver.tables.world import World, run
from tests.toys.multistep.game import MULTISTEP

MOMENT_S = 1.0


async def paused(**options: str) -> World:
    """A live game of Ann and Bob that they have paused; both are offline, the table is parked."""
    world = World(variant=MULTISTEP)
    await world.started("a", "b", **options)
    world.tables.submit(1, r.Offer("a", "pause"))
    await asyncio.sleep(3)
    world.tables.submit(1, r.AnswerOffer("b", True))
    await world.settles()
    await goes(world, "a", "b")
    await asyncio.sleep(QUIET_S + MOMENT_S)
    assert 1 in world.tables.parking
    return world


async def goes(world: World, *people: str) -> None:
    for person in people:
        world.outbox.detach(person, world.outbox.inbox_of(person))
        world.tables.on_disconnect(person)
    await world.settles()


def test_who_comes_back_to_a_parked_live_game_is_at_the_table():
    async def scenario() -> None:
        world = await paused()
        assert [] == world.tables.lists.slow_games("b")  # it is none that waits for days
        assert [1] == [it.table for it in world.tables.lists.own_games("b")]
        world.person("b")
        await asyncio.sleep(MOMENT_S)
        assert 1 not in world.tables.parking and 1 == world.tables.table_of("b")
        assert 1 in [m.table for m in world.received("b", LocationMessage)]
        world.tables.submit(1, r.GoOn("b"))
        await asyncio.sleep(11)
        table = world.table(1)
        assert table.game.pause is None and table.binds("b") and not table.is_away("b")
        await goes(world, "b")
        await asyncio.sleep(QUIET_S + MOMENT_S)
        assert 1 not in world.tables.parking  # its clock runs

    run(scenario())


def test_its_pause_ends_and_who_stays_offline_is_away():
    async def scenario() -> None:
        world = await paused()
        await asyncio.sleep(PAUSE_MS / 1000 - QUIET_S)
        assert 1 not in world.tables.parking and world.table(1).game.pause is None
        await asyncio.sleep(130)
        assert {"a", "b"} == {it for it in "ab" if world.table(1).is_away(it)}

    run(scenario())


def test_the_time_offline_goes_on_while_it_is_parked():
    """Else the longest absence would never be over."""

    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        await world.started("a", "b", clocks="off", absence="pause")
        await goes(world, "a", "b")
        await asyncio.sleep(QUIET_S + MOMENT_S)
        assert 1 in world.tables.parking
        await asyncio.sleep(550)
        assert any(world.table(1).is_away(it) for it in "ab")

    run(scenario())


def test_a_live_table_is_parked_when_nobody_is_there_and_no_guest_plays():
    driver = Driver({"clocks": "off", "absence": "pause"}, variant=MULTISTEP).starts("b")
    now_ms = driver.now_ms
    assert not may_park(driver.table, now_ms)
    driver.does(r.Disconnect("a"))
    assert not may_park(driver.table, now_ms)
    driver.does(r.Watch("c", "Cid"))
    driver.does(r.Disconnect("b"))
    assert not may_park(driver.table, now_ms)
    driver.does(r.Unwatch("c"))
    assert may_park(driver.table, now_ms)
    guests = Driver({"clocks": "off", "absence": "pause"}, variant=MULTISTEP)
    guests.does(r.Sit("g", "Guest1", is_guest=True))
    guests.all_start()
    for person in "ag":
        guests.does(r.Disconnect(person))
    assert not may_park(guests.table, now_ms)


def test_another_process_folds_it():
    async def scenario() -> None:
        world = await paused()
        disk = copied(world.journal.disk)
        disk.alive_ms = world.clock.now_ms()
        wall_ms = world.clock.now_ms() + 10_000
        again = World(disk, variant=MULTISTEP, wall_ms=wall_ms, within_s=None)
        await again.tables.restore()
        await again.settles()
        assert 1 not in again.tables.parking and again.table(1).game.pause is not None
        again.person("a")
        await again.settles()
        assert 1 == again.tables.table_of("a")

    run(scenario())
