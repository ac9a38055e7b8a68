"""What happened in a stockpile game, as people read it."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from tests.variants.driver import ANN, BOB, CY, Game, of_kind
from tests.variants.stockpile.driver import BOX, STOCKPILE, Driver
from variants.contract import Seat
from variants.kit.text import Style, plain_text
from variants.stockpile import events as e
from variants.stockpile.actions import Loot, NiceTry, Pass, Reflect
from variants.stockpile.data.cards import Card, Settings, card_title
from variants.stockpile.view import Effect

NAMES = ("Ann", "Bob", "Cy", "Dee")


def card(name: str) -> Card:
    """A card of the box by its id, or its name with its number."""
    return next(card for card in BOX.all_cards if name in (card.id, card_title(card)))


FOOD_1, FOOD_3, PAPER_1, PREVENTION_2 = map(
    card, ("Food 1", "Food 3", "Toilet Paper 1", "Infection Prevention 2")
)
SNACK, INFECTION, RED_HANDED = map(card, ("Snack Attack", "Infection", "Caught Red Handed"))
LOOT, NICE, REFLECTION, SWITCH, TRADING, NOSEY, ISOLATION, SWAP, STOCK_2 = map(
    card,
    ("Loot Food", "Nice Try!", "Reflection", "Location Switch", "Trading Station",
     "Nosey Neighbour", "Self-Isolation", "Swap Shop", "Stock Up 2"),
)  # fmt: skip
LOOTING = Effect(LOOT, ANN, BOB, "Food", None, FOOD_3)
REFLECTED = Effect(REFLECTION, BOB, CY, "Food", None, FOOD_1)
START = (FOOD_1, PAPER_1, PREVENTION_2)
SILENT = {
    e.ActionOpened: "the board and the status line say who is to play",
    e.LocationOpened: "so they do of who is to choose, and what is chosen is told",
    e.GiveUpOpened: "ImpactDrawn says what is taken, SupplyLost what went",
}
SET_UP = e.PositionArranged(
    BOX, ANN, 1, 1, (), ("indoor", "indoor"), (), (None, None), ((), ()), ((NICE,), None),
    ((1, 0), (0, 1)), ((), (), ()), None, None, None, (35, 34, 34),
)  # fmt: skip

SENTENCES = [
    (e.GameBegun(BOX, 3), "A game of 3 players begins.", "A game of 3 players begins."),
    (e.GameBegun(BOX, 3, Settings(1, "restart")),
     "A game of 3 players begins. An Infection does nothing in the first round. Nobody is out:"
     " who is infected discards everything and plays on.", None),
    (e.Dealt((START,) * 3, None, None, None, (26, 35, 35)),
     "Everybody is Indoors with Food 1, Toilet Paper 1, Infection Prevention 2."
     " The decks: 35 Indoor, 35 Outdoor, 26 Supplies.", None),
    (e.TurnStarted(ANN, 7), "Turn 7: your turn.", "Turn 7: Ann's turn."),
    (e.IsolationEnded(ANN, ISOLATION), "Your Self-Isolation ends.", "Ann's Self-Isolation ends."),
    (e.CardDrawn(ANN, "outdoor", STOCK_2), "You draw Stock Up 2.", "Ann draws an Outdoor card."),
    (e.CardDrawn(ANN, "indoor", NICE), "You draw Nice Try!", "Ann draws an Indoor card."),
    (e.ImpactDrawn(ANN, SNACK), "You draw Snack Attack: it costs one Food.",
     "Ann draws Snack Attack: it costs one Food."),
    (e.ImpactDrawn(ANN, INFECTION), "You draw an Infection.",
     "Ann draws an Infection."),
    (e.SupplyLost(ANN, FOOD_1, SNACK), "You lose Food 1.", "Ann loses Food 1."),
    (e.NothingLost(ANN, RED_HANDED), "You have no Infection Prevention: nothing happens.",
     "Ann has no Infection Prevention: nothing happens."),
    (e.ImpactDrawn(ANN, INFECTION, is_harmless=True), None, None),
    (e.NothingLost(ANN, INFECTION, 1),
     "You draw an Infection. It does nothing in the first round.",
     "Ann draws an Infection. It does nothing in the first round."),
    (e.NothingLost(ANN, INFECTION, 2),
     "You draw an Infection. It does nothing in the first two rounds.",
     "Ann draws an Infection. It does nothing in the first two rounds."),
    (e.Relocated(ANN, "outdoor", "impact", False, False), "You have none, so you must go Outdoors.",
     "Ann has none, so Ann must go Outdoors."),
    (e.Relocated(ANN, "outdoor", "impact", True, True),
     "You have none, so you must go Outdoors and stay there for the whole next turn.",
     "Ann has none, so Ann must go Outdoors and stay there for the whole next turn."),
    (e.Relocated(ANN, "outdoor", "switch", False, False), "You are switched Outdoors.",
     "Ann is switched Outdoors."),
    (e.Relocated(ANN, "indoor", "switch", False, True),
     "You are switched Indoors and can't choose at the end of this turn.",
     "Ann is switched Indoors and can't choose at the end of this turn."),
    (e.Relocated(ANN, "outdoor", "chosen", False, False), "You go Outdoors.",
     "Ann goes Outdoors."),
    (e.Relocated(ANN, "indoor", "kept", False, False), "You stay Indoors.", "Ann stays Indoors."),
    (e.Tested(ANN, card("I03"), False),
     f"You have no Infection Prevention, so you are tested: {card_title(card('I03'))} is negative."
     " You're safe. It costs one Food.",
     f"Ann has no Infection Prevention, so Ann is tested: {card_title(card('I03'))} is negative."
     " Ann is safe. It costs one Food."),
    (e.Tested(ANN, NICE, False),
     "You have no Infection Prevention, so you are tested: Nice Try! is negative. You're safe.",
     "Ann has no Infection Prevention, so Ann is tested: Nice Try! is negative. Ann is safe."),
    (e.Tested(ANN, INFECTION, True),
     "You have no Infection Prevention, so you are tested: Infection is positive.",
     "Ann has no Infection Prevention, so Ann is tested: Infection is positive."),
    (e.Tested(ANN, None, True), "No card is left for a test, which counts as positive.",
     "No card is left for a test, which counts as positive."),
    (e.TestKept(ANN, STOCK_2), "You keep Stock Up 2.", "Ann keeps Stock Up 2."),
    (e.Eliminated(ANN, (NICE,), (FOOD_1,), ISOLATION),
     "You are infected and out of the game. Discarded: Nice Try!, Food 1, Self-Isolation.",
     "Ann is infected and out of the game. Discarded: Nice Try!, Food 1, Self-Isolation."),
    (e.Eliminated(ANN, (), (), None), "You are infected and out of the game.",
     "Ann is infected and out of the game."),
    (e.StartedAgain(ANN, (NICE,), (FOOD_1,), ISOLATION),
     "You are infected and start again with nothing. Discarded: Nice Try!, Food 1, Self-Isolation.",
     "Ann is infected and starts again with nothing."
     " Discarded: Nice Try!, Food 1, Self-Isolation."),
    (e.StartedAgain(ANN, (), (), None), "You are infected and start again with nothing.",
     "Ann is infected and starts again with nothing."),
    (e.StockPlayed(ANN, STOCK_2), "You play Stock Up 2.", "Ann plays Stock Up 2."),
    (e.SupplyDrawn(ANN, FOOD_3), "You draw Food 3.", "Ann draws Food 3."),
    (e.SupplyDrawn(ANN, card("Sold Out")), "You draw Sold Out (worth nothing).",
     "Ann draws Sold Out (worth nothing)."),
    (e.IsolationPlayed(ANN, ISOLATION), "You play Self-Isolation.", "Ann plays Self-Isolation."),
    (e.SwapPlayed(ANN, SWAP, NICE), "You play Swap Shop and discard Nice Try!",
     "Ann plays Swap Shop and discards Nice Try!"),
    (e.CardDiscarded(ANN, REFLECTION), "You discard Reflection.", "Ann discards Reflection."),
    (e.EffectPlayed(BOB, LOOT, ANN, "Food", None, FOOD_3),
     "Bob plays Loot Food on you, for your Food 3.",
     "Bob plays Loot Food on Ann, for Ann's Food 3."),
    (e.EffectPlayed(ANN, TRADING, BOB, "", PAPER_1, FOOD_3),
     "You play Trading Station on Bob, to swap Toilet Paper 1 for Bob's Food 3.",
     "Ann plays Trading Station on Bob, to swap Toilet Paper 1 for Bob's Food 3."),
    (e.EffectPlayed(ANN, SWITCH, BOB, "", None, None), "You play Location Switch on Bob.",
     "Ann plays Location Switch on Bob."),
    (e.EffectPlayed(BOB, NOSEY, ANN, "Food", None, None),
     "Bob plays Nosey Neighbour on you, against all your Food.",
     "Bob plays Nosey Neighbour on Ann, against all Ann's Food."),
    (e.ReactionOpened(ANN, LOOT, BOB), "Respond to Bob's Loot Food with nice try, reflect or pass.",
     "Waiting for Ann's response to Bob's Loot Food."),
    (e.ReactionOpened(BOB, NICE, ANN), "Waiting for Bob's response to your Nice Try!",
     "Waiting for Bob's response to Ann's Nice Try!"),
    (e.Passed(ANN), "You pass.", "Ann passes."),
    (e.Countered(BOB, NICE, LOOT, ANN), "Bob responds to your Loot Food with Nice Try!",
     "Bob responds to Ann's Loot Food with Nice Try!"),
    (e.Countered(ANN, REFLECTION, NICE, BOB), "You respond to Bob's Nice Try! with Reflection.",
     "Ann responds to Bob's Nice Try! with Reflection."),
    (e.Reflected(BOB, REFLECTION, ANN, None, FOOD_1),
     "Bob responds with Reflection and turns it on you, for your Food 1.",
     "Bob responds with Reflection and turns it on Ann, for Ann's Food 1."),
    (e.Reflected(ANN, REFLECTION, CY, None, None),
     "You respond with Reflection and turn it on Cy.",
     "Ann responds with Reflection and turns it on Cy."),
    (e.CounterSettled(True, LOOTING, None), "Your Loot Food is cancelled.",
     "Ann's Loot Food is cancelled."),
    (e.CounterSettled(True, REFLECTED, LOOTING),
     "Bob's Reflection is cancelled, so your Loot Food works after all.",
     "Bob's Reflection is cancelled, so Ann's Loot Food works on Bob after all."),
    (e.CounterSettled(False, LOOTING, LOOTING),
     "The response is cancelled, so your Loot Food works after all.",
     "The response is cancelled, so Ann's Loot Food works on Bob after all."),
    (e.Looted(BOB, ANN, FOOD_3), "Bob takes Food 3 from you.", "Bob takes Food 3 from Ann."),
    (e.Traded(BOB, ANN, PAPER_1, FOOD_3), "Bob swaps Toilet Paper 1 for your Food 3.",
     "Bob swaps Toilet Paper 1 for Ann's Food 3."),
    (e.SuppliesDiscarded(ANN, BOB, (FOOD_1, FOOD_3)), "You lose Food 1, Food 3.",
     "Ann loses Food 1, Food 3."),
    (e.DeckEmptied("indoor", ANN), "The Indoor deck is empty, so this is the last turn.", None),
    (e.DeckEmptied("supplies", ANN, is_first=False), "The Supplies deck is empty, too.", None),
    (e.GameEnded("survivor", (ANN,)), "You win! Everybody else is infected.",
     "Ann wins! Everybody else is infected."),
    (e.GameEnded("supplies", (ANN, BOB)),
     "The Supplies deck has run out: you and Bob tie for first place"
     " with the most valuable stockpile.",
     "The Supplies deck has run out: Ann and Bob tie for first place"
     " with the most valuable stockpile."),
    (e.GameEnded("outdoor", (BOB,)),
     "The Outdoor deck has run out: Bob wins with the most valuable stockpile.", None),
    (SET_UP, "The cards are set up. Your hand: Nice Try!", "The cards are set up."),
]  # fmt: skip


def told(event: e.Event, seat: Seat | None) -> str | None:
    line = STOCKPILE.describe_event(STOCKPILE.redact(event, seat), seat, NAMES, Style())
    return None if line is None else plain_text(line)


@pytest.mark.parametrize(("event", "own", "others"), SENTENCES)
def test_an_event_is_one_sentence_for_its_owner_and_one_for_the_others(event, own, others):
    """*others* is None where it is the same sentence."""
    assert (own, others or own) == (told(event, ANN), told(event, None))


def test_every_event_has_a_sentence_or_a_reason_for_none():
    assert set(e.EVENT_TYPES) == {type(event) for event, _, _ in SENTENCES} | set(SILENT)


@pytest.mark.parametrize(
    "event",
    [e.ActionOpened(ANN, 2), e.LocationOpened(ANN), e.GiveUpOpened(ANN, "Food", SNACK)],
)
def test_what_the_board_asks_is_not_told_besides(event):
    assert type(event) in SILENT
    assert [None, None] == [told(event, seat) for seat in (ANN, None)]


def secrets(event: e.Event, seat: Seat | None) -> set[str]:
    """Names of cards that are in the event and not in what *seat* may know of it."""
    known = STOCKPILE.redact(event, seat)
    gone = [field.name for field in fields(event)
            if getattr(event, field.name) != getattr(known, field.name)]  # fmt: skip
    found: set[str] = set()
    for name in gone:
        value = getattr(event, name)
        found |= {card_title(it) for it in (value if isinstance(value, tuple) else [value])}
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_sentence_names_a_card_that_the_reader_may_not_know(seats):
    game, drawn = Game(STOCKPILE, seats, seats), 0
    while not game.is_over:
        game.step()
        for event in of_kind(game.last, e.CardDrawn):
            for reader in (None, *map(Seat, range(seats))):
                sentence = told(event, reader)
                hidden = secrets(event, reader)
                assert sentence is not None
                assert bool(hidden) == (reader != event.seat)
                assert not any(name in sentence for name in hidden)
                drawn += bool(hidden)
    assert drawn


@pytest.mark.parametrize("held", ["Nice Try!", "Reflection", "Self-Isolation"])
def test_who_is_asked_hears_the_same_whatever_the_hand(held):
    """[G-12]"""
    driver = Driver(hands={ANN: ["Loot Food"], BOB: [held]}, stockpiles={BOB: ["Food 3"]})
    last = driver.when(ANN, Loot(driver.held(ANN, "Loot Food"), BOB, driver.owned(BOB, "Food 3")))
    assert [
        "Ann plays Loot Food on you, for your Food 3.",
        "Respond to Ann's Loot Food with nice try, reflect or pass.",
    ] == [told(event, BOB) for event in last]


def test_several_answers_in_one_action_read_as_a_story():
    driver = Driver(
        hands={ANN: ["Loot Food", "Reflection"], BOB: ["Reflection", "Nice Try!"],
               CY: ["Nice Try!"]},
        stockpiles={BOB: ["Food 3"], CY: ["Food 2"]},
    )  # fmt: skip
    heard: list[str] = []

    def does(seat: Seat, action: object) -> None:
        heard.extend(sentence for event in driver.when(seat, action)  # type: ignore[arg-type]
                     if (sentence := told(event, BOB)))  # fmt: skip

    does(ANN, Loot(driver.held(ANN, "Loot Food"), BOB, driver.owned(BOB, "Food 3")))
    does(BOB, Reflect(driver.held(BOB, "Reflection"), CY, take=driver.owned(CY, "Food 2")))
    does(ANN, Pass())
    does(CY, NiceTry(driver.held(CY, "Nice Try!")))
    does(BOB, Pass())
    does(BOB, NiceTry(driver.held(BOB, "Nice Try!")))
    does(ANN, Reflect(driver.held(ANN, "Reflection")))
    assert heard == [
        "Ann plays Loot Food on you, for your Food 3.",
        "Respond to Ann's Loot Food with nice try, reflect or pass.",
        "You respond with Reflection and turn it on Cy, for Cy's Food 2.",
        "Waiting for Ann's response to your Reflection.",
        "Ann passes.",
        "Waiting for Cy's response to your Reflection.",
        "Cy responds to your Reflection with Nice Try!",
        "Respond to Cy's Nice Try! with nice try, reflect or pass.",
        "You pass.",
        "Your Reflection is cancelled, so Ann's Loot Food works on you after all.",
        "Respond to Ann's Loot Food with nice try, reflect or pass.",
        "You respond to Ann's Loot Food with Nice Try!",
        "Waiting for Ann's response to your Nice Try!",
        "Ann responds to your Nice Try! with Reflection.",
        "The response is cancelled, so Ann's Loot Food works on you after all.",
        "Ann takes Food 3 from you.",
    ]


def test_roles_colour_a_sentence_and_say_nothing_alone():
    bad = STOCKPILE.describe_event(e.Tested(ANN, INFECTION, True), None, NAMES, Style())
    good = STOCKPILE.describe_event(e.Tested(ANN, STOCK_2, False), None, NAMES, Style())
    assert bad is not None and good is not None
    assert [("positive", "bad")] == [span for span in bad if span.role == "bad"]
    assert [("negative", "good")] == [span for span in good if span.role == "good"]


def test_the_rules_are_told_in_sentences_that_end():
    for item in STOCKPILE.guide:
        text = item.partition("\t")[2] or item
        assert text.endswith(".") and "  " not in text and "SR-" not in text


def test_a_card_is_kept_open_after_a_test_so_everybody_hears_its_name():
    """[SR-22]"""
    event = e.TestKept(ANN, replace(STOCK_2, test="-"))
    assert "Ann keeps Stock Up 2." == told(event, None) == told(event, BOB)
