"""What is asked of the index of results: SQL that every journal understands, and its values.

Rule 1: nothing that somebody typed stands in the SQL; it is a value.
Rule 2: lists come in pages of PAGE rows, newest first.
Rule 3: a game without a result, aborted or abandoned, is in lists and counts in no statistics.  So
        is a game of somebody who took over a seat in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mudserver.journal import Value
from mudserver.results.rows import SUBSTITUTES_AT

PAGE = 20

Query = tuple[str, tuple[Value, ...]]

GAME_COLUMNS = (
    "number, id, variant, preset, pool, why_unrated, options, started_ms, ended_ms, ending,"
    " reason, first_sequence, match_id, deal,"
    " (select count(*) from void where void.number = game.number),"
    " coalesce((select tourney from tourney_game as t where t.number = game.number), 0),"
    " coalesce((select in_round from tourney_game as t where t.number = game.number), 0)"
)
SEAT_COLUMNS = (
    "number, seat, person, kind, name, level, place, score, fate,"
    " mu_before, sigma_before, mu_after, sigma_after"
)


COUNTS = "place is not null and fate <> 'substitute'"
"""Which rows of `game_seat` count in statistics."""


class GameRow(NamedTuple):
    """One game, in the order of GAME_COLUMNS."""

    number: int
    id: str
    variant: str
    preset: str
    pool: str
    why_unrated: str
    options: str
    started_ms: int
    ended_ms: int
    ending: str
    reason: str
    first_sequence: int
    match_id: str
    deal: int
    is_void: int  # 1: its ratings were given back
    tourney: int  # number of the tournament; 0: of none
    round: int  # of the tournament; 0: of none, or not kept


class SeatRow(NamedTuple):
    """One seat of it, in the order of SEAT_COLUMNS."""

    number: int
    seat: int
    person: str
    kind: str
    name: str
    level: str
    place: int | None
    score: int | None
    fate: str
    mu_before: int | None
    sigma_before: int | None
    mu_after: int | None
    sigma_after: int | None

    @property
    def place_at_table(self) -> int:
        """The seat; that of a substitute is the seat that was left."""
        return self.seat % SUBSTITUTES_AT


class Games(NamedTuple):
    """Which games of one account are asked for."""

    person: str
    variant: str = ""  # "": of all games
    other: str = ""  # id of an account that was in it as well; "": with anybody
    is_rated: bool = False


def game_by_number(number: int) -> Query:
    return f"select {GAME_COLUMNS} from game where number = ?", (number,)


def game_by_id(game_id: str) -> Query:
    return f"select {GAME_COLUMNS} from game where id = ?", (game_id,)


def seats_of(numbers: Sequence[int]) -> Query:
    """The seats of these games, each game's in their order."""
    holes = ", ".join("?" * len(numbers))
    which = f"where number in ({holes}) order by number, seat"
    return f"select {SEAT_COLUMNS} from game_seat {which}", tuple(numbers)


def games_of(asked: Games, page: int) -> Query:
    """Numbers of the games of one page, newest first.  Args: page: from 1."""
    where, values = _which(asked)
    limit = f"order by own.number desc limit {PAGE} offset ?"
    return f"select own.number {where} {limit}", (*values, PAGE * (page - 1))


def count_of(asked: Games) -> Query:
    where, values = _which(asked)
    return f"select count(*) {where}", values


def games_of_ids(numbers: Sequence[int]) -> Query:
    """These games, newest first."""
    holes = ", ".join("?" * len(numbers))
    which = f"where number in ({holes}) order by number desc"
    return f"select {GAME_COLUMNS} from game {which}", tuple(numbers)


def _which(asked: Games) -> Query:
    """Of `game_seat` as `own`, the rows of the games that are asked for."""
    # `person <> ''` stands in the lookup as well: without it no database uses that.
    where = ["from game_seat as own where own.person = ? and own.person <> ''"]
    values: list[Value] = [asked.person]
    if asked.variant:
        where.append("own.variant = ?")
        values.append(asked.variant)
    if asked.is_rated:
        where.append("own.pool <> ''")
    if asked.other:
        where.append(
            "exists (select 1 from game_seat as other where other.number = own.number"
            " and other.person = ? and other.person <> '')"
        )
        values.append(asked.other)
    return " and ".join(where), tuple(values)


def tallies_of(people: Sequence[str], variant: str = "") -> Query:
    """person, variant and body.  Args: variant: "": of all games."""
    holes = ", ".join("?" * len(people))
    where, values = f"where person in ({holes})", (*people,)
    if variant:
        where, values = f"{where} and variant = ?", (*values, variant)
    return f"select person, variant, body from tally {where}", values


def recent_of(person: str, variant: str, since_ms: int) -> Query:
    """variant, games and wins of those that ended since then."""
    where = f"where person = ? and person <> '' and {COUNTS} and ended_ms >= ?"
    values: tuple[Value, ...] = (person, since_ms)
    if variant:
        where, values = f"{where} and variant = ?", (*values, variant)
    won = "sum(case when place = 1 then 1 else 0 end)"
    return f"select variant, count(*), {won} from game_seat {where} group by variant", values


