"""Positions of stockpile set up by hand: what stands in them, and why some cannot be."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, chance, kinds
from tests.variants.stockpile.driver import BOX, STOCKPILE, Driver
from variants.stockpile.data.cards import Cards, card_title
from variants.stockpile.events import GameEnded, PositionArranged


def names(cards: Cards) -> list[str]:
    return [card_title(card) for card in cards]


def ids(cards: Cards) -> list[str]:
    return [card.id for card in cards]


def arranged(**position: Any) -> PositionArranged:
    event = STOCKPILE.arrange(3, {}, position, chance())[0]
    assert isinstance(event, PositionArranged)
    return event


def test_an_empty_position_is_a_first_turn():
    driver = Driver()
    state = driver.state
    assert ("action", ANN) == driver.asked()
    assert (ANN, 1, 1, 1) == (state.turn, state.number, state.action, state.question)
    assert [["Food 1", "Toilet Paper 1", "Infection Prevention 2"]] * 3 == [
        names(player.stockpile) for player in state.players
    ]
    assert [("indoor", (), False, None, True)] * 3 == [
        (p.location, p.hand, p.is_bound, p.isolation, p.is_in) for p in state.players
    ]
    assert [26, 35, 35] == [len(deck) for deck in (state.supplies, state.indoor, state.outdoor)]
    assert ((), (), ()) == state.discards


def test_the_rest_of_a_deck_is_shuffled():
    one, other = (
        STOCKPILE.arrange(3, {}, {"indoor_top": ["I35"]}, chance(seed))[0] for seed in (1, 2)
    )
    assert isinstance(one, PositionArranged) and isinstance(other, PositionArranged)
    assert one.indoor is not None and other.indoor is not None
    assert "I35" == one.indoor[0].id == other.indoor[0].id
    assert one.indoor != other.indoor and set(one.indoor) == set(other.indoor)


def test_every_card_lies_in_one_place():
    """[G-19]"""
    driver = Driver(
        hands={ANN: ["Nice Try!"] * 5, BOB: ["Trading Station"]},
        stockpiles={CY: ["F4", "T4"]},
        isolation=[BOB],
        discards=["Infection", "Sold Out", "outdoor Infection"],
        outdoor=["Stock Up 3"],
        supplies_top=["P3"],
    )
    placed = [card for zone in STOCKPILE.zones(driver.state).values() for card in zone]
    assert list(STOCKPILE.components({})) == sorted(placed)


def test_zones_hold_what_was_named_in_its_order():
    state = Driver(
        hands={"0": ["Stock Up 2", "nice try!"], "1": ["I26"]},
        stockpiles={0: ["T2", "f3"], 1: []},
        locations={1: "outdoor"},
        supplies_top=["Food 4", "Sold Out"],
        outdoor=["Infection", "Stock Up 3"],
        discards=["Swap Shop", "Loot Food", "Food 2"],
        turn="1",
        number=7,
        action=2,
    ).state
    assert ["Stock Up 2", "Nice Try!"] == names(state.players[ANN].hand)
    assert ["I26"] == ids(state.players[BOB].hand)
    assert ["Toilet Paper 2", "Food 3"] == names(state.players[ANN].stockpile)
    assert () == state.players[BOB].stockpile
    assert ["indoor", "outdoor", "indoor"] == [player.location for player in state.players]
    assert ["Food 4", "Sold Out"] == names(state.supplies[:2])
    assert ["Infection", "Stock Up 3"] == names(state.outdoor)
    assert (BOB, 7, 2) == (state.turn, state.number, state.action)
    supplies, indoor, outdoor = state.discards
    assert (["Food 2"], ["Swap Shop"]) == (names(supplies), names(indoor))
    assert "Loot Food" == outdoor[-1].name and 35 == len(outdoor) + 2 + 1


def test_a_copy_is_found_by_symbol_and_by_deck():
    hand = ["Nice Try! -", "Nice Try! +", "outdoor Swap Shop", "Indoor Location Switch −"]
    found = Driver(hands={ANN: hand}).state.players[ANN].hand
    assert [("indoor", "-"), ("indoor", "+"), ("outdoor", "+"), ("indoor", "-")] == [
        (card.deck, card.test) for card in found
    ]


def test_a_name_of_two_decks_is_an_indoor_card_first_and_in_a_deck_one_of_its_own():
    hand = ["Swap Shop"] * 3
    state = Driver(hands={ANN: hand}, outdoor_top=["Location Switch"]).state
    assert ["indoor", "indoor", "outdoor"] == [card.deck for card in state.players[ANN].hand]
    assert "outdoor" == state.outdoor[0].deck


def test_a_name_never_takes_a_card_that_is_named_by_its_id_elsewhere():
    first = next(card for card in BOX.indoor if card.name == "Nice Try!")
    event = arranged(hands={ANN: ["Nice Try!"]}, indoor_top=[first.id.lower()])
    assert event.indoor is not None and event.hands[ANN] is not None
    assert event.indoor[0] == first and event.hands[ANN] != (first,)
    food = next(card for card in BOX.supplies if card_title(card) == "Food 1")
    assert food not in arranged(supplies_top=[food.id]).stockpiles[ANN]


def test_a_whole_deck_leaves_its_other_cards_on_the_discard_pile():
    event = arranged(hands={ANN: ["Reflection"]}, indoor=["Infection"], isolation=[BOB])
    assert event.indoor is not None
    assert (["Infection"], 35 - 3) == (names(event.indoor), len(event.discards[1]))
    assert ((), ()) == (event.discards[0], event.discards[2])
    assert (26, 1, 35) == event.counts
    symbols = Counter(card.name for card in event.discards[1])
    assert (2, 1, 1) == (symbols["Reflection"], symbols["Infection"], symbols["Self-Isolation"])


def test_who_is_bound_is_outdoors_and_who_is_out_owns_nothing():
    """[SR-14] [SR-29]"""
    event = arranged(bound=[BOB], out=[CY])
    assert ("indoor", "outdoor", "indoor") == event.locations
    assert ((BOB,), (CY,), ()) == (event.bound, event.out, event.stockpiles[CY])


def test_backs_are_counted_for_everybody():
    hands = {ANN: ["Nice Try!", "Loot Food", "Stock Up 1"], BOB: ["Home Delivery 2"]}
    assert ((1, 2), (1, 0), (0, 0)) == arranged(hands=hands).backs


def test_an_empty_deck_makes_the_final_turn():
    """[SR-50] [SR-51]"""
    assert Driver(outdoor=[]).view().is_final
    over = STOCKPILE.arrange(2, {}, {"indoor": [], "stockpiles": {"1": ["F1"]}}, chance())
    assert ["PositionArranged", "GameEnded"] == kinds(over)
    assert GameEnded("indoor", (ANN,)) == over[-1]


IMPOSSIBLE = {
    "a key nobody knows": ({"decks": []}, "unknown position keys: decks"),
    "a seat that is not there": ({"hands": {3: []}}, "hands: there is no seat 3"),
    "a turn of nobody": ({"turn": "ann"}, "turn: there is no seat ann"),
    "a seat out twice": ({"out": [1, "1"]}, "out: a seat stands there twice"),
    "one survivor": ({"out": [1, 2]}, "two live players at least"),
    "a turn of one who is out": ({"out": [0]}, "two live players at least"),
    "a fourth action": ({"action": 4}, "action is 1 to 3"),
    "turn nought": ({"number": 0}, "number is 1 or more"),
    "nine cards": ({"hands": {0: ["Nice Try!"] * 5 + ["Reflection"] * 3 + ["Stock Up 1"]}}, "8"),
    "an Impact card in a hand": ({"hands": {0: ["Infection"]}}, "Infection is never in a hand"),
    "a supply in a hand": ({"hands": {0: ["F3"]}}, "Food 3 is never in a hand"),
    "Sold Out in a stockpile": (
        {"stockpiles": {0: ["Sold Out"]}},
        "Sold Out is never in a stockpile",
    ),
    "an effect in a stockpile": (
        {"stockpiles": {0: ["Reflection"]}},
        "Reflection is never in a stockpile",
    ),
    "a card that is not": ({"hands": {0: ["Nice Tea"]}}, "no card 'Nice Tea' is left in the box"),
    "a name without its number": ({"hands": {0: ["Stock Up"]}}, "no card 'Stock Up' is left"),
    "too many copies": ({"hands": {0: ["Nice Try!"] * 6}}, "no card 'Nice Try!' is left"),
    "a symbol it has not": ({"hands": {0: ["outdoor Swap Shop -"]}}, "is left in the box"),
    "a card of another deck": ({"indoor": ["Stock Up 1"]}, "is left in the deck indoor"),
    "an id twice": ({"hands": {0: ["I21"]}, "discards": ["i21"]}, "placed twice: I21"),
    "a deck and its top": ({"indoor": [], "indoor_top": []}, "indoor is the whole deck"),
    "a text for a list": ({"discards": "I21"}, "a list of cards is needed"),
    "a place that is none": ({"locations": {0: "garden"}}, "a location is indoor or outdoor"),
    "bound and at home": ({"bound": [1], "locations": {1: "indoor"}}, "bound and not Outdoors"),
    "the dead at home": ({"out": [2], "hands": {2: ["I21"]}}, "seat 2 is out and owns something"),
    "the dead in isolation": ({"out": [2], "isolation": [2]}, "seat 2 is out and owns something"),
    "three isolations": ({"isolation": [0, 1, 2], "action": 2}, "no card 'Self-Isolation'"),
    "isolation at the start of the turn": ({"isolation": [0]}, "its Self-Isolation has ended"),
}


@pytest.mark.parametrize("wrong", IMPOSSIBLE)
def test_a_position_that_no_game_shows_is_refused(wrong: str):
    position, sentence = IMPOSSIBLE[wrong]
    with pytest.raises(ValueError, match=sentence):
        STOCKPILE.arrange(3, {}, position, chance())
