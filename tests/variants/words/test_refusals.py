"""What is said to a seat of words that may not do something: what is wrong, what would be right."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, MOVES, refusal, said
from tests.variants.words.driver import Driver, words_game
from variants.words.actions import (
    Add,
    Answer,
    Discard,
    Done,
    Draw,
    EndRound,
    Form,
    Lock,
    Offer,
    Out,
    Pass,
    Rebuild,
    Remove,
    Steal,
    Trade,
)
from variants.words.data.box import CHANGES_MAX
from variants.words.view import SeatView

AT_HOME: dict[str, Any] = {
    "hands": {ANN: "TDOGXEARS"},
    "words": {
        ANN: ["EAST", "locked NOTE"],
        BOB: ["DATES", "locked OVER"],
        CY: ["THUMB", "SEA"],
    },
    "manifests": {ANN: "T14"},
}
HELD = "Your hand: A D E G O R S T X."
CAN_ADD = "You can add to word 3 DATES, word 5 THUMB or word 6 SEA."
CAN_STEAL = "You can steal from word 3 DATES or word 5 THUMB."
EACH = "Name one or more of the others, each once, with a letter for each."


# -- options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (Draw("pile"), "You have drawn for this turn already." + MOVES),
        (Discard(("T",)), "You discard at the end of your turn. First type done." + MOVES),
        (EndRound(), "You play End of Round at the end of your turn. First type done." + MOVES),
        (Pass(), "You can't skip a move. To end your turn, type done." + MOVES),
        (Answer("T"), "Nobody trades with you now." + MOVES),
        (Remove("E", 1, "SAT"), "A letter is removed when a round ends, not before." + MOVES),
        (Form("TOT"), "You don't have 2 Ts. " + HELD),
        (Form("BIB"), "You don't have 2 Bs or an I. " + HELD),
        (Form("AT"), "AT is too short: three letters at least."),
        (Form("ÄRA"), "ÄRA isn't a word: words have letters A to Z only."),
        (Form(""), "Nothing isn't a word: words have letters A to Z only."),
        (Form("XGR"), "XGR spells nothing."),
        (Lock(3), "Word 3 is Bob's, and you can lock only your own. You can lock word 1 EAST."),
        (Lock(9), "There is no word 9 of yours on the table. You can lock word 1 EAST."),
        (
            Lock(2),
            "NOTE is locked until the round ends. "
            "You can lock word 1 EAST.",
        ),
        (Add("b", 3, "X"), "b isn't a letter. Choose one letter, A to Z."),
        (Add("", 3, "X"), "Nothing isn't a letter. Choose one letter, A to Z."),
        (Add("D", 9, "X"), "There is no word 9 on the table. " + CAN_ADD),
        (
            Add("D", 1, "DATES"),
            "To change your own word, type rebuild east+d as dates.",
        ),
        (Add("S", 4, "OVERS"), "Word 4 of Bob is locked, so you can't add to it. " + CAN_ADD),
        (Add("B", 6, "BASE"), "You don't have a B. " + HELD),
        (Add("G", 6, "GAS"), "GAS is not made of SEA and G. Name a word of all these letters "
         "and no other."),
        (Add("Q", 3, "DATESQ"), "DATES and Q together spell nothing. Try another letter or word."),
        (
            Steal("S", 6, "AE", "SAD"),
            "SEA has 3 letters, and only a word of 4 or more can lose one. " + CAN_STEAL,
        ),
        (
            Steal("T", 5, "HUM", "TOE"),
            "THUMB without T leaves BHMU, which spells nothing. What is left must be a word: "
            "try another letter.",
        ),
        (Steal("X", 3, "DATES", "AXE"), "There is no X in DATES. Name one of its letters: "
         "D A T E S."),
        (
            Steal("D", 3, "SAT", "DOG"),
            "DATES without D leaves AEST. Name a word of exactly these letters, not SAT.",
        ),
        (
            Steal("D", 3, "EAST", ""),
            "Which word do you make with D and letters of your hand? " + HELD,
        ),
        (
            Steal("D", 3, "EAST", "TOG"),
            "There is no D in TOG. Name a new word with the stolen letter in it.",
        ),
        (Steal("D", 3, "EAST", "DIB"), "You don't have a B or an I. " + HELD),
        (
            Steal("N", 2, "TOE", "NOR"),
            "You can't steal from a word of your own, but you can rebuild it. " + CAN_STEAL,
        ),
        (
            Steal("V", 4, "ROE", "VAT"),
            "Word 4 of Bob is locked, so you can't steal from it. " + CAN_STEAL,
        ),
        (Rebuild((), ("EAST",)), "Which of your words do you take up? To lay a word from the "
         "hand alone, form it."),
        (Rebuild((1, 1), ()), "A word is named twice. Name each word that you take up once."),
        (Rebuild((1,), ("EAST",)), "That changes nothing. Choose other words, or take up a word "
         "without a new one."),
        (
            Rebuild((2,), ()),
            "NOTE is locked until the round ends. "
            "You can take up word 1 EAST.",
        ),
        (Rebuild((3,), ()), "Word 3 is Bob's, and you can take up only your own. "
         "You can take up word 1 EAST."),
        (Rebuild((1,), ("BEASTIE",)), "You don't have a B or an I. " + HELD),
        (Trade(()), "A trade needs somebody to trade with. " + EACH),
        (Trade((Offer(ANN, "T"),)), "You can't trade with yourself. " + EACH),
        (Trade((Offer(BOB, "T"), Offer(BOB, "D"))), "Bob is named twice. " + EACH),
        (Trade((Offer(DEE, "T"),)), "There is no such seat at this table. " + EACH),
        (Trade((Offer(BOB, "T"), Offer(CY, "T"))), "You don't have 2 Ts. " + HELD),
        (
            Trade((Offer(BOB, "*"),)),
            "The End of Round card isn't a letter: it can't be traded or discarded. "
            "Name a letter, A to Z.",
        ),
        (Out(), "You can go out only with no letter left in your hand. " + HELD),
    ],
)  # fmt: skip
def test_what_is_said_of_the_options(action, expected):
    assert expected == said(Driver(**AT_HOME), action)


def test_what_was_done_in_this_turn_is_not_done_again():
    """[WR-22] [WR-28]"""
    driver = Driver(traded=True, stolen=True, added=[3], **AT_HOME)
    once = " in this turn already, and can do so once." + MOVES
    assert "You have stolen a letter" + once == said(driver, Steal("D", 3, "EAST", "DOG"))
    assert "You have traded" + once == said(driver, Trade((Offer(BOB, "T"),)))
    assert (
        "You have added a letter to DATES in this turn already, and each word takes one. "
        "You can add to word 5 THUMB or word 6 SEA."
    ) == said(driver, Add("T", 3, "STATED"))


def test_who_can_do_nothing_of_the_kind_is_told_so():
    driver = Driver(words={ANN: ["locked SEA"], BOB: ["OAT"]}, added=[2])
    assert "There is no word now to which you could add a letter." in said(driver, Add("S", 2, "X"))
    assert "There is no word now from which you could steal." in said(
        driver, Steal("O", 2, "AT", "TOE")
    )
    assert "You have no exposed word." in said(driver, Lock(1))


def test_of_many_words_only_their_number_is_said():
    driver = Driver(words={BOB: ["SEA", "TEA", "OAT", "EAR"], CY: ["TIE", "TOE", "ROE"]})
    assert (
        "There is no word 9 on the table. You can add to any of 7 words: look at the table."
    ) == said(driver, Add("S", 9, "X"))


def test_words_can_be_changed_so_many_times_in_a_turn():
    """[WR-56]"""
    view = replace(Driver(**AT_HOME).view(ANN), changes=CHANGES_MAX)
    for action in (Lock(1), Form("SEA"), Rebuild((1,), ()), Add("S", 5, "THUMBS")):
        assert f"You have rearranged words {CHANGES_MAX} times this turn" in refusal(
            words_game(), view, action
        )
    words_game().check(view, Done())


def test_whoever_may_have_no_letter_is_no_partner():
    """[WR-25] A single card may be End of Round; which it is, is not looked at."""
    view = Driver(**AT_HOME).view(ANN)
    few = replace(view, seats=(view.seats[0], SeatView(1, 0), view.seats[2]))
    one = "Bob has one card, which may be End of Round, and can't trade."
    assert f"{one} You can trade with Cy." == refusal(words_game(), few, Trade((Offer(BOB, "T"),)))
    alone = replace(view, seats=(view.seats[0], SeatView(1, 0), SeatView(0, 0)))
    nobody = "There is nobody to trade with now."
    assert f"{one} {nobody}" == refusal(words_game(), alone, Trade((Offer(BOB, "T"),)))


def test_going_out_needs_words_of_the_manifest_alone():
    """[WR-48] [W-G14] Locked ones too."""
    driver = Driver(hands={ANN: ""}, words={ANN: ["DATES", "locked NOTE"]}, manifests={ANN: "T14"})
    assert (
        "NOTE is not on your manifest, and to go out all your words must be. "
        "To look at it, type manifest."
    ) == said(driver, Out())
    assert "You have no word on the table, so you can't go out." + MOVES == said(
        Driver(hands={ANN: ""}), Out()
    )


def test_where_hints_are_off_no_word_is_named_that_could_be_made():
    """[G-15]"""
    misspelled = Form("AEST")
    position: dict[str, Any] = {"hands": {ANN: "EAST"}, "words": {BOB: ["SEA"]}}
    assert "EAST" in said(Driver(**position), misspelled)
    driver = Driver(options={"wordlist": "off"}, **position)
    assert "AEST isn't in the word list. Try other letters, or another order." == said(
        driver, misspelled
    )
    assert "XQZ spells nothing." == said(driver, Form("XQZ"))
    assert "AEST isn't in the word list. Try other letters, or another order." == said(
        driver, Add("T", 1, "AEST")
    )
