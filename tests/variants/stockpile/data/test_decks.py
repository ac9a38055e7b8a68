"""The box of stockpile: what makes one, and what is said of a file that makes none."""

from __future__ import annotations

import json
import pkgutil
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from variants.contract import InvalidData
from variants.stockpile.data.cards import Decks, total_value
from variants.stockpile.data.decks import ID_CHARS_MAX, TEXT_CHARS_MAX, fingerprint, parse_decks

TEXT = (pkgutil.get_data("variants.stockpile", "data/decks.json") or b"").decode()


def refused(text: str) -> str:
    with pytest.raises(InvalidData) as bad:
        parse_decks(text)
    return str(bad.value)


def changed(change: Callable[[Any], object]) -> str:
    """The shipped file with one change made to it."""
    box = json.loads(TEXT)
    change(box)
    return json.dumps(box)


def standard(text: str) -> Decks:
    return parse_decks(text).standard


def card(box: Any, id_: str) -> Any:
    return next(c for cards in box.values() for c in cards if c["id"] == id_)


def with_card(id_: str, **fields: object) -> str:
    return changed(lambda box: card(box, id_).update(fields))


def test_the_shipped_box_is_the_one_of_the_rules():
    decks = standard(TEXT)
    assert [35, 35, 35] == [len(cards) for cards in (decks.supplies, decks.indoor, decks.outdoor)]
    assert 62 == total_value(decks.supplies)
    assert {"+": 17, "-": 18} == Counter(card.test for card in decks.indoor)
    assert {"+": 19, "-": 16} == Counter(card.test for card in decks.outdoor)
    assert {"": 35} == Counter(card.test for card in decks.supplies)
    assert 8 == sum(card.name in ("Nice Try!", "Reflection") for card in decks.indoor)
    drawn = [sum(c.number for c in deck) for deck in (decks.indoor, decks.outdoor)]
    assert [7, 17] == drawn
    assert {"supply": 35, "impact": 26, "stockup": 14, "effect": 30} == Counter(
        card.sort for card in decks.all_cards
    )


def test_a_card_is_read_with_its_back_its_strength_and_its_symbol():
    found = {card.id: card for card in standard(TEXT).all_cards}
    shown = {
        id_: (c.deck, c.name, c.sort, c.number, c.test)
        for id_, c in found.items()
        if id_ in ("S10", "S35", "I01", "O13")
    }
    assert {
        "S10": ("supplies", "Food", "supply", 4, ""),
        "S35": ("supplies", "Sold Out", "supply", 0, ""),
        "I01": ("indoor", "Infection", "impact", 0, "+"),
        "O13": ("outdoor", "Stock Up", "stockup", 1, "-"),
    } == shown


def test_the_fingerprint_knows_the_cards_and_their_order_and_nothing_of_the_spacing():
    whole = fingerprint(standard(TEXT))
    assert 64 == len(whole)
    assert whole == fingerprint(standard(json.dumps(json.loads(TEXT), indent=4)))
    assert whole != fingerprint(standard(with_card("I01", test="negative")))
    assert whole != fingerprint(standard(with_card("S35", name="Food", value=1)))
    assert whole != fingerprint(standard(changed(lambda box: box["indoor"].reverse())))


def test_three_cards_take_the_place_of_impact_cards_indoors():  # [SR-71]
    box = parse_decks(TEXT)
    assert box.indoors is not None
    pairs = zip(box.standard.indoor, box.indoors.indoor, strict=True)
    changed_ = [(old.name, new.name, new.number) for old, new in pairs if old != new]
    assert [
        ("Binge Watch", "Home Delivery", 2),
        ("Sourdough Solution", "Home Delivery", 2),
        ("Feeling Flushed", "Home Delivery", 2),
    ] == changed_
    same = [("id", "deck", "test")] * 35
    for fields, old, new in zip(same, box.standard.indoor, box.indoors.indoor, strict=True):
        assert [getattr(old, f) for f in fields] == [getattr(new, f) for f in fields]
    assert parse_decks(changed(lambda file: file.pop("indoors"))).indoors is None


def test_a_host_may_bring_other_cards():
    """Numbers and symbols are data: an Infection that tests negative, a Stock Up 9."""
    decks = standard(with_card("I01", test="negative"))
    assert "-" == decks.indoor[0].test
    decks = standard(with_card("O13", amount=9))
    assert 9 == next(c.number for c in decks.outdoor if c.id == "O13")


