"""Ranks as small numbers, and sets of ranks as the bits of one: for the simulation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from variants.elimination.data.cards import PACKS, RANK_OF
from variants.elimination.events import Cards

LOCKABLE = 12  # ranks below this number lock; a pack has at most so many of them
PAIR, SINGLE = 12, 13  # the ranks of which two cards, or one, Clear


@cache
def rank_numbers(pack: str) -> Mapping[str, int]:
    """By card of the pack, its rank as a number."""
    number = {rank: n for n, rank in enumerate(PACKS[pack].lockable)}
    number |= {PACKS[pack].pair or "": PAIR, PACKS[pack].single: SINGLE}
    return {card: number[RANK_OF[card]] for card in PACKS[pack].cards}


def rank_bits(sets: Iterable[Cards], number: Mapping[str, int]) -> int:
    """The ranks of locked sets."""
    return sum(1 << number[cards[0]] for cards in sets)
