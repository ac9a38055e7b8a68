from __future__ import annotations

from collections.abc import Mapping

import pytest

from mudserver.bots.worker import choose_action
from tests.bench.league import league, play
from tests.counts import count
from tests.slow_cases import slow_cases
from tests.variants.elimination.bots.positions import (
    ANN,
    BOB,
    CY,
    DEE,
    PACKS,
    PLAIN,
    SEEDS,
    Position,
)
from variants.elimination.actions import Clear, Draw, Force, Give, Next, Take
from variants.elimination.game import ELIMINATION


@pytest.mark.parametrize("options", PACKS, ids=["54", "50", "50 twos"])
@pytest.mark.parametrize("seats", [2, 3, 5, 8])
def test_all_levels_play_every_game_to_its_end(seats: int, options: Mapping[str, str]) -> None:
    levels = [("hard", "easy", "medium")[seat % 3] for seat in range(seats)]
    for seed in range(3):
        outcome = play(ELIMINATION, options, levels, seed, {})
        assert 1 in outcome.places


def test_the_same_view_history_and_chance_give_the_same_action() -> None:
    position = Position(turn=ANN, hands={ANN: ["7", "8", "joker"], BOB: ["9"]})
    view, seen = position.view(ANN), position.seen[ANN]
    for level in ELIMINATION.bots:
        for seed in SEEDS:
            first, second = (
                choose_action(ELIMINATION, level, view, seen, bytes([seed])) for _ in range(2)
            )
            assert first == second
    assert len(position.choices(ANN, level="easy")) > 1


def test_the_fourth_card_is_given_when_it_may_be() -> None:
    position = Position(turn=ANN, hands={ANN: ["9", "4"], CY: ["5"]}, triplets={BOB: [["9"] * 3]})
    (action,) = position.choices(ANN)
    assert isinstance(action, Give) and (action.card[0], action.to) == ("9", BOB)


def test_the_fourth_card_is_given_to_nobody_else_while_it_may_not_be() -> None:
    nine = "9H"
    position = Position(
        turn=ANN,
        hands={ANN: [nine, "4"], BOB: ["K"], CY: ["5"]},
        triplets={BOB: [["9"] * 3], DEE: [["10"] * 3]},
        turns={ANN: 3},
        marks={ANN: {nine: 4}},
    )
    for action in position.choices(ANN):
        assert not isinstance(action, Give | Clear) or action == Give("4", BOB), action


def test_nobody_draws_into_the_own_fourth_card_who_has_a_choice() -> None:
    position = Position(
        turn=ANN,
        hands={ANN: ["4"], BOB: ["5"], CY: ["6"], DEE: ["8"]},
        triplets={ANN: [["9"] * 3]},
        deck=["9", "2"],
    )
    assert Draw() not in position.choices(ANN)


def test_the_player_whose_fourth_card_is_in_the_deck_is_forced() -> None:
    position = Position(
        turn=ANN,
        hands={ANN: ["4"], BOB: [], CY: ["6"], DEE: ["8"]},
        triplets={BOB: [["9"] * 3]},
        deck=["2", "9"],
    )
    assert position.choices(ANN) == {Force(BOB)}


def test_a_triplet_with_its_fourth_card_about_is_cleared() -> None:
    position = Position(
        turn=ANN,
        hands={ANN: ["joker", "4"], BOB: ["5"], CY: ["6"], DEE: ["8"]},
        triplets={ANN: [["9"] * 3, ["Q"] * 3]},
        pairs={ANN: [["7"] * 2]},
        deck=["9", "Q", "2", "3"],
    )
    assert position.choices(ANN) == {Clear("single")}


