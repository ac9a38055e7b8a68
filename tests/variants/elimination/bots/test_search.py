"""The player that searches."""

from __future__ import annotations

import pytest

from mudserver.bots.worker import choose_action
from tests.variants.elimination.bots.positions import ANN, BOB, CY, DEE, SEEDS, Position
from variants.elimination.actions import Draw, Give
from variants.elimination.bots import levels, search
from variants.elimination.bots.policy import QuickChance, play_turn
from variants.elimination.bots.sampling import sample_layouts
from variants.elimination.bots.simulation import Simulation
from variants.elimination.game import ELIMINATION
from variants.kit.chance import SeededChance


def position() -> Position:
    return Position(
        turn=ANN,
        hands={ANN: ["4", "7", "joker"], BOB: ["5"], CY: ["6", "J"], DEE: ["8", "Q"]},
        triplets={ANN: [["9"] * 3], CY: [["K"] * 3]},
        pairs={BOB: [["2"] * 2]},
    )


def test_a_certain_elimination_is_played_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "sample_layouts", None)  # it is not asked
    sure = Position(turn=ANN, hands={ANN: ["9", "4"], CY: ["5"]}, triplets={BOB: [["9"] * 3]})
    (action,) = sure.choices(ANN, level="expert")
    assert isinstance(action, Give) and (action.card[0], action.to) == ("9", BOB)


def test_the_same_question_with_the_same_seed_has_the_same_answer() -> None:
    at = position()
    view, seen = at.view(ANN), at.seen[ANN]
    once, again = (choose_action(ELIMINATION, "expert", view, seen, b"7") for _ in range(2))
    assert once == again


def test_cards_that_are_alike_are_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "CANDIDATES_MAX", 99)
    at = Position(turn=ANN, hands={ANN: ["AS", "AH", "4"], BOB: ["5"], CY: ["6"]})
    tried = search.candidates(at.view(ANN), at.seen[ANN])
    given = [c.action.card for c in tried if isinstance(c.action, Give) and c.action.to == BOB]
    assert sorted(given) in (["4S", "AS"], ["4H", "AS"], ["4C", "AS"], ["4D", "AS"])
    assert [c.worth for c in tried] == sorted([c.worth for c in tried], reverse=True)


def test_half_of_the_actions_are_tried_on_and_two_at_least() -> None:
    tried = [search.Candidate(Draw(), float(worth)) for worth in range(10)]
    assert [9, 8, 7, 6, 5] == [c.worth for c in search.better_half(tried, 12)]
    assert 3 == len(search.better_half(tried[:5], 12))
    assert 2 == len(search.better_half(tried[:2], 12))


def test_where_no_world_fits_the_player_that_counts_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(*_: object) -> None:
        raise ValueError("no state fits this view")

    monkeypatch.setattr(levels, "searched_action", none)
    at = position()
    assert at.choices(ANN, level="expert") == at.choices(ANN, level="hard")


def test_playouts_are_legal_to_their_end() -> None:
    """Every card stays where it can be: the simulation is right, the policy plays by it."""
    at = position()
    view = at.view(ANN)
    for seed in SEEDS:
        layout = next(sample_layouts(view, at.seen[ANN], SeededChance(bytes([seed]))))
        world = Simulation(view, layout, QuickChance(seed))
        for _ in range(400):
            if world.ended:
                break
            play_turn(world)
        assert world.ended
        assert world.live == sum(world.is_in) >= 1


def test_the_luck_of_playouts_is_even() -> None:
    chance = QuickChance(1)
    drawn = [chance.below(6) for _ in range(6_000)]
    assert all(900 < drawn.count(face) < 1_100 for face in range(6))
    assert sorted(chance.shuffled("abcdef")) == list("abcdef")
