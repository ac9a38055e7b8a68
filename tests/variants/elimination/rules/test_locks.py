"""Locks, marks, clears and who sees what of them."""

from __future__ import annotations

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, of_kind, scripted
from tests.variants.elimination.driver import DECK_50, DECK_54, NAMES, TWOS, Driver
from variants.contract import IllegalAction
from variants.elimination.actions import Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.data.cards import PACKS
from variants.elimination.events import (
    CardForced,
    CardGiven,
    CardTaken,
    Cleared,
    Dealt,
    Eliminated,
    Misdealt,
    PairLocked,
    TripletLocked,
    TurnStarted,
)
from variants.elimination.game import ELIMINATION


def refusal(driver: Driver, action: object) -> str:
    with pytest.raises(IllegalAction) as refused:
        driver.when(ANN, action)  # type: ignore[arg-type]
    return refused.value.format(NAMES)


def test_everybody_locks_at_the_deal():
    """[ER-05]"""
    dealt = {ANN: ["7", "7", "K", "A"], BOB: ["9", "9", "9", "2"], CY: ["Q", "Q", "5", "5"]}
    state = Driver(dealt=dealt).state
    assert (("7S", "7H"),) == state.players[ANN].pairs
    assert (("9S", "9H", "9D"),) == state.players[BOB].triplets
    assert 2 == len(state.players[CY].pairs) and () == state.players[CY].hand


def test_four_of_a_rank_is_dealt_again_by_the_same_dealer():
    """[ER-06] Four aces are an ordinary hand [ER-44]."""
    cards = PACKS["54"].cards
    twos_first = list(range(54))
    aces_first = sorted(twos_first, key=lambda at: (cards[at][0] != "A", cards[at][-1]))
    events = ELIMINATION.deal(2, DECK_54, scripted(1, twos_first, aces_first))
    assert [Misdealt()] == of_kind(events, Misdealt)
    (dealt,) = of_kind(events, Dealt)
    assert {"AS", "AH", "AD", "AC"} == set(dealt.hands[0] or ())
    assert [1] == [started.seat for started in of_kind(events, TurnStarted)]


def test_a_third_card_joins_the_pair_and_turns_face_up():
    """[ER-10]"""
    driver = Driver(pairs={BOB: [["6S", "6H"]]}, deck_top=["6C"])
    events = driver.when(ANN, Force(BOB))
    assert [CardForced(ANN, BOB, "6C"), TripletLocked(BOB, ("6S", "6H", "6C"))] == events[:2]
    assert () == driver.state.players[BOB].pairs


def test_a_fourth_card_puts_the_seat_out_and_hides_the_rest_in_the_deck():
    """[ER-33]"""
    driver = Driver(
        hands={ANN: ["9C"], BOB: ["2S", "JS"]},
        triplets={BOB: [["9S", "9H", "9D"]]},
        pairs={BOB: [["4S", "4H"]]},
    )
    size = len(driver.state.deck)
    (fell,) = of_kind(driver.when(ANN, Give("9C", BOB)), Eliminated)
    assert ("9S", "9H", "9D", "9C") == fell.cards
    assert {"2S", "JS", "4S", "4H"} == set(fell.returned or ())
    assert size + 4 == len(driver.state.deck)
    heard = ELIMINATION.redact(fell, CY)
    assert isinstance(heard, Eliminated) and heard.returned is None and heard.deck is None
    assert 4 == heard.returned_count


def test_two_cards_of_a_rank_beside_the_own_pair_of_it_are_four():
    """[ER-25]"""
    driver = Driver(hands={BOB: ["2", "3"], CY: ["6D"], DEE: ["6C"]}, pairs={BOB: [["6S", "6H"]]})
    shuffle = scripted((2, 3, 0, 1), range(len(driver.state.deck)))
    assert [BOB] == [e.seat for e in of_kind(driver.when(ANN, Shuffle(), by=shuffle), Eliminated)]


