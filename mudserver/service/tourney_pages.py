"""Pages and data about tournaments: `tourney` and what follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mudserver.clock import format_minute_in_zone
from mudserver.data_tourneys import (
    TourneyData,
    TourneyPlace,
    TourneyPlayer,
    TourneyRow,
    TourneysData,
    TourneyTableRow,
)
from mudserver.messages import Page, PageRow, QuotedRow
from mudserver.tourneys import texts
from mudserver.tourneys.events import SeatDone
from mudserver.tourneys.points import UNIT, points_text
from mudserver.tourneys.standings import Standing, points_of
from mudserver.tourneys.tourney import Round, Tourney
from variants.kit.text import duration, join_words, quantity

NameOf = Callable[[str], str]
"""The present name of an account, by its id."""
USUAL = frozenset({"kibitz=off", "substitutes=off", "hints=off", "bots=owner", "programs=off"})
"""Options of nearly all tournaments."""
IsHere = Callable[[str], bool]
"""Whether there is an account of that id."""


class Reader:
    """Who reads: what depends on that."""

    def __init__(self, person: str, zone: str, name_of: NameOf, is_known: IsHere) -> None:
        self.person, self.zone, self.name_of, self.is_known = person, zone, name_of, is_known

    def when(self, at_ms: int) -> str:
        return format_minute_in_zone(at_ms, self.zone)

    def id_of(self, person: str) -> str | None:
        return person if self.is_known(person) else None


# -- pages ----------------------------------------------------------------------------------------


def list_page(tourneys: Sequence[Tourney], reader: Reader) -> Page:
    """Those that are open or run, then those that are over, newest first."""
    shown = sorted(tourneys, key=lambda it: (it.phase == "closed", -it.number))
    rows = [f"{it.number}\t{it.opened.title}: {_state_line(it, reader)}" for it in shown]
    rows = rows or [texts.NONE]
    data = TourneysData(tuple(_row(it, reader) for it in shown))
    return Page("Tournaments", (*rows, texts.HOW_TO_OPEN), data=data)


def _state_line(tourney: Tourney, reader: Reader) -> str:
    opened = tourney.opened
    if tourney.phase == "closed":
        return f"{tourney.game}, over, {_winners(tourney, reader)}".rstrip(", ")
    players = quantity(len(tourney.active), "player")
    if tourney.phase == "open":
        when = f"starts {reader.when(opened.start_ms)}" if opened.start_ms else "not started"
        return f"{tourney.game}, {when}, {players} of {opened.entries_max}"
    return f"{tourney.game}, {_round_text(tourney)}, {players}"


def _round_text(tourney: Tourney) -> str:
    now = tourney.round
    return f"round {0 if now is None else now.number} of {tourney.opened.rounds}"


def _winners(tourney: Tourney, reader: Reader) -> str:
    first = [reader.name_of(it.person) for it in tourney.standings() if it.place == 1 and it.games]
    return f"won by {join_words(first)}" if first else ""


def about_page(tourney: Tourney, reader: Reader) -> Page:
    opened = tourney.opened
    breaks = f", with {duration(opened.break_s)} between them" if opened.rounds > 1 else ""
    rows: list[PageRow] = [
        f"game\t{' '.join((opened.variant, *_unusual(opened.options)))}",
        f"organiser\t{reader.name_of(opened.by)}",
        f"rounds\t{opened.rounds}{breaks}",
        f"a round ends\tafter {duration(opened.round_max_s)} at the latest",
    ]
    if tourney.phase == "open":
        when = reader.when(opened.start_ms) if opened.start_ms else texts.BY_ORGANISER
        rows.append(f"starts\t{when}")
    elif tourney.phase == "running":
        rows.append(f"now\t{_round_text(tourney)}{_then(tourney, reader)}")
        rows += _own_rows(tourney, reader)
    else:
        rows += _closing_rows(tourney, reader)
    names = [reader.name_of(it) for it in tourney.active]
    count = f"{len(names)} of {opened.entries_max}"
    rows.append(f"players\t{count}{': ' if names else ''}{', '.join(names)}")
    rows.append(_what_to_type(tourney, reader))
    return Page(_title(tourney), tuple(rows), data=data_of(tourney, reader))


def _unusual(options: Sequence[str]) -> list[str]:
    """Those that differ between tournaments."""
    return [it for it in options if it not in USUAL]


def _then(tourney: Tourney, reader: Reader) -> str:
    if tourney.limit_ms is not None:
        played, until = len(tourney.open_places()), reader.when(tourney.limit_ms)
        return f", {quantity(played, 'table')} still played, until {until}"
    if tourney.next_ms is not None and tourney.round is not None:
        return f", over; the next one begins {reader.when(tourney.next_ms)}"
    return ""


def _own_rows(tourney: Tourney, reader: Reader) -> Iterator[PageRow]:
    """Where the reader plays in the running round."""
    now = tourney.round if tourney.is_in_round else None
    place = None if now is None else now.place_of(reader.person)
    if now is None or place is None:
        return
    if place in now.results:
        yield "you\tyour game is over; the round goes on at other tables"
    elif (table := now.tables.get(place)) is not None:
        yield f"you\tat table {table}"


def _closing_rows(tourney: Tourney, reader: Reader) -> Iterator[PageRow]:
    closed = tourney.closed
    assert closed is not None
    yield f"over since\t{reader.when(closed.at_ms)}"
    if closed.reason:
        name = reader.name_of(closed.by)
        yield QuotedRow(f"closed by\t{name}", name, closed.reason)


def _what_to_type(tourney: Tourney, reader: Reader) -> str:
    number = tourney.number
    if tourney.phase == "open" and reader.person not in tourney.entries:
        return texts.TO_JOIN.format(number)
    if tourney.phase == "open":
        return texts.TO_WITHDRAW.format(number)
    return texts.TO_SEE.format(number)


def standings_page(tourney: Tourney, reader: Reader) -> Page:
    rows = [_standing_row(it, tourney, reader) for it in tourney.standings()]
    title = f"{_title(tourney)}, {_where(tourney)}"
    return Page(title, tuple(rows) or (texts.NOBODY,), data=data_of(tourney, reader))


def _where(tourney: Tourney) -> str:
    return "the end" if tourney.phase == "closed" else _round_text(tourney)


def _standing_row(row: Standing, tourney: Tourney, reader: Reader) -> str:
    notes = [f"met {points_text(row.met_points)}"] if row.games else []
    notes += [f"{row.wins} won"] if row.wins else []
    notes += ["plays no more"] if row.person in tourney.dropped else []
    about = f" ({', '.join(notes)})" if notes else ""
    return f"{row.place}\t{reader.name_of(row.person)} {points_text(row.points)}{about}"


def round_page(tourney: Tourney, reader: Reader) -> Page:
    """Who plays whom.  There must be a round."""
    now = tourney.round
    assert now is not None
    rows = [_table_row(now, place, reader) for place in now.places]
    if person := now.drawn.sits_out:
        rows.append(f"sits out\t{reader.name_of(person)}")
    title = f"{_title(tourney)}, {_round_text(tourney)}"
    return Page(title, tuple(rows), data=data_of(tourney, reader))


def _table_row(now: Round, place: int, reader: Reader) -> str:
    table, done = now.tables.get(place), now.results.get(place)
    head = f"place {place}" if table is None else f"table {table}"
    if done is None:
        return f"{head}\t{', '.join(reader.name_of(it) for it in now.people_at(place))}"
    found = zip(points_of(done.seats), done.seats, strict=True)
    best_first = sorted(found, key=lambda it: -it[0])
    people = [f"{_person_text(seat, reader)} {points_text(n)}" for n, seat in best_first]
    how = {"finished": "", "aborted": " (no result)", "limit": " (cut off)"}[done.end]
    return f"{head}\t{', '.join(people)}{how}"


def _person_text(seat: SeatDone, reader: Reader) -> str:
    notes = {"stayed": "", "left": " (left)", "noshow": " (not here)"}
    return f"{reader.name_of(seat.person)}{notes[seat.fate]}"


def _title(tourney: Tourney) -> str:
    return f"Tournament {tourney.number}: {tourney.opened.title}"


# -- data -----------------------------------------------------------------------------------------


def _row(tourney: Tourney, reader: Reader) -> TourneyRow:
    opened = tourney.opened
    options = dict(it.split("=", 1) for it in opened.options)
    return TourneyRow(
        *(tourney.number, opened.title, tourney.phase, opened.variant, options),
        reader.name_of(opened.by),
        *(options.get("rated") == "on", opened.programs),
        *(opened.seats, 0 if tourney.round is None else tourney.round.number, opened.rounds),
        *(len(tourney.active), opened.entries_max),
        tourney.next_ms,
        reader.person in tourney.active,
    )


def data_of(tourney: Tourney, reader: Reader) -> TourneyData:
    now = tourney.round
    return TourneyData(
        _row(tourney, reader),
        tuple(_player(it, tourney, reader) for it in tourney.standings()),
        () if now is None else tuple(_table_data(now, place, reader) for place in now.places),
        "" if now is None or not now.drawn.sits_out else reader.name_of(now.drawn.sits_out),
        "" if tourney.closed is None else tourney.closed.why,
    )


def _player(row: Standing, tourney: Tourney, reader: Reader) -> TourneyPlayer:
    return TourneyPlayer(
        *(row.place, reader.name_of(row.person), reader.id_of(row.person)),
        *(_shown(row.points), _shown(row.met_points)),
        *(row.wins, row.games),
        row.person in tourney.dropped,
    )


def _table_data(now: Round, place: int, reader: Reader) -> TourneyTableRow:
    table, done = now.tables.get(place), now.results.get(place)
    if done is None:
        people = [(it, None, None) for it in now.people_at(place)]
        return TourneyTableRow(place, table, None, None, _places(people, reader))
    found = zip(points_of(done.seats), done.seats, strict=True)
    played = [(seat.person, _shown(points), seat.fate) for points, seat in found]
    return TourneyTableRow(place, table, done.end, done.game or None, _places(played, reader))


def _places(
    people: Sequence[tuple[str, float | None, str | None]], reader: Reader
) -> tuple[TourneyPlace, ...]:
    return tuple(
        TourneyPlace(reader.name_of(person), reader.id_of(person), points, fate)
        for person, points, fate in people
    )


def _shown(points: int) -> float:
    return round(points / UNIT, 2)
