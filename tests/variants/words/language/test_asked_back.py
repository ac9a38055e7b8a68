"""What fits several plays of the word game is asked back as it can be typed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.variants.driver import ANN, BOB, CY
from tests.variants.words.language.typed import (
    CLOSE,
    DRAW,
    REMOVAL,
    RICH,
    asked_back,
    offered,
    refused,
    typed,
)
from tests.variants.words.views import SETTINGS, lexicon, view, word
from variants.contract import Refusal
from variants.words.actions import Add, Done, Draw, Out, Rebuild, Remove, Steal
from variants.words.check import check


@pytest.mark.parametrize(
    ("line", "choices"),
    [
        ("add d to bob east", ["add d to bob dates", "add d to bob sated", "add d to bob stead"]),
        ("add d to 3", ["add d to bob dates", "add d to bob sated", "add d to bob stead"]),
        ("rebuild east t d", ["rebuild east+d+t as stated", "rebuild east+d+t as tasted"]),
        ("rebuild east", ["rebuild east as eats", "rebuild east as sate", "rebuild east as seat",
                          "rebuild east as teas"]),
        ("lock", ["lock east", "lock foams", "lock note"]),
        ("take up", ["take up east", "take up foams", "take up note"]),
        ("trade e", ["trade e with bob", "trade e with cleo"]),
    ],
)  # fmt: skip
def test_what_fits_two_plays_is_asked_back_with_the_choices_as_they_are_typed(line, choices):
    sentence = asked_back(line)
    listed = f"{', '.join(choices[:-1])} or {choices[-1]}"
    assert sentence.startswith(f"Several moves are possible. Type {listed}")
    for choice in choices:
        assert choice == offered(choice)


def test_a_word_in_front_of_two_is_asked_back():
    at = view(hand=tuple("D"), words=(word(1, BOB, "EAST"), word(2, CY, "SEAT")))
    assert "Type add d to bob dates or add d to cleo dates." in asked_back("add d dates", at)
    assert Add("D", 2, "DATES") == typed("add d to cleo dates", at)


def test_a_new_spelling_that_is_also_an_old_one_is_asked_back():
    at = view(hand=tuple("S"), words=(word(1, BOB, "SEA"), word(2, BOB, "SEAS")))
    sentence = asked_back("add s to bob seas", replace(at, settings=replace(SETTINGS, hints=80)))
    assert "add s to 1 as seas" in sentence and "add s to bob sasse" in sentence
    assert Add("S", 1, "SEAS") == typed("add s to 1 as seas", at)


def test_a_thief_is_asked_for_both_words():
    at = replace(RICH, words=(word(1, BOB, "DATES"),))
    assert "steal d from bob dates leaving east making " in asked_back("steal d from bob", at)
    choice = "steal d from bob dates leaving seat"
    assert f"Type {choice} making " in asked_back(choice, at)
    assert asked_back(choice, at).endswith(", or say more.")


def test_a_thief_with_more_letters_than_are_looked_through_says_the_word():
    at = replace(RICH, hand=tuple("ASGBFKMPQWXZ"), words=(word(9, CY, "DATED"),))
    line = "steal d from cleo dated leaving date"
    assert "Which word do you make with D and letters of your hand?" in refused(line, at)
    assert Steal("D", 9, "DATE", "ADS") == typed(f"{line} making ads", at)


def test_no_word_beyond_the_hints_is_named_that_was_not_typed():
    """Of all arrangements of EAST and D the list calls SATED and DATES common."""
    sentence = asked_back("add d to bob east")
    assert sentence.endswith(", or say more.")
    everything = replace(RICH, settings=replace(SETTINGS, hints=80))
    assert "or say more" not in asked_back("add d to bob east", everything)
    off = replace(RICH, settings=replace(SETTINGS, hints=0))
    printed = {word for card in RICH.box.manifests for words in card.sets for word in words}
    assert {"DATES", "SATED", "STEAD"} & printed == {"DATES"}
    assert "Several moves are possible. Type add d to bob dates, or say more." == asked_back(
        "add d to bob east", off
    )
    assert "stead" not in asked_back("add d to bob east", off)
    line = "steal d from dated leaving date"
    assert "Type: steal LETTER from NAME WORD leaving WORD making WORD" in asked_back(line, off)


@pytest.mark.parametrize(
    ("line", "at", "choices"),
    [
        ("s", CLOSE, "spell, steal or swap"),
        ("d", RICH, "discard or draw"),
        ("re", CLOSE, "rebuild or remove"),
    ],
)
def test_what_begins_two_verbs_is_asked_back(line, at, choices):
    assert f'"{line}" is ambiguous: {choices}?' == asked_back(line, at)


def test_of_two_verbs_the_one_that_is_asked_for_is_begun():
    assert Draw("pile") == typed("dr", DRAW)
    assert "rebuild east" in asked_back("re east")
    assert Remove("S", 2, "FOAM") == typed("re s from foams", REMOVAL)


@pytest.mark.parametrize("line", ["o", "e"])
def test_nothing_that_ends_a_round_is_begun_with_one_letter(line):
    with pytest.raises(Refusal):
        check(lexicon(), CLOSE, typed(line, CLOSE))


def test_a_bare_word_that_begins_a_verb_is_asked_back():
    at = view(hand=tuple("DON"))
    assert "Lay DON? Type form don or done" == asked_back("don", at)
    assert "Lay EAT? Type form eat" == asked_back("eat", view(hand=tuple("EAT")))
    assert Done() == typed("don", view(hand=tuple("EAT")))
    assert Done() == typed("done", view(hand=tuple("DONE")))
    assert Out() == typed("out", view(hand=tuple("OUT")))


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("add s to oat", "add LETTER to NAME WORD"),
        ("steal d from dated", "steal LETTER from NAME WORD leaving WORD making WORD"),
        ("rebuild east", "rebuild WORD+LETTERS as WORD"),
    ],
)
def test_where_no_word_is_named_the_form_of_the_play_is_said(line, form):
    off = replace(RICH, settings=replace(SETTINGS, hints=0))
    assert f"Several words are possible. Which one? Type: {form}" == asked_back(line, off)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("add s to oat as oats", Add("S", 4, "OATS")),
        ("steal d from dated making dog leaving date", Steal("D", 9, "DATE", "DOG")),
        ("rebuild east as seat", Rebuild((1,), ("SEAT",))),
    ],
)
def test_with_the_word_that_was_missing_it_is_a_play(line, action):
    assert action == typed(line, replace(RICH, settings=replace(SETTINGS, hints=0)))


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("rebuild grin+tee+m as meter", Rebuild((1, 2), ("METER",))),
        ("rebuild grin+e+e+m+t as meter", Rebuild((1,), ("METER",))),
        ("rebuild grin+eetm as meter", Rebuild((1,), ("METER",))),
    ],
)
def test_a_word_on_the_table_is_no_letters_of_the_hand_that_spell_it(line, action):
    laid = word(1, ANN, "GRIN"), word(2, ANN, "TEE")
    assert action == typed(line, replace(RICH, words=laid, hand=tuple("TEEMXXX")))
