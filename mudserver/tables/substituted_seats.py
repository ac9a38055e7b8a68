"""What a game remembers of seats that were taken over by others.  Pure.

Rule 1: who began a game in a seat has its result, wherever the seat went; a substitute has none of
        this game, and is named beside it.
Rule 2: nobody gains time by a change of hands: a substitute goes on as somebody who was away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from mudserver.tables import records as f
from mudserver.tables.missed_turns import TurnCount
from mudserver.tables.seats import Occupant, with_distinct_names

OFFERED_MS = 60_000  # after its person has left it, others can take over a seat


def offered_before(seats: Sequence[Occupant], now_ms: int) -> dict[int, int]:
    """When each seat was left that people have read of as one to take over, or are to read of now.

    Times are UTC.
    """
    return {
        seat: it.left_ms
        for seat, it in enumerate(seats)
        if it.left_ms and it.left_ms + OFFERED_MS <= now_ms
    }


class LostSeat(NamedTuple):
    """How the seat was lost by whoever had it when the game began."""

    fate: Literal["left", "forfeit"]
    plays: int  # of the game, until the first substitute came


def turns_of_substitute(before: Occupant, is_extended: bool) -> TurnCount:
    """What counts as missed of a seat that somebody takes over.

    Args:
        is_extended: See `Game.may_be_extended`.
    """
    is_late = before.is_away or before.turns.missed > 0
    return before.turns.came_back(is_extended) if is_late else before.turns


def renamed_for(seats: Sequence[Occupant], fact: f.Substituted) -> list[Occupant]:
    """*seats*, with other computer players renamed that are called as the substitute."""
    others = [o for seat, o in enumerate(seats) if seat != fact.seat]
    renamed = with_distinct_names(others, fact.name)
    return [*renamed[: fact.seat], seats[fact.seat], *renamed[fact.seat :]]
