"""What is typed in the word game, and what it is read as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.variants.words_table import ANN, BOB, CY, SETTINGS, SeatView, lexicon, view, word
from tests.variants.words_typing import (
    NAMES,
    REMOVAL,
    RICH,
    asked_back,
    not_understood,
    offered,
    refused,
    typed,
)
from variants.contract import Refusal
from variants.words import asking
from variants.words.actions import (
    Add,
    Answer,
    Discard,
    Done,
    Draw,
    EndRound,
    Lock,
    Offer,
    Out,
    Pass,
    Rebuild,
    Remove,
    Steal,
    Trade,
)
from variants.words.check import check
from variants.words.dictionary import Dictionary
from variants.words.view import View

DRAW = replace(RICH, phase="draw")
NINE, FOUR = (SeatView(9, 0),) * 3, (SeatView(4, 0),) * 3
OVER = replace(RICH, phase="settle", seats=NINE)
UNDER = replace(RICH, phase="settle", seats=FOUR, hand=tuple("DTG*"))
TRADE = replace(RICH, phase="trade", turn=BOB, partners=(ANN, CY), missing=2)
CLOSE = replace(RICH, phase="close")

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
        ("dog", "form dog"),
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
        ("end", "end round"),
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
        ("d", DRAW, Draw("pile")),
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
        ("d", UNDER, Draw("pile")),
        ("discard d e", OVER, Discard(("D", "E"))),
        ("discard de", OVER, Discard(("D", "E"))),
        ("discard d, e", OVER, Discard(("D", "E"))),
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
        ("p", CLOSE, Pass()),
        ("end", CLOSE, EndRound()),
        ("", REMOVAL, Pass()),
        ("p", REMOVAL, Pass()),
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
    assert "You can make no word with D and letters of your hand" in not_understood(
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


# -- what could mean two things is asked back ------------------------------------------------------


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
    assert sentence.startswith(f"That fits more than one play. Type {listed}")
    for choice in choices:
        assert choice == offered(choice)


def test_a_word_in_front_of_two_is_asked_back():
    at = view(hand=tuple("D"), words=(word(1, BOB, "EAST"), word(2, CY, "SEAT")))
    assert "Type add d to bob dates or add d to cleo dates." in asked_back("add d dates", at)
    assert Add("D", 2, "DATES") == typed("add d to cleo dates", at)


def test_a_new_spelling_that_is_also_an_old_one_is_asked_back():
    at = view(hand=tuple("S"), words=(word(1, BOB, "SEA"), word(2, BOB, "SEAS")))
    sentence = asked_back("add s to bob seas", replace(at, settings=replace(SETTINGS, hints=80)))
    assert "add s to 1 as seas" in sentence and "add s to bob asses" in sentence
    assert Add("S", 1, "SEAS") == typed("add s to 1 as seas", at)


def test_a_thief_is_asked_word_by_word():
    at = replace(RICH, words=(word(1, BOB, "DATES"),))
    for choice in ("steal d from bob dates leaving east", "steal d from bob dates leaving seat"):
        assert choice in asked_back("steal d from bob dates", at)
        assert "making" not in asked_back("steal d from bob dates", at)
        assert f"{choice} making " in asked_back(choice, at)


def test_no_word_beyond_the_hints_is_named_that_was_not_typed():
    """Of all arrangements of EAST and D the list calls SATED and DATES common."""
    sentence = asked_back("add d to bob east")
    assert sentence.endswith(", or name another word.")
    everything = replace(RICH, settings=replace(SETTINGS, hints=80))
    assert "or name another" not in asked_back("add d to bob east", everything)
    off = replace(RICH, settings=replace(SETTINGS, hints=0))
    printed = {word for card in RICH.box.manifests for words in card.sets for word in words}
    assert {"DATES", "SATED", "STEAD"} & printed == {"DATES"}
    assert "Type add d to bob dates, or name another word." in asked_back("add d to bob east", off)
    assert "stead" not in asked_back("add d to bob east", off)
    line = "steal d from dated leaving date"
    assert "as in: steal d from cleo dated leaving date making WORD" in asked_back(line, off)


@pytest.mark.parametrize(
    ("line", "at", "choices"),
    [
        ("s", CLOSE, "spell, steal or swap"),
        ("d", RICH, "discard or draw"),
        ("re", CLOSE, "rebuild or remove"),
    ],
)
def test_what_begins_two_verbs_is_asked_back(line, at, choices):
    assert f'"{line}" could be {choices}. Type a little more.' == asked_back(line, at)


def test_of_two_verbs_the_one_that_is_asked_for_is_begun():
    assert Draw("pile") == typed("d", DRAW)
    assert "rebuild east" in asked_back("re east")
    assert Remove("S", 2, "FOAM") == typed("re s from foams", REMOVAL)


@pytest.mark.parametrize("line", ["o", "e"])
def test_nothing_that_ends_a_round_is_begun_with_one_letter(line):
    with pytest.raises(Refusal):
        check(lexicon(), CLOSE, typed(line, CLOSE))


def test_a_bare_word_that_begins_a_verb_is_asked_back():
    at = view(hand=tuple("DON"))
    assert '"don" could be a word or a play. Type form don or done.' == asked_back("don", at)
    assert Done() == typed("don", view(hand=tuple("EAT")))
    assert Done() == typed("done", view(hand=tuple("DONE")))
    assert Out() == typed("out", view(hand=tuple("OUT")))


# -- what is not understood ------------------------------------------------------------------------

NONSENSE = ["", "!", "xyzzy", "{0} {} {x}", "play", "form", "form one two", "form 3", "add",
            "add d", "add d to zed", "steal", "steal d", "steal 9", "lock zebra", "lock 1 6",
            "rebuild", "rebuild zebra as foam", "rebuild as foam", "trade", "trade bob",
            "trade e k with bob", "trade e with zed", "1", "\u00bc", "\u00b2 bob", "'s", "+", "#",
            "done now", "out please now", "go", "go home", "call bob", "a" * 512, "trade 1 2 3",
            "\U0001d400" * 9, "rebuild " * 99, "add " * 99, "+++ ###", "* *"]  # fmt: skip


@pytest.mark.parametrize("line", NONSENSE)
@pytest.mark.parametrize("at", [RICH, replace(RICH, turn=BOB), TRADE, view(None)])
def test_nonsense_is_answered_with_what_could_be_typed(line, at):
    with pytest.raises(Refusal) as said:
        check(lexicon(), at, typed(line, at))
    sentence = said.value.say(NAMES)
    assert sentence[-1] == "." and len(sentence) < 500


def test_nonsense_lists_the_plays_there_are_now():
    sentence = '"fold" is no play here. You can type: discard LETTERS.'
    assert sentence == not_understood("fold now", OVER)
    assert '"fold" is no play here. You can type: end round; pass.' == not_understood("fold", CLOSE)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("lock zebra", 'You have no word "zebra" on the table. You have: 1 EAST, 6 FOAMS, 7 NOTE.'),
        ("add q to bob", "Q makes a word with none of them. Bob has: 2 THUMB, 3 EAST."),
        ("steal q from bob", "Q can be taken from none of them: what is left must be a word."),
        ("rebuild east+t tasted", "That takes D T from your hand. Type it like this: rebuild east"),
        ("form", 'Type it like this: form WORD. Your hand: B D E G K O S T and End of Round.'),
        ("done now", "Done stands alone. Type: done."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_what_would_be_right(line, sentence):
    assert sentence in not_understood(line)


@pytest.mark.parametrize("line", ["add d to bob", "add d to bob oat", "steal o from bob"])
def test_whose_words_are_named_gives_no_word_of_anybody_else(line):
    bare = replace(RICH, words=(word(1, ANN, "EAST"), word(4, CY, "OAT")))
    assert "Bob has no exposed word on the table." == not_understood(line, bare)
    alone = replace(RICH, words=(word(1, ANN, "EAST"),))
    assert "Bob has no exposed word on the table." == not_understood(line, alone)


def test_who_has_no_word_hears_so():
    bare = replace(RICH, words=())
    assert "You have no exposed word on the table to lock." == not_understood("lock", bare)
    assert "The others have no exposed word on the table." == not_understood("add d", bare)


# -- the grammar does not judge --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("steal t from thumb", "THUMB without T leaves BHMU, which spells nothing."),
        ("steal t from bob thumb leaving humb making dot", "THUMB without T leaves BHMU"),
        ("steal a from oat leaving ot making goat", "OAT has three letters"),
        ("steal d from dated leaving date making drag", "You do not hold an A or an R."),
        ("steal d from dated leaving date making xd", "XD is too short"),
        ("steal d from 5 leaving ate making dog", "Word 5 of Cleo is locked"),
        ("add q to oat", "OAT and Q together spell nothing."),
        ("add b to oat making zebra", "ZEBRA is not made of OAT and B."),
        ("add b to oat making btoa", "BTOA is no word, but its letters spell"),
        ("add z to bob east making zetas", "You do not hold a Z."),
        ("add d to 5", "Word 5 of Cleo is locked"),
        ("add d to 1", "You cannot add to a word of your own"),
        ("add d to 99", "There is no word 99 on the table."),
        ("form zzzz", "ZZZZ spells nothing."),
        ("form dgo", "DGO is no word, but its letters spell"),
        ("form zed", "You do not hold a Z."),
        ("form ab", "AB is too short"),
        ("form caf\u00e9", "letters A to Z only"),
        ("zed", "You do not hold a Z."),
        ("lock 3", "Word 3 is Bob's"),
        ("lock thumb", "Word 2 is Bob's"),
        ("lock over", "OVER is locked"),
        ("lock 42", "There is no word 42"),
        ("take up thumb", "Word 2 is Bob's"),
        ("take up 7 7", "A word is named twice."),
        ("rebuild east east", "That changes nothing."),
        ("rebuild east as zebra", "You do not hold"),
        ("rebuild over as rove", "OVER is locked"),
        ("trade q with bob", "You do not hold a Q."),
        ("trade e with me", "You cannot trade with yourself."),
        ("trade e with bob, k with bob", "Bob is named twice."),
        ("draw", "You have drawn for this turn already."),
        ("discard d", "You discard at the end of your turn: type done first."),
        ("give s", "Nobody trades with you now."),
        ("pass", "There is nothing to pass. To end your turn, type done."),
        ("end round", "You play End of Round at the end of your turn: type done first."),
        ("remove s from foams", "A letter is removed when a round ends"),
        ("out", "You go out only with no letter left in your hand."),
    ],
)
def test_a_forbidden_play_that_is_well_said_is_refused_by_the_rules(line, reason):
    assert reason in refused(line)


@pytest.mark.parametrize(
    ("line", "at", "reason"),
    [
        ("discard end of round", OVER, "The End of Round card is no letter"),
        ("discard *", OVER, "The End of Round card is no letter"),
        ("discard x", OVER, "You do not hold an X."),
        ("discard d e g", OVER, "You cannot discard three letters."),
        ("draw", OVER, "Discard two letters."),
        ("draw 0", DRAW, "You cannot draw no cards now."),
        ("draw 5", DRAW, "You cannot draw five cards now."),
        ("form dog", DRAW, "First you draw two cards"),
        ("give *", TRADE, "The End of Round card is no letter"),
        ("q", TRADE, "You do not hold a Q."),
        ("done", TRADE, "Bob trades with you."),
        ("form dog", CLOSE, "Your turn is at its end."),
        ("remove o from oat", REMOVAL, "OAT has three letters"),
        ("remove e from 3", REMOVAL, "Word 3 is Bob's"),
        ("remove f from foams leaving zzzz", REMOVAL, "FOAMS without F leaves AMOS"),
        ("done", REMOVAL, "The round is ending."),
    ],
)
def test_what_another_question_would_take_is_refused_by_the_rules(line, at, reason):
    assert reason in refused(line, at)


@pytest.mark.parametrize(
    "line",
    ["draw", "form", "form dog", "add", "add d to bob dates", "steal x", "lock", "lock zebra",
     "rebuild", "rebuild q as z", "take up", "trade", "trade zed", "done", "out", "end", "pass",
     "give", "discard", "remove", "remove q"],
)  # fmt: skip
def test_out_of_turn_every_play_is_answered_with_whose_turn_it_is(line):
    assert "It is Bob's turn. Wait until you are asked." in refused(line, replace(RICH, turn=BOB))


# -- nothing that is hidden ------------------------------------------------------------------------

LINES = ["add d to bob east", "steal d from dated", "steal d from dated leaving date",
         "rebuild east", "trade e", "dog", "don", "s", "draw x", "lock", "add b to 5", "remove s",
         "e"]  # fmt: skip


def meant(line: str, at: View, names: Sequence[str] = NAMES) -> str:
    try:
        return repr(typed(line, at, names))
    except Refusal as refusal:
        return refusal.say(names)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("at", [RICH, OVER, TRADE, CLOSE, REMOVAL])
def test_what_a_watchers_view_does_not_show_changes_nothing_but_by_the_own_cards(line, at):
    """[G-12] A view has no hand but the own; what others hold is a number of cards."""
    own = (at.seats[ANN],)
    others = replace(at, seats=(*own, SeatView(3, 90), SeatView(12, -15)))
    if line != "trade e":
        assert meant(line, at) == meant(line, others)
    assert meant(line, at) == meant(line, replace(at, indicator=None, quiet=3, pile=2))


# -- hostile lines ---------------------------------------------------------------------------------

PIECES = ["add", "bo", "bob", "leaving", "making", "from", "the", "d", "east", "3", "#3", "seat#2",
          "as", "a", "foam", "+", "*", "\u00e9", "teas dates", "d bo", "from leaving"]  # fmt: skip


@pytest.mark.parametrize(
    "verb",
    ["add", "steal", "rebuild", "take", "trade", "discard", "give", "form", "lock", "remove"],
)
def test_the_ways_to_read_a_long_line_are_bounded(verb, monkeypatch):
    """Counted, not timed: how often the word list and the rules are asked."""
    asked = Counter[str]()

    def counted(name, function):
        def call(*args):
            asked[name] += 1
            return function(*args)

        return call

    monkeypatch.setattr(asking, "check", counted("check", check))
    for name in ("anagrams", "is_word", "within"):
        monkeypatch.setattr(Dictionary, name, counted(name, getattr(Dictionary, name)))
    names = ("Bo", "Bob", "Bobby", "Boe", "Leaving", "From")
    words = ("EAST", "SEAT", "TEAS", "FROM", "LEAVING", "MAKING", "DATES", "FOAM", "THE", "BOB") * 2
    laid = tuple([word(n, CY if n % 3 else ANN, each) for n, each in enumerate(words, 1)])
    at = view(of=6, words=laid, hand=tuple("DATEOVERSINGLERT*"))
    for piece in PIECES:
        for count in (3, 11, 19, 79, 250):
            asked.clear()
            assert meant(f"{verb} {' '.join([piece] * count)}"[:512], at, names)
            assert asked["check"] <= 250 and asked["within"] <= 15, (piece, count, asked)
            assert asked["anagrams"] + asked["is_word"] <= 3000, (piece, count, asked)
