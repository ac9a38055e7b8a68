"""Positions of elimination, and what computer players do in them."""

from __future__ import annotations

from typing import Any

from mudserver.bots.worker import choose_action
from tests.bench.league import defaults
from variants.contract import Seat
from variants.elimination.actions import Action
from variants.elimination.bots.estimate import SeatKnowledge
from variants.elimination.events import Event
from variants.elimination.game import ELIMINATION
from variants.elimination.view import View
from variants.kit.chance import SeededChance

PLAIN = defaults(ELIMINATION)
PACKS = [PLAIN, PLAIN | {"deck": "50"}, PLAIN | {"deck": "50", "twos_as_aces": "on"}]
ANN, BOB, CY, DEE = map(Seat, range(4))
SEEDS = range(5)


class Position:
    """A position with four seats, what each of them heard, and what they may see now."""

    def __init__(self, **position: Any) -> None:
        self.chance = SeededChance(b"position")
        self.state: Any = None
        self.seen: list[list[Event]] = [[] for _ in range(4)]
        self._fold(ELIMINATION.arrange(4, PLAIN, position, self.chance))

    def _fold(self, events: Any) -> None:
        for event in events:
            self.state = ELIMINATION.evolve(self.state, event)
            for seat, seen in enumerate(self.seen):
                if (heard := ELIMINATION.redact(event, Seat(seat))) is not None:
                    seen.append(heard)

    def after(self, seat: Seat, action: Action) -> Position:
        self._fold(ELIMINATION.decide(self.state, seat, action, self.chance))
        return self

    def view(self, seat: Seat) -> View:
        return ELIMINATION.observe(self.state, seat)

    def count(self, seat: Seat) -> SeatKnowledge:
        return SeatKnowledge(self.view(seat), self.seen[seat])

    def choices(self, seat: Seat, level: str = "hard") -> set[Action]:
        """What the player of *level* does here, over some seeds."""
        view, seen = self.view(seat), self.seen[seat]
        return {choose_action(ELIMINATION, level, view, seen, bytes([seed])) for seed in SEEDS}
