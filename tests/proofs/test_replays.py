"""Every finished game of a long run replays to the views that its players were sent.

Each seat is a person who decides as the weakest computer player does; one more watches.  Of every
view that was delivered a hash is kept.  The game is then folded from its records alone and looked
at with the eyes of every seat and of the watcher: forwards, backwards, and by random jumps.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.counts import count
from tests.games import profile_of
from tests.replays import differences, played, replay_of
from variants.catalogue import CATALOGUE

GAMES = {
    "elimination": count(6_000, 240),
    "stockpile": count(3_000, 120),
    "words": count(1_000, 24),
}
PARTS = 4  # of each variant, for several workers
WHOLE_EACH = 10  # of so many games one is looked at in every way, the others forwards and in jumps


@pytest.mark.prove
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", GAMES)
def test_every_game_replays_to_the_views_that_were_sent(name, part):
    variant = CATALOGUE[name]
    games = decisions = views = 0
    for seed in range(part, GAMES[name], PARTS):
        random = Random(f"{name} {seed}")
        options = profile_of(name).brief if seed % 2 else {}
        seats = random.choice(variant.seats[: 5 if name == "words" else None])
        game = played(variant, seats, seed, options)
        replay = replay_of(game)
        assert replay is not None and replay.last == game.decisions, (name, seed)
        last = replay.last
        ways = [*range(last + 1), *[random.randint(0, last) for _ in range(20)]]
        if seed % WHOLE_EACH == 0:
            ways += range(last, -1, -1)
        assert len(game.views) == last + 1, (name, seed)
        assert [] == differences(game, replay, ways), (name, seed)
        games, decisions = games + 1, decisions + last
        views += sum(map(len, game.views.values()))
    print(f"{name}: games={games} decisions={decisions} views={views} all equal")


@pytest.mark.prove
def test_a_view_that_differs_is_found():
    """The control: one card of one view is another."""
    variant = CATALOGUE["elimination"]
    game = played(variant, 4, 1)
    replay = replay_of(game)
    assert replay is not None
    reader = 2
    was = game.views[5][reader]
    game.views[5][reader] = game.views[4][reader]
    assert was != game.views[4][reader]
    assert ["decision 5, reader 2"] == differences(game, replay, range(replay.last + 1))
