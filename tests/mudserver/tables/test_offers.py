"""A draw or an abort: by the agreement of all who are asked, and by nothing else."""

from __future__ import annotations

import pytest

from mudserver.errors import UserError
from mudserver.messages import Announcement, GameOver, Notice
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.result import export_game
from tests.mudserver.tables.driver import Driver
from tests.toys.multistep.game import MULTISTEP


def playing(*others: str, bots: int = 0) -> Driver:
    driver = Driver({"clocks": "off"}, variant=MULTISTEP).sits(*others)
    for _ in range(bots):
        driver.does(r.AddBot("a"))
    driver.all_start()
    return driver


def answered(driver: Driver, *people: str, is_accepted: bool = True) -> None:
    driver.now_ms += 3_000
    for person in people:
        driver.does(r.AnswerOffer(person, is_accepted))


def said(driver: Driver, who: str) -> list[str]:
    kinds = Announcement | Notice
    return [m.text for to, m in driver.deliveries if to == who and isinstance(m, kinds)]


def test_a_draw_needs_everybody_who_is_still_in():
    driver = playing("b", "c")
    driver.does(r.Offer("a", "draw"))
    assert "Ann offers a draw. Type accept or decline within 60 s." in said(driver, "b")
    assert "You offer a draw. Waiting for Bob and Cid." in said(driver, "a")
    answered(driver, "b")
    assert driver.table.is_playing
    answered(driver, "c")
    (over,) = driver.to("a", GameOver)
    assert (1, 1, 1) == over.places
    assert driver.table.phase == "over" and driver.table.game.result.end == "draw"
    assert driver.restarted().game.result == driver.table.game.result
    with pytest.raises(UserError, match="ended by agreement, so it has no record"):
        export_game(driver.table.game)


def test_who_is_out_keeps_the_place_and_is_not_asked_for_a_draw():
    driver = playing("b", "c", "d")
    driver.plays("a", "fall")
    driver.plays("b", "fall")
    driver.does(r.Offer("c", "draw"))
    with pytest.raises(UserError, match="no offer for you to answer"):
        driver.does(r.AnswerOffer("a", True))
    answered(driver, "d")
    assert (4, 3, 1, 1) == driver.table.game.result.places
    driver = playing("b", "c")
    driver.plays("a", "fall")
    with pytest.raises(UserError, match="You are out of this game"):
        driver.does(r.Offer("a", "draw"))


def test_there_is_no_first_place_by_asking_computer_players():
    driver = playing(bots=1)
    with pytest.raises(UserError, match="A draw needs people on all seats that are still in"):
        driver.does(r.Offer("a", "draw"))
    driver.does(r.Offer("a", "abort"))  # nobody else is asked
    assert driver.table.phase == "over" and driver.table.game.result is None


def test_an_abort_asks_who_is_out_too_and_has_no_result():
    driver = playing("b", "c")
    driver.plays("a", "fall")
    driver.does(r.Offer("b", "abort"))
    answered(driver, "c")
    assert driver.table.is_playing
    answered(driver, "a")
    assert not driver.table.is_playing
    assert "The game is aborted, so it has no result." in said(driver, "a")
    assert any(text.startswith("Seed: ") for text in said(driver, "a"))
    assert driver.restarted().phase == "over"
    driver.all_start()
    assert driver.table.game.number == 2


def test_one_decline_ends_it_without_a_name():
    driver = playing("b", "c")
    driver.does(r.Offer("a", "draw"))
    driver.does(r.AnswerOffer("b", False))
    assert ["The offer of a draw has ended. The game goes on."] == said(driver, "c")
    with pytest.raises(UserError, match="no offer for you to answer"):
        driver.does(r.AnswerOffer("c", True))


def test_who_does_not_answer_has_declined():
    driver = playing("b")
    driver.does(r.Offer("a", "abort"))
    driver.passes(60)
    assert driver.table.game.offer is None and driver.table.is_playing


def test_nobody_agrees_within_three_seconds():
    driver = playing("b")
    driver.does(r.Offer("a", "draw"))
    with pytest.raises(UserError, match=r"Ann has just offered a draw. Type accept or decline"):
        driver.does(r.AnswerOffer("b", True))


def test_an_offer_ends_when_somebody_who_is_asked_leaves_or_falls_out():
    for act in (r.Leave("c"), r.Play("a", "fall")):
        driver = playing("b", "c")
        driver.does(r.Offer("b", "draw"))
        record = driver.does(act)
        assert f.OfferEnded(1, "changed") in record.facts
        assert driver.table.game.offer is None


def test_an_offer_ends_when_somebody_comes_back_who_was_not_asked():
    driver = playing("b", "c")
    driver.does(r.Leave("c"))
    driver.does(r.Offer("a", "abort"))
    record = driver.does(r.Sit("c", "Cid"))
    assert f.OfferEnded(1, "changed") in record.facts and driver.table.game.offer is None


def test_a_person_makes_two_offers_of_a_kind_and_four_in_all_a_minute_apart():
    driver = playing("b")
    for kind in ("draw", "draw", "abort", "abort"):
        driver.does(r.Offer("a", kind))
        with pytest.raises(UserError, match=r"An offer is open already. Type accept or decline"):
            driver.does(r.Offer("b", "draw"))
        with pytest.raises(UserError, match="Your offer is open already"):
            driver.does(r.Offer("a", kind))
        driver.does(r.AnswerOffer("b", False))
        with pytest.raises(UserError, match=r"The last offer has just ended|You have made all"):
            driver.does(r.Offer("a", kind))
        driver.now_ms += 60_000
    with pytest.raises(UserError, match="You have made all the offers"):
        driver.does(r.Offer("a", "draw"))


def test_an_open_offer_is_kept_over_a_restart_with_the_time_that_was_left():
    driver = playing("b")
    driver.does(r.Offer("a", "draw"))
    driver.now_ms += 20_000
    stopped_ms = driver.now_ms
    driver.now_ms += 290_000
    driver.table = driver.restarted()
    driver.does(r.GiveBackTime("", stopped_ms))
    driver.passes(39)
    assert driver.table.game.offer is not None
    driver.passes(1)
    assert driver.table.game.offer is None
    driver = playing("b")
    driver.does(r.Offer("a", "draw"))
    driver.table = driver.restarted()
    answered(driver, "b")
    assert driver.table.game.result.end == "draw"
