"""Given a position, when a seat acts, then these events: elimination in tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from variants.contract import Chance, Seat
from variants.elimination.actions import Action
from variants.elimination.events import Event
from variants.elimination.game import ELIMINATION
from variants.elimination.state import State
from variants.elimination.view import View
from variants.kit.chance import ScriptedChance, SeededChance

E = TypeVar("E")

ANN, BOB, CY, DEE = (Seat(seat) for seat in range(4))
NAMES = ("Ann", "Bob", "Cy", "Dee")

DECK_54: Mapping[str, str] = {"deck": "54", "twos_as_aces": "off"}
DECK_50: Mapping[str, str] = {"deck": "50", "twos_as_aces": "off"}
TWOS: Mapping[str, str] = {"deck": "50", "twos_as_aces": "on"}


def chance(seed: int = 1) -> SeededChance:
    return SeededChance(seed.to_bytes(32, "big"))


class Story:
    """A game in the middle.  Zones of *position* as in `arrange`, four seats, Ann to act."""

    def __init__(
        self, seats: int = 4, options: Mapping[str, str] = DECK_54, **position: Any
    ) -> None:
        self.options = options
        self.past: list[Event] = list(ELIMINATION.arrange(seats, options, position, chance()))

    @property
    def state(self) -> State:
        state: State | None = None
        for event in self.past:
            state = ELIMINATION.evolve(state, event)
        assert state is not None
        return state

    def view(self, seat: Seat | None = None) -> View:
        return ELIMINATION.observe(self.state, seat)

    def when(self, seat: Seat, action: Action, by: Chance | None = None) -> list[Event]:
        """What follows; the story goes on from there."""
        events = list(ELIMINATION.decide(self.state, seat, action, by or chance()))
        self.past += events
        return events


def scripted(*draws: int | Sequence[int]) -> ScriptedChance:
    return ScriptedChance([draw if isinstance(draw, int) else tuple(draw) for draw in draws])


def of_kind(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


class Game:
    """A whole game by seeded random play: a kind of play first, then one of that kind."""

    def __init__(self, seats: int, options: Mapping[str, str], seed: int) -> None:
        self.options, self.seats = options, seats
        self.chance, self.player = chance(seed), Random(seed)
        self.events: list[Event] = []
        self.state: State | None = None
        self.decisions = 0
        self.last: list[Event] = []
        self._fold(ELIMINATION.deal(seats, options, self.chance))

    def _fold(self, events: Sequence[Event]) -> None:
        self.last = list(events)
        for event in events:
            self.state = ELIMINATION.evolve(self.state, event)
            self.events.append(event)

    @property
    def is_over(self) -> bool:
        assert self.state is not None
        return ELIMINATION.outcome(self.state) is not None

    def step(self) -> State:
        """One decision."""
        assert self.state is not None
        actions = ELIMINATION.legal_actions(ELIMINATION.observe(self.state, self.state.turn))
        kind = self.player.choice(sorted({type(action).__name__ for action in actions}))
        action = self.player.choice([a for a in actions if type(a).__name__ == kind])
        self._fold(ELIMINATION.decide(self.state, self.state.turn, action, self.chance))
        self.decisions += 1
        return self.state
