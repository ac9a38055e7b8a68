"""Windows of more than one answer, held and uncounted windows, and seats that are out."""

import pytest

from mudserver.errors import HouseError
from mudserver.messages import GameOver, Seated
from mudserver.tables import facts as f
from mudserver.tables import requests as r
from tests.mudserver.tables.story import Story, seen
from tests.toy_errands import ERRANDS, Step


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
    assert record.facts[-1] == asked  # [T5] the question has its full window
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
    story.does(r.Returned("b"))
    story.plays("b", "answer")
    assert story.table.deadline_ms == 9_000_000 + 40_000


def test_a_window_that_was_held_is_forgotten_when_it_closes():
    story = errands()
    story.plays("a", "ask Bob")
    story.plays("b", "answer")
    story.passes(60)
    assert story.table.game.held == {}


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


# -- seats that are out --------------------------------------------------------------------------


def test_who_is_out_and_off_line_is_not_away():
    story = errands(clocks="off")  # [G-05]
    story.plays("a", "fall")
    story.does(r.Dropped("a"))
    assert story.passes(120) == []
    assert not story.table.is_away("a")


def test_who_is_out_forfeits_nothing():
    story = errands(absence="forfeit", clocks="off")
    story.plays("a", "step")
    story.plays("a", "step")
    story.plays("b", "fall")
    story.does(r.Dropped("b"))
    assert story.table.wake_ms is None
    story.plays("c", "fall")
    assert story.table.game.ended.places == (1, 3, 2)


@pytest.mark.parametrize("request_type", [r.Leave, r.Stand])
def test_who_is_out_may_go_and_keeps_name_and_place(request_type):
    story = errands()
    story.plays("a", "fall")
    record = story.does(request_type("a"))
    assert record.facts == (f.Gone(0, "Ann"),)
    assert story.said("b") == ["Ann leaves."]
    assert story.to("a")[-1] == Seated(None)
    assert story.table.game.names == ("Ann", "Bob", "Cid")
    assert seen(story.restarted(), "a", "b") == seen(story.table, "a", "b")
    story.plays("b", "fall")
    assert story.to("c", GameOver)[0].rows == ("1. Cid", "2. Bob", "3. Ann")
    assert [o.name for o in story.table.seats] == ["Bob", "Cid"]


def test_who_is_in_still_has_to_say_leave():
    story = errands()
    story.plays("a", "fall")
    with pytest.raises(HouseError, match="To give your seat to a computer player: leave"):
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
    story.does(r.Dropped("b"))
    assert story.passes(599) == []
    assert kinds(story.passes(1)[0]) == [f.WentAway]
    assert story.table.wanted() == [(1, 2)]
