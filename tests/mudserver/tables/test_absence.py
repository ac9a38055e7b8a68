import pytest

from mudserver.errors import UserError
from mudserver.messages import EventMessage, GameOver, LocationMessage, ViewMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import wake_ms
from mudserver.tables.game import WindowClock, give_time_back
from tests.mudserver.tables.story import Story, marks, seen


def kinds(record):
    return [type(fact) for fact in record.facts]


# -- time-outs -----------------------------------------------------------------------------------


def test_a_deadline_is_absolute_and_in_the_journal():
    story = Story().sits("b")  # [TIME-1]
    record = story.does(r.Start("a", bytes(32)))
    assert record.facts[-1] == f.Asked("round 1 bid", story.now_ms + 60_000)
    assert story.restarted().deadline_ms == story.now_ms + 60_000


def test_time_outs_fire_with_nobody_on_line():
    story = Story(offline_s=80_000).starts("b")  # [TIME-3]
    story.does(r.Disconnect("a"))
    story.does(r.Disconnect("b"))
    expired = story.passes(60)
    assert [fact.by for fact in expired[0].facts[:2]] == ["time", "time"]
    assert expired[0].at_ms == 1_060_000
    assert story.deliveries == []


def test_an_expired_window_plays_the_default_for_those_who_have_not_answered():
    story = Story().starts("b")  # [G-09]
    story.plays("a")
    record = story.passes(60)[0]
    played = record.facts[0]
    assert (played.seat, played.by) == (1, "time")
    assert len(played.draws) == 1  # the default's own pick is a recorded draw
    assert kinds(record) == [f.Played, f.Asked]
    assert marks(story.to("b")) == ["time", ""]  # once, on the first line
    assert marks(story.to("a")) == ["time"]


def test_a_tick_before_its_time_does_nothing():
    story = Story().starts("b")
    story.now_ms += 59_999
    assert story.does(r.Tick("")).facts == ()


def test_two_expiries_in_a_row_make_a_seat_away_and_a_computer_decides():
    story = Story().starts("b")  # [G-09]
    story.plays("a")
    story.passes(60)
    assert story.table.automatic_turns() == []
    if story.table.game.window.seats == (1,):
        story.passes(25)
    else:
        story.plays("a", "pass")
        story.plays("a")
        story.passes(60)
    assert story.table.is_away("b")
    assert not story.table.is_away("a")
    assert "Bob is away. A computer player decides in the meantime." in story.said("a")


def away_bob(story: Story) -> Story:
    """Bob goes off line for too long; Ann has bid."""
    story.starts("b")
    story.does(r.Disconnect("b"))
    story.table.offline_since_ms["b"] -= 120_000
    story.does(r.Tick(""))
    story.plays("a")
    return story


def test_a_seat_off_line_too_long_is_away_and_its_plays_are_marked():
    story = away_bob(Story())
    assert story.table.is_away("b")
    assert story.table.automatic_turns() == [(1, 2)]
    record = story.computer_plays(1)
    assert record.facts[0].by == "away"
    assert marks(story.to("a"))[0] == "away"


def test_a_play_in_time_starts_the_count_of_expiries_again():
    story = Story(timeouts_max=2).starts("b")
    for _ in range(2):
        story.plays("a")
        story.passes(60)  # Bob is late
        story.plays("ab"[story.table.game.window.seats[0]], "pass")
        if story.table.is_away("b"):
            break
        story.plays("b")
        story.plays("a")
        story.plays("ab"[story.table.game.window.seats[0]], "pass")
        break
    assert not story.table.is_away("b")
    assert story.table.game.seats[1].expiries == 0


def test_who_types_is_back_and_a_late_computer_answer_is_dropped():
    story = away_bob(Story())
    story.does(r.ReturnToSeat("b"))
    assert not story.table.is_away("b")
    assert story.said("a")[-1] == "Bob is back."
    assert story.computer_plays(1).facts == ()
    assert story.restarted().is_away("b") is False


def test_coming_on_line_alone_does_not_end_being_away():
    story = away_bob(Story())
    story.does(r.Reconnect("b"))
    assert story.table.is_away("b")
    assert len(story.to("b", ViewMessage)) == 1


