"""The deal, a turn and its actions, and how a game ends."""

from __future__ import annotations

import pytest

from tests.conformance.play import folded
from tests.variants.driver import ANN, BOB, CY, NAMES, chance, kinds, of_kind
from tests.variants.stockpile.driver import BOX, STOCKPILE, Driver, named
from variants.contract import IllegalAction, Outcome
from variants.kit.chance import ScriptedChance
from variants.kit.text import Style, plain_text
from variants.stockpile.actions import Discard, Draw, End, Go, Isolate, Stock, Swap
from variants.stockpile.data.cards import DECK_SIZE, card_title
from variants.stockpile.events import (
    ActionOpened,
    CardDiscarded,
    DeckEmptied,
    GameEnded,
    IsolationEnded,
    IsolationPlayed,
    LocationOpened,
    Relocated,
    SupplyDrawn,
    TurnStarted,
)

# -- the deal --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "left"), [(2, 29), (3, 26), (4, 23)])
def test_everybody_begins_at_home_with_four_supplies_of_the_deck(seats, left):
    """[SR-01] [S-G01]"""
    events = STOCKPILE.deal(seats, {}, chance())
    view = STOCKPILE.observe(folded(STOCKPILE, events), None)
    assert ["GameBegun", "Dealt", "TurnStarted", "ActionOpened"] == kinds(events)
    for seat in view.seats:
        supplies = [card_title(card) for card in seat.stockpile]
        assert ["Food 1", "Toilet Paper 1", "Infection Prevention 2"] == supplies
        assert ("indoor", 0) == (seat.location, seat.cards)
    assert (left, DECK_SIZE, DECK_SIZE) == (view.supplies, view.indoor, view.outdoor)
    assert ("action", 1, 1) == (view.asks, view.action, view.number)


def test_chance_is_drawn_for_three_decks_and_then_the_first_player():
    """[SR-02] What is left of the Supplies, in the order of the box, is shuffled."""
    orders = [tuple(reversed(range(size))) for size in (29, 35, 35)]
    script = ScriptedChance([*orders, 1])
    state = folded(STOCKPILE, STOCKPILE.deal(2, {}, script))
    assert (BOB, BOB) == (state.turn, state.asked)
    assert BOX.indoor[::-1] == state.indoor and BOX.outdoor[::-1] == state.outdoor
    assert "Sold Out" == state.supplies[0].name and "S03" == state.supplies[-1].id


# -- actions ---------------------------------------------------------------------------------------


def test_a_turn_is_three_actions_then_a_choice_of_place_then_the_next_seat():
    """[SR-03] [SR-11]"""
    top = ["Nice Try!", "Reflection", "Home Delivery 1"]
    driver = Driver(indoor_top=top)
    for _ in range(3):
        driver.when(ANN, Draw())
    assert [1, 2, 3] == [opened.action for opened in of_kind(driver.past, ActionOpened)]
    assert top == driver.hand(ANN)
    assert ("location", ANN) == driver.asked()
    events = driver.when(ANN, Go("outdoor"))
    assert [Relocated(ANN, "outdoor", "chosen", False, False)] == of_kind(events, Relocated)
    assert ["Relocated", "TurnStarted", "ActionOpened"] == kinds(events)
    assert ("action", BOB) == driver.asked()


def test_staying_is_a_choice_that_is_told_too():
    """[SR-11]"""
    driver = Driver(hands={ANN: ["Home Delivery 1"]}, action=3)
    driver.when(ANN, Stock(driver.held(ANN, "Home Delivery 1")))
    events = driver.when(ANN, Go("indoor"))
    assert [Relocated(ANN, "indoor", "kept", False, False)] == of_kind(events, Relocated)


def test_a_card_is_drawn_from_the_deck_of_the_location():
    """[SR-05]"""
    driver = Driver(locations={ANN: "outdoor"}, outdoor_top=["Loot Food"])
    (drawn, opened) = driver.when(ANN, Draw())
    assert ("CardDrawn", "outdoor") == (type(drawn).__name__, drawn.back)
    assert ActionOpened(ANN, 2) == opened
    assert (34, 35) == (len(driver.state.outdoor), len(driver.state.indoor))


def test_stock_up_draws_supplies_one_after_the_other_and_sold_out_counts():
    """[SR-32] [SR-33]"""
    driver = Driver(hands={ANN: ["Stock Up 3"]}, stockpiles={ANN: []},
                  supplies_top=["F3", "Sold Out", "P1", "T4"])  # fmt: skip
    events = driver.when(ANN, Stock(driver.held(ANN, "Stock Up 3")))
    assert ["StockPlayed", *["SupplyDrawn"] * 3, "ActionOpened"] == kinds(events)
    assert ["Food 3", "Infection Prevention 1"] == driver.stockpile(ANN)
    assert {"Sold Out", "Stock Up 3"} <= driver.discarded()


