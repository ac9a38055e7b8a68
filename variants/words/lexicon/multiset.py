"""Letters as a multiset: what a word takes, what is left, what is lacking.

Rule 1: letters are a text or a tuple of cards, in any order; a result that stands in no order of
        its own is alphabetical.  "*" counts as a card that is in no word.  [WR-13]
Rule 2: a hand is in order of arrival: of equal letters the oldest is used first, and the latest
        is discarded first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.words.data.box import END_OF_ROUND
from variants.words.events import Letters

LetterSequence = str | Sequence[str]
"""Letters: `"EAST"` or `("E", "A", "S", "T")`."""


def sorted_letters(letters: Iterable[str]) -> str:
    """The letters in alphabetical order: equal for anagrams."""
    return "".join(sorted(letters))


def is_anagram(one: LetterSequence, other: LetterSequence) -> bool:
    return len(one) == len(other) and sorted(one) == sorted(other)


def is_within(some: LetterSequence, letters: LetterSequence) -> bool:
    """Whether *letters* has all of *some*, copies counted."""
    return all(some.count(letter) <= letters.count(letter) for letter in set(some))


def missing_letters(some: LetterSequence, letters: LetterSequence) -> str:
    """What of *some* is not in *letters*: `missing_letters("TASTED", "EAST")` is "DT"."""
    found = ""
    for letter in sorted(set(some)):
        found += letter * (some.count(letter) - letters.count(letter))
    return found


def subtract_letters(letters: LetterSequence, taken: Iterable[str]) -> str:
    """What is left of *letters* without *taken*.

    Raises:
        ValueError: Some of *taken* is not in *letters*.
    """
    left = list(letters)
    for letter in taken:
        left.remove(letter)
    return sorted_letters(left)


def letter_cards(hand: Sequence[str]) -> Letters:
    """The letters of a hand, without End of Round, in the same order."""
    return tuple([card for card in hand if card != END_OF_ROUND])


def remove_oldest(hand: Sequence[str], used: Iterable[str]) -> Letters:
    """The hand without the *used* cards: of equal ones the oldest go.

    Raises:
        ValueError: A card is not in the hand.
    """
    left = list(hand)
    for card in used:
        left.remove(card)
    return tuple(left)


def remove_latest(hand: Sequence[str], discarded: Iterable[str]) -> Letters:
    """The hand without the *discarded* cards: of equal ones the latest go.

    Raises:
        ValueError: A card is not in the hand.
    """
    return remove_oldest(tuple(reversed(hand)), discarded)[::-1]
