"""A door and a game server of different releases: served or refused, and one line says so."""

from __future__ import annotations

import logging

import pytest

from mudserver.wall import game_wall
from mudserver.wall.bodies import DOOR_PROTOCOLS, GAME_PROTOCOLS, PROTOCOL, Stats, encode_body
from mudserver.wall.door_stats import DoorStats
from mudserver.wall.frames import FROM_DOOR, OPTIONAL_KINDS, Kind
from tests.mudserver.transport.server import until
from tests.mudserver.transport.telnet_client import Client
from tests.mudserver.wall.house import WalledServer

NEW = 5  # the newest protocol of the newer side


def spans(newest: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """What a door and a game server of one release speak."""
    return (newest - 1, newest), (newest - 2, newest)


@pytest.fixture
async def house(tmp_path, caplog):
    caplog.set_level(logging.INFO, "wall")
    server = WalledServer(tmp_path)
    yield server
    await server.close()


def lines(caplog, word: str) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.getMessage().startswith(word)]


def test_this_release_speaks_as_many_as_it_should():
    assert (PROTOCOL, PROTOCOL) == (DOOR_PROTOCOLS[1], GAME_PROTOCOLS[1])
    assert DOOR_PROTOCOLS[0] == max(1, PROTOCOL - 1) and GAME_PROTOCOLS[0] == max(1, PROTOCOL - 2)


@pytest.mark.parametrize(
    ("door", "game", "spoken"),
    [(NEW, NEW, NEW), (NEW - 1, NEW, NEW - 1), (NEW - 2, NEW, NEW - 2), (NEW, NEW - 1, NEW - 1)],
)
async def test_neighbours_are_served_with_the_newest_that_both_speak(
    house, caplog, door, game, spoken
):
    house.door_protocols, house.game_protocols = spans(door)[0], spans(game)[1]
    await house.open(telnet_wait_s=0.01)
    line = Client(*await house.raw())
    handler = await house.handler()
    handler.link.send(b"here you are")
    await line.reads(b"here you are")
    said = f"version=0.5.0 protocol={spoken} pid="
    await until(lambda: 2 == len(lines(caplog, "wall open")))
    assert [True, True] == [said in each for each in lines(caplog, "wall open")]
    line.writer.close()


@pytest.mark.parametrize(("door", "game"), [(NEW - 3, NEW), (NEW, NEW - 2)])
async def test_without_a_common_protocol_one_line_on_each_side_says_so(
    house, caplog, monkeypatch, door, game
):
    monkeypatch.setattr(game_wall, "RETRY_REFUSED_S", 0.01)
    house.door_protocols, house.game_protocols = spans(door)[0], spans(game)[1]
    (low, high), (game_low, game_high) = house.door_protocols, house.game_protocols
    await house.open_game()
    await house.open_door(waits=False)
    tries: list[int] = []
    shake = house.game.handshake
    house.game.handshake = lambda: tries.append(1) or shake()
    await until(lambda: len(tries) > 5)
    ours, theirs = f"{low}-{high}", f"{game_low}-{game_high}"
    assert [
        f"wall refused door=1 name=1 speaks={ours} game={theirs}",
        f"wall refused game=game speaks={theirs} door={ours}: restart the door",
    ] == sorted(lines(caplog, "wall refused"))
    assert not house.door.is_open


async def test_a_door_finds_the_right_game_server_after_a_wrong_one(house, caplog, monkeypatch):
    monkeypatch.setattr(game_wall, "RETRY_REFUSED_S", 0.01)
    house.game_protocols = (NEW, NEW)
    await house.open_game()
    await house.open_door(waits=False)
    await until(lambda: lines(caplog, "wall refused"))
    house.kill_game()
    house.game_protocols = GAME_PROTOCOLS
    await house.open_game()
    await until(lambda: house.door.is_open)


async def test_a_game_server_that_knows_no_figures_goes_on_without(house, monkeypatch):
    old = {kind for kind in FROM_DOOR if kind < OPTIONAL_KINDS}
    monkeypatch.setattr("mudserver.wall.game.FROM_DOOR", old)
    await house.open(telnet_wait_s=0.01)
    stats = DoorStats(house.door, house.gate, house.door.clock)
    stats.tell()
    house.door.tell_all(Kind.DRAINING, b"of a later release")
    line = Client(*await house.raw())
    await house.handler()
    (door,) = house.game.doors
    assert door.stats is None and house.door.is_open
    line.writer.close()


async def test_figures_with_fields_of_a_later_release_are_read(house):
    class Later(Stats, frozen=True):
        cats: int = 9

    await house.open(telnet_wait_s=0.01)
    house.door.tell_all(Kind.STATS, encode_body(Later(7.0, people=3)))
    (door,) = house.game.doors
    await until(lambda: door.stats is not None)
    assert 3 == door.stats.people
