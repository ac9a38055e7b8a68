"""A game server ends by plan, and no other one takes over, while an answer is on its way.

Rule 1: the answer is waited for.  If that takes too long, its person reads that it may be lost.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.proofs.sitters import UNCERTAIN
from tests.simulation import virtual
from tests.simulation.server import FakeLink, new_world
from tests.simulation.split import SplitHouse

LINES = {  # and their answers
    "open elimination": "Table 1, elimination.",
    "say one two three": "ann: one two three",
    "set colour off": "colour: off.",
}


async def end(disk_s: float, line: str) -> tuple[str, float]:
    """What is read after *line*, and how long the server takes to end."""
    house = await SplitHouse(new_world(3), is_torn=False).open()
    people = [house.person(name, FakeLink(protocol="ssh")) for name in ("ann", "bob")]
    await asyncio.sleep(1)
    people[0].forget()
    house.server.journal.delay_s = disk_s
    people[0].type(line)
    await asyncio.sleep(0.1)
    began_s = asyncio.get_running_loop().time()
    took_s, stop = list[float](), house.server.stop

    async def timed() -> None:
        await stop()
        took_s.append(asyncio.get_running_loop().time() - began_s)

    house.server.stop, house.what = timed, "stop"  # type: ignore[method-assign]
    house.happens()
    await asyncio.sleep(30)
    house.check()
    assert all(person.link.is_open for person in people)
    assert UNCERTAIN not in " ".join(people[1].text.split())
    return " ".join(people[0].text.split()), took_s[0]


@pytest.mark.parametrize("line", LINES)
def test_an_answer_that_is_on_its_way_is_shown_before_the_end(line):
    text, took_s = virtual.run(end(1.0, line))
    assert (1, 0) == (text.count(LINES[line]), text.count(UNCERTAIN)), text
    assert took_s < 4


def test_an_answer_that_takes_too_long_may_be_lost_and_that_is_told():
    text, took_s = virtual.run(end(2.5, "open elimination"))
    assert (1, 1) == (text.count("Table 1, elimination."), text.count(UNCERTAIN)), text
    assert 2 < took_s < 10
