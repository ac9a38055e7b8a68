"""Moves kept for later at parked tables, and after a server has gone: nothing tells of them."""

from __future__ import annotations

from typing import Any

import pytest

from mudserver.messages import Notice
from mudserver.tables import plan_texts as texts
from mudserver.tables import planned
from mudserver.tables import requests as r
from mudserver.tables.parking import QUIET_S
from mudserver.tables.plans import PAUSE_MS
from tests.mudserver.tables.test_parking import REST_S, again, alone, passes
from tests.mudserver.tables.world import World, run
from tests.toys.multistep.game import MULTISTEP

MOST_S = PAUSE_MS[1] / 1000


async def kept(*lines: str, until_asked: bool = True) -> World:
    """Bob keeps *lines*, and is asked unless it is said otherwise; nobody looks at the table."""
    world = World(variant=MULTISTEP)
    await world.started("a", "b", move="1d")
    for line in lines:
        world.tables.submit(1, r.ChangePlan("b", line))
    await world.settles()
    if until_asked:
        await asks_bob(world)
    await alone(world, 1, "a", "b")
    return world


async def asks_bob(world: World) -> None:
    for _ in range(2):
        world.plays("a", "step")
        await world.settles()


def plays(world: World) -> list[str]:
    game = world.table().game
    assert game is not None
    return [play.by for play in game.plays[1:]]


async def fetched(world: World) -> World:
    await world.tables.fetch(1)
    await world.settles()
    return world


def test_a_parked_table_plays_when_the_time_has_come_and_is_parked_again():
    async def scenario() -> None:
        world = await kept("answer", "step", until_asked=False)
        await passes(world, REST_S)
        assert 1 in world.tables.parking
        await fetched(world)
        world.tables.go("a", 1)
        await world.settles()
        await asks_bob(world)
        await alone(world, 1, "a")
        await passes(world, REST_S + MOST_S)
        assert 1 in world.tables.parking
        await fetched(world)
        assert ["person", "person", "later"] == plays(world)
        assert {} == world.table().game.plans.lines

    run(scenario())


@pytest.mark.parametrize("away_s", [1.0, 3 * 86_400.0])
@pytest.mark.parametrize("is_parked", [False, True])
def test_the_next_server_has_the_list_and_plays_it(is_parked, away_s):
    async def scenario() -> None:
        world = await kept("step", until_asked=not is_parked)
        await passes(world, REST_S if is_parked else 1)
        assert is_parked == (1 in world.tables.parking)
        after = await again(world, away_s)
        for person in "ab":
            after.person(person)
        await fetched(after)
        if is_parked:
            after.tables.go("a", 1)
            await after.settles()
            await asks_bob(after)
        await passes(after, MOST_S)
        if 1 in after.tables.parking:
            await fetched(after)
        assert ["person", "person", "later"] == plays(after)

    run(scenario())


def test_who_is_elsewhere_is_told_that_the_list_did_not_fit():
    async def scenario() -> None:
        world = await kept("answer")
        world.forget_messages()
        await passes(world, REST_S)
        assert [texts.UNFIT.format(1)] == [it.text for it in world.received("b", Notice)]
        assert [] == world.received("a")

    run(scenario())


# -- that it cannot be told whether there is a list ------------------------------------------------


def is_in_memory(*lines: str) -> list[bool]:
    """Second by second, for as long as no move has been played for Bob."""

    async def scenario() -> list[bool]:
        world = await kept(*lines)
        found: list[bool] = []
        for _ in range(int(2 * REST_S)):
            await passes(world, 1)
            found.append(1 not in world.tables.parking)
            if found[-1] and "later" in plays(world):
                return found[:-1]
        return found

    return run(scenario())


def test_a_table_is_parked_and_fetched_at_the_same_times_whatever_is_kept():
    nothing = is_in_memory()
    assert {True, False} == set(nothing)
    for lines in (("answer",), ("step",), ("xyzzy", "step")):
        times = is_in_memory(*lines)
        assert times == nothing[: len(times)] and len(times) > QUIET_S


def only_lists_are_looked_up(patch: pytest.MonkeyPatch) -> None:
    honest = planned._times

    def times(table: Any) -> Any:
        return [it for it in honest(table) if it[1] in table.game.plans.lines]

    patch.setattr(planned, "_times", times)


def test_a_table_that_is_fetched_for_lists_alone_is_found(monkeypatch):
    only_lists_are_looked_up(monkeypatch)
    assert is_in_memory("answer") != is_in_memory()
