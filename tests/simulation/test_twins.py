"""What people and programs of all kinds see while game servers change, beside an undisturbed twin.

Rule 1: in most steps of an evening the game server dies at some frame or moment: with a standby,
        without one, or twice in a row.  In others it hands over while a line is half typed.  When
        everybody has been answered all see what their twins see; `twins.py` says what may differ.
Rule 2: at a death the socket is cut at a frame, or delivers what was written.  That, and how slow
        it is, follows from the seed.
Rule 3: each planted fault is found by one of a few evenings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from mudserver.config.schema import Config
from mudserver.session import going_on
from mudserver.session.shown import Shown
from mudserver.session.terminal_session import TerminalSession
from mudserver.tables import missed_events, notifications
from mudserver.ui.screen import Screen
from mudserver.wall.door_connection import DoorConnection
from tests.counts import count
from tests.memory_journal import Disk
from tests.simulation import virtual
from tests.simulation.crashes import CrashingHouse, Death, deaths_of
from tests.simulation.evening import Evening, Step, lines_of
from tests.simulation.server import World
from tests.simulation.test_split_simulation import (
    a_capsule_is_lost,
    what_has_begun_is_typed_again,
    what_was_shown_is_forgotten,
)
from tests.simulation.twins import Twins
from variants.catalogue import CATALOGUE

STEPS, SHORT = 24, 10
DELAYS_S = (0.0, 0.001, 0.001, 0.05, 0.2)
EVENINGS, CHUNKS = count(300, 12), 4
RESTARTS_DELAYS_S = (0.0, 0.001, 0.05)
PLANTED = (1, 2)

Trouble = Callable[[int], None]  # given the number of a step that begins


async def evening(
    seed: int, steps: int, delay_s: float, twin: list[Step] | None = None, *,
    is_torn: bool = True, trouble: Callable[[CrashingHouse], Trouble] | None = None,
) -> list[Step]:  # fmt: skip
    """Args: twin: what the twin has seen; None: it is the twin."""
    world = World(seed, Disk(), Config(), catalogue=CATALOGUE)
    house = CrashingHouse(world, delay_s=delay_s, is_torn=is_torn)
    life = Evening(await house.open(), seed)
    found = [await life.begin()]
    twins = None if twin is None else Twins(twin[0], found[0])
    begin = None if trouble is None else trouble(house)
    for number, line in enumerate(lines_of(seed, steps)):
        deaths, restarts = house.deaths, len(house.said)
        if begin is not None:
            begin(number)
        plays = None if twin is None else twin[number + 1].plays
        step = await life.step(number, line, plays)
        house.check()
        is_planned = len(house.said) > restarts
        found.append(step._replace(deaths=house.deaths - deaths, is_planned=is_planned))
        if twins is not None and twin is not None:
            twins.step(twin[number + 1], found[-1])
    return found


@cache
def twin_of(seed: int, steps: int, delay_s: float, is_torn: bool) -> list[Step]:
    return virtual.run(evening(seed, steps, delay_s, is_torn=is_torn))


def plan_of(seed: int, steps: int) -> tuple[float, bool, list[Death | None]]:
    """How slow the socket is, whether it is cut, and what happens in each step."""
    dice = Random(f"deaths of {seed}")
    return dice.choice(DELAYS_S), dice.random() < 0.5, deaths_of(dice, steps)


def deaths_beside_a_twin(seed: int, steps: int) -> int:
    delay_s, is_torn, deaths = plan_of(seed, steps)

    def dying(house: CrashingHouse) -> Trouble:
        return lambda number: house.plan(deaths[number])

    twin = twin_of(seed, steps, delay_s, is_torn)
    found = virtual.run(evening(seed, steps, delay_s, twin, is_torn=is_torn, trouble=dying))
    return sum(step.deaths for step in found)


def restarts_beside_a_twin(seed: int, steps: int, delay_s: float) -> int:
    """One in each second step, while its line is half typed."""

    def handing_over(house: CrashingHouse) -> Trouble:
        return lambda number: house.hand_over_soon() if number % 2 else None

    twin = twin_of(seed, steps, delay_s, True)
    found = virtual.run(evening(seed, steps, delay_s, twin, trouble=handing_over))
    return sum(step.is_planned for step in found)


def test_after_each_death_all_see_what_an_undisturbed_twin_sees():
    assert deaths_beside_a_twin(1, SHORT) > SHORT // 3


def test_after_planned_restarts_all_see_what_an_undisturbed_twin_sees():
    assert SHORT // 2 == restarts_beside_a_twin(1, SHORT, 0.05)  # the twin of that of deaths


@pytest.mark.prove
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_deaths_in_many_evenings(chunk):
    seeds = range(1_000 + chunk, 1_000 + EVENINGS, CHUNKS)
    deaths = sum(deaths_beside_a_twin(seed, STEPS) for seed in seeds)
    print(f"\ntwins of crashes chunk={chunk} evenings={len(seeds)} deaths={deaths} seen=equal")


@pytest.mark.prove
@pytest.mark.parametrize("delay_s", RESTARTS_DELAYS_S)
def test_planned_restarts_in_long_evenings(delay_s):
    restarts = restarts_beside_a_twin(2_000, STEPS, delay_s)
    print(f"\ntwins of planned restarts={restarts} delay_s={delay_s} seen=equal")


# -- what the comparison is worth -----------------------------------------------------------------


def a_row_is_shown_twice(plant):
    honest = Shown.begin
    plant.setattr(
        Shown, "begin", lambda self, capsule, seen: honest(self, capsule, seen and seen - 1)
    )


def a_draft_is_lost(plant):
    plant.setattr(DoorConnection, "_send_retained", lambda self: None)


def a_cursor_is_off_by_one(plant):
    honest = DoorConnection._send_retained

    def careless(self):
        self.retained += b"\x1b[C" if self.retained.endswith(b"\x1b[D") else b""
        honest(self)

    plant.setattr(DoorConnection, "_send_retained", careless)


def the_status_bar_is_stale(plant):
    plant.setattr(
        TerminalSession, "_go_on_at", lambda self, known: self.render_message(known.location)
    )


def a_prompt_is_printed_twice(plant):
    plant.setattr(Screen, "erases_its_row", False)


def talk_of_long_ago_is_lost(plant):
    plant.setattr(going_on, "kept_talk", lambda shown: ())


def packages_begin_anew(plant):
    honest = TerminalSession._take_up
    plant.setattr(
        TerminalSession, "_take_up", lambda self, it: honest(self, replace(it, has_gmcp=False))
    )


def a_view_comes_again(plant):
    honest = missed_events.what_was_missed

    def talkative(table, person, location, seen):
        found = honest(table, person, location, seen)
        return found if table.game is None else [*found, table.view_message(None, "back")]

    plant.setattr(notifications, "what_was_missed", talkative)


FAULTS = (
    a_row_is_shown_twice, a_draft_is_lost, a_cursor_is_off_by_one, the_status_bar_is_stale,
    a_prompt_is_printed_twice, talk_of_long_ago_is_lost, packages_begin_anew,
    a_view_comes_again, what_has_begun_is_typed_again, what_was_shown_is_forgotten,
    a_capsule_is_lost,
)  # fmt: skip


@pytest.mark.prove
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_seen(fault, monkeypatch):
    for seed in PLANTED:
        twin_of(seed, SHORT, *plan_of(seed, SHORT)[:2])  # of the honest server
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in PLANTED:
            deaths_beside_a_twin(seed, SHORT)
