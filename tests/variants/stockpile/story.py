"""Given a position, when a seat acts, then these events: the stockpile game in tests."""

from __future__ import annotations

from collections.abc import Sequence
from pkgutil import get_data
from random import Random
from typing import Any, TypeVar

from variants.contract import Chance, Seat
from variants.kit.chance import SeededChance
from variants.stockpile.actions import Action
from variants.stockpile.data.cards import Cards, card_title
from variants.stockpile.data.decks import parse_decks
from variants.stockpile.events import Event
from variants.stockpile.game import build_game
from variants.stockpile.state import State
from variants.stockpile.view import View

E = TypeVar("E")

ANN, BOB, CY, DEE = (Seat(seat) for seat in range(4))

BOX = parse_decks((get_data("variants.stockpile", "data/decks.json") or b"").decode())
STOCKPILE = build_game(BOX)
STUCK = ["Nice Try!"] * 5 + ["Reflection"] * 3
"""A full hand with nothing to play."""


def chance(seed: int = 1) -> SeededChance:
    return SeededChance(seed.to_bytes(32, "big"))


class Story:
    """A game in the middle.  Zones of *position* as in `arrange`; Ann, Bob and Cy, Ann to act."""

    def __init__(self, seats: int = 3, **position: Any) -> None:
        self.past: list[Event] = list(STOCKPILE.arrange(seats, {}, position, chance()))

    @property
    def state(self) -> State:
        return folded(self.past)

    def view(self, seat: Seat | None = None) -> View:
        return STOCKPILE.observe(self.state, seat)

    def when(self, seat: Seat, action: Action, by: Chance | None = None) -> list[Event]:
        """What follows; the story goes on from there."""
        events = list(STOCKPILE.decide(self.state, seat, action, by or chance()))
        self.past += events
        return events

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


def folded(events: Sequence[Event]) -> State:
    state: State | None = None
    for event in events:
        state = STOCKPILE.evolve(state, event)
    assert state is not None
    return state


def of_kind(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def kinds(events: Sequence[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


class Game:
    """A whole game by seeded random play: a kind of play first, then one of that kind."""

    def __init__(self, seats: int, seed: int) -> None:
        self.chance, self.player = chance(seed), Random(seed)
        self.events: list[Event] = list(STOCKPILE.deal(seats, {}, self.chance))
        self.state = folded(self.events)
        self.last = self.events
        self.decisions = 0

    @property
    def is_over(self) -> bool:
        return bool(self.state.ended)

    def step(self) -> State:
        """One decision."""
        seat = self.state.asked
        actions = STOCKPILE.legal_actions(STOCKPILE.observe(self.state, seat))
        kind = self.player.choice(sorted({type(action).__name__ for action in actions}))
        action = self.player.choice([a for a in actions if type(a).__name__ == kind])
        self.last = list(STOCKPILE.decide(self.state, seat, action, self.chance))
        for event in self.last:
            self.state = STOCKPILE.evolve(self.state, event)
        self.events += self.last
        self.decisions += 1
        return self.state
