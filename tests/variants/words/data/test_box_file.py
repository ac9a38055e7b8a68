"""The box of words: what makes one, what is said of a file that makes none, what is warned of."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.variants.words.driver import BOX, TEXT, shipped_lexicon
from variants.contract import InvalidData
from variants.words.data.box import (
    ID_CHARS_MAX,
    TEXT_CHARS_MAX,
    Manifest,
    Points,
    fingerprint,
    parse_box,
    read_scenario_manifests,
)
from variants.words.lexicon.dictionary import box_warnings
from variants.words.lexicon.lexicon import Lexicon


def refused(text: str) -> str:
    with pytest.raises(InvalidData) as bad:
        parse_box(text)
    return str(bad.value)


def changed(change: Callable[[Any], object]) -> str:
    """The shipped file with one change made to it."""
    box = json.loads(TEXT)
    change(box)
    return json.dumps(box)


def with_word(card: int, set_: int, place: int, word: object) -> str:
    return changed(lambda box: box["manifests"][card]["sets"][set_].__setitem__(place, word))


def with_letters(**letters: object) -> str:
    return changed(lambda box: box["letters"].update(letters))


def test_the_shipped_box_is_the_one_of_the_rules():
    counts = "9 3 3 5 12 2 3 3 7 1 2 5 3 5 7 3 1 7 7 6 4 2 2 1 2 1"
    assert counts == " ".join(str(count.number) for count in BOX.letters)
    assert 106 == sum(count.number for count in BOX.letters)
    assert [Points(3, 5), Points(4, 10), Points(5, 15), Points(6, 20)] == list(BOX.points)
    assert [(1, 2), (2, 2), (3, 2), (4, 2), (1, 2), (3, 2)] == [
        (indicator.set, indicator.multiplier) for indicator in BOX.indicators
    ]
    assert 20 == len(BOX.manifests)
    words = [word for card in BOX.manifests for words in card.sets for word in words]
    assert 320 == len(set(words))
    assert ("OLD", "LOUD", "COULD", "CLOUDS") == BOX.manifests[0].sets[0]
    assert ["T12", "T14"] == [card.id for card in read_scenario_manifests(TEXT)]
    assert "SEA EAST DATES TASTED" == " ".join(read_scenario_manifests(TEXT)[1].sets[0])


def test_nothing_is_odd_about_the_shipped_box():
    assert () == box_warnings(BOX, shipped_lexicon())


def test_a_host_may_bring_other_letters_points_indicators_and_cards():
    """The multiplier is data; letters may be missing, cards may be more."""
    text = changed(
        lambda box: (
            box["letters"].pop("Q"),
            box["letters"].update(Z=0, E=20),
            box["points"].update({"6": 25}),
            box["bonus"][0].update(set=4, multiplier=3),
            box["manifests"].append({**box["scenario_cards"][0], "id": "H1"}),
            box.pop("scenario_cards"),
            box.pop("points_rule_other_lengths"),
        )
    )
    box = parse_box(text)
    assert {"Q": 0, "Z": 0, "E": 20} == {
        count.letter: count.number for count in box.letters if count.letter in "QZE"
    }
    assert (25, 25, 30) == tuple(box.worth("A" * length) for length in (6, 7, 8))
    assert (4, 3) == (box.indicators[0].set, box.indicators[0].multiplier)
    assert (21, "H1") == (len(box.manifests), box.manifests[-1].id)
    assert () == read_scenario_manifests(text)


def test_words_that_are_not_in_the_list_and_words_without_letters_are_warned_of():
    """[WR-10]"""
    odd = Manifest("M01", (("QAT", "TAQS", "ETAQS", "ETAQSY"), *BOX.manifests[0].sets[1:]))
    twice = Manifest("M02", (("ZOA", "ZOAZ", "ZOAZE", "ZOAZES"), *BOX.manifests[1].sets[1:]))
    box = replace(BOX, manifests=(odd, twice, *BOX.manifests[2:]))
    assert (
        "6 printed words are not in the word list: TAQS of M01, ETAQS of M01, ETAQSY of M01, ZOAZ "
        "of M02 and 2 more. What is printed is valid.",
        "3 printed words cannot be spelled with the letters of the box: ZOAZ of M02 needs 2 Z, "
        "ZOAZE of M02 needs 2 Z and ZOAZES of M02 needs 2 Z. Nobody can lay that.",
    ) == box_warnings(box, shipped_lexicon())


def test_a_list_of_words_that_lacks_most_of_the_cards_is_warned_of_in_one_sentence():
    """There were 303 warnings."""
    (found,) = box_warnings(BOX, Lexicon([("OLD", 10), ("LOUD", 10)]))
    assert found == (
        "318 printed words are not in the word list: COULD of M01, CLOUDS of M01, RAN of M01, "
        "EARN of M01 and 314 more. What is printed is valid."
    )


def test_a_word_may_be_printed_in_two_sets_of_a_card():
    """[WR-09]"""
    text = changed(
        lambda box: box["manifests"][0].update(sets=[box["manifests"][0]["sets"][0]] * 4)
    )
    assert (
        "4 printed words are on one card twice or more: OLD of M01, LOUD of M01, COULD of "
        "M01 and CLOUDS of M01. The best bonus counts.",
    ) == box_warnings(parse_box(text), shipped_lexicon())


def test_the_fingerprint_knows_the_box_and_nothing_of_the_spacing():
    whole = fingerprint(BOX)
    assert 64 == len(whole)
    assert whole == fingerprint(parse_box(json.dumps(json.loads(TEXT), indent=4)))
    others = (
        with_letters(E=11),
        with_word(0, 0, 0, "DOL"),
        changed(lambda box: box["points"].update({"3": 6})),
        changed(lambda box: box["bonus"].reverse()),
        changed(lambda box: box["manifests"].reverse()),
    )
    assert len(others) + 1 == len({whole, *(fingerprint(parse_box(text)) for text in others)})


SENTENCES = {
    "nothing": ("", "The file is not JSON: Expecting value, line 1, column 1."),
    "a list": ("[]", "The file is no object. It is one with letters, end_of_round_cards,"),
    "too long": (" " * (TEXT_CHARS_MAX + 1), "The file is too long. At most 1,000,000 characters"),
    "too deep": ("[" * (TEXT_CHARS_MAX - 1), "The file is nested too deep."),
    "a number without end": ('{"letters": ' + "9" * 5000 + "}", "a number that is far too long"),
    "a key twice": ('{"letters": {"A": 1, "A": 2}}', 'The key "A" stands twice in one object.'),
    "a part missing": (changed(lambda box: box.pop("bonus")), "bonus is missing. The file has"),
    "a part too many": (changed(lambda box: box.update(tiles=1)), '"tiles" is one too many.'),
    "one End of Round card": (
        changed(lambda box: box.update(end_of_round_cards=1)),
        "end_of_round_cards: the rules have 2, no more and no less.",
    ),
    "true End of Round cards": (
        changed(lambda box: box.update(end_of_round_cards=True)),
        "end_of_round_cards: the rules have 2",
    ),
    "a list of letters": (changed(lambda box: box.update(letters=[])), "letters: this is no obje"),
    "a small letter": (with_letters(a=3), 'letters: "a" is no letter. Letters are A to Z'),
    "a letter with an accent": (with_letters(É=3), "is no letter. Letters are A to Z"),
    "two letters": (with_letters(QU=3), 'letters: "QU" is no letter.'),
    "no letter": (with_letters(**{"": 3}), 'letters: "" is no letter.'),
    "half a card": (with_letters(A=1.5), "letters, A: 1.5 is wrong. It is 0 to 50."),
    "a true card": (with_letters(A=True), "letters, A: true is wrong. It is 0 to 50."),
    "too many of one": (with_letters(A=51), "letters, A: 51 is wrong. It is 0 to 50."),
    "fewer than none": (with_letters(A=-1), "letters, A: -1 is wrong. It is 0 to 50."),
    "too few in all": (
        changed(lambda box: box.update(letters={"A": 20, "E": 19})),
        "letters: 39 in all. There are 42 to 400, so that 6 players can be dealt to.",
    ),
    "too many in all": (
        changed(lambda box: box.update(letters=dict.fromkeys("ABCDEFGHI", 50))),
        "letters: 450 in all. There are 42 to 400, so that 6 players can be dealt to.",
    ),
    "points for 7": (
        changed(lambda box: box["points"].update({"7": 25})),
        'points: this is no table of points. It names the points of 3 to 6 letters, "3": 5.',
    ),
    "no points": (changed(lambda box: box.update(points=5)), "points: this is no table"),
    "points below one": (
        changed(lambda box: box["points"].update({"5": 0})),
        "points, 5: 0 is wrong. It is 1 to 1000.",
    ),
    "bonus as an object": (changed(lambda box: box.update(bonus={})), "bonus: this is no list."),
    "five indicators": (
        changed(lambda box: box["bonus"].pop()),
        "bonus: 5 cards are too few. 6 players need one each.",
    ),
    "a set 5": (
        changed(lambda box: box["bonus"][1].update(set=5)),
        "bonus, card B2: set 5 is wrong. It is 1 to 4.",
    ),
    "ten times": (
        changed(lambda box: box["bonus"][1].update(multiplier=10)),
        "bonus, card B2: multiplier 10 is wrong. It is 1 to 9.",
    ),
    "an indicator without a set": (
        changed(lambda box: box["bonus"][1].pop("set")),
        "bonus, entry 2: this is no card. A card has id, set, multiplier.",
    ),
    "one indicator twice": (
        changed(lambda box: box["bonus"][1].update(id="b1")),
        "bonus: there are two cards b1. Give each an id of its own",
    ),
    "five cards": (
        changed(lambda box: box.update(manifests=box["manifests"][:5])),
        "manifests: 5 cards are too few. 6 players need one each.",
    ),
    "a card that is a word": (
        changed(lambda box: box["manifests"].__setitem__(6, "SEA")),
        "manifests, entry 7: this is no card. A card has id, sets.",
    ),
    "an id with a space": (
        changed(lambda box: box["manifests"][0].update(id="M 1")),
        'manifests, entry 1: "M 1" is no id. An id is 1 to 12 letters and digits.',
    ),
    "an id too long": (
        changed(lambda box: box["manifests"][0].update(id="M" * (ID_CHARS_MAX + 1))),
        "is no id. An id is 1 to 12",
    ),
    "an id that controls a terminal": (
        changed(lambda box: box["manifests"][0].update(id="\x1b[2J")),
        '"\\u001b[2J" is no id.',
    ),
    "one id twice": (
        changed(lambda box: box["manifests"][1].update(id="m01")),
        "manifests: there are two cards m01.",
    ),
    "the id of a scenario card": (
        changed(lambda box: box["manifests"][1].update(id="T14")),
        "manifests: there are two cards T14.",
    ),
    "three sets": (
        changed(lambda box: box["manifests"][0]["sets"].pop()),
        "manifests, card M01: a card has 4 sets of words.",
    ),
    "three words": (
        changed(lambda box: box["manifests"][0]["sets"][1].pop()),
        "manifests, card M01, set 2: a set has 4 words.",
    ),
    "a word too short": (
        with_word(2, 0, 1, "LIE"),
        'manifests, card M03, set 1: "LIE" is wrong. Here stands a word of 4 letters A-Z, capita',
    ),
    "a word in small letters": (with_word(2, 0, 1, "isle"), '"isle" is wrong. Here stands'),
    "a word that is a number": (with_word(2, 0, 1, 1234), "1234 is wrong. Here stands a word of 4"),
    "no chain": (
        with_word(2, 0, 2, "TIERS"),
        "manifests, card M03, set 1: TIERS has not all letters of ISLE: L is missing. Each word is "
        "the one before it and one more letter, in any order.",
    ),
    "an odd scenario card": (
        changed(lambda box: box["scenario_cards"][0]["sets"].pop()),
        "scenario_cards, card T12: a card has 4 sets of words.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", SENTENCES)
def test_what_makes_no_box_is_refused_with_the_card_and_the_reason(what):
    text, sentence = SENTENCES[what]
    assert sentence in refused(text)


def test_as_many_cards_as_seats_are_enough():
    """[WR-10]"""
    box = parse_box(changed(lambda box: box.update(manifests=box["manifests"][:6])))
    assert 6 == len(box.manifests)
