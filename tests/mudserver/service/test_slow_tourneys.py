"""Tournaments by correspondence at a whole server, on a virtual clock."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.config.schema import TablesConfig
from mudserver.tourneys.events import TourneyOpened
from mudserver.tourneys.points import UNIT
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
    whole_evening,
)
from tests.simulation import virtual
from tests.simulation.server import FOR_DAYS, Seatholder, SimServer, new_world
from tests.slow_cases import every_third

HOUR_S = 3_600


@pytest.mark.parametrize(
    ("line", "title", "move_h"),
    [
        ("words Winter Cup correspondence", "Winter Cup", 48),
        ("words Winter Cup correspondence move=12h rounds=2", "Winter Cup", 12),
        ("elimination Winter Cup preset=correspondence", "Winter Cup", 24),
        ("stockpile Winter Cup move=3d", "Winter Cup", 72),
        ("elimination Correspondence Cup Correspondence rated=on", "Correspondence Cup", 24),
    ],
)
def test_it_is_opened_as_a_table_is_and_a_round_lasts_seven_moves(line, title, move_h):
    async def scenario():
        server = await SimServer(new_world(1)).open()
        [ann] = await come(server, "Ann")
        assert "You have opened tournament 1" in await types(ann, f"tourney open {line}")
        made = tourney_of(server).opened
        seen = made.title, made.move_s, made.round_max_s, made.noshow_s
        assert (title, move_h * HOUR_S, 7 * move_h * HOUR_S, 0) == seen
        return await types(ann, "tourney 1")

    assert "a round ends" in virtual.run(scenario())


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("words Winter Cup correspondence preset=short", "Give one preset"),
        ("words Winter Cup correspondence noshow=3", "noshow is for live games"),
        ("words Winter Cup correspondence turn=90", "turn is for live games"),
        ("words Winter Cup correspondence clocks=off", "clocks is for live games"),
        ("words correspondence", "A title has 3 to 30 characters"),
        ("elimination Winter Cup move=2d rated=on", "the options of a preset"),
    ],
)
def test_what_is_for_live_games_is_refused(line, answer):
    async def scenario():
        server = await SimServer(new_world(1)).open()
        [ann] = await come(server, "Ann")
        assert answer in " ".join((await types(ann, f"tourney open {line}")).split())
        assert [] == server.app.tourney_streams.all()

    virtual.run(scenario())


async def moves_once(person: Seatholder) -> bool:
    """At the first table that waits for the person; whether one did."""
    await types(person, "go")
    if not person.is_asked or not (moves := await person.moves()):
        return False
    await types(person, moves[0])
    return True


async def begun(server: SimServer, options: str = "seats=2 rounds=2 move=1h") -> list[Seatholder]:
    people = await come(server, *NAMES[:4])
    await opened(server, people, options)
    for person in people:
        person.forget()
    people[0].type("tourney 1 start")
    await asyncio.sleep(3)
    return people


def one_line(person: Seatholder) -> str:
    return " ".join(person.text.split())


def test_nobody_is_taken_to_the_table_and_who_is_to_move_is_told():
    async def scenario():
        server = await SimServer(duel_world()).open()
        [zoe] = await come(server, "Zoe-zoe-zoe")
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=1 move=1h")
        bob = people[1]
        await types(bob, "open duel seats=2")
        await types(zoe, "sit 1", "start")
        await types(bob, "start")
        people[3].link.drop()
        await asyncio.sleep(1)
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(3)
        tourney, here = tourney_of(server), server.app.table_manager
        assert 1 == here.table_of("p3") and here.is_playing("p3")  # bob, in his live game
        assert here.table_of("p2") is None is here.table_of("p4")
        for number, person in ((2, people[0]), (3, bob), (4, people[2])):
            table = tourney.round.tables[tourney.round.place_of(f"p{number}")]
            told = one_line(person)
            begins = f"Round 1 of tournament 1 (Winter Cup) has begun. You play at table {table}."
            assert f"{begins} To go there: go {table}" in told
            assert f"It is your move at table {table} (duel), " in told
        table = tourney.round.tables[tourney.round.place_of("p5")]
        [dee] = await come(server, NAMES[3])
        assert f"Your move at table {table} (duel, " in one_line(dee)

    virtual.run(scenario())


def test_it_is_played_over_days_at_parked_tables_and_through_restarts():
    async def scenario():
        world = duel_world()
        server = await SimServer(world).open()
        people = await begun(server)
        were_parked = False
        for number in range(200):
            if tourney_of(server).phase == "closed":
                break
            for person in people:
                await moves_once(person)
                await types(person, "lobby")
            await asyncio.sleep(180)
            were_parked |= len(server.app.table_manager.parking) > 0
            if number in (3, 9):
                await server.die()
                server = await SimServer(world).open()
                people = await come(server, *NAMES[:4])
        await server.die()
        return world, were_parked

    world, were_parked = virtual.run(scenario())
    tourney = stored(world)
    assert were_parked and "finished" == tourney.closed.why and {} == tourney.dropped
    assert ["finished"] * 4 == [it.end for it in tourney.results()]
    assert all(it.fate == "stayed" for done in tourney.results() for it in done.seats)


def test_who_misses_the_first_own_turn_is_not_there_and_dropped_after_two_games():
    async def scenario():
        world = duel_world()
        server = await SimServer(world).open()
        people = await begun(server, "seats=2 rounds=3 move=1h")
        people[3].link.drop()
        for _ in range(400):
            if tourney_of(server).phase == "closed":
                break
            for person in people[:3]:
                await moves_once(person)
                await types(person, "lobby")
            await asyncio.sleep(400)
        await server.die()
        return world

    tourney = stored(virtual.run(scenario()))
    assert {"p4": "noshow"} == tourney.dropped
    assert 0 == {it.person: it.points for it in tourney.standings()}["p4"]
    assert 3 == len(tourney.rounds) and tourney.rounds[2].place_of("p4") is None


def test_one_missed_turn_is_none_too_many_for_who_has_played():
    async def scenario():
        server = await SimServer(duel_world()).open()
        people = await begun(server, "seats=2 rounds=1 move=2h")
        for person in people[:2]:
            assert await moves_once(person)
            await types(person, "lobby")
        await asyncio.sleep(5 * HOUR_S)  # the first turn of all is over
        away = {}
        for number in tourney_of(server).round.tables.values():
            await server.app.table_manager.fetch(number)
            table = server.app.table_manager.lists.find(number)
            away |= {o.person: o.is_away for o in table.seats}
        assert {"p1": False, "p2": False, "p3": True, "p4": True} == away

    virtual.run(scenario())


def test_a_round_ends_parked_tables_at_its_limit():
    async def scenario():
        world = duel_world()
        server = await SimServer(world).open()
        people = await come(server, *NAMES[:4])
        options = "move=2h", "seats=2"
        event = TourneyOpened(
            *(server.clock.now_ms(), "p1", "Winter Cup", "duel", options, 1, 2, 0, 8, 60, 0, 1800),
            programs=False,
            move_s=2 * HOUR_S,
        )
        await server.app.tourney_streams.open(event, lambda: None)
        for person in people:
            await types(person, "tourney 1 join")
        await types(people[0], "tourney 1 start")
        await moves_once(people[0])
        await types(people[0], "lobby")
        await asyncio.sleep(900)
        tables, here = tourney_of(server).round.tables, server.app.table_manager
        assert all(number in here.parking for number in tables.values())
        limit_ms = tourney_of(server).limit_ms
        await until(lambda: tourney_of(server).phase == "closed")
        await server.die()
        return world, limit_ms

    world, limit_ms = virtual.run(scenario())
    tourney = stored(world)
    assert ["limit", "limit"] == [it.end for it in tourney.results()]
    assert all(limit_ms <= it.at_ms < limit_ms + 60_000 for it in tourney.results())
    assert {30} == {it.points // UNIT for it in tourney.standings()}


@pytest.mark.parametrize("first", every_third(range(1, 16, 5)))
def test_a_death_at_any_record_leads_to_the_same_end_with_days_too(first):
    world, options = duel_world(5, journal=FOR_DAYS), "seats=2 rounds=2 move=1h"
    count = virtual.run(whole_evening(world, None, options))
    whole = stored(world)
    assert 4 == len(tables_by_place(world)) and count > 20
    for dies_at in range(first, count, 15):
        world = duel_world(5, journal=FOR_DAYS)
        virtual.run(whole_evening(world, dies_at, options))
        done = stored(world)
        assert [2, 2] == [len(each.results) for each in done.rounds], dies_at
        assert whole.rounds[0].drawn.tables == done.rounds[0].drawn.tables, dies_at
        places = [(number, place) for number, place, _ in tables_by_place(world)]
        assert [(1, 1), (1, 2), (2, 1), (2, 2)] == sorted(places), dies_at


def test_a_seat_is_kept_for_who_has_joined_and_nobody_has_more_than_so_many():
    async def scenario():
        tables = TablesConfig(correspondence_per_person_max=2)
        world = new_world(1, tables=tables)
        world.catalogue = duel_world().catalogue
        server = await SimServer(world).open()
        people = await come(server, *NAMES[:4])
        ann, bob = people[:2]
        await opened(server, people, "seats=2 rounds=1 move=1d")
        await types(bob, "tourney open duel Spring Cup seats=2 move=1d", "tourney 2 join")
        await types(ann, "open duel move=1d", "lobby")
        said = await types(ann, "open duel move=1d")
        assert "2 games" in " ".join(said.split())
        assert "2 games" in " ".join((await types(ann, "tourney 2 join")).split())
        await types(ann, "tourney 1 start")
        await asyncio.sleep(2)
        assert 2 == len(server.app.table_manager.lists.slow_games("p1"))
        assert 2 == server.app.table_manager.lists.slow_seats("p1")

    virtual.run(scenario())
