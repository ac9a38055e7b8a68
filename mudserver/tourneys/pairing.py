"""Who plays whom in one round of a tournament.  Pure.

Rule 1: the fewest tables of at most so many seats, with sizes that differ by at most one.  With two
        seats an odd number leaves somebody over, who sits the round out: of those who have done so
        least often, the last one.
Rule 2: people with the same points meet, but rather others than people who have met: see `_cost`.
Rule 3: the same tournament, round and entries lead to the same tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import NamedTuple

from mudserver.tourneys.points import UNIT

SWAPS = 4_000
MET_AGAIN = 100 * UNIT  # what it costs that two people meet again, twice met and so on


class Entrant(NamedTuple):
    """Somebody who plays in the round."""

    person: str
    points: int  # so far, in 1/UNIT
    met: Mapping[str, int]  # how often the person met whom
    sat_out: int = 0  # rounds


class Drawn(NamedTuple):
    """Who plays whom."""

    tables: tuple[tuple[str, ...], ...]  # ids of people, by place
    sits_out: str = ""  # id; "": nobody


def draw_round(tourney: int, number: int, entrants: Sequence[Entrant], seats: int) -> Drawn:
    """The tables of round *number*, from 1, of tournament *tourney*.

    Args:
        entrants: 2 or more, nobody twice.
        seats: Of one table, at most.
    """
    assert seats >= 2 and len(entrants) >= 2, (seats, len(entrants))
    rng = _rng(tourney, number, entrants)
    order = rng.sample(entrants, len(entrants))  # ties by lot
    order.sort(key=lambda it: -it.points)
    sits_out = ""
    if seats == 2 and len(order) % 2:
        least = min(it.sat_out for it in order)
        over = [it for it in order if it.sat_out == least][-1]
        order.remove(over)
        sits_out = over.person
    tables = _cut(len(order), seats)
    _swap(tables, [it.points for it in order], _weights(order), rng)
    people = [tuple(order[index].person for index in table) for table in tables]
    return Drawn(tuple(people), sits_out)


def _rng(tourney: int, number: int, entrants: Sequence[Entrant]) -> Random:
    named = " ".join((str(tourney), str(number), *(it.person for it in entrants)))
    return Random(int.from_bytes(sha256(named.encode()).digest()))


def _cut(count: int, seats: int) -> list[list[int]]:
    """0 to *count* - 1 in order, cut into tables."""
    tables = -(-count // seats)
    size, larger = divmod(count, tables)
    found, at = list[list[int]](), 0
    for number in range(tables):
        end = at + size + (number < larger)
        found.append(list(range(at, end)))
        at = end
    return found


def _weights(order: Sequence[Entrant]) -> list[list[int]]:
    """What it costs that two of them meet: 3 if they met once, 5 if twice."""
    found = []
    for one in order:
        met = [one.met.get(other.person, 0) for other in order]
        found.append([MET_AGAIN * (2 * times + 1) if times else 0 for times in met])
    return found


def _cost(table: Sequence[int], points: Sequence[int], weights: Sequence[Sequence[int]]) -> int:
    """Of one table: who meets again, and how far apart their points are."""
    cost = max(points[n] for n in table) - min(points[n] for n in table)
    for at, one in enumerate(table):
        row = weights[one]
        for other in table[:at]:
            cost += row[other]
    return cost


def _swap(
    tables: list[list[int]],
    points: Sequence[int],
    weights: Sequence[Sequence[int]],
    rng: Random,
) -> None:
    """Change two people of two tables, again and again, where that does not cost more."""
    if len(tables) < 2:
        return
    costs, random = [_cost(table, points, weights) for table in tables], rng.random
    for _ in range(SWAPS):
        first = int(random() * len(tables))
        second = (first + 1 + int(random() * (len(tables) - 1))) % len(tables)
        one, other = tables[first], tables[second]
        at, to = int(random() * len(one)), int(random() * len(other))
        one[at], other[to] = other[to], one[at]
        new = _cost(one, points, weights), _cost(other, points, weights)
        if sum(new) <= costs[first] + costs[second]:
            costs[first], costs[second] = new
        else:
            one[at], other[to] = other[to], one[at]
