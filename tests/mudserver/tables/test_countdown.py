"""Tables that `play` opens start by themselves, with whoever is there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mudserver.errors import UserError
from mudserver.messages import Announcement, Notice
from mudserver.tables import requests as r
from mudserver.tables.commit import commit
from mudserver.tables.decide import decide
from mudserver.tables.table import Table
from tests.mudserver.tables.driver import NAMES, SEED, Driver
from tests.toys.multistep.game import MULTISTEP

ENDED = "The table does not start by itself any more. It starts when everybody is ready."


def play_table(**options: str) -> Driver:
    driver = Driver(variant=MULTISTEP)
    driver.table, driver.bodies = Table(7, MULTISTEP, driver.settings), []
    driver.does(r.Open("a", "Ann", {"fill": "easy", **options}, is_play=True))
    return driver


def names(driver: Driver) -> list[str]:
    return [o.name for o in driver.table.seats]


def said(driver: Driver, who: str) -> list[str]:
    kinds = Announcement | Notice
    return [m.text for to, m in driver.deliveries if to == who and isinstance(m, kinds)]


def test_one_person_alone_plays_with_computer_players_after_twenty_seconds():
    driver = play_table()
    assert (
        "You have table 7 to yourself. It starts in 20 s with Milo, Wanda and Pip (computer). "
        "Type start to begin now."
    ) in said(driver, "a")
    driver.passes(19.9)
    assert not driver.table.is_playing
    driver.passes(0.1)
    assert driver.table.is_playing
    assert ["Ann", "Milo", "Wanda", "Pip"] == names(driver)
    assert ["easy"] * 3 == [o.level for o in driver.table.seats[1:]]


def test_start_begins_at_once():
    driver = play_table()
    driver.does(r.Start("a", SEED))
    assert driver.table.is_playing and len(names(driver)) == 4


def test_who_sits_down_reads_when_it_starts_and_consents_by_staying():
    driver = play_table()
    driver.passes(15)
    driver.sits("b")
    assert (
        "You sit at table 7. It starts in 20 s, with computer players in the free seats. "
        "start begins now, leave goes back."
    ) in said(driver, "b")
    assert "The game starts in 20 s." in said(driver, "a")
    driver.passes(19.9)
    assert not driver.table.is_playing
    driver.passes(0.1)
    assert ["Ann", "Bob", "Milo", "Wanda"] == names(driver)
    assert not any("Type ready again" in text for text in said(driver, "a"))


def test_all_who_are_ready_wait_no_longer():
    driver = play_table().sits("b")
    driver.does(r.Start("b", SEED))
    assert not driver.table.is_playing
    driver.does(r.Start("a", SEED))
    assert driver.table.is_playing


def test_it_takes_a_minute_at_most_but_never_less_than_five_seconds_to_read():
    driver = play_table(seats="4")
    for person in "bc":
        driver.passes(19)
        driver.sits(person)
    driver.passes(19)  # 57 s
    driver.sits("d")
    driver.passes(4.9)
    assert not driver.table.is_playing
    driver.passes(0.1)
    assert driver.table.is_playing


def test_who_is_offline_then_loses_the_seat():
    driver = play_table().sits("b")
    driver.does(r.Disconnect("a"))
    driver.passes(20)
    assert ["Bob", "Milo", "Wanda", "Pip"] == names(driver)
    assert driver.table.owner == "b"


def test_other_options_end_the_countdown_for_good():
    driver = play_table().sits("b")
    driver.does(r.Configure("a", {"pace": "brisk"}))
    assert ENDED in driver.said("b")
    driver.passes(60)
    driver.sits("c")
    driver.passes(60)
    assert driver.table.phase == "waiting"
    assert driver.restarted().starts_ms is None


def test_after_a_restart_it_begins_again_in_full():
    driver = play_table()
    driver.passes(15)
    driver.table = driver.restarted()
    assert driver.table.starts_ms == driver.now_ms + 20_000
    driver.does(r.Reconnect("a"))
    driver.passes(20)
    assert driver.table.is_playing


def test_without_anybody_connected_nothing_starts():
    driver = play_table()
    driver.does(r.Disconnect("a"))
    driver.passes(30)
    assert driver.table.game is None and names(driver) == []


def test_a_start_that_cannot_be_is_said_and_not_tried_again_and_again():
    driver = play_table()
    driver.now_ms += 20_000
    record = decide(driver.table, r.Tick("", b"", "The server is full."), driver.now_ms)
    driver.deliveries = commit(driver.table, record)
    assert "The server is full." in said(driver, "a")
    driver.passes(100)
    assert driver.table.phase == "waiting"


@pytest.mark.parametrize("may_search", [True, False])
def test_a_level_that_searches_fills_seats_only_while_it_may(may_search):
    driver = Driver(variant=replace(MULTISTEP, searching=frozenset({"hard"})))
    driver.table, driver.bodies = Table(7, driver.variant, driver.settings), []
    driver.table.may_search = may_search
    driver.does(r.Open("a", "Ann", {"fill": "hard"}, is_play=True))
    driver.passes(20)
    assert {"hard" if may_search else "medium"} == {o.level for o in driver.table.seats[1:]}


@pytest.mark.parametrize("fill", ["off", "easy", "medium"])
def test_computer_players_have_the_level_of_the_option(fill):
    driver = play_table(fill=fill)
    driver.passes(20)
    if fill == "off":
        assert driver.table.phase == "waiting"
    else:
        assert {fill} == {o.level for o in driver.table.seats[1:]}


def test_only_tables_of_play_start_by_themselves_and_only_the_first_time():
    assert Driver(variant=MULTISTEP).sits("b").table.starts_ms is None
    driver = play_table().sits("b")
    driver.passes(20)
    driver.does(r.Leave("b"))
    assert driver.table.starts_ms is None
    assert NAMES["a"] in names(driver)


WAITS = (
    "You wait at table 7 for somebody else with an account: its game is rated. leave goes back, "
    "play multistep starts a game with computer players."
)


def rated_table(**options: str) -> Driver:
    return play_table(rated="on", who="accounts", **options)


def test_a_rated_table_waits_for_a_second_person_as_long_as_it_takes():
    driver = rated_table()
    assert WAITS in said(driver, "a")
    driver.passes(599)
    assert not driver.table.is_playing and not driver.table.is_closed
    driver.passes(1)
    told = "Nobody has come yet. Still waiting; play multistep starts one with computer players."
    assert told in said(driver, "a")
    driver.deliveries = []
    driver.passes(3_600)
    assert not said(driver, "a") and not driver.table.is_closed
    driver.sits("b")
    assert "The game starts in 20 s." in said(driver, "a")
    driver.passes(19.9)
    assert not driver.table.is_playing
    driver.passes(0.1)
    assert driver.table.is_playing


def test_nobody_starts_a_rated_table_alone():
    driver = rated_table()
    with pytest.raises(UserError, match="You wait at table 7"):
        decide(driver.table, r.Start("a", SEED), driver.now_ms)
    driver.sits("b").does(r.Stand("b"))
    driver.passes(60)
    assert driver.table.phase == "waiting"


def test_only_computer_players_that_are_measured_fill_a_rated_table():
    assert ["Ann", "Bob"] == names_at_start({})
    assert ["Ann", "Bob", "Milo", "Wanda"] == names_at_start({"easy": 20.0})


def names_at_start(anchors: dict[str, float]) -> list[str]:
    driver = Driver(variant=replace(MULTISTEP, anchors=anchors))
    driver.table, driver.bodies = Table(7, driver.table.variant, driver.settings), []
    typed = {"fill": "easy", "rated": "on"}
    driver.does(r.Open("a", "Ann", typed, is_play=True))
    driver.sits("b").passes(20)
    assert driver.table.is_playing
    return names(driver)
