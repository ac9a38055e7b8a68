"""Trades: one card for one, all at once, each pair in private; settling; the end of a turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, chance, kinds, of_kind
from tests.variants.words.driver import BOX, Driver, words_game
from variants.contract import IllegalAction
from variants.words.actions import (
    Answer,
    Discard,
    Done,
    Draw,
    Form,
    Offer,
    Pass,
    Trade,
)
from variants.words.data.box import END_OF_ROUND
from variants.words.events import (
    LetterDrawn,
    PhaseOpened,
    TradeAnswered,
    Traded,
    TradeOffered,
    TurnEnded,
    TurnStarted,
)

# -- trades ----------------------------------------------------------------------------------------


def trading() -> Driver:
    hands = {ANN: "EKOIO*", BOB: "SEIOUR*", CY: "AAAAAAA"}
    return Driver(hands=hands, words=[])


def test_all_exchanges_happen_when_the_last_partner_has_answered():
    """[W-G09] [WR-23]"""
    driver = trading()
    events = driver.when(ANN, Trade((Offer(CY, "K"), Offer(BOB, "E"))))
    assert [TradeOffered(ANN, (BOB, CY), ("E", "K"))] == events
    assert ("trade", (BOB, CY)) == driver.asked()
    assert [TradeAnswered(BOB, "S", 1)] == driver.when(BOB, Answer("S"))
    assert ("EKOIO*", "SEIOUR*") == (driver.hand(ANN), driver.hand(BOB))
    events = driver.when(CY, Answer("A"))
    traded = Traded(ANN, (BOB, CY), ("E", "K"), ("S", "A"))
    assert [TradeAnswered(CY, "A", 0), traded] == events
    assert ("OIO*SA", "EIOUR*E", "AAAAAAK") == tuple(map(driver.hand, (ANN, BOB, CY)))
    assert ("main", (ANN,)) == driver.asked()
    with pytest.raises(IllegalAction):
        driver.when(ANN, Trade((Offer(BOB, "A"),)))


def test_an_offer_is_seen_by_nobody_before_it_is_answered():
    """[WR-26] [G-11]"""
    driver = trading()
    (offered,) = driver.when(ANN, Trade((Offer(BOB, "E"), Offer(CY, "K"))))
    unseen = TradeOffered(ANN, (BOB, CY), (None, None))
    heard = [words_game().redact(offered, seat) for seat in (ANN, BOB, None)]
    assert [offered, unseen, unseen] == heard
    assert ((Offer(BOB, "E"), Offer(CY, "K")), ()) == (
        driver.view(ANN).offers, driver.view(BOB).offers
    )  # fmt: skip


def test_who_has_answered_what_is_known_to_that_seat_only():
    """[G-11]"""
    driver = trading()
    driver.when(ANN, Trade((Offer(BOB, "E"), Offer(CY, "K"))))
    (answered,) = driver.when(BOB, Answer("S"))
    heard = [words_game().redact(answered, seat) for seat in (BOB, ANN, CY, None)]
    assert [answered, *[TradeAnswered(None, None, 1)] * 3] == heard
    assert (True, "S", 1) == tuple(
        getattr(driver.view(BOB), name) for name in ("has_answered", "answer", "missing")
    )
    assert (False, "", 1) == tuple(
        getattr(driver.view(CY), name) for name in ("has_answered", "answer", "missing")
    )
    assert ("trade", (BOB, CY)) == driver.asked(), "the window does not tell who has answered"


def test_of_a_trade_each_pair_knows_its_own_two_letters():
    """[WR-26] [W-G09]"""
    traded = Traded(ANN, (BOB, CY), ("E", "K"), ("S", "A"))
    heard = [words_game().redact(traded, seat) for seat in (ANN, BOB, CY, None)]
    assert [
        traded,
        Traded(ANN, (BOB, CY), ("E", None), ("S", None)),
        Traded(ANN, (BOB, CY), (None, "K"), (None, "A")),
        Traded(ANN, (BOB, CY), (None, None), (None, None)),
    ] == heard


# -- the end of a turn -----------------------------------------------------------------------------


def test_who_has_too_few_cards_picks_up_one_by_one_and_cannot_play_them():
    """[W-G12] [WR-20] [WR-21]"""
    hand = "DATESOUIK"
    driver = Driver(hands={ANN: hand}, pile_top="VW", discards="XQ", words=[])
    driver.when(ANN, Form("DATES"))
    assert ["PhaseOpened"] == kinds(driver.when(ANN, Done()))
    driver.when(ANN, Draw("pile"), Draw("discard"))
    with pytest.raises(IllegalAction):
        driver.when(ANN, Form("VOX"))
    events = driver.when(ANN, Draw("discard"))
    assert ["LetterDrawn", "PhaseOpened"] == kinds(events)
    assert ("OUIKVXQ", "close") == (driver.hand(ANN), driver.state.phase)


def test_a_hand_is_filled_at_once_where_one_pile_has_cards():
    """[G-07]"""
    driver = Driver(hands={ANN: "DATESOUIK"}, discards="", words=[])
    driver.when(ANN, Form("DATES"))
    events = driver.when(ANN, Done())
    assert ["PhaseOpened", *["LetterDrawn"] * 3, "PhaseOpened"] == kinds(events)
    assert PhaseOpened(ANN, "settle", 4, has_choice=False) == events[0]


def test_who_has_a_choice_of_piles_or_must_discard_is_told_what_to_type():
    """[WR-18] [WR-20]"""
    under = Driver(hands={ANN: "DATESOUIK"}, discards="X", words=[])
    under.when(ANN, Form("DATES"))
    over = Driver(hands={ANN: "DATESOUIK"}, discards="", words=[])
    for driver, cards in ((under, 4), (over, 9)):
        assert [PhaseOpened(ANN, "settle", cards)] == driver.when(ANN, Done())


def test_where_both_piles_run_dry_the_hand_stays_short():
    """[WR-18]"""
    driver = Driver(hands={ANN: "DATESOU"}, words=[])
    driver.when(ANN, Form("DATES"), Done())
    nearly_dry = replace(driver.state, pile=("K",), discards=("X",))
    events = words_game().decide(nearly_dry, ANN, Draw("pile"), chance())
    assert ["K", "X"] == [drawn.letter for drawn in of_kind(events, LetterDrawn)]
    assert "close" == of_kind(events, PhaseOpened)[-1].phase


def test_end_of_round_is_one_of_the_seven_cards():
    """[WR-13] [WR-14]"""
    driver = Driver(hands={ANN: "AEIOUST*K"}, words=[])
    assert 9 == driver.view(BOB).seats[ANN].cards
    driver.when(ANN, Done())
    with pytest.raises(IllegalAction):
        driver.when(ANN, Discard((END_OF_ROUND,)))
    driver.when(ANN, Discard(("K", "T")))
    assert "AEIOUS*" == driver.hand(ANN)


def test_the_latest_of_equal_letters_is_discarded():
    """The hand is kept in order of arrival."""
    driver = Driver(hands={ANN: "SAEIOUKRS"}, words=[])
    driver.when(ANN, Done(), Discard(("S", "R")))
    assert "SAEIOUK" == driver.hand(ANN)


def test_only_who_has_a_word_exposed_is_asked_whether_the_round_ends():
    """[G-12] Whatever the seat holds."""
    seven = {ANN: "AEIOUS*", BOB: "AEIOURT"}
    assert "TurnEnded" == kinds(Driver(hands=seven, words={BOB: ["EAST"]}).when(ANN, Done()))[0]
    locked = Driver(hands=seven, words={ANN: ["locked EAST"]})
    assert "TurnEnded" == kinds(locked.when(ANN, Done()))[0]
    exposed = Driver(hands={ANN: "AEIOUST"}, words={ANN: ["NOTE"]})
    assert ["PhaseOpened"] == kinds(exposed.when(ANN, Done()))
    events = exposed.when(ANN, Pass())
    assert ["Passed", "TurnEnded", "TurnStarted"] == kinds(events)
    assert [TurnStarted(BOB, 2)] == of_kind(events, TurnStarted)


def test_turns_count_as_quiet_and_still_until_something_moves():
    """[WR-56]"""
    driver = Driver(hands={ANN: "EASTOUI"}, quiet=2, still=5, words=[])
    (ended,) = of_kind(driver.when(ANN, Done()), TurnEnded)
    assert TurnEnded(ANN, 3, 6) == ended
    driver = Driver(hands={ANN: "EASTOUI"}, quiet=2, still=5, discards="KLRV", words=[])
    driver.when(ANN, Form("EAST"), Done())
    driver.when(ANN, *[Draw("discard")] * 4)
    assert [TurnEnded(ANN, 0, 6)] == of_kind(driver.when(ANN, Pass()), TurnEnded)
    hands = {ANN: "EASTOUI"}
    driver = Driver(phase="draw", drawn=0, hands=hands, quiet=2, still=5, discards="X", words=[])
    driver.when(ANN, Draw("pile"), Draw("discard"), Done())
    assert [TurnEnded(ANN, 0, 0)] == of_kind(driver.when(ANN, Discard(("X", "U"))), TurnEnded)


def test_the_turn_goes_to_the_next_seat_clockwise():
    """[G-01]"""
    driver = Driver(4, turn=DEE, hands={DEE: "AEIOUST"}, words=[])
    assert [TurnStarted(ANN, 2)] == of_kind(driver.when(DEE, Done()), TurnStarted)


def test_a_refused_play_changes_nothing():
    """[G-03]"""
    driver = Driver(hands={ANN: "AEIOUST"}, words=[])
    before = driver.state
    with pytest.raises(IllegalAction):
        driver.when(BOB, Form("EAST"))
    assert before == driver.state and BOX == driver.state.box
