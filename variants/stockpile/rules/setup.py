"""Before the first turn: the options, of which there are none, the cards in the box, the deal.

Rule 1: chance is asked for the Supplies, the Indoor and the Outdoor deck, then for the first
        player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variants.contract import Chance, Option, Seat
from variants.stockpile.data.cards import DECKS, STARTING_SUPPLIES, Card, Cards, Decks
from variants.stockpile.events import Dealt, Event, GameBegun
from variants.stockpile.rules import turns
from variants.stockpile.rules.transition import Transition
from variants.stockpile.state import State

SEATS = range(2, 5)

OPTIONS: tuple[Option, ...] = ()


def check_options(options: Mapping[str, str]) -> None:
    """This game has no options, so none that do not go together."""


def components(decks: Decks, options: Mapping[str, str]) -> Sequence[str]:
    return sorted(card.id for card in decks.all_cards)


def zones(state: State) -> Mapping[str, Sequence[str]]:
    """Every card, by where it lies.  [G-19]"""
    found: dict[str, Cards] = {}
    for deck, pile in zip(DECKS, state.discards, strict=True):
        found[deck] = state.cards_in_deck(deck)
        found[f"{deck} discards"] = pile
    for seat, player in enumerate(state.players):
        found[f"hand {seat}"] = player.hand
        found[f"stockpile {seat}"] = player.stockpile
        found[f"isolation {seat}"] = () if player.isolation is None else (player.isolation,)
    return {zone: [card.id for card in cards] for zone, cards in found.items()}


def starting_stockpiles(decks: Decks, seats: int) -> tuple[Cards, ...]:
    """The first supplies by seat: of equal ones the first in the box.  [SR-01]"""
    rest = list(decks.supplies)

    def one(kind: str, number: int) -> Card:
        found = next(card for card in rest if (card.name, card.number) == (kind, number))
        rest.remove(found)
        return found

    return tuple([tuple([one(*wanted) for wanted in STARTING_SUPPLIES]) for _ in range(seats)])


def deal(decks: Decks, seats: int, options: Mapping[str, str], chance: Chance) -> Sequence[Event]:
    """Food, Toilet Paper and Infection Prevention each, three decks, a first turn."""
    stockpiles = starting_stockpiles(decks, seats)
    dealt = {card for cards in stockpiles for card in cards}
    supplies = chance.shuffled([card for card in decks.supplies if card not in dealt])
    indoor, outdoor = chance.shuffled(decks.indoor), chance.shuffled(decks.outdoor)
    first = Seat(chance.below(seats))  # [SR-02]
    transition = Transition(None, chance, GameBegun(decks, seats))
    counts = len(supplies), len(indoor), len(outdoor)
    transition.add(Dealt(stockpiles, supplies, indoor, outdoor, counts))
    turns.start_turn(transition, first)
    return transition.events
