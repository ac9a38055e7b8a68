"""What a seat may know: the judge of twin worlds, and the second opinion on every variant.

Rule 1: knowledge is stated from *full* events and from where the cards lie, after the visibility
        table of the rules.  It must not call `observe` or `redact`, directly or not.
Rule 2: it errs on the side of less.  A fact too many accepts fewer twins and hides a leak; a
        fact too few raises a false alarm, which somebody will look into.
Rule 3: a variant without declared knowledge fails the suite: silence proves nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from tests.conformance.play import Game, Step
from tests.conformance.settings import AnyVariant
from tests.variants.elimination import knowledge as knowledge_elimination
from tests.variants.stockpile import knowledge as knowledge_stockpile
from tests.variants.words import knowledge as knowledge_words
from variants.contract import Seat


class Knowledge(Protocol):
    """A module `knowledge_<variant>` with this constant and these functions."""

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


DECLARED: Mapping[str, Knowledge] = {
    "elimination": knowledge_elimination,
    "stockpile": knowledge_stockpile,
    "words": knowledge_words,
}


def knowledge_of(variant: AnyVariant) -> Knowledge:
    assert variant.name in DECLARED, f"{variant.name}: nobody has declared what its seats may know"
    return DECLARED[variant.name]
