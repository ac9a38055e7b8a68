"""A game is paused by the agreement of all who play, and goes on when they want it."""

from __future__ import annotations

import pytest

from mudserver.errors import UserError
from mudserver.messages import Announcement, Notice, RingingAnnouncement, ViewMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import decide
from tests.mudserver.tables.driver import Driver, kinds, seen
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP

HOUR_S = 3_600


def playing(*others: str, bots: int = 0, **options: str) -> Driver:
    driver = Driver(options, variant=MULTISTEP).sits(*others)
    for _ in range(bots):
        driver.does(r.AddBot("a"))
    driver.all_start()
    return driver


def paused(*others: str, after_s: float = 0, **options: str) -> Driver:
    """Ann is asked to play; so long after the question the others agree to a pause."""
    driver = playing(*others, **options)
    driver.passes(after_s)
    driver.does(r.Offer("a", "pause"))
    driver.now_ms += 3_000
    for person in others:
        driver.does(r.AnswerOffer(person, True))
    assert driver.table.game.pause is not None
    return driver


def is_paused(driver: Driver) -> bool:
    return driver.table.game.pause is not None


def test_a_pause_stops_the_clock_and_takes_no_move():
    driver = playing("b")
    window_s = driver.table.game.full_ms(driver.table.game.window) / 1000
    driver.does(r.Offer("a", "pause"))
    assert (
        "Ann offers a pause of at most 60 min. Type accept or decline within 60 s."
        in driver.said("b")
    )
    driver.passes(10)
    record = driver.does(r.AnswerOffer("b", True))
    assert kinds(record) == [f.Agreed, f.Paused]
    assert "The game is paused for at most 60 min. Type resume to go on." in driver.said("a")
    (view,) = driver.to("a", ViewMessage)
    assert view.is_paused and view.asked == () and view.deadline_ms is None
    with pytest.raises(UserError, match=r"The game is paused\. Type resume to go on\."):
        driver.plays("a", "step")
    driver.passes(30 * 60)
    assert driver.table.is_playing and driver.table.game.seats[0].turns.missed == 0
    driver.does(r.GoOn("a"))
    driver.does(r.GoOn("b"))
    driver.passes(10)
    assert not is_paused(driver)
    assert driver.table.deadline_ms == driver.now_ms + (window_s - 10) * 1000
    driver.plays("a", "step")


def test_all_must_agree_to_a_pause_and_who_is_away_is_not_asked():
    driver = playing("b", "c")
    driver.does(r.Disconnect("c"))
    driver.passes(121)
    assert driver.table.is_away("c") and not driver.table.is_away("a")
    record = driver.does(r.Offer("b", "pause"))
    (offered,) = record.facts
    assert offered.asked == (0,)
    driver.passes(60)
    assert not is_paused(driver) and driver.table.game.offer is None


def test_who_comes_back_while_a_pause_is_offered_ends_the_offer():
    driver = playing("b", "c")
    driver.does(r.Disconnect("c"))
    driver.passes(121)
    driver.does(r.Offer("b", "pause"))
    driver.does(r.Reconnect("c"))
    record = driver.does(r.OwnerTyped("c"))
    assert kinds(record) == [f.CameBack, f.OfferEnded]


def test_who_is_out_is_not_asked_and_cannot_offer_or_end_a_pause():
    driver = playing("b", "c")
    driver.plays("a", "fall")
    with pytest.raises(UserError, match="You are out of this game"):
        driver.does(r.Offer("a", "pause"))
    driver.does(r.Offer("b", "pause"))
    driver.now_ms += 3_000
    driver.does(r.AnswerOffer("c", True))
    assert is_paused(driver)
    with pytest.raises(UserError, match="No game is paused here"):
        driver.does(r.GoOn("a"))


def test_alone_with_computer_players_the_game_is_paused_at_once_and_they_wait():
    driver = playing(bots=1)
    driver.plays("a", "step")
    driver.plays("a", "step")
    assert driver.table.automatic_turns()
    window, computer = driver.window, driver.table.automatic_turns()[0][0]
    driver.does(r.Offer("a", "pause"))
    assert is_paused(driver) and not driver.table.automatic_turns()
    late = r.ComputerPlay("", computer, window, None, 5)
    assert decide(driver.table, late, driver.now_ms).facts == ()
    driver.does(r.GoOn("a"))
    assert "The game goes on in 10 s." in driver.said("a")
    driver.passes(10)
    assert not is_paused(driver) and driver.table.automatic_turns()


def test_it_goes_on_ten_seconds_after_all_want_it():
    driver = paused("b", "c")
    driver.does(r.GoOn("b"))
    told = "Bob wants to go on. Type resume, or it goes on by itself in 60 s."
    assert [told] == [m.text for m in driver.to("a", RingingAnnouncement)]
    assert driver.to("b", RingingAnnouncement) == []
    own = "Waiting for Ann and Cid. The game goes on in 60 s at the latest."
    assert driver.to("b", Notice) == [Notice(own)]
    with pytest.raises(UserError, match="You have typed resume already"):
        driver.does(r.GoOn("b"))
    driver.passes(5)
    driver.does(r.GoOn("a"))
    assert ["Ann wants to go on, too."] == driver.said("c")
    driver.does(r.GoOn("c"))
    assert Announcement("The game goes on in 10 s.") in driver.to("c")
    driver.passes(9)
    assert is_paused(driver)
    driver.passes(1)
    assert not is_paused(driver)


def test_one_who_wants_it_waits_a_minute_for_the_others():
    driver = paused("b", "c")
    driver.does(r.GoOn("b"))
    driver.passes(59)
    assert is_paused(driver)
    (record,) = driver.passes(1)
    assert not is_paused(driver) and kinds(record) == [f.Resumed]


