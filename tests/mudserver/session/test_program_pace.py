"""A program that is asked in a rated game waits a moment; nothing is refused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mudserver.messages import ViewMessage
from mudserver.session.program_pace import ProgramPace
from tests.mudserver.service.test_results import duel_world
from tests.mudserver.session.programs import types
from tests.mudserver.transport.server import HandClock
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer


def view(question: str | None) -> ViewMessage:
    return ViewMessage(1, "duel", 0, ("Ann", "Bob"), None, question=question)


def test_the_wait_counts_from_the_question_and_from_the_own_line_before():
    clock = HandClock()
    pace = ProgramPace(clock)
    assert pace.wait_s(300) == 0.0  # nothing is asked
    pace.note_view(view("1.1.1.0"))
    assert pace.wait_s(300) == pytest.approx(0.3)
    clock.now_s += 0.2
    pace.note_view(view("1.1.1.0"))  # somebody else has answered: that moves nothing
    assert pace.wait_s(300) == pytest.approx(0.1)
    clock.now_s += 0.1
    assert pace.wait_s(300) == pytest.approx(0.0)
    pace.note_line()
    assert pace.wait_s(300) == pytest.approx(0.3)
    assert pace.wait_s(0) == 0.0
    pace.note_view(view(None))
    assert pace.wait_s(300) == 0.0


async def plays(server: SimServer, rated: str, protocol: Any) -> list[float]:
    """Seconds from each question to the answer, of two who answer at once; without the first."""
    ann = server.person("Ann", is_program=True, json_protocol=protocol)
    bob = server.person("Bobo", is_program=True, json_protocol=protocol)
    await asyncio.sleep(0.1)
    for one in (ann, bob):
        for _ in range(2):
            one.type("program on")
            await asyncio.sleep(0.1)
    ann.type(f"open duel rated={rated} programs=on rounds=3 seats=2")
    await asyncio.sleep(0.1)
    bob.type("sit 1")
    await asyncio.sleep(0.1)
    for one in (ann, bob):
        one.type("start")
        await asyncio.sleep(0.1)
    taken = await asyncio.gather(answering(server, ann), answering(server, bob))
    return [*taken[0][1:], *taken[1][1:]]


async def answering(server: SimServer, one: Seatholder) -> list[float]:
    """Answer each question at once; seconds until each answer was taken."""
    taken, answered = list[float](), ""
    while "over" not in types(one.objects):
        await asyncio.sleep(0.01)
        views = [each for each in one.objects if each["type"] == "view"]
        if views and views[-1]["moves"] and views[-1]["window"] != answered:
            answered, begun_s = views[-1]["window"], server.clock.monotonic()
            one.type(views[-1]["moves"][0])
            for _ in range(100):
                if [each for each in one.objects if each["type"] == "view"] != views:
                    break
                await asyncio.sleep(0.01)
            taken.append(server.clock.monotonic() - begun_s)
    assert "refused" not in types(one.objects)
    return taken


@pytest.mark.parametrize("protocol", [1, 2])
def test_a_program_plays_no_faster_than_that_in_a_rated_game_and_is_refused_nothing(protocol):
    async def scenario() -> list[float]:
        return await plays(await SimServer(duel_world()).open(), "on", protocol)

    taken = virtual.run(scenario())
    assert len(taken) >= 3 and min(taken) > 0.25


def test_in_any_other_game_it_plays_at_once():
    async def scenario() -> list[float]:
        return await plays(await SimServer(duel_world()).open(), "off", 2)

    assert max(virtual.run(scenario())) < 0.25
