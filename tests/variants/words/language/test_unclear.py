"""Lines that fit no play of the word game, and plays that are well said and forbidden."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.variants.driver import ANN, BOB, CY
from tests.variants.words.language.typed import (
    CLOSE,
    DRAW,
    NAMES,
    OVER,
    REMOVAL,
    RICH,
    TRADE,
    meant,
    not_understood,
    refused,
    typed,
)
from tests.variants.words.views import SeatView, lexicon, view, word
from variants.contract import Refusal
from variants.kit.matcher.grammar import QUOTED_MAX
from variants.words.check import check
from variants.words.language import slots
from variants.words.lexicon.dictionary import Dictionary

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
    sentence = said.value.format(NAMES)
    assert sentence[-1] == "." and len(sentence) < 500


def test_nonsense_lists_the_plays_there_are_now():
    sentence = '"fold" is no play here. You can type: discard LETTERS.'
    assert sentence == not_understood("fold now", OVER)
    assert '"fold" is no play here. You can type: end round, pass.' == not_understood("fold", CLOSE)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("lock zebra", 'You have no word "zebra" on the table. You have: 1 EAST, 6 FOAMS, 7 NOTE.'),
        ("add q to bob", "Q makes a word with none of them. Bob has: 2 THUMB, 3 EAST."),
        ("steal q from bob", "Q can be taken from none of them: what is left must be a word."),
        ("rebuild east+t tasted", "That takes D T from your hand. Type it like this: rebuild east"),
        ("form", '"form" needs a little more. Your hand: B D E G K O S T and End of Round. Type'),
        ("done now", "Done stands alone. Type: done."),
        ("trade e with bob, k with zed", 'Nobody here is called "zed". You can trade with Bob or'),
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


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("rebuild east+q", "You do not hold a Q. Your hand: B D E G K O S T and End of Round."),
        ("rebuild east+g+o", "EAST, G and O together spell nothing. Try other letters, or take up"),
        ("rebuild 6+7", "FOAMS and NOTE together spell nothing."),
        ("rebuild 1+6+g", "EAST, FOAMS and G together spell nothing."),
        ("rebuild zebra+t", 'You have no word "zebra" on the table.'),
    ],
)
def test_a_rebuild_without_its_word_hears_what_is_wrong_with_the_letters(line, sentence):
    assert not_understood(line).startswith(sentence)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("form q", "Q is too short: three letters at least."),
        ("rebuild 44+q", "There is no word 44 on the table."),
        ("rebuild thumb+q", "Word 2 is Bob's, and you can take up only your own."),
        ("rebuild over+q", "OVER is locked, and stays as it is for the rest of the round."),
    ],
)
def test_what_is_no_word_or_no_own_exposed_one_is_said_whatever_the_letters(line, sentence):
    assert refused(line).startswith(sentence)


@pytest.mark.parametrize(
    "line", ["rebuild east+d as t", "rebuild east as d", "remove bob from note"]
)
def test_a_mark_without_its_word_is_no_filler(line):
    """The letters alone would be words: DATES, STEAD."""
    with pytest.raises(Refusal):
        check(lexicon(), RICH, typed(line))


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

    monkeypatch.setattr(slots, "check", counted("check", check))
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


# -- what is said back -----------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["{}", "lock {}", "form {} cat", "trade e with {}", "draw {}"])
def test_what_is_said_back_and_cut_short_shows_that_it_is(line):
    sentence = not_understood(line.format("z" * 60), DRAW if "draw" in line else RICH)
    assert 'zzzz..."' in sentence and "z" * QUOTED_MAX not in sentence
    whole = "z" * QUOTED_MAX
    assert f'"{whole}" is no play here.' in not_understood(whole)


# -- letters and partners of a trade ---------------------------------------------------------------

FIVE = view(of=5, hand=tuple("DEORKS*"), seats=tuple([SeatView(n, 0) for n in (7, 7, 7, 1, 0)]))
EACH = "Each partner gets one letter of yours, and chooses which one comes back."


@pytest.mark.parametrize(
    ("line", "example"),
    [
        ("trade eor with bob", "trade e with bob, o with cleo"),
        ("trade e o with bob", "trade e with bob, o with cleo"),
        ("trade e for o with bob", "trade e with bob, o with cleo"),
        ("trade e with bob and cleo", "trade e with bob"),
        ("trade o with cleo and dee", "trade o with cleo"),
    ],
)
def test_letters_and_partners_that_do_not_go_together_are_paired(line, example):
    """[WR-23]"""
    assert f"{EACH} Type it like this: {example}." == not_understood(line, FIVE)
    check(lexicon(), FIVE, typed(example, FIVE))


def test_two_at_a_table_trade_one_letter():
    two = replace(RICH, seats=RICH.seats[:2], words=())
    assert f"{EACH} Type it like this: trade d with bob." == not_understood("trade dog with b", two)


@pytest.mark.parametrize("name", ["zed", "everyone"])
def test_whom_nobody_knows_is_said_with_those_who_can_be_traded_with(name):
    sentence = f'Nobody here is called "{name}". You can trade with Bob or Cleo. Type it like this:'
    assert f"{sentence} trade LETTER with NAME." == not_understood(f"trade e with {name}", FIVE)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("trade e with dee", "Dee has one card, which may be End of Round, and cannot trade."),
        ("trade e with eve", "Eve has no card to trade."),
    ],
)
def test_who_has_too_few_cards_to_trade_is_told_so(line, why):
    """[WR-25]"""
    assert f"{why} You can trade with Bob or Cleo." == refused(line, FIVE)
