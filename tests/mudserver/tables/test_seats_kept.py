"""A seat is kept for somebody who is on the way from another server, for a short time."""

from __future__ import annotations

import pytest

from mudserver.errors import UserError
from mudserver.tables import requests as r
from tests.mudserver.tables.driver import Driver
from tests.toys.multistep.game import MULTISTEP

ON_THE_WAY = "Somebody is on the way to table 7."


def opened(seats: int, *, slow: bool = False) -> Driver:
    driver = Driver(variant=MULTISTEP)
    options = {"seats": str(seats)} | ({"move": "1d"} if slow else {})
    driver.table, driver.bodies = driver.restarted(0), []
    driver.does(r.Open("a", "Ann", options, taken=r.TakenSeek("b")))
    return driver


def refused(driver: Driver, request: r.Request) -> None:
    with pytest.raises(UserError, match=ON_THE_WAY):
        driver.does(request)


@pytest.mark.parametrize("slow", [False, True])
def test_the_last_seat_is_taken_by_nobody_else_until_then(slow):
    driver = opened(2, slow=slow)
    refused(driver, r.Sit("c", "Cid"))
    refused(driver, r.AddBot("a"))
    driver.sits("b")
    assert driver.table.seated == ["a", "b"] and not driver.table.keeps_seat(driver.now_ms)
    with pytest.raises(UserError, match="Table 7 is full"):
        driver.sits("c")


def test_others_take_the_seats_that_are_free_besides():
    driver = opened(3)
    driver.sits("c")
    refused(driver, r.Sit("d", "Dee"))
    refused(driver, r.Configure("a", {"seats": "2"}))
    driver.sits("b")


def test_the_game_does_not_start_without_who_is_on_the_way():
    driver = opened(3)
    driver.does(r.AddBot("a"))
    refused(driver, r.Start("a"))


def test_it_is_kept_no_longer():
    driver = opened(2)
    driver.now_ms += 9_999
    refused(driver, r.Sit("c", "Cid"))
    driver.now_ms += 1
    driver.sits("c")


def test_after_a_restart_there_is_as_much_time_again():
    driver = opened(2)
    driver.now_ms += 60_000
    driver.table = driver.restarted()
    refused(driver, r.Sit("c", "Cid"))
    driver.sits("b")
    assert not driver.restarted().keeps_seat(driver.now_ms)


def test_but_not_for_who_had_not_come_in_time_before_it():
    driver = opened(2)
    driver.now_ms += 10_000
    driver.does(r.Configure("a", {"clocks": "off"}))
    driver.table = driver.restarted()
    driver.sits("c")
