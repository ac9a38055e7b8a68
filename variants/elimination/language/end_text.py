"""What everybody reads of a game that is over: how long it was, who went when, who held what."""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import EndSummary
from variants.elimination.data.cards import RANK_OF
from variants.elimination.events import Eliminated, Event, TurnStarted
from variants.elimination.language.card_text import (
    card_row,
    spoken_pair,
    three_of_rank,
)
from variants.elimination.view import View
from variants.kit.english import join_spans
from variants.kit.text import Style, StyledLine, quantity, styled_line


def summarize_end(view: View, heard: Sequence[Event]) -> EndSummary:
    turn, notes = 0, [""] * len(view.seats)
    for event in heard:
        if isinstance(event, TurnStarted):
            turn = event.number
        elif isinstance(event, Eliminated):
            notes[event.seat] = f"out in turn {turn}"
    return EndSummary(quantity(turn, "turn"), tuple(notes))


def held_at_end(view: View, style: Style) -> StyledLine:
    """The cards that can still be given, then what is locked."""
    assert view.seat is not None
    own = view.seats[view.seat]
    pairs = [
        styled_line(spoken_pair(pair)) if style.is_linear else card_row(pair, style)
        for pair in view.pairs
    ]
    triplets = [styled_line(three_of_rank(RANK_OF[cards[0]])) for cards in own.triplets]
    hand = [card_row(view.hand, style)] if view.hand else []
    return join_spans([*hand, *pairs, *triplets])
