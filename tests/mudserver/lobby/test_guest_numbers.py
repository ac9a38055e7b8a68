"""The number of the next guest, and how long nobody else has that of one who has left."""

from __future__ import annotations

import pytest

from mudserver.lobby.guest_numbers import HELD_MAX, HELD_S, GuestNumbers


class Guests:
    """Guests who come and go, and whose numbers are looked up as the server does it."""

    def __init__(self) -> None:
        self.numbers = GuestNumbers()
        self.here: set[int] = set()

    def come(self, now: float) -> int:
        number = self.numbers.lowest_free(self.here.__contains__, now)
        self.come_as(number)
        return number

    def come_as(self, number: int) -> None:
        self.numbers.take(number)
        self.here.add(number)

    def go(self, number: int, now: float) -> None:
        self.here.remove(number)
        self.numbers.hold(number, now)


@pytest.fixture
def guests() -> Guests:
    return Guests()


def test_guests_are_counted_from_1(guests):
    assert [1, 2, 3] == [guests.come(0.0) for _ in range(3)]


def test_the_next_guest_has_the_same_number_while_nobody_comes(guests):
    numbers = guests.numbers
    assert [1, 1] == [numbers.lowest_free(guests.here.__contains__, 0.0) for _ in range(2)]


def test_a_number_is_nobody_elses_for_an_hour_after_its_guest_has_left(guests):
    assert [1, 2] == [guests.come(0.0), guests.come(0.0)]
    guests.go(1, 10.0)
    assert guests.numbers.is_held(1, 10.0) and not guests.numbers.is_held(2, 10.0)
    assert 3 == guests.come(10.0 + HELD_S - 0.001)
    assert guests.numbers.is_held(1, 10.0 + HELD_S - 0.001)
    assert not guests.numbers.is_held(1, 10.0 + HELD_S)
    assert [1, 4] == [guests.come(10.0 + HELD_S), guests.come(10.0 + HELD_S)]


def test_the_hour_begins_when_the_guest_leaves_for_the_last_time(guests):
    guests.come(0.0)
    guests.go(1, 0.0)
    guests.come_as(1)  # takes the seat back
    assert not guests.numbers.is_held(1, 1.0)
    guests.go(1, 100.0)
    assert 2 == guests.come(HELD_S + 50.0)
    assert 1 == guests.come(HELD_S + 100.0)


def test_the_number_of_a_guest_whose_seat_waits_is_not_given_after_the_hour(guests):
    guests.come(0.0)
    guests.go(1, 0.0)
    waiting = {1}
    assert 2 == guests.numbers.lowest_free(waiting.__contains__, HELD_S)
    guests.come_as(2)
    guests.come_as(1)
    assert 3 == guests.come(3 * HELD_S)
    guests.go(1, 3 * HELD_S)
    assert 1 == guests.come(4 * HELD_S)


def test_a_guest_with_a_random_number_does_not_make_the_others_higher(guests):
    guests.come_as(400_000)
    guests.go(400_000, 0.0)
    guests.come(0.0)
    guests.go(1, 1.0)
    assert [1, 2] == [guests.come(HELD_S + 1.0), guests.come(HELD_S + 1.0)]


def test_when_nobody_has_left_for_an_hour_guests_are_counted_from_1_again(guests):
    for _ in range(2 * HELD_MAX):
        guests.go(guests.come(0.0), 0.0)
    assert HELD_MAX == len(guests.numbers._left_at)
    assert 2 * HELD_MAX + 1 == guests.come(1.0)
    assert [1, 2] == [guests.come(HELD_S), guests.come(HELD_S)]


def test_no_number_is_given_twice_within_an_hour_however_many_guests_come_and_go(guests):
    """Eleven guests a second, each for a moment, are some 40,000 in an hour."""
    left_at: dict[int, float] = {}
    for count in range(60_000):
        now = count / 11
        number = guests.come(now)
        assert now - left_at.get(number, -HELD_S) >= HELD_S, number
        guests.go(number, now)
        left_at[number] = now
    numbers = guests.numbers
    assert len(numbers._left_at) <= HELD_MAX and len(numbers._free) <= HELD_MAX
