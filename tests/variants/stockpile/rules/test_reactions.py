"""Effect cards, and the chains of answers to them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.variants.stockpile.story import Story
from tests.variants.story import ANN, BOB, CY, kinds, of_kind
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


def looting(**position: Any) -> Story:
    """Ann has played Loot Food on Bob's Food 3."""
    hands = {ANN: ["Loot Food"], **position.pop("hands", {})}
    hands[ANN] = ["Loot Food", *[card for card in hands[ANN] if card != "Loot Food"]]
    story = Story(hands=hands, stockpiles=STOCKPILES, **position)
    loot = Loot(story.held(ANN, "Loot Food"), BOB, story.owned(BOB, "Food 3"))
    story.when(ANN, loot)
    return story


def nice_try(story: Story, seat: int) -> None:
    story.when(seat, NiceTry(story.held(seat, NICE)))


def reflect_at(story: Story, seat: int, target: int, take: str) -> None:
    story.when(seat, Reflect(story.held(seat, MIRROR), target, take=story.owned(target, take)))


def has_looted(story: Story) -> list[tuple[int, int, str]]:
    return [(e.seat, e.victim, e.card.name) for e in of_kind(story.past, Looted)]


# -- who is asked ----------------------------------------------------------------------------------


def test_without_an_indoor_back_nobody_is_asked_and_the_effect_happens():
    """[G-12] One of an Outdoor card is no such back."""
    story = looting(hands={BOB: ["Stock Up 1", "Loot Any Supply"]})
    assert ["EffectPlayed", "Looted", "ActionOpened"] == kinds(story.past[-3:])
    assert ["Toilet Paper 1", "Food 3"] == story.stockpile(ANN)
    assert ["Toilet Paper 2"] == story.stockpile(BOB)
    assert 2 == story.state.action and () == story.view().effects


@pytest.mark.parametrize("card", [NICE, MIRROR, "Home Delivery 1", "Self-Isolation"])
def test_with_an_indoor_back_the_target_is_asked_whatever_the_card_is(card):
    """[G-12] [SR-56]"""
    story = looting(hands={BOB: [card], CY: [NICE]})
    assert ("reaction", BOB) == story.asked()
    assert "Loot Food" == story.view().answered_card.name
    story.when(BOB, Pass())
    assert [(ANN, BOB, "Food")] == has_looted(story)
    assert ("action", ANN) == story.asked()  # Cy, who holds a Nice Try!, has no say


def test_nobody_may_answer_a_player_in_self_isolation():
    """[SR-42] [S-G14]"""
    story = looting(hands={BOB: [NICE, MIRROR]}, isolation=[ANN], action=2)
    assert [] == of_kind(story.past, ReactionOpened)
    assert [(ANN, BOB, "Food")] == has_looted(story)


def test_a_countered_player_without_an_indoor_back_is_passed_over():
    """[G-12] Ann's hand shows Outdoor backs only, so the Nice Try! stands."""
    story = looting(hands={ANN: ["Stock Up 1"], BOB: [NICE]})
    nice_try(story, BOB)
    (settled,) = of_kind(story.past, CounterSettled)
    assert (True, None, BOB) == (settled.stands, settled.live, settled.effect.target)
    assert ["Countered", "CounterSettled", "ActionOpened"] == kinds(story.past[-3:])


# -- counters --------------------------------------------------------------------------------------


def test_a_nice_try_that_stands_ends_the_effect_and_the_action_is_spent():
    """[SR-65] [S-G10]"""
    story = looting(hands={ANN: [NICE], BOB: [NICE]})
    nice_try(story, BOB)
    assert ("reaction", ANN) == story.asked()
    story.when(ANN, Pass())
    assert [] == has_looted(story)
    assert {"Loot Food", NICE} <= story.discarded()
    assert ("action", 2) == (story.state.asks, story.state.action)


