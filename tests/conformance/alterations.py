"""In how many ways a played game can be told again: other cards, other picks, other secret acts.

Rule 1: an alteration says what is different and from which step on; whether anybody may know of
        it is for `twins.py` to judge.
Rule 2: of equal cards each has a name of its own while faces are exchanged (`labels`); in plays
        they are the same again.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.conformance.knowledge import Knowledge
from tests.conformance.play import Drawn, Game, window_of
from tests.conformance.settings import AnyVariant
from variants.contract import Seat


@dataclass(frozen=True)
class Alteration:
    """From step *since* on exchange *faces*, or there answer draw number pick[0] with pick[1]; or
    *acts* are other ones than the game's."""

    since: int
    faces: Mapping[Any, Any]  # both ways; empty for a pick or an act
    pick: tuple[int, int] | None = None
    acts: Mapping[int, tuple[Seat, Any]] = field(default_factory=dict)  # by step


def component(item: Any) -> Any:
    """The id by which zones and plays name a thing that was shuffled: a card, or its id."""
    return item if isinstance(item, str) else getattr(item, "id", item)


COPY = "#"


def labels(items: Sequence[Any]) -> list[Any]:
    """The components of a shuffle, each once: of equal ones the second is called `A#2`."""
    found, met = [], Counter[Any]()
    for item in map(component, items):
        met[item] += 1
        found.append(item if met[item] == 1 else f"{item}{COPY}{met[item]}")
    return found


def face(label: Any) -> Any:
    """The component behind a label."""
    return label.partition(COPY)[0] if isinstance(label, str) else label


def lying(drawn: Drawn) -> list[Any]:
    """The labels of a shuffle as its cards came out of it."""
    assert drawn.items is not None and not isinstance(drawn.draw, int), drawn
    named = labels(drawn.items)
    return [named[i] for i in drawn.draw]


# -- making ----------------------------------------------------------------------------


def alterations(game: Game, knowledge: Knowledge, random: Random) -> Iterator[Alteration]:
    """Endless ways to alter *game*: the deal, later shuffles, blind picks, secret answers."""
    asked = [
        (i, k, drawn)
        for i, step in enumerate(game.steps)
        for k, drawn in enumerate(step.drawn)
        if drawn.n > 1
    ]
    picks = [(i, k, drawn) for i, k, drawn in asked if drawn.items is None]
    deals = [(i, drawn) for i, _, drawn in asked if drawn.items is not None and i == 0]
    shuffles = [(i, drawn) for i, _, drawn in asked if drawn.items is not None and i > 0]
    answers = [(i, seat) for i, seat in _reactions(game) if deals]
    acts = list(secret_acts(game, knowledge))
    every = (deals, deals, shuffles, picks, answers, answers, acts, acts)
    sources: list[Any] = [source for source in every if source]
    while sources:
        source = random.choice(sources)
        if source is acts:
            yield random.choice(acts)
            continue
        if source is answers:
            faces = _other_answers(game, *random.choice(answers), random)
            if faces:
                yield Alteration(0, faces)
            continue
        if source is picks:
            i, k, drawn = random.choice(picks)
            assert isinstance(drawn.draw, int)
            other = random.randrange(drawn.n - 1)
            other += other >= drawn.draw
            yield Alteration(i, {}, (k, other))
            continue
        i, drawn = random.choice(deals if source is deals else shuffles)
        # A later shuffle mixes what is exchanged before it; without one, any time will do.
        until = i + 20 if knowledge.SHUFFLES_LATER else None
        zones = game.setting.variant.zones(random.choice(game.steps[i:until]).state)
        faces = _exchange(lying(drawn), zones, knowledge, random)
        if faces:
            yield Alteration(i, faces)


def _reactions(game: Game) -> Iterator[tuple[int, Seat]]:
    """(step, seat) where a game only asked whether that seat reacts."""
    for i, step in enumerate(game.steps):
        window = window_of(game.setting.variant, step.state)
        if window is not None and not window.counts_timeouts:
            yield i, window.seats[0]


