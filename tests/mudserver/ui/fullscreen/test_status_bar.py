from __future__ import annotations

from dataclasses import replace

import pytest

from mudserver.ui.fullscreen.status_bar import StatusBarState, render_status_bar, seconds_left
from mudserver.ui.width import cell_width
from variants.kit.text import plain_text

STATUS = StatusBarState(
    "Table 3, elimination", "Table 3", "Ann, seat 2",
    ("Bob and Cyd are to play; 2 answers are missing", "2 are to answer"), deadline_ms=65_000,
)  # fmt: skip


@pytest.mark.parametrize(
    "status", [STATUS, StatusBarState(), StatusBarState("Lobby", "Lobby", "Ann")]
)
def test_the_bar_is_never_wider_than_the_terminal(status):
    for cols in range(20, 301):
        assert cell_width(plain_text(render_status_bar(status, 0, cols))) <= cols


def test_clock_and_who_is_asked_are_there_at_every_width():
    for cols in range(24, 301):
        text = plain_text(render_status_bar(STATUS, 0, cols))
        assert "1:05" in text
        assert "are to" in text


def test_what_there_is_room_for_goes_in_the_order_of_its_weight():
    wide, narrow = (
        plain_text(render_status_bar(STATUS, 0, 120)),
        plain_text(render_status_bar(STATUS, 0, 40)),
    )
    assert wide.endswith("Table 3, elimination │ Ann, seat 2 │ F1 help ")
    assert " 1:05  2 are to answer" + 10 * " " + "Table 3 " == narrow


def test_the_clock_shows_zero_only_when_time_is_over():
    left = [seconds_left(STATUS, now_ms) for now_ms in (64_000, 64_999, 65_000, 99_000)]
    assert [1, 1, 0, 0] == left
    assert 65 == seconds_left(STATUS, 0)


MINE = StatusBarState(
    asks=("You are to play.",), is_mine=True, deadline_ms=60_000, window_ms=60_000
)


def clock_at(status: StatusBarState, left_s: int) -> tuple[str, bool]:
    """The role of the clock and whether the bar says to hurry, with so much left."""
    bar = render_status_bar(status, 60_000 - left_s * 1000, 80)
    return bar[1].role, "hurry" in plain_text(bar)


def test_the_own_clock_is_marked_at_30_seconds_and_says_hurry_at_10():
    looks = [clock_at(MINE, left_s) for left_s in (31, 30, 11, 10, 1)]
    assert looks == [
        ("strong", False), ("warn", False), ("warn", False), ("bad", True), ("bad", True),
    ]  # fmt: skip


def test_in_short_windows_and_on_others_clocks_nobody_is_hurried():
    assert ("strong", False) == clock_at(replace(MINE, window_ms=59_000), 30)
    assert ("bad", True) == clock_at(replace(MINE, window_ms=25_000), 10)
    assert ("strong", False) == clock_at(replace(MINE, window_ms=24_000), 5)
    assert ("strong", False) == clock_at(replace(MINE, is_mine=False), 5)
