"""Games by correspondence: hours or days for each decision, and nobody has to be connected.  Pure.

Rule 1: a deadline is UTC in the journal, as at any table; a restart gives the time back that the
        server was away, but not less than OUTAGE_MS of it: half a minute is nothing in a day.
Rule 2: being offline, or at another table, is not being away.  Missed turns count as everywhere.
Rule 3: what people agree on (marks before a game, offers in one) waits ANSWER_MS for those who are
        not here.
Rule 4: for who is away a computer player decides after a quarter of the window, an hour at most, so
        that the owner can still come first.  A game that nobody plays any more is aborted.
"""

from __future__ import annotations

from collections.abc import Iterable

from mudserver.tables.options import SHORTEST_MOVE_S
from mudserver.tables.seats import Occupant

HOUR_MS = 3_600_000
ANSWER_MS = 72 * HOUR_MS
OUTAGE_MS = 60_000
PAUSE_S = (1.0, 2.0)  # of a computer player
ABSENT_TURNS_MAX = 3  # that computer players play for each, while all people are away


def short_ms(full_ms: int) -> int:
    """Of a window whose owner is late: a quarter."""
    return max(SHORTEST_MOVE_S * 1000, full_ms // 4)


def away_wait_ms(window_ms: int) -> int:
    """How long the owner, who is away, may still come first."""
    return min(window_ms // 4, HOUR_MS)


def is_expired(seats: Iterable[Occupant]) -> bool:
    """Whether all people are away, and have been for too many turns.

    Args:
        seats: Those that are still in the game.
    """
    people = [o for o in seats if o.person is not None]
    return bool(people) and all(
        o.is_away and o.turns.played_for >= ABSENT_TURNS_MAX for o in people
    )
