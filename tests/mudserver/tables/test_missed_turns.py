"""Away counts turns, not questions; who is late has less time, and typing gives it back.  [G-09]"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from mudserver.messages import AwayMessage, Notice, ViewMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.missed_turns import SHORT_MS, TurnCount
from tests.mudserver.tables.driver import SEED, Driver, kinds
from tests.slow_cases import every_third
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP
from variants.catalogue import CATALOGUE
from variants.contract import Variant

MISSED = "You missed a turn. Miss another and a computer player takes over until you type."
AWAY = "You are away, so a computer player decides for you. Type anything to take over."


def multistep(*others: str, **options: str) -> Driver:
    return Driver(options, variant=MULTISTEP).starts(*others or ("b", "c"))


def turns(driver: Driver, seat: int = 0) -> TurnCount:
    assert driver.table.game is not None
    count = driver.table.game.seats[seat].turns
    again = driver.restarted().game
    assert again is not None and again.seats[seat].turns == count, "a restart knows what was missed"
    return count


def seconds_left(driver: Driver) -> float:
    assert driver.table.deadline_ms is not None
    return (driver.table.deadline_ms - driver.now_ms) / 1000


def others_play(driver: Driver, idle: str) -> None:
    while (person := driver.table.game.seats[driver.table.game.window.seats[0]].person) != idle:
        driver.plays(person, "step")


# -- missing turns ---------------------------------------------------------------------------------


def test_one_missed_turn_is_said_to_its_owner_and_two_make_away():
    driver = multistep()
    driver.passes(60)
    assert Notice(MISSED) in driver.to("a") and turns(driver).missed == 1
    assert MISSED not in str(driver.deliveries and driver.to("b"))
    others_play(driver, "a")
    assert not driver.table.is_away("a")
    driver.passes(60)
    assert driver.table.is_away("a")
    assert driver.to("a", AwayMessage) == [AwayMessage(True, AWAY)]
    assert driver.said("b") == ["Ann is away. A computer player plays for Ann for now."]
    assert AWAY not in [message.text for message in driver.to("b", AwayMessage)]


def test_an_own_decision_sets_the_missed_turns_back():
    driver = multistep()
    driver.passes(60)
    others_play(driver, "a")
    driver.plays("a", "step")
    driver.passes(60)  # the rest of this turn: it is not missed, one step was made
    assert turns(driver).missed == 0
    others_play(driver, "a")
    driver.passes(60)
    assert turns(driver).missed == 1 and not driver.table.is_away("a")


def test_forfeit_counts_the_same_turns_and_says_what_will_be_lost():
    driver = multistep(absence="forfeit")
    driver.passes(60)
    assert Notice("You missed a turn. Miss another and you forfeit the game.") in driver.to("a")
    others_play(driver, "a")
    record = driver.passes(60)[-1]
    assert f.HandedOver in kinds(record)
    forfeits = "You were away too long and forfeit. Vera (computer) takes over."
    assert Notice(forfeits) in driver.to("a")
    others = "Ann was away too long and forfeits. Vera (computer) takes over."
    assert [others] == driver.said("b")


def test_who_forfeits_offline_has_five_minutes_after_a_restart():
    driver = multistep(absence="forfeit", clocks="off")
    driver.table = driver.restarted()
    driver.does(r.Reconnect("b"))
    driver.does(r.Reconnect("c"))
    assert driver.passes(299) == []
    assert f.HandedOver in kinds(driver.passes(1)[0])


def test_where_absence_pauses_missed_turns_count_as_well():
    driver = multistep(absence="pause")
    driver.passes(60)
    others_play(driver, "a")
    driver.passes(60)
    assert driver.table.is_away("a")


# -- less time for who is late ---------------------------------------------------------------------


def duel(*others: str) -> Driver:
    """All bid, then the winner draws: two windows of one turn."""
    return Driver(variant=DUEL).starts(*others or ("b",))


def late_winner() -> Driver:
    """The clock has bid for both; one of them is asked to draw."""
    driver = duel()
    driver.passes(60)
    return driver


def test_once_the_clock_has_run_out_the_further_windows_of_the_turn_are_short():
    driver = late_winner()
    assert seconds_left(driver) == 15
    view = driver.table.view_for("a")
    assert isinstance(view, ViewMessage) and view.window_ms == SHORT_MS
    driver.passes(15)
    assert seconds_left(driver) == 60  # another turn


def test_typing_gives_the_open_window_its_full_time_once():
    driver = late_winner()
    seat = driver.table.game.window.seats[0]
    person = "ab"[seat]
    driver.passes(10)
    record = driver.does(r.OwnerTyped(person))
    assert kinds(record) == [f.TimeExtended]
    assert seconds_left(driver) == 25 - 10  # from its opening
    assert turns(driver, seat).missed == 0 and turns(driver, seat).full == "given"
    assert driver.does(r.OwnerTyped(person)).facts == ()
    other = "ab"[1 - seat]
    assert driver.does(r.OwnerTyped(other)).facts == (f.TimeExtended(1 - seat),)
    assert seconds_left(driver) == 15  # it is not the other's window


def test_typing_never_moves_the_deadline_of_a_sealed_window():
    driver = late_winner()
    driver.passes(15)  # nobody did anything in this round
    driver.passes(60)  # nor in the next bids; now all are late
    driver.passes(15)
    assert driver.table.is_away("a") and driver.table.is_away("b")
    before = driver.table.deadline_ms
    for person in "ab":
        assert kinds(driver.does(r.OwnerTyped(person))) == [f.CameBack]
    assert driver.table.deadline_ms == before
    assert turns(driver).full == "owed"


def test_who_is_back_has_one_window_of_full_time_until_the_first_decision():
    driver = multistep("b")
    for _ in range(2):
        driver.passes(60)
        others_play(driver, "a")
    assert driver.table.is_away("a") and seconds_left(driver) == 60
    driver.does(r.OwnerTyped("a"))
    assert not driver.table.is_away("a") and seconds_left(driver) == 60
    assert turns(driver) == TurnCount(1, is_back=True, full="given")
    driver.passes(60)  # nothing was decided: away again
    assert driver.table.is_away("a")
    others_play(driver, "a")
    driver.does(r.OwnerTyped("a"))
    driver.plays("a", "step")
    assert turns(driver).missed == 0 and not turns(driver).is_back
    driver.plays("a", "step")
    others_play(driver, "a")
    assert seconds_left(driver) == 60


def test_who_typed_before_the_own_turn_has_the_full_time_then_and_15_seconds_later_on():
    driver = multistep()
    driver.passes(60)
    others_play(driver, "a")
    driver.passes(60)
    driver.does(r.OwnerTyped("a"))  # in Bob's turn
    assert driver.to("a", AwayMessage) == [AwayMessage(False, "You are back. It's Bob's turn.")]
    assert driver.said("b") == ["Ann is back."]
    assert turns(driver).full == "owed"
    others_play(driver, "a")
    assert seconds_left(driver) == 60 and turns(driver).full == "given"
    driver.passes(60)
    assert driver.table.is_away("a")


def test_a_window_that_others_are_asked_in_too_is_not_shorter_for_them():
    driver = duel()
    driver.plays("a")
    driver.passes(60)  # Bob is late
    while driver.table.game.window.seats != (0, 1):
        driver.passes(seconds_left(driver))
    assert seconds_left(driver) == 60


# -- at the beginning of the own turn while away ---------------------------------------------------


def away_ann(**options: str) -> Driver:
    driver = multistep(**options)
    for _ in range(2):
        driver.passes(60)
        others_play(driver, "a")
    return driver


def test_who_is_away_is_called_at_each_own_turn_and_the_computer_player_waits():
    driver = away_ann()
    called = AwayMessage(
        True, "Your turn. Type anything within 5 s to play it yourself.", rings=True
    )
    assert driver.to("a", AwayMessage) == [called]
    assert driver.to("b", AwayMessage) == []
    assert driver.table.away_wait_s(0) == 5
    driver.computer_plays(0)
    assert driver.to("a", AwayMessage) == []
    driver.does(r.OwnerTyped("a"))
    assert driver.to("a", AwayMessage) == [AwayMessage(False, "You are back. It's your turn.")]
    assert driver.table.away_wait_s(0) == 0


@pytest.mark.parametrize("options", [{"pace": "brisk"}, {"pace": "instant"}])
def test_where_computer_players_hurry_nobody_waits_for_who_is_away(options):
    driver = away_ann(**options)
    assert driver.table.away_wait_s(0) == 0
    assert driver.to("a", AwayMessage) == []


def test_the_wait_takes_no_more_than_a_third_of_a_window():
    driver = multistep("b", **{"clock.turn": "6"})
    for _ in range(2):
        driver.passes(6)
        others_play(driver, "a")
    assert driver.table.is_away("a")
    assert driver.table.away_wait_s(0) == 2


# -- the games -------------------------------------------------------------------------------------

COSTS_S = {"stockpile": 120, "elimination": 90, "words": 180}
"""What a missed turn of one who does nothing costs the others at most."""


def table_of(variant: Variant[Any, Any, Any, Any], seats: int) -> Driver:
    """Ann and computer players, who take no time."""
    driver = Driver({"seats": str(seats)}, variant=variant)
    for _ in range(seats - 1):
        driver.does(r.AddBot("a"))
    driver.all_start(SEED)
    return driver


def computers_play(driver: Driver, random: Random) -> bool:
    """One decision of somebody else than Ann at random; False: only Ann is asked."""
    game = driver.table.game
    for seat in game.window.seats:
        if seat != 0 and game.may_act(seat):
            action = random.choice(list(driver.variant.legal_actions(game.view(seat))))
            driver.does(r.ComputerPlay("", seat, game.window.key, action, 5))
            return True
    return False


def missed_and_costs(driver: Driver, random: Random, turns_max: int = 60) -> list[int]:
    """Ann does nothing: the milliseconds that each turn has cost that she missed, until away."""
    costs: dict[str, int] = {}
    while driver.table.is_playing and not driver.table.is_away("a") and len(costs) < turns_max:
        turn, before_ms = driver.table.game.turn, driver.now_ms
        if not computers_play(driver, random):
            driver.passes((driver.table.deadline_ms - driver.now_ms) / 1000)
            costs[turn] = costs.get(turn, 0) + driver.now_ms - before_ms
    return list(costs.values())


CASES = [
    (name, seats)
    for name, variant in sorted(CATALOGUE.items())
    for seats in variant.seats
    if seats <= 8
]


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_one_idle_turn_is_never_away_and_two_are(name, seats):
    driver = table_of(CATALOGUE[name], seats)
    costs_ms = missed_and_costs(driver, Random(seats))
    assert driver.table.is_away("a")
    assert len(costs_ms) >= 2
    assert max(costs_ms) <= COSTS_S[name] * 1000


@pytest.mark.parametrize(("name", "seats"), every_third(CASES))
def test_who_answers_one_question_of_each_turn_is_never_away(name, seats):
    driver, random = table_of(CATALOGUE[name], seats), Random(seats)
    answered = ""
    for _ in range(300):
        game = driver.table.game
        if not driver.table.is_playing:
            break
        if computers_play(driver, random):
            continue
        if game.turn != answered and game.window.counts_timeouts:
            answered = game.turn
            driver.plays("a")
        else:
            driver.passes((driver.table.deadline_ms - driver.now_ms) / 1000)
        assert not driver.table.is_away("a")
        assert game.seats[0].turns.missed == 0