SENTENCES = {
    "nothing": ("", "The file is not JSON: Expecting value, line 1, column 1."),
    "a list": ("[]", "The file is no object. It is one with the decks"),
    "too long": (" " * (TEXT_CHARS_MAX + 1), "The file is too long. At most 100,000 characters"),
    "too deep": ("[" * (TEXT_CHARS_MAX - 1), "The file is nested too deep."),
    "a number without end": ('{"supplies": ' + "9" * 5000 + "}", "a number that is far too long"),
    "a key twice": ('{"indoor": [], "indoor": []}', 'The key "indoor" stands twice'),
    "a deck missing": (
        changed(lambda box: box.pop("outdoor")),
        "The deck outdoor is missing. The file has the decks supplies, indoor and outdoor.",
    ),
    "a deck too many": (changed(lambda box: box.update(garden=[])), '"garden" is no deck.'),
    "a deck that is no list": (
        changed(lambda box: box.update(indoor={})),
        "The deck indoor is no list. It is a list of 35 cards.",
    ),
    "another list that is none": (
        changed(lambda box: box.update(indoors={})),
        "The list indoors is a list of 35 cards at most.",
    ),
    "a card in the place of none": (
        changed(lambda box: box["indoors"][0].update(id="O01")),
        "indoors, card O01: it takes the place of a card of the deck indoor.",
    ),
    "two cards in one place": (
        changed(lambda box: box["indoors"].append(box["indoors"][0])),
        "indoors, card I05: it takes the place of a card of the deck indoor.",
    ),
    "34 cards": (
        changed(lambda box: box["indoor"].pop()),
        "The deck indoor has 34 cards. It needs 35.",
    ),
    "36 cards": (
        changed(lambda box: box["indoor"].append({**box["indoor"][0], "id": "I36"})),
        "The deck indoor has 36 cards. It needs 35.",
    ),
    "an entry that is no card": (
        changed(lambda box: box["supplies"].__setitem__(6, "Food")),
        "supplies, entry 7: this is no card.",
    ),
    "no id": (with_card("I04", id=None), "indoor, entry 4: null is no id."),
    "an id with a space": (with_card("I04", id="I 4"), 'indoor, entry 4: "I 4" is no id.'),
    "an id too long": (with_card("I04", id="I" * (ID_CHARS_MAX + 1)), "is no id. An id is 1 to 12"),
    "an id that controls a terminal": (
        with_card("I04", id="\x1b[2J"),
        r'indoor, entry 4: "\u001b[2J" is no id.',
    ),
    "one id twice": (
        with_card("O04", id="i07"),
        "outdoor, card i07: the deck indoor has a card I07 already.",
    ),
    "a name not quite right": (
        with_card("I26", name="Reflexion"),
        'indoor, card I26: "Reflexion" is no name of a card. Did you mean Reflection?',
    ),
    "a name of nothing": (
        with_card("S01", name="Yeast", value=1),
        'supplies, card S01: "Yeast" is no name of a card. The cards are Food, '
        "Infection Prevention, Sold Out and Toilet Paper.",
    ),
    "a name that is a list": (with_card("S01", name=["Food"]), "supplies, card S01: a list is no"),
    "a supply Indoors": (
        with_card("I03", name="Food"),
        "indoor, card I03: Food is no card of this deck. Put it into supplies.",
    ),
    "an effect among the supplies": (
        with_card("S03", name="Swap Shop"),
        "supplies, card S03: Swap Shop is no card of this deck. Put it into indoor or outdoor.",
    ),
    "an answer Outdoors": (
        with_card("O35", name="Nice Try!"),
        "outdoor, card O35: Nice Try! cannot be an Outdoor card",
    ),
    "the wrong kind": (
        with_card("I26", kind="impact"),
        'indoor, card I26: the kind "impact" is wrong. Reflection is "effect".',
    ),
    "no symbol": (
        changed(lambda box: card(box, "I26").pop("test")),
        'indoor, card I26: "test" is missing. Reflection has id, name, kind and test.',
    ),
    "a symbol nobody knows": (
        with_card("I26", test="+"),
        'indoor, card I26: "+" is no test. It is "positive" or "negative".',
    ),
    "a symbol that is a list": (with_card("I26", test=[]), "indoor, card I26: a list is no test."),
    "a supply with a symbol": (
        with_card("S09", test="positive"),
        'supplies, card S09: "test" is one too many. Food has id, name and value.',
    ),
    "a supply without a value": (
        changed(lambda box: card(box, "S09").pop("value")),
        'supplies, card S09: "value" is missing.',
    ),
    "Food 0": (with_card("S09", value=0), "S09: 0 is wrong. The value of Food is 1 to 9."),
    "Food 10": (with_card("S09", value=10), "S09: 10 is wrong. The value of Food is 1 to 9."),
    "Food true": (with_card("S09", value=True), "S09: true is wrong. The value of Food is"),
    "Food 2.0": (with_card("S09", value=2.0), "S09: 2.0 is wrong. The value of Food is"),
    "Sold Out 1": (with_card("S35", value=1), "S35: 1 is wrong. The value of Sold Out is 0."),
    "a Stock Up of nothing": (
        with_card("O13", amount=0),
        "outdoor, card O13: 0 is wrong. The amount of Stock Up is 1 to 9.",
    ),
    "an effect with an amount": (
        with_card("I26", amount=2),
        'indoor, card I26: "amount" is one too many.',
    ),
    "too few to begin with": (
        with_card("S01", value=2),
        "supplies: Food 1 is there 3 times. Each player begins with one, so at least 4 are needed.",
    ),
}


@pytest.mark.parametrize("wrong", SENTENCES)
def test_a_file_that_makes_no_box_is_told_which_card_and_why(wrong: str):
    text, sentence = SENTENCES[wrong]
    assert sentence in refused(text)


def test_a_refusal_can_be_shown_on_any_terminal():
    long = "\x1b" + "é" * 5000
    said = refused(with_card("S01", name=long, value=1))
    assert said.isascii() and said.isprintable() and len(said) < 200