def test_pairs_are_told_before_triplets_and_without_their_rank():
    """Ann's shuffle makes Bob's 8s a triplet and locks him two kings."""
    driver = Driver(
        hands={BOB: ["2S", "3S", "4S"], CY: ["8D", "KS"], DEE: ["KH"]},
        pairs={BOB: [["8S", "8H"]]},
    )
    events = driver.when(ANN, Shuffle(), by=scripted((3, 4, 5, 0, 1, 2)))
    pair, triplet = events[1:3]
    assert [PairLocked(BOB, ("KS", "KH")), TripletLocked(BOB, ("8S", "8H", "8D"))] == [
        pair,
        triplet,
    ]
    assert PairLocked(BOB, None) == ELIMINATION.redact(pair, CY) == ELIMINATION.redact(pair, None)
    assert pair == ELIMINATION.redact(pair, BOB)


def test_only_the_two_see_a_card_given_or_taken():
    """[ER-08] [ER-09]"""
    driver = Driver(hands={ANN: ["7S"], CY: ["JS"]})
    given = driver.when(ANN, Give("7S", BOB))[0]
    assert given == ELIMINATION.redact(given, BOB) == ELIMINATION.redact(given, ANN)
    assert CardGiven(ANN, BOB, None) == ELIMINATION.redact(given, CY)
    taken = driver.when(BOB, Take(CY))[0]
    assert taken == ELIMINATION.redact(taken, CY)
    assert CardTaken(BOB, CY, None) == ELIMINATION.redact(taken, None)


def test_a_received_card_waits_one_own_turn():
    """[ER-17] Given to Bob when his counter is 2: not in turn 3, in turn 4."""
    driver = Driver(hands={ANN: ["8S"], BOB: ["2S", "3S"]}, turns={ANN: 3, BOB: 2})
    driver.when(ANN, Give("8S", BOB))
    assert (("8S", 4),) == driver.view(BOB).marks
    with pytest.raises(IllegalAction, match="You can give it next turn"):
        driver.when(BOB, Give("8S", CY))
    driver.when(BOB, Give("2S", ANN))
    driver.when(ANN, Force(BOB))
    driver.when(BOB, Give("8S", CY))
    assert "8S" in driver.state.players[CY].hand


def test_marks_are_the_owners_secret_and_go_in_a_shuffle():
    """[ER-20] [ER-18]"""
    driver = Driver(hands={BOB: ["2S"]}, deck_top=["7S"])
    driver.when(ANN, Draw())
    assert (("7S", 3),) == driver.view(ANN).marks and () == driver.view(BOB).marks
    driver.when(ANN, Next(BOB))
    driver.when(BOB, Shuffle())
    assert all(player.marks == () for player in driver.state.players)


def test_the_new_hand_of_a_clear_is_marked_and_drawn_after_all_went_back():
    """[ER-18] [ER-34] [ER-37]"""
    driver = Driver(hands={ANN: ["AS", "AH", "AD"]}, deck=["KS"], marks={ANN: {"AS": 9}})
    (cleared,) = of_kind(driver.when(ANN, Clear("pair")), Cleared)
    assert ("AS", "AH") == cleared.used and {"KS", "AD"} == set(cleared.hand or ())
    assert {"KS", "AD"} == {card for card, _ in driver.view(ANN).marks}


def test_a_clear_with_nothing_else_draws_nothing():
    """[ER-36] [ER-37]"""
    driver = Driver(hands={ANN: ["A", "A"], BOB: ["7"]}, deck=[])
    (cleared,) = of_kind(driver.when(ANN, Clear("pair")), Cleared)
    assert 0 == cleared.hand_count == cleared.deck_count


