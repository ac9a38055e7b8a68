"""A program behind a door, in virtual time: each of its lines is answered by one `done`.

Rule 1: whatever happens, and at whichever frame: a line with an id has one `done`, in the order of
        lines.  Its code is `busy` if nobody knows what became of it, and then `restarted` says so.
Rule 2: the same if it happens once more, at whichever frame, while the answer is owed.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.simulation import virtual
from tests.simulation.server import FakeLink, new_world
from tests.simulation.split import SplitHouse
from tests.slow_cases import every_third

LINES = ("who", "open elimination", "options clocks=off", "say one", "nonsense", "leave")
AGAIN_MAX = 20  # frames from the first time to the second
FIRST = pytest.mark.parametrize("first", every_third(range(1, 4)))  # of each third frame


class Unlucky(SplitHouse):
    """Something happens again, *again* frames later."""

    again = 0

    def happens(self) -> None:
        super().happens()
        self.happens_at, self.again = self.frames + self.again, 0


async def evening(what: str = "", at: int = 0, again: int = 0) -> tuple[int, list[dict[str, Any]]]:
    """How many frames there were, and what the program read."""
    house = await Unlucky(new_world(3), is_torn=False).open()
    house.again = again
    link = FakeLink(protocol="ssh", wants_json=True, json_protocol=2)
    program = house.person("ann", link)
    await asyncio.sleep(1)
    program.forget()
    house.frames, house.what, house.happens_at = 0, what, at
    for number, line in enumerate(LINES):
        program.write(json.dumps({"line": line, "id": f"{number}"}).encode() + b"\n")
        await asyncio.sleep(0.3)
    await asyncio.sleep(5)
    frames, house.happens_at = house.frames, 0
    program.write(b'{"line": "who", "id": "last"}\n')
    await asyncio.sleep(3)
    assert link.is_open
    return frames, program.objects


def done(objects: list[dict[str, Any]]) -> dict[str, str | None]:
    """The codes by id."""
    read = [each for each in objects if each["type"] == "done"]
    assert [*map(str, range(len(LINES))), "last"] == [each["id"] for each in read]
    return {each["id"]: each["code"] for each in read}


def check(twin: dict[str, str | None], objects: list[dict[str, Any]], told_max: int) -> int:
    """How many lines were answered `busy`."""
    found = done(objects)
    unknown = {id for id, code in found.items() if code == "busy"}
    told = [each["is_line_uncertain"] for each in objects if each["type"] == "restarted"]
    assert len(unknown) <= len(told) <= told_max and all(told)
    assert all(code == twin[id] for id, code in found.items() if id not in unknown)
    return len(unknown)


@FIRST
@pytest.mark.parametrize("what", ["kill", "break"])
def test_each_line_is_done_once_at_whichever_frame_something_happens(what, first):
    frames, objects = virtual.run(evening())
    twin = done(objects)
    assert "busy" not in twin.values()
    owed = []
    for at in range(first, frames + 1, 3):
        _, objects = virtual.run(evening(what, at))
        owed += [at] * check(twin, objects, 1)
    assert owed
    for again in range(first, AGAIN_MAX, 3):
        _, objects = virtual.run(evening(what, owed[len(owed) // 2], again))
        assert check(twin, objects, 2) >= 1


@FIRST
def test_a_planned_end_at_whichever_frame_waits_for_the_answers(first):
    frames, objects = virtual.run(evening())
    twin = done(objects)
    for at in range(first, frames + 1, 3):
        _, objects = virtual.run(evening("stop", at))
        assert (twin, 0) == (done(objects), check(twin, objects, 0)), at
