"""The rows of the index that follow from the events of `results/1`.

Rule 1: they follow from one event and its sequence alone, so that an index can be made anew; what
        follows from all results of an account is in `statistics.py`.
Rule 2: each event moves the mark SEQUENCE; a mark that is behind the stream tells of missing rows.
        What is counted game by game has a mark of its own, for it may be made later.
"""

from __future__ import annotations

from mudserver.journal import IndexRow
from mudserver.results.events import (
    AnyResultEvent,
    GameRecorded,
    GameVoided,
    ParametersSet,
    ScanBegun,
    Scanned,
)

SEQUENCE = "sequence"  # of the last event whose rows are there
COUNTED = "counted"  # the same of the rows that `statistics.py` makes
PARAMETERS_AT = "parameters"  # the sequence of the last event of that name
SCAN_UNTIL, SCAN_BEFORE_MS, SCANNED = "scan_until", "scan_before_ms", "scanned"


def index_rows(sequence: int, event: AnyResultEvent) -> list[IndexRow]:
    """Args: sequence: of the event in its stream."""
    rows = [mark_row(SEQUENCE, sequence)]
    match event:
        case GameRecorded():
            rows += [_game(event), *_seats(event), *_substitutes(event), *_ratings(event)]
            if event.tourney:
                rows.append(IndexRow("tourney_game", (event.number, event.tourney, event.round)))
        case GameVoided():
            rows += _given_back(event)
        case ParametersSet():
            rows.append(mark_row(PARAMETERS_AT, sequence))
        case ScanBegun(until=until, at_ms=at_ms):
            rows += [mark_row(SCAN_UNTIL, until), mark_row(SCAN_BEFORE_MS, at_ms)]
        case Scanned(table=table):
            rows.append(mark_row(SCANNED, table))
    return rows


SUBSTITUTES_AT = 100
"""A substitute has a row of `game_seat` with the number of the seat and this."""


def mark_row(name: str, value: int) -> IndexRow:
    return IndexRow("mark", (name, value))


def _game(event: GameRecorded) -> IndexRow:
    return IndexRow(
        "game",
        (
            *(event.number, event.id, event.variant, event.preset, event.pool, event.why_unrated),
            *(event.options, event.started_ms, event.at_ms, event.end, event.reason),
            *(event.first, event.last, event.match, event.deal, len(event.seats)),
            int(event.is_private),
        ),
    )


def _seats(event: GameRecorded) -> list[IndexRow]:
    return [
        IndexRow(
            "game_seat",
            (
                *(event.number, seat, it.person, it.kind, it.name, it.level, it.place, it.score),
                *(it.fate, event.against(seat), event.variant, len(event.seats)),
                *(event.pool if it.after else "", event.at_ms),
                *(it.before or (None, None)),
                *(it.after or (None, None)),
            ),
        )
        for seat, it in enumerate(event.seats)
    ]


def _substitutes(event: GameRecorded) -> list[IndexRow]:
    return [
        IndexRow(
            "game_seat",
            (
                *(event.number, SUBSTITUTES_AT + it.seat, it.person, it.kind, "", "", it.place),
                *(it.score, "substitute", "", event.variant, len(event.seats), "", event.at_ms),
                *(None,) * 4,
            ),
        )
        for it in event.substitutes
    ]


def _ratings(event: GameRecorded) -> list[IndexRow]:
    return [
        IndexRow("rating", (event.pool, it.person, *it.after, it.games, event.at_ms))
        for it in event.seats
        if it.after is not None
    ]


def _given_back(event: GameVoided) -> list[IndexRow]:
    return [
        IndexRow("void", (event.number, event.by, event.at_ms)),
        *(
            IndexRow("rating", (it.pool, it.person, *it.after, it.games, it.last_ms))
            for it in event.given_back
        ),
    ]
