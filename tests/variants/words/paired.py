"""Fresh manifests of which two worlds share some: each card of a deck is one of two, by a bit of
the seed.

Rule 1: `paired_decks` puts them in the place of the maker's decks; everything else is the game's.
Rule 2: a seed with some bits turned over changes these cards and keeps all others.  With real
        decks another seed changes the own card too, so only a watcher could have a twin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch

from tests.conformance.alterations import Alteration
from tests.conformance.play import Game
from tests.variants.words.driver import BOX, shipped_lexicon
from variants.contract import Chance, Seat
from variants.words.data.box import Manifest
from variants.words.events import RoundBegun
from variants.words.manifests.maker import maker_for
from variants.words.rules import sample_states, setup

CARDS = len(BOX.manifests)


@cache
def cards() -> tuple[Manifest, ...]:
    """Two for each place, all of them different."""
    return maker_for(shipped_lexicon(), BOX).deck(1, 2 * CARDS)


def card_at(place: int, seed: int) -> Manifest:
    return replace(cards()[2 * place + (seed >> place & 1)], id=f"X{place + 1}")


class PairedMaker:
    def deck(self, seed: int, number: int) -> tuple[Manifest, ...]:
        return tuple(card_at(place, seed) for place in range(number))

    def cards(self, chance: Chance, used: Iterable[str]) -> Iterator[Manifest]:
        """All of them in any order, for sampled worlds; those with words of *used* come last."""
        taken = set(used)

        def is_late(card: Manifest) -> bool:
            return not taken.isdisjoint(word for words in card.sets for word in words)

        yield from sorted(chance.shuffled(cards()), key=is_late)


@contextmanager
def paired_decks() -> Iterator[None]:
    def maker(*_: Any) -> PairedMaker:
        return PairedMaker()

    with (
        patch.object(setup, "maker_for", maker),
        patch.object(sample_states, "maker_for", maker),
    ):
        yield


def other_cards(game: Game, kept: set[str]) -> Alteration:
    """In another world all manifests are others but for those with these ids."""
    (drawn, *_) = game.steps[0].drawn
    assert drawn.items is None and isinstance(drawn.draw, int), "the seed comes first"
    places = [place for place in range(CARDS) if f"X{place + 1}" not in kept]
    return Alteration(0, {}, (0, drawn.draw ^ sum(1 << place for place in places)))


def dealt(game: Game, observer: Seat | None = None) -> set[str]:
    """The ids of the cards that *observer*, or anybody, was dealt in any round."""
    begun = [event for event in game.events if isinstance(event, RoundBegun)]
    return {
        card.id
        for event in begun
        for seat, card in enumerate(event.manifests)
        if card and observer in (None, seat)
    }
