"""What is typed in the word game, and what it is read as."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.variants.driver import ANN, BOB
from tests.variants.words.language.typed import (
    CLOSE,
    DRAW,
    OVER,
    POSITIONS,
    REMOVAL,
    RICH,
    TRADE,
    TYPIST,
    UNDER,
    asked_back,
    offered,
    refused,
    typed,
)
from tests.variants.words.views import view, word
from variants.words.actions import (
    Add,
    Answer,
    Discard,
    Draw,
    EndRound,
    Lock,
    Offer,
    Pass,
    Rebuild,
    Remove,
    Steal,
    Trade,
)

# -- a line is read forgivingly --------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "add d to bob dates", "add d bob dates", "ADD D to Bob's DATES!", "add d to 3 dates",
        "add d to 3 as dates", "add d to #3 as dates", "add d to word 3 as dates", "ad d 3 dates",
        "add a d to bob dates", "add d to east as dates", "add d east dates", "add d dates",
        "add d to bob east as dates", "add d to bob east making dates", "add d to b dates",
        "add bob east d dates", "add d to seat 2 dates", "add east dates", "add bob dates",
        "add d to bob as d a t e s", "add d to dates from bob", "play add d to bob dates",
    ],
)  # fmt: skip
def test_an_added_letter_is_read_in_any_order(line):
    assert Add("D", 3, "DATES") == typed(line)


@pytest.mark.parametrize(
    "line",
    [
        "steal t from bob thumb leaving humb making dot", "steal t from 2 leaving humb making dot",
        "steal t from bob thumb making dot leaving humb", "steal t leaving humb making dot",
        "steal t thumb humb dot", "steal t from bob's thumb for dot leaving humb",
        "steal t from bob making dot leaving humb", "steal thumb humb dot", "st t b thumb humb dot",
        "steal leaving humb making dot", "steal the t of #2 leaving h u m b making d o t",
        "steal t from bob thumb, making dot", "steal t from 2 dot", "steal t thumb dot",
    ],
)  # fmt: skip
def test_a_steal_is_read_in_any_order(line):
    assert Steal("T", 2, "HUMB", "DOT") == typed(line, SPELLS_HUMB)


SPELLS_HUMB = replace(RICH, box=replace(RICH.box, manifests=(
    *RICH.box.manifests,
    replace(RICH.box.manifests[0], id="X1", sets=(("HUM", "HUMB", "HUMBS", "HUMBTS"),) * 4),
)))  # fmt: skip
"""A table where a word is printed that the list does not have."""


@pytest.mark.parametrize(
    "line",
    [
        "rebuild east+t+d tasted", "rebuild east+d+t as tasted", "rebuild east tasted",
        "rebuild east + t + d tasted", "rebuild east t d tasted", "rebuild 1 as tasted",
        "rebuild east with t and d as tasted", "rebuild east td tasted", "rebuild #1 into tasted",
        "rebuild 1+td tasted", "REBUILD my EAST to TASTED", "rearrange east tasted",
        "reb east as t a s t e d", "rebuild east t+d as tasted",
    ],
)  # fmt: skip
def test_a_rebuild_is_read_with_the_letters_of_the_hand_or_without(line):
    assert Rebuild((1,), ("TASTED",)) == typed(line)


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        ("form dog", "form dog"),
        ("FORM DoG", "form dog"),
        ("form d o g", "form dog"),
        ("form d+o+g", "form dog"),
        ("form the word dog", "form dog"),
        ("lay dog", "form dog"),
        ("play dog", "form dog"),
        ("form the", "form the"),
        ("form end", "form end"),
        ("rebuild foams foam", "rebuild foams as foam"),
        ("rebuild foams+note as foam", "rebuild foams+note as foam"),
        ("rebuild foams note foam", "rebuild foams+note as foam"),
        ("rebuild 6 7 as foam note", "rebuild foams+note as foam+note"),
        ("rebuild 6 7 as foam and one", "rebuild foams+note as foam+one"),
        ("take up note", "take up note"),
        ("take up 6 7", "take up foams+note"),
        ("take up foams and note", "take up foams+note"),
        ("take note", "take up note"),
        ("pick up note", "take up note"),
        ("collect 7", "take up note"),
        ("take up all", "take up east+foams+note"),
        ("lock east", "lock east"),
        ("lock my east", "lock east"),
        ("lock 6", "lock foams"),
        ("lock #6", "lock foams"),
        ("trade e with bob, k with cleo", "trade e with bob, k with cleo"),
        ("trade e bob k cleo", "trade e with bob, k with cleo"),
        ("trade e with bob and k with cleo", "trade e with bob, k with cleo"),
        ("trade bob e, cleo k", "trade e with bob, k with cleo"),
        ("trade e and k with bob and cleo", "trade e with bob, k with cleo"),
        ("trade ek with bob and cleo", "trade e with bob, k with cleo"),
        ("swap e with cl", "trade e with cleo"),
        ("trade an e with seat 2", "trade e with bob"),
        ("done", "done"),
        ("do", "done"),
        ("end turn", "done"),
        ("out", "out"),
        ("go out", "out"),
        ("call end round", "out"),
        ("end round", "end round"),
        ("play end of round", "end round"),
        ("remove s from foams", "remove s from foams leaving foam"),
    ],
)
def test_a_play_is_read_by_word_or_number(line, phrase):
    assert phrase == offered(line)


@pytest.mark.parametrize(
    ("line", "at", "action"),
    [
        ("draw", DRAW, Draw("pile")),
        ("dr", DRAW, Draw("pile")),
        ("draw 2", DRAW, Draw("pile", 2)),
        ("draw two cards", DRAW, Draw("pile", 2)),
        ("draw from the pile", DRAW, Draw("pile")),
        ("draw discard", DRAW, Draw("discard")),
        ("draw x", DRAW, Draw("discard")),
        ("draw from the discard pile", DRAW, Draw("discard")),
        ("draw 2 discards", DRAW, Draw("discard", 2)),
        ("draw disc", DRAW, Draw("discard")),
        ("draw 2 from the disc pile", DRAW, Draw("discard", 2)),
        ("draw pi", DRAW, Draw("pile")),
        ("take discard", DRAW, Draw("discard")),
        ("pick up 3", UNDER, Draw("pile", 3)),
        ("dr", UNDER, Draw("pile")),
        ("discard d e", OVER, Discard(("D", "E"))),
        ("discard de", OVER, Discard(("D", "E"))),
        ("discard d, e", OVER, Discard(("D", "E"))),
        ("discard end round", OVER, Discard(("*",))),
        ("discard d and e", OVER, Discard(("D", "E"))),
        ("drop the d", OVER, Discard(("D",))),
        ("d", OVER, Discard(("D",))),
        ("s d", OVER, Discard(("S", "D"))),
        ("de", OVER, Discard(("D", "E"))),
        ("give s", TRADE, Answer("S")),
        ("give an s", TRADE, Answer("S")),
        ("give a s", TRADE, Answer("S")),
        ("give my s", TRADE, Answer("S")),
        ("s", TRADE, Answer("S")),
        ("S", TRADE, Answer("S")),
        ("", CLOSE, Pass()),
        ("pass", CLOSE, Pass()),
        ("n", CLOSE, Pass()),
        ("end", CLOSE, EndRound()),
        ("", REMOVAL, Pass()),
        ("nope", REMOVAL, Pass()),
        ("remove b from beast leaving east", REMOVAL, Remove("B", 1, "EAST")),
        ("remove b leaving east", REMOVAL, Remove("B", 1, "EAST")),
        ("remove beast east", REMOVAL, Remove("B", 1, "EAST")),
        ("remove b from 1 as east", REMOVAL, Remove("B", 1, "EAST")),
        ("b from beast leaving east", REMOVAL, Remove("B", 1, "EAST")),
        ("remove s from foams", REMOVAL, Remove("S", 2, "FOAM")),
        ("remove s from 2", REMOVAL, Remove("S", 2, "FOAM")),
    ],
)  # fmt: skip
def test_each_question_is_answered_in_its_own_words(line, at, action):
    assert action == typed(line, at)


# -- an arrangement that is left out ---------------------------------------------------------------


def test_the_only_arrangement_is_found():
    at = view(hand=tuple("MDGO"), words=(word(1, ANN, "FOA"), word(2, BOB, "FOA")))
    for line in ("add m to bob foa", "add m to 2", "add m to bob", "add m to foa"):
        assert Add("M", 2, "FOAM") == typed(line, at)
    taken = view(hand=tuple("OG"), words=(word(1, BOB, "FOAMD"), word(2, ANN, "FOAMS")))
    for line in ("steal d from bob foamd making dog", "steal d from 1 making dog"):
        assert Steal("D", 1, "FOAM", "DOG") == typed(line, taken)
    assert Rebuild((2,), ("FOAM",)) == typed("rebuild foams foam", taken)
    only = view(words=(word(2, ANN, "FOAMS"), word(5, ANN, "OVER", locked=4)))
    assert Lock(2) == typed("lock", only)
    assert Rebuild((2,), ()) == typed("take up", only) == typed("collect", only)


def test_the_only_word_of_a_thief_is_found():
    at = view(hand=tuple("QF"), words=(word(1, BOB, "DATED"), word(2, BOB, "FEATS")))
    assert "Which word do you make with D and letters of your hand? Your hand: F Q." in refused(
        "steal d from dated leaving date", at
    )
    line = "steal d from bob dated leaving date"
    both = asked_back(line, replace(at, hand=tuple("QUB")))
    assert f"Type {line} making bud or {line} making dub." in both
    assert Steal("D", 1, "DATE", "CUD") == typed(line, replace(at, hand=tuple("CUV")))


def test_with_two_players_a_letter_is_traded_with_the_other():
    two = replace(RICH, seats=RICH.seats[:2], words=())
    assert Trade((Offer(BOB, "E"),)) == typed("trade e", two)


def test_equal_words_are_one():
    at = view(hand=tuple("D"), words=tuple([word(n, BOB, "EAST") for n in (1, 2, 3)]))
    assert Add("D", 1, "DATES") == typed("add d to bob dates", at)
    assert Add("D", 2, "DATES") == typed("add d to bob dates", replace(at, added=(1,)))


@pytest.mark.parametrize("line", ["give a card", "give a letter", "give the card"])
def test_an_article_is_no_letter(line):
    at = POSITIONS["trade"]
    assert not TYPIST.plays(line, at)
    assert TYPIST.plays("give a", at) and TYPIST.plays("a", at)