def test_stock_up_draws_what_is_left_and_begins_the_final_turn():
    """[SR-31] [SR-50] [S-G17]"""
    driver = Driver(hands={ANN: ["Stock Up 3"]}, supplies=["F2", "Sold Out"])
    events = driver.when(ANN, Stock(driver.held(ANN, "Stock Up 3")))
    assert ["StockPlayed", "SupplyDrawn", "SupplyDrawn", "DeckEmptied", "ActionOpened"] == kinds(
        events
    )
    assert [DeckEmptied("supplies", ANN)] == of_kind(events, DeckEmptied)
    driver.when(ANN, Draw())
    driver.when(ANN, End())
    assert "supplies" == driver.state.ended and 2 == len(of_kind(driver.past, ActionOpened)) - 1


def test_swap_shop_discards_another_effect_card_unused_and_draws_a_supply():
    """[SR-46] [SR-47] [S-G18]"""
    driver = Driver(
        hands={ANN: ["Swap Shop", "Reflection"]}, supplies_top=["P3"], stockpiles={ANN: []}
    )
    swap = Swap(driver.held(ANN, "Swap Shop"), driver.held(ANN, "Reflection"))
    events = driver.when(ANN, swap)
    assert ["SwapPlayed", "SupplyDrawn", "ActionOpened"] == kinds(events)
    assert (["Infection Prevention 3"], []) == (driver.stockpile(ANN), driver.hand(ANN))
    assert {"Swap Shop", "Reflection"} <= driver.discarded()


def test_swap_shop_without_drawing_can_put_off_the_end():
    """[SR-47]"""
    driver = Driver(hands={ANN: ["Swap Shop", "Nice Try!"]}, supplies=["P3"])
    swap = Swap(driver.held(ANN, "Swap Shop"), driver.held(ANN, "Nice Try!"), draws=False)
    events = driver.when(ANN, swap)
    assert ["SwapPlayed", "ActionOpened"] == kinds(events)
    assert [] == of_kind(events, SupplyDrawn) and not driver.view().is_final


def test_self_isolation_lies_in_play_until_the_own_next_turn_begins():
    """[SR-45] [SR-08] It is no hand card meanwhile, and in nobody else's way."""
    driver = Driver(seats=2, hands={ANN: ["Self-Isolation"]}, action=3, turn=ANN,
                  indoor_top=["Nice Try!"] * 3)  # fmt: skip
    events = driver.when(ANN, Isolate(driver.held(ANN, "Self-Isolation")))
    assert [IsolationPlayed] == [type(e) for e in of_kind(events, IsolationPlayed)]
    assert ([], "Self-Isolation") == (driver.hand(ANN), driver.view().seats[ANN].isolation.name)
    driver.when(ANN, Go("indoor"))
    for _ in range(3):
        driver.when(BOB, Draw())
    events = driver.when(BOB, Go("indoor"))
    assert ["Relocated", "TurnStarted", "IsolationEnded", "ActionOpened"] == kinds(events)
    assert [ANN] == [ended.seat for ended in of_kind(events, IsolationEnded)]
    assert driver.view().seats[ANN].isolation is None
    assert "Self-Isolation" in driver.discarded()


def test_a_full_hand_with_nothing_to_play_discards_one():
    """[SR-07] [S-G16]"""
    driver = Driver(hands={ANN: ["Nice Try!"] * 5 + ["Reflection"] * 3})
    events = driver.when(ANN, Discard(driver.held(ANN, "Reflection")))
    assert ["CardDiscarded", "ActionOpened"] == kinds(events)
    assert 7 == len(driver.hand(ANN)) and {"Reflection"} == driver.discarded()
    assert 1 == len(of_kind(events, CardDiscarded))


def test_a_refused_action_changes_nothing():
    """[G-03]"""
    driver = Driver()
    before = driver.state
    for seat, action in ((BOB, Draw()), (ANN, End()), (ANN, Go("outdoor"))):
        with pytest.raises(IllegalAction):
            STOCKPILE.decide(before, seat, action, chance())
    assert before == driver.state


def test_any_copy_that_is_held_may_be_named():
    """The oldest is what a list of plays names."""
    driver = Driver(hands={ANN: ["Home Delivery 1", "Home Delivery 1"]})
    first, second = (card.id for card in driver.state.players[ANN].hand)
    driver.when(ANN, Stock(second))
    assert [first] == [card.id for card in driver.state.players[ANN].hand]


# -- the final turn --------------------------------------------------------------------------------


def test_the_remaining_actions_of_the_final_turn_are_optional():
    """[SR-51] [SR-53] LOCATION is skipped and nobody else gets a turn."""
    driver = Driver(indoor=["Nice Try!"], locations={ANN: "indoor"})
    events = driver.when(ANN, Draw())
    assert ["CardDrawn", "DeckEmptied", "ActionOpened"] == kinds(events)
    assert [End()] == list(STOCKPILE.legal_actions(driver.view(ANN)))
    assert ["GameEnded"] == kinds(driver.when(ANN, End()))


def test_a_final_turn_played_to_its_end_opens_no_location():
    """[SR-52]"""
    driver = Driver(
        hands={ANN: ["Stock Up 1"]}, supplies=["F1"], action=2, indoor_top=["Nice Try!"]
    )
    driver.when(ANN, Stock(driver.held(ANN, "Stock Up 1")))
    driver.when(ANN, Draw())
    assert [] == of_kind(driver.past, LocationOpened)
    assert "supplies" == driver.state.ended