def test_who_is_known_to_hold_our_fourth_card_is_not_named_next() -> None:
    position = Position(
        turn=ANN,
        hands={ANN: ["4"], BOB: ["5"], CY: ["6S", "J"], DEE: ["8"]},
        triplets={ANN: [["9"] * 3]},
        deck_top=["9", "2"],
    )
    position.after(ANN, Force(CY)).after(CY, Give("6S", ANN)).after(ANN, Draw())
    assert position.view(ANN).candidates == (BOB, CY, DEE)
    assert Next(CY) not in position.choices(ANN)


def test_a_forced_card_is_known_until_it_may_have_left() -> None:
    position = Position(
        turn=ANN,
        hands={ANN: ["4"], BOB: ["5"], CY: ["6"], DEE: ["8"]},
        triplets={DEE: [["9"] * 3]},
        deck_top=["9"],
    ).after(ANN, Force(BOB))
    fourth = position.count(ANN).locate_fourth("9", DEE)
    assert (fourth.hands[BOB], fourth.hands[CY], fourth.deck) == (1.0, 0.0, 0.0)
    position.after(BOB, Take(CY)).after(CY, Take(BOB))  # one of Bob's three cards
    known = position.count(DEE).locate_fourth("9", DEE).hands
    assert [known[BOB], known[CY]] == pytest.approx([2 / 3, 1 / 3])


def test_a_pair_that_locked_on_a_known_card_is_known() -> None:
    position = Position(
        turn=ANN, hands={ANN: ["4"], BOB: ["7", "5"]}, deck_top=["7"]
    ).after(ANN, Force(BOB))  # fmt: skip
    count = position.count(CY)
    assert count.pairing_odds(BOB, "7") == 1.0
    assert count.pairing_odds(BOB, "5") == 0.0
    assert count.holding_odds(BOB, "7") < 0.1


def test_a_triplet_is_never_completed_by_the_hand_of_its_owner() -> None:
    position = Position(
        turn=ANN, hands={ANN: [], BOB: ["5", "6"], CY: ["K", "J"]}, triplets={BOB: [["9"] * 3]}
    )
    fourth = position.count(ANN).locate_fourth("9", BOB)
    assert set(fourth.hands) == {CY, DEE}
    assert fourth.deck + sum(fourth.hands.values()) == pytest.approx(1.0)
    assert fourth.hands[CY] == pytest.approx(2 / (2 + position.view(ANN).deck))


def test_a_seat_that_heard_nothing_plays_all_the_same() -> None:
    position = Position(turn=ANN, hands={ANN: ["4"], BOB: ["5"]}, triplets={BOB: [["9"] * 3]})
    position.seen[ANN].clear()
    assert position.choices(ANN)


def test_eight_who_count_do_not_pass_a_card_to_and_fro_until_the_game_is_drawn() -> None:
    """[ER-40] So ended every third game or fourth, and six of eight looked on."""
    ends = [play(ELIMINATION, PLAIN, ["hard"] * 8, seed, {}).reason for seed in range(1, 7)]
    assert not [end for end in ends if "drawn" in end], ends


@pytest.mark.parametrize(
    ("seats", "games", "at_least"), slow_cases([(2, 80, 0.70), (4, 70, 0.50)], ["(4, 70, 0.5)"])
)
def test_hard_beats_random_plays(seats: int, games: int, at_least: float) -> None:
    score = league(ELIMINATION, PLAIN, seats, range(1, games + 1), "hard", "random")
    assert score.interval[0] > at_least, (score.shares, score.interval)  # chance: 1 / seats


@pytest.mark.prove
@pytest.mark.parametrize("deck", ["54", "50"])
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_hard_beats_random_plays_at_every_table(seats: int, deck: str) -> None:
    options = PLAIN | {"deck": deck}
    score = league(
        ELIMINATION, options, seats, range(1_000, 1_000 + count(1_000, 400)), "hard", "random"
    )
    low, high = score.interval
    print(f"deck {deck} seats {seats} n {score.games} 95 % {low:.3f} - {high:.3f}")
    assert low > 1.5 / seats, (score.shares, score.interval)
