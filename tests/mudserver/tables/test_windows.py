"""Windows of more than one answer, held and uncounted windows, and seats that are out."""

from dataclasses import replace
from typing import Any

import pytest

from mudserver.errors import UserError
from mudserver.messages import EventMessage, GameOver, LocationMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import wake_ms
from mudserver.tables.missed_turns import TurnCount
from tests.mudserver.tables.driver import Driver, kinds, seen
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP, Step


def multistep(*others: str, **options: str) -> Driver:
    return Driver(options, variant=MULTISTEP).starts(*others or ("b", "c"))


# -- several answers on one clock ----------------------------------------------------------------


def test_a_window_of_several_answers_keeps_its_one_deadline():
    driver = multistep()
    driver.now_ms += 30_000
    assert kinds(driver.plays("a", "step")) == [f.Played]
    assert driver.table.deadline_ms == 1_060_000


def test_a_window_that_runs_out_is_played_to_its_end_and_counts_once():
    driver = multistep()  # [G-09]
    record = driver.passes(60)[0]
    assert [fact.action for fact in record.facts[:-1]] == [Step(), Step()]
    assert [fact.by for fact in record.facts[:-1]] == ["time", "time"]
    assert record.facts[-1] == f.Asked("turn 2", 1_120_000)
    assert driver.table.game.seats[0].turns.missed == 1
    assert not driver.table.is_away("a")


# -- a clock that stands still while somebody else is asked --------------------------------------


def test_a_held_window_goes_on_with_what_it_had_left():
    driver = multistep()
    driver.now_ms += 20_000
    record = driver.plays("a", "ask Bob")
    asked = f.Asked("turn 1 question 1", 1_020_000 + 25_000, holds="turn 1", left_ms=40_000)
    assert record.facts[-1] == asked  # [TIME-5] the question has its full window
    driver.now_ms += 15_000
    assert driver.plays("b", "answer").facts[-1] == f.Asked("turn 1", 1_035_000 + 40_000)


def test_a_second_question_holds_what_the_first_has_left_over():
    driver = multistep()
    for _ in range(2):
        driver.now_ms += 10_000
        driver.plays("a", "ask Bob")
        driver.now_ms += 20_000
        driver.plays("b", "answer")
    assert driver.table.deadline_ms == driver.now_ms + 40_000


def test_a_held_window_is_held_through_a_restart():
    driver = multistep()
    driver.now_ms += 20_000
    driver.plays("a", "ask Bob")
    driver.table, driver.now_ms = driver.restarted(), 1_300_000
    driver.does(r.GiveBackTime("", 1_030_000))
    assert driver.table.deadline_ms == 1_300_000 + 15_000
    driver.does(r.Reconnect("b"))
    driver.plays("b", "answer")
    assert driver.table.deadline_ms == 1_300_000 + 40_000


def test_a_window_that_was_held_is_forgotten_when_it_closes():
    driver = multistep()
    driver.plays("a", "ask Bob")
    driver.plays("b", "answer")
    driver.passes(60)
    assert driver.table.game.interrupted_left_ms == {}


# -- time-outs that are ordinary answers ---------------------------------------------------------


def test_a_window_that_does_not_count_makes_nobody_away():
    driver = multistep(**{"clock.turn": "600"})  # [G-09]
    for _ in range(4):
        driver.plays("a", "ask Bob")
        assert driver.passes(25)[0].facts[0].by == "time"
    assert driver.table.game.seats[1].turns == TurnCount()
    assert not driver.table.is_away("b")


def test_a_window_that_does_not_count_starts_no_count_again():
    driver = multistep()
    driver.plays("a", "step")
    driver.plays("a", "step")
    driver.passes(60)  # Bob's turn runs out
    driver.plays("c", "ask Bob")
    driver.passes(25)
    assert driver.table.game.seats[1].turns.missed == 1


# -- what costs nothing --------------------------------------------------------------------------


def unlisted(view: Any) -> Any:
    raise AssertionError("there may be hundreds of plays: nobody lists them to settle a line")


def test_plays_are_not_listed_to_see_who_owes_an_answer():
    driver = Driver(variant=replace(MULTISTEP, legal_actions=unlisted))
    driver.does(r.Sit("b", "Bob", has_autopass=True))
    driver.does(r.AddBot("a"))
    driver.all_start()
    driver.plays("a", "ask Bob")
    driver.computer_plays(1)
    driver.passes(60)
    driver.plays("b", "ask Juno")
    driver.computer_plays(2)
    driver.passes(60)
    driver.computer_plays(2)
    assert {play.by for play in driver.table.game.plays[1:]} == {
        *("person", "autopass", "time", "computer"),
    }


def test_a_sealed_window_asks_the_game_who_has_answered():
    def bids(view: Any) -> bool:
        return view.own_bid is None and view.chooser is None

    driver = Driver(variant=replace(DUEL, legal_actions=unlisted, may_act=bids)).starts("b", "c")
    hand = driver.table.game.view(0).hand
    driver.plays("a", f"bid {hand[0]}")
    assert [False, True, True] == [driver.table.game.may_act(seat) for seat in range(3)]
    record = driver.passes(60)[0]
    assert [(1, "time"), (2, "time")] == [(x.seat, x.by) for x in record.facts[:2]]
    chooser = driver.table.game.state.chooser
    assert [n == chooser for n in range(3)] == [driver.table.game.may_act(n) for n in range(3)]


# -- seats that are out --------------------------------------------------------------------------


def test_who_is_out_and_off_line_is_not_away():
    driver = multistep(clocks="off")  # [G-05]
    driver.plays("a", "fall")
    driver.does(r.Disconnect("a"))
    assert driver.passes(120) == []
    assert not driver.table.is_away("a")


