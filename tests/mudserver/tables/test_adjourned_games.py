"""A game is adjourned by the agreement of all, and goes on another day when all want it."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.errors import UserError
from mudserver.messages import Notice, RingingAnnouncement
from mudserver.source_budgets import Kind
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import wake_ms
from mudserver.tables.ended_game import ended_game
from mudserver.tables.parked import (
    decode,
    encode,
    may_park,
    parked,
    slow_game,
    with_time_given_back,
)
from mudserver.tables.parking import QUIET_S
from mudserver.tables.pause_state import ADJOURN_MS, ALL_MS, TOGETHER_MS
from tests.mudserver.tables.driver import Driver, kinds, seen
from tests.mudserver.tables.world import World, run
from tests.toys.multistep.game import MULTISTEP

DAY_S = 86_400


def adjourned(*others: str, after_s: float = 0) -> Driver:
    driver = Driver(variant=MULTISTEP).starts(*others)
    driver.passes(after_s)
    driver.does(r.Offer("a", "adjourn"))
    driver.now_ms += 3_000
    for person in others:
        driver.does(r.AnswerOffer(person, True))
    assert driver.table.is_adjourned
    return driver


def all_resume(driver: Driver, *people: str) -> None:
    for person in people:
        driver.does(r.GoOn(person))


def test_an_adjourned_game_is_kept_and_nobody_has_to_be_there():
    driver = adjourned("b")
    assert any("adjourned, for 30 days at most" in text for text in driver.said("b"))
    for person in "ab":
        driver.does(r.Disconnect(person))
    driver.passes(5 * DAY_S)
    table = driver.table
    assert table.is_playing and not table.is_away("a") and table.deadline_ms is None
    assert not table.binds("a") and [] == table.people_in_room()
    assert may_park(table, driver.now_ms)
    assert seen(table, "a", "b") == seen(driver.restarted(), "a", "b")
    with pytest.raises(UserError, match="The game is paused"):
        driver.plays("a", "step")


def test_it_goes_on_with_the_time_that_was_left_but_at_least_half():
    for after_s in (5, 28):
        driver = adjourned("b", after_s=after_s)
        full_ms = driver.table.game.full_ms(driver.table.game.window)
        left_ms = driver.table.game.clock.left_ms
        driver.passes(3 * DAY_S)
        all_resume(driver, "a", "b")
        assert driver.table.is_adjourned
        driver.passes(ALL_MS / 1000)
        assert not driver.table.is_adjourned and not driver.table.is_slow
        assert driver.now_ms + max(left_ms, full_ms // 2) == driver.table.deadline_ms
        driver.plays("a", "step")


def test_it_waits_until_everybody_who_adjourned_it_wants_it_within_ten_minutes():
    driver = adjourned("b", "c")
    driver.does(r.GoOn("a"))
    assert any("Type resume 7" in m.text for m in driver.to("c", RingingAnnouncement))
    driver.does(r.GoOn("b"))
    assert any("Waiting for Ann, Cid" in m.text or "Waiting for Cid" in m.text
               for m in driver.to("b", Notice))  # fmt: skip
    driver.passes(TOGETHER_MS / 1000)
    driver.does(r.GoOn("c"))
    driver.passes(60)
    assert driver.table.is_adjourned  # the others wanted it too long ago
    all_resume(driver, "a", "b")
    driver.does(r.StepOut("b"))
    driver.passes(60)
    assert driver.table.is_adjourned  # one of them has gone
    driver.does(r.GoOn("b"))
    driver.passes(ALL_MS / 1000)
    assert not driver.table.is_adjourned


def test_who_wanted_it_too_long_ago_does_not_want_it_any_more_and_may_again():
    driver = adjourned("b")
    driver.does(r.GoOn("a"))
    with pytest.raises(UserError, match=r"You have typed resume already\. Waiting for Bob\."):
        driver.does(r.GoOn("a"))
    assert driver.now_ms + TOGETHER_MS == wake_ms(driver.table)
    driver.passes(TOGETHER_MS / 1000)
    assert ["Not everybody has come within 10 min. To ask again: resume"] == [
        m.text for m in driver.to("a", Notice)
    ]
    driver.does(r.GoOn("b"))
    assert "The game goes on in 10 s." not in driver.said("a")
    driver.does(r.GoOn("a"))
    assert "The game goes on in 10 s." in driver.said("b")


def test_it_goes_on_though_the_first_wanted_it_ten_minutes_ago_by_now():
    driver = adjourned("b")
    driver.does(r.GoOn("a"))
    driver.passes(TOGETHER_MS / 1000 - 5)
    driver.does(r.GoOn("b"))
    driver.passes(6)
    assert driver.table.is_adjourned
    driver.passes(4)
    assert not driver.table.is_adjourned


def test_an_offer_made_meanwhile_ends_when_it_goes_on():
    driver = adjourned("b")
    driver.passes(60)
    driver.does(r.Offer("a", "draw" if MULTISTEP.may_draw else "abort"))
    all_resume(driver, "a", "b")
    driver.passes(ALL_MS / 1000)
    assert not driver.table.is_adjourned and driver.table.game.offer is None


def test_who_is_elsewhere_is_told_that_the_others_want_to_go_on():
    driver = adjourned("b", "c")
    for person in "bc":
        driver.does(r.StepOut(person))
    driver.does(r.GoOn("a"))
    (call,) = driver.to("c", RingingAnnouncement)
    assert "Ann wants to go on with the game at table 7. Type resume 7" == call.text
    driver.does(r.Reconnect("b"))
    driver.does(r.GoOn("b"))
    assert ["Bob wants to go on with the game at table 7. Type resume 7"] == [
        m.text for m in driver.to("c", RingingAnnouncement)
    ]
    assert "Bob wants to go on, too." in driver.said("a")
    assert [] == driver.to("a", RingingAnnouncement)


def test_who_comes_and_goes_calls_the_others_once_a_minute():
    driver = adjourned("b")
    driver.does(r.StepOut("b"))
    calls = []
    for _ in range(7):
        driver.does(r.GoOn("a"))
        calls.append(len(driver.to("b", RingingAnnouncement)))
        driver.does(r.StepOut("a"))
        driver.does(r.Reconnect("a"))
        driver.passes(10)
    assert [1, 0, 0, 0, 0, 0, 1] == calls


def test_who_leaves_an_adjourned_game_is_not_waited_for():
    driver = adjourned("b", "c")
    driver.does(r.Leave("c"))
    all_resume(driver, "a", "b")
    driver.passes(ALL_MS / 1000)
    assert not driver.table.is_adjourned


def test_where_all_who_adjourned_it_have_left_it_waits_for_the_others():
    driver = Driver(variant=MULTISTEP).starts("b", "c")
    driver.does(r.Disconnect("c"))
    driver.passes(121)
    driver.does(r.Offer("a", "adjourn"))  # nobody asks who is away
    driver.now_ms += 3_000
    driver.does(r.AnswerOffer("b", True))
    assert {"a", "b"} == {*driver.table.waited_for()}
    for person in "ab":
        driver.does(r.Leave(person))
    assert ["c"] == driver.table.waited_for()
    assert ("you",) == slow_game(driver.table, "c").adjourned_for
    driver.does(r.Reconnect("c"))
    driver.does(r.GoOn("c"))
    driver.passes(ALL_MS / 1000)
    assert not driver.table.is_adjourned and driver.table.is_playing


def test_it_ends_without_a_result_after_thirty_days():
    driver = adjourned("b")
    (record,) = driver.passes(ADJOURN_MS / 1000)
    assert f.Aborted("expired") == record.facts[0]
    assert not driver.restarted().is_playing


def test_its_end_is_recorded_as_aborted():
    driver = adjourned("b")
    record = f.Record(driver.table.sequence + 1, driver.now_ms, (f.Aborted("expired"),))
    assert "aborted" == ended_game(driver.table, record).end


def test_who_may_not_adjourn_reads_why():
    driver = Driver(variant=MULTISTEP).sits("b")
    driver.does(r.Sit("g", "Guest1", is_guest=True))
    driver.all_start()
    with pytest.raises(UserError, match="A guest plays here"):
        driver.does(r.Offer("a", "adjourn"))
    with pytest.raises(UserError, match=r"Guests can't adjourn\. register NAME"):
        driver.does(r.Offer("g", "adjourn"))
    slow = Driver({"move": "1d"}, variant=MULTISTEP).starts("b")
    with pytest.raises(UserError, match="there is no pause"):
        slow.does(r.Offer("a", "adjourn"))
    with pytest.raises(UserError, match="adjourned already"):
        adjourned("b").does(r.Offer("a", "adjourn"))


def test_an_outage_is_given_back_parked_or_not():
    driver = adjourned("b")
    for person in "ab":
        driver.does(r.StepOut(person))
    row, alive_ms = parked(driver.table, driver.now_ms), driver.now_ms
    driver.now_ms += 3 * DAY_S * 1000
    given, record = with_time_given_back(row, alive_ms, driver.now_ms)
    assert driver.does(r.GiveBackTime("", alive_ms)) == record
    assert kinds(record) == [f.TimeGivenBack]
    assert parked(driver.table, driver.now_ms) == given == decode(encode(given))


def test_who_went_elsewhere_and_is_not_back_when_it_goes_on_loses_the_seat_after_the_game():
    driver = Driver(variant=MULTISTEP).starts("b", "c")
    driver.does(r.Disconnect("c"))
    driver.passes(121)
    driver.does(r.Offer("a", "adjourn"))  # nobody asks who is away
    driver.now_ms += 3_000
    driver.does(r.AnswerOffer("b", True))
    driver.does(r.Reconnect("c"))
    driver.does(r.StepOut("c"))
    all_resume(driver, "a", "b")
    driver.passes(ALL_MS / 1000)
    assert not driver.table.is_slow and driver.table.seat_of("c") is not None
    assert "c" in driver.table.offline_since_ms


def test_who_was_offline_when_it_was_adjourned_keeps_the_seat_elsewhere_too():
    async def scenario() -> None:
        world = World(variant=MULTISTEP, empty_s=1_000_000.0)
        await world.started("a", "b", "c")
        world.tables.on_disconnect("c")
        await asyncio.sleep(121)
        world.tables.submit(1, r.Offer("a", "adjourn"))
        await asyncio.sleep(3)
        world.tables.submit(1, r.AnswerOffer("b", True))
        await world.settles()
        assert world.table(1).is_adjourned
        for person in "ab":
            world.tables.submit(1, r.StepOut(person))
        await asyncio.sleep(QUIET_S + 1)
        assert 1 in world.tables.parking
        await world.opened("c")
        assert 2 == world.tables.table_of("c")
        assert [1] == [it.number for it in world.tables.lists.slow_games("c")]
        await world.tables.fetch(1)
        await world.settles()
        assert 2 == world.tables.table_of("c") and 1 in world.tables.places.all_of("c")

    run(scenario())


def test_an_adjourned_game_holds_no_place_of_a_live_one():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        kinds = (Kind.TABLES, Kind.CORRESPONDENCE)
        await world.started("a", "b")
        held = [[world.budgets.held(kind) for kind in kinds]]
        world.tables.submit(1, r.Offer("a", "adjourn"))
        await asyncio.sleep(3)
        world.tables.submit(1, r.AnswerOffer("b", True))
        await world.settles()
        held.append([world.budgets.held(kind) for kind in kinds])
        for person in "ab":
            world.tables.submit(1, r.GoOn(person))
        await asyncio.sleep(ALL_MS / 1000 + 1)
        held.append([world.budgets.held(kind) for kind in kinds])
        assert [[1, 0], [0, 1], [1, 0]] == held

    run(scenario())


def test_its_people_play_elsewhere_and_come_back_to_it():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        await world.started("a", "b")
        world.tables.submit(1, r.Offer("a", "adjourn"))
        await world.settles()
        world.clock._offset_ms += 3_000
        world.tables.submit(1, r.AnswerOffer("b", True))
        await world.settles()
        assert world.table(1).is_adjourned
        await world.started("a", "b")
        assert 2 == world.tables.table_of("a") == world.tables.table_of("b")
        (game,) = world.tables.lists.slow_games("a")
        assert (1, ("you", "B")) == (game.number, game.adjourned_for)
        for person in "ab":
            world.tables.submit(2, r.Leave(person))
        await world.settles()
        for person in "ab":
            world.tables.go(person, 1)
            world.tables.submit(1, r.GoOn(person))
        await world.settles()
        assert 1 == world.tables.table_of("a")

    run(scenario())
