"""What accounts remember of a game that ends."""

from __future__ import annotations

from typing import Any

from mudserver.tables import requests as r
from mudserver.tables.decide import decide
from mudserver.tables.finished_game import finished_game
from mudserver.tables.records import Ended, Record
from mudserver.tables.summary import FinishedGame
from tests.mudserver.tables.driver import Driver
from tests.toys.multistep.game import MULTISTEP


def kept(driver: Driver, places: tuple[int, ...] = (), *facts: object) -> Any:
    """What follows from a record that ends the game now."""
    game = driver.table.game
    assert game is not None
    places = places or tuple(range(1, len(game.seats) + 1))
    ended = Ended(places, (None,) * len(places), "so it is")
    record = Record(driver.table.sequence + 1, 77, (*facts, ended))  # type: ignore[arg-type]
    return finished_game(driver.table, record)


def with_bots(*levels: str, others: tuple[str, ...] = ()) -> Driver:
    driver = Driver({"seats": str(1 + len(levels) + len(others))}, variant=MULTISTEP)
    driver.sits(*others)
    for level in levels:
        driver.does(r.AddBot("a", level))
    driver.all_start()
    return driver


def test_an_account_keeps_game_level_place_and_seats():
    levels = tuple(MULTISTEP.bots)
    assert FinishedGame("multistep", levels, 7, 1, "easy", 3, 77, {"a": 2}) == kept(
        with_bots("easy", "easy"), (2, 1, 3)
    )


def test_computer_players_of_two_levels_or_none_are_no_level():
    assert "" == kept(with_bots("easy", "hard")).level
    assert "" == kept(with_bots(others=("b",))).level


def test_everybody_at_a_shared_place_has_it():
    assert {"a": 1, "b": 1} == kept(with_bots("easy", others=("b",)), (1, 1, 3)).places


def test_guests_keep_nothing():
    driver = Driver({"seats": "2"}, variant=MULTISTEP)
    driver.does(r.Sit("g", "guest1", True))
    driver.all_start()
    assert ["a"] == [*kept(driver).places]


def test_who_left_the_seat_to_a_computer_player_keeps_nothing():
    driver = with_bots("easy", others=("b",))
    driver.does(r.Leave("b"))
    assert ("", ["a"]) == (kept(driver).level, [*kept(driver).places])


def test_who_leaves_with_the_record_that_ends_the_game_keeps_nothing():
    driver = with_bots(others=("b",))
    leaving = decide(driver.table, r.Leave("b"), driver.now_ms).facts[0]
    assert ["a"] == [*kept(driver, (), leaving).places]


def test_who_was_eliminated_and_went_away_keeps_the_place():
    driver = with_bots("easy", others=("b",))
    game = driver.table.game
    assert game is not None and game.window is not None
    [first] = game.window.seats
    person = game.seats[first].person
    assert person in ("a", "b")
    driver.plays(person, "fall")
    driver.does(r.Leave(person))
    assert {"a", "b"} == kept(driver).places.keys()


def test_a_record_that_ends_no_game_and_a_game_that_is_over_leave_nothing():
    driver = with_bots(others=("b",))
    assert finished_game(driver.table, Record(9, 77, ())) is None
    game = driver.table.game
    assert game is not None
    game.result = Ended((1, 2), (None, None), "over")
    assert kept(driver, (1, 2)) is None
