"""The lobby in the full screen: tables, people, and what to type."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.lobby.presence import PresenceSummary
from mudserver.service.seeking import SeekShown
from mudserver.session.lobby_board import lobby_lines
from mudserver.tables.summary import TableSummary
from tests.mudserver.ui.fullscreen.watched import Watched, told
from tests.simulation.server import ANSI
from variants.kit.text import plain_text

TABLES = [
    TableSummary(5, "words", "playing", "Eve, Fay", 0, 1),
    TableSummary(4, "elimination", "waiting", "Cleo, Dan, Juno (computer, medium)", 3, 0),
    TableSummary(8, "words", "waiting", "Ida", 1, 0, is_private=True),
]
PEOPLE = [PresenceSummary("Ann", False, 4), PresenceSummary("vee", False, None)]


def board(tables=TABLES, people=PEOPLE, cols: int = 80, rows: int = 20) -> list[str]:
    return [plain_text(line) for line in lobby_lines(tables, people, "vee", cols, rows)]


def test_open_tables_stand_first_with_what_to_type_at_the_right_edge():
    first, second, title, people = board()
    assert first.startswith("   4  elimination  waiting  3 free seats")
    assert first.endswith("sit 4") and second.endswith("watch 5")
    assert "Cleo, Dan, Juno (computer" in first
    assert title.startswith("── People (2) ──")
    assert " Ann at 4, you" == people


@pytest.mark.parametrize("cols", [40, 80])
def test_a_seat_to_take_over_stands_there_with_what_to_type(cols):
    table = TableSummary(12, "elimination", "playing", "Eve, Vera (computer)", 0, 0)
    first = board([table._replace(to_take_over=(2,))], cols=cols)[0]
    assert "to take over" in first and len(first.rstrip()) <= cols
    assert first.rstrip().endswith("substitute 12" if cols == 80 else "watch 12")


def test_games_and_lessons_to_start_stand_there_where_there_is_room():
    lessons = [("elimination", "step 3 of 6"), ("words", "8 min")]

    def started(cols: int, rows: int) -> list[str]:
        found = lobby_lines(TABLES, PEOPLE, "vee", cols, rows, lessons)
        return [plain_text(row).rstrip() for row in found if "learn" in plain_text(row)]

    assert started(80, 20) == [
        " play elimination    learn elimination  step 3 of 6",
        " play words          learn words        8 min",
    ]
    assert started(60, 20) == started(80, 6) == []


@pytest.mark.parametrize("cols", [40, 60, 72, 80, 120])
def test_no_row_is_wider_than_the_pane_and_no_private_table_is_named(cols):
    rows = board(cols=cols)
    assert max(map(len, rows)) <= cols
    assert not any("Ida" in row or "8" in row for row in rows)
    assert any("sit 4" in row for row in rows) and any("watch 5" in row for row in rows)


def test_what_does_not_fit_is_counted_with_what_lists_it():
    tables = [TableSummary(n, "words", "playing", "Eve", 0, 0) for n in range(1, 31)]
    people = [PresenceSummary(f"Somebody{n}", True, None) for n in range(60)]
    rows = board(tables, people, rows=12)
    assert 12 >= len(rows)
    assert any(row.endswith("more   tables") for row in rows)
    assert " and more: who" == rows[-1]


SEEKS = [
    SeekShown(4, "words short rated", "Somebodyratherlong"[:16], False),
    SeekShown(12, "elimination seats=2", "vee", True),
]


def test_tables_that_were_not_handed_over_are_counted_too():
    def last(rows: int) -> str:
        found = [plain_text(row) for row in lobby_lines(TABLES, PEOPLE, "vee", 80, rows, more=40)]
        return next(it for it in found if "more" in it)

    assert " 40 more   tables" == last(20)
    assert " 41 more   tables" == last(4) and " 42 more   tables" == last(3)


@pytest.mark.parametrize("cols", [40, 60, 72, 80, 120])
def test_games_that_people_seek_stand_there_with_what_to_type(cols):
    found = lobby_lines(TABLES, PEOPLE, "vee", cols, 24, seeks=SEEKS)
    rows = [plain_text(line).rstrip() for line in found]
    assert max(map(len, rows)) <= cols
    title = next(n for n, row in enumerate(rows) if row.startswith("── Games that people seek"))
    rows = rows[title + 1 :]
    assert "4 " in rows[0] and "Somebodyratherlo" in rows[0] and rows[0].endswith("accept 4")
    own = next(row for row in rows if " you " in row)
    assert " 12 " in own and own.endswith("seek off")
    assert any("words short rated" in row for row in rows)
    assert any("elimination seats=2" in row for row in rows)


def test_more_of_them_than_fit_are_counted():
    seeks = [SeekShown(n, "words", "Eve", False) for n in range(1, 30)]
    found = lobby_lines(TABLES, PEOPLE, "vee", 80, 15, seeks=seeks)
    rows = [plain_text(line).rstrip() for line in found]
    assert len(rows) <= 15 and any(row.endswith("more   seeks") for row in rows)
    assert any("sit 4" in row for row in rows)


def test_the_board_follows_offers_as_they_come_and_go():
    async def scenario(server, ann):
        bob = Watched.comes_in(server, "Bob", ANSI)
        await asyncio.sleep(0.5)
        bob.type("seek words short")
        await asyncio.sleep(1.5)
        offered = ann.look().rows
        bob.type("seek off")
        await asyncio.sleep(1.5)
        return offered, ann.look().rows

    offered, ended = told(scenario)
    assert any("words short" in row and "accept 1" in row for row in offered)
    assert any("Bob seeks a game: words short. To play: accept 1" in row for row in offered)
    assert not any(row.rstrip().endswith(" accept 1") and "seeks" not in row for row in ended)


def test_it_follows_what_happens_in_the_lobby():
    async def scenario(server, ann):
        bob = Watched.comes_in(server, "Bob", ANSI)
        await asyncio.sleep(0.5)
        bob.type("open words")
        await asyncio.sleep(1.5)
        waiting = ann.look().rows
        ann.type("sit 1")
        await asyncio.sleep(1)
        seated = ann.look().rows
        ann.type("leave")
        await asyncio.sleep(1)
        return waiting, seated, ann.look().rows

    waiting, seated, left = told(scenario)
    for rows in (waiting, left):
        assert rows[0].startswith("── Tables ──")
        assert any(row.startswith("   1  words") and row.endswith("sit 1") for row in rows)
        assert " you, Bob at 1" in rows
    assert not any("People (" in row for row in seated)
