"""[SEC-4] What somebody does in private causes nothing at anybody else, no byte and no delay."""

from __future__ import annotations

import asyncio

import pytest

from tests.secrets.behaviour import PRIVATE, QUESTIONS
from tests.secrets.checks import can_be_silent, noticed
from tests.secrets.script import script
from tests.secrets.scripted_server import (
    LOG,
    PANES,
    PROGRAM,
    TERMINALS,
    Act,
    Member,
    ScriptedServer,
    world_for,
)
from tests.secrets.step_chance import step_chance
from tests.simulation.virtual import run
from tests.slow_cases import slow_cases
from variants.catalogue import CATALOGUE

CAST = (
    *(Member(name, TERMINALS[i], i) for i, name in enumerate(("Ann", "Bob", "Cyd", "Dee"))),
    Member("Wim", PANES),
    Member("Lou", PROGRAM),
)
REFUSED = (
    "give zz bob", "shuffle the sun", "take", "loot zz bob", "nice try", "reflect bob", "play 99",
)  # fmt: skip
"""Of one game or another; none of it is a play when a game begins."""
Reached = dict[tuple[str, bytes], dict[str, bytes]]
"""By who did what: whom it reached with what."""
KEYS = (b"\t\t", b"g\t\t", b"give \t\t", b"hal", b"\x01\x0b\x19", b"\x1b[A", b"\x0c", b"\x1b[200~")


@pytest.mark.parametrize(
    "numbers", slow_cases([range(7, 9), range(9, 40)], ["range(9, 40)"]), ids=str
)
def test_what_one_does_in_private_reaches_nobody_else(numbers: range) -> None:
    """Whole runs with and without one person's private lines and keys."""
    compared = 0
    for number in numbers:
        told = script(number, decisions_max=24)
        if can_be_silent(told):
            names = [member.name for member in told.cast if member.seat is not None]
            assert [] == noticed(told, names), number
            compared += len(names)
    assert compared >= max(5, len(numbers) // 3)


@pytest.fixture(scope="module", params=sorted(CATALOGUE))
def what_reached_others(
    request: pytest.FixtureRequest,
) -> Reached:
    return run(_what_reached_others(request.param))


async def _what_reached_others(variant: str) -> Reached:
    """At a table where nothing else happens."""
    scripted = ScriptedServer(CAST, world_for(1, step_chance()))
    await scripted.open()

    async def keys(who: str, pressed: bytes) -> None:
        await scripted.do(Act(0.0, who, "keys", keys=pressed), str)
        await asyncio.sleep(0.2)

    for member in CAST:
        await scripted.do(Act(0.0, member.name, "come"), str)
        await asyncio.sleep(0.2)
    await keys("Ann", f"open {variant} clocks=off\r".encode())
    for who in ("Bob", "Cyd", "Dee"):
        await keys(who, b"sit 1\r")
    await keys("Wim", b"watch 1\r")
    for who in ("Ann", "Bob", "Cyd", "Dee"):
        await keys(who, b"start\r")
    for who in ("Bob", "Dee", "Wim"):
        await keys(who, b"in the midd")  # words half typed, to be torn if anything comes
    reached = {}
    lines = [
        line.encode() + b"\r"
        for line in (*PRIVATE, *QUESTIONS, *REFUSED, "autopass on", "autopass off")
    ]
    with scripted.listening_to_the_log():
        for who in ("Ann", "Cyd"):  # one who is asked, or not; one with keys, one with lines
            for pressed in (*lines, *(KEYS if scripted.cast[who].presses_keys else ())):
                for received in scripted.received.values():
                    received.clear()
                await keys(who, pressed)
                reached[who, pressed] = {
                    name: b"".join(data for _, data in received)
                    for name, received in scripted.received.items()
                    if received
                }
                if not pressed.endswith(b"\r"):
                    await keys(who, b"\x1b[201~\x03")
    return reached


def test_a_private_line_or_key_reaches_one_terminal_only(
    what_reached_others: Reached,
) -> None:
    for (who, pressed), reached in what_reached_others.items():
        assert reached.keys() <= {who}, (who, pressed)
        assert who in reached or pressed.startswith((b"\t", b"\x1b", b"\x01")), (who, pressed)
    assert len(what_reached_others) >= 45
    assert LOG not in {name for reached in what_reached_others.values() for name in reached}