def test_a_computer_answer_to_another_window_is_dropped():
    story = Story().sits("b")
    story.does(r.AddBot("a"))
    story.starts()
    late = r.ComputerPlay("", 2, "round 9 bid", None, 1)
    assert story.does(late).facts == ()
    assert story.computer_plays(2).facts != ()
    assert story.computer_plays(2).facts == ()  # twice is too late as well


# -- leaving -------------------------------------------------------------------------------------


def test_leaving_hands_the_seat_to_a_computer_player_for_the_rest_of_the_game():
    story = Story().starts("b", "c")  # [G-10]
    record = story.does(r.Leave("b"))
    assert record.facts == (f.HandedOver(1, "Juno", 2, "Bob", "left"),)
    assert story.to("b")[-1] == LocationMessage(None)
    assert story.said("a") == ["Bob leaves. Juno (computer) plays on."]
    assert story.table.automatic_turns() == [(1, 2)]
    assert story.table.people() == {"a", "c"}
    assert story.restarted().game.names == ("Ann", "Juno", "Cid")


def test_standing_up_in_a_running_game_needs_the_word_leave():
    story = Story().starts("b")
    with pytest.raises(UserError, match="To give your seat to a computer player: leave"):
        story.does(r.Stand("b"))


def test_the_stand_in_goes_when_the_game_is_over():
    story = Story({"rounds": "2"}).starts("b", "c")
    story.does(r.Leave("b"))
    while story.table.is_playing:
        game = story.table.game
        seat = next(s for s in game.window.seats if game.may_act(s))
        person = game.seats[seat].person
        story.plays(person) if person else story.computer_plays(seat)
    over = story.to("a", GameOver)[0]
    assert over.names == ("Ann", "Juno", "Cid")
    assert sorted(over.places)[0] == 1
    assert f"{over.places[1]} Juno" in over.text
    assert [o.name for o in story.table.seats] == ["Ann", "Cid"]


def test_without_any_person_the_game_is_abandoned_and_the_table_closes():
    story = Story().sits("b")
    story.does(r.AddBot("a"))
    story.starts()
    story.does(r.Watch("d", "Dee"))
    story.does(r.Leave("a"))
    record = story.does(r.Leave("b"))
    assert kinds(record) == [f.Abandoned, f.Closed]
    assert record.closes
    assert story.to("d")[-1] == LocationMessage(None)
    assert story.to("d", GameOver) == []
    assert story.restarted().is_closed


# -- other policies ------------------------------------------------------------------------------


def test_forfeit_gives_the_seat_up_and_the_last_place_to_its_owner():
    story = Story({"absence": "forfeit", "rounds": "2"}).starts("b", "c")
    story.does(r.Disconnect("b"))
    story.table.offline_since_ms["b"] -= 120_000
    assert kinds(story.does(r.Tick(""))) == [f.HandedOver]
    assert "b" not in story.table.people()
    while story.table.is_playing:
        game = story.table.game
        seat = next(s for s in game.window.seats if game.may_act(s))
        person = game.seats[seat].person
        story.plays(person) if person else story.computer_plays(seat)
    ended = story.table.game.result
    assert ended.places[1] == 3
    assert sorted(ended.places)[0] == 1
    over = story.to("a", GameOver)[0]
    assert (over.names[1], over.places[1]) == ("Juno", 3)
    assert "3 Juno" in over.text


def test_pause_stops_the_clock_while_an_asked_person_is_off_line():
    story = Story({"absence": "pause"}).starts("b")
    story.now_ms += 20_000
    record = story.does(r.Disconnect("b"))
    assert record.facts == (f.ClockStopped(1, 40_000, story.now_ms + 600_000),)
    assert story.to("a", ViewMessage)[0].deadline_ms is None
    assert story.passes(300) == []
    record = story.does(r.Reconnect("b"))
    assert record.facts == (f.ClockRuns(story.now_ms + 40_000, 1, 300_000),)
    assert not story.table.is_away("b")


def test_the_clock_waits_only_so_long_for_one_seat_in_a_game():
    story = Story({"absence": "pause"}, pause_max_s=100).starts("b")
    story.does(r.Disconnect("b"))
    resumed, expired = story.passes(160)
    assert kinds(resumed) == [f.ClockRuns]
    assert expired.at_ms == 1_160_000
    assert expired.facts[0].by == "time"
    assert not any(isinstance(fact, f.ClockStopped) for fact in expired.facts)


