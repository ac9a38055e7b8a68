"""Twin worlds: two games between which nothing differs that one observer may know.

A played game is told again with other cards in hidden places: the faces of cards an observer
does not know are exchanged, in the deal or from a later shuffle on, or a blind pick falls on
another card.  Everybody acts as before; who plays a hidden card plays the one that is there.
Or the cards stay, and somebody decides otherwise in secret, or two answer the other way round.
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

from tests.conformance.alterations import Alteration, alterations, face, labels, lying
from tests.conformance.knowledge import Knowledge
from tests.conformance.play import Drawn, Game, Listening, Step, folded
from tests.conformance.settings import AnyVariant
from variants.contract import Refusal, Seat
from variants.kit.chance import Draw

T = TypeVar("T")


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
        alteration = self.alteration
        what = alteration.faces or alteration.acts or alteration.pick
        return f"altered at step {self.since}: {what}"

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
        wanted = [self._faces.get(label, label) for label in lying(drawn)]
        at = {label: i for i, label in enumerate(labels(items))}
        if set(wanted) == set(at):
            order = tuple(at[item] for item in wanted)
        self.draws.append(order)
        return tuple(items[i] for i in order)


# -- making ----------------------------------------------------------------------------


def _relabelled(action: Any, faces: Mapping[Any, Any]) -> Any:
    """The same play with the other card in the hand that holds it."""
    if isinstance(action, tuple):
        return tuple(_relabelled(part, faces) for part in action)
    if is_dataclass(action) and not isinstance(action, type):
        parts = {f.name: _relabelled(getattr(action, f.name), faces) for f in fields(action)}
        return replace(action, **parts)
    return faces.get(action, action) if isinstance(action, str) else action


def _actions(
    i: int, step: Step, observer: Seat | None, alteration: Alteration
) -> tuple[Seat | None, list[Any]]:
    """Who acts in the twin, and what may be done: a hidden card's other face is played where it
    lies, or the same face that lies elsewhere in that hand."""
    if i in alteration.acts:
        seat, action = alteration.acts[i]
        return seat, [action]
    if step.seat == observer:
        return step.seat, [step.action]
    faces = {face(one): face(other) for one, other in alteration.faces.items()}
    other = _relabelled(step.action, faces)
    return step.seat, [other] if other == step.action else [other, step.action]


def _can_be_typed(variant: AnyVariant, state: Any, seat: Seat | None, action: Any) -> bool:
    """Of several equal cards a line means the one that is listed."""
    if seat is None or not variant.lists_all:
        return True
    return action in variant.legal_actions(variant.observe(state, seat))


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
        told = None
        seat, actions = _actions(i, step, observer, alteration)
        for action in actions:
            if not _can_be_typed(variant, before, seat, action):
                continue
            chance = Listening(Retelling(drawn, alteration.faces))
            try:
                if seat is None:
                    events = tuple(variant.deal(setting.seats, setting.options, chance))
                else:
                    events = tuple(variant.decide(before, seat, action, chance))
            except (Refusal, Diverged):
                continue
            state = folded(variant, events, before)
            told = Step(seat, action, tuple(chance.drawn), events, state)
            if knowledge.facts(step, observer) == knowledge.facts(told, observer):
                break
            parting, told = parting or told, None
        if told is None:
            break
        if i > since or (told.state, told.events) != (step.state, step.events):
            steps.append(told)
        if told.state == step.state:
            break  # the worlds have met: nothing is hidden differently from here on
        before, parting = told.state, None
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
