"""What a seat of stockpile may not do: `check` and the list of plays agree, and what is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.variants.stockpile_game import ANN, BOB, BOX, CY, DEE, STOCKPILE, Game, Story
from variants.contract import IllegalAction, Seat
from variants.stockpile.actions import (
    ACTION_TYPES,
    Action,
    Discard,
    Draw,
    End,
    GiveUp,
    Go,
    Isolate,
    Loot,
    NiceTry,
    Nosey,
    Pass,
    Reflect,
    Stock,
    Swap,
    Switch,
    Trade,
)
from variants.stockpile.cards import titled
from variants.stockpile.check import check
from variants.stockpile.moves import legal_actions
from variants.stockpile.view import View

NAMES = ("Ann", "Bob", "Cy", "Dee")
MOVES = " Type moves to see what you can do."
STUCK = ["Nice Try!"] * 5 + ["Reflection"] * 3
OWN = ("You hold no ", "You can play a card, so", "Swap Shop goes together with another Effect")
"""How the refusals begin that depend on the own cards."""


def refusal(view: View, action: Action) -> str:
    """What is said of it; "" if it is legal."""
    try:
        check(view, action)
    except IllegalAction as refused:
        return refused.say(NAMES[: len(view.seats)])
    return ""


def said(story: Story, action: Action, seat: Seat = ANN) -> str:
    found = refusal(story.view(seat), action)
    assert found and "{" not in found
    return found


def box_id(name: str, deck: str = "") -> str:
    return next(c.id for c in BOX.all if titled(c) == name and deck in ("", c.deck))


# -- over whole games ------------------------------------------------------------------------------


def meant(view: View, action: Any) -> tuple[object, ...]:
    """The action with its cards by name and place: equal for equal copies.  [S1]"""
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
    cards = [card.id for card in view.hand] + [c.id for c in random.sample(view.decks.all, 3)]
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
    """Whether each field is of its declared type: the house reads no others."""
    if isinstance(action, Reflect):
        return True
    return None not in [getattr(action, name) for name in type(action).__slots__]


@pytest.mark.parametrize("number", range(9))
def test_check_accepts_what_is_listed_and_its_copies_and_nothing_else(number: int):
    game, random = Game(2 + number % 3, 40 + number), Random(number)
    refused = accepted = 0
    while not game.is_over:
        view = STOCKPILE.observe(game.state, game.state.asked)
        legal = {meant(view, action) for action in legal_actions(view)}
        for action in filter(is_typed, attempts(view, random)):
            is_legal = meant(view, action) in legal
            sentence = refusal(view, action)
            assert is_legal == (sentence == ""), (action, sentence)
            accepted, refused = accepted + is_legal, refused + (not is_legal)
        game.step()
    assert accepted > 50 and refused > 500


@pytest.mark.parametrize("number", range(3))
def test_whoever_is_not_asked_is_refused_everything(number: int):
    game = Game(2 + number, number)
    while not game.is_over:
        for seat in (*range(len(game.state.players)), None):
            view = STOCKPILE.observe(game.state, None if seat is None else Seat(seat))
            if seat == view.asked:
                continue
            for kind in ACTION_TYPES:
                values = {"card": "I21", "other": "I22", "take": "S01", "give": "S02", "target": 0}
                values |= {"supply": "Food", "draws": True, "to": "indoor"}
                assert refusal(view, kind(**{name: values[name] for name in kind.__slots__}))
        game.step()


@pytest.mark.parametrize("number", range(6))
def test_until_the_own_cards_matter_a_refusal_says_the_same_whatever_is_held(number: int):
    """[G-12] [G-03]"""
    game, random = Game(2 + number % 3, 60 + number), Random(number)
    same = 0
    while not game.is_over:
        view = STOCKPILE.observe(game.state, game.state.asked)
        for action in filter(is_typed, attempts(view, random)):
            sentence = refusal(view, action)
            if sentence and not sentence.startswith(OWN):
                assert sentence == refusal(replace(view, hand=()), action)
                same += 1
        game.step()
    assert same > 500


# -- not yours to play -----------------------------------------------------------------------------


def test_when_it_is_not_your_turn():
    story = Story()
    assert "It is Ann's turn. Wait until it is yours." == said(story, Draw(), BOB)
    over = Story(2, indoor=[])
    assert said(over, Draw()).startswith("The game is over.")
    watched = STOCKPILE.observe(story.state, None)
    assert refusal(watched, Draw()).startswith("You are watching.")
    fallen = Story(4, out=[BOB])
    assert said(fallen, Draw(), BOB).startswith("You are infected and out of this game.")


def test_an_answer_comes_when_asked_and_not_too_late():
    """[SR-56]"""
    story = Story(hands={ANN: ["Nice Try!"], BOB: ["Nice Try!"]})
    when = "You can answer only while you are asked, right after a card was played against you."
    late = NiceTry(story.held(BOB, "Nice Try!"))
    assert f"{when} Now Ann is to play." == said(story, late, BOB)
    assert f"{when} Now Ann is to play." == said(story, Pass(), BOB)
    assert ("Nothing was played against you, so there is nothing to answer now." + MOVES) == said(
        story, NiceTry(story.held(ANN, "Nice Try!"))
    )
    assert ("There is nothing to answer, and no action can be passed." + MOVES) == said(
        story, Pass()
    )


def looted(**position: Any) -> Story:
    """Ann loots Food from Bob, who is asked."""
    hands = {ANN: ["Loot Food", "Nice Try!"], BOB: ["Nice Try!", "Reflection", "Swap Shop"]}
    story = Story(hands={**hands, **position.pop("hands", {})}, **position)
    story.when(ANN, Loot(story.held(ANN, "Loot Food"), BOB, story.owned(BOB, "Food 1")))
    return story


def test_who_is_asked_something_else_is_told_what():
    story = looted()
    assert (
        "Ann played Loot Food against you. Answer that first: pass, nice try or reflect."
    ) == said(story, Draw(), BOB)
    assert "Now Bob is to answer. Wait until it is you." == said(story, Draw(), ANN)
    story.when(BOB, NiceTry(story.held(BOB, "Nice Try!")))
    assert (
        "Bob played Nice Try! against you. Answer that first: pass, nice try or reflect."
    ) == said(story, Draw(), ANN)
    losing = Story(stockpiles={ANN: ["F1", "F3"]}, indoor_top=["Binge Watch"])
    losing.when(ANN, Draw())
    assert (
        "Binge Watch takes one of your supplies first. Say which one: Food 1 or Food 3."
    ) == said(losing, Draw())
    ending = Story(action=3, hands={ANN: ["Stock Up 1"]})
    ending.when(ANN, Stock(ending.held(ANN, "Stock Up 1")))
    assert (
        "Your actions are used. Now say where you will be in your next turn: in, out or stay."
    ) == said(ending, Draw())
    assert "There are two places to be. Say in, out or stay." == said(ending, Go("garden"))


def test_nothing_is_given_up_and_nowhere_gone_before_it_is_asked():
    story = Story()
    assert "No card takes a supply from you now." + MOVES == said(story, GiveUp("S01"))
    assert (
        "You choose where to be at the end of your turn, after your last action." + MOVES
    ) == said(story, Go("outdoor"))


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


# -- answers ---------------------------------------------------------------------------------------


def test_an_answer_that_is_not_held():
    story = looted(hands={BOB: ["Swap Shop"]})
    hold = "You hold no {} card. Your hand: Swap Shop."
    assert hold.format("Nice Try!") == said(story, NiceTry(box_id("Nice Try!")), BOB)
    mirror = Reflect(box_id("Reflection"), CY, take=story.owned(CY, "Food 1"))
    assert hold.format("Reflection") == said(story, mirror, BOB)
    swap = story.held(BOB, "Swap Shop")
    assert "Swap Shop is not a Nice Try! card." + MOVES == said(story, NiceTry(swap), BOB)
    assert "Swap Shop is not a Reflection." + MOVES == said(story, Reflect(swap, CY), BOB)


def test_a_reflection_that_would_hit_nobody():
    """[SR-66]"""
    story = looted(stockpiles={ANN: [], CY: ["T1"]})
    assert (
        "There is nobody whom Loot Food could hit when you reflect it. You can pass, or play a "
        "Nice Try! if you hold one."
    ) == said(story, Reflect(story.held(BOB, "Reflection"), CY, take="S01"), BOB)


def test_a_reflection_that_names_too_little_or_too_much():
    """[SR-36] [SR-61]"""
    story = looted(stockpiles={ANN: ["F2"], CY: ["F3", "T1"]})
    card = story.held(BOB, "Reflection")
    assert ("Say whom the reflected Loot Food is to hit. You can name Ann or Cy.") == said(
        story, Reflect(card), BOB
    )
    assert ("You cannot play Loot Food on yourself. You can name Ann or Cy.") == said(
        story, Reflect(card, BOB, take="S01"), BOB
    )
    assert ("To reflect Loot Food, name the player and the supply that you take." + MOVES) == said(
        story, Reflect(card, CY), BOB
    )
    assert ("Loot Food takes Food here, not Toilet Paper 1. You can take Food 3.") == said(
        story, Reflect(card, CY, take=story.owned(CY, "Toilet Paper 1")), BOB
    )
    paper = story.owned(CY, "Toilet Paper 1")
    assert said(story, Reflect(card, CY, paper, paper), BOB).startswith("To reflect Loot Food")


def test_a_reflection_of_a_trade_names_both_supplies():
    """[SR-37]"""
    hands = {ANN: ["Trading Station", "Location Switch"], BOB: ["Reflection"]}
    story = Story(hands=hands, stockpiles={BOB: ["F1"], CY: ["P3"], ANN: ["T1"]})
    own, theirs = story.owned(ANN, "Toilet Paper 1"), story.owned(BOB, "Food 1")
    story.when(ANN, Trade(story.held(ANN, "Trading Station"), BOB, own, theirs))
    card, taken = story.held(BOB, "Reflection"), story.owned(CY, "Infection Prevention 3")
    assert (
        "To reflect Trading Station, name the player, your supply and the supply that you take."
        + MOVES
    ) == said(story, Reflect(card, CY, take=taken), BOB)
    assert ("You have no Toilet Paper 1 in your stockpile. You can give Food 1.") == said(
        story, Reflect(card, CY, own, taken), BOB
    )


def test_a_reflected_switch_names_the_player_alone():
    hands = {ANN: ["Location Switch"], BOB: ["Reflection"]}
    story = Story(hands=hands)
    story.when(ANN, Switch(story.held(ANN, "Location Switch"), BOB))
    mirror = Reflect(story.held(BOB, "Reflection"), CY, take=story.owned(CY, "Food 1"))
    assert ("To reflect Location Switch, name the player alone." + MOVES) == said(
        story, mirror, BOB
    )


def test_a_reflection_against_a_counter_names_nobody():
    """[SR-59]"""
    story = looted(hands={ANN: ["Loot Food", "Reflection"]})
    story.when(BOB, NiceTry(story.held(BOB, "Nice Try!")))
    assert (
        "A Reflection against Nice Try! only turns it away, and hits nobody. Type reflect alone."
    ) == said(story, Reflect(story.held(ANN, "Reflection"), CY), ANN)
