"""A door ends: nobody new, a sentence before, a farewell; with and without a game server."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from mudserver.errors import UserError
from mudserver.wall import texts
from mudserver.wall.bodies import Draining, decode_body
from mudserver.wall.draining import NOTICE_S, Drain
from mudserver.wall.frames import Frame, Kind
from tests.mudserver.transport.server import HandClock, until
from tests.mudserver.transport.telnet_client import Client
from tests.mudserver.wall.house import WalledServer

HOUR_S = 3_600.0


class FakeDoor:
    """`DoorClient` and `ListenerManager`, as far as draining needs them."""

    def __init__(self) -> None:
        self.is_open, self.said, self.ended = True, [], 0
        self.connections: dict[int, object] = {1: None, 2: None}
        self.gate = SimpleNamespace(connections=2)
        self.is_accepting = True

    def tell_all(self, kind: Kind, body: bytes) -> None:
        assert Kind.DRAINING is kind
        self.said.append(decode_body(Draining, Frame(kind, 0, body)).seconds)

    def stop_accepting(self) -> None:
        self.is_accepting = False

    def end(self) -> None:
        self.ended += 1


@pytest.fixture
def door():
    return FakeDoor()


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def drain(door, clock):
    return Drain(door, door, clock, door.end)


def test_people_are_told_ten_minutes_before_the_end(door, clock, drain):
    assert drain.left_s() is None
    assert "accepting nobody any more; 2 connections left, and the end in 12 h" == drain.begin(
        12 * HOUR_S
    )
    assert not door.is_accepting
    clock.move(11 * HOUR_S + 49 * 60)
    assert [] == door.said
    clock.move(120)
    assert 1 == len(door.said) and NOTICE_S - 2 < door.said[0] <= NOTICE_S
    assert 9 * 60 == pytest.approx(drain.left_s())
    clock.move(9 * 60 - 2)
    assert 0 == door.ended
    clock.move(2)
    assert (1, 1) == (door.ended, len(door.said))


def test_it_ends_when_the_last_one_has_left(door, clock, drain):
    drain.begin(12 * HOUR_S)
    clock.move(60)
    door.gate.connections = 1  # of one that waits for its turn, too
    clock.move(60)
    assert 0 == door.ended
    door.gate.connections = 0
    clock.move(1)
    assert (1, []) == (door.ended, door.said)


def test_who_has_less_than_ten_minutes_is_told_at_once(door, clock, drain):
    drain.begin(120)
    clock.move(0)
    assert [120] == door.said


def test_a_game_server_that_is_away_tells_them_when_it_is_back(door, clock, drain):
    drain.begin(600)
    door.is_open = False
    clock.move(60)
    assert [] == door.said
    door.is_open = True
    clock.move(1)
    assert [539] == door.said


def test_a_second_time_replaces_the_first(door, clock, drain):
    drain.begin(12 * HOUR_S)
    clock.move(60)
    drain.begin(900)
    clock.move(301)
    assert 1 == len(door.said)
    clock.move(599)
    assert 1 == door.ended


@pytest.mark.parametrize("within_s", [0, -1, 604_801, "1", float("nan")])
def test_what_is_no_time_is_refused_and_changes_nothing(door, drain, within_s):
    with pytest.raises(UserError, match="a number of seconds from 1 to 604800"):
        drain.begin(within_s)
    assert door.is_accepting and drain.left_s() is None


# -- with a real wall ----------------------------------------------------------------------------


@pytest.fixture
async def walled(tmp_path):
    server = await WalledServer(tmp_path).open(telnet_wait_s=0.01)
    server.line = Client(*await server.raw())
    yield server
    server.line.writer.close()
    await server.close()


def drain_of(walled: WalledServer) -> Drain:
    return Drain(walled.door, FakeDoor(), walled.door.clock, lambda: None)


async def test_the_game_server_hears_whose_door_ends_and_says_farewell(walled):
    handler = await walled.handler()
    farewell = asyncio.ensure_future(drain_of(walled).say_farewell())
    await until(lambda: [([handler.link.visit], 0.0)] == walled.draining)
    handler.link.send(b"Goodbye from the session.")
    handler.link.close()
    await walled.line.reads(b"Goodbye from the session.")
    await asyncio.wait_for(farewell, 1)
    assert texts.DOOR_CLOSES.encode() not in walled.line.received


async def test_a_game_server_that_says_nothing_is_not_waited_for(walled, monkeypatch):
    await walled.handler()
    monkeypatch.setattr("mudserver.wall.draining.FAREWELL_S", 0.04)
    await drain_of(walled).say_farewell()
    await walled.line.reads(texts.DOOR_CLOSES.encode())


async def test_without_a_game_server_the_door_says_farewell(walled):
    await walled.handler()
    walled.kill_game()
    await until(lambda: not walled.door.is_open)
    await drain_of(walled).say_farewell()
    await walled.line.reads(texts.DOOR_CLOSES.encode())


async def test_a_game_server_that_ends_meanwhile_is_not_waited_for(walled, monkeypatch):
    await walled.handler()
    monkeypatch.setattr("mudserver.wall.draining.FAREWELL_S", 60.0)
    farewell = asyncio.ensure_future(drain_of(walled).say_farewell())
    await asyncio.sleep(0)  # it has begun
    walled.kill_game()
    await asyncio.wait_for(farewell, 10)
    await walled.line.reads(texts.DOOR_CLOSES.encode())
