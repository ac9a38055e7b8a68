"""The end of a game in the full screen."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from mudserver import messages as m
from mudserver.session.end_board import end_lines
from tests.mudserver.ui.fullscreen.watched import advised, sit_down, told
from variants.kit.text import plain_text, styled_line

NAMES = ("Ann", "Bob", "Wanda")
OVER = m.GameOver(1, "Game over.", "the supplies deck is empty", NAMES, (2, 1, 3), (10, 12, 0))
LAST = m.ViewMessage(1, "stockpile", 0, NAMES, None, levels=(None, None, "easy"))


def board(over: m.GameOver = OVER, last: m.ViewMessage = LAST, cols: int = 80) -> list[str]:
    return [plain_text(row) for row in end_lines(over, last, cols)]


def test_the_places_stand_in_order_below_who_won_and_why():
    assert [
        "  Bob wins.  The supplies deck is empty.",
        "",
        "  1.  Bob                      12",
        "  2.  Ann                      10",
        "  3.  Wanda (computer, easy)    0",
        "",
        "  rematch  the same table again",
        "  record   proof of the shuffle",
        "  leave    to the lobby",
    ] == board()


def test_its_reader_alone_sees_what_decided_it_and_that_there_is_a_review():
    explained = m.EndExplained("You were 2 points behind Bob.", "Type review for more.")
    rows = [plain_text(row) for row in end_lines(OVER, LAST, 80, explained)]
    assert ["", "  You were 2 points behind Bob.", ""] == rows[5:8]
    assert "  review   your own decisions" == rows[9]
    assert not any(row.startswith("  review") for row in board())
    silent = end_lines(OVER, LAST, 80, m.EndExplained("You were first."))
    assert not any(plain_text(row).startswith("  review") for row in silent)
    long = m.EndExplained("Stock Up 2 and Home Delivery 1 stayed in your hand at the end.")
    assert max(len(plain_text(row)) for row in end_lines(OVER, LAST, 40, long)) <= 40


def test_how_long_it_was_who_went_out_and_what_was_held_is_on_the_board():
    summary = m.GameSummary("stockpile", NAMES, "9 turns, 4 minutes", ("", "", "out in turn 5"), ())
    held = [styled_line("Held at the end: Ann: Food 3")]
    rows = [plain_text(row) for row in end_lines(OVER, LAST, 80, None, summary, held)]
    assert "  Bob wins.  The supplies deck is empty.  9 turns, 4 minutes" == rows[0]
    assert "  3.  Wanda (computer, easy)    0  out in turn 5" in rows
    assert ["", "  Held at the end: Ann: Food 3", ""] == rows[5:8]


def test_a_shared_win_and_the_own_one_read_as_people_say_them():
    assert board(replace(OVER, places=(1, 1, 3)))[0].startswith("  You and Bob win.")
    assert board(replace(OVER, places=(1, 2, 3)))[0].startswith("  You win.")
    assert [] == board(replace(OVER, places=()))


def test_between_the_deals_of_a_match_there_is_no_rematch():
    match = m.MatchStatus(deal=1, deals=3, id="1.1", points=(0, 0, 0))
    assert not any("rematch" in row for row in board(last=replace(LAST, match=match)))


@pytest.mark.parametrize("cols", [40, 60, 80])
def test_no_row_is_wider_than_the_pane(cols):
    names = ("Ann", "Bob", "Wanda-Wilhelmina")
    assert max(map(len, board(cols=cols))) <= cols
    assert max(map(len, board(replace(OVER, names=names), cols=cols))) <= cols


def test_a_game_that_ends_shows_its_places_in_place_of_the_table():
    async def scenario(server, ann):
        bob = await sit_down(server, ann, "elimination until=first clocks=off")
        for seed in range(400):
            if any("Game over" in row for row in ann.look().rows):
                break
            person = next((each for each in (ann, bob) if each.moves()), None)
            if person is not None:
                person.type(advised(server, person, seed))
            await asyncio.sleep(0.5 if person is not None else 3)
        return ann.look().rows

    rows = told(scenario)
    assert rows[0].startswith("── Game over ──")
    assert any(row.startswith("  1.  ") for row in rows)
    assert "  rematch  the same table again" in rows
    assert "  review   your own decisions" in rows
