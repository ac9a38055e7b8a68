"""One decision while it is being made: what has happened so far, and the state after it.

Rule 1: events stand in the order they happen.  Each is folded at once, so that the next sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from variants.contract import Chance

S = TypeVar("S")
E = TypeVar("E")


class Transition(Generic[S, E]):
    """A game from *state* on, or from *first*, its very first event."""

    __slots__ = ("_evolve", "chance", "events", "state")

    def __init__(
        self,
        state: S | None,
        chance: Chance,
        evolve: Callable[[S | None, E], S],
        first_event: E | None = None,
    ) -> None:
        self._evolve, self.chance = evolve, chance
        self.events: list[E] = []
        if first_event is not None:
            self.events.append(first_event)
            state = evolve(state, first_event)
        assert state is not None
        self.state: S = state

    def add(self, event: E) -> None:
        self.events.append(event)
        self.state = self._evolve(self.state, event)
