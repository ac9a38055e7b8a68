"""Impact cards, the infection, its test, and having to go out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.variants.stockpile.story import Story
from tests.variants.story import ANN, BOB, CY, kinds, of_kind
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


def drawing(card: str, *then: str, stockpile: list[str], **position: Any) -> Story:
    """Ann draws *card* from the deck she is at; *then* lies below it."""
    indoor = position.get("locations", {}).get(ANN, "indoor") == "indoor"
    top = {"indoor_top" if indoor else "outdoor_top": [card, *then]}
    story = Story(stockpiles={ANN: stockpile}, **top, **position)
    story.when(ANN, Draw())
    return story


@pytest.mark.parametrize("card", FOOD_CARDS)
def test_a_food_card_takes_the_only_kind_of_food_there_is_at_once(card):
    """[SR-12] [G-07] Of equal cards the one that came first."""
    story = drawing(card, stockpile=["F2", "T1", "F2"])
    assert ["Toilet Paper 1", "Food 2"] == story.stockpile(ANN)
    assert ["ImpactDrawn", "SupplyLost", "ActionOpened"] == kinds(story.past[-3:])
    (lost,) = of_kind(story.past, SupplyLost)
    assert lost.lost.id < story.owned(ANN, "Food 2")
    assert (card, 2) == (lost.card.name, story.state.action)


def test_a_seat_with_different_values_says_which_one_goes():
    """[SR-12] Nothing else can be done first; the action is over with the answer."""
    story = drawing("Snack Attack", stockpile=["F1", "T4", "F3"])
    (opened,) = of_kind(story.past, GiveUpOpened)
    assert (ANN, "Food") == (opened.seat, opened.supply)
    view = story.view()
    assert ("give up", ANN) == story.asked() and "Snack Attack" == view.impact.name
    story.when(ANN, GiveUp(story.owned(ANN, "Food 3")))
    assert ["Food 1", "Toilet Paper 4"] == story.stockpile(ANN)
    assert ("action", 2, None) == (story.state.asks, story.state.action, story.view().impact)


@pytest.mark.parametrize("card", [*FOOD_CARDS, *PAPER_CARDS])
def test_who_has_nothing_to_give_goes_out_at_once_and_plays_on_there(card):
    """[SR-13] Before the third action the choice at the end of the turn stays."""
    story = drawing(card, stockpile=["P2"])
    assert [Relocated(ANN, "outdoor", "impact", False, False)] == of_kind(story.past, Relocated)
    before = len(story.state.outdoor)
    story.when(ANN, Draw())
    assert before > len(story.state.outdoor)
    assert not story.state.skips


def test_going_out_with_the_third_action_means_staying_out_for_the_next_turn():
    """[SR-14] [SR-15] No LOCATION now; a free one after the next turn."""
    story = drawing("Caught Short", stockpile=["F1"], action=3)
    assert [Relocated(ANN, "outdoor", "impact", True, True)] == of_kind(story.past, Relocated)
    assert ("action", BOB) == story.asked()
    assert story.view().seats[ANN].is_bound


def test_the_duty_to_stay_out_ends_with_the_next_location_choice():
    """[SR-14]"""
    top = ["Stock Up 1", "Stock Up 2", "Stock Up 3"]
    story = Story(locations={ANN: "outdoor"}, bound=[ANN], outdoor_top=top)
    for number in (1, 2, 3):
        assert (number, True) == (story.state.action, story.view().seats[ANN].is_bound)
        story.when(ANN, Draw())
    assert ("location", ANN) == story.asked()
    assert not story.view().seats[ANN].is_bound


def test_outdoors_a_card_that_finds_nothing_does_nothing():
    """[SR-16]"""
    story = drawing("Feed The Family", stockpile=["T1"], locations={ANN: "outdoor"}, action=3)
    assert 1 == len(of_kind(story.past, NothingLost))
    assert ("location", ANN) == story.asked()


def test_caught_red_handed_sends_nobody_out():
    """[SR-17]"""
    story = drawing("Caught Red Handed", stockpile=["F1", "T1"])
    assert 1 == len(of_kind(story.past, NothingLost))
    assert "indoor" == story.location(ANN) and not of_kind(story.past, Relocated)
    assert ["Food 1", "Toilet Paper 1"] == story.stockpile(ANN)


@pytest.mark.parametrize("card", ["Infection", "Caught Red Handed"])
def test_infection_prevention_must_be_given_and_may_be_chosen(card):
    """[SR-19] Nobody is tested who has one."""
    story = drawing(card, stockpile=["F1", "P2", "P3"])
    (opened,) = of_kind(story.past, GiveUpOpened)
    assert PREVENTION == opened.supply
    story.when(ANN, GiveUp(story.owned(ANN, "Infection Prevention 2")))
    assert ["Food 1", "Infection Prevention 3"] == story.stockpile(ANN)
    assert [] == of_kind(story.past, happened.Tested)
    assert 2 == story.state.action


# -- the test --------------------------------------------------------------------------------------


def test_a_negative_card_is_kept_and_seen_by_all():
    """[SR-20] [SR-21] [SR-22] [SR-28] It was drawn, so it is no longer on a discard pile."""
    story = drawing("Infection", "Nice Try! -", stockpile=["F1"])
    assert ["ImpactDrawn", "Tested", "TestKept", "ActionOpened"] == kinds(story.past[-4:])
    assert ["Nice Try!"] == story.hand(ANN)
    assert {"Infection"} == {card.name for card in story.state.discards[1]}
    assert 2 == story.state.action


def test_the_test_card_comes_from_the_deck_of_the_location():
    """[SR-20]"""
    top = {"outdoor_top": ["Infection", "Loot Food -"], "indoor_top": ["Nice Try! +"]}
    story = Story(stockpiles={ANN: []}, locations={ANN: "outdoor"}, **top)
    story.when(ANN, Draw())
    assert ["Loot Food"] == story.hand(ANN)
    assert 35 == len(story.state.indoor)


def test_a_ninth_card_cannot_come_by_a_test():
    """[SR-22] [SR-06] Whoever draws holds at most seven."""
    hand = ["Nice Try!"] * 4 + ["Reflection"] * 3
    story = drawing("Infection", "Home Delivery 1 -", stockpile=[], hands={ANN: hand})
    assert 8 == len(story.hand(ANN))


def test_a_negative_impact_card_strikes_in_the_same_action():
    """[SR-23]"""
    story = drawing("Infection", "Snack Attack -", stockpile=["F1", "F3"])
    assert ["ImpactDrawn", "Tested", "GiveUpOpened"] == kinds(story.past[-3:])
    story.when(ANN, GiveUp(story.owned(ANN, "Food 1")))
    assert ["Food 3"] == story.stockpile(ANN)
    assert [] == story.hand(ANN)
    assert 2 == story.state.action


def test_a_negative_impact_card_can_send_out_and_bind():
    """[SR-25]"""
    story = drawing("Infection", "Caught Short -", stockpile=["F1"], action=3)
    assert [Relocated(ANN, "outdoor", "impact", True, True)] == of_kind(story.past, Relocated)
    assert ("action", BOB) == story.asked()


def test_a_negative_infection_is_a_new_infection():
    """[SR-24] No shipped card is one, but a host may bring such a box."""
    state = Story(stockpiles={ANN: []}, indoor_top=["Nice Try! -"]).state
    again = Card("X1", "indoor", "Infection", "impact", test="-")
    play = Transition(state, chance=None)  # type: ignore[arg-type]  # none is asked for
    apply_impact(play, again)
    assert ["Tested", "TestKept", "ActionOpened"] == kinds(play.events)
    assert of_kind(play.events, happened.TestKept)[0].card.name == "Nice Try!"


def test_a_positive_card_puts_everything_of_the_seat_on_the_discard_piles():
    """[SR-29] [SR-30] The turn is over; who is left plays on."""
    story = drawing(
        "Infection", "Home Delivery 2 +",
        stockpile=["F4", "T3"], hands={ANN: ["Nice Try!", "Loot Food"]}, isolation=[ANN], action=2,
    )  # fmt: skip
    (out,) = of_kind(story.past, Eliminated)
    assert (2, 2, True) == (len(out.hand), len(out.stockpile), out.isolation is not None)
    assert {
        "Infection", "Home Delivery 2", "Nice Try!", "Self-Isolation", "Loot Food", "Food 4",
        "Toilet Paper 3",
    } == story.discarded()  # fmt: skip
    assert ([], [], False) == (story.hand(ANN), story.stockpile(ANN), story.view().seats[ANN].is_in)
    assert (ANN,) == story.view().fallen
    assert ("action", BOB) == story.asked() and 1 == story.state.action


def test_the_next_turn_goes_past_those_who_are_out():
    """[G-01]"""
    story = Story(seats=4, turn=CY, out=[BOB], stockpiles={CY: []},
                  indoor_top=["Infection", "Infection"])  # fmt: skip
    story.when(CY, Draw())
    assert ("action", 3) == story.asked()
    other = Story(seats=4, turn=3, out=[ANN], stockpiles={3: []},
                  indoor_top=["Infection", "Infection"])  # fmt: skip
    other.when(3, Draw())
    assert ("action", BOB) == other.asked()


def test_the_last_survivor_wins_whatever_the_stockpiles():
    """[SR-49] At once: the rest of the action and the turn do not happen."""
    story = Story(seats=2, stockpiles={ANN: ["F4"], BOB: []}, indoor_top=["Infection"] * 2)
    story.when(ANN, Draw())
    assert [GameEnded("survivor", (BOB,))] == of_kind(story.past, GameEnded)
    assert ("", "survivor") == (story.state.asks, story.state.ended)


def test_no_card_left_for_the_test_is_an_infection():
    """[SR-26] [S-G09] Her turn was the final one: the others compare."""
    story = Story(stockpiles={ANN: ["F4"], BOB: ["F1"], CY: ["F2"]}, indoor=["Infection"])
    story.when(ANN, Draw())
    assert ["ImpactDrawn", "DeckEmptied", "Tested", "Eliminated", "GameEnded"] == kinds(
        story.past[-5:]
    )
    assert [happened.Tested(ANN, None, True)] == of_kind(story.past, happened.Tested)
    assert [GameEnded("indoor", (CY,))] == of_kind(story.past, GameEnded)


def test_a_test_that_takes_the_last_card_is_carried_out():
    """[SR-27]"""
    story = Story(stockpiles={ANN: []}, indoor=["Infection", "Nice Try! -"])
    story.when(ANN, Draw())
    assert ["ImpactDrawn", "Tested", "DeckEmptied", "TestKept", "ActionOpened"] == kinds(
        story.past[-5:]
    )
    assert ["Nice Try!"] == story.hand(ANN) and story.view().is_final


def test_the_survivor_comes_before_the_empty_deck():
    story = Story(seats=2, stockpiles={ANN: ["F4"], BOB: []}, indoor=["Infection"])
    story.when(ANN, Draw())
    assert [GameEnded("survivor", (BOB,))] == of_kind(story.past, GameEnded)


def test_self_isolation_does_not_protect_from_the_infection():
    """[SR-43]"""
    story = drawing("Infection", "Infection", stockpile=[], isolation=[ANN], action=2)
    assert 1 == len(of_kind(story.past, Eliminated))