def meetings_of(person: str, other: str, variant: str) -> Query:
    """Between two accounts: variant, games, how often the first was ahead, how often behind."""
    where = "where own.person = ? and own.person <> '' and own.place is not null"
    where += " and own.fate <> 'substitute' and other.fate <> 'substitute'"
    values: tuple[Value, ...] = (other, person)
    if variant:
        where, values = f"{where} and own.variant = ?", (*values, variant)
    return (
        "select own.variant, count(*),"
        " sum(case when own.place < other.place then 1 else 0 end),"
        " sum(case when own.place > other.place then 1 else 0 end)"
        " from game_seat as own join game_seat as other"
        " on other.person = ? and other.person <> '' and other.number = own.number"
        f" {where} group by own.variant order by own.variant",
        values,
    )


def results_of(person: str, after: int, most: int) -> Query:
    """Everything that is recorded of an account behind game *after*, oldest first."""
    columns = "number, variant, seat, place, score, seats, fate, ended_ms"
    where = "where person = ? and person <> '' and number > ? order by number limit ?"
    return f"select {columns} from game_seat {where}", (person, after, most)


def standings_of(pool: str, people: Sequence[str]) -> Query:
    """person, mu, sigma, games and last_ms of those who have a rating."""
    holes = ", ".join("?" * len(people))
    which = f"where pool = ? and person in ({holes})"
    return f"select person, mu, sigma, games, last_ms from rating {which}", (pool, *people)


def ratings_of(person: str, pools: Sequence[str]) -> Query:
    """pool, mu, sigma, games and last_ms."""
    holes = ", ".join("?" * len(pools))
    which = f"where person = ? and pool in ({holes}) order by pool"
    return f"select pool, mu, sigma, games, last_ms from rating {which}", (person, *pools)


def rated_together(one: str, other: str, pool: str, day_ms: int, season_ms: int) -> Query:
    """How many rated games of two accounts have ended since two times, outside tournaments."""
    return (
        "select coalesce(sum(case when own.ended_ms >= ? then 1 else 0 end), 0), count(*)"
        " from game_seat as own join game_seat as other"
        " on other.person = ? and other.person <> '' and other.number = own.number"
        " and other.fate <> 'substitute'"
        " where own.person = ? and own.person <> '' and own.pool = ? and own.ended_ms >= ?"
        " and not exists (select 1 from tourney_game as t where t.number = own.number)",
        (day_ms, other, one, pool, season_ms),
    )


SEASON_GAMES_MIN = 10


class Top(NamedTuple):
    """Which established accounts are asked for."""

    pool: str
    sigma_max: int  # in 1/10,000
    since_ms: int  # who has played a rated game since then, UTC; counts without a season
    season_ms: int | None = None  # those with SEASON_GAMES_MIN games in the season that began then
    is_program: bool = False  # programs; else people


def top(asked: Top, page: int) -> Query:
    """person, mu, sigma, games and last_ms, best first."""
    where, values = _top_where(asked)
    sql = f"select person, mu, sigma, games, last_ms {where} order by mu desc, person"
    return f"{sql} limit {PAGE} offset ?", (*values, PAGE * (page - 1))


def count_of_top(asked: Top) -> Query:
    where, values = _top_where(asked)
    return f"select count(*) {where}", values


def count_above(asked: Top, mu: int) -> Query:
    """How many of them have a better rating than *mu*."""
    where, values = _top_where(asked)
    return f"select count(*) {where} and mu > ?", (*values, mu)


def own_top(asked: Top, person: str) -> Query:
    """The same of one account, if it is of this kind; established or not."""
    columns = f"mu, sigma, games, last_ms from {_top_table(asked)} where pool = ? and person = ?"
    values: tuple[Value, ...] = (asked.pool, person)
    if asked.season_ms is not None:
        columns, values = f"{columns} and season_ms = ?", (*values, asked.season_ms)
    return f"select {columns} and {_kind(asked)}", values


def _top_where(asked: Top) -> Query:
    where = f"from {_top_table(asked)} where {_kind(asked)} and pool = ? and sigma <= ?"
    if asked.season_ms is None:
        return f"{where} and last_ms >= ?", (asked.pool, asked.sigma_max, asked.since_ms)
    values = (asked.pool, asked.sigma_max, asked.season_ms, SEASON_GAMES_MIN)
    return f"{where} and season_ms = ? and games >= ?", values


def _top_table(asked: Top) -> str:
    return "rating" if asked.season_ms is None else "season"


def _kind(asked: Top) -> str:
    return f"person {'' if asked.is_program else 'not '}in (select person from program)"


def last_fates_of(person: str, count: int) -> Query:
    """What became of the account in its last games, newest first."""
    where = "where person = ? and person <> '' and fate <> 'substitute'"
    where += " order by number desc limit ?"
    return f"select fate from game_seat {where}", (person, count)


def nth_last_end_of(people: Sequence[str], nth: int) -> Query:
    """When the *nth* last recorded game of each of these accounts ended, UTC, as one row."""
    each = (
        "(select ended_ms from game_seat where person = ? and person <> ''"
        " order by number desc limit 1 offset ?)"
    )
    values = tuple(value for person in people for value in (person, nth - 1))
    return "select " + ", ".join([each] * len(people)), values
