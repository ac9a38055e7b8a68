"""One decision of this game while it is being made."""

from __future__ import annotations

from variants.contract import Chance, Seat
from variants.elimination.events import Event
from variants.elimination.rules.evolve import evolve
from variants.elimination.state import Player, State
from variants.kit import transition


class Transition(transition.Transition[State, Event]):
    """The events so far and the state after them, with the questions that the rules ask it."""

    __slots__ = ()

    def __init__(self, state: State | None, chance: Chance, first: Event | None = None) -> None:
        super().__init__(state, chance, evolve, first)

    def player(self, seat: Seat) -> Player:
        return self.state.players[seat]

    def live_seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(s) for s, player in enumerate(self.state.players) if player.is_in)
