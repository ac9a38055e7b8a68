"""What the clock does for a seat of stockpile that has let it run out."""

from __future__ import annotations

import pytest

from tests.variants.driver import ANN, Game, chance, in_time
from tests.variants.stockpile.driver import STOCKPILE, STUCK, Driver, told
from variants.kit.chance import ScriptedChance
from variants.stockpile.actions import Discard, Draw, End, Isolate, Stock
from variants.stockpile.legal_actions import default_action, legal_actions


def test_the_clock_draws_if_it_can():
    assert Draw() == in_time(Driver(hands={ANN: ["Stock Up 3", "Self-Isolation"]}), ANN)


def test_with_a_full_hand_the_clock_stocks_up_then_isolates():
    hand = ["Self-Isolation", *STUCK[:5], "Home Delivery 1", "Stock Up 3"]
    driver = Driver(hands={ANN: hand})
    assert Stock(driver.held(ANN, "Home Delivery 1")) == in_time(driver, ANN)
    driver = Driver(hands={ANN: ["Location Switch", *STUCK[2:], "Self-Isolation"]})
    assert Isolate(driver.held(ANN, "Self-Isolation")) == in_time(driver, ANN)


def test_else_the_clock_picks_one_play_of_the_list_swap_shop_with_drawing():
    hand = ["Swap Shop", *STUCK[2:], "Location Switch"]
    driver = Driver(hands={ANN: hand})
    expected = [
        "Swap: Swap Shop, Nice Try!, drawing",
        "Swap: Swap Shop, Reflection, drawing",
        "Swap: Swap Shop, Location Switch, drawing",
        "Switch: Location Switch, bob",
        "Switch: Location Switch, cy",
    ]
    assert expected == told(driver, [in_time(driver, ANN, draw) for draw in range(5)])
    with pytest.raises(ValueError, match="number below 5 is drawn"):
        default_action(driver.view(ANN), ScriptedChance([5]))


def test_with_nothing_to_play_the_clock_discards_any_of_the_eight():
    """[SR-07] Of copies the oldest goes, as for everybody who names none."""
    driver = Driver(hands={ANN: STUCK})
    hand = driver.state.players[ANN].hand
    assert [Discard(hand[0].id)] * 5 + [Discard(hand[5].id)] * 3 == [
        in_time(driver, ANN, draw) for draw in range(8)
    ]


def test_in_the_final_turn_the_clock_ends_the_game():
    """[SR-51]"""
    assert End() == in_time(Driver(hands={ANN: ["Stock Up 3"]}, outdoor=[]), ANN)


@pytest.mark.parametrize("seats", (2, 3, 4))
def test_the_default_is_legal_wherever_somebody_is_asked(seats: int):
    game = Game(STOCKPILE, seats, 70 + seats)
    while not game.is_over:
        view = STOCKPILE.observe(game.state, game.state.asked)
        assert default_action(view, chance(game.decisions)) in legal_actions(view)
        game.step()
