"""How a game ended."""

from __future__ import annotations

from variants.contract import Outcome
from variants.stockpile.data.cards import ACTIONS_PER_TURN, DECK_SIZE, END_REASONS, total_value
from variants.stockpile.state import State
from variants.stockpile.view import View


def outcome(state: State) -> Outcome | None:
    """Survivors by the value of their stockpiles; equal values share, and so do all the infected.

    Source: S2.4 "Places", [SR-48] [SR-49] [SR-54] [SR-55].  The infected own nothing and have no
    score.
    """
    if not state.ended:
        return None
    worth = [total_value(player.stockpile) if player.is_in else None for player in state.players]
    survivors = [points for points in worth if points is not None]
    places = [
        1 + len(survivors if points is None else [p for p in survivors if p > points])
        for points in worth
    ]
    return Outcome(tuple(places), tuple(worth), END_REASONS[state.ended])


def scores_now(view: View) -> tuple[int | None, ...]:
    """By seat, of a game that is drawn: the stockpiles as they lie."""
    return tuple([total_value(seat.stockpile) if seat.is_in else None for seat in view.seats])


def match_points(outcome: Outcome) -> tuple[int, ...]:
    """The value of the stockpile; nothing for the infected."""
    return tuple([points or 0 for points in outcome.scores])


def decisions_max(seats: int) -> int:
    """No game has more decisions, with any number of seats.

    Every action draws a card of a location deck or takes one out of a hand; no card goes back.
    So the 70 cards make at most 140 actions.  What a card may cost in decisions:

    * being drawn: 1 (the action);
    * as an Impact card: 1 more (which supply), for it is dealt with once;
    * played or discarded as an action: 1 more, and an effect has at most one window that is
      passed (its target's);
    * as a Reflection against an effect: 1 more (the answer), and the new effect has at most two
      windows that are passed (the countered player's, the target's);
    * as a counter: 1 more (the answer), the pass that settles the chain, and the windows that
      begin afresh after it: at most two that are passed.

    So no card costs more than 1 + 4.  A LOCATION window comes after three full actions only, so
    at most once in three of the 140; `end` comes once.
    """
    cards = 2 * DECK_SIZE
    return 5 * cards + 2 * cards // ACTIONS_PER_TURN + 1
