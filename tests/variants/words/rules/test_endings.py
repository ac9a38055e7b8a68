"""How rounds and games end: three ways, removals, the reckoning, places."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.play import folded
from tests.variants.driver import ANN, BOB, CY, NAMES, kinds, of_kind
from tests.variants.words.driver import BOX, FOAM_WORDS, SEA_WORDS, Driver, words_game
from variants.contract import IllegalAction, Outcome
from variants.kit.text import Style, plain_text
from variants.words.actions import Discard, Done, Draw, EndRound, Form, Out, Pass, Remove
from variants.words.data.box import (
    END_CARDS,
    END_OF_ROUND,
    QUIET_CIRCUITS,
    STILL_CIRCUITS,
    Indicator,
    Manifest,
)
from variants.words.events import (
    GameEnded,
    LetterRemoved,
    Removal,
    RemovalAnswered,
    RemovalOpened,
    RoundBegun,
    RoundEnding,
    RoundScored,
    Scored,
    Word,
)
from variants.words.public_knowledge import ends_in_other_hands
from variants.words.rules.scoring import score_word

NO_BONUS = [4, 2]
"""A doubled set of which nobody in these positions has a word."""


def reckoned(seats: int = 3, **position: Any) -> tuple[Driver, RoundScored]:
    """A round that is over, and its reckoning: nobody removes a letter."""
    driver = Driver(seats, phase="removal", **position)
    while not of_kind(driver.past, RoundScored):
        seat = next(s for s in driver.state.removers if not driver.view(s).has_answered)
        driver.when(seat, Pass())
    return driver, of_kind(driver.past, RoundScored)[0]


# -- End of Round and removals ---------------------------------------------------------------------


def ending(words: dict[int, list[str]], **position: Any) -> Driver:
    """Ann holds End of Round and seven cards."""
    return Driver(
        hands={ANN: "KKAIOU*"},
        words=words,
        manifests={ANN: FOAM_WORDS, BOB: SEA_WORDS},
        indicators={ANN: NO_BONUS, BOB: NO_BONUS},
        **position,
    )


def test_end_of_round_that_was_played_is_in_no_hand():
    """[WR-43] While letters are removed it lies open; a next round deals it again."""
    driver = ending({ANN: ["FOAM"], BOB: ["BEAST"]})
    driver.when(ANN, Done())
    assert (7, False) == (driver.view().seats[ANN].cards, driver.view().is_end_played)
    driver.when(ANN, EndRound())
    own, public = driver.view(ANN), driver.view()
    assert END_OF_ROUND not in own.hand and "KKAIOU" == "".join(own.hand)
    assert (6, True) == (public.seats[ANN].cards, public.is_end_played)
    assert [END_OF_ROUND] == list(driver.game.zones(driver.state)["played"])
    shown = [plain_text(row) for row in driver.game.render(own, NAMES[:3], Style())]
    assert "Your hand: K K A I O U" in shown
    assert END_CARDS - 1 == ends_in_other_hands(own)
    driver.when(ANN, Pass())
    driver.when(BOB, Pass())
    assert (2, False) == (driver.state.round, driver.view().is_end_played)
    assert END_CARDS == sum(END_OF_ROUND in player.hand for player in driver.state.players)


def test_who_goes_out_keeps_end_of_round():
    """[WR-48] It does not matter, so nobody is told of it."""
    driver = Driver(hands={ANN: "*"}, words={ANN: ["FOAM"]}, manifests={ANN: FOAM_WORDS})
    driver.when(ANN, Out())
    assert ("*", False) == (driver.hand(ANN), driver.view().is_end_played)


def test_end_of_round_is_played_at_the_end_of_a_turn_and_letters_are_removed():
    """[W-G13] [WR-43] [WR-45]"""
    driver = ending({ANN: ["FOAM"], BOB: ["BEAST"]})
    driver.when(ANN, Done())
    assert ("close", (ANN,)) == driver.asked()
    events = driver.when(ANN, EndRound())
    assert [RoundEnding(ANN, "end"), RemovalOpened((ANN, BOB))] == events
    assert ("removal", (ANN, BOB)) == driver.asked()
    assert [RemovalAnswered(ANN, None, 1)] == driver.when(ANN, Pass())
    events = driver.when(BOB, Remove("B", 2, "EAST"))
    assert RemovalAnswered(BOB, Removal(2, "B", "EAST"), 0) == events[0]
    assert LetterRemoved(BOB, Word(2, BOB, "EAST"), "B", "BEAST") == events[1]
    (reckoning,) = of_kind(events, RoundScored)
    assert [10, 10, 0] == [sheet.points for sheet in reckoning.sheets]
    assert ["RoundScored", "RoundBegun", "TurnStarted"] == kinds(events)[2:]


def test_removed_letters_go_to_the_discard_pile_in_seat_order():
    """[G-11] Whoever answered first."""
    driver = ending({ANN: ["FOAM", "COAT"], BOB: ["BEAST"]}, discards="X")
    driver.when(ANN, Done(), EndRound())
    driver.when(BOB, Remove("B", 3, "EAST"))
    assert ("X", ["3 BEAST"]) == (driver.discards(), driver.words(BOB))
    events = driver.when(ANN, Remove("C", 2, "OAT"))
    assert ["C", "B"] == [removed.letter for removed in of_kind(events, LetterRemoved)]
    until = len(driver.past) - kinds(events)[::-1].index("LetterRemoved")
    assert ("X", "C", "B") == folded(words_game(), driver.past[:until]).discards


def test_who_removes_what_is_known_to_that_seat_until_all_have_answered():
    """[G-11]"""
    driver = ending({ANN: ["FOAM"], BOB: ["BEAST"]})
    driver.when(ANN, Done(), EndRound())
    (answered,) = driver.when(BOB, Remove("B", 2, "EAST"))
    heard = [words_game().redact(answered, seat) for seat in (BOB, ANN, None)]
    assert [answered, RemovalAnswered(None, None, 1), RemovalAnswered(None, None, 1)] == heard
    assert (True, Removal(2, "B", "EAST")) == (
        driver.view(BOB).has_answered, driver.view(BOB).removal
    )  # fmt: skip
    assert (False, None, 1) == (
        driver.view(ANN).has_answered, driver.view(ANN).removal, driver.view().missing
    )  # fmt: skip
    assert ("removal", (ANN, BOB)) == driver.asked()


def test_only_who_could_remove_a_letter_is_asked():
    """[G-12] [WR-46] Three letters, a locked word, and a word that no letter can leave."""
    words = {ANN: ["FOAM", "SEA"], BOB: ["locked BEAST"], CY: ["RHYTHM"]}
    driver = ending(words)
    driver.when(ANN, Done())
    assert RemovalOpened((ANN,)) == driver.when(ANN, EndRound())[1]


def test_where_nobody_could_remove_a_letter_the_round_is_scored_at_once():
    """[G-07]"""
    driver = ending({ANN: ["HAD"], BOB: ["SEA"]})
    driver.when(ANN, Done())
    events = driver.when(ANN, EndRound())
    assert ["RoundEnding", "RoundScored", "RoundBegun", "TurnStarted"] == kinds(events)


# -- going out, and rounds that end by themselves --------------------------------------------------


def test_out_ends_the_round_without_settling():
    """[W-G14] [WR-48]"""
    driver = Driver(hands={ANN: "DATESOVER"}, words=[], manifests={ANN: SEA_WORDS})
    driver.when(ANN, Form("DATES"), Form("OVER"))
    events = driver.when(ANN, Out())
    assert [RoundEnding(ANN, "out"), RemovalOpened((ANN,))] == events
    driver = Driver(hands={ANN: "OVER"}, words={ANN: ["NOTE"]}, manifests={ANN: SEA_WORDS})
    driver.when(ANN, Form("OVER"))
    with pytest.raises(IllegalAction):
        driver.when(ANN, Out())


def test_the_turn_that_empties_the_pile_is_completed_and_is_the_last():
    """[WR-49]"""
    driver = Driver(phase="draw", drawn=0, hands={ANN: "KKAIOUE"}, pile="V", words={ANN: ["SEA"]})
    driver.when(ANN, Draw("pile"), Done())
    assert ("settle", 0) == (driver.state.phase, len(driver.state.pile))
    driver.when(ANN, Discard(tuple(driver.hand(ANN)[-2:])))
    assert "close" == driver.state.phase
    events = driver.when(ANN, Pass())
    assert ["Passed", "TurnEnded", "RoundEnding", "RoundScored"] == kinds(events)[:4]
    assert [RoundEnding(ANN, "pile")] == of_kind(events, RoundEnding)


@pytest.mark.parametrize(
    ("quiet", "still", "why"),
    [
        (3 * QUIET_CIRCUITS - 1, 3 * QUIET_CIRCUITS - 1, "quiet"),
        (0, 3 * STILL_CIRCUITS - 1, "still"),
        (3 * QUIET_CIRCUITS - 2, 3 * STILL_CIRCUITS - 2, ""),
    ],
)
def test_a_round_in_which_nothing_moves_ends_by_itself(quiet, still, why):
    """[WR-56]"""
    driver = Driver(hands={ANN: "KKAIOUE"}, words=[], quiet=quiet, still=still)
    endings = of_kind(driver.when(ANN, Done()), RoundEnding)
    assert ([RoundEnding(ANN, why)] if why else []) == endings


# -- the reckoning ---------------------------------------------------------------------------------


def test_words_on_the_manifest_score_and_others_count_against():
    """[W-G02] [WR-39] Locked or not."""
    _, reckoning = reckoned(
        manifests={ANN: SEA_WORDS}, indicators={ANN: [1, 2]},
        words={ANN: ["SEA", "locked OVER", "NOTE"]},
    )  # fmt: skip
    sheet = reckoning.sheets[ANN]
    assert (10, 10) == (sheet.points, sheet.total)
    assert (
        Scored("SEA", False, 1, 10), Scored("OVER", True, 4, 10), Scored("NOTE", False, 0, -10)
    ) == sheet.words  # fmt: skip


@pytest.mark.parametrize(("indicator", "points"), [([3, 2], 30), ([1, 2], 15)])
def test_the_bonus_doubles_the_words_of_its_set(indicator, points):
    """[W-G01] [WR-51]"""
    _, reckoning = reckoned(
        manifests={CY: FOAM_WORDS}, indicators={CY: indicator}, words={CY: ["FOAMS"]}
    )
    assert points == reckoning.sheets[CY].points


def test_each_copy_of_a_word_scores():
    """[W-G16] [WR-08]"""
    _, reckoning = reckoned(
        manifests={ANN: SEA_WORDS}, indicators={ANN: NO_BONUS}, words={ANN: ["SEA", "locked SEA"]}
    )
    assert 10 == reckoning.sheets[ANN].points


def test_only_the_printed_spelling_and_the_own_manifest_count():
    """[WR-06] [WR-50]"""
    _, reckoning = reckoned(
        manifests={ANN: SEA_WORDS, BOB: FOAM_WORDS}, words={ANN: ["SEAT", "FOAM"], BOB: ["SEA"]}
    )
    assert [-20, -5] == [sheet.points for sheet in reckoning.sheets[:2]]


@pytest.mark.parametrize(
    ("word", "points"), [("OAT", -5), ("BOAT", -10), ("THUMB", -15), ("PLANET", -20),
                         ("PLANETS", -25), ("PLATINUM", -30)],
)  # fmt: skip
def test_a_word_of_any_length_counts_five_for_each_letter_beyond_two(word, points):
    """A penalty is never multiplied."""
    manifest, double = BOX.manifests[0], Indicator("B", 1, 2)
    assert Scored(word, False, 0, points) == score_word(BOX, manifest, double, Word(1, ANN, word))


def test_of_two_sets_with_the_same_word_the_better_counts():
    """[WR-09] As only cards of a host can have them."""
    card = Manifest("H1", (("SEA", "EAST", "DATES", "TASTED"),) * 2)
    assert Scored("EAST", False, 2, 20) == score_word(
        BOX, card, Indicator("B", 2, 2), Word(1, ANN, "EAST")
    )


# -- the end of the game ---------------------------------------------------------------------------


def finished(totals: dict[int, int], **position: Any) -> Driver:
    """A round without words is over: the totals stay as they are."""
    return reckoned(totals=totals, words=position.pop("words", []), **position)[0]


def test_a_shared_lead_at_the_target_means_another_round():
    """[W-G15] [WR-53]"""
    words, manifests = {ANN: ["SEA"], BOB: ["HAD"]}, {ANN: SEA_WORDS, BOB: FOAM_WORDS}
    indicators = {ANN: NO_BONUS, BOB: [1, 2]}
    position = {"words": words, "manifests": manifests, "indicators": indicators}
    driver = finished({ANN: 195, BOB: 195, CY: 180}, **position)
    assert (200, 200, 180) == driver.state.totals
    assert (2, "draw", None) == (
        driver.state.round, driver.state.phase, words_game().outcome(driver.state)
    )  # fmt: skip
    driver = finished({ANN: 195, BOB: 190, CY: 180}, **position)
    assert GameEnded((200, 195, 180), "target") == driver.past[-1]
    assert Outcome(
        (1, 2, 3), (200, 195, 180), "200 points reach the target of 200"
    ) == words_game().outcome(driver.state)
    assert None is words_game().open_window(driver.view())


def test_after_the_last_round_the_highest_total_wins_and_equal_totals_share():
    """[WR-56] [G-16]"""
    driver = finished({ANN: 30, BOB: -5, CY: 30}, options={"max_rounds": "4"}, round=4)
    assert GameEnded((30, -5, 30), "rounds") == driver.past[-1]
    assert Outcome((1, 3, 1), (30, -5, 30), "4 rounds were played") == words_game().outcome(
        driver.state
    )


def test_the_next_round_is_dealt_anew_and_begins_left_of_the_last_starter():
    """[WR-54]"""
    driver = finished({ANN: 30, BOB: 0, CY: 0}, starter=CY, turn=CY, words={BOB: ["SEA"]})
    state = driver.state
    (begun,) = of_kind(driver.past, RoundBegun)
    assert (2, ANN, ANN, 1) == (begun.number, begun.starter, state.turn, state.number)
    assert ((), 1, 0, 0) == (state.words, state.next_word, state.quiet, state.still)
    assert ([7, 7, 7], 86, 1) == (
        [len(player.hand) for player in state.players], len(state.pile), len(state.discards)
    )  # fmt: skip
    assert state.last == of_kind(driver.past, RoundScored)[0].sheets == driver.view().last


def test_what_was_hidden_is_turned_up_at_the_reckoning():
    """[WR-52] [G-06] Hands are not shown."""
    _, reckoning = reckoned(
        manifests={ANN: SEA_WORDS}, indicators={ANN: NO_BONUS}, words={ANN: ["locked OVER"]}
    )
    heard = words_game().redact(reckoning, None)
    assert heard == reckoning
    assert ("T14", 4, "OVER") == (
        reckoning.sheets[ANN].manifest.id, reckoning.sheets[ANN].indicator.set,
        reckoning.sheets[ANN].words[0].spelling,
    )  # fmt: skip
