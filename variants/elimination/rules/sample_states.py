"""States that fit what one seat sees and has heard: the layouts of `bots/sampling.py`, made states.

Rule 1: the true state is no parameter.  [G-14]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from variants.contract import Chance
from variants.elimination.bots.sampling import Layout, sample_layouts
from variants.elimination.events import Event
from variants.elimination.state import Player, State
from variants.elimination.view import View


def sample_states(view: View, seen_events: Sequence[Event], chance: Chance) -> Iterator[State]:
    """Endless states that fit.  ValueError if none is found: no view of a game is like that."""
    for layout in sample_layouts(view, seen_events, chance):
        yield _state(view, layout)


def _state(view: View, layout: Layout) -> State:
    players = tuple(
        Player(
            layout.hands[seat],
            layout.pairs[seat],
            public.triplets,
            public.turns,
            layout.marks[seat],
            public.is_in,
        )
        for seat, public in enumerate(view.seats)
    )
    return State(
        pack=view.pack,
        dealer=view.dealer,
        players=players,
        turn=view.turn,
        deck=layout.deck,
        outside=view.outside,
        asks=view.asks,
        number=view.number,
        idle=view.idle,
        fallen=view.fallen,
        ended=view.ended,
        until=view.until,
    )
