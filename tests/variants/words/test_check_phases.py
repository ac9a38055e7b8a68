"""What is said to a seat of words that is not asked, or is asked something else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, refusal, said
from tests.variants.words.driver import Driver, words_game
from variants.words.actions import (
    Answer,
    Discard,
    Done,
    Draw,
    EndRound,
    Form,
    Offer,
    Pass,
    Remove,
    Steal,
    Trade,
)


@pytest.mark.parametrize(
    ("position", "action", "expected"),
    [
        ({}, Form("SEA"), "First you draw 2 cards, from the draw pile or the discard pile."),
        (
            {"drawn": 1},
            Done(),
            "First you draw one card, from the draw pile or the discard pile.",
        ),
        (
            {},
            Draw("deck"),
            "There are two piles to draw from. Type draw pile or draw discard.",
        ),
        ({}, Draw("pile", 3), "You can't draw 3 cards now. Draw one or 2."),
        ({"drawn": 1}, Draw("pile", 2), "You can't draw 2 cards now. Draw one."),
        ({}, Draw("pile", 0), "You can't draw no cards now. Draw one or 2."),
        (
            {"discards": "X"},
            Draw("discard", 2),
            "The discard pile has one card. Draw one, or draw pile.",
        ),
        (
            {"pile": "K"},
            Draw("pile", 2),
            "The draw pile has one card. Draw one, or draw discard.",
        ),
    ],
)
def test_what_is_said_of_a_draw(position, action, expected):
    """[WR-15] [WR-16] [WR-17] [WR-18]"""
    assert expected == said(Driver(phase="draw", **position), action)


@pytest.mark.parametrize(
    ("hand", "action", "expected"),
    [
        (
            "SAS*TEETH",
            Done(),
            "You have 9 cards, and a turn ends with 7. Discard 2 letters.",
        ),
        (
            "SAS*TEETH",
            Draw("pile"),
            "You have 9 cards, and a turn ends with 7. Discard 2 letters.",
        ),
        (
            "SAS",
            Discard(("S",)),
            "You have 3 cards, and a turn ends with 7. Draw 4 cards, from the draw pile "
            "or the discard pile.",
        ),
        ("SAS", Draw("pile", 5), "You can't draw 5 cards now. Draw one to 4."),
        (
            "SAS*TEETH",
            Discard(tuple("SAT")),
            "You can't discard 3 letters. To come to 7, discard 2 letters.",
        ),
        (
            "SAS*TEETH",
            Discard(()),
            "You can't discard no letters. To come to 7, discard 2 letters.",
        ),
        (
            "SAS*TEETH",
            Discard(("A", "A")),
            "You don't have 2 As. Your hand: A E E H S S T T and End of Round.",
        ),
        (
            "SAS*TEETH",
            Discard(("*",)),
            "The End of Round card isn't a letter: it can't be traded or discarded. "
            "Name a letter, A to Z.",
        ),
    ],
)
def test_what_is_said_where_the_hand_comes_to_seven(hand, action, expected):
    """[WR-13] [WR-20] [WR-21]"""
    assert expected == said(Driver(phase="settle", hands={ANN: hand}), action)


def test_what_is_said_at_the_end_of_a_turn():
    """[WR-43] [WR-44]"""
    over = "Your turn is ending. Type end round to play End of Round, or pass."
    position: dict[str, Any] = {"phase": "close", "manifests": {ANN: "T14"}}
    driver = Driver(hands={ANN: "AEIOUS*"}, words={ANN: ["NOTE", "locked SEA"]}, **position)
    for action in (Form("SEA"), Draw("pile"), Done()):
        assert over == said(driver, action)
    assert (
        "To end the round, a word of your manifest must lie exposed in front of you. Type pass."
    ) == said(driver, EndRound())
    driver = Driver(hands={ANN: "AEIOUST"}, words={ANN: ["SEA"]}, **position)
    assert "You don't have the End of Round card. Type pass." == said(driver, EndRound())


def test_what_is_said_in_a_trade():
    """[WR-23] [WR-24] [G-11]"""
    driver = Driver(4, hands={ANN: "EK*", BOB: "SASTAIN", CY: "AAAAAA*"})
    driver.when(ANN, Trade((Offer(BOB, "E"), Offer(CY, "K"))))
    first = "Ann trades with you. Which letter do you give? Type: give LETTER"
    assert first == said(driver, Pass(), BOB)
    assert "You don't have an E. Your hand: A A I N S S T." == said(driver, Answer("E"), BOB)
    assert "End of Round card isn't a letter" in said(driver, Answer("*"), CY)
    waits = "You can go on when the trade is done. Waiting for 2 more players."
    assert waits == said(driver, Done())
    away = "Ann is trading, and not with you. Please wait until it is your turn."
    assert away == said(driver, Answer("E"), DEE)
    driver.when(BOB, Answer("S"))
    given = "You have given your letter already. Waiting for one more player."
    assert given == said(driver, Answer("A"), BOB)


def test_what_is_said_in_a_removal():
    """[WR-45] [WR-46]"""
    words = {ANN: ["THE"], BOB: ["BEAST", "SEA", "locked OVER"], CY: ["BOAT"]}
    driver = Driver(phase="removal", words=words)
    can = "You can remove a letter from word 2 BEAST."
    locked = "OVER is locked until the round ends."
    for action, expected in (
        (Remove("X", 2, "EAST"), "There is no X in BEAST. Name one of its letters: B E A S T."),
        (
            Remove("B", 2, "SEA"),
            "BEAST without B leaves AEST. Name a word of exactly these letters, not SEA.",
        ),
        (
            Remove("A", 3, "SE"),
            f"SEA has 3 letters, and only a word of 4 or more can lose one. {can}",
        ),
        (Remove("O", 4, "REV"), f"{locked} {can}"),
        (
            Done(),
            "The round is ending. You can remove one letter from one of your exposed words, or "
            "pass.",
        ),
    ):
        assert expected == said(driver, action, BOB)
    assert "Word 5 is Cy's" in said(driver, Remove("B", 5, "OAT"), BOB)
    none = "The round is ending, and none of your words can lose a letter. Please wait."
    assert none == said(driver, Pass(), ANN)
    driver.when(BOB, Pass())
    assert "You have chosen already. Waiting for one more player." == said(driver, Pass(), BOB)


def test_words_are_named_as_long_enough_and_able_to_lose_a_letter():
    """[WR-35] [WR-46] QUIZ has 4 letters, and without any of them it spells nothing."""
    removing = Driver(phase="removal", words={BOB: ["QUIZ", "BEAST", "SEA"]})
    can = "only a word of 4 or more can lose one. You can remove a letter from word 2 BEAST."
    assert f"SEA has 3 letters, and {can}" == said(removing, Remove("A", 3, "ES"), BOB)
    stealing = Driver(words={BOB: ["QUIZ", "SEA"], CY: ["BOAT"]})
    can = "only a word of 4 or more can lose one. You can steal from word 3 BOAT."
    assert f"SEA has 3 letters, and {can}" == said(stealing, Steal("A", 2, "ES", "TAN"))


def test_who_is_not_asked_is_told_who_is():
    driver = Driver(turn=BOB)
    wait = "It's Bob's turn."
    assert wait == said(driver, Done())
    assert "Nobody trades with you now. " + wait == said(driver, Answer("E"))
    assert "A letter is removed when a round ends. " + wait == said(driver, Remove("E", 1, "X"))
    assert "You are watching, so you can't make moves." == said(driver, Done(), None)
    over = replace(driver.view(ANN), phase="")
    ended = "The game is over. Type rematch to play again."
    assert ended == refusal(words_game(), over, Done())
