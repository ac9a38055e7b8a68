"""Twin worlds: two games between which nothing differs that one observer may know.

A played game is told again with other cards in hidden places: the faces of cards an observer
does not know are exchanged, in the deal or from a later shuffle on, or a blind pick falls on
another card.  Everybody acts as before; who plays a hidden card plays the one that is there.
As long as the *declared knowledge* of the observer (`knowledge.py`) stays the same step by step,
whatever the observer receives has to be the same.

Rule 1: a twin is accepted by declared knowledge, which is written from the visibility tables and
        never by calling `observe` or `redact`; otherwise the proof would be a circle.
Rule 2: a twin is cut where the knowledge first differs, a play becomes illegal or the worlds
        meet again; what comes before is a twin still.  The step at which they meet is kept:
        it still came out of different cards.
Rule 3: a twin can be played elsewhere too: its `script` holds every answer of chance.

Used by the rule-level proofs here and by the proofs on bytes in the server's own tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from random import Random
from typing import Any, TypeVar

from tests.conformance.knowledge import Knowledge
from tests.conformance.play import Drawn, Game, Listening, Step, folded
from variants.contract import Refusal, Seat
from variants.kit.chance import Draw

T = TypeVar("T")


@dataclass(frozen=True)
class Alteration:
    """From step *since* on exchange *faces*, or there answer draw number pick[0] with pick[1]."""

    since: int
    faces: Mapping[Any, Any]  # both ways; empty for a pick
    pick: tuple[int, int] | None = None


@dataclass(frozen=True)
class Twin:
    """The same plays over other hidden cards."""

    game: Game
    observer: Seat | None
    alteration: Alteration
    steps: tuple[Step, ...]  # the twin's own, from `since` on, all within the same knowledge
    parting: Step | None  # the first step after which the observer may know the difference

    @property
    def since(self) -> int:
        """The first step whose chance was altered; 0 is the deal."""
        return self.alteration.since

    @property
    def how(self) -> str:
        """For a person who reads a failure."""
        return f"altered at step {self.since}: {self.alteration.faces or self.alteration.pick}"

    @property
    def pairs(self) -> Iterator[tuple[int, Step, Step]]:
        """(number of the step, the world's step, the twin's step)."""
        for i, step in enumerate(self.steps, self.since):
            yield i, self.game.steps[i], step

    @property
    def script(self) -> list[list[Draw]]:
        """The answers of chance, step by step from the deal on, up to the last accepted step."""
        steps = self.game.steps[: self.since] + self.steps
        return [[drawn.draw for drawn in step.drawn] for step in steps]

    @property
    def whole(self) -> tuple[Step, ...]:
        """The twin from the deal on."""
        return self.game.steps[: self.since] + self.steps


class Diverged(Exception):
    """The twin asks chance for something the world never asked for."""


class Retelling:
    """Recorded answers again, with *faces* exchanged for others."""

    def __init__(self, drawn: Sequence[Drawn], faces: Mapping[Any, Any]) -> None:
        self._drawn, self._faces = list(reversed(drawn)), faces
        self.draws: list[Draw] = []

    def _next(self, n: int, is_shuffle: bool) -> Drawn:
        if not self._drawn:
            raise Diverged
        drawn = self._drawn.pop()
        if drawn.n != n or (drawn.items is not None) != is_shuffle:
            raise Diverged
        return drawn

    def below(self, n: int) -> int:
        drawn = self._next(n, is_shuffle=False)
        assert isinstance(drawn.draw, int)
        self.draws.append(drawn.draw)
        return drawn.draw

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        drawn = self._next(len(items), is_shuffle=True)
        assert not isinstance(drawn.draw, int)
        order = drawn.draw
        # The same faces as in the world, but for the exchange, if they lie in this shuffle; else
        # the same places.
        wanted = [self._faces.get(item, item) for item in drawn.result]
        at = {item: i for i, item in enumerate(items)}
        if set(wanted) == set(at) and len(at) == len(items):
            order = tuple(at[item] for item in wanted)
        self.draws.append(order)
        return tuple(items[i] for i in order)


# -- making ----------------------------------------------------------------------------


def alterations(game: Game, knowledge: Knowledge, random: Random) -> Iterator[Alteration]:
    """Endless ways to alter the chance of *game*: the deal, later shuffles and blind picks."""
    asked = [
        (i, k, drawn)
        for i, step in enumerate(game.steps)
        for k, drawn in enumerate(step.drawn)
        if drawn.n > 1
    ]
    picks = [(i, k, drawn) for i, k, drawn in asked if drawn.items is None]
    deals = [(i, drawn) for i, _, drawn in asked if drawn.items is not None and i == 0]
    shuffles = [(i, drawn) for i, _, drawn in asked if drawn.items is not None and i > 0]
    sources = [source for source in (deals, deals, shuffles, picks) if source]
    while sources:
        source = random.choice(sources)
        if source is picks:
            i, k, drawn = random.choice(picks)
            other = random.choice([n for n in range(drawn.n) if n != drawn.draw])
            yield Alteration(i, {}, (k, other))
            continue
        i, drawn = random.choice(deals if source is deals else shuffles)
        zones = game.setting.variant.zones(random.choice(game.steps[i : i + 20]).state)
        faces = _exchange(drawn.result, zones, knowledge, random)
        if faces:
            yield Alteration(i, faces)


def _exchange(
    result: Sequence[Any], zones: Mapping[str, Sequence[str]], knowledge: Knowledge, random: Random
) -> dict[Any, Any]:
    """Some items of a shuffle for as many others."""
    cards = list(result)
    lying = [
        group
        for zone in zones.values()
        for group in _groups([card for card in cards if card in zone], knowledge)
    ]
    kinds = _groups(cards, knowledge)
    twos = [group for group in lying + kinds if len(group) > 1]
    match random.choice(("any", "kin" if twos else "any", "kinds", "together", "together")):
        case "kin":  # two of a kind, in one place or in two: only which is which
            ours, theirs = random.sample([[card] for card in random.choice(twos)], 2)
        case "kinds" if len(kinds) > 1:  # two whole kinds: hidden sets stay sets
            ours, theirs = random.sample(kinds, 2)
        case "together":  # what lies together at some later time, for as much that does
            ours = random.choice(lying)
            theirs = random.choice([group for group in lying if len(group) >= len(ours)])
        case _:
            ours, theirs = random.sample([[card] for card in cards], 2)
    pairs = [(one, other) for one, other in zip(ours, theirs, strict=False) if one != other]
    return dict(pairs) | {other: one for one, other in pairs}


def _groups(cards: Sequence[Any], knowledge: Knowledge) -> list[list[Any]]:
    kinds: dict[str, list[Any]] = {}
    for card in cards:
        kinds.setdefault(knowledge.kin(card), []).append(card)
    return list(kinds.values())


def _relabelled(action: Any, faces: Mapping[Any, Any]) -> Any:
    """The same play with the other card in the hand that holds it."""
    if isinstance(action, tuple):
        return tuple(_relabelled(part, faces) for part in action)
    if is_dataclass(action) and not isinstance(action, type):
        parts = {f.name: _relabelled(getattr(action, f.name), faces) for f in fields(action)}
        return replace(action, **parts)
    return faces.get(action, action) if isinstance(action, str) else action


def twin_of(
    game: Game, observer: Seat | None, alteration: Alteration, knowledge: Knowledge
) -> Twin | None:
    """The longest twin of *game* for *observer*; None if not even one step can be kept."""
    setting, variant = game.setting, game.setting.variant
    since = alteration.since
    before = game.steps[since - 1].state if since else None
    parting = None
    steps: list[Step] = []
    for i, step in enumerate(game.steps[since:], since):
        drawn = list(step.drawn)
        if i == since and alteration.pick is not None:
            place, other = alteration.pick
            drawn[place] = replace(drawn[place], draw=other)
        chance = Listening(Retelling(drawn, alteration.faces))
        action = step.action
        if step.seat != observer:  # who gives a hidden card gives the other one in the twin
            action = _relabelled(action, alteration.faces)
        try:
            if step.seat is None:
                events = tuple(variant.deal(setting.seats, setting.options, chance))
            else:
                events = tuple(variant.decide(before, step.seat, action, chance))
        except (Refusal, Diverged):
            break
        state = folded(variant, events, before)
        told = Step(step.seat, action, tuple(chance.drawn), events, state)
        if knowledge.facts(step, observer) != knowledge.facts(told, observer):
            parting = told
            break
        if i > since or (state, events) != (step.state, step.events):
            steps.append(told)
        if state == step.state:
            break  # the worlds have met: nothing is hidden differently from here on
        before = state
    if not steps:
        return None
    return Twin(game, observer, alteration, tuple(steps), parting)


def twins(
    game: Game, knowledge: Knowledge, random: Random, tries: int, observers: Sequence[Seat | None]
) -> Iterator[Twin]:
    """The accepted twins among so many *tries*, for observers drawn from *observers*."""
    for alteration, _ in zip(alterations(game, knowledge, random), range(tries), strict=False):
        twin = twin_of(game, random.choice(list(observers)), alteration, knowledge)
        if twin is not None:
            yield twin
