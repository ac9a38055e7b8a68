from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from mudserver.bots.worker import choose_action
from tests.bench.league import league, play
from tests.variants.driver import ANN, BOB, CY, DEE
from tests.variants.stockpile.driver import BOX, STOCKPILE, Driver
from variants.contract import Seat
from variants.stockpile import events
from variants.stockpile.actions import (
    Action,
    Draw,
    End,
    GiveUp,
    Go,
    Isolate,
    Loot,
    NiceTry,
    Nosey,
    Pass,
    Reflect,
    Stock,
    Swap,
    Trade,
)
from variants.stockpile.bots.action_evaluation import prune_dominated
from variants.stockpile.bots.estimate import SeatKnowledge
from variants.stockpile.bots.evaluation import survival_odds
from variants.stockpile.data.cards import INDOORS, NICE_TRY, OUTDOORS, REFLECTION, Box, Card, Cards
from variants.stockpile.game import build_game

SEEDS = range(5)
AT_LEAST = {2: 0.60, 3: 0.45, 4: 0.36}  # of the wins, by seats


def heard(driver: Driver, seat: Seat) -> list[Any]:
    known = [STOCKPILE.redact(event, seat) for event in driver.past]
    return [event for event in known if event is not None]


def choices(driver: Driver, seat: Seat, level: str = "hard") -> set[Action]:
    """What the player of *level* does here, over some seeds."""
    view, seen = driver.view(seat), heard(driver, seat)
    return {choose_action(STOCKPILE, level, view, seen, bytes([seed])) for seed in SEEDS}


def known(driver: Driver, seat: Seat) -> SeatKnowledge:
    return SeatKnowledge(driver.view(seat), heard(driver, seat))


# -- all levels ---------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("levels", [("easy", "easy"), ("hard", "hard"), ("medium", "hard")])
def test_every_game_comes_to_its_end(seats: int, levels: Sequence[str]) -> None:
    for seed in range(2):
        outcome = play(STOCKPILE, {}, [levels[seat % 2] for seat in range(seats)], seed, {})
        assert 1 in outcome.places


def test_the_same_view_history_and_chance_give_the_same_action() -> None:
    driver = Driver(hands={ANN: ["Stock Up 2", "Loot Food", "Swap Shop"]})
    view, seen = driver.view(ANN), heard(driver, ANN)
    for level in STOCKPILE.bots:
        for seed in SEEDS:
            one, other = (
                choose_action(STOCKPILE, level, view, seen, bytes([seed])) for _ in range(2)
            )
            assert one == other
    assert len(choices(driver, ANN, level="easy")) > 1


def test_a_seat_that_heard_nothing_plays_all_the_same() -> None:
    view = Driver(hands={ANN: ["Stock Up 2"], BOB: [NICE_TRY]}).view(ANN)
    for level in STOCKPILE.bots:
        choose_action(STOCKPILE, level, view, [], b"1")


def test_players_play_with_any_box() -> None:
    """Nothing is taken from the shipped numbers: a box without Infection, all supplies worth 3."""

    def other(card: Card) -> Card:
        if card.name == "Infection":
            return replace(card, name="Caught Red Handed")
        return replace(card, number=3) if card.number > 1 and card.sort == "supply" else card

    def changed(cards: Cards) -> Cards:
        start = {c.id for c in BOX.supplies if (c.name, c.number) == ("Infection Prevention", 2)}
        return tuple([c if c.id in start else other(c) for c in cards])

    box = replace(
        BOX,
        supplies=changed(BOX.supplies),
        indoor=changed(BOX.indoor),
        outdoor=changed(BOX.outdoor),
    )
    for seed in range(5):
        outcome = play(build_game(Box(box)), {}, ["hard", "easy", "medium"], seed, {})
        assert all(score is not None for score in outcome.scores)


# -- what hard does ---------------------------------------------------------------------


def test_who_can_bear_it_goes_out_and_who_leads_without_prevention_stays_in() -> None:
    for own, to in [
        (["F1", "T1", "P2", "P3"], OUTDOORS),
        (["F4", "F3", "T4", "T3"], INDOORS),
    ]:
        driver = Driver(
            action=3,
            stockpiles={ANN: own, BOB: ["F1", "T1", "P2"], CY: ["F1", "T1", "P2"]},
            indoor_top=["Nice Try!"],
        )
        driver.when(ANN, Draw())
        assert ("location", ANN) == driver.asked()
        assert {Go(to)} == choices(driver, ANN)


