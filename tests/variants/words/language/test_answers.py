"""Questions at a word table: what could be spelt, what is missing, what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from tests.variants.driver import ANN, BOB, NAMES
from tests.variants.words.driver import BOX
from tests.variants.words.views import (
    BONUS_1,
    LINEAR,
    SETTINGS,
    SHEETS,
    STYLES,
    WIDE,
    lexicon,
    random_game,
    readers,
    view,
    whole,
    word,
)
from tests.variants.words.views import answered as rows
from variants.contract import ParseError
from variants.kit.text import Style
from variants.words import events as e
from variants.words.language.answers import HAND_WORDS_MAX, QUESTIONS, TAKEN_UP_WORDS_MAX
from variants.words.lexicon.multiset import is_within, letter_cards
from variants.words.view import View

WATCHER = None


def text(line: str, view: View, seen: Sequence[e.Event] = (), style: Style = WIDE) -> str:
    return whole(rows(line, view, seen, style))


def hints(level: int, **facts: object) -> View:
    return view(settings=replace(SETTINGS, hints=level), **facts)


# -- what can be asked -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            "form east",
            "form isn't a question here. You can ask hand, table, piles, words, manifest,",
        ),
        ("", "Nothing isn't a question here."),
        ("manifest m03", "manifest stands alone: type manifest."),
        ("count e", "count stands alone: type count."),
        ("words five", "How many letters at least? For example words 5, or only words."),
        ("words 5 6", "How many letters at least?"),
        ("words -3", "How many letters at least?"),
        ("words ²", "How many letters at least?"),
        ("words 16", "No word has more than 15 letters. Try words 5."),
        ("words " + "9" * 5000, "No word has more than 15 letters."),
        ("cards 21", "The manifests here are 1 to 20. Type cards manifests, or cards 20."),
        ("cards 0", "The manifests here are 1 to 20."),
        ("cards of bob", "The manifests here are 1 to 20."),
        ("cards " + "9" * 5000, "The manifests here are 1 to 20."),
    ],
)
def test_what_is_no_question_is_refused_with_the_reason(line, reason):
    with pytest.raises(ParseError) as refused:
        rows(line, view())
    assert refused.value.format(NAMES).startswith(reason)


@cache
def positions(seats: int) -> list[tuple[View, list[e.Event]]]:
    """What everybody sees and has heard, now and then in a random game of two rounds."""
    return [
        (moment.view(reader), moment.heard(reader))
        for number, moment in enumerate(random_game(seats, seats, max_rounds="2"))
        if number % 60 == 0 or moment.state.ended
        for reader in readers(seats)
    ]


@STYLES
def test_every_question_is_answered_to_everybody_on_a_screen_of_any_width(style):
    widths = (style, replace(style, width=20))
    for it, seen in positions(2) + positions(5):
        for question in (*QUESTIONS, "words 5"):
            for width in widths:
                shown = rows(question, it, seen, width)
                assert shown and max(map(len, shown)) <= width.width


@pytest.mark.parametrize("question", ["words", "WORDS", "  words  ", "words 0", "words 3"])
def test_a_question_is_read_forgivingly(question):
    assert rows("words", view()) == rows(question, view())


# -- the manifests that everybody knows ------------------------------------------------------------


def test_cards_lists_the_printed_manifests_to_everybody_as_a_program_has_them():
    """[WR-10] Computer players and programs have them in the box of the view."""
    for it in (view(), view(WATCHER)):
        shown = text("cards manifests", it)
        assert shown.startswith("There are 20 manifests in the box. cards 2 shows one of them ")
        assert "Card 1: 1 OLD LOUD COULD CLOUDS" in shown
        printed = [word for card in it.box.manifests for words in card.sets for word in words]
        assert set(printed) <= set(shown.split())
    assert [
        "Card 7: 1 SUN NUTS UNITS INPUTS  2 ROE TORE OVERT REVOLT  3 GAS SAGE GEARS GRAPES",
        "    4 AID DIAL IDEAL FAILED",
    ] == rows("cards 7", view(), (), replace(WIDE, width=84))
    assert rows("cards 7", view()) == rows("cards manifests 7", view())
    assert "Card 7, set 2: ROE, TORE, OVERT, REVOLT." in rows("cards 07", view(), (), LINEAR)


def test_of_a_large_box_twenty_cards_are_listed_and_all_can_be_asked_for():
    large = view(box=replace(BOX, manifests=BOX.manifests * 3))
    shown = text("cards manifests", large)
    assert "Card 20: " in shown and "Card 21: " not in shown
    assert shown.endswith("Not shown: cards 21 to 60.")
    assert rows("cards 40", large)[1:] == rows("cards 20", large)[1:]


def test_of_fresh_manifests_those_are_listed_that_were_turned_up():
    fresh = view(settings=replace(SETTINGS, has_fresh=True))
    for line in ("cards 3", "cards manifests"):
        assert text(line, fresh).startswith("No card has been turned up yet. ")
    scored = [e.RoundScored(1, SHEETS)]
    assert text("cards manifests", fresh, scored).startswith(
        "There are 2 manifests turned up in this game. cards 2 shows one of them alone. "
        "Card 1: 1 SEA EAST DATES TASTED"
    )
    assert SHEETS[1].manifest.sets[3][3] in text("cards 2", fresh, scored)


# -- words -----------------------------------------------------------------------------------------


def spelt(shown: Sequence[str]) -> list[str]:
    """The words that an answer lists, in its order, with their stars."""
    return [each for row in shown for each in row.replace(",", " ").split()
            if each.rstrip("*").isalpha() and each.isupper()]  # fmt: skip


def test_words_lists_what_the_hand_spells_the_longest_first_and_the_manifest_marked():
    assert [
        "Words up to level 50; * is on your manifest.",
        "Your hand:",
        "  6: STROVE, VOTERS",
        "  5: VOTER*, OVERS, OVERT, ROVES, SERVO, STORE, STOVE, VOTES",
    ] == rows("words 5", view(hand=tuple("STOVER*")))
    found = spelt(rows("words", view(hand=tuple("OVERSEA"))))
    lengths = [len(each.rstrip("*")) for each in found]
    assert lengths == sorted(lengths, reverse=True)
    for length, printed in ((4, ["OVER*"]), (3, ["ORE*", "SEA*"])):
        of_length = [each for each in found if len(each.rstrip("*")) == length]
        assert printed == of_length[: len(printed)] and len(of_length) > len(printed)


@pytest.mark.parametrize("level", [35, 50, 60, 80])
def test_words_stays_within_the_hints_of_the_table(level):
    found = spelt(rows("words", hints(level, hand=tuple("AEINRST"))))
    levels = [lexicon().level_of(each.rstrip("*")) for each in found]
    assert found and all(each is not None and each <= level for each in levels)
    assert f"up to level {level}" in text("words", hints(level))


def test_words_names_no_word_that_the_table_does_not_accept():
    strict = view(settings=replace(SETTINGS, level=60, hints=80), hand=tuple("AEINRST"))
    assert rows("words", strict) == rows("words", hints(60, hand=tuple("AEINRST")))


def test_words_is_switched_off_where_the_table_says_so():
    assert ["The question words is switched off at this table."] == rows("words", hints(0))


def test_words_takes_up_each_exposed_word_of_the_own_seat():
    table = (word(3, ANN, "EAST"), word(4, BOB, "ZOO"), word(5, ANN, "SEA", locked=3),
             word(6, ANN, "NOTE"))  # fmt: skip
    it = view(words=table, hand=tuple("TDQZ*"))
    shown = rows("words", it)
    assert ["Your hand: nothing", "With EAST taken up:"] == shown[1:3]
    assert "With NOTE taken up:" in shown
    assert not any("ZOO" in row or "SEA taken" in row for row in shown)
    found = spelt(shown)
    assert "TASTED*" in found and "DATES*" in found and "EAST" not in spelt(shown[3:])


def test_what_the_hand_spells_alone_is_not_said_again_with_a_word_taken_up():
    it = view(words=(word(3, ANN, "EAST"),), hand=tuple("DOG"))
    shown = rows("words", it)
    assert 1 == sum("DOG" in spelt([row]) for row in shown)


def test_words_only_ever_needs_the_own_letters():
    """No letter of anybody else helps."""
    checked = 0
    for number, moment in enumerate(random_game(3, 4, max_rounds="1")):
        if number % 15:
            continue
        for reader in readers(3)[1:]:
            it = moment.view(reader)
            own = "".join(letter_cards(it.hand)) + "".join(
                [each.spelling for each in it.words
                 if each.owner == reader and not each.is_locked]
            )  # fmt: skip
            for row in rows("words", it)[1:]:
                for each in spelt([row.split(":")[-1]]):
                    assert is_within(each.rstrip("*"), own)
                    checked += 1
    assert checked > 200


def test_an_answer_is_bounded_and_says_how_much_is_left_out():
    it = hints(80, hand=tuple("AEINRSTLO"), words=(word(1, ANN, "PLANETS"),))
    shown = rows("words", it)
    hand, taken = shown[: shown.index("With PLANETS taken up:")], shown
    assert HAND_WORDS_MAX == len(spelt(hand))
    assert HAND_WORDS_MAX + TAKEN_UP_WORDS_MAX + 1 == len(spelt(taken))  # and PLANETS itself
    assert 2 == sum(
        row.startswith("And ") and row.endswith("none on your manifest.") for row in taken
    )


def test_however_many_words_there_are_those_of_the_manifest_are_named():
    """Longer ones that are not on it cost points."""
    it = hints(50, hand=tuple("DTGOBKES*"), words=(word(1, ANN, "EAST"),))
    shown = rows("words", it)
    taken = shown[shown.index("With EAST taken up:") :]
    assert {"TASTED*", "DATES*", "SEA*", "ADS*"} == {it for it in spelt(taken) if "*" in it}
    assert any(row.startswith("And ") and "letters at most" in row for row in taken)


def test_many_letters_are_looked_at_as_far_as_one_question_goes():
    it = view(hand=tuple("AAEEIINNRRSSTTLLOO"), words=(word(1, ANN, "PLANETS"),))
    assert "Only the first 15 letters of your hand are looked at." in rows("words 7", it)
    table = tuple(word(number, ANN, "SEA") for number in range(1, 12))
    assert "Not looked at: SEA, SEA and SEA." in rows("words", view(words=table))


def test_a_screen_reader_hears_the_mark_as_words():
    shown = text("words", view(hand=tuple("SEA*")), style=LINEAR)
    assert "3 letters: SEA (on your manifest)" in shown and "*" not in shown


# -- manifest --------------------------------------------------------------------------------------


@STYLES
def test_manifest_says_of_every_word_where_it_is_or_what_is_missing(style):
    table = (word(2, ANN, "SEA"), word(3, ANN, "SEA"), word(4, ANN, "OVER", locked=4),
             word(6, ANN, "VAT"), word(7, BOB, "TASTED"))  # fmt: skip
    it = view(words=table, hand=tuple("EASTD*"), indicator=BONUS_1)
    shown = text("manifest", it, style=style)
    for fact in (
        "SEA on the table (word 2 and word 3)",
        "OVER on the table (word 4, locked)",
        "EAST in your hand",
        "DATES in your hand",
        "TASTED possible with VAT taken up",
        "ADS in your hand",
        "SAID needs I",
        "VORTEX needs O R X",
        "CHANCE needs C C H N",
        "Set 1, your bonus, x2: ",
        "Points: 3 letters 5, 4 letters 10, 5 letters 15, 6 letters 20.",
    ):
        assert fact in shown


def test_manifest_counts_all_own_words_together_at_last():
    table = (word(2, ANN, "TAV"), word(3, ANN, "DOT"))
    it = view(words=table, hand=tuple("SE"))
    assert "TASTED possible with several words taken up" in text("manifest", it)


def test_manifest_looks_at_no_letters_of_others():
    alone = rows("manifest", view())
    assert alone == rows("manifest", view(words=(word(3, BOB, "EAST"),), top="S", discards=9))


def test_a_watcher_has_neither_hand_nor_manifest():
    assert ["You are watching, and have no manifest."] == rows("manifest", view(WATCHER))
    assert ["You are watching, and have no letters to spell with."] == rows("words", view(WATCHER))


# -- the last round --------------------------------------------------------------------------------


@STYLES
def test_reckoning_turns_the_last_round_up(style):
    for reader in (ANN, WATCHER):
        shown = text("reckoning", view(reader, round=3, last=SHEETS), style=style)
        for fact in ("Round 2 was:", "SEA 10 (set 1), NOTE -10", "Bob: 30, total 215, bonus set 3",
                     "VORTEX", "FIDDLE", "DANISH", "no words"):  # fmt: skip
            assert fact in shown
        assert ("FOAMS (on the table)" if style.is_linear else "*FOAMS") in shown
    assert "Round 3 was:" in text("reckoning", view(round=3, last=SHEETS, ended="target"))
    assert ["No round has been scored yet."] == rows("reckoning", view())


# -- the table in pieces --------------------------------------------------------------------------


def test_the_table_in_pieces():
    at = view(words=(word(3, BOB, "EAST"), word(4, BOB, "", locked=5)))
    assert ["Your hand: D, A, T, E, O, V, End of Round"] == rows("hand", at, style=LINEAR)
    assert [
        "Bob: 7 cards, 0 points",
        "Bob's words: word 3 EAST; word 4, a locked word of 5 letters",
    ] == rows("table bo", at, style=LINEAR)
    assert ["Draw pile 58.", "Discard pile 4, X on top."] == rows("piles", at)
