"""`practice`: a game with computer players alone, at once."""

from __future__ import annotations

import asyncio

import pytest

from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world
from variants.catalogue import CATALOGUE

SEATS = {"elimination": 4, "stockpile": 3, "words": 2}


async def _says(*lines: str, is_guest: bool = False) -> tuple[str, str, SimServer]:
    """What somebody reads who types these lines, and who then tries to sit down there."""
    server = await SimServer(new_world(1)).open()
    ann = server.guest() if is_guest else server.person("Ann")
    bob = server.person("Bob")
    for line in lines:
        await asyncio.sleep(0.5)
        ann.type(line)
    await asyncio.sleep(2)
    bob.type("sit 1")
    await asyncio.sleep(0.5)
    return ann.text, bob.text, server


@pytest.mark.parametrize("name", CATALOGUE)
def test_one_line_begins_a_game_with_computer_players_of_the_level_that_fits(name):
    ann, bob, server = virtual.run(_says(f"practice {name}"))
    table = server.app.table_manager._runners[1].table
    assert SEATS[name] == len(table.seats) and table.is_playing
    assert {"easy"} == {each.level for each in table.seats if each.is_computer}
    assert not table.options.clocks and "in the middle of a game" in bob
    assert "Game over" not in ann
    assert "It starts in" not in ann and "Type bot" not in ann, ann


def test_guests_practise_too_and_nobody_sits_down_there():
    guest, _, server = virtual.run(_says("practice stockpile hard seats=2", is_guest=True))
    table = server.app.table_manager._runners[1].table
    assert [False, True] == sorted(each.is_computer for each in table.seats)
    assert "hard" in {each.level for each in table.seats}, guest
    assert "invited" == table.options.who


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("practice chess", "chess"),
        ("practice words easy hard", "Give one level. You gave easy and hard."),
        ("practice stockpile expert", "stockpile has no expert."),
        ("practice words seats=9", "seats must be a number from"),
    ],
)
def test_what_cannot_be_had_is_refused_and_opens_no_table(line, reason):
    ann, _, server = virtual.run(_says(line))
    assert reason in ann and not server.app.table_manager._runners


def test_who_plays_already_finishes_that_game_first():
    ann, _, _ = virtual.run(_says("practice elimination", "practice words"))
    assert "You are in a game at table 1. Finish it, or type leave." in ann


def test_a_level_that_somebody_has_set_wins_over_the_one_that_fits():
    _, _, server = virtual.run(_says("set computers master", "practice stockpile"))
    table = server.app.table_manager._runners[1].table
    assert {"hard"} == {each.level for each in table.seats if each.is_computer}
