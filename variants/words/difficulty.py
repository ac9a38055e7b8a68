"""How hard a word is: the cards one has to see, on average, until all its letters have been there.

Rule 1: cards are drawn one by one, without replacement, from all letter cards of the box; a word is
        there when each of its letters has been seen as often as it needs it.  Exact, no
        simulation.  [W1]
Rule 2: the same figures on every machine, for manifests are made again from a seed: whole numbers,
        one division each, then sums in a fixed order.

With M(l) cards of letter l, K of all letters of the word and N in the box, the expected number is

    (N + 1) * (1 - sum over s of a(s) / C(K, s) / (K + 1))

where a(s) counts the ways to have the word among s of those K cards: the coefficients of the
product, over the letters, of the sum of C(M, j) x^j for all j that are enough.  The product is one
multiplication of whole numbers, each coefficient in a field of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, inf

from variants.words.box import Count

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
