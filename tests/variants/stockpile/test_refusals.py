"""What is said of an own action in stockpile that is forbidden."""

from __future__ import annotations

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, MOVES, said
from tests.variants.stockpile.driver import STUCK, Driver, box_id
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
    assert ("You have 8 cards, which is the limit, so you can't draw." + MOVES) == said(
        Driver(hands={ANN: STUCK}), Draw()
    )
    held = {ANN: ["Nice Try!"]}
    assert (
        "The Indoor deck is empty, and Indoors you can't draw from another one." + MOVES
    ) == said(Driver(hands=held, indoor=[]), Draw())
    outside = Driver(hands=held, outdoor=[], locations={ANN: "outdoor"})
    assert said(outside, Draw()).startswith("The Outdoor deck is empty, and Outdoors")


def test_ending():
    """[SR-03] [SR-51]"""
    assert (
        "A turn has three actions. You can end it before only when a deck is empty." + MOVES
    ) == said(Driver(), End())


def test_discarding():
    """[SR-07]"""
    driver = Driver(hands={ANN: ["Nice Try!"]})
    assert ("You can discard only with 8 cards in hand and none you can play." + MOVES) == said(
        driver, Discard(driver.held(ANN, "Nice Try!"))
    )
    full = Driver(hands={ANN: [*STUCK[1:], "Home Delivery 1"]})
    assert ("You can play a card, so you can't discard one." + MOVES) == said(
        full, Discard(full.held(ANN, "Nice Try!"))
    )
    stuck = Driver(hands={ANN: STUCK})
    assert ("You have no Stock Up card. Your hand: Nice Try! (5) and Reflection (3).") == said(
        stuck, Discard(box_id("Stock Up 1"))
    )


def test_a_card_that_is_not_held():
    driver = Driver(hands={ANN: ["Stock Up 2", "Nice Try!"]})
    loot = Loot(box_id("Loot Food"), BOB, driver.owned(BOB, "Food 1"))
    assert "You have no Loot card. Your hand: Stock Up 2 and Nice Try!" == said(driver, loot)
    some = Driver(hands={ANN: ["Loot Toilet Paper"]})
    loot = Loot(box_id("Loot Food"), BOB, some.owned(BOB, "Food 1"))
    assert "You have no Loot Food card. Your hand: Loot Toilet Paper." == said(some, loot)
    nothing = said(Driver(), Stock(box_id("Stock Up 1")))
    assert "You have no Stock Up card. Your hand: nothing." == nothing
    assert "There is no such card in this game." + MOVES == said(driver, Stock("X99"))


def test_a_card_that_is_played_as_another():
    driver = Driver(hands={ANN: ["Stock Up 2", "Nice Try!", "Self-Isolation"]})
    stock, nice_try = driver.held(ANN, "Stock Up 2"), driver.held(ANN, "Nice Try!")
    assert "Stock Up 2 isn't a Loot card." + MOVES == said(driver, Loot(stock, BOB, "S01"))
    assert (
        "Nice Try! is a response: you can play it when a card was played on you." + MOVES
    ) == said(driver, Stock(nice_try))
    assert "Stock Up 2 isn't a Self-Isolation." + MOVES == said(driver, Isolate(stock))
    assert said(driver, Stock(driver.held(ANN, "Self-Isolation"))).startswith(
        "Self-Isolation isn't a Stock Up or Home Delivery."
    )


def test_stocking_up_from_an_empty_deck():
    """[SR-31]"""
    driver = Driver(hands={ANN: ["Stock Up 2"]}, supplies=[])
    assert ("The Supplies deck is empty, so that card would bring nothing." + MOVES) == said(
        driver, Stock(driver.held(ANN, "Stock Up 2"))
    )


@pytest.mark.parametrize(
    ("target", "wrong"),
    [
        (ANN, "You can't play Loot Food on yourself. You can choose Dee."),
        (BOB, "Bob is in Self-Isolation, safe from Effect cards. You can choose Dee."),
        (CY, "Cy is out of the game. You can choose Dee."),
        (4, "There is no such player. You can choose Dee."),
        (-1, "There is no such player. You can choose Dee."),
    ],
)
def test_a_target_that_nobody_may_name(target: int, wrong: str):
    """[SR-42]"""
    driver = Driver(4, hands={ANN: ["Loot Food"]}, isolation=[BOB], out=[CY])
    loot = Loot(driver.held(ANN, "Loot Food"), Seat(target), driver.owned(DEE, "Food 1"))
    assert wrong == said(driver, loot)


def test_looting_what_is_not_there():
    """[SR-34] [SR-35]"""
    hand, piles = ["Loot Food", "Loot Any Supply"], {BOB: ["F3", "F1", "T2"], CY: ["T1"], ANN: []}
    driver = Driver(hands={ANN: hand}, stockpiles=piles)
    food, any_ = (driver.held(ANN, name) for name in hand)
    loot = Loot(food, CY, driver.owned(CY, "Toilet Paper 1"))
    assert "Cy has no Food. You can choose Bob." == said(driver, loot)
    loot = Loot(food, BOB, driver.owned(BOB, "Toilet Paper 2"))
    assert (
        "Loot Food takes Food here, not Toilet Paper 2. You can take Food 3 or Food 1."
    ) == said(driver, loot)
    loot = Loot(any_, BOB, box_id("Food 4"))
    assert ("Bob has no Food 4. You can take Food 3, Food 1 or Toilet Paper 2.") == said(
        driver, loot
    )
    nobody = Driver(hands={ANN: ["Loot Any Supply"]}, stockpiles={BOB: [], CY: []})
    loot = Loot(nobody.held(ANN, "Loot Any Supply"), BOB, "S01")
    assert (
        "Bob has no Food, Toilet Paper or Infection Prevention. There is nobody now on whom "
        "you can play Loot Any Supply."
    ) == said(nobody, loot)


