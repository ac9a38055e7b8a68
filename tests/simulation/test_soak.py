"""A house that is open for days holds in the end what it held in the beginning."""

from __future__ import annotations

import pytest

from tests.simulation.soak import Plan, Soak, soaked

GROWTH_MAX = 0.01  # from the first shift to the last
QUICK = Plan(people=40, shifts=3, shift_s=1_200.0, pause_s=200.0, thought_s=20.0)


def check_flat(soak: Soak, name: str) -> None:
    assert soak.growth(name) < GROWTH_MAX, (name, soak.grown(), soak.rests)


def test_an_evening_leaves_nothing_behind():
    """Caches are still being filled; what follows from people is gone with them."""
    soak = soaked(QUICK)
    assert soak.most_in > 30 and soak.plays and soak.tables > 10, str(soak)
    assert 1 == len({rest.descriptors for rest in soak.rests})
    assert soak.growth("objects") < 0.05, soak.grown()


@pytest.mark.prove
def test_three_days_of_three_hundred_people_leave_memory_flat():
    soak = soaked(Plan())
    print(f"\n{soak}")
    assert len({rest.descriptors for rest in soak.rests}) == 1
    for name in ("blocks", "objects", "resident_kib"):
        check_flat(soak, name)