def test_a_countered_counter_makes_the_target_answer_afresh():
    """[SR-58] [S-G11] Bob, with two, may try again."""
    story = looting(hands={ANN: [NICE], BOB: [NICE, NICE]})
    nice_try(story, BOB)
    nice_try(story, ANN)
    assert ("reaction", BOB) == story.asked() and 2 == len(story.view().counters)
    story.when(BOB, Pass())
    (settled,) = of_kind(story.past, CounterSettled)
    assert (False, settled.effect) == (settled.stands, settled.live)
    assert ("reaction", BOB) == story.asked() and () == story.view().counters
    nice_try(story, BOB)  # Ann has no back left: it stands
    assert [] == has_looted(story)


def test_three_counters_in_a_row_leave_the_first_standing():
    story = looting(hands={ANN: [NICE, "Home Delivery 1"], BOB: [NICE, MIRROR]})
    nice_try(story, BOB)
    nice_try(story, ANN)
    story.when(BOB, Reflect(story.held(BOB, MIRROR)))  # [SR-59] turns it away, names nobody
    assert ("reaction", ANN) == story.asked()
    story.when(ANN, Pass())
    assert [True] == [settled.stands for settled in of_kind(story.past, CounterSettled)]
    assert [] == has_looted(story)


def test_a_reflection_turns_a_nice_try_away():
    """[SR-59] [S-G22]"""
    story = looting(hands={ANN: [MIRROR], BOB: [NICE, "Home Delivery 1"]})
    nice_try(story, BOB)
    with pytest.raises(IllegalAction):
        reflect_at(story, ANN, CY, "Food 2")
    story.when(ANN, Reflect(story.held(ANN, MIRROR)))
    story.when(BOB, Pass())
    story.when(BOB, Pass())
    assert [(ANN, BOB, "Food")] == has_looted(story)


# -- reflections -----------------------------------------------------------------------------------


def test_a_reflection_on_the_attacker_asks_only_the_attacker():
    """[SR-61] The countered player is the new target: one window, not two."""
    story = Story(hands={ANN: ["Loot Toilet Paper", NICE], BOB: [MIRROR]}, stockpiles=STOCKPILES)
    loot = Loot(story.held(ANN, "Loot Toilet Paper"), BOB, story.owned(BOB, "Toilet Paper 2"))
    story.when(ANN, loot)
    reflect_at(story, BOB, ANN, "Toilet Paper 1")
    assert (ANN,) == story.state.reaction_order
    story.when(ANN, Pass())
    assert [(BOB, ANN, "Toilet Paper")] == has_looted(story)
    assert [] == story.stockpile(ANN)


def test_reflected_to_a_third_the_attacker_is_asked_first_then_the_third():
    """[SR-60] [SR-62] [SR-63] [S-G12]"""
    story = looting(hands={ANN: [NICE], BOB: [MIRROR], CY: [NICE]})
    reflect_at(story, BOB, CY, "Food 2")
    assert ("reaction", ANN) == story.asked() and 0 == story.state.asker
    story.when(ANN, Pass())
    assert ("reaction", CY) == story.asked() and 1 == story.state.asker
    story.when(CY, Pass())
    assert [(BOB, CY, "Food")] == has_looted(story)
    assert ("action", ANN) == story.asked()  # [SR-64] nobody else lost or won an action


def test_an_attacker_without_an_indoor_back_is_passed_over():
    """[G-12]"""
    story = looting(hands={BOB: [MIRROR], CY: [NICE]})
    reflect_at(story, BOB, CY, "Food 2")
    assert ("reaction", CY) == story.asked() and 1 == story.state.asker


def test_a_cancelled_reflection_leaves_the_parent_live_with_fresh_windows():
    """[SR-57] [S-G13] Bob may answer Ann's Loot once more."""
    story = looting(hands={BOB: [MIRROR, NICE], CY: [NICE]})
    reflect_at(story, BOB, CY, "Food 2")
    nice_try(story, CY)
    assert ("reaction", BOB) == story.asked()  # the Reflection is his
    story.when(BOB, Pass())
    (settled,) = of_kind(story.past, CounterSettled)
    assert settled.stands and (CY, BOB) == (settled.effect.target, settled.live.target)
    assert ("reaction", BOB) == story.asked() and 1 == len(story.view().effects)
    story.when(BOB, Pass())
    assert [(ANN, BOB, "Food")] == has_looted(story)


