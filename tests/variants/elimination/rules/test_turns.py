"""Who is next, and when nobody is."""

from __future__ import annotations

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, of_kind, scripted
from tests.variants.elimination.driver import Driver
from variants.contract import IllegalAction, Outcome
from variants.elimination.actions import Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.events import (
    ChoiceOpened,
    Eliminated,
    Event,
    GameEnded,
    Passed,
    TurnEnded,
    TurnStarted,
)
from variants.elimination.game import ELIMINATION


def next_turn(events: list[Event]) -> tuple[int, str]:
    (started,) = of_kind(events, TurnStarted)
    return started.seat, started.why


def test_who_is_affected_is_next():
    """[ER-11]"""
    hands = {ANN: ["7", "8"], BOB: ["9"], CY: ["J"]}
    assert (BOB, "affected") == next_turn(Driver(hands=hands).when(ANN, Give("7S", BOB)))
    assert (CY, "affected") == next_turn(Driver(hands=hands).when(ANN, Take(CY)))
    assert (DEE, "affected") == next_turn(Driver(hands=hands).when(ANN, Force(DEE)))


def test_after_a_draw_the_actor_chooses_among_all_the_others_clockwise():
    events = Driver(deck_top=["5"]).when(ANN, Draw())
    assert [ChoiceOpened(ANN, (BOB, CY, DEE))] == of_kind(events, ChoiceOpened)


def test_the_rule_of_3_leaves_the_triplet_holder_alone():
    """[ER-12] One candidate is no question."""
    driver = Driver(triplets={DEE: [["9", "9", "9"]]}, deck_top=["5"])
    assert (DEE, "only") == next_turn(driver.when(ANN, Draw()))


def test_the_chooser_is_no_candidate_of_the_rule_of_3():
    """[ER-13] [ER-14]"""
    alone = Driver(triplets={ANN: [["9"] * 3]}, deck_top=["5"])
    alone.when(ANN, Draw())
    assert (BOB, CY, DEE) == alone.view().candidates
    shared = Driver(triplets={ANN: [["9"] * 3], BOB: [["8"] * 3], DEE: [["7"] * 3]}, deck_top=["5"])
    shared.when(ANN, Draw())
    assert (BOB, DEE) == shared.view().candidates


def test_the_rule_of_3_does_not_move_the_affected_player():
    """[ER-12] [ER-15]"""
    driver = Driver(hands={ANN: ["7"]}, triplets={DEE: [["9"] * 3]})
    assert (BOB, "affected") == next_turn(driver.when(ANN, Give("7S", BOB)))


def test_the_clearers_own_triplets_are_gone_when_the_clearer_chooses():
    """[ER-16]"""
    driver = Driver(hands={ANN: ["joker"]}, triplets={ANN: [["9"] * 3], CY: [["8"] * 3]})
    assert (CY, "only") == next_turn(driver.when(ANN, Clear("single")))


def test_causing_an_elimination_gives_one_more_turn():
    """[ER-30]"""
    driver = Driver(hands={ANN: ["9C", "2"]}, triplets={BOB: [["9"] * 3]}, turns={ANN: 4})
    assert (ANN, "again") == next_turn(driver.when(ANN, Give("9C", BOB)))
    assert 5 == driver.state.players[ANN].turns  # [ER-21]


@pytest.mark.parametrize(
    ("triplets", "follows"), [({CY: [["9"] * 3]}, CY), ({}, BOB)], ids=["triplet", "nobody"]
)
def test_out_by_the_own_draw_the_next_clockwise_follows_triplets_first(triplets, follows):
    """[ER-31]"""
    driver = Driver(triplets={ANN: [["K"] * 3], **triplets}, deck_top=["K"])
    assert (follows, "order") == next_turn(driver.when(ANN, Draw()))


def test_out_by_the_own_take_the_victim_follows():
    """[ER-32]"""
    driver = Driver(hands={CY: ["K"]}, triplets={ANN: [["K"] * 3], BOB: [["9"] * 3]})
    assert (CY, "affected") == next_turn(driver.when(ANN, Take(CY)))