def test_what_the_clock_has_waited_for_a_seat_is_used_up_for_this_game():
    story = Story({"absence": "pause"}, pause_max_s=100).starts("b")
    story.does(r.Disconnect("b"))
    story.now_ms += 60_000
    story.does(r.Reconnect("b"))
    record = story.does(r.Disconnect("b"))
    assert record.facts == (f.ClockStopped(1, 60_000, story.now_ms + 40_000),)


def test_a_new_window_for_somebody_off_line_begins_with_a_stopped_clock():
    story = Story({"absence": "pause"}).starts("b")
    story.plays("a")
    story.plays("b")
    winner, other = ("a", "b") if story.table.game.window.seats == (0,) else ("b", "a")
    story.does(r.Disconnect(other))
    record = story.plays(winner, "pass")
    assert kinds(record) == [f.Played, f.Asked, f.ClockStopped]


def test_a_table_without_clocks_waits_for_ever():
    story = Story({"clocks": "off"}).starts("b")
    assert wake_ms(story.table) is None


# -- empty tables --------------------------------------------------------------------------------


def test_a_table_without_people_closes():
    story = Story()
    story.does(r.Disconnect("a"))
    closed = story.passes(60)
    assert [kinds(record) for record in closed] == [[f.Closed]]
    assert story.table.phase == "closed"


def test_who_stays_off_line_gives_up_the_seat_between_games():
    story = Story().sits("b")
    story.does(r.Disconnect("b"))
    assert story.passes(120)[0].facts == (f.Stood("b", "Bob", is_gone=True),)
    assert story.said("a") == ["Bob is gone, and the seat is free."]


def test_a_table_with_a_watcher_stays_open():
    story = Story()
    story.does(r.Watch("c", "Cid"))
    story.does(r.Stand("a"))
    assert story.passes(600) == []
    story.does(r.Disconnect("c"))
    assert kinds(story.passes(60)[0]) == [f.Closed]


# -- restarts ------------------------------------------------------------------------------------


def after_restart(story: Story, alive_ms: int | None, now_ms: int) -> Story:
    story.table, story.now_ms = story.restarted(), now_ms
    story.does(r.GiveBackTime("", alive_ms))
    return story


def test_a_restart_gives_every_window_what_it_had_left():
    story = Story().starts("b")  # [TIME-2]: ends at 1 060 000
    after_restart(story, alive_ms=1_045_000, now_ms=9_000_000)
    assert story.table.deadline_ms == 9_000_000 + 15_000
    assert story.restarted().deadline_ms == story.table.deadline_ms


@pytest.mark.parametrize("alive_ms", [None, 0, 10**15, -5])
@pytest.mark.parametrize("now_ms", [0, 1_000_000, 10**15])
def test_no_jump_of_the_system_clock_ends_or_stretches_a_window(alive_ms, now_ms):
    left = give_time_back(WindowClock(1_060_000), alive_ms, now_ms, 60_000, 0)[0] - now_ms
    assert 0 <= left <= 60_000  # [TIME-6]
    assert left == (0 if alive_ms == 10**15 else 60_000)


def test_a_stopped_clock_stays_stopped_through_a_restart():
    story = Story({"absence": "pause"}).starts("b")
    story.does(r.Disconnect("b"))
    stopped_ms = story.now_ms
    after_restart(story, alive_ms=stopped_ms + 100_000, now_ms=50_000_000)
    clock = story.table.game.clock
    assert (clock.left_ms, clock.until_ms) == (60_000, 50_000_000 + 500_000)


def test_a_restart_with_pause_waits_for_those_who_are_not_back_yet():
    story = Story({"absence": "pause"}).starts("b")
    after_restart(story, alive_ms=story.now_ms, now_ms=5_000_000)
    assert story.table.game.clock.left_ms == 60_000
    story.does(r.Reconnect("a"))
    story.does(r.Reconnect("b"))
    assert story.table.deadline_ms == story.now_ms + 60_000


def test_away_marks_and_hand_overs_survive_a_restart():
    story = away_bob(Story())
    story.computer_plays(1)
    again = story.restarted()
    assert again.is_away("b")
    assert seen(again, "a", "b", "c") == seen(story.table, "a", "b", "c")
    assert marks([m for m in again.history_for("a") if isinstance(m, EventMessage)])[-1] == "away"
