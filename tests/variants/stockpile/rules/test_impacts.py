"""Impact cards, the infection, its test, and having to go out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, kinds, of_kind
from tests.variants.stockpile.driver import Driver
from variants.stockpile import events as happened
from variants.stockpile.actions import Draw, GiveUp
from variants.stockpile.data.cards import PREVENTION, Card
from variants.stockpile.events import (
    Eliminated,
    GameEnded,
    GiveUpOpened,
    NothingLost,
    Relocated,
    SupplyLost,
)
from variants.stockpile.rules.impacts import apply_impact
from variants.stockpile.rules.transition import Transition

FOOD_CARDS = ("Snack Attack", "Binge Watch", "Sourdough Solution", "Feed The Family")
PAPER_CARDS = ("Caught Short", "Feeling Flushed", "Dress To Impress")


def drawing(card: str, *then: str, stockpile: list[str], **position: Any) -> Driver:
    """Ann draws *card* from the deck she is at; *then* lies below it."""
    indoor = position.get("locations", {}).get(ANN, "indoor") == "indoor"
    top = {"indoor_top" if indoor else "outdoor_top": [card, *then]}
    driver = Driver(stockpiles={ANN: stockpile}, **top, **position)
    driver.when(ANN, Draw())
    return driver


@pytest.mark.parametrize("card", FOOD_CARDS)
def test_a_food_card_takes_the_only_kind_of_food_there_is_at_once(card):
    """[SR-12] [G-07] Of equal cards the one that came first."""
    driver = drawing(card, stockpile=["F2", "T1", "F2"])
    assert ["Toilet Paper 1", "Food 2"] == driver.stockpile(ANN)
    assert ["ImpactDrawn", "SupplyLost", "ActionOpened"] == kinds(driver.past[-3:])
    (lost,) = of_kind(driver.past, SupplyLost)
    assert lost.lost.id < driver.owned(ANN, "Food 2")
    assert (card, 2) == (lost.card.name, driver.state.action)


def test_a_seat_with_different_values_says_which_one_goes():
    """[SR-12] Nothing else can be done first; the action is over with the answer."""
    driver = drawing("Snack Attack", stockpile=["F1", "T4", "F3"])
    (opened,) = of_kind(driver.past, GiveUpOpened)
    assert (ANN, "Food") == (opened.seat, opened.supply)
    view = driver.view()
    assert ("give up", ANN) == driver.asked() and "Snack Attack" == view.impact.name
    driver.when(ANN, GiveUp(driver.owned(ANN, "Food 3")))
    assert ["Food 1", "Toilet Paper 4"] == driver.stockpile(ANN)
    assert ("action", 2, None) == (driver.state.asks, driver.state.action, driver.view().impact)


@pytest.mark.parametrize("card", [*FOOD_CARDS, *PAPER_CARDS])
def test_who_has_nothing_to_give_goes_out_at_once_and_plays_on_there(card):
    """[SR-13] Before the third action the choice at the end of the turn stays."""
    driver = drawing(card, stockpile=["P2"])
    assert [Relocated(ANN, "outdoor", "impact", False, False)] == of_kind(driver.past, Relocated)
    before = len(driver.state.outdoor)
    driver.when(ANN, Draw())
    assert before > len(driver.state.outdoor)
    assert not driver.state.skips


def test_going_out_with_the_third_action_means_staying_out_for_the_next_turn():
    """[SR-14] [SR-15] No LOCATION now; a free one after the next turn."""
    driver = drawing("Caught Short", stockpile=["F1"], action=3)
    assert [Relocated(ANN, "outdoor", "impact", True, True)] == of_kind(driver.past, Relocated)
    assert ("action", BOB) == driver.asked()
    assert driver.view().seats[ANN].is_bound


def test_the_duty_to_stay_out_ends_with_the_next_location_choice():
    """[SR-14]"""
    top = ["Stock Up 1", "Stock Up 2", "Stock Up 3"]
    driver = Driver(locations={ANN: "outdoor"}, bound=[ANN], outdoor_top=top)
    for number in (1, 2, 3):
        assert (number, True) == (driver.state.action, driver.view().seats[ANN].is_bound)
        driver.when(ANN, Draw())
    assert ("location", ANN) == driver.asked()
    assert not driver.view().seats[ANN].is_bound


def test_outdoors_a_card_that_finds_nothing_does_nothing():
    """[SR-16]"""
    driver = drawing("Feed The Family", stockpile=["T1"], locations={ANN: "outdoor"}, action=3)
    assert 1 == len(of_kind(driver.past, NothingLost))
    assert ("location", ANN) == driver.asked()


def test_caught_red_handed_sends_nobody_out():
    """[SR-17]"""
    driver = drawing("Caught Red Handed", stockpile=["F1", "T1"])
    assert 1 == len(of_kind(driver.past, NothingLost))
    assert "indoor" == driver.location(ANN) and not of_kind(driver.past, Relocated)
    assert ["Food 1", "Toilet Paper 1"] == driver.stockpile(ANN)


@pytest.mark.parametrize("card", ["Infection", "Caught Red Handed"])
def test_infection_prevention_must_be_given_and_may_be_chosen(card):
    """[SR-19] Nobody is tested who has one."""
    driver = drawing(card, stockpile=["F1", "P2", "P3"])
    (opened,) = of_kind(driver.past, GiveUpOpened)
    assert PREVENTION == opened.supply
    driver.when(ANN, GiveUp(driver.owned(ANN, "Infection Prevention 2")))
    assert ["Food 1", "Infection Prevention 3"] == driver.stockpile(ANN)
    assert [] == of_kind(driver.past, happened.Tested)
    assert 2 == driver.state.action


# -- the test --------------------------------------------------------------------------------------


def test_a_negative_card_is_kept_and_seen_by_all():
    """[SR-20] [SR-21] [SR-22] [SR-28] It was drawn, so it is no longer on a discard pile."""
    driver = drawing("Infection", "Nice Try! -", stockpile=["F1"])
    assert ["ImpactDrawn", "Tested", "TestKept", "ActionOpened"] == kinds(driver.past[-4:])
    assert ["Nice Try!"] == driver.hand(ANN)
    assert {"Infection"} == {card.name for card in driver.state.discards[1]}
    assert 2 == driver.state.action


def test_the_test_card_comes_from_the_deck_of_the_location():
    """[SR-20]"""
    top = {"outdoor_top": ["Infection", "Loot Food -"], "indoor_top": ["Nice Try! +"]}
    driver = Driver(stockpiles={ANN: []}, locations={ANN: "outdoor"}, **top)
    driver.when(ANN, Draw())
    assert ["Loot Food"] == driver.hand(ANN)
    assert 35 == len(driver.state.indoor)


def test_a_ninth_card_cannot_come_by_a_test():
    """[SR-22] [SR-06] Whoever draws holds at most seven."""
    hand = ["Nice Try!"] * 4 + ["Reflection"] * 3
    driver = drawing("Infection", "Home Delivery 1 -", stockpile=[], hands={ANN: hand})
    assert 8 == len(driver.hand(ANN))


def test_a_negative_impact_card_strikes_in_the_same_action():
    """[SR-23]"""
    driver = drawing("Infection", "Snack Attack -", stockpile=["F1", "F3"])
    assert ["ImpactDrawn", "Tested", "GiveUpOpened"] == kinds(driver.past[-3:])
    driver.when(ANN, GiveUp(driver.owned(ANN, "Food 1")))
    assert ["Food 3"] == driver.stockpile(ANN)
    assert [] == driver.hand(ANN)
    assert 2 == driver.state.action


def test_a_negative_impact_card_can_send_out_and_bind():
    """[SR-25]"""
    driver = drawing("Infection", "Caught Short -", stockpile=["F1"], action=3)
    assert [Relocated(ANN, "outdoor", "impact", True, True)] == of_kind(driver.past, Relocated)
    assert ("action", BOB) == driver.asked()


def test_a_negative_infection_is_a_new_infection():
    """[SR-24] No shipped card is one, but a host may bring such a box."""
    state = Driver(stockpiles={ANN: []}, indoor_top=["Nice Try! -"]).state
    again = Card("X1", "indoor", "Infection", "impact", test="-")
    play = Transition(state, chance=None)  # type: ignore[arg-type]  # none is asked for
    apply_impact(play, again)
    assert ["Tested", "TestKept", "ActionOpened"] == kinds(play.events)
    assert of_kind(play.events, happened.TestKept)[0].card.name == "Nice Try!"


def test_a_positive_card_puts_everything_of_the_seat_on_the_discard_piles():
    """[SR-29] [SR-30] The turn is over; who is left plays on."""
    driver = drawing(
        "Infection", "Home Delivery 2 +",
        stockpile=["F4", "T3"], hands={ANN: ["Nice Try!", "Loot Food"]}, isolation=[ANN], action=2,
    )  # fmt: skip
    (out,) = of_kind(driver.past, Eliminated)
    assert (2, 2, True) == (len(out.hand), len(out.stockpile), out.isolation is not None)
    assert {
        "Infection", "Home Delivery 2", "Nice Try!", "Self-Isolation", "Loot Food", "Food 4",
        "Toilet Paper 3",
    } == driver.discarded()  # fmt: skip
    assert ([], [], False) == (
        driver.hand(ANN),
        driver.stockpile(ANN),
        driver.view().seats[ANN].is_in,
    )
    assert (ANN,) == driver.view().fallen
    assert ("action", BOB) == driver.asked() and 1 == driver.state.action


def test_the_next_turn_goes_past_those_who_are_out():
    """[G-01]"""
    driver = Driver(seats=4, turn=CY, out=[BOB], stockpiles={CY: []},
                  indoor_top=["Infection", "Infection"])  # fmt: skip
    driver.when(CY, Draw())
    assert ("action", 3) == driver.asked()
    other = Driver(seats=4, turn=3, out=[ANN], stockpiles={3: []},
                  indoor_top=["Infection", "Infection"])  # fmt: skip
    other.when(3, Draw())
    assert ("action", BOB) == other.asked()


def test_the_last_survivor_wins_whatever_the_stockpiles():
    """[SR-49] At once: the rest of the action and the turn do not happen."""
    driver = Driver(seats=2, stockpiles={ANN: ["F4"], BOB: []}, indoor_top=["Infection"] * 2)
    driver.when(ANN, Draw())
    assert [GameEnded("survivor", (BOB,))] == of_kind(driver.past, GameEnded)
    assert ("", "survivor") == (driver.state.asks, driver.state.ended)


def test_no_card_left_for_the_test_is_an_infection():
    """[SR-26] [S-G09] Her turn was the final one: the others compare."""
    driver = Driver(stockpiles={ANN: ["F4"], BOB: ["F1"], CY: ["F2"]}, indoor=["Infection"])
    driver.when(ANN, Draw())
    assert ["ImpactDrawn", "DeckEmptied", "Tested", "Eliminated", "GameEnded"] == kinds(
        driver.past[-5:]
    )
    assert [happened.Tested(ANN, None, True)] == of_kind(driver.past, happened.Tested)
    assert [GameEnded("indoor", (CY,))] == of_kind(driver.past, GameEnded)


def test_a_test_that_takes_the_last_card_is_carried_out():
    """[SR-27]"""
    driver = Driver(stockpiles={ANN: []}, indoor=["Infection", "Nice Try! -"])
    driver.when(ANN, Draw())
    assert ["ImpactDrawn", "Tested", "DeckEmptied", "TestKept", "ActionOpened"] == kinds(
        driver.past[-5:]
    )
    assert ["Nice Try!"] == driver.hand(ANN) and driver.view().is_final


def test_the_survivor_comes_before_the_empty_deck():
    driver = Driver(seats=2, stockpiles={ANN: ["F4"], BOB: []}, indoor=["Infection"])
    driver.when(ANN, Draw())
    assert [GameEnded("survivor", (BOB,))] == of_kind(driver.past, GameEnded)


def test_self_isolation_does_not_protect_from_the_infection():
    """[SR-43]"""
    driver = drawing("Infection", "Infection", stockpile=[], isolation=[ANN], action=2)
    assert 1 == len(of_kind(driver.past, Eliminated))
