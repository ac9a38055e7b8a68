"""The rows of `moves`: all plays, or a sample of every kind."""

from __future__ import annotations

from itertools import product

import pytest

from mudserver.errors import UserError
from mudserver.service.moves import ROWS_MAX, moves_rows, sample_of_kinds

SUPPLIES = [f"{kind} {value}" for kind in ("food", "paper", "prevention") for value in range(1, 6)]
TRADES = [
    f"trade {who} {own} for {theirs}"
    for who, own, theirs in product(("bob", "cy"), SUPPLIES, SUPPLIES)
]
HAND = ["draw", "stock up 2", "home delivery 1", *TRADES, "switch bob", "switch cy", "isolate"]


def listed(rows: list[str]) -> list[str]:
    return [row[2:] for row in rows if row.startswith("- ")]


def said(rows: list[str]) -> list[str]:
    return [row for row in rows if not row.startswith("- ")]


def test_as_many_as_there_is_room_for_are_all_listed_in_their_order():
    assert [f"- {play}" for play in HAND[:ROWS_MAX]] == moves_rows(HAND[:ROWS_MAX])
    assert ["- draw"] == moves_rows(["draw"])


def test_of_many_some_of_every_kind_are_listed_and_how_to_list_the_others():
    rows = moves_rows(HAND)
    plays = listed(rows)
    assert len(plays) == ROWS_MAX
    assert plays == [play for play in HAND if play in set(plays)]
    assert {play.split()[0] for play in plays} == {play.split()[0] for play in HAND}
    assert {tuple(play.split()[:4]) for play in plays} >= {
        ("trade", who, *supply.split()) for who in ("bob", "cy") for supply in SUPPLIES
    }
    assert [
        "40 of 456 moves, some of each kind. For more: moves trade or moves trade bob",
    ] == said(rows)
    assert rows == moves_rows(HAND)


@pytest.mark.parametrize("begun", ["trade bob food 1", "tr b f 1", "TRADE  Bob food 1"])
def test_plays_are_listed_by_the_beginnings_of_their_words(begun):
    assert [play for play in TRADES if play.startswith("trade bob food 1")] == listed(
        moves_rows(HAND, begun)
    )
    assert [] == said(moves_rows(HAND, begun))


def test_many_that_begin_alike_are_sampled_again_and_the_examples_go_on():
    rows = moves_rows(HAND, "tr c")
    assert len(listed(rows)) == ROWS_MAX
    assert all(play.startswith("trade cy ") for play in listed(rows))
    assert [
        "40 of 225 moves that begin so, some of each kind. For more: moves trade cy food or "
        "moves trade cy food 1",
    ] == said(rows)


def test_a_beginning_that_no_play_has_is_told_those_there_are():
    with pytest.raises(UserError) as refused:
        moves_rows(HAND, "loot")
    assert str(refused.value) == (
        'No move begins with "loot". Moves begin with draw, stock, home, trade, switch or isolate.'
    )


def test_samples_of_a_game_with_too_many_plays_say_so():
    more = "There are more moves than can be listed. For what else there is: rules"
    assert ["- draw", more] == moves_rows(["draw"], is_all=False)
    rows = moves_rows(HAND, is_all=False)
    assert len(said(rows)) == 2
    assert said(rows)[-1] == more
    with pytest.raises(UserError, match=r"No listed move .* They begin with draw\. There"):
        moves_rows(["draw"], "trade", is_all=False)


def test_words_that_no_play_begins_with_may_stand_further_on():
    plays = ["draw", "trade k with bob", "trade k with cy", "trade y with bob", "give bob trade"]
    assert ["- trade k with bob", "- trade y with bob"] == moves_rows(plays, "tr bob")
    assert ["- trade k with bob", "- trade k with cy"] == moves_rows(plays, "trade k")
    with pytest.raises(UserError, match='begins with "trade bob k"'):
        moves_rows(plays, "trade bob k")
    many = [f"trade {n} with {who}" for n in range(80) for who in ("bob", "cy")]
    rows = moves_rows(many, "trade with bob")
    assert ["40 of 80 moves with these words, some of each kind. For more: moves WORD"] == said(
        rows
    )
    assert all(row.endswith("with bob") for row in listed(rows))


def test_what_is_there_many_times_is_listed_once():
    assert ["draw", "end"] == sample_of_kinds(["draw"] * 50 + ["end"] * 50, 40)


def test_where_every_play_is_of_its_own_kind_the_sample_goes_through_all_of_them():
    plays = [f"word{n:03}" for n in range(400)]
    assert plays[::10] == sample_of_kinds(plays, 40)
    assert len(moves_rows(plays, "word1")) == 41
