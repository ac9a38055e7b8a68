"""Effect cards, and the chains of answers to them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, kinds, of_kind
from tests.variants.stockpile.driver import Driver
from variants.contract import IllegalAction
from variants.stockpile.actions import (
    Draw,
    Loot,
    NiceTry,
    Nosey,
    Pass,
    Reflect,
    Switch,
    Trade,
)
from variants.stockpile.events import (
    CounterSettled,
    LocationOpened,
    Looted,
    ReactionOpened,
    Relocated,
    SuppliesDiscarded,
    Traded,
)

STOCKPILES = {ANN: ["T1"], BOB: ["F3", "T2"], CY: ["F2", "P3"]}
NICE, MIRROR = "Nice Try!", "Reflection"


def looting(**position: Any) -> Driver:
    """Ann has played Loot Food on Bob's Food 3."""
    hands = {ANN: ["Loot Food"], **position.pop("hands", {})}
    hands[ANN] = ["Loot Food", *[card for card in hands[ANN] if card != "Loot Food"]]
    driver = Driver(hands=hands, stockpiles=STOCKPILES, **position)
    loot = Loot(driver.held(ANN, "Loot Food"), BOB, driver.owned(BOB, "Food 3"))
    driver.when(ANN, loot)
    return driver


def nice_try(driver: Driver, seat: int) -> None:
    driver.when(seat, NiceTry(driver.held(seat, NICE)))


def reflect_at(driver: Driver, seat: int, target: int, take: str) -> None:
    driver.when(seat, Reflect(driver.held(seat, MIRROR), target, take=driver.owned(target, take)))


def has_looted(driver: Driver) -> list[tuple[int, int, str]]:
    return [(e.seat, e.victim, e.card.name) for e in of_kind(driver.past, Looted)]


# -- who is asked ----------------------------------------------------------------------------------


def test_without_an_indoor_back_nobody_is_asked_and_the_effect_happens():
    """[G-12] One of an Outdoor card is no such back."""
    driver = looting(hands={BOB: ["Stock Up 1", "Loot Any Supply"]})
    assert ["EffectPlayed", "Looted", "ActionOpened"] == kinds(driver.past[-3:])
    assert ["Toilet Paper 1", "Food 3"] == driver.stockpile(ANN)
    assert ["Toilet Paper 2"] == driver.stockpile(BOB)
    assert 2 == driver.state.action and () == driver.view().effects


@pytest.mark.parametrize("card", [NICE, MIRROR, "Home Delivery 1", "Self-Isolation"])
def test_with_an_indoor_back_the_target_is_asked_whatever_the_card_is(card):
    """[G-12] [SR-56]"""
    driver = looting(hands={BOB: [card], CY: [NICE]})
    assert ("reaction", BOB) == driver.asked()
    assert "Loot Food" == driver.view().answered_card.name
    driver.when(BOB, Pass())
    assert [(ANN, BOB, "Food")] == has_looted(driver)
    assert ("action", ANN) == driver.asked()  # Cy, who holds a Nice Try!, has no say


def test_nobody_may_answer_a_player_in_self_isolation():
    """[SR-42] [S-G14]"""
    driver = looting(hands={BOB: [NICE, MIRROR]}, isolation=[ANN], action=2)
    assert [] == of_kind(driver.past, ReactionOpened)
    assert [(ANN, BOB, "Food")] == has_looted(driver)


def test_a_countered_player_without_an_indoor_back_is_passed_over():
    """[G-12] Ann's hand shows Outdoor backs only, so the Nice Try! stands."""
    driver = looting(hands={ANN: ["Stock Up 1"], BOB: [NICE]})
    nice_try(driver, BOB)
    (settled,) = of_kind(driver.past, CounterSettled)
    assert (True, None, BOB) == (settled.stands, settled.live, settled.effect.target)
    assert ["Countered", "CounterSettled", "ActionOpened"] == kinds(driver.past[-3:])


# -- counters --------------------------------------------------------------------------------------


def test_a_nice_try_that_stands_ends_the_effect_and_the_action_is_spent():
    """[SR-65] [S-G10]"""
    driver = looting(hands={ANN: [NICE], BOB: [NICE]})
    nice_try(driver, BOB)
    assert ("reaction", ANN) == driver.asked()
    driver.when(ANN, Pass())
    assert [] == has_looted(driver)
    assert {"Loot Food", NICE} <= driver.discarded()
    assert ("action", 2) == (driver.state.asks, driver.state.action)


