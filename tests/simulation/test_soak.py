"""A server that is open for days holds in the end what it held in the beginning."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.counts import IS_FULL, count
from tests.simulation.server import SimServer
from tests.simulation.soak import Plan, Rest, Soak, soaked, soaked_apart

GROWTH_MAX = 0.01  # of all that is held, from the second shift to the last
PAGES_MAX = 0.05  # of pages: there are holes that nothing fits in
QUICK = Plan(people=40, shifts=3, shift_s=1_200.0, pause_s=120.0, thought_s=20.0)
KEPT_BYTES = 65_536


def what_grows(soak: Soak) -> set[str]:
    found = {n for n in ("objects", "in_use_kib") if soak.steady_growth(n) >= GROWTH_MAX}
    return found | ({"pages"} if soak.growth_of_pages() >= PAGES_MAX else set())


def check_all_is_counted(soak: Soak) -> None:
    """The small objects, too: with Python's allocator it is a seventh of what is resident."""
    rest = soak.rests[-1]
    assert rest.in_use_kib > rest.resident_kib / 2, rest


def test_a_day_leaves_nothing_behind():
    """Caches are still being filled; what follows from people is gone with them."""
    soak = soaked(QUICK)
    assert soak.most_in > 30 and soak.plays and soak.tables > 10, str(soak)
    assert 1 == len({rest.descriptors for rest in soak.rests})
    assert soak.growth("objects") < 0.05, soak.grown()


# -- what the figures say --------------------------------------------------------------------------

HONEST = [  # what six shifts of half an hour, of 100 people, have left: pages grew by 3.6 %
    Rest(2.2, 141_737, 96_167, 111_049, 136_028, 14, 4),
    Rest(2.8, 143_940, 97_470, 118_981, 141_856, 14, 3),
    Rest(3.4, 145_798, 98_863, 118_981, 142_680, 14, 4),
    Rest(4.0, 146_199, 99_228, 121_593, 145_320, 14, 4),
    Rest(6.2, 146_155, 99_355, 121_593, 145_080, 14, 3),
    Rest(6.8, 146_178, 99_424, 125_644, 148_456, 14, 4),
]


def seen(*rests: Rest) -> set[str]:
    return what_grows(Soak(Plan(), list(rests)))


def test_pages_of_a_busier_hour_are_no_growth():
    assert seen(*HONEST) == set()


def test_pages_that_come_back_with_the_crowd_are_no_growth():
    busy = [replace(rest, busiest_kib=125_644) for rest in HONEST]
    assert seen(replace(busy[0], resident_kib=148_456), *busy[1:]) == set()


@pytest.mark.parametrize(
    ("name", "kib"), [("objects", 500), ("in_use_kib", 200), ("resident_kib", 3_000)]
)
def test_what_each_shift_leaves_behind_is_growth(name, kib):
    left = [replace(r, **{name: getattr(r, name) + n * kib}) for n, r in enumerate(HONEST)]
    assert seen(*left) == {"pages" if name == "resident_kib" else name}


# -- faults ----------------------------------------------------------------------------------------


def _when_finished(server: SimServer, act: Callable[[Any], None]) -> None:
    """*act* with each table at its end."""
    manager = server.app.table_manager
    settled = manager._on_settled

    def settle(runner, request, record):
        settled(runner, request, record)
        if runner.table.is_closed:
            act(runner.table)

    manager._on_settled = settle


def keep_finished_tables(server: SimServer) -> None:
    """A fault: 2 % more at the end of four shifts of 100 people."""
    kept: list[Any] = []
    _when_finished(server, kept.append)


def keep_pages(server: SimServer) -> None:
    """A fault: no object and no memory of the C library, but pages that each table leaves."""
    kept: list[Any] = []

    def keep(table: Any) -> None:
        kept.append(mmap.mmap(-1, KEPT_BYTES))
        kept[-1].write(b"x" * KEPT_BYTES)

    _when_finished(server, keep)


FAULTS = {
    None: set[str](),
    keep_finished_tables: {"objects", "in_use_kib"},
    keep_pages: {"pages"},
}


@pytest.mark.prove
@pytest.mark.parametrize("fault", FAULTS if IS_FULL else (None,))
def test_three_days_of_three_hundred_people_leave_memory_flat(fault):
    plan = Plan(people=count(300, 100), shifts=count(12, 4))
    soak = soaked_apart(plan if fault is None else Plan(people=100, shifts=4), fault)
    print(f"\n{soak}", *soak.rests, sep="\n")
    assert len({rest.descriptors for rest in soak.rests}) == 1
    check_all_is_counted(soak)
    found = what_grows(soak)
    assert found >= FAULTS[fault] if fault else not found, (found, soak.grown(), soak.rests)
