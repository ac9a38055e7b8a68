"""The numbers of one account."""

from __future__ import annotations

from mudserver.journal import IndexRow
from mudserver.results.events import GameRecorded, SeatResult
from mudserver.results.statistics import Statistics, Tallies, Won, with_recent

ANN = SeatResult("person", "p1", fate="stayed")


def ended(variant: str, seats: int, place: int | None, fate: str, level: str = "") -> GameRecorded:
    own = SeatResult("person", "p1", place=place, fate=fate)
    kind = ("computer", "") if level else ("person", "p2")
    other = SeatResult(*kind, level=level, place=place and 3 - min(2, place))
    return GameRecorded(
        1, 1, "1.1", variant, 0, 1, 2, "finished", (own, *[other] * (seats - 1))
    )  # fmt: skip


def test_the_numbers_follow_from_the_results():
    won, lost = ("duel", 2, 1, "stayed", ""), ("duel", 3, 3, "stayed", "easy")
    left, other = ("duel", 2, 2, "left", ""), ("war", 4, 1, "stayed", "hard")
    games = [won, won, other, left, won, ("duel", 2, None, "stayed", ""), lost, lost]
    tallies = Tallies()
    written = {}
    for sequence, each in enumerate(games, 1):
        mark, *rows = tallies.rows(sequence, ended(*each))
        assert IndexRow("mark", ("counted", sequence)) == mark
        written.update({row.values[:2]: row.values for row in rows})
    own = [row for (person, _), row in written.items() if person == "p1"]
    duel, war = with_recent(own, [("duel", 1, 1), ("a game that has ended since", 1, 0)])
    assert ("duel", 6, 3) == (duel.variant, duel.all.games, duel.all.won)
    assert {1: 3, 2: 1, 3: 2} == duel.places
    assert (4, 3) == (duel.by_seats[2].games, duel.by_seats[2].won)
    assert (2, 0) == (duel.by_level["easy"].games, duel.by_level["easy"].won)
    assert (1, 2) == (duel.left, duel.longest_row)
    assert (1, 1) == (duel.recent.games, duel.recent.won)
    assert (11 / 6, 10 / 6) == (duel.mean_place, duel.expected_place)
    assert (1, 0, {"hard"}) == (war.longest_row, war.recent.games, set(war.by_level))


def test_counting_goes_on_from_the_rows_that_are_kept():
    whole, again = Tallies(is_whole=True), None
    for number in range(20):
        game = ended("duel", 2 + number % 3, 1 + number % 2, ("stayed", "left")[number % 3 == 0])
        kept = whole.rows(number + 1, game)
        if again is not None:
            assert kept == again.rows(number + 1, game)
        again = Tallies()
        assert ["p1", "p2"] == again.unknown([game])
        again.load(["p1", "p2"], [row.values for row in kept[1:]], number + 1)
        assert [] == again.unknown([game]) == whole.unknown([game])


def test_rows_that_go_further_than_is_counted_are_of_a_former_counting():
    former = Tallies(is_whole=True)
    for sequence in (1, 2):
        _, *rows = former.rows(sequence, ended("duel", 2, 1, "stayed"))
    again = Tallies()
    again.load(["p1", "p2"], [row.values for row in rows], 1)
    game = ended("duel", 2, 1, "stayed")
    assert Tallies(is_whole=True).rows(2, game) == again.rows(2, game)


def test_nobody_has_none():
    assert [] == with_recent([], [])
    assert Won() == Statistics("duel").all