def test_who_is_out_forfeits_nothing():
    driver = multistep(absence="forfeit", clocks="off")
    driver.plays("a", "step")
    driver.plays("a", "step")
    driver.plays("b", "fall")
    driver.does(r.Disconnect("b"))
    assert wake_ms(driver.table) is None
    driver.plays("c", "fall")
    assert driver.table.game.result.places == (1, 3, 2)


@pytest.mark.parametrize("request_type", [r.Leave, r.Stand])
def test_who_is_out_may_go_and_keeps_name_and_place(request_type):
    driver = multistep()
    driver.plays("a", "fall")
    record = driver.does(request_type("a"))
    assert record.facts == (f.Gone(0, "Ann"), f.OwnerIs("b", "Bob"))
    assert driver.said("b") == ["Ann left the game."]
    assert driver.to("a")[-1] == LocationMessage(None)
    assert driver.table.game.names == ("Ann", "Bob", "Cid")
    assert seen(driver.restarted(), "a", "b") == seen(driver.table, "a", "b")
    driver.plays("b", "fall")
    over = driver.to("c", GameOver)[0]
    assert (over.names, over.places) == (("Ann", "Bob", "Cid"), (3, 2, 1))
    assert over.text.endswith(" 1 Cid, 2 Bob, 3 Ann")
    assert [o.name for o in driver.table.seats] == ["Bob", "Cid"]


def test_who_is_in_still_has_to_say_leave():
    driver = multistep()
    driver.plays("a", "fall")
    with pytest.raises(UserError, match="To give your seat to a computer player, type leave"):
        driver.does(r.Stand("b"))


def test_when_only_people_who_are_out_are_left_the_table_goes_on():
    driver = multistep("b", "c")
    driver.plays("a", "fall")
    driver.does(r.Leave("b"))
    driver.does(r.Leave("c"))
    assert driver.table.is_playing
    assert kinds(driver.does(r.Leave("a"))) == [f.Abandoned, f.Closed]


# -- many at once --------------------------------------------------------------------------------


def late(driver: Driver) -> Driver:
    """Everybody but Ann is one missed turn from being away; then nobody but Ann bids."""
    game = driver.table.game
    for seat in range(1, len(game.seats)):
        game._change(seat, turns=TurnCount(missed=1))
    driver.plays("a")
    return driver


def test_two_who_forfeit_at_once_get_computers_of_two_names():
    driver = late(Driver({"absence": "forfeit"}).starts("b", "c"))
    driver.passes(60 + 25)  # the bids, and who draws
    assert driver.table.game.names == ("Ann", "Vera", "Hugo")
    assert driver.table.people() == {"a"}


def test_when_the_last_people_forfeit_at_once_the_game_is_abandoned():
    driver = Driver({"absence": "forfeit"}).sits("b")
    driver.does(r.AddBot("a"))
    driver.all_start(bytes(32))
    driver.table.game._change(0, turns=TurnCount(missed=1))
    driver.table.game._change(1, turns=TurnCount(missed=1))
    record = driver.passes(60 + 25)[-1]
    assert kinds(record)[-2:] == [f.Abandoned, f.Closed]


def test_without_clocks_a_pausing_table_waits_for_a_person_only_so_long():
    driver = Driver({"absence": "pause", "clocks": "off"}).starts("b")  # [G-09]
    driver.does(r.Disconnect("b"))
    assert driver.passes(599) == []
    assert kinds(driver.passes(1)[0]) == [f.WentAway]
    assert driver.table.automatic_turns() == [(1, "hard")]


# -- sealed windows of several seats -------------------------------------------------------------


def test_everybody_is_shown_how_many_answers_are_missing_and_only_oneself_that_one_has_answered():
    driver = Driver().starts("b", "c")  # [G-11]
    driver.plays("a")

    def shown(who: str) -> tuple[object, ...]:
        view = driver.table.view_for(who)
        return view.asked, view.missing, view.has_answered

    assert ((0, 1, 2), 2, True) == shown("a")
    assert ((0, 1, 2), 2, False) == shown("b") == shown("watcher")
    driver.plays("b")
    assert ((0, 1, 2), 1, True) == shown("a") == shown("b")
    driver.plays("c")
    assert {0} == {driver.table.view_for(who).missing for who in "abc"}


def test_an_absent_persons_answer_is_marked_for_nobody_else_while_it_is_secret():
    """Else everybody would hear whose answer is in."""
    driver = Driver().starts("b", "c")  # [G-11]
    driver.now_ms += 59_000
    for seat in (0, 2):
        driver.table.game._change(seat, turns=TurnCount(missed=1))
    driver.plays("b")
    driver.passes(1)
    driver.plays("b", "pass") if driver.table.game.state.chooser == 1 else driver.passes(15)
    assert driver.table.is_away("a") and driver.table.is_away("c")
    driver.plays("b")
    driver.computer_plays(0)
    assert [] == [m for who in "bc" for m in driver.to(who, EventMessage)]
    assert ["away"] == [m.mark for m in driver.to("a", EventMessage)]
    driver.computer_plays(2)  # the last answer: the bids are shown
    assert ["away"] == [m.mark for m in driver.to("b", EventMessage)]
    assert seen(driver.restarted(), "a", "b", "c") == seen(driver.table, "a", "b", "c")


def test_when_time_runs_out_only_those_who_have_not_answered_are_late():
    driver = Driver().starts("b", "c")
    driver.plays("b")
    record = driver.passes(60)[0]
    assert [(0, "time"), (2, "time")] == [
        (fact.seat, fact.by) for fact in record.facts if isinstance(fact, f.Played)
    ]
    assert [True, False, True] == [
        bool(occupant.turns.late_in) for occupant in driver.table.game.seats
    ]
