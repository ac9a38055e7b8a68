"""What is said of an own action in stockpile that is forbidden."""

from __future__ import annotations

import pytest

from tests.variants.stockpile.story import STUCK, Story, box_id
from tests.variants.story import ANN, BOB, CY, DEE, MOVES, said
from variants.contract import Seat
from variants.stockpile.actions import (
    Discard,
    Draw,
    End,
    GiveUp,
    Isolate,
    Loot,
    Nosey,
    Stock,
    Swap,
    Switch,
    Trade,
)

# -- an own action ---------------------------------------------------------------------------------


def test_drawing():
    """[SR-06] [SR-52]"""
    assert ("You hold 8 cards, and nobody may hold more: you cannot draw." + MOVES) == said(
        Story(hands={ANN: STUCK}), Draw()
    )
    held = {ANN: ["Nice Try!"]}
    assert ("The Indoor deck is empty, and Indoors you draw from no other." + MOVES) == said(
        Story(hands=held, indoor=[]), Draw()
    )
    outside = Story(hands=held, outdoor=[], locations={ANN: "outdoor"})
    assert said(outside, Draw()).startswith("The Outdoor deck is empty, and Outdoors")


def test_ending():
    """[SR-03] [SR-51]"""
    assert (
        "A turn is three actions; only when a deck is empty may you stop before." + MOVES
    ) == said(Story(), End())


def test_discarding():
    """[SR-07]"""
    story = Story(hands={ANN: ["Nice Try!"]})
    assert ("You may discard only with 8 cards in hand and nothing to play." + MOVES) == said(
        story, Discard(story.held(ANN, "Nice Try!"))
    )
    full = Story(hands={ANN: [*STUCK[1:], "Home Delivery 1"]})
    assert ("You can play a card, so you may not discard one." + MOVES) == said(
        full, Discard(full.held(ANN, "Nice Try!"))
    )
    stuck = Story(hands={ANN: STUCK})
    assert ("You hold no Stock Up card. Your hand: Nice Try! (5) and Reflection (3).") == said(
        stuck, Discard(box_id("Stock Up 1"))
    )


def test_a_card_that_is_not_held():
    story = Story(hands={ANN: ["Stock Up 2", "Nice Try!"]})
    loot = Loot(box_id("Loot Food"), BOB, story.owned(BOB, "Food 1"))
    assert "You hold no Loot card. Your hand: Stock Up 2 and Nice Try!" == said(story, loot)
    some = Story(hands={ANN: ["Loot Toilet Paper"]})
    loot = Loot(box_id("Loot Food"), BOB, some.owned(BOB, "Food 1"))
    assert "You hold no Loot Food card. Your hand: Loot Toilet Paper." == said(some, loot)
    nothing = said(Story(), Stock(box_id("Stock Up 1")))
    assert "You hold no Stock Up card. Your hand: nothing." == nothing
    assert "There is no such card in this game." + MOVES == said(story, Stock("X99"))


def test_a_card_that_is_played_as_another():
    story = Story(hands={ANN: ["Stock Up 2", "Nice Try!", "Self-Isolation"]})
    stock, nice_try = story.held(ANN, "Stock Up 2"), story.held(ANN, "Nice Try!")
    assert "Stock Up 2 is not a Loot card." + MOVES == said(story, Loot(stock, BOB, "S01"))
    assert (
        "Nice Try! is an answer: you can play it when a card was played against you." + MOVES
    ) == said(story, Stock(nice_try))
    assert "Stock Up 2 is not a Self-Isolation." + MOVES == said(story, Isolate(stock))
    assert said(story, Stock(story.held(ANN, "Self-Isolation"))).startswith(
        "Self-Isolation is not a Stock Up or Home Delivery."
    )


def test_stocking_up_from_an_empty_deck():
    """[SR-31]"""
    story = Story(hands={ANN: ["Stock Up 2"]}, supplies=[])
    assert ("The Supplies deck is empty, so that card would bring nothing." + MOVES) == said(
        story, Stock(story.held(ANN, "Stock Up 2"))
    )


@pytest.mark.parametrize(
    ("target", "wrong"),
    [
        (ANN, "You cannot play Loot Food on yourself. You can name Dee."),
        (BOB, "Bob is in Self-Isolation, where no Effect card can hit them. You can name Dee."),
        (CY, "Cy is out of the game. You can name Dee."),
        (4, "There is no such player. You can name Dee."),
        (-1, "There is no such player. You can name Dee."),
    ],
)
def test_a_target_that_nobody_may_name(target: int, wrong: str):
    """[SR-42]"""
    story = Story(4, hands={ANN: ["Loot Food"]}, isolation=[BOB], out=[CY])
    loot = Loot(story.held(ANN, "Loot Food"), Seat(target), story.owned(DEE, "Food 1"))
    assert wrong == said(story, loot)


