"""How a game ended."""

from __future__ import annotations

from variants.contract import Outcome
from variants.elimination.data.cards import STALEMATE_TURNS, end_clause
from variants.elimination.state import State


def outcome(state: State) -> Outcome | None:
    """Places in reverse order of falling; all who are left share the first.

    Source: [ER-46] [ER-40] [ER-51].  The game keeps no scores.
    """
    if not state.ended:
        return None
    seats = len(state.players)
    places = [1] * seats
    for rank, seat in enumerate(state.fallen):
        places[seat] = seats - rank
    reason = end_clause(state.ended, len(state.fallen))
    return Outcome(tuple(places), (None,) * seats, reason)


def match_points(outcome: Outcome) -> tuple[int, ...]:
    """Two points for every seat placed behind, one for every other seat that shares the place."""
    places = outcome.places
    return tuple([sum((other > own) + (other >= own) for other in places) - 1 for own in places])


def decisions_max(seats: int) -> int:
    """No game has more decisions.

    The deck refills only by a Clear (at most four: two single cards and two pairs) and by an
    elimination (at most seats - 1): so there are at most seats + 4 stretches of play in which
    cards only leave the deck (54 turns at most) and sets only grow (each of 12 ranks makes two
    pairs, or a pair and its triplet: 24 turns at most).  Counting the turn that ends it, a
    stretch has at most 79 turns of progress.  Between two of them, and after the last, lie at
    most STALEMATE_TURNS turns without [ER-40], and a turn takes at most two decisions.
    """
    progress = (seats + 4) * (54 + 24 + 1)
    return 2 * (progress + 1) * (STALEMATE_TURNS + 1)
