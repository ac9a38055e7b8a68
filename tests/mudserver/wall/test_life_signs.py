"""A game server that says nothing is noticed once, and so is its next sign."""

from mudserver.wall.life_signs import LifeSigns
from tests.mudserver.transport.server import HandClock


def signs() -> tuple[HandClock, list[str], LifeSigns]:
    clock, seen = HandClock(), []
    made = LifeSigns(clock, 3, lambda: seen.append("silent"), lambda: seen.append("back"))
    made.start()
    return clock, seen, made


def test_silence_is_noticed_once():
    clock, seen, _ = signs()
    clock.move(2.9)
    assert [] == seen
    clock.move(1.2)
    assert ["silent"] == seen
    clock.move(100)
    assert ["silent"] == seen


def test_a_sign_in_each_third_of_the_time_is_life():
    clock, seen, made = signs()
    for _ in range(100):
        clock.move(1)
        made.note()
    assert [] == seen


def test_the_next_sign_is_noticed_once_and_silence_again():
    clock, seen, made = signs()
    clock.move(5)
    made.note()
    made.note()
    clock.move(5)
    assert ["silent", "back", "silent"] == seen


def test_without_a_wall_nothing_is_noticed():
    clock, seen, made = signs()
    made.stop()
    clock.move(100)
    made.start()
    clock.move(2.9)
    assert [] == seen
