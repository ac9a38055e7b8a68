"""What a game whose people need not be there tells each of them, and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mudserver.tables import requests as r
from mudserver.tables.correspondence import ANSWER_MS, HOUR_MS
from mudserver.tables.notices import DAY_MS, TableNotice, notices_of
from mudserver.tables.parked import decode, encode, parked, with_time_given_back
from mudserver.tables.table import Table
from tests.mudserver.tables.driver import Driver
from tests.mudserver.tables.test_adjourned_games import adjourned
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP


def playing(move: str = "1d", variant: Any = MULTISTEP) -> Driver:
    driver = Driver({"move": move}, variant=variant).starts("b")
    assert driver.table.is_playing and driver.table.is_slow
    return driver


def found(table: Table, *events: str) -> list[tuple[str, str, int]]:
    return [(it.person, it.event, it.due_ms) for it in notices_of(table) if it.event in events]


def until(table: Table, event: str) -> list[int | None]:
    return [it.until_ms for it in notices_of(table) if it.event == event]


def test_a_move_is_told_at_once_and_again_when_half_and_a_tenth_of_the_time_is_left():
    driver = playing()
    opened_ms = driver.now_ms
    driver.passes(5)
    assert [
        ("a", "move", opened_ms),
        ("a", "half", opened_ms + 12 * HOUR_MS),
        ("a", "tenth", opened_ms + DAY_MS - DAY_MS // 10),
    ] == found(driver.table, "move", "half", "tenth")
    assert [opened_ms + DAY_MS] == until(driver.table, "half")


def test_the_next_move_is_another_event_and_the_answer_ends_this_one():
    driver = playing()
    (first,) = [it for it in notices_of(driver.table) if it.event == "move"]
    driver.plays("a", "step")
    driver.plays("a", "step")
    (second,) = [it for it in notices_of(driver.table) if it.event == "move"]
    assert ("a", "b") == (first.person, second.person) and first.about != second.about


def test_who_is_away_is_told_how_long_a_computer_player_waits():
    driver = playing("4h")
    while not driver.table.is_away("a"):
        driver.passes(3_600)
    while driver.table.question_of("a") is None:
        driver.passes(3_600)
    told = {it.event: it for it in notices_of(driver.table) if it.person == "a"}
    assert {"move"} == told.keys()
    assert told["move"].until_ms == told["move"].due_ms + HOUR_MS


def test_nobody_is_told_of_live_games_but_of_adjourned_ones_that_end():
    assert [] == notices_of(Driver(variant=MULTISTEP).starts("b").table)
    driver = adjourned("b")
    until_ms = driver.table.game.pause.until_ms
    assert [
        *[("a", "expires", until_ms - days * DAY_MS) for days in (7, 1)],
        *[("b", "expires", until_ms - days * DAY_MS) for days in (7, 1)],
    ] == found(driver.table, "move", "half", "tenth", "expires", "over")


def test_an_offer_is_told_until_it_is_answered():
    driver = playing()
    driver.does(r.Offer("b", "abort"))
    assert [("a", "offered", driver.now_ms)] == found(driver.table, "offered")
    driver.passes(10)
    driver.does(r.AnswerOffer("a", False))
    assert [] == found(driver.table, "offered")


def test_an_invitation_is_told_and_so_is_the_end():
    driver = Driver({"move": "1d"}, variant=MULTISTEP)
    driver.does(r.Invite("a", "c", "Cid"))
    assert [("c", "invited", driver.now_ms)] == found(driver.table, "invited")
    assert [driver.now_ms + ANSWER_MS] == until(driver.table, "invited")
    driver.starts("b")
    driver.does(r.Offer("a", "abort"))
    driver.now_ms += 3_000
    driver.does(r.AnswerOffer("b", True))
    ended_ms = driver.now_ms
    driver.passes(3_600)
    assert [("a", "over", ended_ms), ("b", "over", ended_ms)] == found(driver.table, "over", "move")


def test_the_same_is_due_after_a_restart():
    for driver in (playing(), adjourned("b")):
        assert notices_of(driver.table) == notices_of(driver.restarted()) != []


def test_a_parked_table_keeps_its_notices_and_gets_the_time_of_an_outage_back():
    driver = playing()
    for person in "ab":
        driver.does(r.StepOut(person))
    row = decode(encode(parked(driver.table, driver.now_ms)))
    assert notices_of(driver.table) == list(row.notices)
    alive_ms = driver.now_ms + 13 * HOUR_MS  # half has been told
    given, _ = with_time_given_back(row, alive_ms, alive_ms + HOUR_MS)
    due = {it.event: it for it in row.notices}
    move, half, tenth = given.notices
    assert (move.due_ms, half.due_ms) == (due["move"].due_ms, due["half"].due_ms)
    assert tenth == due["tenth"]._replace(
        due_ms=due["tenth"].due_ms + HOUR_MS, until_ms=due["tenth"].until_ms + HOUR_MS
    )


def of_bob(bids: bool, find: Callable[[Table], list[TableNotice]]) -> list[TableNotice]:
    """What is told to Bob in a sealed window.  Args: bids: Ann has answered."""
    driver = playing(variant=DUEL)
    driver.passes(5)
    if bids:
        driver.plays("a")
    return [it for it in find(driver.table) if it.person == "b"]


def test_a_notice_says_nothing_of_who_has_answered_in_secret():
    """[G-11] Twin worlds: in one of them Ann has bid."""
    assert of_bob(True, notices_of) == of_bob(False, notices_of) != []


def test_a_leak_that_is_planted_is_found():
    def leak(table: Table) -> list[TableNotice]:
        late_ms = len(table.game.unanswered_seats())
        return [it._replace(due_ms=it.due_ms + late_ms) for it in notices_of(table)]

    assert of_bob(True, leak) != of_bob(False, leak)


def test_a_seat_that_passes_by_itself_is_not_called():
    """[G-12]"""
    for is_on in (False, True):
        driver = Driver({"move": "1d"}, variant=MULTISTEP).sits("b")
        driver.does(r.SetAutopass("b", is_on))
        driver.all_start()
        driver.plays("a", "ask Bob")
        assert is_on is ([] == [it for it in notices_of(driver.table) if it.person == "b"])
