"""Deals of elimination that bring a rare secret about: a misdeal, sets on the first cards."""

from __future__ import annotations

from random import Random

from tests.conformance.rigged import Rigged, at
from variants.elimination.data.cards import PACKS
from variants.kit.chance import Draw

_SETS = "9S 9H 5S 5H KS KH 2S 2H 7S 7H JS JH AS AH AD 3S 9D KD 7D 5D 2D JD"
"""Everybody has two sets or three aces at once, and the third cards come soon."""


def _dealt(first: str) -> tuple[Draw, ...]:
    """Dealer 0 and a deck with those cards on top, the first four for seat 0, and so on."""
    cards, top = PACKS["54"].cards, first.split()
    rest = [card for card in cards if card not in top]
    Random(7).shuffle(rest)
    return 0, tuple(cards.index(card) for card in top + rest)


RIGGED = (
    Rigged(_dealt("7S 7H 7D 7C"), at("7S 7H 7D 7C", "8S 8H 8D 8C")),  # [ER-06] a misdeal
    Rigged(_dealt(_SETS), at("5S 5H 5D 5C", "10S 10H 10D 10C")),
    Rigged(_dealt(_SETS), at("9H", "9D")),
    Rigged(_dealt(_SETS), at("AS", "AH")),
)