def test_looting_what_is_not_there():
    """[SR-34] [SR-35]"""
    hand, piles = ["Loot Food", "Loot Any Supply"], {BOB: ["F3", "F1", "T2"], CY: ["T1"], ANN: []}
    story = Story(hands={ANN: hand}, stockpiles=piles)
    food, any_ = (story.held(ANN, name) for name in hand)
    loot = Loot(food, CY, story.owned(CY, "Toilet Paper 1"))
    assert "Cy has no Food. You can name Bob." == said(story, loot)
    loot = Loot(food, BOB, story.owned(BOB, "Toilet Paper 2"))
    assert (
        "Loot Food takes Food here, not Toilet Paper 2. You can take Food 3 or Food 1."
    ) == said(story, loot)
    loot = Loot(any_, BOB, box_id("Food 4"))
    assert ("Bob has no Food 4. You can take Food 3, Food 1 or Toilet Paper 2.") == said(
        story, loot
    )
    nobody = Story(hands={ANN: ["Loot Any Supply"]}, stockpiles={BOB: [], CY: []})
    loot = Loot(nobody.held(ANN, "Loot Any Supply"), BOB, "S01")
    assert (
        "Bob has no Food, Toilet Paper or Infection Prevention. There is nobody now whom Loot Any "
        "Supply can hit."
    ) == said(nobody, loot)


def test_trading_what_is_not_there():
    """[SR-37]"""
    piles = {ANN: ["F1", "T3"], BOB: ["F2"], CY: []}
    story = Story(hands={ANN: ["Trading Station"]}, stockpiles=piles)
    card, own = story.held(ANN, "Trading Station"), story.owned(ANN, "Food 1")
    theirs = story.owned(BOB, "Food 2")
    assert ("Cy has no supplies to trade. You can name Bob.") == said(
        story, Trade(card, CY, own, theirs)
    )
    assert ("You have no Food 2 in your stockpile. You can give Food 1 or Toilet Paper 3.") == said(
        story, Trade(card, BOB, theirs, theirs)
    )
    assert ("Bob has no Food 1. You can take Food 2.") == said(story, Trade(card, BOB, own, own))
    poor = Story(hands={ANN: ["Trading Station"]}, stockpiles={ANN: []})
    trade = Trade(poor.held(ANN, "Trading Station"), BOB, "S01", poor.owned(BOB, "Food 1"))
    assert (
        "Bob would trade, but you have no supplies to trade. There is nobody now whom Trading "
        "Station can hit."
    ) == said(poor, trade)


def test_nosey_neighbour_where_it_cannot_look():
    """[SR-41] S-G15"""
    piles = {BOB: ["T1"], CY: ["F1"]}
    story = Story(hands={ANN: ["Nosey Neighbour"]}, locations={CY: "outdoor"}, stockpiles=piles)
    card = story.held(ANN, "Nosey Neighbour")
    assert (
        "Bob is Indoors, and Nosey Neighbour hits only who is Outdoors. You can name Cy."
    ) == said(story, Nosey(card, BOB, "Food"))
    assert (
        "Cy has no Toilet Paper. There is nobody now whom Nosey Neighbour can hit for Toilet Paper."
    ) == said(story, Nosey(card, CY, "Toilet Paper"))
    assert (
        "Nosey Neighbour makes a player discard all Food or all Toilet Paper. "
        "Say which of these two."
    ) == said(story, Nosey(card, CY, "Infection Prevention"))


def test_a_location_switch_on_oneself():
    """[SR-38]"""
    story = Story(hands={ANN: ["Location Switch"]})
    assert ("You cannot play Location Switch on yourself. You can name Bob or Cy.") == said(
        story, Switch(story.held(ANN, "Location Switch"), ANN)
    )


def test_a_second_self_isolation():
    """[SR-44] S-G28"""
    story = Story(hands={ANN: ["Self-Isolation"]}, isolation=[ANN], action=2)
    assert ("Your Self-Isolation is in play already, until your next turn begins." + MOVES) == said(
        story, Isolate(story.held(ANN, "Self-Isolation"))
    )


def test_a_swap_shop_without_its_price_or_its_shop():
    """[SR-46] [SR-47]"""
    story = Story(hands={ANN: ["Swap Shop", "Stock Up 1"]})
    shop, stock = story.held(ANN, "Swap Shop"), story.held(ANN, "Stock Up 1")
    needs = "Swap Shop goes together with another Effect card"
    assert f"{needs}. Name that one." == said(story, Swap(shop, shop))
    assert (f"Stock Up 1 is no Effect card. {needs}.") == said(story, Swap(shop, stock))
    assert (f"{needs}, and you hold none." + MOVES) == said(story, Swap(shop, box_id("Reflection")))
    rich = Story(hands={ANN: ["Swap Shop", "Reflection", "Nice Try!"]})
    assert (
        "You hold no Loot Food card. With Swap Shop you can discard Reflection or Nice Try!"
    ) == said(rich, Swap(rich.held(ANN, "Swap Shop"), box_id("Loot Food")))
    empty = Story(hands={ANN: ["Swap Shop", "Reflection"]}, supplies=[])
    swap = Swap(empty.held(ANN, "Swap Shop"), empty.held(ANN, "Reflection"))
    assert ("The Supplies deck is empty, so nobody can play Swap Shop." + MOVES) == said(
        empty, swap
    )


def test_giving_up_a_supply_of_the_wrong_kind():
    """[SR-12]"""
    pile = {ANN: ["F1", "T2", "F3"], BOB: ["F4"], CY: []}
    story = Story(stockpiles=pile, indoor_top=["Snack Attack"])
    story.when(ANN, Draw())
    right = "You can give up Food 1 or Food 3."
    paper = story.owned(ANN, "Toilet Paper 2")
    assert f"Snack Attack takes Food only. {right}" == said(story, GiveUp(paper))
    foreign = story.owned(BOB, "Food 4")
    assert f"You have no Food 4 in your stockpile. {right}" == said(story, GiveUp(foreign))
    assert f"There is no such card. {right}" == said(story, GiveUp("X99"))
