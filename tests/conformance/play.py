"""Seeded games of any variant, with everything that is needed to play them again.

Rule 1: a game follows from its setting, a number and a policy alone; nothing here reads a clock
        or the process's own randomness.
Rule 2: the game's chance and the players' choices come from different streams, so that the same
        actions can be played in another world.
Rule 3: a step keeps what was asked of chance, not only what it answered: a twin has to know
        which cards a permutation moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any, Protocol, TypeVar

import msgspec

from tests.conformance.settings import AnyVariant, Setting
from tests.games import games
from variants.contract import Chance, Seat, Window
from variants.kit.chance import Draw, SeededChance

T = TypeVar("T")


# -- what is remembered ----------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """One question to chance and its answer: a number below *n*, or a shuffle of *items*."""

    n: int
    items: tuple[Any, ...] | None
    draw: Draw

    @property
    def result(self) -> tuple[Any, ...]:
        """The items as they came out of a shuffle."""
        assert self.items is not None and not isinstance(self.draw, int), self
        return tuple(self.items[i] for i in self.draw)


class DrawsChance(Chance, Protocol):
    """A chance that logs its answers, as both in the kit do."""

    draws: list[Draw]


class Listening:
    """A chance that also remembers what it was asked."""

    def __init__(self, chance: DrawsChance) -> None:
        self._chance = chance
        self.drawn: list[Drawn] = []

    def below(self, n: int) -> int:
        value = self._chance.below(n)
        self.drawn.append(Drawn(n, None, value))
        return value

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        kept = tuple(items)
        result = self._chance.shuffled(kept)
        self.drawn.append(Drawn(len(kept), kept, self._chance.draws[-1]))
        return result


@dataclass(frozen=True)
class Step:
    """The deal (*seat* None) or one decision, with the state it led to."""

    seat: Seat | None
    action: Any
    drawn: tuple[Drawn, ...]
    events: tuple[Any, ...]
    state: Any


@dataclass(frozen=True)
class Game:
    setting: Setting
    steps: tuple[Step, ...]

    @property
    def events(self) -> tuple[Any, ...]:
        return tuple(event for step in self.steps for event in step.events)

    @property
    def state(self) -> Any:
        return self.steps[-1].state


def folded(variant: AnyVariant, events: Sequence[Any], state: Any = None) -> Any:
    """The state after *events*, from *state* or from nothing."""
    for event in events:
        state = variant.evolve(state, event)
    return state


def packed(value: Any) -> bytes:
    """*value* as bytes, equal for equal values in every process."""
    return msgspec.json.encode(value, order="deterministic")


def digest(*values: Any) -> str:
    return sha256(b"\n".join(packed(value) for value in values)).hexdigest()[:16]


# -- who is asked ----------------------------------------------------------------------


def window_of(variant: AnyVariant, state: Any) -> Window | None:
    return variant.open_window(variant.observe(state, None))


def answerers(variant: AnyVariant, state: Any, window: Window) -> tuple[Seat, ...]:
    """The seats that still owe an answer: in a sealed window, those that have not given one."""
    if not window.is_sealed:
        return window.seats
    return tuple(s for s in window.seats if variant.legal_actions(variant.observe(state, s)))


# -- policies --------------------------------------------------------------------------

Policy = Callable[[AnyVariant, Any, Seat, Random], Any]
"""(variant, state, seat, random) -> action.  Given the state: an adversary may cheat."""


def at_random(variant: AnyVariant, state: Any, seat: Seat, random: Random) -> Any:
    """Uniform over what is listed."""
    return random.choice(variant.legal_actions(variant.observe(state, seat)))


def by_kind(variant: AnyVariant, state: Any, seat: Seat, random: Random) -> Any:
    """Uniform over the kinds of plays, then within one: what is rarely listed is played often."""
    listed = variant.legal_actions(variant.observe(state, seat))
    kind = random.choice(sorted({type(action).__name__ for action in listed}))
    return random.choice([action for action in listed if type(action).__name__ == kind])


def by_default(variant: AnyVariant, state: Any, seat: Seat, random: Random) -> Any:
    """A table where every clock runs out."""
    return variant.default_action(variant.observe(state, seat), SeededChance(random.randbytes(32)))


def dawdling(variant: AnyVariant, state: Any, seat: Seat, random: Random) -> Any:
    """The adversary of termination: never ends the game if it can, and moves the fewest cards."""
    places = _places(variant, state)

    def haste(action: Any) -> tuple[bool, int, float]:
        chance = SeededChance(random.randbytes(32))
        later = folded(variant, variant.decide(state, seat, action, chance), state)
        moved = (places - _places(variant, later)).total()
        return variant.outcome(later) is not None, moved, random.random()

    listed = variant.legal_actions(variant.observe(state, seat))
    return min(random.sample(listed, min(len(listed), 6)), key=haste)


def _places(variant: AnyVariant, state: Any) -> Counter[tuple[str, str]]:
    """How many of each card lie where."""
    return Counter((zone, card) for zone, cards in variant.zones(state).items() for card in cards)


# -- playing ---------------------------------------------------------------------------


class Rigged:
    """The given answers first, then those of a seed: for what happens once in ten thousand games.

    The answers are not checked against the questions; a variant that asks another question fails.
    """

    def __init__(self, first: Sequence[Draw], seed: bytes) -> None:
        self._first, self._then = list(reversed(first)), SeededChance(seed)
        self.draws: list[Draw] = []

    def below(self, n: int) -> int:
        value = self._first.pop() if self._first else self._then.below(n)
        assert isinstance(value, int) and 0 <= value < n
        self.draws.append(value)
        return value

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        order = self._first.pop() if self._first else None
        if order is None:
            self._then.shuffled(items)
            order = self._then.draws[-1]
        assert not isinstance(order, int) and sorted(order) == list(range(len(items)))
        self.draws.append(order)
        return tuple(items[i] for i in order)


def playing(
    setting: Setting, number: int, policy: Policy = at_random, first: Sequence[Draw] = ()
) -> Iterator[Step]:
    """The steps of game *number*, the deal first, until the game is over.

    Every action is typed: it goes through `phrase` and `parse` as if a person had sent it.
    *first* rigs the first answers of chance.
    """
    variant, seed = setting.variant, f"{setting.label}/{number}"
    chance = Rigged(first, sha256(seed.encode()).digest())
    random = Random(seed)

    listening = Listening(chance)
    events = tuple(variant.deal(setting.seats, setting.options, listening))
    state = folded(variant, events)
    yield Step(None, None, tuple(listening.drawn), events, state)
    while (window := window_of(variant, state)) is not None:
        seat = random.choice(answerers(variant, state, window))
        action = typed(setting, state, seat, policy(variant, state, seat, random))
        listening = Listening(chance)
        events = tuple(variant.decide(state, seat, action, listening))
        state = folded(variant, events, state)
        yield Step(seat, action, tuple(listening.drawn), events, state)


def typed(setting: Setting, state: Any, seat: Seat, action: Any) -> Any:
    """*action* as it arrives from the keyboard of *seat*."""
    view = setting.variant.observe(state, seat)
    line = setting.variant.phrase(action, view, setting.names)
    heard = setting.variant.parse(line, view, setting.names)
    assert heard == action, f"{action} is typed {line!r}, which means {heard}"
    return heard


def play(
    setting: Setting,
    number: int,
    policy: Policy = at_random,
    decisions_max: int | None = None,
    first: Sequence[Draw] = (),
) -> Game:
    """Game *number* of a setting, to its end or for so many decisions.

    Raises:
        AssertionError: It has outlived the bound that the variant declares.
    """
    bound = setting.variant.decisions_max(setting.seats)
    steps: list[Step] = []
    for step in playing(setting, number, policy, first):
        steps.append(step)
        assert len(steps) - 1 <= bound, f"{setting.label}: no end after {bound} decisions"
        if decisions_max is not None and len(steps) > decisions_max:
            break
    return Game(setting, tuple(steps))


@lru_cache(maxsize=64)
def _whole(name: str, seats: int, options: tuple[tuple[str, str], ...], number: int) -> Game:
    return play(Setting(games()[name], seats, dict(options)), number)


def whole_game(setting: Setting, number: int = 0) -> Game:
    """One whole random game, played once for all the proofs that only read it."""
    options = tuple(sorted(setting.options.items()))
    return _whole(setting.variant.name, setting.seats, options, number)
