"""Which known word a mistyped one was meant to be.

Rule 1: the distance is optimal string alignment: a letter too many, too few or another one counts
        1, and so do two neighbours that are swapped, which people mistype most.
Rule 2: a word of 3 to 5 letters may be 1 off, a longer one 2; a shorter one is meant as it stands.
Rule 3: nothing is corrected silently: who asks offers what it finds.
"""

from __future__ import annotations

from collections.abc import Iterable

LETTERS_MIN, LONG_LETTERS_MIN, LETTERS_MAX = 3, 6, 24


def allowed(word: str) -> int:
    """How far a known word may be from what was typed."""
    if not LETTERS_MIN <= len(word) <= LETTERS_MAX:
        return 0
    return 1 if len(word) < LONG_LETTERS_MIN else 2


def distance(one: str, other: str) -> int:
    """Optimal string alignment."""
    before, row = list[int](), list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, last, row = row, before, [at]
        for to, wanted in enumerate(other, 1):
            cost = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != wanted))
            is_swap = at > 1 < to and letter == other[to - 2] and one[at - 2] == wanted
            row.append(min(cost, last[to - 2] + 1) if is_swap else cost)
    return row[-1]


def nearest(typed: str, known: Iterable[str]) -> list[str]:
    """The known words that are nearest to *typed*, in order; none if none is near enough."""
    most, letters = allowed(typed), set(typed)
    near = {
        word: distance(typed, word)
        for word in known
        # Each step changes the length by 1 and the set of letters by 2 at most.
        if most and abs(len(word) - len(typed)) <= most and len(letters ^ set(word)) <= 2 * most
    }
    best = min((off for off in near.values() if off <= most), default=0)
    return sorted(word for word, off in near.items() if off == best)