def test_a_final_turn_with_an_empty_hand_and_an_empty_deck_ends_at_once():
    """[SR-51] [G-12] Both are public facts."""
    driver = Driver(indoor=["Caught Red Handed"], stockpiles={ANN: ["F1"]})
    events = driver.when(ANN, Draw())
    assert ["ImpactDrawn", "DeckEmptied", "NothingLost", "GameEnded"] == kinds(events)


def test_a_card_in_the_hand_keeps_the_window_open_whatever_it_is():
    """[G-12] A Nice Try! cannot be played now, but nobody is to know."""
    driver = Driver(
        indoor=["Caught Red Handed"], stockpiles={ANN: ["F1"]}, hands={ANN: ["Nice Try!"]}
    )
    driver.when(ANN, Draw())
    assert ("action", ANN) == driver.asked()


def test_who_went_out_in_the_final_turn_may_draw_there():
    """[SR-52] The location changed, so another deck is there to draw from."""
    driver = Driver(indoor=["Snack Attack"], stockpiles={ANN: []}, outdoor_top=["Stock Up 1"])
    events = driver.when(ANN, Draw())
    assert ["ImpactDrawn", "DeckEmptied", "Relocated", "ActionOpened"] == kinds(events)
    driver.when(ANN, Draw())
    assert ["Stock Up 1"] == driver.hand(ANN)


def test_two_decks_can_run_out_in_one_turn():
    """The game ends once."""
    driver = Driver(hands={ANN: ["Stock Up 1"]}, supplies=["F1"], indoor=["Nice Try!"], action=2)
    driver.when(ANN, Stock(driver.held(ANN, "Stock Up 1")))
    driver.when(ANN, Draw())
    assert ["supplies", "indoor"] == [e.deck for e in of_kind(driver.past, DeckEmptied)]
    assert 1 == len(of_kind(driver.past, GameEnded))


def test_the_deck_that_ran_out_first_ends_the_game_and_says_so_once():
    """[SR-50] The Supplies run out after the Indoor deck, and are named before it elsewhere."""
    driver = Driver(hands={ANN: ["Stock Up 1"]}, supplies=["F1"], indoor=["Nice Try!"], action=2)
    events = driver.when(ANN, Draw())
    assert [DeckEmptied("indoor", ANN)] == of_kind(events, DeckEmptied)
    events = driver.when(ANN, Stock(driver.held(ANN, "Stock Up 1")))
    assert [DeckEmptied("supplies", ANN, is_first=False)] == of_kind(events, DeckEmptied)
    assert "indoor" == driver.state.ended == of_kind(events, GameEnded)[0].reason
    told = [driver.game.describe_event(event, ANN, NAMES, Style()) for event in driver.past]
    said = [plain_text(line) for line in told if line]
    assert 1 == sum("this is the last turn" in line for line in said)
    assert said[-2:] == [
        "The Supplies deck is empty, too.",
        "The Indoor deck has run out: you win with the most valuable stockpile.",
    ]
    sampled = next(driver.game.sample_states(driver.view(ANN), driver.past, chance()))
    assert "indoor" == sampled.emptied


# -- the end ---------------------------------------------------------------------------------------


def test_the_most_valuable_stockpile_wins_and_equal_ones_share():
    """[SR-48] [SR-54] [SR-55] [S-G19]"""
    stockpiles = {ANN: ["F4", "F3"], BOB: ["P3", "T4"], 3: ["F1"]}
    driver = Driver(seats=4, stockpiles=stockpiles, out=[CY], indoor=[], action=3,
                  hands={ANN: ["Home Delivery 2"]})  # fmt: skip
    events = driver.when(ANN, End())
    assert [GameEnded("indoor", (ANN, BOB))] == of_kind(events, GameEnded)
    ended = STOCKPILE.outcome(driver.state)
    assert Outcome((1, 1, 4, 3), (7, 7, None, 1), "the Indoor deck has run out") == ended
    assert STOCKPILE.open_window(driver.view()) is None


def test_all_who_are_infected_share_the_place_after_the_survivors():
    """However early they fell."""
    driver = Driver(seats=4, out=[CY, BOB], stockpiles={ANN: [], 3: ["T1"]},
                  indoor_top=["Infection", "Infection"])  # fmt: skip
    driver.when(ANN, Draw())
    ended = STOCKPILE.outcome(driver.state)
    assert Outcome((2, 2, 2, 1), (None, None, None, 1), "everybody else is infected") == ended


def test_a_game_that_goes_on_has_no_outcome():
    assert STOCKPILE.outcome(Driver().state) is None


def test_turns_are_numbered_through():
    driver = Driver(number=5, action=3, hands={ANN: ["Home Delivery 1"]})
    driver.when(ANN, Stock(named(driver.state.players[ANN].hand, "Home Delivery 1")))
    driver.when(ANN, Go("indoor"))
    assert [TurnStarted(BOB, 6)] == of_kind(driver.past[-3:], TurnStarted)
