"""What a seat may know: the judge of twin worlds, and the second opinion on every variant.

Rule 1: knowledge is stated from *full* events and from where the cards lie, after the visibility
        table of the rules.  It must not call `observe` or `redact`, directly or not.
Rule 2: it errs on the side of less.  A fact too many accepts fewer twins and hides a leak; a
        fact too few raises a false alarm, which somebody will look into.
Rule 3: a variant without declared knowledge fails the suite: silence proves nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, Protocol

from tests.conformance.play import Game, Step
from tests.games import AnyVariant, profile_of
from variants.contract import Seat


class Knowledge(Protocol):
    """A module `knowledge` of a game with these constants and functions."""

    SHUFFLES_LATER: bool  # whether cards are ever shuffled after the deal
    HAS_COPIES: bool  # whether cards are so alike that nobody, the rules neither, tells them apart

    def facts(self, step: Step, observer: Seat | None, /) -> Hashable:
        """All that *observer* (None: a watcher) may learn from one step: what is told of its
        events, and what the observer sees lying there afterwards."""

    def kin(self, component: str, /) -> str:
        """What makes cards alike to the rules, so that whole groups can be exchanged."""

    def out(self, state: Any, /) -> frozenset[Seat]:
        """The seats that are out of the game."""

    def other_acts(self, view: Any, action: Any, /) -> Sequence[Any]:
        """What the seat of *view* could have done instead of *action*, and few would know."""

    def typed(self, game: Game, random: Random, /) -> Sequence[str]:
        """Lines that people type, besides the plays of *game*: to see what is refused, and how."""


def knowledge_of(variant: AnyVariant) -> Knowledge:
    return profile_of(variant.name).knowledge
