"""What everybody reads of a game that is over: how long it was, who went when, who held what."""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import EndSummary
from variants.kit.text import Style, StyledLine, quantity, styled_line
from variants.stockpile.events import Eliminated, Event, TurnStarted
from variants.stockpile.language.card_text import card_titles
from variants.stockpile.view import View


def summarize_end(view: View, heard: Sequence[Event]) -> EndSummary:
    turn, notes = 0, [""] * len(view.seats)
    for event in heard:
        if isinstance(event, TurnStarted):
            turn = event.number
        elif isinstance(event, Eliminated):
            notes[event.seat] = f"out in turn {turn}"
    return EndSummary(quantity(turn, "turn"), tuple(notes))


def held_at_end(view: View, style: Style) -> StyledLine:
    return styled_line(card_titles(view.hand)) if view.hand else ()
