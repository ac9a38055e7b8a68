"""What a seat of stockpile may do, and in which order it is listed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, NAMES, Game, in_time
from tests.variants.stockpile.driver import STOCKPILE, STUCK, Driver, told
from variants.contract import Seat
from variants.stockpile.actions import (
    Action,
    Draw,
    GiveUp,
    Go,
    Loot,
    NiceTry,
    Nosey,
    Pass,
    Reflect,
    Stock,
    Switch,
    Trade,
)
from variants.stockpile.data.cards import card_title
from variants.stockpile.legal_actions import legal_actions, possible_targets, reflect_targets


def moves(driver: Driver, seat: Seat = ANN) -> list[str]:
    return told(driver, legal_actions(driver.view(seat)))


def attack(name: str, seats: int = 3, **position: Any) -> Driver:
    """Ann plays *name* on Bob, who shows an Indoor back."""
    hands = {ANN: [name], BOB: ["Reflection", "Nice Try!"], **position.pop("hands", {})}
    driver = Driver(seats, hands=hands, **position)
    card = driver.held(ANN, name)
    action: Action
    if name == "Trading Station":
        action = Trade(card, BOB, driver.owned(ANN, "Food 1"), driver.owned(BOB, "Food 1"))
    elif name == "Nosey Neighbour":
        action = Nosey(card, BOB, "Toilet Paper")
    elif name == "Location Switch":
        action = Switch(card, BOB)
    else:
        action = Loot(card, BOB, driver.owned(BOB, "Food 1"))
    driver.when(ANN, action)
    assert ("reaction", BOB) == driver.asked()
    return driver


# -- the list of an action -------------------------------------------------------------------------


def test_who_is_not_asked_may_do_nothing():
    driver = Driver(hands={BOB: ["Stock Up 1"]})
    assert [] == moves(driver, BOB)
    assert [] == legal_actions(driver.view(None))
    over = Driver(2, indoor=[])
    assert "" == over.view().asks and [] == moves(over)


def test_draw_comes_first_then_the_cards_in_drawing_order():
    hand = ["Location Switch", "Stock Up 2", "Self-Isolation", "Home Delivery 1"]
    assert [
        "Draw",
        "Switch: Location Switch, bob",
        "Switch: Location Switch, cy",
        "Stock: Stock Up 2",
        "Isolate: Self-Isolation",
        "Stock: Home Delivery 1",
    ] == moves(Driver(hands={ANN: hand}))


def test_targets_come_by_seat_and_supplies_as_they_came_the_oldest_of_equal_ones():
    """[SR-34] [SR-36]"""
    piles = {ANN: ["F4"], BOB: [], CY: ["T2", "S05", "F3", "S06"], DEE: ["P1", "F1"]}
    driver = Driver(4, hands={ANN: ["Loot Food", "Loot Any Supply"]}, stockpiles=piles)
    assert [
        "Draw",
        "Loot: Loot Food, cy, Food 2",
        "Loot: Loot Food, cy, Food 3",
        "Loot: Loot Food, dee, Food 1",
        "Loot: Loot Any Supply, cy, Toilet Paper 2",
        "Loot: Loot Any Supply, cy, Food 2",
        "Loot: Loot Any Supply, cy, Food 3",
        "Loot: Loot Any Supply, dee, Infection Prevention 1",
        "Loot: Loot Any Supply, dee, Food 1",
    ] == moves(driver)
    taken = {a.take for a in legal_actions(driver.view(ANN)) if isinstance(a, Loot)}
    assert "S05" in taken and "S06" not in taken


def test_a_trade_names_the_own_supply_first():
    """[SR-37] Values are free; both sides need a card."""
    piles = {ANN: ["F1", "T3"], BOB: ["T1", "P2"], CY: []}
    driver = Driver(hands={ANN: ["Trading Station"]}, stockpiles=piles)
    assert [
        "Trade: Trading Station, bob, Food 1, Toilet Paper 1",
        "Trade: Trading Station, bob, Food 1, Infection Prevention 2",
        "Trade: Trading Station, bob, Toilet Paper 3, Toilet Paper 1",
        "Trade: Trading Station, bob, Toilet Paper 3, Infection Prevention 2",
    ] == moves(driver)[1:]
    empty = Driver(hands={ANN: ["Trading Station"]}, stockpiles={ANN: []})
    assert ["Draw"] == moves(empty)


def test_nosey_neighbour_hits_who_is_outdoors_and_has_some():
    """[SR-41]"""
    piles = {BOB: ["F1"], CY: ["T1", "F1", "P2"], DEE: ["P3"]}
    places = {BOB: "indoor", CY: "outdoor", DEE: "outdoor"}
    driver = Driver(4, hands={ANN: ["Nosey Neighbour"]}, stockpiles=piles, locations=places)
    assert [
        "Nosey: Nosey Neighbour, cy, Food",
        "Nosey: Nosey Neighbour, cy, Toilet Paper",
    ] == moves(driver)[1:]


def test_swap_shop_goes_with_another_effect_card_drawing_first():
    """[SR-46] [SR-47] A second Swap Shop is another card."""
    driver = Driver(hands={ANN: ["Nice Try!", "Swap Shop", "Stock Up 1", "Nice Try!", "Swap Shop"]})
    assert [
        "Draw",
        "Swap: Swap Shop, Nice Try!, drawing",
        "Swap: Swap Shop, Nice Try!, without",
        "Swap: Swap Shop, Swap Shop, drawing",
        "Swap: Swap Shop, Swap Shop, without",
        "Stock: Stock Up 1",
    ] == moves(driver)
    assert ["Draw"] == moves(Driver(hands={ANN: ["Swap Shop"]}))


def test_a_list_names_the_oldest_copy_only():
    """Whatever its symbol and its deck."""
    driver = Driver(hands={ANN: ["Location Switch", "outdoor Location Switch", "Location Switch"]})
    oldest = driver.state.players[ANN].hand[0].id
    assert [Switch(oldest, BOB), Switch(oldest, CY)] == legal_actions(driver.view(ANN))[1:]


def test_answers_are_no_plays_of_an_own_action():
    """[SR-56]"""
    assert ["Draw"] == moves(Driver(hands={ANN: ["Nice Try!", "Reflection"]}))


def test_nobody_in_self_isolation_or_out_of_the_game_is_hit():
    """[SR-42]"""
    hand = ["Location Switch", "Loot Food", "Trading Station", "Nosey Neighbour"]
    places = {BOB: "outdoor", CY: "outdoor"}
    driver = Driver(4, hands={ANN: hand}, locations=places, isolation=[BOB], out=[CY])
    people = [name.lower() for name in NAMES[:4]]
    assert {"dee"} == {who for play in moves(driver)[1:] for who in people if who in play}


def test_with_an_empty_supplies_deck_nothing_draws_from_it():
    """[SR-31] [SR-47]"""
    driver = Driver(hands={ANN: ["Stock Up 3", "Swap Shop", "Nice Try!"]}, supplies=[])
    assert ["Draw", "End"] == moves(driver)


def test_a_second_self_isolation_is_no_play():
    """[SR-44] S-G28"""
    driver = Driver(hands={ANN: ["Self-Isolation"]}, isolation=[ANN], action=2)
    assert ["Draw"] == moves(driver)


def test_a_full_hand_with_nothing_to_play_discards_and_only_then():
    """[SR-06] [SR-07] S-G16"""
    assert ["Discard: Nice Try!", "Discard: Reflection"] == moves(Driver(hands={ANN: STUCK}))
    playable = [*STUCK[1:], "Home Delivery 2"]
    assert ["Stock: Home Delivery 2"] == moves(Driver(hands={ANN: playable}))
    assert ["Draw"] == moves(Driver(hands={ANN: STUCK[1:]}))


def test_only_in_the_final_turn_may_one_stop():
    """[SR-51] [SR-52]"""
    assert "End" not in moves(Driver())
    assert ["Draw", "End"] == moves(Driver(outdoor=[]))
    assert ["Stock: Stock Up 1", "End"] == moves(Driver(hands={ANN: ["Stock Up 1"]}, indoor=[]))
    full = Driver(hands={ANN: STUCK}, outdoor=[])
    assert ["Discard: Nice Try!", "Discard: Reflection", "End"] == moves(full)


def test_the_location_is_chosen_freely():
    """[SR-11]"""
    driver = Driver(action=3, hands={ANN: ["Stock Up 1"]}, locations={ANN: "outdoor"})
    driver.when(ANN, Stock(driver.held(ANN, "Stock Up 1")))
    assert [Go("indoor"), Go("outdoor")] == legal_actions(driver.view(ANN))
    assert Go("outdoor") == in_time(driver, ANN)


def test_one_supply_of_each_value_can_be_given_up_and_the_clock_takes_the_lowest():
    """[SR-12]"""
    pile = {ANN: ["T1", "F3", "S05", "F4", "S06"]}
    driver = Driver(stockpiles=pile, indoor_top=["Snack Attack"])
    driver.when(ANN, Draw())
    assert ["GiveUp: Food 3", "GiveUp: Food 2", "GiveUp: Food 4"] == moves(driver)
    assert GiveUp("S05") == in_time(driver, ANN)
    assert [] == moves(driver, BOB)


# -- answers ---------------------------------------------------------------------------------------


def test_a_loot_is_reflected_on_whoever_has_the_kind_the_attacker_too():
    """[SR-36] [SR-61] [SR-66]"""
    piles = {ANN: ["F2"], BOB: ["F1"], CY: ["T1", "P1"], DEE: ["F3", "T3", "F1"]}
    driver = attack("Loot Any Supply", 4, stockpiles=piles)
    assert [ANN, DEE] == reflect_targets(driver.view(BOB))
    assert [
        "Pass",
        "Reflect: Reflection, ann, Food 2",
        "Reflect: Reflection, dee, Food 3",
        "Reflect: Reflection, dee, Food 1",
        "NiceTry: Nice Try!",
    ] == moves(driver, BOB)
    assert Pass() == in_time(driver, BOB)


def test_a_reflection_that_would_hit_nobody_is_not_offered():
    """[SR-66]"""
    driver = attack("Loot Food", stockpiles={ANN: [], CY: ["T4"]})
    assert [] == reflect_targets(driver.view(BOB))
    assert ["Pass", "NiceTry: Nice Try!"] == moves(driver, BOB)


def test_a_reflected_trade_names_both_supplies_anew():
    """[SR-37] [SR-60]"""
    piles = {ANN: ["F1"], BOB: ["F1", "T2"], CY: ["P3"]}
    assert [
        "Reflect: Reflection, ann, Food 1, Food 1",
        "Reflect: Reflection, ann, Toilet Paper 2, Food 1",
        "Reflect: Reflection, cy, Food 1, Infection Prevention 3",
        "Reflect: Reflection, cy, Toilet Paper 2, Infection Prevention 3",
    ] == moves(attack("Trading Station", stockpiles=piles), BOB)[1:-1]


def test_a_reflected_nosey_neighbour_keeps_its_kind():
    """[SR-67] S-G26"""
    places = {BOB: "outdoor", CY: "outdoor"}
    driver = attack("Nosey Neighbour", locations=places, stockpiles={CY: ["T1", "T3"]})
    assert ["Reflect: Reflection, cy"] == moves(driver, BOB)[1:-1]
    driver = attack("Nosey Neighbour", locations=places, stockpiles={CY: ["F1"]})
    assert [] == moves(driver, BOB)[1:-1]


def test_a_reflected_location_switch_hits_anybody_else():
    assert ["Reflect: Reflection, ann", "Reflect: Reflection, cy"] == moves(
        attack("Location Switch"), BOB
    )[1:-1]


def test_nobody_in_self_isolation_is_hit_by_a_reflection():
    """[SR-42]"""
    driver = attack("Location Switch", isolation=[CY])
    assert ["Reflect: Reflection, ann"] == moves(driver, BOB)[1:-1]


def test_against_a_counter_a_reflection_names_nobody():
    """[SR-59]"""
    driver = attack("Loot Food", hands={ANN: ["Loot Food", "Reflection", "Nice Try!"]})
    driver.when(BOB, NiceTry(driver.held(BOB, "Nice Try!")))
    assert ("reaction", ANN) == driver.asked()
    assert ["Pass", "Reflect: Reflection", "NiceTry: Nice Try!"] == moves(driver, ANN)
    assert [Reflect(driver.held(ANN, "Reflection"))] == legal_actions(driver.view(ANN))[1:2]
    assert [] == moves(driver, BOB)


def test_whose_effect_was_reflected_may_take_it_back():
    """[SR-62]"""
    driver = attack("Loot Food", hands={ANN: ["Loot Food", "Reflection"]})
    reflection = driver.held(BOB, "Reflection")
    driver.when(BOB, Reflect(reflection, CY, take=driver.owned(CY, "Food 1")))
    assert ("reaction", ANN) == driver.asked()
    assert [
        "Pass",
        "Reflect: Reflection, bob, Food 1",
        "Reflect: Reflection, cy, Food 1",
    ] == moves(driver, ANN)


# -- whom a card can hit ---------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(6))
def test_the_possible_targets_are_those_of_the_list(number: int):
    """Over games: `possible_targets` and the list of plays cannot disagree."""
    game = Game(STOCKPILE, 2 + number % 3, number)
    while not game.is_over:
        view = STOCKPILE.observe(game.state, game.state.asked)
        listed = legal_actions(view)
        for card in view.hand if view.asks == "action" else ():
            oldest = next(c.id for c in view.hand if card_title(c) == card_title(card))
            named = {p.target for p in listed if isinstance(p, AIMED) and p.card == oldest}
            if named or card.name in STRIKES:
                assert sorted(named) == possible_targets(view, view.asked, card.name)
        reflected = {p.target for p in listed if isinstance(p, Reflect) and p.target is not None}
        if view.asks == "reaction" and not view.counters and reflected:
            assert sorted(reflected) == reflect_targets(view)
        game.step()


AIMED = (Loot, Trade, Switch, Nosey)
STRIKES = (
    "Loot Food", "Loot Toilet Paper", "Loot Infection Prevention", "Loot Any Supply",
    "Trading Station", "Location Switch", "Nosey Neighbour",
)  # fmt: skip
