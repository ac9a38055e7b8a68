"""Positions of stockpile: three seats, cards by their names."""

from __future__ import annotations

from pkgutil import get_data
from typing import Any

from tests.variants import driver
from tests.variants.driver import ANN, BOB, NAMES
from variants.contract import Seat
from variants.stockpile.actions import Loot
from variants.stockpile.data.cards import Cards, card_title
from variants.stockpile.data.decks import parse_decks
from variants.stockpile.game import build_game

_BOX = parse_decks((get_data("variants.stockpile", "data/decks.json") or b"").decode())
BOX = _BOX.standard
STOCKPILE = build_game(_BOX)
STUCK = ["Nice Try!"] * 5 + ["Reflection"] * 3
"""A full hand with nothing to play."""


class Driver(driver.Driver):
    def __init__(self, seats: int = 3, **position: Any) -> None:
        super().__init__(STOCKPILE, seats, **position)

    def held(self, seat: Seat, card: str) -> str:
        """The id of a hand card by its name: `Stock Up 2`."""
        return named(self.state.players[seat].hand, card)

    def owned(self, seat: Seat, card: str) -> str:
        """The id of a supply in the seat's stockpile: `Food 3`."""
        return named(self.state.players[seat].stockpile, card)

    def hand(self, seat: Seat) -> list[str]:
        return [card_title(card) for card in self.state.players[seat].hand]

    def stockpile(self, seat: Seat) -> list[str]:
        return [card_title(card) for card in self.state.players[seat].stockpile]

    def discarded(self) -> set[str]:
        return {card_title(card) for pile in self.state.discards for card in pile}

    def location(self, seat: Seat) -> str:
        return self.state.players[seat].location

    def asked(self) -> tuple[str, Seat]:
        """What is asked, and whom."""
        return self.state.asks, self.state.asked


def named(cards: Cards, name: str) -> str:
    return next(card.id for card in cards if card_title(card) == name)


def looted(**position: Any) -> Driver:
    """Ann loots Food from Bob, who is asked."""
    hands = {ANN: ["Loot Food", "Nice Try!"], BOB: ["Nice Try!", "Reflection", "Swap Shop"]}
    driver = Driver(hands={**hands, **position.pop("hands", {})}, **position)
    driver.when(ANN, Loot(driver.held(ANN, "Loot Food"), BOB, driver.owned(BOB, "Food 1")))
    return driver


def box_id(name: str, deck: str = "") -> str:
    return next(c.id for c in BOX.all_cards if card_title(c) == name and deck in ("", c.deck))


def told(driver: Driver, actions: list[Any]) -> list[str]:
    """Plays with names for ids, so that an order can be read: `Loot: Loot Food, bob, Food 3`."""
    cards = {card.id: card_title(card) for card in driver.state.decks.all_cards}

    def shown(field: Any) -> str:
        if isinstance(field, bool):
            return "drawing" if field else "without"
        return NAMES[field].lower() if isinstance(field, int) else cards.get(field, field)

    def one(action: Any) -> str:
        fields = [getattr(action, name) for name in type(action).__slots__]
        parts = ", ".join(shown(field) for field in fields if field is not None)
        return f"{type(action).__name__}: {parts}" if parts else type(action).__name__

    return [one(action) for action in actions]
