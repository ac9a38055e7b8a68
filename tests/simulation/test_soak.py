"""A server that is open for days holds in the end what it held in the beginning."""

from __future__ import annotations

import pytest

from tests.counts import count
from tests.simulation.soak import Plan, Soak, soaked

GROWTH_MAX = 0.01  # of all that is held, from the second shift to the last
RESIDENT_MAX = 0.05  # of pages: the busiest hour of all says how many the allocators keep
QUICK = Plan(people=40, shifts=3, shift_s=1_200.0, pause_s=200.0, thought_s=20.0)


def check_flat(soak: Soak, name: str, growth_max: float = GROWTH_MAX) -> None:
    assert soak.growth(name) < growth_max, (name, soak.grown(), soak.rests)


def test_a_day_leaves_nothing_behind():
    """Caches are still being filled; what follows from people is gone with them."""
    soak = soaked(QUICK)
    assert soak.most_in > 30 and soak.plays and soak.tables > 10, str(soak)
    assert 1 == len({rest.descriptors for rest in soak.rests})
    assert soak.growth("objects") < 0.05, soak.grown()


@pytest.mark.prove
def test_three_days_of_three_hundred_people_leave_memory_flat():
    soak = soaked(Plan(people=count(300, 100), shifts=count(12, 4)))
    print(f"\n{soak}")
    assert len({rest.descriptors for rest in soak.rests}) == 1
    for rest in soak.rests:
        print(rest)
    for name in ("blocks", "objects", "in_use_kib"):
        check_flat(soak, name)
    check_flat(soak, "resident_kib", RESIDENT_MAX)
