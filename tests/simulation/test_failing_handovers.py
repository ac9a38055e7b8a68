"""A game behind a door, in virtual time: one of the two servers of a handover dies, at any frame or
message, or the standby does not do its part.

Rule 1: as in `test_split.py`; in addition whoever is left serves at once, and the operator reads
        one line.  While the old server goes on nobody at a terminal notices anything.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from tests.simulation import virtual
from tests.simulation.handing_over import SimStandby
from tests.simulation.split import SplitHouse
from tests.simulation.test_split import Ending, evening

DELAY_S = 0.001
LAST_FRAME, LATER_MAX = 76, 25  # at which a handover begins; after which somebody dies
BY_ACTIVE = ("TakeOver", "Released", "GoOn")
BY_STANDBY = ("Willing", "Taken", "Listening", "Resumed")
GOES_ON = "; this server goes on"


class DoomedHouse(SplitHouse):
    """Args: victim: "active" or "standby": dies *later* frames after a handover has begun."""

    def __init__(
        self, *about: object, houses: list[SplitHouse], victim: str = "", later: int = 0,
        dies: str = "", **more: float,
    ) -> None:  # fmt: skip
        super().__init__(*about, **more)  # type: ignore[arg-type]
        self._victim, self._later, self.dies = victim, later, dies
        houses.append(self)

    def happens(self) -> None:
        super().happens()
        if self._victim:
            self.what, self.happens_at = f"kill {self._victim}", self.frames + self._later
            self._victim = ""


def found(at: int, **about: object) -> tuple[Ending, str]:
    """What there is in the end, and what the operator has read."""
    houses: list[SplitHouse] = []
    make = partial(DoomedHouse, houses=houses, **about)
    ending = virtual.run(evening("hand over", at, DELAY_S, make=make))
    (said,) = houses[0].said
    return ending, said


def check(twin: Ending, ending: Ending, where: object) -> None:
    assert max(ending.words) <= 3 and len(ending.plays) <= len(twin.plays), where  # nothing twice
    if not ending.is_uncertain:
        assert (twin.plays, twin.looks) == (ending.plays, ending.looks), where
        assert twin.words == ending.words, where


def at_frames(places: range, later: range) -> Counter[str]:
    """How the handovers ended that begin at *places*, with a death so many frames *later*."""
    twin, ends = virtual.run(evening(delay_s=DELAY_S)), Counter[str]()
    for at in places:
        for frames in later:
            for victim in ("active", "standby"):
                ending, said = found(at, victim=victim, later=frames)
                where = (at, frames, victim, said)
                check(twin, ending, where)
                assert not (said.endswith(GOES_ON) and ending.is_uncertain), where
                ends[kind_of(said)] += 1
    return ends


def kind_of(said: str) -> str:
    if said.endswith(GOES_ON):
        return "went on"
    return "handed over" if said.startswith("restarted: ") else "the old one died"


def test_whoever_dies_at_some_frame_of_a_handover_nothing_is_lost_or_twice():
    ends = at_frames(range(20, 21), range(1, 12, 2))
    assert ends.keys() == {"handed over", "went on", "the old one died"}, ends


@pytest.mark.prove
def test_the_same_at_every_frame_of_handovers_that_begin_at_many_frames():
    ends = at_frames(range(1, LAST_FRAME, 5), range(1, LATER_MAX))
    print(f"\ndeaths in simulated handovers={ends.total()} {dict(ends)}")


@pytest.mark.parametrize("message", BY_ACTIVE + BY_STANDBY)
@pytest.mark.parametrize("when", ["before", "after"])
def test_whoever_dies_as_it_says_something_nothing_is_lost_or_twice(message, when):
    ending, said = found(30, dies=f"{message} {when}")
    check(virtual.run(evening(delay_s=DELAY_S)), ending, said)
    assert (message in BY_ACTIVE) == (kind_of(said) == "the old one died"), said


def cannot_open(plant: Callable[..., None]) -> str:
    async def fail(standby: SimStandby, lock: int, **_: bool) -> None:
        raise OSError("the disk is gone")

    plant("_open", fail)
    return "the standby cannot take over (ref "


def does_not_get_the_lock(plant: Callable[..., None]) -> str:
    plant("_try_lock", lambda standby: None)
    return "the lock is not free"


def is_not_willing(plant: Callable[..., None]) -> str:
    plant("_not_ready", "its computer players do not answer yet")
    return "its computer players do not answer yet"


def says_nothing(plant: Callable[..., None]) -> str:
    async def wait(*_: object) -> None:
        await asyncio.Event().wait()

    plant("_take_over", wait)
    return "the standby did not answer"


def hangs_with_the_lock(plant: Callable[..., None]) -> str:
    honest = SimStandby._open

    async def hang(standby: SimStandby, lock: int, **_: bool) -> None:
        await honest(standby, lock)
        await asyncio.Event().wait()

    plant("_open", hang)
    return "the standby did not answer"


@pytest.mark.parametrize(
    "fault",
    [cannot_open, does_not_get_the_lock, is_not_willing, says_nothing, hangs_with_the_lock],
    ids=lambda fault: fault.__name__,
)
def test_a_standby_that_does_not_do_its_part_is_noticed_by_the_operator_alone(fault, monkeypatch):
    honest = SimStandby.__init__

    def plant(name: str, value: object) -> None:
        def made(standby: SimStandby, *about: object) -> None:
            honest(standby, *about)  # type: ignore[arg-type]
            is_call = callable(value)
            setattr(standby, name, partial(value, standby) if is_call else value)  # type: ignore[arg-type]

        monkeypatch.setattr(SimStandby, "__init__", made)

    why = fault(plant)
    ending, said = found(30)
    twin = virtual.run(evening(delay_s=DELAY_S))
    assert said.startswith(f"restart not done: {why}") and said.endswith(GOES_ON), said
    assert not ending.is_uncertain
    assert (twin.plays, twin.looks, twin.words) == (ending.plays, ending.looks, ending.words)
