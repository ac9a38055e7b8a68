"""Rated games by correspondence: ratings of their own, and people who need not be there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from mudserver.errors import UserError
from mudserver.results.events import GameRecorded
from mudserver.service.rated_games import PAIR_PER_DAY
from mudserver.tables.options import parse_options
from tests.mudserver.service.test_rated_games import NOT_AGAINST_EACH_OTHER, RATED, begin, finish
from tests.mudserver.service.test_results import come, results, types
from tests.simulation import virtual
from tests.simulation.server import FOR_DAYS, Seatholder, SimServer, World, new_world
from tests.toys.duel.game import DUEL
from variants.catalogue import CATALOGUE
from variants.contract import Preset

DAY_S = 86_400
SLOW_DUEL = replace(
    DUEL,
    presets=(
        Preset("standard", "as usual", 0),
        Preset("correspondence", "a day", 0, {"move": "1d"}),
    ),
)
BY_DAYS = "move=1d"
A_SHARED_ADDRESS = "This game is unrated: two players share a network address."
Scenario = Callable[[SimServer], Awaitable[None]]


def played(scenario: Scenario) -> list[GameRecorded]:
    """What is recorded in the end."""

    async def run() -> World:
        world = new_world(1, journal=FOR_DAYS)
        world.catalogue = {"duel": SLOW_DUEL}
        await scenario(await SimServer(world).open())
        return world

    return results(virtual.run(run()))


async def words(person: Seatholder, *lines: str) -> str:
    return " ".join((await types(person, *lines)).split())


async def agreed(server: SimServer, *names: str) -> str:
    """A game of people who agree to it in turn, and are never there at the same time.

    Returns:
        What the last of them reads, who begins it.
    """
    read = ""
    opens = f"open duel rated=on {BY_DAYS} seats={len(names)}"
    for lines in ([opens, *["sit 1"] * (len(names) - 1)], ["/go 1"] * len(names)):
        for name, line in zip(names, lines, strict=True):
            [person] = await come(server, name)
            read = await words(person, line, *(["ready"] if line == "/go 1" else []))
            await types(person, "quit")
            await asyncio.sleep(3_600)
    return read


# -- options -------------------------------------------------------------------------------------


def test_a_rated_table_by_correspondence_has_the_options_of_that_preset():
    for game, move in (("words", "2d"), ("elimination", "1d"), ("stockpile", "1d")):
        variant = CATALOGUE[game]
        options = parse_options(variant, {"preset": "correspondence", "rated": "on"})
        assert ("on", "correspondence", "accounts") == (
            *(options.rated, options.preset),
            options.who,
        )
        assert "off" == options.kibitz == options.programs == options.substitutes
        typed = parse_options(variant, {"move": move, "rated": "on", "seats": "2"})
        assert "on" == typed.rated
        with pytest.raises(UserError, match="the options of a preset: correspondence;"):
            parse_options(variant, {"move": "5d", "rated": "on"})


def test_a_live_rated_table_has_no_days_and_a_game_without_that_preset_has_no_ratings_for_it():
    with pytest.raises(UserError, match="a preset: standard, short or long;"):
        parse_options(CATALOGUE["words"], {"turn": "99", "rated": "on"})
    with pytest.raises(UserError, match="has none by correspondence"):
        parse_options(DUEL, {"move": "1d", "rated": "on"})


# -- games ---------------------------------------------------------------------------------------


def test_games_by_correspondence_have_ratings_of_their_own():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bobo")
        await begin(ann, bob)
        await finish(ann, bob)
        await types(ann, "leave")
        await types(bob, "leave")
        assert RATED in await begin(ann, bob, typed=BY_DAYS)
        assert "duel, playing, rated, by correspondence: Ann, Bobo" in await words(ann, "tables")
        await finish(ann, bob)
        assert "rated as duel correspondence" in await words(ann, "game 2")
        shown = await words(bob, "finger ann")
        assert re.search(r"duel 1\d\d\d\? ± 3\d\d \(1 game\)", shown)
        assert re.search(r"duel correspondence 1\d\d\d\? ± 3\d\d \(1 game\)", shown)
        top = await words(ann, "top correspondence duel")
        assert "Ratings: duel correspondence" in top and "not established" in top
        assert "Ratings: duel You" in await words(ann, "top duel")

    live, slow = played(scenario)
    assert ("duel", "duel-correspondence") == (live.pool, slow.pool)
    assert {1} == {seat.games for seat in slow.seats}  # the live one has moved nothing


def test_people_who_are_never_there_together_play_a_rated_game_also_over_restarts():
    async def scenario(server: SimServer) -> None:
        assert RATED in await agreed(server, "Ann", "Bobo")
        for _ in range(12):
            for name in ("Ann", "Bobo"):
                await server.die()
                server = await SimServer(server.world).open()
                [person] = await come(server, name)
                await types(person, "go 1")
                if person.is_asked:
                    moves = re.findall(r"(?m)^- (.+?)\s*$", await types(person, "moves"))
                    await types(person, *moves[:1])
                await types(person, "quit")
                await asyncio.sleep(3_600)

    [game] = played(scenario)
    assert "duel-correspondence" == game.pool and "finished" == game.end


def test_the_address_of_who_has_left_counts_where_the_game_begins():
    async def scenario(server: SimServer) -> None:
        assert A_SHARED_ADDRESS in await agreed(server, "Ann", "Bob")  # as their names are as long

    played(scenario)


def test_what_began_at_once_is_rated_as_often_as_what_began_one_after_the_other():
    count = PAIR_PER_DAY + 1

    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bobo")
        for _ in range(count):
            assert RATED in await begin(ann, bob, typed=BY_DAYS)
            await types(ann, "lobby")
            await types(bob, "lobby")
            await asyncio.sleep(60)
        for number in range(1, count + 1):
            await types(ann, f"go {number}")
            await types(bob, f"go {number}")
            await finish(ann, bob)
        seen.append(await words(bob, f"game {count}"))

    seen: list[str] = []
    games = played(scenario)
    assert [True] * PAIR_PER_DAY + [False] == [bool(game.pool) for game in games]
    assert NOT_AGAINST_EACH_OTHER in seen[0]


def test_who_decides_nothing_makes_it_unrated():
    async def scenario(server: SimServer) -> None:
        await agreed(server, "Ann", "Bobo")
        [ann] = await come(server, "Ann")
        await types(ann, "go 1")
        moves = re.findall(r"(?m)^- (.+?)\s*$", await types(ann, "moves"))
        await types(ann, moves[0], "quit")
        await asyncio.sleep(8 * DAY_S)

    [game] = played(scenario)
    assert not game.pool and "somebody decided nothing" == game.why_unrated
