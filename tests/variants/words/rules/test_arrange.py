"""Positions of words set up by hand: what stands in them, and why some cannot be."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, chance, kinds
from tests.variants.words.driver import BOX, Driver, words_game
from variants.kit.chance import ScriptedChance
from variants.words.data.box import END_OF_ROUND, Indicator, Manifest
from variants.words.events import LetterDrawn, PositionArranged, Word

OTHERS = {BOB: "AEIORST", CY: "AEIONST"}
CHAIN = ["SEA", "EAST", "DATES", "TASTED"]


def arranged(seats: int = 3, options: dict[str, str] | None = None, **position: Any) -> Any:
    event = words_game().arrange(seats, options or {}, position, chance())[0]
    assert isinstance(event, PositionArranged)
    return event


def test_an_empty_position_is_the_middle_of_a_first_turn():
    driver = Driver()
    state = driver.state
    assert ("main", (ANN,)) == driver.asked()
    assert (1, 1, ANN, ANN) == (state.round, state.number, state.starter, state.turn)
    assert [7] * 3 == [len(player.hand) for player in state.players]
    assert [0, 1, 1] == sorted(player.hand.count(END_OF_ROUND) for player in state.players)
    assert (86, 1, ()) == (len(state.pile), len(state.discards), state.words)
    assert (False, False, (), 0, 0) == (
        state.traded, state.stolen, state.added, state.quiet, state.still,
    )  # fmt: skip
    assert 3 == len({player.manifest.id for player in state.players})
    assert 3 == len({player.indicator.id for player in state.players})


@pytest.mark.parametrize(
    "position",
    [
        {},
        {"hands": {ANN: "DATEOV*"}, "words": {BOB: ["EAST"], CY: ["locked OVER"]}},
        {"pile": "KLM", "discards": "XQ"},
        {"pile_top": "Z", "discards": ""},
        {"phase": "draw", "drawn": 1, "hands": {ANN: "AEIOUST", BOB: "Q"}},
        {"phase": "close", "words": {ANN: ["EAST"]}, "hands": {ANN: "*"}},
    ],
)
def test_every_card_lies_in_one_place(position):
    """[G-19]"""
    game = words_game()
    placed = [card for zone in game.zones(Driver(**position).state).values() for card in zone]
    assert Counter(game.components({})) == Counter(placed)


def test_zones_hold_what_was_named_in_its_order():
    driver = Driver(
        turn="1",
        number=5,
        round=3,
        hands={"0": "dateov*", 1: "KK", 2: "aeious*"},
        words=[
            {"owner": 2, "spelling": "East"},
            {"owner": 0, "spelling": "OVER", "locked": True},
        ],
        pile_top="XJ",
        discards="ZQ",
        totals={0: 40, 2: -15},
        manifests={0: "M03"},
        indicators={1: "B4", 2: [1, 2]},
        quiet=2,
        still=5,
        added=[1],
        traded=True,
        stolen=True,
    )
    state = driver.state
    assert ["DATEOV*", "KK", "AEIOUS*"] == [driver.hand(seat) for seat in (ANN, BOB, CY)]
    assert (Word(1, CY, "EAST"), Word(2, ANN, "OVER", is_locked=True)) == state.words
    assert ("XJ", "ZQ") == ("".join(state.pile[:2]), driver.discards())
    assert (3, 5, BOB, ANN) == (state.round, state.number, state.turn, state.starter)
    assert (40, 0, -15) == state.totals
    assert "M03" == state.players[ANN].manifest.id
    assert ["B4", "B1"] == [state.players[seat].indicator.id for seat in (BOB, CY)]
    assert (2, 5, (1,), True, True) == (
        state.quiet, state.still, state.added, state.traded, state.stolen,
    )  # fmt: skip
    assert 3 == state.next_word


def test_words_by_seat_are_numbered_seat_by_seat():
    """[WR-28]"""
    words = arranged(words={CY: ["OAT"], ANN: ["EAST", "locked OVER"]}).words
    assert [Word(1, ANN, "EAST"), Word(2, ANN, "OVER", is_locked=True), Word(3, CY, "OAT")] == list(
        words
    )


def test_of_a_whole_pile_all_other_letters_lie_under_the_discards():
    driver = Driver(pile="KLM", discards="XQ")
    assert ("KLM", "XQ") == ("".join(driver.state.pile), driver.discards()[:2])
    assert 106 - 3 - 19 == len(driver.state.discards)


def test_chance_is_asked_for_end_of_round_letters_indicators_and_manifests():
    """In this order, and for nothing that is named."""
    game = words_game()
    orders = [tuple(reversed(range(size))) for size in (3, 106, 6, 20)]
    script = ScriptedChance(orders)
    event = game.arrange(3, {}, {}, script)[0]
    assert isinstance(event, PositionArranged) and orders == script.draws
    hands = ["".join(hand or ()) for hand in event.hands]
    assert ["ZYYXWWV", "*VUUUUT", "*TTTTTS"] == hands
    named = {
        "hands": {ANN: "AEI*", BOB: "AEIORS*", CY: "AEIONST"},
        "indicators": {ANN: "B1", BOB: "B2", CY: "B3"},
        "manifests": {ANN: "M01", BOB: "M02", CY: "M03"},
    }
    script = ScriptedChance([tuple(range(106 - 16))])
    game.arrange(3, {}, named, script)
    assert 1 == len(script.draws)


# -- hands -----------------------------------------------------------------------------------------


def test_hands_of_those_who_wait_are_filled_to_seven():
    """[WR-13] [WR-14]"""
    event = arranged(hands={ANN: "DB", BOB: "S"})
    assert (2, 7, 7) == event.hand_counts
    assert ("D", "B") == event.hands[ANN] and "S" == event.hands[BOB][0]
    assert [0, 1, 1] == [hand.count(END_OF_ROUND) for hand in event.hands]


@pytest.mark.parametrize(("drawn", "cards"), [(0, 7), (1, 8)])
def test_a_hand_that_draws_has_what_it_has_drawn(drawn, cards):
    """[WR-16]"""
    for hands in ({}, {ANN: "KK"}):
        event = arranged(phase="draw", drawn=drawn, hands=hands)
        assert (cards, 7, 7) == event.hand_counts
        assert drawn == event.drawn


def test_with_two_players_both_hold_end_of_round():
    """[WR-11]"""
    assert [1, 1] == [hand.count(END_OF_ROUND) for hand in arranged(2).hands]
    with pytest.raises(ValueError, match="name 1 more"):
        arranged(2, hands={ANN: "DB"})
    assert (3, 7) == arranged(2, hands={ANN: "DB*"}).hand_counts


# -- who is to do what -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "number", "starter", "turn"),
    [
        ({"turn": 2}, 1, CY, CY),
        ({"turn": 2, "starter": 1}, 2, BOB, CY),
        ({"turn": 0, "number": 6}, 6, BOB, ANN),
        ({"turn": 1, "starter": 1, "number": 4}, 4, BOB, BOB),
    ],
)
def test_the_starter_and_the_number_of_the_turn_fit_each_other(position, number, starter, turn):
    """[G-01]"""
    event = arranged(**position)
    assert (number, starter, turn) == (event.number, event.starter, event.turn)


def test_what_the_server_does_at_once_it_does_at_once():
    """[G-07] [WR-18]"""
    driver = Driver(phase="draw", pile_top="K", discards="", hands={ANN: "AEIOUST"})
    assert ["PositionArranged", "LetterDrawn", "LetterDrawn", "PhaseOpened"] == kinds(driver.past)
    assert LetterDrawn(ANN, "pile", "K") == driver.past[1]
    assert ("main", (ANN,)) == driver.asked()


@pytest.mark.parametrize(
    ("position", "phase", "asked"),
    [
        ({"phase": "draw"}, "draw", (ANN,)),
        ({"phase": "settle", "hands": {ANN: "AEIOURSTT"}}, "settle", (ANN,)),
        ({"phase": "settle", "hands": {ANN: "A"}}, "settle", (ANN,)),
        ({"phase": "close", "words": {ANN: ["EAST"]}}, "close", (ANN,)),
        ({"phase": "removal", "words": {ANN: ["THE"], CY: ["BEAST"]}}, "removal", (CY,)),
    ],
)
def test_every_phase_of_a_turn_can_be_arranged(position, phase, asked):
    assert (phase, asked) == Driver(**position).asked()


def test_a_removal_that_nobody_is_asked_for_is_scored_at_once():
    """[G-12]"""
    assert "RoundScored" in kinds(Driver(phase="removal", words={ANN: ["THE"]}).past)


# -- manifests and indicators ----------------------------------------------------------------------


def test_a_card_of_scenarios_joins_the_box():
    """[WR-02] So its words are valid at that table."""
    event = arranged(manifests={CY: "T14"})
    assert ["SEA", "EAST", "DATES", "TASTED"] == list(event.manifests[CY].sets[0])
    assert [*BOX.manifests, event.manifests[CY]] == list(event.box.manifests)
    assert BOX.manifests == arranged(manifests={CY: "M14"}).box.manifests


def test_a_manifest_can_be_named_by_its_words():
    """[WR-10] Printed words are valid, whatever the list says."""
    odd = ["QZX", "QZXE", "AQZXE", "AQZXEE"]
    event = arranged(manifests={ANN: [odd, CHAIN, CHAIN, CHAIN]}, words={BOB: ["QZX"]})
    chain = tuple(CHAIN)
    assert Manifest("S0", (tuple(odd), chain, chain, chain)) == event.manifests[ANN]
    assert event.manifests[ANN] in event.box.manifests


def test_an_indicator_can_be_named_by_its_set_and_multiplier():
    """[WR-51] A card of the box where one is free."""
    event = arranged(4, indicators={ANN: [1, 2], BOB: "B1", CY: [3, 5]})
    assert ["B5", "B1"] == [card.id for card in event.indicators[:2]]
    assert Indicator("S2", 3, 5) == event.indicators[CY]
    assert event.indicators[DEE].id in {"B2", "B3", "B4", "B6"}


# -- what cannot be --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({"deck": "A"}, "unknown position keys: deck"),
        ({"phase": "trade"}, "phase is one of draw, main"),
        ({"turn": 3}, "turn: there is no seat 3"),
        ({"hands": {"x": "A"}}, "hands: there is no seat x"),
        ({"hands": "A"}, "hands: something for each seat"),
        ({"hands": {ANN: ["A"]}}, "letters are a text"),
        ({"number": -1}, "number is a number"),
        ({"number": 0}, "turn 0 is not that of seat 0"),
        ({"starter": 1, "number": 1}, "turn 1 is not that of seat 0 where seat 1 began"),
        ({"phase": "draw", "drawn": 2}, "drawn: 2 cards do not fit phase draw"),
        ({"drawn": 3}, "drawn: 3 cards do not fit phase main"),
        ({"hands": {ANN: "QQ"}}, "no Q is left in the box for the hand of seat 0"),
        ({"hands": {ANN: "Z"}, "discards": "Z"}, "no Z is left in the box for the discard pile"),
        ({"words": {ANN: ["ZOO"]}, "pile": "Z"}, "no Z is left in the box for the draw pile"),
        ({"hands": {ANN: "Ä"}}, "no Ä is left"),
        ({"discards": "*"}, "no \\* is left in the box for the discard pile"),
        ({"hands": {BOB: "AEIOURST"}}, "the hand of seat 1 has 8 cards, and 7 fit"),
        ({"phase": "close", "hands": {ANN: "AEIOURST"}}, "has 8 cards, and 7 fit"),
        ({"hands": {ANN: "A**"}}, "seat 0 has both End of Round cards"),
        ({"hands": {ANN: "*", BOB: "*", CY: "*"}}, "there are 2 End of Round cards"),
        ({"hands": {ANN: "A", **OTHERS}}, "name 2 more \\*"),
        ({"pile": "A", "pile_top": "B"}, "pile_top cannot be there too"),
        ({"words": {ANN: ["TEAS", "XQ"]}}, "words: XQ is too short"),
        ({"words": {ANN: ["DAEST"]}}, "words: DAEST isn't in the word list"),
        ({"words": {ANN: ["open EAST"]}}, "is not a word, or `locked` and a word"),
        ({"words": {ANN: [""]}}, "words: "),
        ({"words": [{"spelling": "EAST"}]}, "a word has owner, spelling"),
        ({"words": ["EAST"]}, "a word has owner, spelling"),
        ({"manifests": {ANN: "M99"}}, "manifests: there is no card M99"),
        ({"manifests": {ANN: "M01", BOB: "M01"}}, "manifests: a card is there twice"),
        ({"manifests": {ANN: [CHAIN, CHAIN]}}, "a card has four sets"),
        ({"indicators": {ANN: "B9"}}, "indicators: there is no card B9"),
        ({"indicators": {ANN: "B1", BOB: "B1"}}, "indicators: a card is there twice"),
        ({"indicators": {ANN: [5, 2]}}, "a set is 1 to 4"),
        ({"indicators": {ANN: 5}}, "an id, or a set and a multiplier"),
        ({"phase": "settle"}, "the hand of seat 0 has 7 cards already"),
        ({"phase": "close"}, "seat 0 has no exposed word"),
        ({"phase": "close", "words": {ANN: ["locked EAST"]}}, "seat 0 has no exposed word"),
        ({"added": [1]}, "added: numbers of words of other seats"),
        ({"words": {ANN: ["EAST"]}, "added": [1]}, "added: numbers of words of other seats"),
        ({"words": {BOB: ["EAST"]}, "added": [1, 1]}, "each once"),
        ({"phase": "draw", "traded": True}, "before the draw"),
        ({"quiet": 3, "still": 2}, "quiet turns are still ones too"),
        ({"round": 26}, "round is 1 to 25"),
        ({"round": 0}, "round is 1 to 25"),
        ({"totals": {BOB: 210}}, "totals: 210 points have won the game already"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(position, why):
    with pytest.raises(ValueError, match=why):
        arranged(**position)


def test_words_are_those_of_the_table():
    """[WR-02]"""
    assert Word(1, ANN, "AAH") == arranged(words={ANN: ["AAH"]}).words[0]
    with pytest.raises(ValueError, match="plays words up to level 60"):
        arranged(options={"level": "60"}, words={ANN: ["AAHED"]})


def test_totals_that_share_the_lead_play_on():
    """[WR-53]"""
    assert (210, 210, 0) == arranged(totals={ANN: 210, BOB: 210}).totals
