"""What is recorded of a game is small, holds no name of a person, and is read again as it was."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from mudserver.journal.index import INDEX_TABLES, upsert_statement
from mudserver.results import queries
from mudserver.results.events import (
    Counted,
    GameRecorded,
    ScanBegun,
    Scanned,
    SeatResult,
    decode,
    encode,
)
from mudserver.results.rows import index_rows
from tests.memory_journal import Disk

OPTIONS = "deck=108 action=60 next=20 seats=8 pace=person absence=computer"


def a_game(seats: int) -> GameRecorded:
    """As large as they come."""
    person = SeatResult("person", "p123456", "", "", 3, -1234, "forfeit")
    return GameRecorded(
        1_800_000_000_000, 1_234_567, "123456.12", "elimination", 1_799_999_000_000, 1_234, 9_876,
        "finished", (person,) * seats, "correspondence", OPTIONS, "0123456789abcdef",
        "three are out and one has won", match="123456.10", deal=3, is_private=True,
    )  # fmt: skip


@pytest.mark.parametrize(("seats", "bytes_max"), [(4, 900), (8, 1_700)])
def test_a_result_is_small(seats, bytes_max):
    assert len(encode(a_game(seats))) <= bytes_max


@pytest.mark.parametrize("event", [a_game(2), ScanBegun(1, 2), Scanned(3, 4), Counted(5, 6)])
def test_events_are_read_as_they_were_written(event):
    assert event == decode(encode(event))


def test_what_is_no_event_is_an_error():
    with pytest.raises(msgspec.DecodeError):
        decode(b'{"type":"cake"}')


def test_every_row_fits_its_table():
    for event in (a_game(3), ScanBegun(1, 2), Scanned(3, 4), Counted(5, 6)):
        for name, values in index_rows(7, event):
            assert len(INDEX_TABLES[name].columns) == len(values), name
    tables = [name for name, _ in index_rows(7, a_game(3))]
    assert ["mark", "game", "game_seat", "game_seat", "game_seat"] == tables


def test_a_game_of_a_tournament_has_a_row_that_says_which_and_counts_in_no_pair():
    disk, rated = Disk(), SeatResult("person", "p1", place=1, before=(1, 2), after=(3, 4))
    for number, tourney in ((1, 0), (2, 5), (3, 0)):
        game = replace(
            a_game(2), number=number, seats=(rated, replace(rated, person="p2")), pool="words",
            tourney=tourney, round=tourney and 2,
        )  # fmt: skip
        for name, values in index_rows(number, game):
            disk.index.execute(upsert_statement(name), values)
    sql, values = queries.rated_together("p1", "p2", "words", 0, 0)
    assert (2, 2) == disk.index.execute(sql, values).fetchone()
    sql, values = queries.games_of_ids([1, 2])
    rows = [queries.GameRow(*row) for row in disk.index.execute(sql, values)]
    assert [(2, 5, 2), (1, 0, 0)] == [(it.number, it.tourney, it.round) for it in rows]


COMPUTER, PERSON = SeatResult("computer", level="easy"), SeatResult("person", "p1")
HARD = SeatResult("computer", level="hard")


@pytest.mark.parametrize(
    ("seats", "level"),
    [
        ((PERSON, COMPUTER, COMPUTER), "easy"),
        ((PERSON, COMPUTER, HARD), ""),
        ((PERSON, PERSON, COMPUTER), ""),
    ],
)
def test_a_level_is_played_against_where_all_others_have_it(seats, level):
    assert level == msgspec.structs.replace(a_game(1), seats=seats).against(0)
