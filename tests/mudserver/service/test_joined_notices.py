"""Notices on their way: few for each person, and what comes meanwhile is joined."""

from __future__ import annotations

import pytest

from mudserver import metrics
from mudserver.service import joined_notices
from mudserver.service.joined_notices import EVERY_MS, JoinedNotices, PlacedNotice
from mudserver.service.notice_texts import sentences, what_to_type
from mudserver.tables.notices import Event, TableNotice

HOUR_MS = 3_600_000


def placed(person: str, table: int, event: Event = "move", until_ms: int | None = None):
    return PlacedNotice(table, "words", TableNotice(person, event, f"{table}.1", 0, until_ms))


def taken(joined: JoinedNotices, now_ms: int) -> list[tuple[str, list[int]]]:
    found = []
    for person, waiting in joined.take(now_ms):
        found.append((person, [it.table for it in waiting]))
        joined.note_told(person, now_ms)
    return found


def test_the_first_is_told_at_once_and_the_next_ones_together_ten_minutes_later():
    joined = JoinedNotices()
    joined.add(placed("a", 1), 1_000)
    assert [("a", [1])] == taken(joined, 1_000) and joined.next_ms is None
    for table in (2, 3, 2):
        joined.add(placed("a", table), 2_000)
    joined.add(placed("b", 2), 2_000)
    assert [("b", [2])] == taken(joined, 2_000)
    assert [] == taken(joined, 1_000 + EVERY_MS - 1) and 1_000 + EVERY_MS == joined.next_ms
    assert [("a", [2, 3])] == taken(joined, 1_000 + EVERY_MS)


def test_who_was_told_nothing_after_all_need_not_wait():
    joined = JoinedNotices()
    joined.add(placed("a", 1), 0)
    assert ["a"] == [person for person, _ in joined.take(0)]  # it was true no more
    joined.add(placed("a", 2), 1)
    assert [("a", [2])] == taken(joined, 1)


def test_quiet_hours_hold_back_whatever_they_are_by_then():
    ends_ms = 5 * HOUR_MS

    def not_before(person: str, ms: int) -> int:
        return max(ms, ends_ms)

    joined = JoinedNotices(not_before)
    joined.add(placed("a", 1), 0)
    assert ends_ms == joined.next_ms and [] == taken(joined, ends_ms - 1)
    ends_ms = 6 * HOUR_MS  # they were changed meanwhile
    assert [] == taken(joined, 5 * HOUR_MS) and ends_ms == joined.next_ms
    joined.add(placed("a", 2), ends_ms)
    assert [("a", [1, 2])] == taken(joined, ends_ms)


def test_what_waits_is_bounded_and_what_is_beyond_is_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(joined_notices, "PEOPLE_MAX", 2)
    monkeypatch.setattr(joined_notices, "WAITING_MAX", 3)
    joined, dropped = JoinedNotices(), metrics.NOTICES.values["dropped"]
    for table in range(4):
        joined.add(placed("a", table), 0)
    for person in "bc":
        joined.add(placed(person, 1), 0)
    assert [("a", [0, 1, 2]), ("b", [1])] == taken(joined, 0)
    assert dropped + 2 == metrics.NOTICES.values["dropped"]


def test_one_has_a_sentence_of_its_own_and_several_of_a_kind_share_one():
    move, tenth = placed("a", 31, until_ms=24 * HOUR_MS), placed("a", 31, "tenth", 2 * HOUR_MS)
    assert "It is your move at table 31 (words); 24 h." == sentences([move], 0)
    assert "It is your move at table 31 (words); 2 h." == sentences([move, tenth], 0)
    several = [move, placed("a", 44), placed("a", 58, "half"), placed("a", 7, "over")]
    assert "Your move at 3 tables. Your game at table 7 (words) is over." == sentences(several, 0)
    ends = placed("a", 9, "expires", 7 * 24 * HOUR_MS)
    assert "Your adjourned game at table 9 (words) ends in 7 days." == sentences([ends], 0)
    offered, invited = placed("a", 31, "offered", 72 * HOUR_MS), placed("a", 5, "invited")
    assert (
        "An offer waits for your answer at table 31 (words); 3 days."
        " You are invited to table 5 (words)." == sentences([invited, offered], 0)
    )
    assert [" To go there: go 31", " To go on: resume 9", " To see them: go"] == [
        what_to_type(it) for it in ([move, tenth], [ends], several)
    ]
