"""Deals that bring a rare secret about, and the twins that would give it away.

Rule 1: a deal is rigged in its first answers of chance; the plays that follow are the usual ones.
Rule 2: an aim names the faces to exchange for every observer: fixed ones, or what a game that
        was played shows to be worth it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from tests.conformance.play import Game, Policy, by_default, by_kind, window_of
from variants.elimination.data.cards import PACKS
from variants.kit.chance import Draw
from variants.stockpile.data.cards import DECK_SIZE, DECKS, STARTING_SUPPLIES

Faces = Mapping[str, str]
"""Both ways; empty: this game has nothing to aim at."""

WHOLE = 1_000  # decisions: more than any game has


@dataclass(frozen=True)
class Rigged:
    first: tuple[Draw, ...]  # first answers of chance
    aim: Callable[[Game], Faces]
    decisions_max: int = 24
    policy: Policy = by_kind
    games: int = 16


def swapped(ones: str, others: str) -> Faces:
    pairs = list(zip(ones.split(), others.split(), strict=True))
    return dict(pairs) | {other: one for one, other in pairs}


def at(ones: str, others: str) -> Callable[[Game], Faces]:
    return lambda game: swapped(ones, others)


# -- elimination -----------------------------------------------------------------------

_SETS = "9S 9H 5S 5H KS KH 2S 2H 7S 7H JS JH AS AH AD 3S 9D KD 7D 5D 2D JD"
"""Everybody has two sets or three aces at once, and the third cards come soon."""


def _dealt(first: str) -> tuple[Draw, ...]:
    """Dealer 0 and a deck with those cards on top, the first four for seat 0, and so on."""
    cards, top = PACKS["54"].cards, first.split()
    rest = [card for card in cards if card not in top]
    Random(7).shuffle(rest)
    return 0, tuple(cards.index(card) for card in top + rest)


ELIMINATION = (
    Rigged(_dealt("7S 7H 7D 7C"), at("7S 7H 7D 7C", "8S 8H 8D 8C")),  # [ER-06] a misdeal
    Rigged(_dealt(_SETS), at("5S 5H 5D 5C", "10S 10H 10D 10C")),
    Rigged(_dealt(_SETS), at("9H", "9D")),
    Rigged(_dealt(_SETS), at("AS", "AH")),
)


# -- stockpile -------------------------------------------------------------------------

_ROUND = "I22 I23 I24 I25 I27 I28 I04 I11 I06"
"""The first turns of seats 1 to 3: answers that wait, then a seat that is sent outside."""
_FALLS = f"I21 I26 I01 {_ROUND} I02 I03"
"""Seat 0 holds two answers and has no Infection Prevention left when it is infected."""
_KEEPS = f"I21 I26 I01 {_ROUND.replace('I25', 'I16')} I02 I25"
"""The same, but it keeps the card that tests it."""
_LOSES = "I19 I21 I04 I06 I08 I03 I05 I07 I09 I11 I13"
"""Seat 0 gets food of several values and soon has to say which of it goes."""
_QUARREL = "I33 I34 I35 I31 I32 I29 I16 I17 I30 I19 I20"
"""Soon somebody strikes a seat whose first card has an Indoor back."""
_LOOTS = "O26 O27 O28 O23 O24 O25 O29 O30 O31 O33 O34"


def _stacked(indoor: str, outdoor: str = _LOOTS) -> tuple[Draw, ...]:
    """Seat 0 of four begins, and those cards lie on top of the decks, for seat 0 first."""
    supplies = tuple(range(DECK_SIZE - 4 * len(STARTING_SUPPLIES)))  # food of 2 on top
    return supplies, _on_top(indoor), _on_top(outdoor), 0


def _on_top(cards: str) -> tuple[int, ...]:
    """The order of a deck whose cards have the ids X01, X02 and so on."""
    top = [int(card[1:]) - 1 for card in cards.split()]
    rest = [n for n in range(DECK_SIZE) if n not in top]
    Random(7).shuffle(rest)
    return tuple(top + rest)


def _hands(game: Game, step: int) -> dict[str, list[str]]:
    zones = game.setting.variant.zones(game.steps[step].state)
    return {zone: list(cards) for zone, cards in zones.items() if zone.startswith("hand")}


def _about_another_back(game: Game) -> Faces:
    """Two cards of a hand with another back between them, of which one is then played."""
    for step in range(len(game.steps) - 1):
        after = _hands(game, step + 1)
        for zone, cards in _hands(game, step).items():
            gone = set(cards) - set(after[zone])
            for i, one in enumerate(cards):
                for k, other in enumerate(cards[i:], i):
                    between = {card[0] for card in cards[i:k]} - {one[0]}
                    if other[0] == one[0] and between and len({one, other} & gone) == 1:
                        return swapped(one, other)
    return {}


def _held_at_the_end(game: Game) -> Faces:
    """The hidden hand of who plays the final turn, for cards that another seat still holds."""
    variant = game.setting.variant
    for number, step in enumerate(game.steps):
        window, zones = window_of(variant, step.state), variant.zones(step.state)
        if window is not None and not all(zones[deck] for deck in DECKS):
            hands = _hands(game, number)
            mine = hands.pop(f"hand {window.seats[0]}")
            theirs = max(hands.values(), key=len)
            for back in "IO":
                one, other = ([card for card in hand if card[0] == back] for hand in (mine, theirs))
                if one and other:
                    pairs = min(len(one), len(other))
                    return swapped(" ".join(one[:pairs]), " ".join(other[-pairs:]))
    return {}


STOCKPILE = (
    Rigged(_stacked(_FALLS), at("I21", "I26")),
    Rigged(_stacked(_KEEPS), at("I21", "I26")),
    Rigged(_stacked(f"I21 {_QUARREL}"), at("I21", "I18")),
    Rigged(_stacked(f"I26 {_QUARREL}"), at("I26", "I18")),
    Rigged(_stacked(_LOSES), at("I21", "I29")),
    Rigged(_stacked(_QUARREL), _about_another_back, WHOLE),
    Rigged((), _held_at_the_end, WHOLE, by_default),  # who only draws keeps a hand
)
