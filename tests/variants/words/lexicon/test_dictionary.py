"""Which words letters make: the word list and a table's dictionary beside a plain reading of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.variants.words.driver import BOX, shipped_lexicon
from variants.words.data.box import ALPHABET, Manifest
from variants.words.lexicon.dictionary import Dictionary, dictionary
from variants.words.lexicon.lexicon import LETTERS_MAX, Lexicon

WORDS = {
    "ATE": 10, "EAT": 10, "TEA": 20, "ETA": 55, "EAST": 10, "SEAT": 10, "TEAS": 35, "ETAS": 80,
    "DATES": 20, "SEATED": 35, "STEADY": 20, "TASTED": 35, "ZYMURGY": 80, "THUMB": 10,
    "MONARCHIES": 50, "NOMARCHIES": 80, "UNCOPYRIGHTABLE": 80, "SEAMSTRESS": 40,
}  # fmt: skip
SMALL = Lexicon(WORDS.items())
HAND = "".join(count.letter * count.number for count in BOX.letters)


@cache
def shipped() -> dict[str, int]:
    """The shipped words by level, up to eight letters and beyond, asked of the list itself."""
    lexicon = shipped_lexicon()
    words = lexicon.words(80, 8)
    return {word: lexicon.level_of(word) or 0 for word in words}


def plainly_within(words: dict[str, int], letters: str, level: int, shortest: int = 3) -> list[str]:
    held = Counter(letters)
    return sorted(
        word
        for word, of in words.items()
        if of <= level and len(word) >= shortest and held.keys() >= set(word)
        and Counter(word) <= held
    )  # fmt: skip


def test_the_shipped_list_is_the_one_of_the_rules():
    """[WR-02]"""
    assert 248_118 == shipped_lexicon().size
    counts = Counter(map(len, shipped()))
    assert [1_164, 5_067, 11_470, 20_301, 30_470, 37_799] == [counts[n] for n in range(3, 9)]


def test_a_word_has_its_level_and_what_is_none_has_none():
    assert WORDS == {word: SMALL.level_of(word) for word in WORDS}
    assert {None} == {
        SMALL.level_of(x) for x in ("", "A", "TAE", "EASTS", "MONARCHIESX", "ÉTÉ", "*")
    }


@cache
def up_to_six_letters():
    return {word: of for word, of in shipped().items() if len(word) <= 6}


@given(st.lists(st.sampled_from(ALPHABET[:12]), max_size=10).map("".join), st.integers(1, 90))
def test_all_words_of_some_letters_are_found_once_each(letters, level):
    words = up_to_six_letters()
    found = [word for word in shipped_lexicon().within(letters, level) if len(word) <= 6]
    assert plainly_within(words, letters, level) == sorted(found)


@given(st.integers(0, 10_000), st.integers(3, 9))
def test_words_may_be_asked_for_from_a_length_on(seed, shortest):
    letters = "".join(Random(seed).sample(HAND, 8))
    every = shipped_lexicon().within(letters, 60)
    assert sorted(w for w in every if len(w) >= shortest) == sorted(
        shipped_lexicon().within(letters, 60, shortest)
    )


@pytest.mark.parametrize("level", [10, 35, 50, 80])
def test_long_words_are_found_as_short_ones_are(level):
    for letters in ("MONARCHIES", "UNCOPYRIGHTABLE", "SEAMSTRESSES"[:11]):
        assert plainly_within(WORDS, letters, level) == sorted(SMALL.within(letters, level))
    expected = tuple(w for w in ("MONARCHIES", "NOMARCHIES") if WORDS[w] <= level)
    assert expected == SMALL.anagrams("AHCRMNOIES"[::-1], level)


def test_every_long_word_of_the_shipped_list_is_found_by_its_letters():
    lexicon = shipped_lexicon()
    for word in ("UNCOPYRIGHTABLE", "DISCRIMINATIONS", "CHRISTENING", "CERTIFICATE"):
        assert word in lexicon.within(word, 80, len(word))
        assert word in [spelling for _, spelling in lexicon.plus_one(word[:-1], ALPHABET, 80)]
        assert word in [w for _, w in lexicon.minus_one(word + "Q", 80)] or len(word) == 15


def test_anagrams_stand_in_alphabetical_order_up_to_the_level():
    assert ("ATE", "EAT", "ETA", "TEA") == SMALL.anagrams("TAE", 80)
    assert ("ATE", "EAT", "TEA") == SMALL.anagrams("AET", 50)
    assert ("EAST", "SEAT") == SMALL.anagrams("STEA", 10)
    assert () == SMALL.anagrams("BHMU", 80) == SMALL.anagrams("", 80) == SMALL.anagrams("E*T", 80)


@given(st.integers(0, 10_000), st.sampled_from([20, 60, 80]))
def test_a_letter_more_or_less_is_what_a_plain_reading_finds(seed, level):
    rng, lexicon = Random(seed), shipped_lexicon()
    word, letters = rng.choice(list(shipped())), "".join(rng.sample(HAND, 7))
    more = [(x, each) for x in sorted(set(letters)) for each in lexicon.anagrams(word + x, level)]
    assert more == lexicon.plus_one(word, letters, level)
    fewer = [
        (x, each)
        for x in sorted(set(word))
        for each in lexicon.anagrams(word.replace(x, "", 1), level)
    ]
    assert fewer == lexicon.minus_one(word, level)


def test_a_letter_is_added_and_taken_away():
    """[W-G05] [W-G07] [W-G08]"""
    assert [("D", "DATES")] == SMALL.plus_one("EAST", "DQD*", 80)
    assert [("D", "EAST"), ("D", "SEAT"), ("D", "TEAS")] == SMALL.minus_one("DATES", 50)
    assert [] == SMALL.minus_one("SEA", 80) == SMALL.minus_one("THUMB", 80)


def test_more_letters_than_can_be_answered_are_refused():
    assert ["UNCOPYRIGHTABLE"] == SMALL.within("UNCOPYRIGHTABLE", 80, LETTERS_MAX)
    with pytest.raises(ValueError, match="16 letters; 15 at most"):
        SMALL.within("A" * 16, 80)


def test_the_fingerprint_knows_words_and_levels_and_not_their_order():
    assert SMALL.fingerprint == Lexicon(reversed(WORDS.items())).fingerprint
    assert SMALL.fingerprint != Lexicon({**WORDS, "EAST": 20}.items()).fingerprint
    assert SMALL.fingerprint != Lexicon({**WORDS, "EASY": 10}.items()).fingerprint


# -- the words of one table ---------------------------------------------------------------------

ODD = Manifest(
    "M01", (("QAT", "TAQS", "ETAQS", "ETAQSY"), *BOX.manifests[0].sets[1:])
)  # no words of any list
ODD_BOX = replace(BOX, manifests=(ODD, *BOX.manifests[1:]))


def test_what_is_printed_on_a_card_is_a_word_whatever_the_list_says():
    """[WR-02]"""
    table = Dictionary(SMALL, ODD_BOX, 50)
    assert table.is_word("ETAQS")
    assert table.is_word("EAST")
    assert not table.is_word("ETAS")
    assert ("ETAQS",) == table.anagrams("AEQST")
    assert "TAQS" in table.within("QATS")
    assert ["ETAQS"] == table.within("AEQST", 5)
    assert [("Q", "ETAQS")] == table.plus_one("EAST", "QX*")
    assert [("E", "TAQS"), ("Q", "EAST"), ("Q", "SEAT"), ("Q", "TEAS")] == table.minus_one("ETAQS")


def test_a_table_whose_cards_are_all_in_the_list_asks_the_list_alone():
    lexicon = shipped_lexicon()
    table = dictionary(lexicon, BOX, 60)
    assert table is dictionary(lexicon, replace(BOX), 60)
    assert table is not dictionary(lexicon, BOX, 70)
    assert lexicon.plus_one("EAST", HAND, 60) == table.plus_one("EAST", HAND)
    assert sorted(lexicon.within("THUMBED", 60)) == sorted(table.within("THUMBED"))


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("EAST", ""),
        ("ETAQS", ""),
        ("BHMU", "BHMU spells nothing."),
        ("ZYMURGY", "ZYMURGY is a word, but this table plays words up to level 60."),
        ("XQ", "XQ is too short: three letters at least."),
        ("", "Nothing isn't a word: words have letters A to Z only."),
        ("IT'S", "IT'S isn't a word: words have letters A to Z only."),
        ("TASE", "TASE isn't in the word list, but its letters spell EAST, SEAT and TEAS."),
        ("TAE", "TAE isn't in the word list, but its letters spell ATE, EAT, TEA and ETA."),
        ("Q" * 60, "QQQQQQQQQQQQQQQQQQQQQ... spells nothing."),
    ],
)
def test_a_refusal_of_a_word_says_why(word, reason):
    assert reason == Dictionary(SMALL, ODD_BOX, 60).rejection_reason(word)


def test_of_many_words_a_reason_names_the_most_familiar():
    table = dictionary(shipped_lexicon(), BOX, 80)
    assert (
        "AEST isn't in the word list, but its letters spell EAST, EATS, SEAT, TEAS and more."
        == (table.rejection_reason("AEST"))
    )
