"""What the index keeps of each account, counted game by game: statistics, seasons, programs.

Rule 1: the expected place is that of somebody whom chance places: the middle of each game.
Rule 2: a shared first place is a win.  Who left a game has its place, and counts as having left.
        Who took over a seat has none of it, and counts as a substitute.
Rule 3: they follow from the results of the account alone, in the order of their numbers, so that
        they can be made anew.  A game without a result counts in none.
Rule 4: the mark COUNTED tells how far they have been made, in the transaction of their rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from mudserver.journal import IndexRow, Row
from mudserver.results.events import (
    AnyResultEvent,
    GameRecorded,
    GameVoided,
    GivenBack,
    SeatResult,
    Substitute,
)
from mudserver.results.pools import variant_of
from mudserver.results.rows import COUNTED, mark_row
from mudserver.results.seasons import season_start_ms


class Won(msgspec.Struct):
    """Games, and how many of them were won."""

    games: int = 0
    won: int = 0

    def add(self, is_won: bool) -> None:
        self.games += 1
        self.won += is_won


class InSeason(msgspec.Struct):
    """Rated games of one pool in the season of the last of them."""

    season_ms: int = 0  # when it began, UTC
    games: int = 0

    def add(self, at_ms: int) -> None:
        season_ms = season_start_ms(at_ms)
        self.games = self.games + 1 if season_ms == self.season_ms else 1
        self.season_ms = season_ms


class Statistics(msgspec.Struct):
    """All games of one account in one variant."""

    variant: str
    all: Won = msgspec.field(default_factory=Won)
    places: dict[int, int] = msgspec.field(default_factory=dict)  # games by place
    by_seats: dict[int, Won] = msgspec.field(default_factory=dict)
    by_level: dict[str, Won] = msgspec.field(default_factory=dict)  # with computer players alone
    left: int = 0
    row: int = 0  # of wins, up to the last game
    sequence: int = 0  # of the last result that is counted
    longest_row: int = 0
    place_sum: int = 0
    seats_sum: int = 0
    rated: dict[str, InSeason] = msgspec.field(default_factory=dict)  # by pool
    substitute: int = 0  # games in which the account took over a seat; they count in nothing else
    recent: Won = msgspec.field(default_factory=Won)  # found when it is asked for; not kept

    @property
    def mean_place(self) -> float:
        return self.place_sum / max(1, self.all.games)

    @property
    def expected_place(self) -> float:
        return (self.seats_sum + self.all.games) / 2 / max(1, self.all.games)

    def add(self, seats: int, place: int, fate: str, against: str) -> None:
        """Count a game.  Args: against: the level of all others, computer players; or ""."""
        is_won = place == 1
        self.all.add(is_won)
        self.places[place] = self.places.get(place, 0) + 1
        self.by_seats.setdefault(seats, Won()).add(is_won)
        if against:
            self.by_level.setdefault(against, Won()).add(is_won)
        self.left += fate in ("left", "forfeit")
        self.row = self.row + 1 if is_won else 0
        self.longest_row = max(self.longest_row, self.row)
        self.place_sum += place
        self.seats_sum += seats


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Statistics).decode


def _sound(body: str) -> Statistics | None:
    """None: it cannot be decoded."""
    try:
        return _decode(body)
    except msgspec.DecodeError:
        return None


def with_recent(rows: Iterable[Row], recent: Iterable[Row]) -> list[Statistics]:
    """By variant.

    Args:
        rows: As the query `tallies_of` answers.
        recent: As the query `recent_of` answers.
    """
    found = {own.variant: own for own in (_decode(str(row[2])) for row in rows)}
    for variant, games, won in recent:
        if (own := found.get(str(variant))) is not None:  # else its first game ended just now
            own.recent = Won(int(games or 0), int(won or 0))
    return [found[name] for name in sorted(found)]


class Tallies:
    """The statistics of accounts, and the rows of the index that results make of them.

    Args: is_whole: they are made anew from the first result; nothing is loaded.
    """

    def __init__(self, *, is_whole: bool = False) -> None:
        self._is_whole = is_whole
        self._known: dict[tuple[str, str], Statistics] = {}  # by account and variant
        self._people: set[str] = set()  # of whom all is known

    def unknown(self, events: Iterable[AnyResultEvent]) -> list[str]:
        """The accounts in *events* whose rows have to be loaded first."""
        if self._is_whole:
            return []
        people = {it.person for event in events for it in _accounts_in(event)}
        return sorted(people - self._people - {""})

    def load(self, people: Iterable[str], rows: Iterable[Row], counted: int) -> None:
        """Take what is kept of these people.

        Args:
            rows: As the query `tallies_of` answers.
            counted: What the mark COUNTED is.  Rows that go further are those of a former
                counting, and are left out.
        """
        self._people.update(people)
        for person, variant, body in rows:
            own = _decode(str(body))
            if own.sequence <= counted:
                self._known[str(person), str(variant)] = own

    def index_faults(self, rows: Iterable[Row]) -> list[str]:
        """Where the index differs.  Args: rows: all of its table `tally`."""
        found = {(str(person), str(variant)): _sound(str(body)) for person, variant, body in rows}
        equal = {key for key, own in self._known.items() if found.get(key) == own}
        wrong = sorted((found.keys() | self._known.keys()) - equal)
        return [f"index: statistics of {who} in {name} are not as recorded" for who, name in wrong]

    def rows(self, sequence: int, event: AnyResultEvent) -> list[IndexRow]:
        """Count *event*; the rows that are others now, the mark included."""
        found = [mark_row(COUNTED, sequence)]
        if isinstance(event, GameVoided):
            found += self._given_back(event)
        elif isinstance(event, GameRecorded):
            found += self._counted(sequence, event)
        return found

    def _counted(self, sequence: int, event: GameRecorded) -> list[IndexRow]:
        found = []
        for seat, it in enumerate(event.seats):
            if not it.person or it.place is None:
                continue
            key = it.person, event.variant
            own = self._known.setdefault(key, Statistics(event.variant))
            own.sequence = sequence
            own.add(len(event.seats), it.place, it.fate, event.against(seat))
            if event.pool and it.after is not None:
                in_season = own.rated.setdefault(event.pool, InSeason())
                in_season.add(event.at_ms)
                found.append(_season_row(event.pool, it.person, it.after, in_season, event.at_ms))
                if it.kind == "program":
                    found.append(IndexRow("program", (it.person,)))
            found.append(IndexRow("tally", (*key, _encode(own).decode())))
        return [*found, *self._as_substitutes(sequence, event)]

    def _as_substitutes(self, sequence: int, event: GameRecorded) -> list[IndexRow]:
        found = []
        for it in event.substitutes:
            if not it.person or it.place is None:
                continue
            key = it.person, event.variant
            own = self._known.setdefault(key, Statistics(event.variant))
            own.sequence = sequence
            own.substitute += 1
            found.append(IndexRow("tally", (*key, _encode(own).decode())))
        return found

    def _given_back(self, event: GameVoided) -> list[IndexRow]:
        """A rating that was given back is the one of the season, too."""
        found = []
        for it in event.given_back:
            own = self._known.get((it.person, variant_of(it.pool)))
            in_season = None if own is None else own.rated.get(it.pool)
            if in_season is not None:
                found.append(_season_row(it.pool, it.person, it.after, in_season, it.last_ms))
        return found


def _accounts_in(event: AnyResultEvent) -> Sequence[SeatResult | Substitute | GivenBack]:
    if isinstance(event, GameRecorded):
        return [*event.seats, *event.substitutes]
    return event.given_back if isinstance(event, GameVoided) else ()


def _season_row(
    pool: str, person: str, after: tuple[int, int], own: InSeason, last_ms: int
) -> IndexRow:
    return IndexRow("season", (pool, own.season_ms, person, *after, own.games, last_ms))
