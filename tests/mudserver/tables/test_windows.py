"""Windows of more than one answer, held and uncounted windows, and seats that are out."""

from dataclasses import replace
from typing import Any

import pytest

from mudserver.errors import UserError
from mudserver.messages import EventMessage, GameOver, LocationMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import wake_ms
from tests.mudserver.tables.story import SEED, Story, seen
from tests.toys.duel.game import DUEL
from tests.toys.errands.game import ERRANDS, Step


def errands(*others: str, **options: str) -> Story:
    return Story(options, variant=ERRANDS).starts(*others or ("b", "c"))


def kinds(record):
    return [type(fact) for fact in record.facts]


# -- several answers on one clock ----------------------------------------------------------------


def test_a_window_of_several_answers_keeps_its_one_deadline():
    story = errands()
    story.now_ms += 30_000
    assert kinds(story.plays("a", "step")) == [f.Played]
    assert story.table.deadline_ms == 1_060_000


def test_a_window_that_runs_out_is_played_to_its_end_and_counts_once():
    story = errands()  # [G-09]
    record = story.passes(60)[0]
    assert [fact.action for fact in record.facts[:-1]] == [Step(), Step()]
    assert [fact.by for fact in record.facts[:-1]] == ["time", "time"]
    assert record.facts[-1] == f.Asked("turn 2", 1_120_000)
    assert story.table.game.seats[0].expiries == 1
    assert not story.table.is_away("a")


def test_the_second_window_that_runs_out_makes_the_seat_away():
    story = errands("b")
    story.passes(60)
    story.plays("b", "step")
    story.plays("b", "step")
    story.passes(60)
    assert story.table.is_away("a")


# -- a clock that stands still while somebody else is asked --------------------------------------


def test_a_held_window_goes_on_with_what_it_had_left():
    story = errands()
    story.now_ms += 20_000
    record = story.plays("a", "ask Bob")
    asked = f.Asked("turn 1 question 1", 1_020_000 + 25_000, holds="turn 1", left_ms=40_000)
    assert record.facts[-1] == asked  # [TIME-5] the question has its full window
    story.now_ms += 15_000
    assert story.plays("b", "answer").facts[-1] == f.Asked("turn 1", 1_035_000 + 40_000)


def test_a_second_question_holds_what_the_first_has_left_over():
    story = errands()
    for _ in range(2):
        story.now_ms += 10_000
        story.plays("a", "ask Bob")
        story.now_ms += 20_000
        story.plays("b", "answer")
    assert story.table.deadline_ms == story.now_ms + 40_000


def test_a_held_window_is_held_through_a_restart():
    story = errands()
    story.now_ms += 20_000
    story.plays("a", "ask Bob")
    story.table, story.now_ms = story.restarted(), 9_000_000
    story.does(r.GiveBackTime("", 1_030_000))
    assert story.table.deadline_ms == 9_000_000 + 15_000
    story.does(r.Reconnect("b"))
    story.plays("b", "answer")
    assert story.table.deadline_ms == 9_000_000 + 40_000


def test_a_window_that_was_held_is_forgotten_when_it_closes():
    story = errands()
    story.plays("a", "ask Bob")
    story.plays("b", "answer")
    story.passes(60)
    assert story.table.game.interrupted_left_ms == {}


# -- time-outs that are ordinary answers ---------------------------------------------------------


def test_a_window_that_does_not_count_makes_nobody_away():
    story = errands(**{"clock.turn": "600"})  # [G-09]
    for _ in range(4):
        story.plays("a", "ask Bob")
        assert story.passes(25)[0].facts[0].by == "time"
    assert story.table.game.seats[1].expiries == 0
    assert not story.table.is_away("b")


def test_a_window_that_does_not_count_starts_no_count_again():
    story = errands()
    story.plays("a", "step")
    story.plays("a", "step")
    story.passes(60)  # Bob's turn runs out
    story.plays("c", "ask Bob")
    story.passes(25)
    assert story.table.game.seats[1].expiries == 1


# -- what costs nothing --------------------------------------------------------------------------


def unlisted(view: Any) -> Any:
    raise AssertionError("there may be hundreds of plays: nobody lists them to settle a line")


def test_plays_are_not_listed_to_see_who_owes_an_answer():
    story = Story(variant=replace(ERRANDS, legal_actions=unlisted))
    story.does(r.Sit("b", "Bob", has_autopass=True))
    story.does(r.AddBot("a"))
    story.does(r.Start("a", SEED))
    story.plays("a", "ask Bob")
    story.computer_plays(1)
    story.passes(60)
    story.plays("b", "ask Juno")
    story.computer_plays(2)
    story.passes(60)
    story.computer_plays(2)
    assert {play.by for play in story.table.game.plays[1:]} == {
        *("person", "autopass", "time", "computer"),
    }


def test_a_sealed_window_asks_the_game_who_has_answered():
    def bids(view: Any) -> bool:
        return view.own_bid is None and view.chooser is None

    story = Story(variant=replace(DUEL, legal_actions=unlisted, may_act=bids)).starts("b", "c")
    hand = story.table.game.view(0).hand
    story.plays("a", f"bid {hand[0]}")
    assert [False, True, True] == [story.table.game.may_act(seat) for seat in range(3)]
    record = story.passes(60)[0]
    assert [(1, "time"), (2, "time")] == [(x.seat, x.by) for x in record.facts[:2]]
    chooser = story.table.game.state.chooser
    assert [n == chooser for n in range(3)] == [story.table.game.may_act(n) for n in range(3)]


# -- seats that are out --------------------------------------------------------------------------