def test_who_is_not_connected_is_not_waited_for():
    driver = paused("b", "c")
    driver.does(r.GoOn("a"))
    driver.does(r.GoOn("b"))
    driver.passes(20)
    driver.does(r.Disconnect("c"))
    driver.passes(9)
    assert is_paused(driver)
    driver.passes(1)
    assert not is_paused(driver)


def test_a_pause_ends_after_an_hour_with_fifteen_seconds_at_least():
    driver = paused("b", after_s=55)
    assert driver.table.game.clock.left_ms == 2_000
    driver.passes(HOUR_S - 1)
    assert is_paused(driver)
    (record,) = driver.passes(1)
    assert record.facts == (f.Resumed("pause", driver.now_ms + 15_000),)
    assert "The game goes on." in driver.said("a")


def test_time_offline_is_not_counted_in_a_pause():
    driver = playing("b", "c", clocks="off")
    driver.does(r.Disconnect("b"))
    driver.passes(60)
    driver.does(r.Offer("a", "pause"))
    driver.now_ms += 3_000
    driver.does(r.AnswerOffer("c", True))
    driver.does(r.Reconnect("b"))
    driver.does(r.AnswerOffer("b", True))
    driver.does(r.Disconnect("b"))
    driver.passes(HOUR_S)
    assert not is_paused(driver) and not driver.table.is_away("b")
    driver.passes(119)
    assert not driver.table.is_away("b")
    driver.passes(1)
    assert driver.table.is_away("b")


def test_a_restart_leaves_the_game_paused_with_the_time_that_was_left():
    driver = paused("b")
    driver.does(r.GoOn("b"))
    driver.passes(30)
    stopped_ms = driver.now_ms
    driver.now_ms += 7_200_000
    driver.table = driver.restarted()
    driver.does(r.GiveBackTime("", stopped_ms))
    for person in "ab":
        driver.does(r.Reconnect(person))
    driver.passes(60)
    assert is_paused(driver), "who wanted to go on asks again"
    driver.passes(HOUR_S - 30 - 60 - 1)
    assert is_paused(driver)
    driver.passes(1)
    assert not is_paused(driver)


def test_a_game_is_paused_twice():
    driver = playing("b")
    for who, other in ("ab", "ba"):
        driver.now_ms += 60_000 if driver.table.game.pause_count else 0
        driver.does(r.Offer(who, "pause"))
        driver.now_ms += 3_000
        driver.does(r.AnswerOffer(other, True))
        with pytest.raises(UserError, match="The game is paused"):
            driver.does(r.Offer("a", "pause"))
        driver.does(r.GoOn("a"))
        driver.does(r.GoOn("b"))
        driver.passes(10)
        driver.plays("a" if driver.table.game.window.seats == (0,) else "b", "step")
    with pytest.raises(UserError, match="This game has been paused 2 times already"):
        driver.does(r.Offer("a", "pause"))


def test_in_a_pause_people_leave_and_come_back_and_end_the_game():
    driver = paused("b", "c")
    driver.does(r.Leave("c"))
    driver.does(r.Sit("c", "Cid"))
    assert is_paused(driver)
    driver.passes(60)
    driver.does(r.Offer("a", "abort"))
    driver.now_ms += 3_000
    driver.does(r.AnswerOffer("b", True))
    driver.does(r.AnswerOffer("c", True))
    assert not driver.table.is_playing and not is_paused(driver)
    driver = paused("b")
    driver.does(r.Leave("b"))
    driver.does(r.Leave("a"))
    assert driver.table.is_closed


def test_a_pause_of_a_clock_that_waited_for_somebody_counts_their_allowance():
    driver = playing("b", absence="pause")
    driver.does(r.Offer("b", "pause"))
    driver.passes(3)
    driver.does(r.Disconnect("a"))
    assert driver.table.game.clock.seat == 0
    driver.passes(20)
    driver.does(r.Reconnect("a"))
    driver.does(r.AnswerOffer("a", True))
    assert driver.table.game.seats[0].paused_ms == 20_000
    driver.does(r.Disconnect("a"))
    driver.does(r.GoOn("b"))
    driver.passes(10)
    assert not is_paused(driver) and driver.table.game.clock.seat == 0, "the clock waits again"


def test_in_a_secret_question_a_pause_tells_nobody_who_has_answered():
    def told(answers: str) -> list[object]:
        driver = Driver(variant=DUEL).starts("b", "c")
        for person in answers:
            driver.plays(person)
        driver.does(r.Offer("a", "pause"))
        driver.now_ms += 3_000
        heard = []
        for act in (r.AnswerOffer("b", True), r.AnswerOffer("c", True), r.GoOn("a"), r.GoOn("b")):
            driver.does(act)
            heard += driver.to("a")
        return [m for m in heard if not isinstance(m, ViewMessage)]

    assert told("b") == told("c")


def test_the_journal_cut_anywhere_in_a_pause_gives_the_same_game():
    driver = playing("b")
    told = {len(driver.bodies): seen(driver.table, "a", "b")}
    for act in (r.Offer("a", "pause"), r.AnswerOffer("b", True), r.GoOn("a"), r.GoOn("b")):
        driver.now_ms += 3_000
        driver.does(act)
        told[len(driver.bodies)] = seen(driver.table, "a", "b")
    driver.passes(10)
    told[len(driver.bodies)] = seen(driver.table, "a", "b")
    assert len(told) == 4
    for upto, expected in told.items():
        assert seen(driver.restarted(upto), "a", "b") == expected, upto
