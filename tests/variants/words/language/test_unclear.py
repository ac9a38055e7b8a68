"""Lines that fit no play of the word game, and plays that are well said and forbidden."""

from __future__ import annotations

import re
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
from tests.variants.words.views import SETTINGS, SeatView, lexicon, view, word
from variants.contract import Refusal
from variants.kit.matcher import QUOTED_MAX
from variants.words import legal_actions
from variants.words.check import check, is_legal
from variants.words.language import grammar
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
    assert (sentence[-1] == "." or "Type: " in sentence) and len(sentence) < 500


def test_nonsense_lists_the_plays_there_are_now():
    sentence = 'I don\'t understand "fold". You can: discard LETTERS.'
    assert sentence == not_understood("fold now", OVER)
    assert 'I don\'t understand "zzzz". You can: end round, pass.' == not_understood("zzzz", CLOSE)
    late = "Your turn is ending. Type end round to play End of Round, or pass."
    assert late == not_understood("fold", CLOSE)  # which is a word


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("lock zebra", "You can type: lock east, lock foams or lock note."),
        ("add q to bob", 'I don\'t understand "add q to bob". You can type: add '),
        ("steal q from bob", 'I don\'t understand "steal q from bob". You can type: steal '),
        ("rebuild east+t tasted", "You can type: rebuild east+d+t as tasted"),
        ("form", "form: something is missing. You can type: form "),
        ("done now", "Done stands alone. Type: done"),
        ("trade e with bob, k with zed", 'Did you mean "trade e with bob"?'),
        ("trade dog with b", "You can type: trade "),
        ("trade e with bob and cleo", 'Did you mean "trade e with bob"?'),
    ],
)
def test_what_is_wrong_is_said_and_what_would_be_right(line, sentence):
    assert sentence in not_understood(line)


@pytest.mark.parametrize("line", ["add d to bob", "add d to bob oat", "steal o from bob"])
def test_whose_words_are_named_gives_no_word_of_anybody_else(line):
    bare = replace(RICH, words=(word(1, ANN, "EAST"), word(4, CY, "OAT")))
    assert f'I don\'t understand "{line}". You can type: ' in not_understood(line, bare)


@pytest.mark.parametrize(
    "line", ["add q to bob", "steal q from bob", "form", "rebuild east+t tasted"]
)
def test_a_line_that_fits_nothing_names_no_word_beyond_the_hints(line):
    off = replace(RICH, settings=replace(SETTINGS, hints=0))
    printed = {word for card in RICH.box.manifests for words in card.sets for word in words}
    laid = {word.spelling for word in RICH.words}.union(legal_actions.manifest_words(off))
    _, _, right = not_understood(line, off).partition("You can type: ")
    words = {
        word.upper() for word in re.split(r"[ ,.+]", right) if len(word) > 2 and word.islower()
    }
    assert words - printed - laid <= {"ADD", "BOB", "CLEO", "STEAL", "FROM", "LEAVING", "MAKING",
                                      "FORM", "REBUILD"}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("rebuild east+q", "EASTQ spells nothing."),
        ("rebuild east+g+o", "EASTGO spells nothing."),
        ("rebuild 6+7", "FOAMSNOTE spells nothing."),
        ("rebuild 1+6+g", "EASTFOAMSG spells nothing."),
        ("form q", "Q is too short: three letters at least."),
        ("rebuild 44+q", "There is no word 44 of yours on the table."),
        ("rebuild thumb+q", "Word 2 is Bob's, and you can rebuild only your own."),
        ("rebuild over+q", "OVER is locked until the round ends."),
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


def test_who_has_no_word_hears_how_the_play_is_typed():
    bare = replace(RICH, words=())
    sentence = "lock: something is missing. You can type: lock WORD."
    assert sentence == not_understood("lock", bare)