def test_the_attacker_takes_the_effect_back_with_an_own_reflection():
    """[SR-62] Three effects deep: Ann, Bob, Ann; Bob is asked first as he was countered."""
    story = looting(hands={ANN: [MIRROR], BOB: [MIRROR, NICE], CY: [NICE]})
    reflect_at(story, BOB, CY, "Food 2")
    reflect_at(story, ANN, CY, "Food 2")
    assert (BOB, CY) == story.state.reaction_order and 3 == len(story.view().effects)
    nice_try(story, BOB)  # cancels Ann's Reflection: Bob's is live again
    assert 2 == len(story.view().effects)
    assert ("reaction", CY) == story.asked()  # Ann has no Indoor back any more
    nice_try(story, CY)  # Bob has none either: his Reflection is cancelled too
    assert [(ANN, BOB, "Food")] == has_looted(story)


def test_after_a_counter_that_fell_the_askers_begin_again():
    """The attacker who had passed is asked once more."""
    story = looting(hands={ANN: [NICE], BOB: [MIRROR, NICE], CY: [NICE, "Home Delivery 1"]})
    reflect_at(story, BOB, CY, "Food 2")
    story.when(ANN, Pass())
    nice_try(story, CY)
    nice_try(story, BOB)
    story.when(CY, Pass())
    assert ("reaction", ANN) == story.asked()


def test_a_loot_any_keeps_the_kind_that_was_named_first():
    """[SR-36]"""
    hands = {ANN: ["Loot Any Supply"], BOB: [MIRROR]}
    story = Story(hands=hands, stockpiles=STOCKPILES)
    loot = Loot(story.held(ANN, "Loot Any Supply"), BOB, story.owned(BOB, "Food 3"))
    story.when(ANN, loot)
    with pytest.raises(IllegalAction):
        reflect_at(story, BOB, CY, "Infection Prevention 3")
    reflect_at(story, BOB, CY, "Food 2")
    assert [(BOB, CY, "Food")] == has_looted(story)


# -- the other effects -----------------------------------------------------------------------------


def test_a_trade_swaps_the_two_supplies_that_were_named():
    """[SR-37] Each comes last where it arrives."""
    story = Story(hands={ANN: ["Trading Station"]}, stockpiles=STOCKPILES)
    trade = Trade(
        story.held(ANN, "Trading Station"), BOB,
        story.owned(ANN, "Toilet Paper 1"), story.owned(BOB, "Food 3"),
    )  # fmt: skip
    story.when(ANN, trade)
    assert ["Food 3"] == story.stockpile(ANN)
    assert ["Toilet Paper 2", "Toilet Paper 1"] == story.stockpile(BOB)
    assert 1 == len(of_kind(story.past, Traded))


def test_whoever_reflects_a_trade_names_both_supplies_anew():
    """[SR-60] [S-G21]"""
    story = Story(hands={ANN: ["Trading Station"], BOB: [MIRROR]}, stockpiles=STOCKPILES)
    trade = Trade(
        story.held(ANN, "Trading Station"), BOB,
        story.owned(ANN, "Toilet Paper 1"), story.owned(BOB, "Food 3"),
    )  # fmt: skip
    story.when(ANN, trade)
    give, take = story.owned(BOB, "Toilet Paper 2"), story.owned(CY, "Infection Prevention 3")
    story.when(BOB, Reflect(story.held(BOB, MIRROR), CY, give, take))
    assert ["Toilet Paper 1"] == story.stockpile(ANN)
    assert ["Food 3", "Infection Prevention 3"] == story.stockpile(BOB)
    assert ["Food 2", "Toilet Paper 2"] == story.stockpile(CY)


def test_nosey_neighbour_takes_all_of_one_kind():
    """[SR-41]"""
    story = Story(hands={ANN: ["Nosey Neighbour"]}, locations={BOB: "outdoor"},
                  stockpiles={BOB: ["T1", "F1", "T2"]})  # fmt: skip
    story.when(ANN, Nosey(story.held(ANN, "Nosey Neighbour"), BOB, "Toilet Paper"))
    assert ["Food 1"] == story.stockpile(BOB)
    (gone,) = of_kind(story.past, SuppliesDiscarded)
    assert (BOB, ANN, 2) == (gone.seat, gone.by, len(gone.cards))


