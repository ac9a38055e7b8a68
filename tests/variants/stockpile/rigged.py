"""Deals of stockpile that bring a rare secret about, and the cards that would give it away."""

from __future__ import annotations

from random import Random

from tests.conformance.play import Game, by_default, window_of
from tests.conformance.rigged import WHOLE, Faces, Rigged, at, swapped
from variants.kit.chance import Draw
from variants.stockpile.data.cards import DECK_SIZE, DECKS, STARTING_SUPPLIES

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


RIGGED = (
    Rigged(_stacked(_FALLS), at("I21", "I26")),
    Rigged(_stacked(_KEEPS), at("I21", "I26")),
    Rigged(_stacked(f"I21 {_QUARREL}"), at("I21", "I18")),
    Rigged(_stacked(f"I26 {_QUARREL}"), at("I26", "I18")),
    Rigged(_stacked(_LOSES), at("I21", "I29")),
    Rigged(_stacked(_QUARREL), _about_another_back, WHOLE),
    Rigged((), _held_at_the_end, WHOLE, by_default),  # who only draws keeps a hand
)