def _other_answers(game: Game, i: int, seat: Seat, random: Random) -> dict[Any, Any]:
    """A card that the asked seat held at step *i*, for one that nobody had seen by then."""
    zones_of = game.setting.variant.zones
    first, now = zones_of(game.steps[0].state), zones_of(game.steps[i].state)
    hand = set(now[f"hand {seat}"])
    hidden = {card for zone, cards in now.items() if "hand" in zone for card in cards}
    hidden |= {card for zone, cards in now.items() for card in cards if card in first[zone]}
    pairs = []
    for drawn in game.steps[0].drawn:
        cards = [component(item) for item in drawn.result] if drawn.items else []
        held = [card for card in cards if card in hand]
        pairs += [(one, other) for one in held for other in cards if other in hidden - hand]
    if not pairs:
        return {}
    one, other = random.choice(pairs)
    return {one: other, other: one}


def _exchange(
    cards: Sequence[Any], zones: Mapping[str, Sequence[str]], knowledge: Knowledge, random: Random
) -> dict[Any, Any]:
    """Some cards of a shuffle, by their labels, for as many others."""
    held = _held(cards, zones)
    together = [group for zone in held for group in _groups(zone, knowledge)]
    kinds = _groups(cards, knowledge)
    heaps = [heap for heap in held if len(heap) > 1]
    twos = [group for group in together + kinds if len(set(map(face, group))) > 1]
    how = ("any", "kin" if twos else "any", "kinds", "together", "together", "heap")
    match random.choice(how):
        case "kin":  # two of a kind, in one place or in two: only which is which
            ours, theirs = random.sample([[card] for card in random.choice(twos)], 2)
        case "kinds" if len(kinds) > 1:  # two whole kinds: hidden sets stay sets
            ours, theirs = random.sample(kinds, 2)
        case "heap" if heaps:  # two of one heap: only in which order they came
            ours, theirs = random.sample([[card] for card in random.choice(heaps)], 2)
        case "together" if together:  # what lies together some time, for as much that does
            ours = random.choice(together)
            theirs = random.choice([group for group in together if len(group) >= len(ours)])
        case _:
            ours, theirs = random.sample([[card] for card in cards], 2)
    pairs = [(one, other) for one, other in zip(ours, theirs, strict=False) if one != other]
    return dict(pairs) | {other: one for one, other in pairs}


def _held(cards: Sequence[Any], zones: Mapping[str, Sequence[str]]) -> list[list[Any]]:
    """The cards of a shuffle by the zone in which they lie; of equal ones those that came first
    lie in the hands."""
    left: dict[Any, deque[Any]] = {}
    for card in cards:
        left.setdefault(face(card), deque()).append(card)
    found: dict[str, set[Any]] = {}
    for zone in sorted(zones, key=lambda zone: "hand" not in zone):
        found[zone] = {left[card].popleft() for card in zones[zone] if left.get(card)}
    return [[card for card in cards if card in found[zone]] for zone in zones]


def _groups(cards: Sequence[Any], knowledge: Knowledge) -> list[list[Any]]:
    kinds: dict[str, list[Any]] = {}
    for card in cards:
        kinds.setdefault(knowledge.kin(face(card)), []).append(card)
    return list(kinds.values())


def secret_acts(game: Game, knowledge: Knowledge) -> Iterator[Alteration]:
    """One other answer for each that was given under seal, each two of them the other way round,
    and one for each choice that was seen by few."""
    variant, before, sealed = game.setting.variant, None, False
    for i, step in enumerate(game.steps):
        if step.seat is not None and before is not None:
            view = variant.observe(before.state, step.seat)
            others = list(knowledge.other_acts(view, step.action))
            if sealed:
                others += variant.legal_actions(view)
            others = [other for other in others if other != step.action]
            if others:
                other = others[i % len(others)]
                yield Alteration(i, {}, acts={i: (step.seat, other)})
            if sealed and _is_open(variant, step.state, before.state):
                after = game.steps[i + 1] if i + 1 < len(game.steps) else step
                if after is not step and after.seat not in (None, step.seat):
                    assert after.seat is not None
                    swapped = {i: (after.seat, after.action), i + 1: (step.seat, step.action)}
                    yield Alteration(i, {}, acts=swapped)
        window = window_of(variant, step.state)
        before, sealed = step, window is not None and window.is_sealed


def _is_open(variant: AnyVariant, state: Any, before: Any) -> bool:
    """Whether the window that was open is open still."""
    now, then = window_of(variant, state), window_of(variant, before)
    return now is not None and then is not None and now.key == then.key
