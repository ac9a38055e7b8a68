"""What a game of a tournament is worth.  Pure.

Rule 1: a win is worth 60, a last place nothing, and the places between lie at equal distances, so
        that tables of different sizes are worth the same.  Places that are shared get the mean of
        theirs.
Rule 2: who left the game, or never came, has the last place and no points, wherever the computer
        player in that seat ended.  The others are placed among themselves.
Rule 3: points are whole numbers of 1/UNIT, so that sums are exact: the shares of 2 to 8 seats fit.
"""

from __future__ import annotations

from collections.abc import Sequence

UNIT = 14
WIN = 60 * UNIT
SEATS_MAX = 8
SHARED_WIN = WIN // 2
"""Of two seats: what somebody gets who sits a round out."""


def points_of_places(places: Sequence[int | None]) -> tuple[int, ...]:
    """The points of each seat of one game, in 1/UNIT.

    Args:
        places: From 1, by seat, 2 to SEATS_MAX of them; None: last, without points.
    """
    seats = len(places)
    assert 2 <= seats <= SEATS_MAX, seats
    kept = [place for place in places if place is not None]
    found = []
    for place in places:
        if place is None:
            found.append(0)
            continue
        better, shared = sum(other < place for other in kept), kept.count(place)
        doubled = 2 * (seats - 1 - better) - (shared - 1)  # twice the mean of the shared places
        found.append(WIN * doubled // (2 * (seats - 1)))
    return tuple(found)


def points_text(points: int) -> str:
    """`60`, `51.4`."""
    return f"{points / UNIT:.1f}".removesuffix(".0")
