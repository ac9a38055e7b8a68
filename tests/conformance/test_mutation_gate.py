"""L12, the gate: a suite that lets one planted leak through proves nothing, and fails.

Every mutant meets the same twin worlds, in the same order, until one of them looks different.
`pytest -s` prints how many it took.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

import pytest

from tests.conformance import mutants_elimination
from tests.conformance.knowledge import knowledge_of
from tests.conformance.mutants import IN_PASSING, ON_DEMAND, Mutation
from tests.conformance.observation import far_leaks, leaks, near_leaks
from tests.conformance.play import (
    AnyVariant,
    Game,
    Setting,
    Step,
    at_random,
    by_kind,
    folded,
    option_sets,
    play,
)
from tests.conformance.twins import Alteration, Retelling, Twin, twin_of, twins
from variants.catalogue import CATALOGUE
from variants.contract import Seat
from variants.elimination.data import PACKS
from variants.kit.chance import Draw

TWINS_MAX = 250  # within so many every mutant must be dead


@dataclass(frozen=True)
class Rigged:
    """A deal that brings a rare secret about, and the twin that would give it away."""

    first: tuple[Draw, ...]  # first answers of chance
    faces: Mapping[str, str]  # to exchange for every observer


@dataclass(frozen=True)
class Special:
    """What the gate needs from one game."""

    mutants: tuple[Mutation, ...]  # holes in its secrets
    rule_mutants: tuple[Mutation, ...]  # holes in `deal` and `decide`
    rigged: tuple[Rigged, ...]


_SETS = "9S 9H 5S 5H KS KH 2S 2H 7S 7H JS JH AS AH AD 3S 9D KD 7D 5D 2D JD"
"""Everybody has two sets or three aces at once, and the third cards come soon."""


def _exchanged(rank: str, other: str) -> dict[str, str]:
    pairs = [(rank + suit, other + suit) for suit in "SHDC"]
    return dict(pairs) | {b: a for a, b in pairs}


def _dealt(first: str) -> tuple[Draw, ...]:
    """Dealer 0 and a deck with those cards on top, the first four for seat 0, and so on."""
    cards, top = PACKS["54"].cards, first.split()
    rest = [card for card in cards if card not in top]
    Random(7).shuffle(rest)
    return 0, tuple(cards.index(card) for card in top + rest)


SPECIAL: Mapping[str, Special] = {
    "elimination": Special(
        mutants_elimination.MUTANTS,
        mutants_elimination.RULE_MUTANTS,
        (
            Rigged(_dealt("7S 7H 7D 7C"), _exchanged("7", "8")),  # [ER-06] a misdeal
            Rigged(_dealt(_SETS), _exchanged("5", "10")),
            Rigged(_dealt(_SETS), {"9H": "9D", "9D": "9H"}),
            Rigged(_dealt(_SETS), {"AS": "AH", "AH": "AS"}),
        ),
    )
}


def planted() -> Iterator[Any]:
    for variant in CATALOGUE.values():
        special = SPECIAL[variant.name]
        for how, mutations in (
            ("in passing", (*IN_PASSING, *special.mutants)),
            ("on demand", ON_DEMAND),
            ("played anew", special.rule_mutants),
        ):
            for mutation in mutations:
                name = f"{variant.name}-{mutation.__name__}"
                yield pytest.param(variant, mutation, how, id=name)


@lru_cache(maxsize=4)
def worlds_to_try(name: str) -> tuple[Twin, ...]:
    """The fixed twins of a variant: whole games, one of them rigged, several numbers of seats."""
    variant = CATALOGUE[name]
    most, options = variant.seats[-1], option_sets(variant)
    seats = (min(4, most), min(3, most), min(6, most))
    sources = []
    for i in range(12):
        setting = Setting(variant, seats[i % 3], options[i % len(options)])
        sources.append(_twins(play(setting, 300 + i, by_kind if i % 2 else at_random)))
    for rigged in SPECIAL[name].rigged:
        setting = Setting(variant, seats[0], options[0])
        games = [play(setting, n, by_kind, 24, rigged.first) for n in range(300, 316)]
        sources.append(_aimed(games, Alteration(0, rigged.faces)))
    return tuple(_in_turn(sources))


def _twins(game: Game) -> Iterator[Twin]:
    knowledge = knowledge_of(game.setting.variant)
    return twins(game, knowledge, Random(12), 40, observers_of(game))


def _aimed(games: list[Game], alteration: Alteration) -> Iterator[Twin]:
    for game in games:
        for observer in observers_of(game):
            knowledge = knowledge_of(game.setting.variant)
            twin = twin_of(game, observer, alteration, knowledge)
            if twin is not None:
                yield twin


def observers_of(game: Game) -> list[Seat | None]:
    return [None, *map(Seat, range(game.setting.seats))]


def _in_turn(sources: list[Iterator[Twin]]) -> Iterator[Twin]:
    """One of each, again and again, until all are used up."""
    while sources:
        for source in tuple(sources):
            twin = next(source, None)
            if twin is None:
                sources.remove(source)
            else:
                yield twin


class Dresser:
    """Twins with the events that a mutant of `deal` or `decide` makes of the same chance."""

    def __init__(self, mutant: AnyVariant) -> None:
        self._mutant = mutant
        self._worlds: dict[int, Game] = {}

    def dress(self, twin: Twin) -> Twin:
        game = self._worlds.get(id(twin.game))
        if game is None:
            setting = replace(twin.game.setting, variant=self._mutant)
            game = Game(setting, tuple(self._played(setting, twin.game.steps, None)))
            self._worlds[id(twin.game)] = game
        before = game.steps[twin.since - 1].state if twin.since else None
        steps = tuple(self._played(game.setting, twin.steps, before))
        return replace(twin, game=game, steps=steps)

    def _played(self, setting: Setting, steps: Sequence[Step], state: Any) -> Iterator[Step]:
        for step in steps:
            chance = Retelling(step.drawn, {})
            if step.seat is None:
                events = tuple(self._mutant.deal(setting.seats, setting.options, chance))
            else:
                events = tuple(self._mutant.decide(state, step.seat, step.action, chance))
            state = folded(self._mutant, events, state)
            yield replace(step, events=events, state=state)


def twins_to_kill(variant: AnyVariant, mutation: Mutation, how: str) -> tuple[int, str]:
    """How many twins it took, and what gave the mutant away; (0, "") if nothing did."""
    mutant = mutation(variant)
    dresser = Dresser(mutant)
    for number, twin in enumerate(worlds_to_try(variant.name)[:TWINS_MAX], 1):
        if how == "on demand":
            found = far_leaks(mutant, twin, Random(number))
        else:
            found = near_leaks(mutant, dresser.dress(twin) if how == "played anew" else twin)
        for leak in found:
            return number, leak
    return 0, ""


@pytest.mark.parametrize("variant, mutation, how", list(planted()))
def test_a_planted_leak_is_found(variant: AnyVariant, mutation: Mutation, how: str) -> None:
    number, leak = twins_to_kill(variant, mutation, how)
    print(f"\n{mutation.__name__}: twin {number} ({leak.split(':')[0]})")
    assert number, f"{mutation.__name__} survived {TWINS_MAX} twin worlds"


@pytest.mark.parametrize("variant", CATALOGUE.values(), ids=lambda v: v.name)
def test_the_honest_rule_book_passes_the_gate(variant: AnyVariant) -> None:
    tried = worlds_to_try(variant.name)
    assert len(tried) >= TWINS_MAX // 2
    for number, twin in enumerate(tried[:100], 1):
        assert not list(leaks(variant, twin, Random(number))), twin.how
    dresser = Dresser(variant)
    for twin in tried[:20]:
        assert dresser.dress(twin) == twin
