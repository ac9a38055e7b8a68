"""Sampled worlds of the word game: they fit, they vary, and they keep what was heard."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, chance
from tests.variants.words.driver import (
    BOX,
    Driver,
    Game,
    assert_in_order,
    shipped_lexicon,
    words_game,
)
from variants.contract import Seat
from variants.words.actions import (
    Answer,
    Done,
    Draw,
    EndRound,
    Form,
    Lock,
    Offer,
    Pass,
    Rebuild,
    Trade,
)
from variants.words.data.box import END_OF_ROUND, sets_of
from variants.words.events import Event
from variants.words.rules.sample_states import sample_states
from variants.words.state import State


def heard(past: list[Event], seat: Seat | None) -> list[Event]:
    return [words_game().redact(event, seat) for event in past]


def sampled(driver: Driver, seat: Seat | None, number: int, seed: int = 1) -> list[State]:
    view, seen = driver.view(seat), heard(driver.past, seat)
    return list(islice(sample_states(BOX, shipped_lexicon(), view, seen, chance(seed)), number))


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_every_world_is_legal_fits_the_view_and_can_be_played(seats: int) -> None:
    game = Game(seats, 0, max_rounds="2", target="50")
    while not game.is_over:
        state = game.step()
        for seat in (None, Seat(game.decisions // 3 % seats)) if game.decisions % 3 == 0 else ():
            view, seen = words_game().observe(state, seat), heard(game.events, seat)
            world = next(sample_states(BOX, shipped_lexicon(), view, seen, chance(game.decisions)))
            assert view == words_game().observe(world, seat)
            assert_in_order(world, None)
            assert state.words == world.words
            assert state.discards == world.discards
            assert state.next_word == world.next_word
            assert len({p.manifest.id for p in world.players}) == seats
            assert len({p.indicator.id for p in world.players}) == seats
            if not game.is_over and game.decisions % 12 == 0:
                play_on(world)


def play_on(world: State) -> None:
    """A world is a game: the defaults of six windows are played in it."""
    rules, dice = words_game(), chance(3)
    for _ in range(6):
        window = rules.open_window(rules.observe(world, None))
        if window is None:
            return
        views = [rules.observe(world, seat) for seat in window.seats]
        view = next(view for view in views if rules.may_act(view))
        assert view.seat is not None
        for event in rules.decide(world, view.seat, rules.default_action(view, dice), dice):
            world = rules.evolve(world, event)


def test_letters_that_were_shown_stay_in_that_hand() -> None:
    """A letter off the discard pile, and letters of a word taken up again."""
    driver = Driver(turn=1, words={BOB: ["QUIZ"]}, hands={BOB: "AEIOUAEIO"})
    (number,) = [word.number for word in driver.state.words]
    driver.when(BOB, Rebuild((number,), ()))
    for seat in (None, ANN, CY):
        for world in sampled(driver, seat, 20):
            assert not Counter("QUIZ") - Counter(world.players[BOB].hand)
    at_start = [sorted(world.players[CY].hand) for world in sampled(driver, ANN, 20)]
    assert len({tuple(hand) for hand in at_start}) > 15


def test_a_trade_leaves_a_known_letter_in_one_of_two_hands() -> None:
    driver = Driver(turn=1, words={BOB: ["QUIZ"]}, hands={BOB: "AEIOAEIO", CY: "SSTTRR*"})
    (number,) = [word.number for word in driver.state.words]
    driver.when(BOB, Rebuild((number,), ()), Trade((Offer(CY, "Q"),)))
    offered = Counter(world.offers[0].letter for world in sampled(driver, ANN, 60))
    assert len(offered) > 1 and offered["Q"]
    assert {"Q"} == {world.offers[0].letter for world in sampled(driver, BOB, 5)}
    driver.when(CY, Answer("S"))
    where = Counter(
        next(seat for seat in (BOB, CY) if "Q" in world.players[seat].hand)
        for world in sampled(driver, ANN, 60)
    )
    assert {BOB, CY} == set(where)
    for seat, other in ((BOB, CY), (CY, BOB)):
        letter = {BOB: "Q", CY: "S"}[seat]
        assert all(letter in world.players[other].hand for world in sampled(driver, seat, 10))


def test_locked_words_are_those_that_were_made() -> None:
    driver = Driver(turn=1, hands={BOB: "OVERNIGHT"})
    driver.when(BOB, Form("OVER"))
    driver.when(BOB, Lock(driver.state.words[0].number))
    assert "" == driver.view(ANN).words[0].spelling
    assert all("OVER" == world.words[0].spelling for world in sampled(driver, ANN, 5))


def test_who_has_not_listened_gets_some_word_of_that_length() -> None:
    driver = Driver(turn=1, words={BOB: ["locked OVER", "locked TROUBLESOME"], CY: ["DATES"]})
    view = driver.view(ANN)
    found = list(islice(sample_states(BOX, shipped_lexicon(), view, [], chance()), 12))
    for world in found:
        assert view == words_game().observe(world, ANN)
        assert Counter(words_game().components({})) == everything(world)
    four = {world.words[0].spelling for world in found}
    assert len(four) > 6
    assert all(shipped_lexicon().level_of(word) is not None for word in four)


def everything(world: State) -> Counter[str]:
    return Counter(card for zone in words_game().zones(world).values() for card in zone)


def test_end_of_round_is_where_it_may_be() -> None:
    """[WR-13] In any other hand alike, but in none that once was empty."""
    driver = Driver(4, hands={ANN: "DATEOV*"}, turn=0)
    holders: Counter[Any] = Counter()
    for world in sampled(driver, ANN, 300):
        ends = [s for s, player in enumerate(world.players) if END_OF_ROUND in player.hand]
        assert 2 == len(ends) and ANN in ends
        holders.update(ends)
    assert all(60 < holders[seat] < 140 for seat in (BOB, CY, DEE))

    driver = Driver(3, turn=1, hands={ANN: "DATEOV*", BOB: "SEA", CY: "LMNNPR*"})
    driver.when(BOB, Form("SEA"))
    assert 0 == driver.view().seats[BOB].cards
    driver.when(BOB, Done(), Draw("pile", 7), Pass())
    for world in sampled(driver, CY, 20):
        assert END_OF_ROUND in world.players[ANN].hand
        assert END_OF_ROUND not in world.players[BOB].hand


def test_who_ended_the_round_could_do_so() -> None:
    """[WR-44] End of Round lies open, and an exposed word is on that manifest."""
    driver = Driver(
        hands={ANN: "XYZKLMN", BOB: "DATEOV*"},
        turn=1,
        phase="close",
        manifests={ANN: "M01", BOB: "M19"},
        words={BOB: ["EAST"], CY: ["FOAMS"]},
    )
    driver.when(BOB, EndRound())
    assert "removal" == driver.state.phase
    for world in sampled(driver, ANN, 25):
        assert END_OF_ROUND not in world.players[BOB].hand
        assert END_OF_ROUND in world.players[CY].hand, "somebody holds the other one"
        assert sets_of(world.players[BOB].manifest, "EAST")
    assert len({world.players[CY].manifest.id for world in sampled(driver, ANN, 25)}) > 8


def test_answers_to_a_sealed_window_are_any_of_those_that_may_be_given() -> None:
    driver = Driver(phase="removal", words={ANN: ["DATES"], BOB: ["BEAST"], CY: ["FOAMS"]})
    driver.when(BOB, Pass())
    given = Counter()
    for world in sampled(driver, ANN, 60):
        (reply,) = world.replies
        given[reply.seat, reply.removal is None] += 1
        assert driver.view(ANN) == words_game().observe(world, ANN)
    assert {BOB, CY} == {seat for seat, _ in given} and len(given) > 2
    assert {BOB} == {world.replies[0].seat for world in sampled(driver, BOB, 5)}


def test_all_that_fits_is_equally_likely() -> None:
    """Bob's two unknown letters are drawn from the unseen ones, each card as often as another."""
    driver = Driver(2, turn=1, hands={ANN: "DATEOV*", BOB: "E*"}, discards="X")
    drawn: Counter[str] = Counter()
    number = 1_500
    for world in sampled(driver, ANN, number):
        drawn.update(card for card in world.players[BOB].hand if card != END_OF_ROUND)
    unseen = {entry.letter: entry.number for entry in BOX.letters}
    for letter in "DATEOVX":
        unseen[letter] -= 1
    expected = {x: number * n / sum(unseen.values()) for x, n in unseen.items() if n}
    assert set(drawn) <= set(expected)
    squares = sum((drawn[x] - e) ** 2 / e for x, e in expected.items())
    assert squares < 55  # chi-square, about 24 degrees of freedom


def test_a_view_that_no_game_shows_has_no_world() -> None:
    driver = Driver()
    view = replace(driver.view(ANN), pile=3)
    with pytest.raises(ValueError):
        next(sample_states(BOX, shipped_lexicon(), view, [], chance()))
