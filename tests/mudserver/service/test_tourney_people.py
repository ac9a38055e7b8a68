"""Who plays in a tournament, and who can't any more, at a whole server on a virtual clock."""

from __future__ import annotations

import asyncio

import pytest

from tests.mudserver.service.test_moderation import CONSOLE
from tests.mudserver.service.test_tourneys import (
    NAMES,
    come,
    duel_world,
    opened,
    stored,
    tourney_of,
    types,
    until,
)
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


@pytest.mark.parametrize(
    ("game", "seats", "minutes"),
    [
        ("elimination preset=long", 4, 60),
        ("elimination preset=short", 4, 18),
        ("elimination preset=short seats=3", 3, 18),
        ("stockpile preset=duel", 2, 45),
        ("stockpile preset=duel seats=4", 4, 45),
        ("words", 4, 180),
    ],
)
def test_a_round_lasts_three_games_of_the_preset_whatever_the_seats(game, seats, minutes):
    async def scenario():
        server = await SimServer(new_world(1)).open()
        [ann] = await come(server, "Ann")
        name, _, options = game.partition(" ")
        said = await types(ann, f"tourney open {name} Winter Cup {options}")
        assert "You have opened tournament 1" in said
        made = tourney_of(server).opened
        assert (seats, minutes) == (made.seats, made.round_max_s // 60)

    virtual.run(scenario())


def test_whose_account_is_deleted_or_banned_does_not_count_for_the_start():
    async def scenario():
        server = await SimServer(duel_world()).open()
        people = await come(server, *NAMES)
        await opened(server, people)
        await server.app.deletion.erase_for(CONSOLE, NAMES[5], "for the test")
        await server.app.sanctions.ban(CONSOLE, NAMES[4], "7d", "for the test")
        await server.app.sanctions.ban(CONSOLE, NAMES[3], "7d", "for the test")
        assert "needs 4 people. 3 play" in await types(people[0], "tourney 1 start")
        await server.app.sanctions.unban(CONSOLE, "#3", "for the test")
        assert "Tournament 1 starts" in await types(people[0], "tourney 1 start")
        await asyncio.sleep(3)
        return tourney_of(server)

    tourney = virtual.run(scenario())
    assert {"p5": "banned", "p6": "deleted"} == tourney.dropped
    assert {"p1", "p2", "p3", "p4"} == {it for table in tourney.round.drawn.tables for it in table}


def test_who_is_banned_plays_in_no_further_round():
    async def scenario():
        world = duel_world()
        server = await SimServer(world).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=2")
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(2)
        await until(lambda: tourney_of(server).round.is_over)
        await server.app.sanctions.ban(CONSOLE, NAMES[3], "7d", "for the test")
        await until(lambda: len(tourney_of(server).rounds) == 2)
        server.journal.disk.owner = None
        return world

    tourney = stored(virtual.run(scenario()))
    assert "banned" == tourney.dropped["p4"]
    assert tourney.rounds[1].place_of("p4") is None


def test_who_is_taken_out_before_the_start_is_told_and_cannot_join_again():
    async def scenario():
        server = await SimServer(duel_world()).open()
        ann, bob = await come(server, *NAMES[:2])
        await opened(server, [ann, bob])
        bob.forget()
        await types(ann, "tourney 1 drop bobby")
        assert "You do not play in tournament 1 (Winter Cup): the organiser" in bob.text
        assert "taken you out of tournament 1" in await types(bob, "tourney 1 join")
        await types(ann, "tourney 1 seat bobby")
        assert "You play in tournament 1 (Winter Cup) again" in bob.text
        assert ["p1", "p2"] == tourney_of(server).active

    virtual.run(scenario())


def test_who_has_not_come_is_looked_for_after_a_restart_too():
    async def scenario():
        world = duel_world()
        server = await SimServer(world).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=1 noshow=1 bid=86400 draw=86400")
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(2)
        await types(people[2], (await people[2].moves())[0])
        await server.die()
        await asyncio.sleep(40)
        server = await SimServer(world).open()
        await come(server, *NAMES[:2])

        def away() -> list[str]:
            tables = server.app.table_manager
            seated = [tables.lists.find(it) for it in tourney_of(server).round.tables.values()]
            return sorted(o.person for table in seated for o in table.seats if o.is_away)

        await asyncio.sleep(50)
        assert [] == away(), "the minute begins anew"
        await asyncio.sleep(20)
        assert ["p4"] == away(), "the third one had decided, and the others have come back"

    virtual.run(scenario())


def test_of_tournaments_that_are_over_the_driver_remembers_nothing():
    async def scenario():
        server = await SimServer(duel_world()).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=1 noshow=1")
        await types(people[0], "tourney 1 start")
        driver = server.app.tourneys.driver
        await asyncio.sleep(100)
        assert driver.remembered() > 0
        await types(people[0], "tourney 1 close No time")
        await asyncio.sleep(5)
        assert 0 == driver.remembered()

    virtual.run(scenario())