def test_a_countered_counter_makes_the_target_answer_afresh():
    """[SR-58] [S-G11] Bob, with two, may try again."""
    driver = looting(hands={ANN: [NICE], BOB: [NICE, NICE]})
    nice_try(driver, BOB)
    nice_try(driver, ANN)
    assert ("reaction", BOB) == driver.asked() and 2 == len(driver.view().counters)
    driver.when(BOB, Pass())
    (settled,) = of_kind(driver.past, CounterSettled)
    assert (False, settled.effect) == (settled.stands, settled.live)
    assert ("reaction", BOB) == driver.asked() and () == driver.view().counters
    nice_try(driver, BOB)  # Ann has no back left: it stands
    assert [] == has_looted(driver)


def test_three_counters_in_a_row_leave_the_first_standing():
    driver = looting(hands={ANN: [NICE, "Home Delivery 1"], BOB: [NICE, MIRROR]})
    nice_try(driver, BOB)
    nice_try(driver, ANN)
    driver.when(BOB, Reflect(driver.held(BOB, MIRROR)))  # [SR-59] turns it away, names nobody
    assert ("reaction", ANN) == driver.asked()
    driver.when(ANN, Pass())
    assert [True] == [settled.stands for settled in of_kind(driver.past, CounterSettled)]
    assert [] == has_looted(driver)


def test_a_reflection_turns_a_nice_try_away():
    """[SR-59] [S-G22]"""
    driver = looting(hands={ANN: [MIRROR], BOB: [NICE, "Home Delivery 1"]})
    nice_try(driver, BOB)
    with pytest.raises(IllegalAction):
        reflect_at(driver, ANN, CY, "Food 2")
    driver.when(ANN, Reflect(driver.held(ANN, MIRROR)))
    driver.when(BOB, Pass())
    driver.when(BOB, Pass())
    assert [(ANN, BOB, "Food")] == has_looted(driver)


# -- reflections -----------------------------------------------------------------------------------


def test_a_reflection_on_the_attacker_asks_only_the_attacker():
    """[SR-61] The countered player is the new target: one window, not two."""
    driver = Driver(hands={ANN: ["Loot Toilet Paper", NICE], BOB: [MIRROR]}, stockpiles=STOCKPILES)
    loot = Loot(driver.held(ANN, "Loot Toilet Paper"), BOB, driver.owned(BOB, "Toilet Paper 2"))
    driver.when(ANN, loot)
    reflect_at(driver, BOB, ANN, "Toilet Paper 1")
    assert (ANN,) == driver.state.reaction_order
    driver.when(ANN, Pass())
    assert [(BOB, ANN, "Toilet Paper")] == has_looted(driver)
    assert [] == driver.stockpile(ANN)


def test_reflected_to_a_third_the_attacker_is_asked_first_then_the_third():
    """[SR-60] [SR-62] [SR-63] [S-G12]"""
    driver = looting(hands={ANN: [NICE], BOB: [MIRROR], CY: [NICE]})
    reflect_at(driver, BOB, CY, "Food 2")
    assert ("reaction", ANN) == driver.asked() and 0 == driver.state.asker
    driver.when(ANN, Pass())
    assert ("reaction", CY) == driver.asked() and 1 == driver.state.asker
    driver.when(CY, Pass())
    assert [(BOB, CY, "Food")] == has_looted(driver)
    assert ("action", ANN) == driver.asked()  # [SR-64] nobody else lost or won an action


def test_an_attacker_without_an_indoor_back_is_passed_over():
    """[G-12]"""
    driver = looting(hands={BOB: [MIRROR], CY: [NICE]})
    reflect_at(driver, BOB, CY, "Food 2")
    assert ("reaction", CY) == driver.asked() and 1 == driver.state.asker


def test_a_cancelled_reflection_leaves_the_parent_live_with_fresh_windows():
    """[SR-57] [S-G13] Bob may answer Ann's Loot once more."""
    driver = looting(hands={BOB: [MIRROR, NICE], CY: [NICE]})
    reflect_at(driver, BOB, CY, "Food 2")
    nice_try(driver, CY)
    assert ("reaction", BOB) == driver.asked()  # the Reflection is his
    driver.when(BOB, Pass())
    (settled,) = of_kind(driver.past, CounterSettled)
    assert settled.stands and (CY, BOB) == (settled.effect.target, settled.live.target)
    assert ("reaction", BOB) == driver.asked() and 1 == len(driver.view().effects)
    driver.when(BOB, Pass())
    assert [(ANN, BOB, "Food")] == has_looted(driver)