def test_trading_what_is_not_there():
    """[SR-37]"""
    piles = {ANN: ["F1", "T3"], BOB: ["F2"], CY: []}
    driver = Driver(hands={ANN: ["Trading Station"]}, stockpiles=piles)
    card, own = driver.held(ANN, "Trading Station"), driver.owned(ANN, "Food 1")
    theirs = driver.owned(BOB, "Food 2")
    assert ("Cy has no supplies to trade. You can choose Bob.") == said(
        driver, Trade(card, CY, own, theirs)
    )
    assert ("You have no Food 2 in your stockpile. You can give Food 1 or Toilet Paper 3.") == said(
        driver, Trade(card, BOB, theirs, theirs)
    )
    assert ("Bob has no Food 1. You can take Food 2.") == said(driver, Trade(card, BOB, own, own))
    poor = Driver(hands={ANN: ["Trading Station"]}, stockpiles={ANN: []})
    trade = Trade(poor.held(ANN, "Trading Station"), BOB, "S01", poor.owned(BOB, "Food 1"))
    assert (
        "You have no supplies to trade. There is nobody now on whom you can play Trading Station."
    ) == said(poor, trade)


def test_nosey_neighbour_where_it_cannot_look():
    """[SR-41] S-G15"""
    piles = {BOB: ["T1"], CY: ["F1"]}
    driver = Driver(hands={ANN: ["Nosey Neighbour"]}, locations={CY: "outdoor"}, stockpiles=piles)
    card = driver.held(ANN, "Nosey Neighbour")
    assert (
        "Bob is Indoors. Nosey Neighbour works only on players who are Outdoors. You can choose Cy."
    ) == said(driver, Nosey(card, BOB, "Food"))
    assert (
        "Cy has no Toilet Paper. "
        "There is nobody now on whom you can play Nosey Neighbour for Toilet Paper."
    ) == said(driver, Nosey(card, CY, "Toilet Paper"))
    assert (
        "Nosey Neighbour makes a player discard all Food or all Toilet Paper. Which of them?"
    ) == said(driver, Nosey(card, CY, "Infection Prevention"))


def test_a_location_switch_on_oneself():
    """[SR-38]"""
    driver = Driver(hands={ANN: ["Location Switch"]})
    assert ("You can't play Location Switch on yourself. You can choose Bob or Cy.") == said(
        driver, Switch(driver.held(ANN, "Location Switch"), ANN)
    )


def test_a_second_self_isolation():
    """[SR-44] S-G28"""
    driver = Driver(hands={ANN: ["Self-Isolation"]}, isolation=[ANN], action=2)
    assert ("Your Self-Isolation is in play already, until your next turn." + MOVES) == said(
        driver, Isolate(driver.held(ANN, "Self-Isolation"))
    )


def test_a_swap_shop_without_its_price_or_its_shop():
    """[SR-46] [SR-47]"""
    driver = Driver(hands={ANN: ["Swap Shop", "Stock Up 1"]})
    shop, stock = driver.held(ANN, "Swap Shop"), driver.held(ANN, "Stock Up 1")
    needs = "Swap Shop goes together with another Effect card"
    assert f"{needs}. Choose that one." == said(driver, Swap(shop, shop))
    assert (f"Stock Up 1 isn't an Effect card. {needs}.") == said(driver, Swap(shop, stock))
    assert (f"{needs}, and you have none." + MOVES) == said(
        driver, Swap(shop, box_id("Reflection"))
    )
    rich = Driver(hands={ANN: ["Swap Shop", "Reflection", "Nice Try!"]})
    assert (
        "You have no Loot Food card. With Swap Shop you can discard Reflection or Nice Try!"
    ) == said(rich, Swap(rich.held(ANN, "Swap Shop"), box_id("Loot Food")))
    empty = Driver(hands={ANN: ["Swap Shop", "Reflection"]}, supplies=[])
    swap = Swap(empty.held(ANN, "Swap Shop"), empty.held(ANN, "Reflection"))
    assert ("The Supplies deck is empty, so nobody can play Swap Shop." + MOVES) == said(
        empty, swap
    )


def test_giving_up_a_supply_of_the_wrong_kind():
    """[SR-12]"""
    pile = {ANN: ["F1", "T2", "F3"], BOB: ["F4"], CY: []}
    driver = Driver(stockpiles=pile, indoor_top=["Snack Attack"])
    driver.when(ANN, Draw())
    right = "You can give up Food 1 or Food 3."
    paper = driver.owned(ANN, "Toilet Paper 2")
    assert f"Snack Attack takes Food only. {right}" == said(driver, GiveUp(paper))
    foreign = driver.owned(BOB, "Food 4")
    assert f"You have no Food 4 in your stockpile. {right}" == said(driver, GiveUp(foreign))
    assert f"There is no such card. {right}" == said(driver, GiveUp("X99"))
