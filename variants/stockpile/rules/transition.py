"""One decision of this game while it is being made."""

from __future__ import annotations

from variants.contract import Chance, Seat
from variants.kit import transition
from variants.stockpile.data.cards import Card
from variants.stockpile.events import DeckEmptied, Event
from variants.stockpile.rules.evolve import evolve
from variants.stockpile.state import Player, State


class Transition(transition.Transition[State, Event]):
    """The events so far and the state after them, with the questions that the rules ask it."""

    __slots__ = ()

    def __init__(self, state: State | None, chance: Chance, first: Event | None = None) -> None:
        super().__init__(state, chance, evolve, first)

    def player(self, seat: Seat) -> Player:
        return self.state.players[seat]

    def live_seats(self) -> tuple[Seat, ...]:
        return tuple([Seat(s) for s, player in enumerate(self.state.players) if player.is_in])

    def top_card(self, deck: str) -> Card:
        return self.state.cards_in_deck(deck)[0]

    def add_draw(self, event: Event, deck: str) -> None:
        """An event that takes the top card of *deck*; the last one begins the final turn."""
        self.add(event)
        if not self.state.cards_in_deck(deck):
            self.add(DeckEmptied(deck, self.state.turn, not self.state.emptied))  # [SR-50]