def test_who_is_out_and_off_line_is_not_away():
    story = errands(clocks="off")  # [G-05]
    story.plays("a", "fall")
    story.does(r.Disconnect("a"))
    assert story.passes(120) == []
    assert not story.table.is_away("a")


def test_who_is_out_forfeits_nothing():
    story = errands(absence="forfeit", clocks="off")
    story.plays("a", "step")
    story.plays("a", "step")
    story.plays("b", "fall")
    story.does(r.Disconnect("b"))
    assert wake_ms(story.table) is None
    story.plays("c", "fall")
    assert story.table.game.result.places == (1, 3, 2)


@pytest.mark.parametrize("request_type", [r.Leave, r.Stand])
def test_who_is_out_may_go_and_keeps_name_and_place(request_type):
    story = errands()
    story.plays("a", "fall")
    record = story.does(request_type("a"))
    assert record.facts == (f.Gone(0, "Ann"),)
    assert story.said("b") == ["Ann leaves."]
    assert story.to("a")[-1] == LocationMessage(None)
    assert story.table.game.names == ("Ann", "Bob", "Cid")
    assert seen(story.restarted(), "a", "b") == seen(story.table, "a", "b")
    story.plays("b", "fall")
    over = story.to("c", GameOver)[0]
    assert (over.names, over.places) == (("Ann", "Bob", "Cid"), (3, 2, 1))
    assert over.text.endswith(" 1 Cid, 2 Bob, 3 Ann")
    assert [o.name for o in story.table.seats] == ["Bob", "Cid"]


def test_who_is_in_still_has_to_say_leave():
    story = errands()
    story.plays("a", "fall")
    with pytest.raises(UserError, match="To give your seat to a computer player: leave"):
        story.does(r.Stand("b"))


def test_when_only_people_who_are_out_are_left_the_table_goes_on():
    story = errands("b", "c")
    story.plays("a", "fall")
    story.does(r.Leave("b"))
    story.does(r.Leave("c"))
    assert story.table.is_playing
    assert kinds(story.does(r.Leave("a"))) == [f.Abandoned, f.Closed]


# -- many at once --------------------------------------------------------------------------------


def late(story: Story) -> Story:
    """Everybody but Ann is one time-out from being away; then nobody but Ann bids."""
    game = story.table.game
    for seat in range(1, len(game.seats)):
        game._change(seat, expiries=1)
    story.plays("a")
    return story


def test_two_who_forfeit_at_once_get_computers_of_two_names():
    story = late(Story({"absence": "forfeit"}).starts("b", "c"))
    story.passes(60)
    assert story.table.game.names == ("Ann", "Juno", "Milo")
    assert story.table.people() == {"a"}


def test_when_the_last_people_forfeit_at_once_the_game_is_abandoned():
    story = Story({"absence": "forfeit"}).sits("b")
    story.does(r.AddBot("a"))
    story.does(r.Start("a", bytes(32)))
    story.table.game._change(0, expiries=1)
    story.table.game._change(1, expiries=1)
    record = story.passes(60)[0]
    assert kinds(record)[-2:] == [f.Abandoned, f.Closed]


def test_without_clocks_a_pausing_table_waits_for_a_person_only_so_long():
    story = Story({"absence": "pause", "clocks": "off"}).starts("b")  # [G-09]
    story.does(r.Disconnect("b"))
    assert story.passes(599) == []
    assert kinds(story.passes(1)[0]) == [f.WentAway]
    assert story.table.automatic_turns() == [(1, 2)]


# -- sealed windows of several seats -------------------------------------------------------------


def test_everybody_is_shown_how_many_answers_are_missing_and_only_oneself_that_one_has_answered():
    story = Story().starts("b", "c")  # [G-11]
    story.plays("a")

    def shown(who: str) -> tuple[object, ...]:
        view = story.table.view_for(who)
        return view.asked, view.missing, view.has_answered

    assert ((0, 1, 2), 2, True) == shown("a")
    assert ((0, 1, 2), 2, False) == shown("b") == shown("watcher")
    story.plays("b")
    assert ((0, 1, 2), 1, True) == shown("a") == shown("b")
    story.plays("c")
    assert {0} == {story.table.view_for(who).missing for who in "abc"}


def test_an_absent_persons_answer_is_marked_for_nobody_else_while_it_is_secret():
    """Else everybody would hear whose answer is in."""
    story = Story().starts("b", "c")  # [G-11]
    story.now_ms += 59_000
    for seat in (0, 2):
        story.table.game._change(seat, expiries=1)
    story.plays("b")
    story.passes(1)
    assert story.table.is_away("a") and story.table.is_away("c")
    while story.table.game.state.chooser is not None:
        chooser = story.table.game.state.chooser
        story.plays("b", "pass") if chooser == 1 else story.computer_plays(chooser)
    story.plays("b")
    story.computer_plays(0)
    assert [] == [m for who in "bc" for m in story.to(who, EventMessage)]
    assert ["away"] == [m.mark for m in story.to("a", EventMessage)]
    story.computer_plays(2)  # the last answer: the bids are shown
    assert ["away"] == [m.mark for m in story.to("b", EventMessage)]
    assert seen(story.restarted(), "a", "b", "c") == seen(story.table, "a", "b", "c")


def test_when_time_runs_out_only_those_who_have_not_answered_are_late():
    story = Story().starts("b", "c")
    story.plays("b")
    record = story.passes(60)[0]
    assert [(0, "time"), (2, "time")] == [
        (fact.seat, fact.by) for fact in record.facts if isinstance(fact, f.Played)
    ]
    assert [1, 0, 1] == [occupant.expiries for occupant in story.table.game.seats]
