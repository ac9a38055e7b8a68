"""Given a position, when a seat acts, then these events: any game in tests.

A game's own `driver.py` derives from `Driver` and says what a position has by default.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from tests.conformance.play import folded
from tests.games import AnyVariant
from variants.contract import Chance, IllegalAction, Seat, may_act
from variants.kit.chance import ScriptedChance, SeededChance

E = TypeVar("E")

ANN, BOB, CY, DEE, EVE, FAY = (Seat(seat) for seat in range(6))
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")
MOVES = " Type moves for a list."


def chance(seed: int = 1) -> SeededChance:
    return SeededChance(seed.to_bytes(32, "big"))


def scripted(*draws: int | Sequence[int]) -> ScriptedChance:
    return ScriptedChance([draw if isinstance(draw, int) else tuple(draw) for draw in draws])


class Driver:
    """A game in the middle.  Zones of *position* as in `arrange`; Ann to act."""

    def __init__(self, game: AnyVariant, seats: int, /, options: Any = (), **position: Any) -> None:
        self.game = game
        self.past: list[Any] = list(game.arrange(seats, dict(options), position, chance()))

    @property
    def state(self) -> Any:
        return folded(self.game, self.past)

    def view(self, seat: Seat | None = None) -> Any:
        return self.game.observe(self.state, seat)

    def when(self, seat: Seat, *actions: Any, by: Chance | None = None) -> list[Any]:
        """What follows from the last of these; the game goes on from there."""
        events: list[Any] = []
        for action in actions:
            events = list(self.game.decide(self.state, seat, action, by or chance()))
            self.past += events
        return events


def of_kind(events: Sequence[Any], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def kinds(events: Sequence[Any]) -> list[str]:
    return [type(event).__name__ for event in events]


# -- refusals and time-outs ------------------------------------------------------------------------


def refusal(game: AnyVariant, view: Any, action: Any) -> str:
    """What is said of an action; "" if it is legal."""
    try:
        game.check(view, action)
    except IllegalAction as refused:
        return refused.format(NAMES[: len(view.seats)])
    return ""


def said(driver: Driver, action: Any, seat: Seat | None = ANN) -> str:
    """What is said of an action that is refused."""
    found = refusal(driver.game, driver.view(seat), action)
    assert found and "{" not in found
    return found


def in_time(driver: Driver, seat: Seat, *draws: int) -> Any:
    """The time-out default, which asks for these draws and no other."""
    script = scripted(*draws)
    action = driver.game.default_action(driver.view(seat), script)
    assert list(draws) == script.draws
    return action


# -- whole games -----------------------------------------------------------------------------------


class Game:
    """A whole game by seeded random play: a kind of play first, then one of that kind."""

    def __init__(self, game: AnyVariant, seats: int, seed: int, /, **options: str) -> None:
        self.game, self.options, self.seats = game, options, seats
        self.chance, self.player = chance(seed), Random(seed)
        self.events: list[Any] = list(game.deal(seats, options, self.chance))
        self.state: Any = folded(game, self.events)
        self.last = self.events
        self.decisions = 0

    @property
    def is_over(self) -> bool:
        return self.game.outcome(self.state) is not None

    def step(self) -> Any:
        """One decision, of one of those who owe one."""
        game = self.game
        window = game.open_window(game.observe(self.state, None))
        assert window is not None
        views = [game.observe(self.state, seat) for seat in window.seats]
        view = self.next_to_act([view for view in views if may_act(game, window, view)])
        actions = game.legal_actions(view)
        kind = self.player.choice(sorted({type(action).__name__ for action in actions}))
        action = self.player.choice([a for a in actions if type(a).__name__ == kind])
        self.last = list(game.decide(self.state, view.seat, action, self.chance))
        self.state = folded(game, self.last, self.state)
        self.events += self.last
        self.decisions += 1
        return self.state

    def next_to_act(self, views: Sequence[Any]) -> Any:
        return views[0] if len(views) == 1 else self.player.choice(views)
