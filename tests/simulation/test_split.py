"""A game behind a door, in virtual time: the game server dies, ends by plan or hands over, or the
socket breaks, at any frame.

Rule 1: a run in which nothing happens is the twin of all others: the same people type the same.
Rule 2: whatever happens, and at whichever frame: nobody's connection ends, each play is on the disk
        once or its person has read that it may be lost, each event is told once and in its order,
        and the table looks the same in the end.  Of a planned end nobody reads anything.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.proofs.sitters import UNCERTAIN
from tests.simulation import virtual
from tests.simulation.disk import fold
from tests.simulation.server import FakeLink, new_world
from tests.simulation.split import SplitHouse

PLANNED = ("stop", "hand over")
LAST_S = 20.0  # longer than a server waits for its standby
LINES = ("draw", "say one two three")  # whose turn it is types the first, the other the second


@dataclass
class Ending:
    """What there is at the end of a run."""

    frames: int
    plays: list[object]
    looks: list[str]
    words: list[int]  # how often each was read, by the reader
    is_uncertain: bool


async def evening(
    what: str = "", at: int = 0, delay_s: float = 0.001, *,
    make: Callable[..., SplitHouse] = SplitHouse,
) -> Ending:  # fmt: skip
    house = await make(new_world(3), delay_s=delay_s).open()
    people = [house.person(name, FakeLink(protocol="ssh")) for name in ("ann", "bob")]
    await asyncio.sleep(1)
    for who, line in ((0, "open elimination pace=instant clocks=off"), (1, "sit 1"),
                      (0, "ready"), (1, "ready"), (0, "start")):  # fmt: skip
        people[who].type(line)
        await asyncio.sleep(1)
    house.frames, house.what, house.happens_at = 0, what, at
    for _ in range(3):
        asked = next((each for each in people if each.is_asked), people[0])
        other = people[1 - people.index(asked)]
        for typist, line in zip((asked, other), LINES, strict=True):
            typist.press(line[:3].encode())
            await asyncio.sleep(0.2)
            typist.press(line[3:].encode() + b"\r")
            await asyncio.sleep(3)
    frames = house.frames
    await asyncio.sleep(LAST_S)
    house.check()
    words = [len(re.findall(r"(?:ann|bob): one two three", person.text)) for person in people]
    looks = []
    for person in people:
        assert person.link.is_open
        is_told = UNCERTAIN in " ".join(person.text.split())
        person.forget()
        person.type("look")
        await asyncio.sleep(1)
        looks.append((person.text, is_told))
    game = fold(house.world, 1).table.game
    assert game is not None
    return Ending(frames, list(game.plays), [text for text, _ in looks], words,
                  any(is_told for _, is_told in looks))  # fmt: skip


def at_frames(step: int, delay_s: float) -> int:
    """Something happens at every *step*-th frame; in how many of the runs nobody was told of it."""
    twin = virtual.run(evening(delay_s=delay_s))
    assert [3, 3] == twin.words and 4 == len(twin.plays)  # the deal, and three draws
    unnoticed = 0
    for what in ("kill", "break", "stop", "hand over"):
        for at in range(1, twin.frames + 1, step):
            found, where = virtual.run(evening(what, at, delay_s)), (what, at, delay_s)
            assert max(found.words) <= 3 and len(found.plays) <= 4, where  # nothing twice
            assert not (what in PLANNED and found.is_uncertain), where
            if not found.is_uncertain:
                unnoticed += 1
                assert twin.plays == found.plays, where
                assert twin.looks == found.looks, where
                assert twin.words == found.words, where
    return unnoticed


def test_nobody_notices_that_the_game_server_dies_or_the_socket_breaks():
    assert at_frames(step=18, delay_s=0.001) > 8


@pytest.mark.prove
@pytest.mark.parametrize("delay_s", [0.0, 0.001, 0.05, 0.2])
def test_nobody_notices_at_which_frame_it_happens(delay_s):
    print(f"\nsplit simulation delay_s={delay_s} unnoticed={at_frames(1, delay_s)}")