def test_of_several_supplies_the_least_is_given_up() -> None:
    driver = Driver(stockpiles={ANN: ["F3", "F1", "F2"]}, indoor_top=["Snack Attack"])
    driver.when(ANN, Draw())
    assert {GiveUp(driver.owned(ANN, "Food 1"))} == choices(driver, ANN)


def test_the_best_supply_is_looted_of_whom_it_may_be() -> None:
    driver = Driver(
        action=3,
        hands={ANN: ["Loot Food"]},
        stockpiles={BOB: ["F4", "F1"], CY: ["F2"]},
    )
    assert {Loot(driver.held(ANN, "Loot Food"), BOB, driver.owned(BOB, "Food 4"))} == choices(
        driver, ANN
    )


def test_a_trade_gives_the_least_for_the_most() -> None:
    driver = Driver(
        action=3,
        hands={ANN: ["Trading Station"]},
        stockpiles={ANN: ["T1", "T3", "P2"], BOB: ["T4", "T1"], CY: ["T2"]},
    )
    (action,) = choices(driver, ANN)
    assert isinstance(action, Trade)
    give, take = driver.owned(ANN, "Toilet Paper 1"), driver.owned(BOB, "Toilet Paper 4")
    assert (BOB, give, take) == (action.target, action.give, action.take)


def test_supplies_are_drawn_while_somebody_else_is_ahead_and_it_is_the_final_turn() -> None:
    driver = Driver(
        action=3,
        hands={ANN: ["Stock Up 3", "Self-Isolation"]},
        stockpiles={ANN: ["F1"], BOB: ["F3"], CY: ["F2"]},
        indoor=[],
    )
    assert {Stock(driver.held(ANN, "Stock Up 3"))} == choices(driver, ANN)


def test_who_has_won_ends_the_final_turn() -> None:
    driver = Driver(
        action=1,
        locations={ANN: OUTDOORS},
        stockpiles={ANN: ["F4", "T4"], BOB: ["F1"], CY: ["F1"]},
        indoor=[],
    )
    assert Draw() in STOCKPILE.legal_actions(driver.view(ANN))
    assert {End()} == choices(driver, ANN)


def test_the_last_supply_is_taken_by_who_leads_and_left_by_who_does_not() -> None:  # [SR-47]
    for own, draws in ((["F4", "T4", "P3", "P3"], True), (["F1", "P2", "P3", "P3"], False)):
        driver = Driver(
            action=3,
            hands={ANN: ["Swap Shop", "Nosey Neighbour"]},
            stockpiles={ANN: own, BOB: ["F3", "T3", "P2", "P2", "P2"], CY: ["F2", "T2"]},
            supplies=["Sold Out"],
            locations={ANN: OUTDOORS, BOB: INDOORS, CY: INDOORS},
            outdoor_top=["Infection"],
        )
        swap, other = driver.held(ANN, "Swap Shop"), driver.held(ANN, "Nosey Neighbour")
        judged = choices(driver, ANN)
        assert (Swap(swap, other, True) in judged) == draws, (own, judged)


def test_a_large_loss_is_answered_and_a_small_one_is_borne() -> None:
    for food, answers in (("F4", NiceTry), ("F1", Pass)):
        driver = Driver(
            hands={ANN: ["Loot Food"], BOB: [NICE_TRY]},
            stockpiles={ANN: ["F2", "T1"], BOB: [food, "T2", "P2"], CY: ["F1"]},
        )
        owned = driver.owned(BOB, f"Food {food[1]}")
        driver.when(ANN, Loot(driver.held(ANN, "Loot Food"), BOB, owned))
        assert ("reaction", BOB) == driver.asked()
        assert {answers} == {type(action) for action in choices(driver, BOB)}


def test_a_reflection_goes_where_most_is_to_be_had() -> None:
    driver = Driver(
        hands={ANN: ["Loot Food"], BOB: [REFLECTION, NICE_TRY]},
        stockpiles={ANN: ["F1"], BOB: ["F3", "P2"], CY: ["F4", "P2"]},
    )
    driver.when(ANN, Loot(driver.held(ANN, "Loot Food"), BOB, driver.owned(BOB, "Food 3")))
    reflection, food = driver.held(BOB, REFLECTION), driver.owned(CY, "Food 4")
    assert {Reflect(reflection, CY, take=food)} == choices(driver, BOB)


def test_a_neighbour_watches_whoever_has_most_to_lose() -> None:
    driver = Driver(
        action=3,
        hands={ANN: ["Nosey Neighbour"]},
        stockpiles={ANN: [], BOB: ["F1", "T4", "T3"], CY: ["F2"]},
        locations={ANN: OUTDOORS, BOB: OUTDOORS, CY: OUTDOORS},
    )
    nosey = driver.held(ANN, "Nosey Neighbour")
    assert {Nosey(nosey, BOB, "Toilet Paper")} == choices(driver, ANN)


