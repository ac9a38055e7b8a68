"""The numbers of one account."""

from __future__ import annotations

from mudserver.results.statistics import statistics


def test_the_numbers_follow_from_the_results():
    won, lost = ("duel", 2, 1, "stayed", "", 0), ("duel", 3, 3, "stayed", "easy", 0)
    recent, left = ("duel", 2, 1, "stayed", "", 1), ("duel", 2, 2, "left", "", 0)
    other = ("war", 4, 1, "stayed", "hard", 0)
    duel, war = statistics([won, won, other, left, recent, lost, lost])
    assert ("duel", 6, 3) == (duel.variant, duel.all.games, duel.all.won)
    assert {1: 3, 2: 1, 3: 2} == duel.places
    assert (4, 3) == (duel.by_seats[2].games, duel.by_seats[2].won)
    assert (2, 0) == (duel.by_level["easy"].games, duel.by_level["easy"].won)
    assert (1, 2) == (duel.left, duel.longest_row)
    assert (1, 1) == (duel.recent.games, duel.recent.won)
    assert (11 / 6, 10 / 6) == (duel.mean_place, duel.expected_place)
    assert (1, 0, {"hard"}) == (war.longest_row, war.recent.games, set(war.by_level))


def test_nobody_has_none():
    assert [] == statistics([])