def test_a_reflected_nosey_neighbour_keeps_its_kind():
    """[SR-67] [S-G26]"""
    story = Story(hands={ANN: ["Nosey Neighbour"], BOB: [MIRROR]},
                  locations={BOB: "outdoor", CY: "outdoor"},
                  stockpiles={BOB: ["T2"], CY: ["T1", "F2", "T3"]})  # fmt: skip
    story.when(ANN, Nosey(story.held(ANN, "Nosey Neighbour"), BOB, "Toilet Paper"))
    story.when(BOB, Reflect(story.held(BOB, MIRROR), CY))
    assert (["Toilet Paper 2"], ["Food 2"]) == (story.stockpile(BOB), story.stockpile(CY))


def test_a_location_switch_turns_its_target_over_at_once():
    """[SR-38] [SR-40] Twice, and all is as before; the own LOCATION is not touched."""
    story = Story(hands={ANN: ["Location Switch", "Location Switch"]}, action=2)
    story.when(ANN, Switch(story.held(ANN, "Location Switch"), BOB))
    assert [Relocated(BOB, "outdoor", "switch", False, False)] == of_kind(story.past, Relocated)
    assert ("outdoor", "indoor") == (story.location(BOB), story.location(ANN))
    story.when(ANN, Switch(story.held(ANN, "Location Switch"), BOB))
    assert "indoor" == story.location(BOB)
    assert 1 == len(of_kind(story.past, LocationOpened))


def test_a_location_switch_frees_a_player_who_had_to_stay_out():
    """[SR-39]"""
    story = Story(hands={ANN: ["Location Switch"]}, locations={BOB: "outdoor"}, bound=[BOB])
    assert story.view().seats[BOB].is_bound
    story.when(ANN, Switch(story.held(ANN, "Location Switch"), BOB))
    assert ("indoor", False) == (story.location(BOB), story.view().seats[BOB].is_bound)


@pytest.mark.parametrize("action", [1, 2, 3])
def test_a_switch_reflected_on_the_player_whose_turn_it_is_holds_for_the_next_turn(action):
    """[SR-38] [S-G24] No LOCATION this turn, whatever else is done; a free one after the next."""
    story = Story(hands={ANN: ["Location Switch"], BOB: [MIRROR]}, action=action,
                  outdoor_top=["Stock Up 1", "Stock Up 2", "Stock Up 3"])  # fmt: skip
    story.when(ANN, Switch(story.held(ANN, "Location Switch"), BOB))
    story.when(BOB, Reflect(story.held(BOB, MIRROR), ANN))
    assert [Relocated(ANN, "outdoor", "switch", False, True)] == of_kind(story.past, Relocated)
    before = len(story.state.outdoor)
    for _ in range(action, 3):
        assert story.view().skips
        story.when(ANN, Draw())
    assert before - (3 - action) == len(story.state.outdoor)
    assert ("action", BOB) == story.asked() and [] == of_kind(story.past, LocationOpened)
    assert not story.view().skips and "outdoor" == story.location(ANN)


def test_a_switch_reflected_on_a_third_player_leaves_the_own_choice():
    """[SR-38]"""
    story = Story(hands={ANN: ["Location Switch"], BOB: [MIRROR]}, action=3)
    story.when(ANN, Switch(story.held(ANN, "Location Switch"), BOB))
    story.when(BOB, Reflect(story.held(BOB, MIRROR), CY))
    assert ("outdoor", "indoor") == (story.location(CY), story.location(BOB))
    assert ("location", ANN) == story.asked()


def test_each_window_is_a_question_of_its_own():
    """[TIME-5] So a new window has the whole clock, also for the same seat."""
    story = looting(hands={ANN: [NICE], BOB: [NICE, NICE]})
    asked = [story.view().question]
    nice_try(story, BOB)
    asked.append(story.view().question)
    nice_try(story, ANN)
    asked.append(story.view().question)
    story.when(BOB, Pass())
    asked.append(story.view().question)
    assert asked == sorted(set(asked))