def test_a_stuck_seat_passes_and_chooses():
    """[ER-41] Its only card is marked, nobody else has one."""
    driver = Driver(hands={ANN: ["7"]}, marks={ANN: {"7": 2}}, deck=[], triplets={CY: [["9"] * 3]})
    assert [Passed(ANN)] == of_kind(driver.past, Passed)
    assert CY == driver.state.turn


def test_two_players_never_choose():
    """[ER-42]"""
    driver = Driver(seats=2, deck_top=["5"])
    assert (BOB, "only") == next_turn(driver.when(ANN, Draw()))


def test_the_sixtieth_turn_without_progress_draws_the_game_and_nobody_chooses():
    """[ER-40]"""
    driver = Driver(hands={ANN: ["7"], BOB: ["8"]}, idle=59, out=[DEE])
    events = driver.when(ANN, Shuffle())
    assert [TurnEnded(ANN, 60), GameEnded((ANN, BOB, CY), "idle")] == events[-2:]
    assert Outcome((1, 1, 1, 4), (None,) * 4, "drawn after 60 turns without progress") == (
        ELIMINATION.outcome(driver.state)
    )


def test_progress_sets_the_count_to_nothing():
    """[ER-40] A card that leaves the deck is progress; a gift that locks nothing is none."""
    drawn = Driver(idle=59, deck_top=["5"])
    drawn.when(ANN, Draw())
    assert 0 == drawn.state.idle
    given = Driver(idle=12, hands={ANN: ["7"]})
    given.when(ANN, Give("7S", BOB))
    assert 13 == given.state.idle


def test_a_dead_position_is_drawn_at_once():
    """[ER-40] The last two mobile cards lock."""
    driver = Driver(hands={ANN: ["7"], BOB: ["7"]}, deck=[])
    assert GameEnded((ANN, BOB, CY, DEE), "dead") == driver.when(ANN, Give("7S", BOB))[-1]


def test_the_last_one_in_wins_and_places_are_in_reverse_order_of_falling():
    """[ER-46]"""
    driver = Driver(hands={ANN: ["9C"]}, triplets={BOB: [["9"] * 3]}, out=[DEE, CY])
    events = driver.when(ANN, Give("9C", BOB))
    assert GameEnded((ANN,), "last") == events[-1]
    outcome = ELIMINATION.outcome(driver.state)
    assert outcome is not None and (1, 2, 3, 4) == outcome.places


def test_a_fatal_shuffle_goes_clockwise_with_the_actor_last_and_stops_at_the_last_one():
    """[ER-29] Everybody would get the fourth of the own triplet; Ann, who shuffled, is spared."""
    driver = Driver(
        seats=3,
        hands={ANN: ["9C"], BOB: ["7C"], CY: ["8C"]},
        triplets={ANN: [["7"] * 3], BOB: [["8"] * 3], CY: [["9"] * 3]},
    )
    size = len(driver.state.deck)
    events = driver.when(ANN, Shuffle(), by=scripted((1, 2, 0), range(size), range(size)))
    assert [BOB, CY] == [e.seat for e in of_kind(events, Eliminated)]
    assert GameEnded((ANN,), "last") == events[-1]
    assert ("7C",) == driver.state.players[ANN].hand  # beside three 7s, and it no longer matters


def test_nobody_who_fell_or_watches_or_waits_may_act():
    driver = Driver(out=[DEE])
    for seat, words in ((BOB, "Ann's turn"), (DEE, "out of this game"), (None, "watching")):
        with pytest.raises(IllegalAction) as refused:
            ELIMINATION.check(driver.view(seat), Draw())
        assert words in refused.value.format(("Ann", "Bob", "Cy", "Dee"))


def test_only_candidates_may_be_named():
    driver = Driver(triplets={BOB: [["8"] * 3], DEE: [["7"] * 3]}, deck_top=["5"])
    driver.when(ANN, Draw())
    for seat, words in ((CY, "Rule of 3"), (ANN, "yourself"), (9, "no such seat")):
        with pytest.raises(IllegalAction, match=words):
            driver.when(ANN, Next(seat))
