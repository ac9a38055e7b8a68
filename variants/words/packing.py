"""Which words can be laid side by side with some letters, and which of them bring most.

Rule 1: letters are packed in one whole number, a field for each of A to Z, so that + and - are
        those of multisets, and one subtraction tells whether a word is within.
Rule 2: the same letters and words give the same packing: ties go to what comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from variants.words.chains import GUARDS, packed
from variants.words.lexicon import ALPHABET

COPIES_MAX = 31  # of one letter: what a field holds
NODES_MAX = 3_000  # of one search; a hand and the words beside it take far fewer

UNITS = {letter: packed({letter: 1}) for letter in ALPHABET}


class Item(NamedTuple):
    """A word that could be laid."""

    spelling: str
    bits: int
    length: int
    worth: float  # of having it on the table
    rate: float  # worth of a letter


class Packing(NamedTuple):
    worth: float
    spellings: tuple[str, ...]


NOTHING = Packing(0.0, ())


def bits_of(letters: Iterable[str]) -> int:
    """The letters as one number; what is no letter counts as nothing."""
    counts = Counter(letter for letter in letters if letter in UNITS)
    return packed({letter: min(number, COPIES_MAX) for letter, number in counts.items()})


def item(spelling: str, worth: float) -> Item:
    return Item(spelling, bits_of(spelling), len(spelling), worth, worth / len(spelling))


def in_order(items: Iterable[Item]) -> list[Item]:
    """The most for a letter first: as the searches below need them."""
    return sorted(items, key=lambda it: (-it.rate, -it.worth, it.spelling))


def has(pool: int, bits: int) -> bool:
    return ((pool | GUARDS) - bits) & GUARDS == GUARDS


def fitting(items: Iterable[Item], pool: int) -> list[Item]:
    """Those that the letters of *pool* spell, in their order."""
    guarded = pool | GUARDS
    return [it for it in items if (guarded - it.bits) & GUARDS == GUARDS]


def best(items: Sequence[Item], pool: int, letters: int, nodes: int = NODES_MAX) -> Packing:
    """The words that bring most together; a word may be laid several times.  [WR-07]

    Args:
        items: In the order of `in_order`.
        letters: How many there are in *pool*.
        nodes: Combinations that are looked at; beyond them the best so far is good enough.
    """
    usable = fitting(items, pool)
    found, left = NOTHING, nodes

    def go(start: int, pool: int, letters: int, worth: float, chosen: tuple[str, ...]) -> None:
        nonlocal found, left
        left -= 1
        if worth > found.worth:
            found = Packing(worth, chosen)
        guarded = pool | GUARDS
        for at in range(start, len(usable)):
            it = usable[at]
            if worth + letters * it.rate <= found.worth or left <= 0:
                return
            if (guarded - it.bits) & GUARDS == GUARDS:
                rest = letters - it.length
                go(at, pool - it.bits, rest, worth + it.worth, (*chosen, it.spelling))

    go(0, pool, letters, 0.0, ())
    return found


def quick(items: Sequence[Item], pool: int) -> float:
    """What the most worthwhile words bring if each is taken as soon as it fits: nearly `best`."""
    worth = 0.0
    guarded = pool | GUARDS
    for it in items:
        while (guarded - it.bits) & GUARDS == GUARDS:
            guarded -= it.bits
            worth += it.worth
    return worth
