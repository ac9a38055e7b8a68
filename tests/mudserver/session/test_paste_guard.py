"""A long text that is pasted as talk."""

from __future__ import annotations

import asyncio

import pytest

from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

PASTE_ON, PASTE_OFF = b"\x1b[200~", b"\x1b[201~"


def pasted(scenario):
    """What Ann and Bob read."""

    async def whole():
        server = await SimServer(new_world(1)).open()
        ann, bob = server.person("Ann"), server.person("Bob")
        await asyncio.sleep(0.5)
        for each in (ann, bob):
            each.forget()
        await scenario(ann)
        await asyncio.sleep(1.0)
        await server.stop()
        return " ".join(ann.text.split()), bob.text

    return virtual.run(whole())


@pytest.mark.parametrize(("before", "after"), [(b"", b""), (PASTE_ON, PASTE_OFF)])
def test_five_lines_of_a_paste_are_said_and_the_rest_is_refused_once(before, after):
    async def scenario(ann):
        lines = b"".join(b"say line %d\r" % number for number in range(37))
        ann.link.handler.on_data(before + lines + after)

    of_ann, of_bob = pasted(scenario)
    assert [True] * 5 == [f"Ann: line {number}" in of_bob for number in range(5)]
    assert "line 5" not in of_bob
    assert 1 == of_ann.count("That was 37 lines. Paste at most 5 at a time.")
    assert "too fast" not in of_ann and "slow down" not in of_ann.lower()


def test_a_paste_may_come_in_pieces():
    async def scenario(ann):
        for number in range(8):
            ann.link.handler.on_data(b":waves %d\r" % number)
            await asyncio.sleep(0.1)

    of_ann, of_bob = pasted(scenario)
    assert "waves 4" in of_bob and "waves 5" not in of_bob
    assert 1 == of_ann.count("That was 8 lines.")


def test_what_stands_behind_the_talk_of_a_paste_is_not_run():
    async def scenario(ann):
        ann.link.handler.on_data(b"'hello\r" * 6 + b"quit\r")
        await asyncio.sleep(1.0)
        ann.link.handler.on_data(b"who\r")

    of_ann, _ = pasted(scenario)
    assert "That was 7 lines." in of_ann and "2 people are here" in of_ann


def test_commands_that_are_no_talk_are_all_read():
    async def scenario(ann):
        ann.link.handler.on_data(b"bell\r" + b"whoami\r" * 8 + b"say hello\r")

    of_ann, of_bob = pasted(scenario)
    assert 8 == of_ann.count("You are Ann,") and "Ann: hello" in of_bob
    assert "Paste at most" not in of_ann


def test_who_types_one_line_after_the_other_pastes_nothing():
    async def scenario(ann):
        for number in range(7):
            ann.type(f"say line {number}")
            await asyncio.sleep(3.0)

    of_ann, of_bob = pasted(scenario)
    assert "Ann: line 6" in of_bob and "Paste at most" not in of_ann


def test_a_client_that_plays_line_after_line_says_something_now_and_then():
    async def scenario(ann):
        for number in range(7):
            ann.type(f"say line {number}")
            for _ in range(11):
                await asyncio.sleep(0.1)
                ann.type("whoami")
            await asyncio.sleep(0.1)

    of_ann, of_bob = pasted(scenario)
    assert [True] * 7 == [f"Ann: line {number}" in of_bob for number in range(7)]
    assert 77 == of_ann.count("You are Ann,") and "Paste at most" not in of_ann
