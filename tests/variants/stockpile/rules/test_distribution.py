"""Games of stockpile in great numbers: each ends in its bound and breaks no invariant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests import counts as cases
from tests.bench.distribution import HEAD, STOCKPILE, TABLES, check, figures, game
from variants.stockpile.data.cards import DECKS, Cards
from variants.stockpile.state import Player, State

SEATS = tuple(STOCKPILE.seats)
BOTS = (("random", cases.count(10_000, 1_000)), ("level 2", cases.count(2_000, 200)))


@pytest.mark.parametrize("table", TABLES)
def test_every_game_ends_and_keeps_its_invariants(table: str) -> None:
    for seats in SEATS:
        found = figures(table, seats, range(1))
        assert all(ended.state.ended and ended.state.winners for ended in found.games)


@pytest.mark.parametrize(
    ("deck", "name", "cards", "is_in", "what"),
    [
        (0, "", 1, True, "supplies: "),
        (1, "", 1, True, "indoor: "),
        (1, "hand", 9, True, "too many in a hand"),
        (0, "stockpile", 35, True, "Sold Out"),
        (1, "hand", 1, False, "owns something"),
    ],
)
def test_a_broken_invariant_is_seen(
    deck: int, name: str, cards: int, is_in: bool, what: str
) -> None:
    """Cards of a discard pile come to lie where they must not; or nowhere."""
    state = game("in", 4, 1).state
    check(state, "here")
    piles: Any = list(state.discards)
    first: Any = state.players[0]
    taken, piles[deck] = piles[deck][:cards], piles[deck][cards:]
    if name:
        moved: Any = {name: taken}
        first = replace(Player(is_in=is_in), **moved)
        piles = [(*pile, *_owned(state, n)) for n, pile in enumerate(piles)]
    players = (first, *state.players[1:])
    with pytest.raises(AssertionError, match=what):
        check(replace(state, players=players, discards=tuple(piles)), "here")


def _owned(state: State, deck: int) -> Cards:
    """What seat 0 has of one deck."""
    player = state.players[0]
    cards = (*player.hand, *player.stockpile, *filter(None, (player.isolation,)))
    return tuple(card for card in cards if card.deck == DECKS[deck])


@pytest.mark.prove
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize(("table", "games"), BOTS, ids=[table for table, _ in BOTS])
def test_thousands_of_games_end_within_their_bound(table: str, games: int, seats: int) -> None:
    found = figures(table, seats, range(1, games + 1))
    print(f"\n{HEAD}\n{found.row}   {games} games, at most "
          f"{max(ended.decisions for ended in found.games)} decisions")  # fmt: skip
    assert len(found.games) == games
    # Two players hardly ever use up 29 supplies.
    ways = {ended.state.ended for ended in found.games} | ({"supplies"} if seats == 2 else set())
    assert ways == {"survivor", "supplies", "indoor", "outdoor"}
