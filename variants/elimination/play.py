"""One decision while it is being made: what has happened so far, and the state after it."""

from __future__ import annotations

from variants.contract import Chance, Seat
from variants.elimination.events import Event
from variants.elimination.fold import evolve
from variants.elimination.state import Player, State


class Play:
    """Events in the order they happen.  Each is folded at once, so that the next sees it."""

    __slots__ = ("chance", "events", "state")

    def __init__(self, state: State | None, chance: Chance, first: Event | None = None) -> None:
        self.chance = chance
        self.events: list[Event] = []
        if first is not None:
            self.events.append(first)
            state = evolve(state, first)
        assert state is not None
        self.state = state

    def do(self, event: Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)

    def player(self, seat: Seat) -> Player:
        return self.state.players[seat]

    def live(self) -> tuple[Seat, ...]:
        return tuple(Seat(s) for s, player in enumerate(self.state.players) if player.is_in)
