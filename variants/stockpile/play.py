"""One decision of this game while it is being made."""

from __future__ import annotations

from variants.contract import Chance, Seat
from variants.kit import play
from variants.stockpile.cards import Card
from variants.stockpile.events import DeckEmptied, Event
from variants.stockpile.fold import evolve
from variants.stockpile.state import Player, State


class Play(play.Play[State, Event]):
    """The events so far and the state after them, with the questions that the rules ask it."""

    __slots__ = ()

    def __init__(self, state: State | None, chance: Chance, first: Event | None = None) -> None:
        super().__init__(state, chance, evolve, first)

    def player(self, seat: Seat) -> Player:
        return self.state.players[seat]

    def live(self) -> tuple[Seat, ...]:
        return tuple([Seat(s) for s, player in enumerate(self.state.players) if player.is_in])

    def top(self, deck: str) -> Card:
        return self.state.deck(deck)[0]

    def take(self, event: Event, deck: str) -> None:
        """An event that takes the top card of *deck*; the last one begins the final turn."""
        self.do(event)
        if not self.state.deck(deck):
            self.do(DeckEmptied(deck, self.state.turn))  # [SR-50]
