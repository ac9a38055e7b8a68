"""Chains of words, from three letters to six: what a manifest is made of.  [W1]

Rule 1: each word is the one before it and one more letter; at least one step is a real
        rearrangement, at most one puts a letter in front or behind, the last is no mere S, and
        none is the same word in another country's spelling.
Rule 2: words are related if one is the other with an ending, or has the same letters in another
        order.  Related words do not stand on one card in different sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf

from variants.words.box import LENGTHS
from variants.words.difficulty import Difficulty
from variants.words.lexicon import ALPHABET

WEIGHTS = (0.1, 0.2, 0.3, 0.4)  # of the words of a chain, as their points: 5, 10, 15, 20
ENDINGS = ("S", "D", "R", "N", "Y", "ED", "ER", "ES", "ING")
STEM_MIN = 3  # letters

_FIELD = 6  # bits of one letter in `Chain.counts`: 24 of a letter at most, and a guard
GUARDS = sum(1 << (_FIELD * n + _FIELD - 1) for n in range(len(ALPHABET)))


@dataclass(frozen=True)
class Chain:
    words: tuple[str, ...]  # of 3, 4, 5 and 6 letters
    draws: float  # for the longest; see `difficulty`
    ladder: float  # draws of all four, weighted

    @cached_property
    def counts(self) -> int:
        """Letters of the longest word, each in a field of its own, so that + adds them up."""
        return packed({letter: self.words[-1].count(letter) for letter in self.words[-1]})

    @cached_property
    def letters(self) -> int:
        """The same as a set of bits, one for each A, second A, ...: & and a count compare them."""
        last, bits = self.words[-1], 0
        for letter in set(last):
            bits |= ((1 << last.count(letter)) - 1) << (8 * ALPHABET.index(letter))
        return bits

    @cached_property
    def kin(self) -> Kin:
        return Kin(self.words)


class Kin:
    """What words are related to: their spellings, letters and stems."""

    __slots__ = ("spelled", "stems")

    def __init__(self, words: Iterable[str]) -> None:
        self.spelled: set[str] = set()
        self.stems: set[str] = set()
        for word in words:
            self.spelled.add(word)
            if len(word) > STEM_MIN:
                self.spelled.add("".join(sorted(word)).lower())
            self.stems.update(
                stem
                for ending in ENDINGS
                if len(stem := word.removesuffix(ending)) >= STEM_MIN and stem != word
            )

    def is_related(self, other: Kin) -> bool:
        return not (
            self.spelled.isdisjoint(other.spelled)
            and self.stems.isdisjoint(other.spelled)
            and self.spelled.isdisjoint(other.stems)
        )

    def add(self, other: Kin) -> None:
        self.spelled |= other.spelled
        self.stems |= other.stems


def packed(number: dict[str, int]) -> int:
    return sum(n << (_FIELD * ALPHABET.index(letter)) for letter, n in number.items())


def fits(counts: int, most: int) -> bool:
    """Whether no field of *counts* is larger than that of *most*."""
    return ((most | GUARDS) - counts) & GUARDS == GUARDS


def chains(
    words: Sequence[str], difficulty: Difficulty, least: float = 0, most: float = inf
) -> list[Chain]:
    """All chains of *words* whose longest word takes *least* to *most* draws, in a fixed order."""
    by_letters: dict[str, list[str]] = {}
    for word in words:
        by_letters.setdefault("".join(sorted(word)), []).append(word)
    grown: dict[str, list[tuple[str, ...]]] = {"": [()]}  # so far, by the letters of the last
    for length in LENGTHS:
        before, grown = grown, {}
        for letters, spelled in by_letters.items():
            if len(letters) != length:
                continue
            if length == LENGTHS[-1] and not least <= difficulty.draws(letters) <= most:
                continue
            rests = {letters[:n] + letters[n + 1 :] for n in range(length)}
            if length == LENGTHS[0]:
                rests = {""}
            bases = [chain for rest in sorted(rests) for chain in before.get(rest, ())]
            if bases:
                grown[letters] = [(*base, word) for base in bases for word in spelled]
    draws = {word: difficulty.draws(word) for each in grown.values() for c in each for word in c}
    return [
        Chain(
            words,
            draws[words[-1]],
            sum([weight * draws[word] for weight, word in zip(WEIGHTS, words, strict=True)]),
        )
        for each in grown.values()
        for words in each
        if draws[words[-1]] < inf and is_fair(words)
    ]


def is_fair(words: Sequence[str]) -> bool:
    """Rule 1, but for the letters."""
    steps = list(pairwise(words))
    kept = sum(_keeps_order(short, long) for short, long in steps)
    put = sum(long.startswith(short) or long.endswith(short) for short, long in steps)
    twice = any(long.replace("OUR", "OR") == short for short, long in steps)  # HONOR, HONOUR
    return kept < len(steps) and put <= 1 and words[-1] != words[-2] + "S" and not twice


def _keeps_order(short: str, long: str) -> bool:
    """Whether *short* stands in *long* with a letter put in: no rearrangement."""
    rest = iter(long)
    return all(letter in rest for letter in short)
