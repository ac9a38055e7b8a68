"""Which tables `play` passes over."""

from __future__ import annotations

from mudserver.tables import matching
from mudserver.tables.matching import PASSED_OVER_S, PassedOver
from tests.mudserver.transport.server import HandClock


def test_who_has_left_a_table_is_not_led_back_to_it_for_a_while():
    clock = HandClock()
    passed = PassedOver(clock)
    passed.note("p1", 3)
    assert passed.has("p1", 3) and not passed.has("p1", 4) and not passed.has("p2", 3)
    clock.now_s += PASSED_OVER_S
    assert not passed.has("p1", 3)


def test_what_is_over_is_forgotten_and_the_rest_has_a_bound(monkeypatch):
    monkeypatch.setattr(matching, "ENTRIES_MAX", 3)
    clock = HandClock()
    passed = PassedOver(clock)
    for table in range(3):
        passed.note("p1", table)
        clock.now_s += PASSED_OVER_S / 4
    passed.note("p1", 3)
    assert [False, True, True, True] == [passed.has("p1", table) for table in range(4)]
    assert 3 == len(passed._until_s)
    clock.now_s += PASSED_OVER_S
    passed.note("p1", 9)
    assert 1 == len(passed._until_s)