@pytest.mark.parametrize(
    ("options", "hand", "can"),
    [
        (DECK_54, ["joker"], ["single"]),
        (DECK_54, ["A", "joker"], ["single"]),  # [ER-35]
        (DECK_54, ["A", "A", "joker"], ["single", "pair"]),
        (DECK_54, ["A"], []),
        (DECK_50, ["A"], ["single"]),  # [ER-02]
        (DECK_50, ["A", "A"], ["single"]),
        (TWOS, ["2", "2"], ["pair"]),  # [ER-03]
        (TWOS, ["2", "2", "2", "2"], ["pair"]),
    ],
)
def test_what_clears(options, hand, can):
    driver = Driver(options=options, hands={ANN: hand}, deck=[])
    clears = [a.with_ for a in ELIMINATION.legal_actions(driver.view(ANN)) if isinstance(a, Clear)]
    assert can == clears


def test_packs_are_whole():
    """[ER-01] [ER-02]"""
    assert [54, 50, 50] == [len(set(pack.cards)) for pack in PACKS.values()]
    assert [12, 12, 11] == [len(pack.lockable) for pack in PACKS.values()]


def test_refusals_say_what_is_wrong_and_then_what_is_right():
    driver = Driver(
        hands={ANN: ["7S", "8S"], BOB: ["2"]},
        pairs={ANN: [["9", "9"]]},
        marks={ANN: {"8S": 3}},
        out=[DEE],
        deck=[],
    )
    assert "The deck is empty, so nobody can draw. Type moves for a list." == (
        refusal(driver, Draw())
    )
    assert refusal(driver, Force(BOB)).startswith(
        "The deck is empty, so nobody can be made to draw."
    )
    assert refusal(driver, Take(CY)).startswith("Cy has no card in hand to take.")
    assert refusal(driver, Take(ANN)) == "You can't take from yourself. Choose another player."
    assert refusal(driver, Take(DEE)) == "Dee is out. Choose a player who is still in."
    assert (
        "No Give-Backs: you only just got the 8 of spades. "
        "You can give it in your turn after next. Now you can give 7S."
    ) == refusal(driver, Give("8S", BOB))
    assert refusal(driver, Give("KS", BOB)) == "You don't have any king. Your hand: 7S 8S."
    assert refusal(driver, Give("7H", BOB)).startswith("You don't have the 7 of hearts.")
    assert refusal(driver, Give("9D", BOB)).startswith("Your 9s are locked")
    assert refusal(driver, Give("{0}", BOB)).startswith("You don't have that card.")
    assert refusal(driver, Clear("single")) == (
        "You have no joker to clear with. You need one joker or two aces."
    )
    assert refusal(driver, Next(BOB)).startswith("You choose the next player after your move.")


def test_a_refusal_about_the_table_comes_before_one_about_the_hand():
    """[G-03] Whatever Ann holds, giving to the dead is refused in the same words."""
    held = Driver(hands={ANN: ["7S"]}, out=[DEE])
    bare = Driver(hands={ANN: ["8S"]}, out=[DEE])
    assert refusal(held, Give("7S", DEE)) == refusal(bare, Give("7S", DEE))


def test_shuffling_needs_two_hands():
    """[ER-28] The actor's own may be empty."""
    assert "two hands" in refusal(Driver(hands={BOB: ["7", "8"]}), Shuffle())
    Driver(hands={BOB: ["7"], CY: ["8"]}).when(ANN, Shuffle())


@pytest.mark.parametrize(
    "position",
    [
        {"hands": {ANN: ["7", "7"]}},
        {"hands": {ANN: ["7S"], BOB: ["7S"]}},
        {"hands": {ANN: ["7"]}, "pairs": {ANN: [["7", "7"]]}},
        {"pairs": {ANN: [["7", "8"]]}},
        {"pairs": {ANN: [["A", "A"]]}},
        {"hands": {ANN: ["joker"] * 3}},
        {"hands": {DEE: ["7"]}, "out": [DEE]},
        {"turn": DEE, "out": [DEE]},
        {"idle": 60},
        {"asks": "dinner"},
        {"cards": []},
        {"hands": {7: ["7"]}},
        {"marks": {ANN: {"7": 2}}},
        {"dealt": {ANN: ["2", "3", "4", "5", "6"]}},
    ],
)
def test_an_impossible_position_is_refused(position):
    with pytest.raises(ValueError, match=r"\w"):
        Driver(**position)