def test_the_attacker_takes_the_effect_back_with_an_own_reflection():
    """[SR-62] Three effects deep: Ann, Bob, Ann; Bob is asked first as he was countered."""
    driver = looting(hands={ANN: [MIRROR], BOB: [MIRROR, NICE], CY: [NICE]})
    reflect_at(driver, BOB, CY, "Food 2")
    reflect_at(driver, ANN, CY, "Food 2")
    assert (BOB, CY) == driver.state.reaction_order and 3 == len(driver.view().effects)
    nice_try(driver, BOB)  # cancels Ann's Reflection: Bob's is live again
    assert 2 == len(driver.view().effects)
    assert ("reaction", CY) == driver.asked()  # Ann has no Indoor back any more
    nice_try(driver, CY)  # Bob has none either: his Reflection is cancelled too
    assert [(ANN, BOB, "Food")] == has_looted(driver)


def test_after_a_counter_that_fell_the_askers_begin_again():
    """The attacker who had passed is asked once more."""
    driver = looting(hands={ANN: [NICE], BOB: [MIRROR, NICE], CY: [NICE, "Home Delivery 1"]})
    reflect_at(driver, BOB, CY, "Food 2")
    driver.when(ANN, Pass())
    nice_try(driver, CY)
    nice_try(driver, BOB)
    driver.when(CY, Pass())
    assert ("reaction", ANN) == driver.asked()


def test_a_loot_any_keeps_the_kind_that_was_named_first():
    """[SR-36]"""
    hands = {ANN: ["Loot Any Supply"], BOB: [MIRROR]}
    driver = Driver(hands=hands, stockpiles=STOCKPILES)
    loot = Loot(driver.held(ANN, "Loot Any Supply"), BOB, driver.owned(BOB, "Food 3"))
    driver.when(ANN, loot)
    with pytest.raises(IllegalAction):
        reflect_at(driver, BOB, CY, "Infection Prevention 3")
    reflect_at(driver, BOB, CY, "Food 2")
    assert [(BOB, CY, "Food")] == has_looted(driver)


# -- the other effects -----------------------------------------------------------------------------


def test_a_trade_swaps_the_two_supplies_that_were_named():
    """[SR-37] Each comes last where it arrives."""
    driver = Driver(hands={ANN: ["Trading Station"]}, stockpiles=STOCKPILES)
    trade = Trade(
        driver.held(ANN, "Trading Station"), BOB,
        driver.owned(ANN, "Toilet Paper 1"), driver.owned(BOB, "Food 3"),
    )  # fmt: skip
    driver.when(ANN, trade)
    assert ["Food 3"] == driver.stockpile(ANN)
    assert ["Toilet Paper 2", "Toilet Paper 1"] == driver.stockpile(BOB)
    assert 1 == len(of_kind(driver.past, Traded))


def test_whoever_reflects_a_trade_names_both_supplies_anew():
    """[SR-60] [S-G21]"""
    driver = Driver(hands={ANN: ["Trading Station"], BOB: [MIRROR]}, stockpiles=STOCKPILES)
    trade = Trade(
        driver.held(ANN, "Trading Station"), BOB,
        driver.owned(ANN, "Toilet Paper 1"), driver.owned(BOB, "Food 3"),
    )  # fmt: skip
    driver.when(ANN, trade)
    give, take = driver.owned(BOB, "Toilet Paper 2"), driver.owned(CY, "Infection Prevention 3")
    driver.when(BOB, Reflect(driver.held(BOB, MIRROR), CY, give, take))
    assert ["Toilet Paper 1"] == driver.stockpile(ANN)
    assert ["Food 3", "Infection Prevention 3"] == driver.stockpile(BOB)
    assert ["Food 2", "Toilet Paper 2"] == driver.stockpile(CY)


def test_nosey_neighbour_takes_all_of_one_kind():
    """[SR-41]"""
    driver = Driver(hands={ANN: ["Nosey Neighbour"]}, locations={BOB: "outdoor"},
                  stockpiles={BOB: ["T1", "F1", "T2"]})  # fmt: skip
    driver.when(ANN, Nosey(driver.held(ANN, "Nosey Neighbour"), BOB, "Toilet Paper"))
    assert ["Food 1"] == driver.stockpile(BOB)
    (gone,) = of_kind(driver.past, SuppliesDiscarded)
    assert (BOB, ANN, 2) == (gone.seat, gone.by, len(gone.cards))


