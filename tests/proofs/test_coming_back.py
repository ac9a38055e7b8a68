"""[SEC-5] After a reconnect the bytes depend only on what the seat has seen of the game.

Ann comes back to the same position in different ways, after a different time at her terminal.
What the table then writes to her is the same to the byte.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

import pytest

from tests.proofs.game import come_in, masked, play_on, sit_down, table
from tests.simulation.server import Seatholder, SimServer, World, new_world
from tests.simulation.virtual import run
from tests.slow_cases import slow_cases

People = dict[str, Seatholder]
Way = Callable[[SimServer, People], Awaitable[None]]


async def quietly(server: SimServer, people: People) -> None:
    """Nothing but the game."""


async def after_much_talk(server: SimServer, people: People) -> None:
    people["bob"].type("/tell ann the joker is mine")
    for line in ("look", "history", "xyzzy", "/say hello", "give 7 nobody", "/set"):
        people["ann"].type(line)
        await asyncio.sleep(0.3)


async def half_a_line_typed(server: SimServer, people: People) -> None:
    people["ann"].press(b"draw and then I shall\x1b[D\x1b[D")
    await asyncio.sleep(1)


def back(turns: int, way: Way, *, by: str) -> bytes:
    """Ann's bytes from the table on coming back after so many turns, and on typing history."""
    world = new_world(5)

    async def before() -> bytes:
        server = await SimServer(world).open()
        people = await come_in(server)
        await sit_down(people, computers=0, options="clocks=off")
        await play_on(server, people, Random(turns), turns)
        await way(server, people)
        if by == "restart":
            server.journal.disk.owner = None
            return b""
        if by == "drop":
            people["ann"].link.drop()
            await asyncio.sleep(7)
        return await heard_again(server)

    async def after() -> bytes:
        return await heard_again(await SimServer(world).open())

    heard = run(before())
    return run(after()) if by == "restart" else heard


async def heard_again(server: SimServer) -> bytes:
    ann = server.person("ann")
    await asyncio.sleep(0.2)
    assert table(server).is_playing and b"Welcome back, ann" in ann.link.heard
    coming = masked(ann.link.heard)
    ann.forget()
    ann.type("history")
    await asyncio.sleep(0.2)
    return coming[coming.index(b"Table 1, ") :] + masked(ann.link.heard)


@pytest.mark.parametrize("turns", slow_cases([0, 3, 8], ["3"]))
def test_the_way_back_and_the_time_before_leave_no_trace(turns):
    expected = back(turns, quietly, by="drop")
    assert b"Your hand" in expected
    for way in (quietly, after_much_talk):
        for by in ("drop", "takeover", "restart"):
            assert expected == back(turns, way, by=by), (way.__name__, by)
    # Elsewhere half a line goes along, which is Ann's own: `test_attachment.py`.
    assert expected == back(turns, half_a_line_typed, by="restart")


def test_another_position_is_another_screen():
    assert back(3, quietly, by="drop") != back(8, quietly, by="drop")


def test_a_newer_line_takes_the_seat_and_the_older_one_falls_silent():
    world: World = new_world(5)

    async def scenario() -> None:
        server = await SimServer(world).open()
        people = await come_in(server)
        await sit_down(people, computers=0)
        older, newer = people["ann"], server.person("ann")
        await asyncio.sleep(0.1)
        assert not older.link.is_open and "You logged in from another terminal" in older.text
        older.forget()
        people["ann"] = newer
        await play_on(server, people, Random(1), turns=4)
        assert b"" == older.link.heard

    run(scenario())
