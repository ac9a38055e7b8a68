"""What happened in a word game, as people read it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, NAMES
from tests.variants.words.views import (
    BONUS_1,
    BONUS_3,
    BOX,
    SETTINGS,
    SHEETS,
    T12,
    T14,
    random_game,
    readers,
)
from variants.contract import Seat
from variants.kit.text import Style, plain_text
from variants.words import events as e
from variants.words.data.box import END_OF_ROUND
from variants.words.language.events_text import describe_event
from variants.words.language.guide import GUIDE
from variants.words.rules.observe import redact

THREE = NAMES[:3]
EAST, DATES = e.Word(3, BOB, "EAST"), e.Word(3, BOB, "DATES")
DOG = e.Word(5, ANN, "DOG", True)
HANDS = (tuple("DATEOV*"), tuple("RRRIIIO"), tuple("SSSSNNN"))
DEALT = e.RoundBegun(2, BOB, HANDS, (T14, T12, T12), (BONUS_1, BONUS_3, BONUS_3), ("K",), ("X",), 1)
ARRANGED = e.PositionArranged(
    BOX, SETTINGS, 1, ANN, ANN, 1, "main", 2, HANDS, (7, 7, 7), (T14, T12, T12),
    (BONUS_1, BONUS_3, BONUS_3), (0, 0, 0), (), ("K",), 1, (), 0, 0,
)  # fmt: skip
BOTH = e.TradeOffered(ANN, (BOB, CY), ("E", "K"))
SWAPPED = e.Traded(ANN, (BOB, CY), ("E", "K"), ("S", "A"))


SILENT: list[tuple[e.Event, Seat | None, str]] = [
    (e.PhaseOpened(ANN, "main"), BOB, "the status line says what Ann is asked"),
    (e.PhaseOpened(ANN, "settle"), None, "the board says what a hand needs to be seven"),
    (e.TurnEnded(ANN, 1, 1), ANN, "the next turn or the end of the round is told"),
    (e.TurnEnded(ANN, 12, 12), ANN, "so it is where the round stalls: RoundEnding says why"),
    (e.LetterDrawn(ANN, "pile", None, 0), BOB, "the first of the draw told how many they are"),
    (e.TradeAnswered(None, None, 0), ANN, "all are in: Traded is told next"),
    (e.TradeAnswered(CY, "A", 0), CY, "the own letters are in it, too"),
    (e.RemovalAnswered(None, None, 0), ANN, "all are in: what was removed is told next"),
    (e.RemovalAnswered(ANN, e.Removal(3, "B", "EAST"), 0), ANN, "what oneself removed, too"),
]

# (event as it is stored, what Ann hears, what Cy hears if it is not the same, what a watcher hears)
SENTENCES: list[tuple[Any, ...]] = [
    (e.GameBegun(BOX, SETTINGS, 3),
     "A game of 3 players to 200 points begins. It has 25 rounds at most."
     " Words up to level 80 of the list are valid."),
    (DEALT,
     "Round 2 begins. You are dealt D, A, T, E, O, V and End of Round, a manifest and a bonus."
     " X is on the discard pile. Bob starts.",
     "Round 2 begins. You are dealt S, S, S, S, N, N and N, a manifest and a bonus."
     " X is on the discard pile. Bob starts.",
     "Round 2 begins. Everybody is dealt 7 cards, a manifest and a bonus."
     " X is on the discard pile. Bob starts."),
    (ARRANGED,
     "The cards are set up. Your hand: D, A, T, E, O, V and End of Round.",
     "The cards are set up. Your hand: S, S, S, S, N, N and N.", "The cards are set up."),
    (e.TurnStarted(ANN, 7), "Turn 7: your turn.", "Turn 7: Ann's turn."),
    (e.LetterDrawn(ANN, "pile", "E"), "You draw E.", "Ann draws a letter."),
    (e.LetterDrawn(ANN, "pile", "E", 6), "You draw E.", "Ann draws 6 letters."),
    (e.LetterDrawn(ANN, "discard", "X"), "You take X from the discard pile.",
     "Ann takes X from the discard pile."),
    (BOTH, "You trade with Bob and Cy, offering E to Bob and K to Cy.",
     "Ann trades with Bob and you. Which letter do you give? Type: give LETTER",
     "Ann trades with Bob and Cy."),
    (e.TradeAnswered(CY, "A", 1), "Waiting for one more player.",
     "You give A. Waiting for one more player.",
     "Waiting for one more player."),
    (SWAPPED, "You trade E to Bob for S and K to Cy for A.", "You trade A to Ann for K.",
     "Ann, Bob and Cy have traded."),
    (e.LetterAdded(ANN, DATES, "D", "EAST"), "You add D to Bob's EAST: DATES.",
     "Ann adds D to Bob's EAST: DATES."),
    (e.LetterStolen(ANN, e.Word(3, BOB, "SEAT"), "D", "DATES", DOG),
     "You steal D from Bob's DATES, leaving SEAT, and lock DOG (word 5).",
     "Ann steals D from Bob's DATES, leaving SEAT, and locks DOG (word 5)."),
    (e.WordFormed(e.Word(4, ANN, "OVER")), "You lay OVER (word 4).", "Ann lays OVER (word 4)."),
    (e.WordLocked(DOG), "You lock DOG (word 5).", "Ann locks DOG (word 5)."),
    (e.WordFormed(DOG, 2), "You lay DOG (word 5, set 2 of your manifest).",
     "Ann lays DOG (word 5)."),
    (e.WordLocked(DOG, 0), "You lock DOG (word 5)."
     " It isn't on your manifest: if the round ends now, it costs 5.",
     "Ann locks DOG (word 5)."),
    (e.LetterStolen(ANN, e.Word(3, BOB, "SEAT"), "D", "DATES", DOG, 1),
     "You steal D from Bob's DATES, leaving SEAT, and lock DOG (word 5, set 1 of your manifest).",
     "Ann steals D from Bob's DATES, leaving SEAT, and locks DOG (word 5)."),
    (e.WordsRebuilt(ANN, (e.Word(3, ANN, "EAST"),), (DOG, e.Word(3, ANN, "EAST")), (), (), (0, 1)),
     "You rebuild EAST into DOG (word 5)."
     " DOG isn't on your manifest: if the round ends now, it costs 5.",
     "Ann rebuilds EAST into DOG (word 5)."),
    (e.WordsRebuilt(ANN, (e.Word(3, ANN, "EAST"),), (e.Word(6, ANN, "TASTED"),), ("T", "D"), ()),
     "You rebuild EAST, with T and D from the hand, into TASTED (word 6).",
     "Ann rebuilds EAST, with T and D from the hand, into TASTED (word 6)."),
    (e.WordsRebuilt(ANN, (e.Word(3, ANN, "FOAMS"),), (e.Word(6, ANN, "FOAM"),), (), ("S",)),
     "You rebuild FOAMS into FOAM (word 6); S goes to the hand.",
     "Ann rebuilds FOAMS into FOAM (word 6); S goes to the hand."),
    (e.WordsRebuilt(ANN, (e.Word(3, ANN, "NOTE"),), (), (), tuple("NOTE")),
     "You take up NOTE; N, O, T and E go to the hand.",
     "Ann takes up NOTE; N, O, T and E go to the hand."),
    (e.WordsRebuilt(ANN, (e.Word(3, ANN, "NOTE"), e.Word(4, ANN, "SEA")),
                    (e.Word(4, ANN, "SEA"),), (), tuple("NOTE")),
     "You take up NOTE; N, O, T and E go to the hand.",
     "Ann takes up NOTE; N, O, T and E go to the hand."),
    (e.LetterDiscarded(ANN, "R"), "You discard R.", "Ann discards R."),
    (e.Passed(ANN), "You pass.", "Ann passes."),
    (e.TurnEnded(ANN, 9, 9),
     "No card has left the draw pile and no word has changed for 9 turns;"
     " after 12 the round ends."),
    (e.TurnEnded(ANN, 0, 33),
     "No card has left the draw pile for 33 turns; after 36 the round ends."),
    (e.RoundEnding(ANN, "end"), "You play End of Round. The round is over.",
     "Ann plays End of Round. The round is over."),
    (e.RoundEnding(ANN, "out"),
     "You call out: no letter in hand, every word on the manifest. The round is over.",
     "Ann calls out: no letter in hand, every word on the manifest. The round is over."),
    (e.RoundEnding(ANN, "pile"), "The round is over: the draw pile is empty."),
    (e.RoundEnding(ANN, "quiet"),
     "The round is over: no card has left the draw pile and no word has changed for 12 turns."),
    (e.RoundEnding(ANN, "still"),
     "The round is over: no card has left the draw pile for 36 turns."),
    (e.RemovalOpened((BOB, CY)),
     "Bob and Cy can each remove one letter from one exposed word of their own.",
     "You and Bob can each remove one letter from one exposed word of your own:"
     " remove LETTER from WORD or pass.",
     "Bob and Cy can each remove one letter from one exposed word of their own."),
    (e.RemovalOpened((ANN,)),
     "You can remove one letter from one exposed word of your own:"
     " remove LETTER from WORD or pass.",
     "Ann can remove one letter from one exposed word of their own."),
    (e.RemovalAnswered(ANN, e.Removal(3, "B", "EAST"), 2),
     "You remove B from word 3, leaving EAST. Waiting for 2 more players.",
     "Waiting for 2 more players."),
    (e.RemovalAnswered(ANN, None, 2), "You remove nothing. Waiting for 2 more players.",
     "Waiting for 2 more players."),
    (e.LetterRemoved(BOB, EAST, "B", "BEAST"), "Bob removes B from BEAST, leaving EAST."),
    (e.RoundScored(3, SHEETS),
     "Round 3: You 0 for SEA 10 and NOTE -10, now 40; Bob 30 for FOAMS 30, now 215; Cy 0, now 215."
     " Type score for the manifests and bonuses.",
     "Round 3: Ann 0 for SEA 10 and NOTE -10, now 40; Bob 30 for FOAMS 30, now 215; you 0, now 215."
     " Type score for the manifests and bonuses.",
     "Round 3: Ann 0 for SEA 10 and NOTE -10, now 40; Bob 30 for FOAMS 30, now 215; Cy 0, now 215."
     " Type score for the manifests and bonuses."),
    (e.GameEnded((215, 210, 205), "target"),
     "The target is reached: you win with 215 points.",
     "The target is reached: Ann wins with 215 points."),
    (e.GameEnded((90, 10, 90), "rounds"),
     "The last round is played: you and Cy tie for first place with 90 points.",
     "The last round is played: Ann and you tie for first place with 90 points.",
     "The last round is played: Ann and Cy tie for first place with 90 points."),
]  # fmt: skip


def said(event: e.Event, seat: Seat | None) -> str | None:
    told = describe_event(BOX, redact(event, seat), seat, THREE, Style())
    return None if told is None else plain_text(told)


@pytest.mark.parametrize(("event", "sentences"), [(first, rest) for first, *rest in SENTENCES])
def test_an_event_is_told_to_each_in_one_sentence(event, sentences):
    ann, *others = sentences
    cy = others[0] if others else ann
    watcher = others[-1] if others else ann
    assert [ann, cy, watcher] == [said(event, seat) for seat in (ANN, CY, None)]


@pytest.mark.parametrize("phase", ["main", "settle", "close"])
def test_whose_turn_it_is_reads_what_can_be_typed_whatever_the_hand(phase):
    """[G-12] And the others, who read it in the status line, hear nothing."""
    own = said(e.PhaseOpened(ANN, phase, 9), ANN)
    assert own is not None
    for key in {"main": ["done"], "settle": ["discard"], "close": ["end round", "pass"]}[phase]:
        assert key in own
    assert said(e.PhaseOpened(ANN, phase), BOB) is None
    assert said(e.PhaseOpened(ANN, phase), None) is None


def test_a_hand_comes_to_seven_by_what_its_public_number_asks_for():
    """[WR-14] [WR-20]"""
    over, under = e.PhaseOpened(ANN, "settle", 9), e.PhaseOpened(ANN, "settle", 4)
    assert "You have 9 cards. Discard 2: discard LETTERS." == said(over, ANN)
    assert "You have 4 cards. Draw 3 more: draw 3, or draw discard." == said(under, ANN)
    by_itself = replace(under, has_choice=False)
    assert "You have 4 cards. Your hand is filled from the one pile that has cards." == said(
        by_itself, ANN
    )
    assert said(by_itself, BOB) is None


@pytest.mark.parametrize(("event", "seat", "reason"), SILENT)
def test_some_events_are_told_by_others(event, seat, reason):
    assert said(event, seat) is None, reason


def test_every_kind_of_event_has_a_sentence():
    told = {type(event) for event, *_ in SENTENCES} | {e.PhaseOpened}
    assert set(e.EVENT_TYPES) == told


def test_of_answers_only_their_number_is_heard_by_others():
    """[G-11]"""
    for missing in (1, 2):
        trades = {
            said(e.TradeAnswered(seat, letter, missing), ANN)
            for seat in (BOB, CY)
            for letter in "AZ"
        }
        removals = {
            said(e.RemovalAnswered(seat, removal, missing), ANN)
            for seat in (BOB, CY)
            for removal in (None, e.Removal(3, "B", "EAST"))
        }
        assert 1 == len(trades) == len(removals)


def test_the_last_to_answer_hears_the_own_answer_once():
    """What comes of it is told next; of nothing, nothing comes."""
    trade = [e.TradeAnswered(CY, "A", 0), SWAPPED]
    removal = [
        e.RemovalAnswered(CY, e.Removal(3, "B", "EAST"), 0),
        e.LetterRemoved(CY, e.Word(3, CY, "EAST"), "B", "BEAST"),
    ]
    assert ["You trade A to Ann for K."] == [it for event in trade if (it := said(event, CY))]
    assert ["You remove B from BEAST, leaving EAST."] == [
        it for event in removal if (it := said(event, CY))
    ]
    assert "You remove nothing." == said(e.RemovalAnswered(CY, None, 0), CY)


@pytest.mark.parametrize("letter", "AEIQZ")
def test_who_may_not_know_a_letter_hears_the_same_sentence_whatever_it_is(letter):
    events = [e.LetterDrawn(ANN, "pile", letter), e.TradeOffered(ANN, (BOB,), (letter,)),
              e.Traded(ANN, (BOB,), (letter,), (letter,))]  # fmt: skip
    blank = [e.LetterDrawn(ANN, "pile", "T"), e.TradeOffered(ANN, (BOB,), ("T",)),
             e.Traded(ANN, (BOB,), ("T",), ("T",))]  # fmt: skip
    for reader in (CY, None):
        assert [said(event, reader) for event in blank] == [said(event, reader) for event in events]
    assert said(events[0], ANN) == f"You draw {letter}."


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_whatever_happens_in_a_random_game_is_told_in_whole_sentences(seats):
    heard = 0
    for moment in random_game(seats, seats, max_rounds="1"):
        for event in moment.events:
            for reader in readers(seats):
                told = describe_event(BOX, redact(event, reader), reader, NAMES[:seats], Style())
                text = "" if told is None else plain_text(told)
                assert END_OF_ROUND not in text and "None" not in text and "(," not in text
                assert not text or (
                    (text[-1] == "." or "Type: " in text) and "  " not in text and ".." not in text
                )
                heard += bool(text)
    assert heard > 300


def test_the_guide_says_what_a_reader_could_expect_otherwise():
    """The rulings that nobody would guess: [WR-13] [WR-24] [WR-39] [WR-44] [WR-40] [WR-45]."""
    guide = " ".join(GUIDE)
    for ruling in (
        "End of Round is one of the seven cards of your hand",  # WR-13
        "and can't refuse",  # WR-24
        "All your words count, exposed and locked alike",  # WR-39
        "locked words score, but do not count for this",  # WR-44
        "simply take a word of yours back to your hand",  # WR-40
        "one exposed word of their own",  # WR-45
    ):
        assert ruling in guide
