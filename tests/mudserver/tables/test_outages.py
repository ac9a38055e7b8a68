"""A live game waits for its people after the server was away for long."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mudserver.errors import UserError
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.notices import notices_of
from mudserver.tables.parked import may_park
from mudserver.tables.parking import QUIET_S
from mudserver.tables.pause_state import ALL_MS, OUTAGE_WAIT_MS
from tests.mudserver.tables.driver import Driver, kinds, seen
from tests.mudserver.tables.test_adjourned_games import adjourned
from tests.mudserver.tables.test_parking import copied
from tests.mudserver.tables.world import World, run
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP

HOUR_S, DAY_S = 3_600, 86_400
AWAY_S = 300  # `tables.adjourn_after_s`


def playing(*others: str, variant: Any = MULTISTEP, **options: str) -> Driver:
    return Driver(options, variant=variant).starts(*(others or ("b",)))


def outage(driver: Driver, seconds: float = HOUR_S) -> f.Record:
    """The server was away: everybody is offline."""
    alive_ms = driver.now_ms
    driver.now_ms += int(seconds * 1000)
    driver.table = driver.restarted()
    return driver.does(r.GiveBackTime("", alive_ms))


def asked(driver: Driver) -> list[str]:
    game = driver.table.game
    assert game is not None and game.window is not None
    return [game.seats[seat].person or "" for seat in game.window.seats]


def other(person: str) -> str:
    return "b" if person == "a" else "a"


def test_a_live_game_waits_for_whom_it_asks_after_a_long_outage_alone():
    assert [f.TimeGivenBack] == kinds(outage(playing(), AWAY_S - 1))
    driver = playing()
    driver.passes(10)
    left_ms = driver.table.deadline_ms - driver.now_ms
    record = outage(driver, AWAY_S)
    assert [f.TimeGivenBack, f.Paused] == kinds(record)
    [person] = asked(driver)
    seat = driver.table.seat_of(person)
    until_ms = driver.now_ms + OUTAGE_WAIT_MS
    assert f.Paused("outage", left_ms, until_ms, asked=(seat,)) == record.facts[1]
    table = driver.table
    assert table.is_adjourned and not table.binds(person) and table.deadline_ms is None


def test_it_goes_on_when_the_person_is_back_whoever_else_is():
    driver = playing()
    outage(driver)
    [person] = asked(driver)
    driver.does(r.Reconnect(other(person)))
    driver.passes(20 * HOUR_S)
    assert driver.table.is_adjourned and not driver.table.is_away(person)
    driver.does(r.Reconnect(person))
    driver.passes(ALL_MS / 1000)
    table = driver.table
    assert not table.is_adjourned and table.binds(person)
    assert table.deadline_ms - driver.now_ms >= table.game.open_ms() // 2
    driver.plays(person, "step")


def test_everybody_who_is_asked_later_is_waited_for_once():
    driver = playing()
    outage(driver)
    [person] = asked(driver)
    driver.does(r.Reconnect(person))
    driver.passes(ALL_MS / 1000)
    while [person] == asked(driver):
        record = driver.plays(person, "step")
    assert f.Paused is kinds(record)[-1] and driver.table.is_adjourned
    assert any("waits for" in text for text in driver.said(person))
    driver.passes(10 * HOUR_S)
    second = other(person)
    assert driver.table.is_adjourned and not driver.table.is_away(second)
    driver.does(r.Reconnect(second))
    driver.passes(ALL_MS / 1000)
    driver.does(r.Disconnect(second))
    while [second] == asked(driver) and not driver.table.is_adjourned:
        driver.now_ms += 1_000
        driver.plays(second, "step")  # who types is online again
    while [person] == asked(driver):
        driver.plays(person, "step")
    assert not driver.table.is_adjourned  # nobody waits a second time


def test_who_comes_and_goes_before_it_goes_on_is_waited_for():
    driver = playing()
    outage(driver)
    [person] = asked(driver)
    driver.does(r.Reconnect(person))
    driver.does(r.Disconnect(person))
    driver.passes(HOUR_S)
    assert driver.table.is_adjourned


def test_after_two_days_it_goes_on_and_who_is_not_there_is_away():
    driver = playing("b", "c")
    outage(driver)
    driver.passes(OUTAGE_WAIT_MS / 1000 - 1)
    assert driver.table.is_adjourned
    driver.passes(2)
    assert not driver.table.is_adjourned
    driver.passes(121)  # as if they had been offline since then
    assert all(driver.table.is_away(it) for it in "abc") and driver.table.is_playing


def test_a_short_restart_while_it_waits_changes_nothing_and_a_long_one_gives_the_time_back():
    driver = playing()
    outage(driver)
    until_ms, shown = driver.table.goes_on_ms, seen(driver.table, "a", "b")
    outage(driver, 10)
    assert until_ms == driver.table.goes_on_ms and shown == seen(driver.table, "a", "b")
    driver.passes(HOUR_S)
    outage(driver, 5 * HOUR_S)
    assert until_ms + 5 * HOUR_S * 1000 == driver.table.goes_on_ms
    [person] = asked(driver)
    driver.does(r.Reconnect(person))
    driver.passes(ALL_MS / 1000)
    while [person] == asked(driver):
        driver.plays(person, "step")
    assert driver.table.is_adjourned and driver.restarted().is_adjourned


def test_who_has_answered_a_sealed_window_is_waited_for_as_the_others():
    """[G-11]"""
    facts, texts = [], []
    for has_bid in (False, True):
        driver = playing(variant=DUEL)
        if has_bid:
            driver.plays("a")
        facts.append(outage(driver).facts)
        driver.does(r.Reconnect("b"))
        driver.passes(HOUR_S)
        assert driver.table.is_adjourned
        texts.append(driver.said("b"))
        driver.does(r.Reconnect("a"))
        driver.passes(ALL_MS / 1000)
        assert not driver.table.is_adjourned
    assert facts[0] == facts[1] and (0, 1) == facts[0][1].asked and texts[0] == texts[1]


def test_nobody_waits_for_who_has_left_or_was_away_before():
    driver = playing("b", "c")
    outage(driver)
    [person] = asked(driver)
    driver.does(r.Reconnect(person))
    driver.does(r.StepOut(person))
    driver.does(r.Leave(person))
    driver.passes(ALL_MS / 1000)
    assert not driver.table.is_adjourned
    driver = playing()
    [person] = asked(driver)
    driver.does(r.Disconnect(person))
    driver.passes(121)
    assert driver.table.is_away(person)
    assert f.Paused not in kinds(outage(driver))


def test_neither_guests_nor_matches_nor_games_by_correspondence_wait():
    guests = Driver(variant=MULTISTEP)
    guests.does(r.Sit("g", "Guest1", is_guest=True))
    guests.all_start()
    slow = Driver({"move": "1d"}, variant=MULTISTEP).starts("b")
    for driver in (guests, slow):
        assert f.Paused not in kinds(outage(driver))


def test_without_clocks_it_waits_as_well():
    driver = playing(clocks="off")
    outage(driver)
    [person] = asked(driver)
    driver.passes(HOUR_S)
    assert driver.table.is_adjourned and not driver.table.is_away(person)
    driver.does(r.Reconnect(person))
    driver.passes(ALL_MS / 1000)
    assert not driver.table.is_adjourned and driver.table.deadline_ms is None


def test_an_offer_ends_and_who_is_waited_for_is_told_that_it_is_the_persons_move():
    driver = playing()
    [person] = asked(driver)
    driver.does(r.Offer(other(person), "abort"))
    assert [f.TimeGivenBack, f.OfferEnded, f.Paused] == kinds(outage(driver))
    (notice,) = notices_of(driver.table)
    assert (person, "move", driver.now_ms) == (notice.person, notice.event, notice.due_ms)
    assert may_park(driver.table, driver.now_ms)


def test_a_clock_that_waited_for_somebody_has_its_time_when_the_game_goes_on():
    driver = Driver({"absence": "pause"}, variant=DUEL).starts("b")
    driver.passes(20)
    driver.does(r.Disconnect("b"))
    left_ms = driver.table.game.clock.left_ms
    assert left_ms == outage(driver).facts[1].left_ms == 40_000
    for person in "ab":
        driver.does(r.Reconnect(person))
    driver.passes(ALL_MS / 1000)
    assert driver.now_ms + left_ms == driver.table.deadline_ms


def test_resume_does_not_hurry_it():
    driver = playing()
    outage(driver)
    [person] = asked(driver)
    name = driver.table.person_name(person)
    driver.does(r.Reconnect(other(person)))
    with pytest.raises(UserError, match=f"The game waits for {name}, who must come back"):
        driver.does(r.GoOn(other(person)))


def test_a_journal_that_could_not_be_written_adjourns_nothing_of_who_is_here():
    driver = playing()
    alive_ms = driver.now_ms
    driver.now_ms += HOUR_S * 1000
    assert [f.TimeGivenBack] == kinds(driver.does(r.GiveBackTime("", alive_ms)))


def test_ready_in_the_room_of_an_adjourned_game_counts_as_resume():
    driver = adjourned("b")
    driver.does(r.Start("a"))
    assert any(
        "resume 7" in text for text in [m.text for m in driver.to("b") if "resume" in m.text]
    )
    driver.does(r.Start("b"))
    driver.passes(ALL_MS / 1000)
    assert not driver.table.is_adjourned


def test_it_is_parked_listed_and_goes_on_when_the_person_goes_there():
    async def scenario() -> None:
        before = World(variant=MULTISTEP)
        table = await before.started("a", "b")
        [person] = [p for p in "ab" if table.question_of(p)]
        disk = copied(before.journal.disk)
        disk.alive_ms = before.clock.now_ms()
        world = World(disk, variant=MULTISTEP, wall_ms=before.clock.now_ms() + HOUR_S * 1000)
        await world.settles()
        assert world.table(1).is_adjourned
        await asyncio.sleep(QUIET_S + 1)
        assert 1 in world.tables.parking
        world.person(person)
        (game,) = world.tables.lists.slow_games(person)
        assert (1, ("you",)) == (game.number, game.adjourned_for)
        assert world.tables.table_of(person) is None
        await world.tables.fetch(1)
        world.tables.go(person, 1)
        await asyncio.sleep(ALL_MS / 1000 + 1)
        assert not world.table(1).is_adjourned and 1 == world.tables.table_of(person)
        await asyncio.sleep(1)
        world.plays(person, "step")
        await world.settles()
        assert [] == world.refusals(person)

    run(scenario())
