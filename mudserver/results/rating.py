"""Ratings: skill as mu and sigma, by openskill's Plackett-Luce.  Pure.

Rule 1: one rating of an account in each pool; a pool is a game, for all numbers of seats.
Rule 2: computer players are anchors: their mu is fixed, and a game moves none of them.
Rule 3: ties are broken and averaged: every cyclic order of each tied group is rated as strict
        places; the means of mu and of sigma squared count.  With the library's own ties a place
        can pay less than a worse one.
Rule 4: a new season, a quarter of the year by UTC, takes a sigma below SEASON_SIGMA as that.
Rule 5: stored are whole units of 1/10,000.  Each game is computed from what was stored before it.

The parameters are measured: docs/ratings.md.  Source: Weng and Lin, A Bayesian Approximation Method
for Online Ranking, JMLR 12 (2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import sqrt
from typing import Any, NamedTuple

UNIT = 10_000  # of stored values
MU, SIGMA = 25.0, 25.0 / 3
BETA, TAU = 25.0 / 6, 25.0 / 300
ANCHOR_SIGMA, SEASON_SIGMA = 1.0, 3.0
PROVISIONAL_SIGMA = 3.2
VERSION = 1  # of these parameters and of what is computed with them
PARAMETERS = (VERSION, MU, SIGMA, BETA, TAU, PROVISIONAL_SIGMA)
SHOWN_AT_MU, SHOWN_PER_MU, SHOWN_MIN = 1_500, 40, 100


class Standing(NamedTuple):
    """What is known of an account in one pool."""

    mu: int  # in 1 / UNIT
    sigma: int  # the same
    games: int = 0
    last_ms: int = 0  # UTC, of the last game

    @property
    def shown(self) -> int:
        return shown(self.mu)

    @property
    def is_provisional(self) -> bool:
        return self.sigma > PROVISIONAL_SIGMA * UNIT

    @property
    def deviation(self) -> int:
        """In the units of what is shown."""
        return round(self.sigma / UNIT * SHOWN_PER_MU)


NEW = Standing(round(MU * UNIT), round(SIGMA * UNIT))


class Entrant(NamedTuple):
    """One seat of a rated game."""

    place: int  # from 1
    standing: Standing | None  # None: an anchor
    anchor_mu: float = 0.0


def shown(mu: int) -> int:
    """How a rating is shown.  Args: mu: in 1 / UNIT."""
    return max(SHOWN_MIN, round(SHOWN_AT_MU + SHOWN_PER_MU * (mu / UNIT - MU)))


def rating_text(mu: int, sigma: int) -> str:
    """`1612`, or `1612?` while it is provisional."""
    return f"{shown(mu)}{'?' if sigma > PROVISIONAL_SIGMA * UNIT else ''}"


def rating_change(before: tuple[int, int], after: tuple[int, int]) -> str:
    """`1612 (+14)`"""
    return f"{rating_text(*after)} ({shown(after[0]) - shown(before[0]):+d})"


def at_season(standing: Standing, season_ms: int) -> Standing:
    """*standing* before a game of the season that began at *season_ms*, UTC.  [rule 4]"""
    if not standing.games or standing.last_ms >= season_ms:
        return standing
    return standing._replace(sigma=max(standing.sigma, round(SEASON_SIGMA * UNIT)))


def rated(entrants: Sequence[Entrant], now_ms: int, season_ms: int) -> list[Standing | None]:
    """What the game makes of each seat's standing; None: an anchor.

    Args:
        entrants: In any order; equal places are ties.
        season_ms: When the season of the game began, UTC.
    """
    before = [None if it.standing is None else at_season(it.standing, season_ms) for it in entrants]
    values = [
        (it.anchor_mu, ANCHOR_SIGMA) if own is None else (own.mu / UNIT, own.sigma / UNIT)
        for it, own in zip(entrants, before, strict=True)
    ]
    after = averaged(values, [it.place for it in entrants])
    return [
        None
        if own is None
        else Standing(round(mu * UNIT), round(sigma * UNIT), own.games + 1, now_ms)
        for own, (mu, sigma) in zip(before, after, strict=True)
    ]


def averaged(
    values: Sequence[tuple[float, float]], places: Sequence[int]
) -> list[tuple[float, float]]:
    """mu and sigma of each after a game.  [rule 3]"""
    orders = strict_orders(places)
    mus, variances = [0.0] * len(values), [0.0] * len(values)
    for order in orders:
        for seat, (mu, sigma) in enumerate(_rate(values, order)):
            mus[seat] += mu / len(orders)
            variances[seat] += sigma * sigma / len(orders)
    return [(mu, sqrt(variance)) for mu, variance in zip(mus, variances, strict=True)]


def strict_orders(places: Sequence[int]) -> list[tuple[int, ...]]:
    """Ranks without ties: each cyclic order of each tied group, at most 18 for 8 seats."""
    groups = [
        [seat for seat, place in enumerate(places) if place == each] for each in sorted(set(places))
    ]
    turns = ([[*group[n:], *group[:n]] for n in range(len(group))] for group in groups)
    found = []
    for order in product(*turns):
        ranks = {seat: rank for rank, seat in enumerate(s for group in order for s in group)}
        found.append(tuple(ranks[seat] for seat in range(len(places))))
    return found


def _rate(values: Sequence[tuple[float, float]], ranks: Sequence[int]) -> list[tuple[float, float]]:
    model = _model()
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in values]
    return [(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=list(ranks))]


@cache
def _model() -> Any:
    """The library, loaded when the first game is rated.

    gamma = 1 is the one departure from its defaults: with them uncertainty falls so slowly that
    steady players wobble twice as much.
    """
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU, gamma=lambda *_: 1.0)


def last_places(places: Sequence[int | None], has_stayed: Sequence[bool]) -> list[int]:
    """The places that are rated: who has not stayed shares the last one."""
    stayed = sorted({p or 0 for p, is_in in zip(places, has_stayed, strict=True) if is_in})
    return [
        stayed.index(place or 0) + 1 if is_in else len(stayed) + 1
        for place, is_in in zip(places, has_stayed, strict=True)
    ]
