"""Level 2 of the word game: what it lays, keeps, attacks and works out."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from mudserver.bots.worker import choose_action
from tests.variants.driver import ANN, BOB, CY, DEE
from tests.variants.words.bots.players import choices, heard, turn, whole_game
from tests.variants.words.driver import BOX, Driver, shipped_lexicon
from variants.contract import Seat
from variants.words.actions import (
    Add,
    Answer,
    EndRound,
    Offer,
    Out,
    Pass,
    Remove,
    Steal,
    Trade,
)
from variants.words.bots import word_selection
from variants.words.bots.estimate import SeatKnowledge

BONUS = {ANN: "B1"}  # set 1 counts twice


def known(driver: Driver, seat: Seat = ANN) -> SeatKnowledge:
    return SeatKnowledge(shipped_lexicon(), driver.view(seat), heard(driver.past, seat))


# -- master: laying ------------------------------------------------------------------------


def test_the_words_that_bring_most_together_are_laid() -> None:
    """DATES and OVER, not TASTED alone: 25 points and not 20; OVER from letters that are left."""
    driver = Driver(hands={ANN: "DATESOVER"}, manifests={ANN: "T14"}, indicators={ANN: "B2"})
    turn(driver)
    assert {"DATES", "OVER"} <= {word.split()[-1] for word in driver.words(ANN)}


def test_a_bonus_is_worth_other_words() -> None:
    """[WR-51] SEA doubled and the letters of OVER: the set that counts twice comes first."""
    for bonus, word in (("B3", "IDEAS"), ("B1", "DATES")):
        driver = Driver(hands={ANN: "DAESITXQZ"}, manifests={ANN: "T14"}, indicators={ANN: bonus})
        turn(driver)
        assert word in {each.split()[-1] for each in driver.words(ANN)}


def test_letters_are_parked_while_the_round_goes_on_and_not_when_it_ends() -> None:
    """[WR-40] A junk word makes room for three further letters."""
    for left, parks in ((60, True), (1, False)):
        driver = Driver(
            hands={ANN: "WOEPIGHUM"}, manifests={ANN: "T14"},
            **({} if parks else {"pile": "NR"}),
        )  # fmt: skip
        assert (driver.view().pile >= left) or not parks
        turn(driver)
        assert bool(driver.words(ANN)) == parks


def test_a_long_word_is_locked_when_the_round_may_end_and_one_word_stays_exposed() -> None:
    """[WR-44] With End of Round in the hand the cheapest word of the manifest is kept exposed."""
    for hand, exposed in (("HHHKYYW", set()), ("HHHKYY*", {"DATES"})):
        driver = Driver(
            hands={ANN: hand}, manifests={ANN: "T14", BOB: "M01"}, pile="NRLTS",
            words={ANN: ["DATES", "TASTED"], BOB: ["CLOUDS", "COULD", "LOUD", "EARN"]},
            indicators=BONUS, totals={BOB: 150},
        )  # fmt: skip
        turn(driver)
        words = [word.split()[1:] for word in driver.words(ANN)]
        assert ["locked", "TASTED"] in words
        assert exposed == {word[-1] for word in words if "locked" not in word}


# -- master: others ------------------------------------------------------------------------


def test_a_letter_is_stolen_that_completes_a_word() -> None:
    driver = Driver(
        hands={ANN: "VREXQKW"}, manifests={ANN: "T14"}, words={BOB: ["BOAT"], CY: ["FOAMS"]}
    )
    done = turn(driver)
    assert any(isinstance(a, Steal) and a.making == "OVER" and a.letter == "O" for a in done)
    assert "locked OVER" in " ".join(driver.words(ANN))


def test_words_are_spoilt_before_the_round_is_ended() -> None:
    """Two of one owner, who can mend one; and no word becomes another of that manifest."""
    driver = Driver(
        hands={ANN: "SDNQZJ*"},
        manifests={ANN: "T14", BOB: "M19"},
        indicators={ANN: "B4"},
        words={
            ANN: ["VORTEX", "VOTER", "TASTED"],
            BOB: ["EAST", "ROUND", "MAIL", "THEMES"],
        },
    )
    done = turn(driver)
    assert EndRound() == done[-1]
    adds = [action for action in done if isinstance(action, Add)]
    assert len(adds) >= 2
    card = {w for c in BOX.manifests if c.id == "M19" for s in c.sets for w in s}
    assert not card & {action.spelling for action in adds}


def test_the_round_goes_on_for_who_is_behind() -> None:
    driver = Driver(
        phase="close",
        hands={ANN: "SDNQXV*"},
        manifests={ANN: "T14", BOB: "M19"},
        words={ANN: ["DATES"], BOB: ["EAST", "GROUND", "MALICE", "THEMES"]},
    )
    assert {Pass()} == choices(driver)


def test_who_has_the_target_ends_the_round() -> None:
    driver = Driver(
        phase="close", hands={ANN: "SDNQXV*"}, manifests={ANN: "T14"}, words={ANN: ["OVER"]},
        totals={ANN: 195, BOB: 120, CY: 60}, indicators={ANN: "B1"},
    )  # fmt: skip
    assert {EndRound()} == choices(driver)
    driver = Driver(
        phase="close", hands={ANN: "SDNQXV*"}, manifests={ANN: "T14"}, words={ANN: ["OVER"]},
        totals={ANN: 100, BOB: 120, CY: 60}, indicators={ANN: "B1"},
    )  # fmt: skip
    assert {Pass()} == choices(driver)


def test_the_best_letter_is_removed() -> None:
    """[WR-45] From BEAST, which is not on the manifest, to EAST, which is."""
    for level in ("easy", "medium", "master"):
        driver = Driver(
            phase="removal", manifests={ANN: "T14"}, words={ANN: ["BEAST", "NOTED", "OVER"]}
        )
        number = driver.state.words[0].number
        assert {Remove("B", number, "EAST")} == choices(driver, level=level)
        driver = Driver(phase="removal", manifests={ANN: "T14"}, words={ANN: ["EAST"]})
        assert {Pass()} == choices(driver, level=level)


def test_out_is_called_with_the_last_letters() -> None:
    """[WR-48]"""
    driver = Driver(
        hands={ANN: "DATESOVER"}, manifests={ANN: "T14"}, totals={ANN: 180},
        indicators={ANN: "B2"},
    )  # fmt: skip
    assert Out() == turn(driver)[-1]


# -- master: letters -----------------------------------------------------------------------


def test_the_discard_is_drawn_if_it_completes_a_word() -> None:
    for top, source in (("R", "discard"), ("Q", "pile"), ("B", "pile")):
        driver = Driver(
            phase="draw", hands={ANN: "VOTEXKW"}, manifests={ANN: "T14"}, discards=top,
            indicators={ANN: "B4"},
        )  # fmt: skip
        assert {source} == {action.source for action in choices(driver)}  # type: ignore[union-attr]


def test_what_the_manifest_does_not_need_is_discarded_and_given() -> None:
    driver = Driver(phase="settle", hands={ANN: "VOTERTEQB"}, manifests={ANN: "T14"})
    assert {"QB"} == {"".join(action.letters) for action in choices(driver)}  # type: ignore[union-attr]
    driver = Driver(hands={ANN: "LLMNNPP", BOB: "VOTERQ*"}, manifests={BOB: "T14"})
    driver.when(ANN, Trade((Offer(BOB, driver.hand(ANN)[0]),)))
    assert {Answer("Q")} == choices(driver, BOB)


def test_a_trade_is_tried_now_and_then_for_a_letter_that_completes_a_word() -> None:
    driver = Driver(hands={ANN: "VOTEXKQ"}, manifests={ANN: "T14"}, indicators={ANN: "B4"})
    view, seen = driver.view(ANN), heard(driver.past, ANN)
    tried = [choose_action(whole_game(), "master", view, seen, bytes([seed])) for seed in range(60)]
    trades = [action for action in tried if isinstance(action, Trade)]
    assert 2 < len(trades) < 30
    assert all(1 == len(trade.offers) and trade.offers[0].letter in "KQ" for trade in trades)


# -- what it works out ---------------------------------------------------------------------


def test_words_betray_their_card() -> None:
    driver = Driver(
        hands={ANN: "DATEOV*"}, manifests={ANN: "T14", BOB: "M19"},
        words={BOB: ["GROUND", "SEA", "locked MAIL"], CY: ["QUIZ"]},
    )  # fmt: skip
    figures = known(driver)
    assert (1.0, 0.0) == tuple(figures.printed_odds(BOB, word) for word in ("THEMES", "SEA"))
    assert figures.points(BOB) == pytest.approx(1.25 * (20 + 10) - 5)
    assert -10 == figures.points(CY)


def test_the_round_is_nearer_its_end_the_fewer_cards_the_pile_has() -> None:
    odds = []
    for pile in (2, 6, 9, 14, 40):
        driver = Driver(hands={ANN: "DATEOVR"}, pile=("AEIOU" * 3 + "BCDFGHLMNPRST" * 2)[:pile])
        odds.append(known(driver).ends_before_next_turn_odds(0))
    assert sorted(odds, reverse=True) == odds
    assert odds[0] > 0.95 and odds[-1] < 0.2
    assert 1.0 == known(driver).pile_end_odds(refill=40)


def test_end_of_round_is_counted_among_those_who_may_hold_it() -> None:
    driver = Driver(4, hands={ANN: "DATEOV*", DEE: "LMNNPRS"})
    assert known(driver).end_card_odds(BOB) == pytest.approx(1 / 3)
    assert known(driver, DEE).end_card_odds(ANN) == pytest.approx(2 / 3)
    assert 1.0 == known(Driver(2, hands={ANN: "DATEOV*"})).end_card_odds(BOB)


def test_a_packing_is_as_good_as_trying_everything() -> None:
    words = ["SEA", "EAST", "DATES", "TASTED", "ORE", "OVER", "ADS", "SAID"]
    random = Random(1)
    for _ in range(60):
        items = word_selection.by_points_per_letter(
            word_selection.make_item(word, random.randint(1, 40)) for word in words
        )
        letters = [random.choice("AAEEDSSTTORVI") for _ in range(random.randint(3, 13))]
        found = word_selection.best_packing(
            items, word_selection.pack_letters(letters), len(letters)
        )
        worth = {it.spelling: it.worth for it in items}
        assert found.worth == sum(worth[word] for word in found.spellings)
        assert not Counter("".join(found.spellings)) - Counter(letters)
        assert found.worth == tried(list(worth.items()), Counter(letters))
        assert (
            word_selection.greedy_points(items, word_selection.pack_letters(letters)) <= found.worth
        )


def tried(items: list[tuple[str, float]], letters: Counter[str]) -> float:
    """The most that any number of copies of each word bring."""
    most = [range(len(letters) and min(letters[x] for x in word) + 1) for word, _ in items]
    best = 0.0
    for copies in product(*most):
        used: Counter[str] = Counter()
        for (word, _), number in zip(items, copies, strict=True):
            for letter in word:
                used[letter] += number
        if not used - letters:
            best = max(best, sum(w * n for (_, w), n in zip(items, copies, strict=True)))
    return best
