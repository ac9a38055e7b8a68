"""The order of a tournament, from finished games only.  Pure.

Rule 1: more points are better, then more points of the people met (of each once for every game
        together), then more games won alone; else a place is shared.
Rule 2: a round that somebody sat out is worth `SHARED_WIN`, and nobody was met there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mudserver.tourneys.events import SeatDone, TableDone
from mudserver.tourneys.points import SHARED_WIN, points_of_places


class Standing(NamedTuple):
    place: int  # from 1
    person: str
    points: int  # in 1/UNIT
    met_points: int  # the same
    wins: int
    games: int


class Score:
    """What one person has done so far."""

    def __init__(self) -> None:
        self.points = self.wins = self.games = 0
        self.met: Counter[str] = Counter()
        self.sat_out = self.noshows = 0


def points_of(seats: Sequence[SeatDone]) -> tuple[int, ...]:
    """By seat, in 1/UNIT."""
    return points_of_places([it.place if it.fate == "stayed" else None for it in seats])


def scores(
    people: Iterable[str], results: Iterable[TableDone], sat_out: Iterable[str]
) -> dict[str, Score]:
    """By person.  Args: sat_out: who sat a round out, once for each."""
    found = {person: Score() for person in people}
    for person in sat_out:
        found[person].points += SHARED_WIN
        found[person].sat_out += 1
    for result in results:
        _add(found, result)
    return found


def _add(found: Mapping[str, Score], result: TableDone) -> None:
    seats = result.seats
    kept = [it for it in seats if it.fate == "stayed" and it.place is not None]
    best = min((it.place for it in kept if it.place is not None), default=None)
    firsts = [it for it in kept if it.place == best]
    for seat, points in zip(seats, points_of(seats), strict=True):
        score = found[seat.person]
        score.points += points
        score.games += 1
        score.wins += firsts == [seat] and result.end == "finished"
        score.noshows += seat.fate == "noshow"
        score.met.update(it.person for it in seats if it.person != seat.person)


def standings(found: Mapping[str, Score]) -> list[Standing]:
    """Best first; people who share a place in the order of *found*."""
    rows = []
    for person, score in found.items():
        met = sum(found[other].points * times for other, times in score.met.items())
        rows.append(Standing(0, person, score.points, met, score.wins, score.games))
    rows.sort(key=_worth, reverse=True)
    placed = list[Standing]()
    for at, row in enumerate(rows):
        is_shared = at > 0 and _worth(rows[at - 1]) == _worth(row)
        placed.append(row._replace(place=placed[-1].place if is_shared else at + 1))
    return placed


def _worth(row: Standing) -> tuple[int, int, int]:
    return row.points, row.met_points, row.wins
