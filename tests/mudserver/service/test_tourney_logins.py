"""What people read of their tournament when they come in."""

from __future__ import annotations

import asyncio

from tests.mudserver.service.test_tourneys import (
    NAMES,
    begun_without_second,
    come,
    duel_world,
    opened,
    tourney_of,
    types,
    until,
)
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer


def one_line(text: str) -> str:
    return " ".join(text.split())


async def comes_back(server: SimServer, name: str) -> str:
    person = server.person(name)
    await asyncio.sleep(1)
    return one_line(person.text)


async def drops(person: Seatholder) -> None:
    person.link.drop()
    await asyncio.sleep(1)


def test_who_was_offline_reads_at_login_that_the_round_has_begun_and_once():
    async def scenario():
        server = await SimServer(duel_world()).open()
        people = await come(server, *NAMES[:5])
        await opened(server, people, "seats=2 rounds=2")
        for person in people[1:]:
            await drops(person)
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(2)
        tourney, told = tourney_of(server), {}
        for number in range(2, 6):
            name, place = NAMES[number - 1], tourney.round.place_of(f"p{number}")
            told[number] = await comes_back(server, name)
            begins = "Round 1 of tournament 1 (Winter Cup) has begun."
            if place is None:
                assert f"{begins} You sit it out, and get 30 points" in told[number]
            else:
                table = tourney.round.tables[place]
                assert f"{begins} You play at table {table}." in told[number]
        again = await comes_back(server, NAMES[1])
        assert "has begun" not in again
        others = await comes_back(server, "Zoe-zoe-zoe")
        assert "tournament" not in others
        await until(lambda: tourney_of(server).round.is_over)
        later = await comes_back(server, NAMES[2])
        assert "Round 1 of tournament 1 (Winter Cup) is over. Round 2 begins in" in later

    virtual.run(scenario())


def test_who_plays_elsewhere_reads_at_each_login_how_to_take_the_seat():
    async def scenario():
        server = await SimServer(duel_world()).open()
        _, table = await begun_without_second(server)
        for _ in range(2):
            assert f"To take your seat: sit {table}" in await comes_back(server, NAMES[1])

    virtual.run(scenario())


def test_a_page_about_it_says_where_its_reader_plays():
    async def scenario():
        server = await SimServer(duel_world()).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=2")
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(2)
        tourney = tourney_of(server)
        table = tourney.round.tables[tourney.round.place_of("p1")]
        assert f"you at table {table}" in one_line(await types(people[0], "tourney 1"))

    virtual.run(scenario())
