"""Manifests without end: every card that is made is fair, and all of them are as hard."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import combinations, pairwise
from math import comb, inf
from random import Random
from statistics import mean, pstdev
from time import process_time

import pytest

from tests.counts import count
from tests.reference import reference_s
from tests.slow_cases import slow_cases
from tests.variants.words.driver import BOX, shipped_lexicon
from variants.contract import InvalidData
from variants.kit.chance import SeededChance
from variants.words.data.box import ALPHABET, Box, Count, Manifest
from variants.words.lexicon.dictionary import box_warnings, manifest_blocklist
from variants.words.lexicon.lexicon import Lexicon
from variants.words.manifests import maker as maker_module
from variants.words.manifests.chains import (
    Difficulty,
    RelatedWords,
    counts_fit,
    is_fair,
    pack_counts,
)
from variants.words.manifests.maker import CardDifficulty, Maker, maker_for

SEEDS = range(count(8, 4))
STANDARD = Difficulty(BOX.letters)


@cache
def deck(seed: int, level: int = 20) -> tuple[Manifest, ...]:
    return maker_for(shipped_lexicon(), BOX, level).deck(seed, 20)


def cards(level: int = 20) -> list[Manifest]:
    return [card for seed in SEEDS for card in deck(seed, level)]


def words_of(card: Manifest) -> list[str]:
    return [word for words in card.sets for word in words]


def with_letters(**letters: int) -> Box:
    counts = {count.letter: count.number for count in BOX.letters} | letters
    return replace(BOX, letters=tuple(Count(letter, counts[letter]) for letter in ALPHABET))


# -- how hard a word is -------------------------------------------------------------------------


def plainly(counts: dict[str, int], letters: str) -> Fraction:
    """Over all orders of a small box: the mean place of the card that completes the letters."""
    bag = "".join(letter * number for letter, number in counts.items())
    missing = Fraction(0)
    for drawn in range(len(bag)):
        hands = [Counter(hand) for hand in combinations(bag, drawn)]
        without = sum(not Counter(letters) <= hand for hand in hands)
        missing += Fraction(without, len(hands))
    return missing


@pytest.mark.parametrize("letters", ["A", "AB", "AAB", "ABC", "AABC", "CCC", "AABBC"])
def test_expected_draws_are_those_of_all_orders(letters):
    counts = {"A": 3, "B": 2, "C": 4}
    small = Difficulty([Count(letter, number) for letter, number in counts.items()])
    assert float(plainly(counts, letters)) == pytest.approx(small.draws(letters), abs=1e-12)


def test_expected_draws_are_those_of_the_rules():
    """37 for TASTED, 49 for TRYOUT, 107 / 10 for the first A."""
    assert 36.997 == round(STANDARD.draws("TASTED"), 3)
    assert 49.450 == round(STANDARD.draws("TRYOUT"), 3)
    assert STANDARD.draws("A") == pytest.approx(107 / 10)
    assert STANDARD.draws("Q") == pytest.approx(107 / 2)
    assert 0 == STANDARD.draws("")


def test_what_the_letters_cannot_spell_is_never_there():
    assert inf == STANDARD.draws("QQ") == STANDARD.draws("É")
    assert inf == Difficulty(with_letters(E=0).letters).draws("TASTED")


def test_the_first_of_several_comes_as_drawn():
    """Against a simulation, three standard errors wide."""
    words, rng = ["CLOUDS", "TAVERN", "WRITES", "SUBTLE"], Random(1)
    bag = "".join(count.letter * count.number for count in BOX.letters)
    found = []
    for _ in range(2_000):
        places: dict[str, list[int]] = {}
        for place, letter in enumerate(rng.sample(bag, len(bag)), 1):
            places.setdefault(letter, []).append(place)
        found.append(min(max(places[x][w.count(x) - 1] for x in w) for w in words))
    assert mean(found) == pytest.approx(
        STANDARD.any_of(words), abs=3 * pstdev(found) / len(found) ** 0.5
    )
    assert STANDARD.any_of(["CLOUDS"]) == STANDARD.draws("CLOUDS")
    assert STANDARD.any_of(["CLOUDS", "CLOUDS"]) == pytest.approx(STANDARD.draws("CLOUDS"))


def test_the_biggest_box_is_counted_as_well():
    """No field of the product runs over into the next: all 400 cards of eight letters."""
    big = Difficulty([Count(letter, 50) for letter in "ABCDEFGH"])
    assert big.draws("ABCDEFGH") == pytest.approx(
        401 * (1 - sum((-1) ** k * comb(8, k) / (50 * k + 1) for k in range(9))), rel=1e-9
    )


# -- one card -----------------------------------------------------------------------------------


def test_each_word_is_the_one_before_and_one_more_letter():
    """[WR-10]"""
    for card in cards():
        assert 4 == len(card.sets)
        for words in card.sets:
            assert [3, 4, 5, 6] == [len(word) for word in words]
            assert all(Counter(short) < Counter(long) for short, long in pairwise(words))


def test_each_chain_is_rearranged_and_does_not_only_grow():
    for words in (words for card in cards() for words in card.sets):
        grown = [
            any(long[:n] + long[n + 1 :] == short for n in range(6))
            for short, long in pairwise(words)
        ]
        assert not all(grown), words
        assert words[3] != words[2] + "S"
        assert 1 >= sum(
            long.startswith(short) or long.endswith(short) for short, long in pairwise(words)
        )


def test_no_word_of_a_set_is_related_to_a_word_of_another():
    endings = ("S", "D", "R", "N", "Y", "ED", "ER", "ES", "ING")
    for card in cards():
        for one, other in combinations(card.sets, 2):
            for a in one:
                for b in other:
                    assert a != b
                    assert not any(a == b + e or b == a + e for e in endings), (a, b)
                    assert len(a) < 4 or sorted(a) != sorted(b), (a, b)


@pytest.mark.parametrize("level", slow_cases([20, 35], ["35"]))
def test_words_are_familiar_and_none_is_denied(level):
    lexicon = shipped_lexicon()
    for word in {word for card in cards(level) for word in words_of(card)}:
        assert (lexicon.level_of(word) or 99) <= level
        assert word not in manifest_blocklist()


def test_each_card_is_as_hard_as_the_printed_ones():
    made = maker_for(shipped_lexicon(), BOX)
    printed = [made.mean(card) for card in BOX.manifests]
    assert made.target == pytest.approx([mean(each) for each in zip(*printed, strict=True)])
    assert (43.04, 36.69, 26.95) == tuple(round(each, 2) for each in made.target)
    for card in cards():
        longest, ladder, first = made.mean(card)
        assert abs(longest - made.target.longest) <= maker_module.CARD_OFF
        assert abs(ladder - made.target.ladder) <= maker_module.CARD_LADDER_OFF
        assert abs(first - made.target.first) <= maker_module.FIRST_OFF
        for words in card.sets:
            assert abs(STANDARD.draws(words[3]) - made.target.longest) <= maker_module.LONGEST_OFF


def test_every_number_of_a_set_is_as_hard():
    """The bonus indicator picks a set: none of the four is easier, within three errors."""
    by_set = [[STANDARD.draws(card.sets[n][3]) for card in cards()] for n in range(4)]
    spread = pstdev([each for found in by_set for each in found])
    middle = mean(each for found in by_set for each in found)
    for found in by_set:
        assert abs(mean(found) - middle) <= 3 * spread / len(found) ** 0.5


def test_no_letter_is_wanted_too_often_and_many_letters_are_wanted():
    held = {count.letter: count.number for count in BOX.letters}
    for card in cards():
        longest = [words[3] for words in card.sets]
        wanted = Counter("".join(longest))
        assert all(number <= max(1, held[letter] // 2 + 1) for letter, number in wanted.items())
        assert wanted["S"] <= 3
        assert len(wanted) >= 14
        for one, other in combinations(longest, 2):
            assert (Counter(one) & Counter(other)).total() <= 3


# -- many cards ---------------------------------------------------------------------------------


def test_six_cards_have_no_two_words_alike_or_related():
    """A full table: nothing on one card is on another, nor a relative of it."""
    for seed in SEEDS:
        kin = [RelatedWords(words_of(card)) for card in deck(seed)[:6]]
        assert not any(one.is_related(other) for one, other in combinations(kin, 2))
        words = [word for card in deck(seed)[:6] for word in words_of(card)]
        assert len(words) == len(set(words))


def test_in_twenty_cards_only_words_of_three_letters_come_twice():
    for seed in SEEDS:
        times = Counter(word for card in deck(seed) for word in words_of(card))
        again = [word for word, number in times.items() if number > 1]
        assert {3} >= {len(word) for word in again}
        assert len(again) <= 20


def test_no_two_words_of_a_card_have_the_same_letters():
    """Not those of three letters either: no EAT beside TEA."""
    for card in cards():
        spelled = ["".join(sorted(word)) for word in words_of(card)]
        assert len(spelled) == len(set(spelled)), card


def test_two_decks_have_few_words_of_six_letters_in_common():
    """At most 24 of 80 on average, so that nobody learns the cards by heart."""
    longest = [{words[3] for card in deck(seed) for words in card.sets} for seed in SEEDS]
    assert mean(len(one & other) for one, other in combinations(longest, 2)) <= 24


@pytest.mark.prove
@pytest.mark.alone
def test_thirty_decks_have_few_words_in_common_and_are_made_soon():
    made = maker_for(shipped_lexicon(), BOX)
    began = process_time()
    decks = [made.deck(seed, 20) for seed in range(30)]
    each_s = (process_time() - began) / 30
    references = each_s / reference_s()
    longest = [{words[3] for card in cards for words in card.sets} for cards in decks]
    shared = mean(len(one & other) for one, other in combinations(longest, 2))
    means = [made.mean(card).longest for cards in decks for card in cards]
    print(
        f"six letters: {len(set().union(*longest))} words, {shared:.1f} of 80 shared;"
        f" cards {min(means):.2f} to {max(means):.2f} draws; a deck in {1000 * each_s:.0f} ms,"
        f" {references:.1f} references"
    )
    assert shared <= 24 and references < 10


def test_cards_come_as_long_as_they_are_wanted():
    many = maker_for(shipped_lexicon(), BOX).deck(3, 60)
    assert [f"X{number}" for number in range(1, 61)] == [card.id for card in many]
    assert deck(3) == many[:20]
    assert 60 == len({card.sets for card in many})


def test_the_same_seed_makes_the_same_cards_and_another_makes_others():
    assert deck(1) == Maker(shipped_lexicon(), BOX).deck(1, 20)
    assert len(SEEDS) == len({deck(seed) for seed in SEEDS})


def test_the_cards_of_a_seed_are_these_for_ever():
    """A record of a game with fresh manifests is proved by making them again.  [G-02]

    Whoever changes them changes `EDITION` too.
    """
    assert 2 == maker_module.EDITION
    assert (
        "TON INTO POINT OPTION, SUE USER CURES CRUISE, HID DISH HIDES WISHED, EAR TEAR TREAT MATTER"
    ) == ", ".join(" ".join(words) for words in deck(1)[0].sets)
    whole = repr([card.sets for card in deck(1)]).encode()
    assert "5b781b6e8bc0131d" == sha256(whole).hexdigest()[:16]


def test_no_card_has_a_word_that_the_host_denies():
    levels = {word: shipped_lexicon().level_of(word) for word in shipped_lexicon().words(20, 6)}
    printed = {word for word in words_of(deck(1)[0]) if len(word) > 3}
    own = Maker(Lexicon(levels, printed), BOX)
    assert printed.isdisjoint(word for card in own.deck(1, 20) for word in words_of(card))
    assert deck(1) == Maker(Lexicon(levels), BOX).deck(1, 20)


def test_one_card_leaves_out_what_was_used():
    made = maker_for(shipped_lexicon(), BOX)
    for seed in range(30):
        used = words_of(deck(seed % len(SEEDS))[0])
        card = made.manifest(SeededChance(b"%d" % seed), used, "H7")
        assert "H7" == card.id
        assert not RelatedWords(used).is_related(RelatedWords(words_of(card)))


# -- other letters, other words -----------------------------------------------------------------


def test_without_an_e_no_card_has_one():
    box = with_letters(E=0)
    made = Maker(shipped_lexicon(), box)
    found = made.deck(1, 6)
    assert not any("E" in word for card in found for word in words_of(card))
    assert () == box_warnings(replace(box, manifests=found), shipped_lexicon())
    for card in found:
        assert abs(made.mean(card).longest - made.target.longest) <= maker_module.CARD_OFF


@pytest.mark.parametrize("number", slow_cases([2, 4, 15], ["2", "15"]))
def test_other_numbers_of_letters_have_a_standard_of_their_own(number):
    box = replace(BOX, letters=tuple(Count(letter, number) for letter in ALPHABET))
    made = Maker(shipped_lexicon(), box)
    off = maker_module.CARD_OFF * (26 * number + 1) / maker_module.STANDARD_CARDS
    assert made.target != maker_for(shipped_lexicon(), BOX).target
    assert all(abs(made.mean(c).longest - made.target.longest) <= off for c in made.deck(5, 6))


@pytest.mark.parametrize(
    "box",
    [
        with_letters(A=0, E=0, I=0, O=0, U=0),
        replace(BOX, letters=tuple(Count(x, 10 if x in "AERST" else 0) for x in ALPHABET)),
    ],
    ids=["no vowels", "five letters"],
)
def test_where_no_card_is_possible_the_reason_is_said_each_time(box):
    for _ in range(2):
        with pytest.raises(
            InvalidData, match="No manifest can be made of these letters with words up"
        ):
            maker_for(shipped_lexicon(), box)


def test_a_list_of_a_few_words_makes_no_card():
    few = Lexicon([("OLD", 10), ("LOUD", 10), ("COULD", 10), ("CLOUDS", 10)])
    with pytest.raises(InvalidData, match="no four make a fair card"):
        Maker(few, BOX)


@pytest.mark.parametrize("level", [0, 19, 36, 80])
def test_other_levels_are_refused(level):
    with pytest.raises(InvalidData, match=r"is wrong\. Use 10, 20 or 35\."):
        Maker(shipped_lexicon(), BOX, level)


def test_chains_that_only_grow_are_no_chains():
    assert is_fair(("OLD", "LOUD", "COULD", "CLOUDS"))
    assert not is_fair(("CAR", "CARE", "SCARE", "SCARED"))  # nothing rearranged
    assert not is_fair(("OAR", "ROAD", "BROAD", "ABROAD"))  # twice a letter in front
    assert not is_fair(("TEA", "RATE", "GRATE", "GRATES"))  # a mere S
    assert not is_fair(("NOR", "HORN", "HONOR", "HONOUR"))  # the same word


def test_letters_are_compared_field_by_field():
    most = pack_counts({"A": 3, "B": 1, "Z": 2})
    assert counts_fit(pack_counts({"A": 3, "B": 1}) + pack_counts({"Z": 2}), most)
    assert not counts_fit(pack_counts({"A": 4}), most)
    assert not counts_fit(pack_counts({"A": 1, "C": 1}), most)
    assert not counts_fit(pack_counts({"Z": 2}) + pack_counts({"Z": 1}), most)


@pytest.mark.prove
def test_thousands_of_cards_are_as_hard_as_one_another():
    """The figures of W1 for as many cards as nobody prints."""
    made = maker_for(shipped_lexicon(), BOX)
    every = [card for seed in range(count(500, 150)) for card in made.deck(seed, 20)]
    means = [made.mean(card) for card in every]
    for name, found in zip(CardDifficulty._fields, zip(*means, strict=True), strict=True):
        line = f"{name}: {min(found):.2f} to {max(found):.2f}, mean {mean(found):.3f}"
        print(f"{line}, deviation {pstdev(found):.3f}, printed {getattr(made.target, name):.3f}")
        assert abs(mean(found) - getattr(made.target, name)) < 0.2
    draws = [STANDARD.draws(words[3]) for card in every for words in card.sets]
    print(f"six letters: {min(draws):.2f} to {max(draws):.2f}, deviation {pstdev(draws):.3f}")
    print(f"different cards: {len({card.sets for card in every}):,} of {len(every):,}")
    assert max(draws) - min(draws) <= 2 * maker_module.LONGEST_OFF
