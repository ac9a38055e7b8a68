"""Sampled worlds of the stockpile game: they fit, they vary, and they keep what was heard."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, Game, chance
from tests.variants.stockpile.driver import BOX, STOCKPILE, Driver
from variants.contract import Seat
from variants.stockpile import events
from variants.stockpile.actions import Loot, NiceTry, Pass, Reflect
from variants.stockpile.data.cards import REFLECTION, card_title
from variants.stockpile.state import State


def heard(past: Any, seat: Seat | None) -> list[Any]:
    known = (STOCKPILE.redact(event, seat) for event in past)
    return [event for event in known if event is not None]


def sampled(driver: Driver, seat: Seat | None, number: int, seed: int = 1) -> list[State]:
    view, seen = driver.view(seat), heard(driver.past, seat)
    return list(islice(STOCKPILE.sample_states(view, seen, chance(seed)), number))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_world_is_legal_and_fits_the_view(seats: int) -> None:
    everything = [card.id for card in BOX.all_cards]
    game = Game(STOCKPILE, seats, 1)
    while not game.is_over:
        state = game.step()
        for seat in (None, *map(Seat, range(seats))):
            view, seen = STOCKPILE.observe(state, seat), heard(game.events, seat)
            for world in islice(STOCKPILE.sample_states(view, seen, chance(game.decisions)), 2):
                assert view == STOCKPILE.observe(world, seat)
                zones = STOCKPILE.zones(world)
                assert sorted(everything) == sorted(c for zone in zones.values() for c in zone)
                assert all(c.sort != "impact" for p in world.players for c in p.hand)


def test_a_kept_test_card_stays_in_that_hand_until_it_is_played() -> None:
    met = 0
    for seed in range(40):
        game = Game(STOCKPILE, 3, seed)
        while not game.is_over and met < 40:
            state = game.step()
            kept = {e.card: e.seat for e in game.events if isinstance(e, events.TestKept)}
            held = {c: s for c, s in kept.items() if c in state.players[s].hand}
            if not held or game.decisions % 5:
                continue
            for seat in (None, ANN, BOB, CY):
                view = STOCKPILE.observe(state, seat)
                world = next(STOCKPILE.sample_states(view, heard(game.events, seat), chance(seed)))
                assert all(card in world.players[owner].hand for card, owner in held.items())
                met += 1
    assert met >= 40


def test_all_that_fits_is_equally_likely() -> None:
    """Bob's one Indoor card is any of the unseen that can be held, each as often as the others."""
    driver = Driver(
        seats=2,
        hands={ANN: ["Nice Try!", "Nice Try!"], BOB: ["Swap Shop"]},
        discards=["indoor Home Delivery 1", "indoor Infection"],
    )
    seen = Counter(card_title(world.players[BOB].hand[0]) for world in sampled(driver, ANN, 3_000))
    free = Counter(card_title(card) for card in BOX.indoor if card.sort != "impact")
    free -= Counter(["Nice Try!", "Nice Try!", "Home Delivery 1"])
    assert set(free) == set(seen)
    for name, copies in free.items():
        expected = 3_000 * copies / free.total()
        assert abs(seen[name] - expected) < 5 * expected**0.5, name


def test_the_own_hand_and_the_decks_of_a_watcher_vary() -> None:
    driver = Driver(seats=2, hands={ANN: ["Nice Try!", "Stock Up 2"], BOB: ["Swap Shop"]})
    for seat in (ANN, BOB, None):
        one, other = sampled(driver, seat, 2)
        assert one != other
        assert one.indoor != other.indoor
        if seat is not None:
            assert one.players[seat].hand == driver.state.players[seat].hand
    assert len({world.players[ANN].hand for world in sampled(driver, None, 30)}) > 10


def test_a_question_in_a_chain_of_answers_goes_on_as_in_the_game() -> None:
    """Which of those who may answer is asked is no secret, but it is not in the view."""
    driver = Driver(
        hands={ANN: ["Loot Food", REFLECTION, "Nice Try!"], BOB: [REFLECTION], CY: ["Nice Try!"]},
        stockpiles={BOB: ["Food 3"], CY: ["Food 2"]},
    )
    driver.when(ANN, Loot(driver.held(ANN, "Loot Food"), BOB, driver.owned(BOB, "Food 3")))
    food = driver.owned(CY, "Food 2")
    driver.when(BOB, Reflect(driver.held(BOB, REFLECTION), CY, take=food))
    assert ("reaction", ANN) == driver.asked()
    for seat, answer in [(ANN, Pass()), (CY, NiceTry(driver.held(CY, "Nice Try!")))]:
        assert ("reaction", seat) == driver.asked()
        for observer in (ANN, BOB, CY, None):
            for world in sampled(driver, observer, 3):
                assert driver.state.asker == world.asker
        driver.when(seat, answer)


def test_a_view_of_no_game_has_no_world() -> None:
    view = Driver(seats=2).view(ANN)
    with pytest.raises(ValueError, match="no state fits"):
        next(STOCKPILE.sample_states(replace(view, indoor=view.indoor - 1), [], chance()))


def test_a_world_can_be_played_on() -> None:
    for seed in range(6):
        game = Game(STOCKPILE, 4, seed)
        for _ in range(20):
            game.step()
        if game.is_over:
            continue
        seat = game.state.asked
        view = STOCKPILE.observe(game.state, seat)
        world = next(STOCKPILE.sample_states(view, heard(game.events, seat), chance(seed)))
        for event in STOCKPILE.decide(
            world, seat, STOCKPILE.default_action(view, chance()), chance()
        ):
            world = STOCKPILE.evolve(world, event)
        assert world.question != game.state.question or world.ended