def test_a_reflected_nosey_neighbour_keeps_its_kind():
    """[SR-67] [S-G26]"""
    driver = Driver(hands={ANN: ["Nosey Neighbour"], BOB: [MIRROR]},
                  locations={BOB: "outdoor", CY: "outdoor"},
                  stockpiles={BOB: ["T2"], CY: ["T1", "F2", "T3"]})  # fmt: skip
    driver.when(ANN, Nosey(driver.held(ANN, "Nosey Neighbour"), BOB, "Toilet Paper"))
    driver.when(BOB, Reflect(driver.held(BOB, MIRROR), CY))
    assert (["Toilet Paper 2"], ["Food 2"]) == (driver.stockpile(BOB), driver.stockpile(CY))


def test_a_location_switch_turns_its_target_over_at_once():
    """[SR-38] [SR-40] Twice, and all is as before; the own LOCATION is not touched."""
    driver = Driver(hands={ANN: ["Location Switch", "Location Switch"]}, action=2)
    driver.when(ANN, Switch(driver.held(ANN, "Location Switch"), BOB))
    assert [Relocated(BOB, "outdoor", "switch", False, False)] == of_kind(driver.past, Relocated)
    assert ("outdoor", "indoor") == (driver.location(BOB), driver.location(ANN))
    driver.when(ANN, Switch(driver.held(ANN, "Location Switch"), BOB))
    assert "indoor" == driver.location(BOB)
    assert 1 == len(of_kind(driver.past, LocationOpened))


def test_a_location_switch_frees_a_player_who_had_to_stay_out():
    """[SR-39]"""
    driver = Driver(hands={ANN: ["Location Switch"]}, locations={BOB: "outdoor"}, bound=[BOB])
    assert driver.view().seats[BOB].is_bound
    driver.when(ANN, Switch(driver.held(ANN, "Location Switch"), BOB))
    assert ("indoor", False) == (driver.location(BOB), driver.view().seats[BOB].is_bound)


@pytest.mark.parametrize("action", [1, 2, 3])
def test_a_switch_reflected_on_the_player_whose_turn_it_is_holds_for_the_next_turn(action):
    """[SR-38] [S-G24] No LOCATION this turn, whatever else is done; a free one after the next."""
    driver = Driver(hands={ANN: ["Location Switch"], BOB: [MIRROR]}, action=action,
                  outdoor_top=["Stock Up 1", "Stock Up 2", "Stock Up 3"])  # fmt: skip
    driver.when(ANN, Switch(driver.held(ANN, "Location Switch"), BOB))
    driver.when(BOB, Reflect(driver.held(BOB, MIRROR), ANN))
    assert [Relocated(ANN, "outdoor", "switch", False, True)] == of_kind(driver.past, Relocated)
    before = len(driver.state.outdoor)
    for _ in range(action, 3):
        assert driver.view().skips
        driver.when(ANN, Draw())
    assert before - (3 - action) == len(driver.state.outdoor)
    assert ("action", BOB) == driver.asked() and [] == of_kind(driver.past, LocationOpened)
    assert not driver.view().skips and "outdoor" == driver.location(ANN)


def test_a_switch_reflected_on_a_third_player_leaves_the_own_choice():
    """[SR-38]"""
    driver = Driver(hands={ANN: ["Location Switch"], BOB: [MIRROR]}, action=3)
    driver.when(ANN, Switch(driver.held(ANN, "Location Switch"), BOB))
    driver.when(BOB, Reflect(driver.held(BOB, MIRROR), CY))
    assert ("outdoor", "indoor") == (driver.location(CY), driver.location(BOB))
    assert ("location", ANN) == driver.asked()


def test_each_window_is_a_question_of_its_own():
    """[TIME-5] So a new window has the whole clock, also for the same seat."""
    driver = looting(hands={ANN: [NICE], BOB: [NICE, NICE]})
    asked = [driver.view().question]
    nice_try(driver, BOB)
    asked.append(driver.view().question)
    nice_try(driver, ANN)
    asked.append(driver.view().question)
    driver.when(BOB, Pass())
    asked.append(driver.view().question)
    assert asked == sorted(set(asked))
