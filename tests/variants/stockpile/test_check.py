"""What a seat of stockpile may not do: the list of plays agrees; out of turn; as an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, MOVES, Game, refusal, said
from tests.variants.stockpile.driver import STOCKPILE, Driver, box_id, looted
from variants.contract import Seat
from variants.stockpile.actions import (
    ACTION_TYPES,
    Draw,
    GiveUp,
    Go,
    NiceTry,
    Pass,
    Reflect,
    Stock,
    Swap,
    Switch,
    Trade,
)
from variants.stockpile.legal_actions import legal_actions
from variants.stockpile.view import View

# -- over whole games ------------------------------------------------------------------------------

OWN = re.compile(
    "You have no .+ card[.] |You can play a card, so|Swap Shop goes together with another Effect"
)
"""How the refusals begin that depend on the own cards."""


def meant(view: View, action: Any) -> tuple[object, ...]:
    """The action with its cards by name and place: equal for equal copies."""
    places: dict[str, object] = {}
    for seat, other in enumerate(view.seats):
        places |= {c.id: (seat, c.name, c.number) for c in other.stockpile}
    places |= {c.id: ("hand", c.name, c.number) for c in view.hand}
    fields = [getattr(action, name) for name in type(action).__slots__]
    if isinstance(action, Swap) and action.card == action.other:
        return ("the same card twice",)
    return (type(action), *(places.get(f, f) if isinstance(f, str) else f for f in fields))


def attempts(view: View, random: Random) -> Iterator[Any]:
    """Plays of all kinds, most of them wrong in one thing or more."""
    cards = [card.id for card in view.hand] + [c.id for c in random.sample(view.decks.all_cards, 3)]
    supplies = [c.id for seat in view.seats for c in seat.stockpile] + cards
    seats = range(-1, len(view.seats) + 1)
    values: dict[str, Any] = {
        "card": [*cards, *supplies, "X99"],
        "other": cards,
        "target": [*seats, None],
        "give": [*supplies, None],
        "take": [*supplies, None],
        "supply": ["Food", "Toilet Paper", "Infection Prevention", ""],
        "draws": [True, False],
        "to": ["indoor", "outdoor", "garden"],
    }
    for listed in legal_actions(view):
        yield listed
        if names := type(listed).__slots__:
            name = random.choice(names)
            yield replace(listed, **{name: random.choice(values[name])})
    for kind in ACTION_TYPES:
        for _ in range(6):
            yield kind(**{name: random.choice(values[name]) for name in kind.__slots__})


def is_typed(action: Any) -> bool:
    """Whether each field is of its declared type: the server reads no others."""
    if isinstance(action, Reflect):
        return True
    return None not in [getattr(action, name) for name in type(action).__slots__]


@pytest.mark.parametrize("number", range(9))
def test_check_accepts_what_is_listed_and_its_copies_and_nothing_else(number: int):
    game, random = Game(STOCKPILE, 2 + number % 3, 40 + number), Random(number)
    refused = accepted = 0
    while not game.is_over:
        view = STOCKPILE.observe(game.state, game.state.asked)
        legal = {meant(view, action) for action in legal_actions(view)}
        for action in filter(is_typed, attempts(view, random)):
            is_legal = meant(view, action) in legal
            sentence = refusal(STOCKPILE, view, action)
            assert is_legal == (sentence == ""), (action, sentence)
            accepted, refused = accepted + is_legal, refused + (not is_legal)
        game.step()
    assert accepted > 50 and refused > 500


@pytest.mark.parametrize("number", range(3))
def test_whoever_is_not_asked_is_refused_everything(number: int):
    game = Game(STOCKPILE, 2 + number, number)
    while not game.is_over:
        for seat in (*range(len(game.state.players)), None):
            view = STOCKPILE.observe(game.state, None if seat is None else Seat(seat))
            if seat == view.asked:
                continue
            for kind in ACTION_TYPES:
                values = {"card": "I21", "other": "I22", "take": "S01", "give": "S02", "target": 0}
                values |= {"supply": "Food", "draws": True, "to": "indoor"}
                assert refusal(
                    STOCKPILE, view, kind(**{name: values[name] for name in kind.__slots__})
                )
        game.step()


@pytest.mark.parametrize("number", range(6))
def test_until_the_own_cards_matter_a_refusal_says_the_same_whatever_is_held(number: int):
    """[G-12] [G-03]"""
    game, random = Game(STOCKPILE, 2 + number % 3, 60 + number), Random(number)
    same = 0
    while not game.is_over:
        view = STOCKPILE.observe(game.state, game.state.asked)
        for action in filter(is_typed, attempts(view, random)):
            sentence = refusal(STOCKPILE, view, action)
            if sentence and not OWN.match(sentence):
                assert sentence == refusal(STOCKPILE, replace(view, hand=()), action)
                same += 1
        game.step()
    assert same > 500


# -- not yours to play -----------------------------------------------------------------------------


def test_when_it_is_not_your_turn():
    driver = Driver()
    assert "It's Ann's turn." == said(driver, Draw(), BOB)
    over = Driver(2, indoor=[])
    assert said(over, Draw()).startswith("The game is over.")
    watched = STOCKPILE.observe(driver.state, None)
    assert refusal(STOCKPILE, watched, Draw()).startswith("You are watching, so")
    fallen = Driver(4, out=[BOB])
    assert said(fallen, Draw(), BOB).startswith("You are out of this game.")


def test_an_answer_comes_when_asked_and_not_too_late():
    """[SR-56]"""
    driver = Driver(hands={ANN: ["Nice Try!"], BOB: ["Nice Try!"]})
    when = "You can respond only when a card has been played on you."
    late = NiceTry(driver.held(BOB, "Nice Try!"))
    assert f"{when} Waiting for Ann to play." == said(driver, late, BOB)
    assert f"{when} Waiting for Ann to play." == said(driver, Pass(), BOB)
    assert ("Nothing was played on you, so there is nothing to respond to." + MOVES) == said(
        driver, NiceTry(driver.held(ANN, "Nice Try!"))
    )
    assert ("You can't skip an action." + MOVES) == said(driver, Pass())


def test_who_is_asked_something_else_is_told_what():
    driver = looted()
    assert ("First respond to Ann's Loot Food: nice try, reflect or pass.") == said(
        driver, Draw(), BOB
    )
    assert "Waiting for Bob to answer." == said(driver, Draw(), ANN)
    driver.when(BOB, NiceTry(driver.held(BOB, "Nice Try!")))
    assert ("First respond to Bob's Nice Try!: nice try, reflect or pass.") == said(
        driver, Draw(), ANN
    )
    losing = Driver(stockpiles={ANN: ["F1", "F3"]}, indoor_top=["Binge Watch"])
    losing.when(ANN, Draw())
    assert ("Binge Watch costs you one supply. Which one: Food 1 or Food 3?") == said(
        losing, Draw()
    )
    ending = Driver(action=3, hands={ANN: ["Stock Up 1"]})
    ending.when(ANN, Stock(ending.held(ANN, "Stock Up 1")))
    assert ("You have used your three actions. Where to next turn: in, out or stay?") == said(
        ending, Draw()
    )
    assert "There are two locations. Type in, out or stay" == said(ending, Go("garden"))


def test_nothing_is_given_up_and_nowhere_gone_before_it_is_asked():
    driver = Driver()
    assert "No card costs you a supply now." + MOVES == said(driver, GiveUp("S01"))
    assert ("You choose your location after your last action." + MOVES) == said(
        driver, Go("outdoor")
    )


# -- answers ---------------------------------------------------------------------------------------


def test_an_answer_that_is_not_held():
    driver = looted(hands={BOB: ["Swap Shop"]})
    hold = "You have no {} card. Your hand: Swap Shop."
    assert hold.format("Nice Try!") == said(driver, NiceTry(box_id("Nice Try!")), BOB)
    mirror = Reflect(box_id("Reflection"), CY, take=driver.owned(CY, "Food 1"))
    assert hold.format("Reflection") == said(driver, mirror, BOB)
    swap = driver.held(BOB, "Swap Shop")
    assert "Swap Shop isn't a Nice Try! card." + MOVES == said(driver, NiceTry(swap), BOB)
    assert "Swap Shop isn't a Reflection." + MOVES == said(driver, Reflect(swap, CY), BOB)


def test_a_reflection_that_would_hit_nobody():
    """[SR-66]"""
    driver = looted(stockpiles={ANN: [], CY: ["T1"]})
    assert (
        "There is nobody on whom you can turn Loot Food. You can pass, or play a "
        "Nice Try! if you have one."
    ) == said(driver, Reflect(driver.held(BOB, "Reflection"), CY, take="S01"), BOB)


def test_a_reflection_that_names_too_little_or_too_much():
    """[SR-36] [SR-61]"""
    driver = looted(stockpiles={ANN: ["F2"], CY: ["F3", "T1"]})
    card = driver.held(BOB, "Reflection")
    assert ("On whom do you turn Loot Food? You can choose Ann or Cy.") == said(
        driver, Reflect(card), BOB
    )
    assert ("You can't play Loot Food on yourself. You can choose Ann or Cy.") == said(
        driver, Reflect(card, BOB, take="S01"), BOB
    )
    assert (
        "To reflect Loot Food, choose the player and the supply that you take." + MOVES
    ) == said(driver, Reflect(card, CY), BOB)
    assert ("Loot Food takes Food here, not Toilet Paper 1. You can take Food 3.") == said(
        driver, Reflect(card, CY, take=driver.owned(CY, "Toilet Paper 1")), BOB
    )
    paper = driver.owned(CY, "Toilet Paper 1")
    assert said(driver, Reflect(card, CY, paper, paper), BOB).startswith("To reflect Loot Food")


def test_a_reflection_of_a_trade_names_both_supplies():
    """[SR-37]"""
    hands = {ANN: ["Trading Station", "Location Switch"], BOB: ["Reflection"]}
    driver = Driver(hands=hands, stockpiles={BOB: ["F1"], CY: ["P3"], ANN: ["T1"]})
    own, theirs = driver.owned(ANN, "Toilet Paper 1"), driver.owned(BOB, "Food 1")
    driver.when(ANN, Trade(driver.held(ANN, "Trading Station"), BOB, own, theirs))
    card, taken = driver.held(BOB, "Reflection"), driver.owned(CY, "Infection Prevention 3")
    assert (
        "To reflect Trading Station, choose the player, your supply and the supply that you take."
        + MOVES
    ) == said(driver, Reflect(card, CY, take=taken), BOB)
    assert ("You have no Toilet Paper 1 in your stockpile. You can give Food 1.") == said(
        driver, Reflect(card, CY, own, taken), BOB
    )


def test_a_reflected_switch_names_the_player_alone():
    hands = {ANN: ["Location Switch"], BOB: ["Reflection"]}
    driver = Driver(hands=hands)
    driver.when(ANN, Switch(driver.held(ANN, "Location Switch"), BOB))
    mirror = Reflect(driver.held(BOB, "Reflection"), CY, take=driver.owned(CY, "Food 1"))
    assert ("To reflect Location Switch, choose the player alone." + MOVES) == said(
        driver, mirror, BOB
    )


def test_a_reflection_against_a_counter_names_nobody():
    """[SR-59]"""
    driver = looted(hands={ANN: ["Loot Food", "Reflection"]})
    driver.when(BOB, NiceTry(driver.held(BOB, "Nice Try!")))
    assert ("A Reflection of Nice Try! only cancels it. Type: reflect") == said(
        driver, Reflect(driver.held(ANN, "Reflection"), CY), ANN
    )
