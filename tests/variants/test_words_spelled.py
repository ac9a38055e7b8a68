"""Letters as a multiset, and the order in which a hand is used up."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from variants.words.spelled import (
    in_order,
    is_anagram,
    is_within,
    lacking,
    less,
    letter_cards,
    without,
    without_latest,
)


def test_letters_are_counted_as_cards_are():
    random = Random(1)
    for _ in range(500):
        one, other = ("".join(random.choices("ABCD", k=random.randrange(6))) for _ in "xy")
        assert (Counter(one) <= Counter(other)) == is_within(one, tuple(other))
        assert (Counter(one) == Counter(other)) == is_anagram(tuple(one), other)
        missing = Counter(one) - Counter(other)
        assert in_order(missing.elements()) == lacking(tuple(one), other)
        assert in_order(one) == in_order(less(one, missing.elements()) + lacking(one, other))


def test_what_is_not_there_cannot_be_taken():
    assert "AST" == less("EAST", "E")
    for take in (lambda: less("EAST", "EE"), lambda: without(("E", "A"), "EE")):
        with pytest.raises(ValueError):
            take()


def test_of_equal_letters_the_oldest_is_used_and_the_latest_discarded():
    """[W2.2]"""
    hand = ("A", "B", "*", "A", "C")
    assert ("B", "*", "A", "C") == without(hand, "A")
    assert ("A", "B", "*", "C") == without_latest(hand, "A")
    assert ("A", "B", "A", "C") == letter_cards(hand)