# -- the grammar does not judge --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("steal t from thumb", "THUMB without T leaves BHMU, which spells nothing."),
        ("steal t from bob thumb leaving humb making dot", "THUMB without T leaves BHMU"),
        ("steal a from oat leaving ot making goat", "OAT has 3 letters"),
        ("steal d from dated leaving date making drag", "You don't have an A or an R."),
        ("steal d from dated leaving date making xd", "XD is too short"),
        ("steal d from 5 leaving ate making dog", "Word 5 of Cleo is locked"),
        ("add q to oat", "OAT and Q together spell nothing."),
        ("add b to oat making zebra", "ZEBRA is not made of OAT and B."),
        ("add b to oat making btoa", "BTOA isn't in the word list, but its letters spell"),
        ("add z to bob east making zetas", "You don't have a Z."),
        ("add d to 5", "Word 5 of Cleo is locked"),
        ("add d to 1", "To change your own word, type rebuild east+d"),
        ("add d to 99", "There is no word 99 on the table."),
        ("form zzzz", "ZZZZ spells nothing."),
        ("form dgo", "DGO isn't in the word list, but its letters spell"),
        ("form zed", "You don't have a Z."),
        ("form ab", "AB is too short"),
        ("form caf\u00e9", "letters A to Z only"),
        ("zed", "You don't have a Z."),
        ("lock 3", "Word 3 is Bob's"),
        ("lock thumb", "Word 2 is Bob's"),
        ("lock over", "OVER is locked"),
        ("lock 42", "There is no word 42"),
        ("take up thumb", "Word 2 is Bob's"),
        ("take up 7 7", "A word is named twice."),
        ("rebuild east east", "That changes nothing."),
        ("rebuild east as zebra", "You don't have"),
        ("rebuild over as rove", "OVER is locked"),
        ("trade q with bob", "You don't have a Q."),
        ("trade e with me", "You can't trade with yourself."),
        ("trade e with bob, k with bob", "Bob is named twice."),
        ("draw", "You have drawn for this turn already."),
        ("discard d", "You discard at the end of your turn. First type done."),
        ("give s", "Nobody trades with you now."),
        ("pass", "You can't skip a move. To end your turn, type done."),
        ("end round", "You play End of Round at the end of your turn. First type done."),
        ("remove s from foams", "A letter is removed when a round ends"),
        ("out", "You can go out only with no letter left in your hand."),
    ],
)
def test_a_forbidden_play_that_is_well_said_is_refused_by_the_rules(line, reason):
    assert reason in refused(line)


@pytest.mark.parametrize(
    ("line", "at", "reason"),
    [
        ("discard end of round", OVER, "The End of Round card isn't a letter"),
        ("discard *", OVER, "The End of Round card isn't a letter"),
        ("discard x", OVER, "You don't have an X."),
        ("discard d e g", OVER, "You can't discard 3 letters."),
        ("draw", OVER, "Discard 2 letters."),
        ("draw 0", DRAW, "You can't draw no cards now."),
        ("draw 5", DRAW, "You can't draw 5 cards now."),
        ("form dog", DRAW, "First you draw 2 cards"),
        ("give *", TRADE, "The End of Round card isn't a letter"),
        ("q", TRADE, "You don't have a Q."),
        ("done", TRADE, "Bob trades with you."),
        ("form dog", CLOSE, "Your turn is ending."),
        ("remove o from oat", REMOVAL, "OAT has 3 letters"),
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
def test_out_of_turn_every_play_is_answered_with_a_wait(line):
    said = meant_or_refused(line, replace(RICH, turn=BOB))
    assert "It's Bob's turn." in said or "Please wait until you are asked." in said


def meant_or_refused(line, at):
    with pytest.raises(Refusal) as said:
        check(lexicon(), at, typed(line, at))
    return said.value.format(NAMES)


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

    monkeypatch.setattr(grammar, "is_legal", counted("is_legal", is_legal))
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
            assert asked["is_legal"] <= 250 and asked["within"] <= 15, (piece, count, asked)
            assert asked["anagrams"] + asked["is_word"] <= 3000, (piece, count, asked)


# -- what is said back -----------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["{}", "lock {}", "form {} cat", "trade e with {}", "draw {}"])
def test_what_is_said_back_and_cut_short_shows_that_it_is(line):
    sentence = not_understood(line.format("z" * 60), DRAW if "draw" in line else RICH)
    assert 'zzzz..."' in sentence and "z" * QUOTED_MAX not in sentence
    whole = "z" * QUOTED_MAX
    assert f'I don\'t understand "{whole}".' in not_understood(whole)


# -- partners of a trade ---------------------------------------------------------------------------

FIVE = view(of=5, hand=tuple("DEORKS*"), seats=tuple([SeatView(n, 0) for n in (7, 7, 7, 1, 0)]))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("trade e with dee", "Dee has one card, which may be End of Round, and can't trade."),
        ("trade e with eve", "Eve has no card to trade."),
    ],
)
def test_who_has_too_few_cards_to_trade_is_told_so(line, why):
    """[WR-25]"""
    assert f"{why} You can trade with Bob or Cleo." == refused(line, FIVE)
