"""Letters as a multiset, and the order in which a hand is used up."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from variants.words.lexicon.multiset import (
    is_anagram,
    is_within,
    letter_cards,
    missing_letters,
    remove_latest,
    remove_oldest,
    sorted_letters,
    subtract_letters,
)


def test_letters_are_counted_as_cards_are():
    random = Random(1)
    for _ in range(500):
        one, other = ("".join(random.choices("ABCD", k=random.randrange(6))) for _ in "xy")
        assert (Counter(one) <= Counter(other)) == is_within(one, tuple(other))
        assert (Counter(one) == Counter(other)) == is_anagram(tuple(one), other)
        missing = Counter(one) - Counter(other)
        assert sorted_letters(missing.elements()) == missing_letters(tuple(one), other)
        assert sorted_letters(one) == sorted_letters(
            subtract_letters(one, missing.elements()) + missing_letters(one, other)
        )


def test_what_is_not_there_cannot_be_taken():
    assert "AST" == subtract_letters("EAST", "E")
    for take in (lambda: subtract_letters("EAST", "EE"), lambda: remove_oldest(("E", "A"), "EE")):
        with pytest.raises(ValueError):
            take()


def test_of_equal_letters_the_oldest_is_used_and_the_latest_discarded():
    hand = ("A", "B", "*", "A", "C")
    assert ("B", "*", "A", "C") == remove_oldest(hand, "A")
    assert ("A", "B", "*", "C") == remove_latest(hand, "A")
    assert ("A", "B", "A", "C") == letter_cards(hand)
