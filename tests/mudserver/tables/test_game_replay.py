"""A game that is over is folded again: every reader has the view that was sent then."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from mudserver.tables import game_replay
from mudserver.tables import requests as r
from tests.games import profile_of
from tests.mudserver.tables.driver import Driver
from tests.replays import (
    Played,
    differences,
    fingerprint,
    folded,
    go,
    play_on,
    played,
    replay_of,
    stored,
)
from tests.toys.duel.game import DUEL
from variants.catalogue import CATALOGUE
from variants.contract import Seat

GAMES = 1  # of each variant; `tests/proofs/test_replays.py` takes thousands


def every_way(last: int, random: Random) -> list[int]:
    """Forwards, backwards, and by jumps."""
    jumps = [random.randint(0, last) for _ in range(last)]
    return [*range(last + 1), *range(last, -1, -1), *jumps]


@pytest.mark.parametrize("variant", CATALOGUE.values(), ids=lambda variant: variant.name)
def test_every_view_is_the_one_that_was_sent(variant):
    for seed in range(GAMES):
        seats = variant.seats[seed % len(variant.seats)]
        game = played(variant, min(seats, 5), seed, profile_of(variant.name).brief)
        replay = replay_of(game)
        assert replay is not None and game.decisions == replay.last > 3
        # Everybody was sent a view of each decision, the watcher, too.
        assert len(game.views) == game.decisions + 1
        assert [] == differences(game, replay, every_way(replay.last, Random(seed)))


@pytest.mark.parametrize("variant", CATALOGUE.values(), ids=lambda variant: variant.name)
def test_every_event_is_the_one_that_was_told(variant):
    game = played(variant, 3, 1, profile_of(variant.name).brief)
    replay = replay_of(game)
    assert replay is not None
    for reader, heard in game.heard.items():
        go(replay, replay.last)
        told = replay.events(reader, -1)
        assert [(e.event, e.mark, e.number) for e in heard] == [
            (e.event, e.mark, e.number) for e in told
        ]
        assert all(event.is_past for event in told)
        go(replay, 2)
        assert replay.events(reader, -1) == told[: len(replay.events(reader, -1))]


def test_moves_are_those_of_then():
    variant = CATALOGUE["elimination"]
    driver = Driver({"seats": "3"}, variant=variant).sits("b", "c")
    driver.all_start(bytes(32))
    game, moves = Played(driver), []
    game.note(is_deal=True)
    while driver.table.is_playing:
        now = driver.table.game
        assert now is not None
        moves.append(
            [now.moves(Seat(seat)) if now.may_act(Seat(seat)) else () for seat in range(3)]
        )
        assert now.window is not None
        person = now.seats[now.window.seats[0]].person
        assert person is not None
        driver.plays(person)
        game.note()
    replay = replay_of(game)
    assert replay is not None
    for position, expected in enumerate(moves):
        go(replay, position)
        assert expected == [replay.moves(Seat(seat)) for seat in range(3)]
    go(replay, replay.last)
    assert [(), (), ()] == [replay.moves(Seat(seat)) for seat in range(3)]


def test_a_game_that_is_not_over_has_no_replay():
    driver = Driver({"rounds": "2"}).starts("b")
    records = stored(driver.bodies)
    assert folded(7, 1, records, {"duel": DUEL}) is None
    assert folded(7, 2, records, {"duel": DUEL}) is None


def test_the_second_game_of_a_table_is_found():
    first = played(DUEL, 2, 3)
    first.driver.all_start(bytes(range(32)))
    second = Played(first.driver)
    second.note(is_deal=True)
    play_on(second, Random(4))
    for number, game in ((1, first), (2, second)):
        replay = replay_of(game, number)
        assert replay is not None and f"7.{number}" == replay.ended.id
        assert [] == differences(game, replay, range(replay.last + 1))


def test_a_seat_that_was_handed_over_and_taken_back_is_seen_so():
    game = played_with_a_leaver()
    replay = replay_of(game)
    assert replay is not None
    assert [] == differences(game, replay, every_way(replay.last, Random(1)))
    assert {"a", "b", "c"} == replay.people


def played_with_a_leaver() -> Played:
    variant = CATALOGUE["elimination"]
    driver = Driver({"seats": "3"}, variant=variant).sits("b", "c")
    driver.does(r.Watch("w", "Wen"))
    driver.all_start(bytes(32))
    game = Played(driver)
    game.note(is_deal=True)
    for number in range(12):
        now = driver.table.game
        assert now is not None and now.window is not None
        [seat] = now.window.seats
        if number == 3:
            driver.does(r.Leave("b"))
        if number == 9:
            driver.does(r.Sit("b", "Bob"))
        person = now.seats[seat].person
        if person is None:
            driver.computer_plays(seat)
        else:
            driver.plays(person)
        game.note()
    driver.does(r.Leave("b"))
    driver.does(r.Leave("a"))
    driver.does(r.Leave("c"))
    return game


def test_names_are_those_of_now_and_differ():
    now = {"a": "Zoe", "b": "former player", "c": "former player"}
    replay = replay_of(played(DUEL, 3, 1), name_of=lambda person, name: now[person])
    assert replay is not None
    assert ("Zoe", "former player", "former player 2") == replay.names
    go(replay, 0)
    assert replay.names == replay.view(None).names == replay.events(None, -1)[0].names


@cache
def long_game() -> Played:
    return played(CATALOGUE["words"], 3, 2, {"max_rounds": "3"})


def test_a_jump_costs_no_more_folds_than_there_are_between_two_kept_places():
    game = long_game()
    replay = replay_of(game)
    assert replay is not None and replay.last > 200
    for position in (5, 199, 3, 160, 40):
        assert sum(1 for _ in replay.go(position)) <= 2  # steps of 25 records
    go(replay, 5)
    assert fingerprint(replay.view(None)) == game.views[5][None]


def test_a_long_game_keeps_no_more_positions_than_a_shorter_one(monkeypatch):
    monkeypatch.setattr(game_replay, "KEPT_MAX", 3)
    game = long_game()
    replay = replay_of(game)
    assert replay is not None and replay.last > 5 * game_replay.KEPT_EACH
    assert len(replay._kept) <= 3 and 0 in replay._kept
    assert [] == differences(game, replay, every_way(replay.last, Random(1))[::7])