def test_isolation_comes_before_the_attacks_that_might_be_answered() -> None:
    driver = Driver(
        hands={
            ANN: ["Self-Isolation", "Loot Food", "Loot Any Supply"],
            BOB: [NICE_TRY, NICE_TRY, NICE_TRY, REFLECTION],
        },
        seats=2,
        stockpiles={BOB: ["F4", "F3", "P2"]},
    )
    assert {Isolate(driver.held(ANN, "Self-Isolation"))} == choices(driver, ANN)


def test_few_of_the_many_trades_are_thought_about() -> None:
    driver = Driver(
        seats=4,
        hands={ANN: ["Trading Station"]},
        stockpiles={
            ANN: ["F1", "F2", "T1", "T2", "P1", "P3"],
            BOB: ["F1", "F2", "F3", "T1", "P2"],
            CY: ["F1", "F4", "T1", "T2", "P2", "P3"],
            DEE: ["F2", "F3", "T3", "T4", "P2", "P3"],
        },
    )
    legal = STOCKPILE.legal_actions(driver.view(ANN))
    assert len(legal) > 100
    assert len(prune_dominated(driver.view(ANN), legal)) <= 1 + 3 * 9


# -- what it works out ---------------------------------------------------------------------


def test_the_odds_of_a_draw_are_counted_from_what_is_unseen() -> None:
    driver = Driver(
        seats=2,
        hands={ANN: ["Nice Try!"], BOB: ["Swap Shop", "outdoor Swap Shop"]},
        discards=["indoor Infection", "outdoor Infection", "outdoor Infection"],
    )
    figures = known(driver, ANN)
    assert (32, 32) == (driver.view(ANN).indoor, driver.view(ANN).outdoor)
    assert figures.infection_odds(INDOORS) == pytest.approx(1 / 32)
    assert figures.infection_odds(OUTDOORS) == pytest.approx(3 / 32)
    for deck in (INDOORS, OUTDOORS):
        assert sum(figures.draw_odds[deck].values()) == pytest.approx(1)


def test_a_test_without_a_card_left_infects() -> None:  # [SR-26]
    driver = Driver(seats=2, indoor=["Infection"], locations={ANN: INDOORS})
    figures = known(driver, ANN)
    assert 1.0 == figures.infection_odds(INDOORS) == figures.positive_test_odds(INDOORS)
    assert 0.4 < figures.positive_test_odds(OUTDOORS) < 0.6


def test_only_indoor_backs_react_and_a_kept_reaction_is_certain() -> None:
    driver = Driver(
        hands={BOB: ["Stock Up 2", "Loot Food"], CY: ["Swap Shop"]},
        turn=BOB,
        stockpiles={BOB: ["F1"]},
        indoor_top=["Infection", "Nice Try! -"],
    )
    assert 0.0 == known(driver, ANN).reaction_odds(BOB)
    assert 0.3 < known(driver, ANN).reaction_odds(CY) < 0.9
    driver.when(BOB, Draw())
    assert any(isinstance(event, events.TestKept) for event in driver.past)
    assert 1.0 == known(driver, ANN).reaction_odds(BOB)


def test_survival_is_certain_without_infections_and_falls_with_them() -> None:
    assert survival_odds(0.0, 0, 0.5) == pytest.approx(1)
    assert survival_odds(1.0, 0, 0.5) == pytest.approx(0.6065, abs=1e-3)  # e ** -0.5
    assert survival_odds(1.0, 0, 0.5) < survival_odds(1.0, 0.5, 0.5) < survival_odds(1.0, 1, 0.5)
    assert survival_odds(2.0, 1, 0.5) < survival_odds(1.0, 1, 0.5)


# -- how strong it is ----------------------------------------------------------------------


def test_hard_beats_random_plays() -> None:
    score = league(STOCKPILE, {}, 2, range(1, 61), "hard", "random")
    assert score.interval[0] > 0.5, (score.shares, score.interval)  # chance; below AT_LEAST


@pytest.mark.prove
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hard_beats_random_plays_in_many_games(seats: int) -> None:
    seeds = range(1_001, 2_001)
    score = league(STOCKPILE, {}, seats, seeds, "hard", "random")
    low, high = score.interval
    print(f"seats {seats} n {score.games} 95 % {low:.3f} - {high:.3f} p99 {score.time_ms(0.99)} ms")
    assert low > AT_LEAST[seats], (score.shares, score.interval)  # chance: 1 / seats
    assert score.time_ms(0.99) <= 20.0
