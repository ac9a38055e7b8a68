"""Chains of words, from three letters to six: what a manifest is made of, and how hard they are.

Rule 1: each word is the one before it and one more letter; at least one step is a real
        rearrangement, at most one puts a letter in front or behind, the last is no mere S, and
        none is the same word in another country's spelling.
Rule 2: words are related if one is the other with an ending, or has the same letters in another
        order.  Related words do not stand on one card in different sets.
Rule 3: how hard a word is, is the expected number of cards, drawn one by one without replacement
        from all letter cards of the box, until each of its letters has been seen as often as the
        word needs it.  Exact, no simulation, and the same on every machine, because manifests are
        made again from a seed: whole numbers, one division each, sums in a fixed order.

With M(l) cards of letter l, K of all letters of the word and N in the box, that number is

    (N + 1) * (1 - sum over s of a(s) / C(K, s) / (K + 1))

where a(s) counts the ways to have the word among s of those K cards: the coefficients of the
product, over the letters, of the sum of C(M, j) x^j for all j that are enough.  The product is one
multiplication of whole numbers, each coefficient in a field of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from math import comb, inf

from variants.words.data.box import ALPHABET, LENGTHS, Count

KEPT_MAX = 4_096  # answers: those that the words of one box are asked for again and again


class Difficulty:
    """Expected draws under the letters of one box; what was asked lately is kept."""

    def __init__(self, letters: Sequence[Count]) -> None:
        self._number = {count.letter: count.number for count in letters}
        self._cards = sum(self._number.values())
        self._bytes = self._cards // 8 + 1  # of a field: no coefficient exceeds 2 ** cards
        self._rows: dict[tuple[str, int], int] = {}
        self._of = lru_cache(KEPT_MAX)(self._draws)

    def draws(self, letters: str) -> float:
        """Expected draws until these letters, as often as they stand there, have been seen.

        Returns:
            Cards; infinite if the box has not so many of a letter.
        """
        return self._of("".join(sorted(letters)))

    def any_of(self, words: Sequence[str]) -> float:
        """Expected draws until the first of *words* has been there (inclusion and exclusion)."""
        total = 0.0
        for size in range(1, len(words) + 1):
            for some in combinations(words, size):
                total += (1 if size % 2 else -1) * self.draws(_union(some))
        return total

    def _draws(self, key: str) -> float:
        product, cards = 1, 0
        for letter in sorted(set(key)):
            needed, number = key.count(letter), self._number.get(letter, 0)
            if needed > number:
                return inf
            product *= self._row(letter, needed, number)
            cards += number
        ways = product.to_bytes((cards + 1) * self._bytes, "little")
        share = 0.0
        for seen in range(len(key), cards + 1):
            field = ways[seen * self._bytes : (seen + 1) * self._bytes]
            share += int.from_bytes(field, "little") / comb(cards, seen)
        return (self._cards + 1) * (1 - share / (cards + 1))

    def _row(self, letter: str, needed: int, number: int) -> int:
        """The ways to have at least *needed* of *number* equal cards, packed."""
        row = self._rows.get((letter, needed))
        if row is None:
            width = 8 * self._bytes
            row = sum(comb(number, j) << (j * width) for j in range(needed, number + 1))
            self._rows[letter, needed] = row
        return row


def _union(words: Iterable[str]) -> str:
    """The fewest letters that hold each of *words*."""
    most: dict[str, int] = {}
    for word in words:
        for letter in word:
            most[letter] = max(most.get(letter, 0), word.count(letter))
    return "".join([letter * number for letter, number in sorted(most.items())])


WEIGHTS = (0.1, 0.2, 0.3, 0.4)  # of the words of a chain, as their points: 5, 10, 15, 20
ENDINGS = ("S", "D", "R", "N", "Y", "ED", "ER", "ES", "ING")
STEM_MIN = 3  # letters

_FIELD = 6  # bits of one letter in `Chain.counts`: 24 of a letter at most, and a guard
GUARD_BITS = sum(1 << (_FIELD * n + _FIELD - 1) for n in range(len(ALPHABET)))


@dataclass(frozen=True)
class Chain:
    words: tuple[str, ...]  # of 3, 4, 5 and 6 letters
    draws: float  # for the longest; see `difficulty`
    ladder: float  # draws of all four, weighted

    @cached_property
    def counts(self) -> int:
        """Letters of the longest word, each in a field of its own, so that + adds them up."""
        return pack_counts({letter: self.words[-1].count(letter) for letter in self.words[-1]})

    @cached_property
    def letters(self) -> int:
        """The same as a set of bits, one for each A, second A, ...: & and a count compare them."""
        last, bits = self.words[-1], 0
        for letter in set(last):
            bits |= ((1 << last.count(letter)) - 1) << (8 * ALPHABET.index(letter))
        return bits

    @cached_property
    def kin(self) -> RelatedWords:
        return RelatedWords(self.words)


class RelatedWords:
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

    def is_related(self, other: RelatedWords) -> bool:
        return not (
            self.spelled.isdisjoint(other.spelled)
            and self.stems.isdisjoint(other.spelled)
            and self.spelled.isdisjoint(other.stems)
        )

    def add(self, other: RelatedWords) -> None:
        self.spelled |= other.spelled
        self.stems |= other.stems


def pack_counts(number: dict[str, int]) -> int:
    return sum(n << (_FIELD * ALPHABET.index(letter)) for letter, n in number.items())


def counts_fit(counts: int, most: int) -> bool:
    """Whether no field of *counts* is larger than that of *most*."""
    return ((most | GUARD_BITS) - counts) & GUARD_BITS == GUARD_BITS


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
