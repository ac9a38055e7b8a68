"""A server that is open for days holds in the end what it held in the beginning."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from tests.counts import IS_FULL, count
from tests.simulation.server import SimServer
from tests.simulation.soak import Plan, Soak, soaked, soaked_apart

GROWTH_MAX = 0.01  # of all that is held, from the second shift to the last
RESIDENT_MAX = 0.05  # of pages: some are kept for little that is left on them
QUICK = Plan(people=40, shifts=3, shift_s=1_200.0, pause_s=200.0, thought_s=20.0)


def check_all_is_counted(soak: Soak) -> None:
    """The small objects, too: with Python's allocator it is a seventh of what is resident."""
    rest = soak.rests[-1]
    assert rest.in_use_kib > rest.resident_kib / 2, rest


def check_flat(soak: Soak, name: str) -> None:
    assert soak.steady_growth(name) < GROWTH_MAX, (name, soak.grown(), soak.rests)


def test_a_day_leaves_nothing_behind():
    """Caches are still being filled; what follows from people is gone with them."""
    soak = soaked(QUICK)
    assert soak.most_in > 30 and soak.plays and soak.tables > 10, str(soak)
    assert 1 == len({rest.descriptors for rest in soak.rests})
    assert soak.growth("objects") < 0.05, soak.grown()


def keep_finished_tables(server: SimServer) -> None:
    """A fault: 2 % more at the end of four shifts of 100 people."""
    manager, kept = server.app.table_manager, []
    settled = manager._on_settled

    def settle(runner, request, record):
        settled(runner, request, record)
        if runner.table.is_closed:
            kept.append(runner.table)

    manager._on_settled = settle


FAULTS = (None, keep_finished_tables) if IS_FULL else (None,)


@pytest.mark.prove
@pytest.mark.parametrize("fault", FAULTS)
def test_three_days_of_three_hundred_people_leave_memory_flat(fault):
    plan = Plan(people=count(300, 100), shifts=count(12, 4))
    soak = soaked_apart(plan if fault is None else Plan(people=100, shifts=4), fault)
    print(f"\n{soak}", *soak.rests, sep="\n")
    assert len({rest.descriptors for rest in soak.rests}) == 1
    check_all_is_counted(soak)
    for name in ("objects", "in_use_kib"):
        with nullcontext() if fault is None else pytest.raises(AssertionError):
            check_flat(soak, name)
    assert fault or soak.growth("resident_kib") < RESIDENT_MAX, soak.rests
