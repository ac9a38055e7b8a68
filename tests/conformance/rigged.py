"""Deals that bring a rare secret about, and the twins that would give it away.

Rule 1: a deal is rigged in its first answers of chance; the plays that follow are the usual ones.
Rule 2: an aim names the faces to exchange for every observer: fixed ones, or what a game that
        was played shows to be worth it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.conformance.play import Game, Policy, by_kind
from variants.kit.chance import Draw

Faces = Mapping[str, str]
"""Both ways; empty: this game has nothing to aim at."""

WHOLE = 1_000  # decisions: more than any game has


@dataclass(frozen=True)
class Rigged:
    first: tuple[Draw, ...]  # first answers of chance
    aim: Callable[[Game], Faces]
    decisions_max: int = 24
    policy: Policy = by_kind
    games: int = 16


def swapped(ones: str, others: str) -> Faces:
    pairs = list(zip(ones.split(), others.split(), strict=True))
    return dict(pairs) | {other: one for one, other in pairs}


def at(ones: str, others: str) -> Callable[[Game], Faces]:
    return lambda game: swapped(ones, others)
