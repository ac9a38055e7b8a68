"""Which computer players fit an account, from what it has played."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.played import (
    EARLY_GAMES,
    LAST_GAMES,
    PER_DAY_MAX,
    PlayedGame,
    PlayedVariant,
    easier_level,
    fitting_level,
)

LEVELS = ("easy", "medium", "hard")
DAY_MS = 86_400_000


def played_by(accounts: Accounts, level: str, place: int, at_ms: int = 1, seats: int = 2) -> None:
    game = PlayedGame("words", 7, 1, level, place, seats, at_ms)
    for event in accounts.note_game("p1", game, LEVELS):
        accounts.apply(event)


def account() -> Accounts:
    accounts = Accounts()
    for event in accounts.open_account("p1", "ann", 1):
        accounts.apply(event)
    return accounts


def level(accounts: Accounts) -> str:
    return fitting_level(accounts.played("p1", "words"), LEVELS)


def after(results: str, accounts: Accounts | None = None) -> str:
    """The level that fits after games against the level that fits: w is won, l is lost."""
    accounts = accounts or account()
    for n, result in enumerate(results):
        played_by(accounts, level(accounts), 1 if result == "w" else 2, n * DAY_MS)
    return level(accounts)


@pytest.mark.parametrize(
    ("results", "fits"),
    [
        ("", "easy"),
        ("w", "easy"),
        ("ww", "medium"),
        ("wlw", "medium"),
        ("wllw", "easy"),
        ("wwww", "hard"),
        ("wwwwwwww", "hard"),
        ("wwlll", "medium"),
        ("wwllll", "easy"),
        ("llllll", "easy"),
        ("wwwwllll", "medium"),
        ("wwwwlllllll", "medium"),  # the counting has begun anew
    ],
)
def test_two_wins_of_three_lead_up_and_four_losses_in_a_row_down(results, fits):
    assert fits == after(results)


@pytest.mark.parametrize(
    ("results", "easier"), [("wwll", ""), ("wwlll", "easy"), ("wwwwlll", "medium"), ("lll", "")]
)
def test_who_has_lost_three_games_in_a_row_is_told_of_the_level_below(results, easier):
    accounts = account()
    after(results, accounts)
    assert easier == easier_level(accounts.played("p1", "words"), LEVELS)


def test_games_against_other_levels_or_people_leave_the_level():
    accounts = account()
    for other in ("", "medium", "hard"):
        for _ in range(3):
            played_by(accounts, other, 1)
    assert "easy" == level(accounts)
    assert "medium" == after("ww", accounts)


@given(st.lists(st.tuples(st.sampled_from([*LEVELS, ""]), st.integers(1, 4)), max_size=60))
def test_no_level_is_skipped_and_a_snapshot_keeps_it(games):
    accounts = account()
    for n, (against, place) in enumerate(games):
        before = LEVELS.index(level(accounts))
        played_by(accounts, against, place, n * DAY_MS // 3, 4)
        assert abs(LEVELS.index(level(accounts)) - before) <= 1
    again = Accounts()
    for event in accounts.snapshot("p1", 2):
        again.apply(event)
    assert accounts.by_id("p1") == again.by_id("p1") and accounts.newcomers == again.newcomers


def test_a_level_that_is_no_more_gives_way_to_the_lowest():
    assert "easy" == fitting_level(PlayedVariant(3, "careful"), LEVELS)
    assert "" == fitting_level(PlayedVariant(), ())


def test_so_many_games_of_a_day_are_remembered_and_ten_one_by_one():
    accounts = account()
    for _ in range(PER_DAY_MAX + 3):
        played_by(accounts, "easy", 2, DAY_MS)
    assert PER_DAY_MAX == accounts.played("p1", "words").finished
    played_by(accounts, "easy", 2, 2 * DAY_MS)
    assert PER_DAY_MAX + 1 == accounts.played("p1", "words").finished
    found = accounts.by_id("p1")
    assert found is not None and LAST_GAMES == len(found.last_games)
    assert "words" == accounts.last_variant("p1") and "" == accounts.last_variant("p2")


def test_the_first_games_against_the_lowest_level_are_summed_up():
    accounts = account()
    played_by(accounts, "easy", 1, seats=2)
    played_by(accounts, "hard", 1, seats=2)
    for _ in range(EARLY_GAMES):
        played_by(accounts, "easy", 2, seats=4)
    sums = accounts.newcomers["words"]
    assert (4, 1, 1.25) == (sums.early, sums.early_wins, sums.early_fair)


def test_a_game_of_an_account_that_is_not_there_is_no_event():
    assert [] == account().note_game("p2", PlayedGame("words", 7, 1, "", 1, 2, 1), LEVELS)
