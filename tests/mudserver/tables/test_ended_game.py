"""What is told of a game that ends: who played it, and what became of each seat."""

from __future__ import annotations

from typing import Any

import pytest

from mudserver.tables import requests as r
from mudserver.tables.decide import decide
from mudserver.tables.ended_game import ended_game
from mudserver.tables.records import Aborted, Closed, Ended, Record
from mudserver.tables.summary import EndedGame
from tests.mudserver.tables.driver import Driver
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP


def ends(driver: Driver, *facts: object) -> Any:
    """What follows from a record of these facts, written now."""
    record = Record(driver.table.sequence + 1, 77, facts)  # type: ignore[arg-type]
    return ended_game(driver.table, record)


def finish(driver: Driver, *places: int) -> EndedGame:
    ended = ends(driver, Ended(places, (None,) * len(places), "so it is"))
    assert isinstance(ended, EndedGame)
    return ended


def of_two(**options: str) -> Driver:
    return Driver({"seats": "2", **options}, variant=MULTISTEP).starts("b")


def fates(ended: EndedGame) -> list[tuple[str, str]]:
    return [(seat.person, seat.fate) for seat in ended.seats]


def test_a_finished_game_is_told_with_its_seats_and_options():
    driver = of_two()
    first = driver.table.sequence
    ended = finish(driver, 1, 2)
    assert ("7.1", "multistep", 77, "finished", "so it is") == (
        *(ended.id, ended.variant, ended.ended_ms, ended.end, ended.reason),
    )
    assert (first, first + 1) == (ended.first, ended.last)
    assert {"a", "b"} == {seat.person for seat in ended.seats}
    assert [1, 2] == [seat.place for seat in ended.seats]
    assert "seats=2" in ended.options.split() and "who=" not in ended.options
    assert not ended.is_private and not ended.has_decision


def test_who_left_the_seat_has_left_and_who_came_back_has_not():
    driver = Driver({"seats": "3"}, variant=MULTISTEP).starts("b", "c")
    driver.does(r.Leave("b"))
    assert {("a", "stayed"), ("b", "left"), ("c", "stayed")} == set(fates(finish(driver, 1, 2, 3)))
    driver.does(r.Sit("b", "Bob"))
    assert {"stayed"} == {fate for _, fate in fates(finish(driver, 1, 2, 3))}


def test_who_leaves_with_the_record_that_ends_the_game_has_left():
    driver = of_two()
    leaving = decide(driver.table, r.Leave("b"), driver.now_ms).facts[0]
    assert ("b", "left") in fates(ends(driver, leaving, Ended((1, 2), (None, None), "x")))


def test_an_abandoned_game_of_two_was_left_by_both_and_that_of_one_by_nobody():
    driver = of_two()
    driver.does(r.Leave("b"))
    record = decide(driver.table, r.Leave("a"), driver.now_ms)
    ended = ended_game(driver.table, record)
    assert ended is not None and "abandoned" == ended.end
    assert {("a", "left"), ("b", "left")} == set(fates(ended))
    assert {None} == {seat.place for seat in ended.seats}
    alone = Driver({"seats": "2"}, variant=MULTISTEP)
    alone.does(r.AddBot("a", "easy"))
    alone.all_start()
    ended = ended_game(alone.table, decide(alone.table, r.Leave("a"), alone.now_ms))
    assert ended is not None and ("a", "stayed") in fates(ended)


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (Aborted("consent"), "by agreement"),
        (Closed("full"), "the table was full"),
        (Closed("moderator"), "closed by the staff"),
    ],
)
def test_a_game_without_a_result_is_aborted(fact, reason):
    ended = ends(of_two(), fact)
    assert ("aborted", reason) == (ended.end, ended.reason)


@pytest.mark.parametrize("fact", [Closed("fault"), Closed("empty"), Closed("alone")])
def test_after_a_bug_and_without_a_game_nothing_is_told(fact):
    assert ends(of_two(), fact) is None


def test_computer_players_have_names_and_levels_and_people_have_none():
    driver = Driver({"seats": "3"}, variant=MULTISTEP)
    driver.does(r.Sit("g", "guest1", True))
    driver.does(r.AddBot("a", "easy"))
    driver.all_start()
    seats = {seat.person: seat for seat in finish(driver, 1, 2, 3).seats}
    assert ("", "") == (seats["a"].name, seats["a"].level) and seats["g"].is_guest
    assert "easy" == seats[""].level and seats[""].name not in ("", "Ann", "guest1")


def test_the_id_is_that_of_who_has_registered_since():
    driver = Driver({"seats": "2"}, variant=MULTISTEP)
    driver.does(r.Sit("g", "guest1", True))
    driver.all_start()
    driver.does(r.ReplacePerson("g", "p9", "Gil"))
    [seat] = [seat for seat in finish(driver, 1, 2).seats if seat.person != "a"]
    assert ("p9", False) == (seat.person, seat.is_guest)


def test_only_what_a_person_decides_is_a_decision():
    driver = Driver({"seats": "2", "rounds": "3"}, variant=DUEL).starts("b")
    driver.now_ms += 61_000
    driver.does(r.Tick(""))  # the clock has bid for both
    assert not finish(driver, 1, 2).has_decision
    driver.plays("a")
    assert finish(driver, 1, 2).has_decision
