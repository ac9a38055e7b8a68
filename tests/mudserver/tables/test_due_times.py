"""When each of many tables is due."""

from __future__ import annotations

from random import Random

from mudserver.tables.due_times import DueTimes
from mudserver.tables.temporary_database import TemporaryDatabase


def empty() -> DueTimes:
    return DueTimes(TemporaryDatabase(), "due")


def taken(due: DueTimes, now_ms: int) -> list[tuple[int, int]]:
    found = []
    while (first := due.take(now_ms)) is not None:
        found.append(first)
    return found


def test_who_is_due_comes_once_the_soonest_first():
    due = empty()
    for number, at_ms in ((1, 30), (2, 10), (3, 20), (4, 40)):
        due.set(number, at_ms)
    assert 10 == due.next_ms and [] == taken(due, 9)
    assert [(2, 10), (3, 20), (1, 30)] == taken(due, 39)
    assert 40 == due.next_ms == due.get(4) and due.get(1) is None
    assert [(4, 40)] == taken(due, 99) and due.next_ms is None and 0 == len(due)


def test_a_new_time_replaces_the_old_one_and_none_ends_it():
    due = empty()
    due.set(1, 10)
    due.set(1, 20)
    due.set(2, 15)
    due.set(2, None)
    due.set(3, None)
    assert 20 == due.next_ms and [(1, 20)] == taken(due, 99)
    for at_ms in (10, 20, 10):  # the first entry is true again
        due.set(1, at_ms)
    assert [(1, 10)] == taken(due, 99)


def test_times_that_are_out_of_date_are_gone():
    due, rng = empty(), Random(7)
    for at_ms in range(2_000):
        due.set(rng.randrange(50), 1_000_000 + at_ms)
    found = taken(due, 10**9)
    assert 50 == len(found) and found == sorted(found, key=lambda it: it[1])
