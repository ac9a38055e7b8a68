"""Statistics of one account, from its results.

Rule 1: the expected place is that of somebody whom chance places: the middle of each game.
Rule 2: a shared first place is a win.  Who left a game has its place, and counts as having left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from mudserver.journal import Row, Value


@dataclass
class Won:
    """Games, and how many of them were won."""

    games: int = 0
    won: int = 0

    def add(self, count: int, is_won: bool) -> None:
        self.games += count
        self.won += count * is_won


@dataclass
class Statistics:
    """All games of one account in one variant."""

    variant: str
    all: Won = field(default_factory=Won)
    recent: Won = field(default_factory=Won)
    places: Counter[int] = field(default_factory=Counter)  # games by place
    by_seats: dict[int, Won] = field(default_factory=dict)
    by_level: dict[str, Won] = field(default_factory=dict)  # with computer players alone
    left: int = 0
    longest_row: int = 0  # of wins
    place_sum: int = 0
    expected_sum: float = 0.0

    @property
    def mean_place(self) -> float:
        return self.place_sum / self.all.games

    @property
    def expected_place(self) -> float:
        return self.expected_sum / self.all.games


def statistics(results: Sequence[Row]) -> list[Statistics]:
    """By variant.  Args: results: as the query `all_results_of` answers."""
    found: dict[str, Statistics] = {}
    for (variant, seats, place, fate, against, is_recent), count in Counter(results).items():
        name, number = str(variant), int(place or 0)
        own = found.setdefault(name, Statistics(name))
        _add(own, int(seats or 0), number, str(fate), str(against), count)
        if is_recent:
            own.recent.add(count, number == 1)
    for name, own in found.items():
        own.longest_row = _longest_row([it[2] for it in results if it[0] == name])
    return [found[name] for name in sorted(found)]


def _longest_row(places: Sequence[Value]) -> int:
    """Of first places, one after the other."""
    rows = (sum(1 for _ in run) for place, run in groupby(places) if place == 1)
    return max(rows, default=0)


def _add(own: Statistics, seats: int, place: int, fate: str, against: str, count: int) -> None:
    is_won = place == 1
    own.all.add(count, is_won)
    own.places[place] += count
    own.by_seats.setdefault(seats, Won()).add(count, is_won)
    if against:
        own.by_level.setdefault(against, Won()).add(count, is_won)
    own.left += count * (fate in ("left", "forfeit"))
    own.place_sum += place * count
    own.expected_sum += (seats + 1) / 2 * count
