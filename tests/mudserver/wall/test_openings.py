"""Who is opened first at a new game server."""

from __future__ import annotations

import pytest

from mudserver.wall import openings
from mudserver.wall.openings import Openings


class Door:
    def __init__(self) -> None:
        self.opened: list[int] = []
        self.gone: set[int] = set()
        self.openings = Openings(self.open)

    def open(self, number: int) -> bool:
        if number not in self.gone:
            self.opened.append(number)
        return number not in self.gone

    def begin(self, *typed: bytes) -> None:
        self.openings.add(enumerate(typed, start=1))

    def answer(self, *numbers: int) -> list[int]:
        """The connections that were opened when these are answered."""
        self.opened.clear()
        for number in numbers:
            self.openings.note_answered(number)
        return self.opened


@pytest.fixture
def door(monkeypatch):
    monkeypatch.setattr(openings, "UNANSWERED_MAX", 2)
    return Door()


def test_whole_lines_come_before_half_ones_and_few_are_on_their_way(door):
    door.begin(b"", b"gi", b"say hello\rlo", b"", b"look\r")
    assert [3, 5] == door.opened
    assert [2] == door.answer(3)
    assert [1, 4] == door.answer(5, 2)
    assert [] == door.answer(1, 4)


def test_among_those_who_go_at_once_nobody_comes_first_for_what_was_typed(door):
    door.begin(b"", b"look\r")
    assert [1, 2] == door.opened


def test_who_types_meanwhile_comes_before_those_who_wait_in_the_order_of_typing(door):
    door.begin(b"", b"", b"", b"", b"")
    for number in (5, 1, 4, 5):  # the first one is on its way
        door.openings.hurry(number)
    assert [5] == door.answer(1)
    assert [4, 3] == door.answer(2, 5)


def test_a_connection_that_ends_makes_room_and_is_not_opened(door):
    door.begin(b"", b"", b"", b"", b"")
    door.openings.hurry(5)
    assert [] == door.answer(5, 3)
    door.gone.add(4)
    assert [] == door.answer(1)
    door.begin(b"")
    assert [1] == door.opened


def test_nothing_is_opened_while_the_wall_takes_no_more_or_is_gone(door):
    door.openings.is_paused = True
    door.begin(b"", b"", b"")
    assert [] == door.opened
    door.openings.is_paused = False
    door.openings.go_on()
    assert [1, 2] == door.opened
    door.openings.stop()
    assert [] == door.answer(1, 2)
