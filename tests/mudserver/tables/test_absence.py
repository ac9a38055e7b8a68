import pytest

from mudserver.errors import UserError
from mudserver.messages import EventMessage, GameOver, LocationMessage, Notice, ViewMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import wake_ms
from mudserver.tables.game import WindowClock, give_time_back
from tests.mudserver.tables.driver import Driver, kinds, marks, seen

# -- time-outs -----------------------------------------------------------------------------------


def test_a_deadline_is_absolute_and_in_the_journal():
    driver = Driver().sits("b")  # [TIME-1]
    record = driver.all_start(bytes(32))
    assert record.facts[-1] == f.Asked("round 1 bid", driver.now_ms + 60_000)
    assert driver.restarted().deadline_ms == driver.now_ms + 60_000


def test_time_outs_fire_with_nobody_on_line():
    driver = Driver(offline_s=80_000).starts("b")  # [TIME-3]
    driver.does(r.Disconnect("a"))
    driver.does(r.Disconnect("b"))
    expired = driver.passes(60)
    assert [fact.by for fact in expired[0].facts[:2]] == ["time", "time"]
    assert expired[0].at_ms == 1_060_000
    assert driver.deliveries == []


def test_an_expired_window_plays_the_default_for_those_who_have_not_answered():
    driver = Driver().starts("b")  # [G-09]
    driver.plays("a")
    record = driver.passes(60)[0]
    played = record.facts[0]
    assert (played.seat, played.by) == (1, "time")
    assert len(played.draws) == 1  # the default's own pick is a recorded draw
    assert kinds(record) == [f.Played, f.Asked]
    assert marks(driver.to("b")) == ["time", ""]  # once, on the first line
    assert marks(driver.to("a")) == ["time"]


def test_a_tick_before_its_time_does_nothing():
    driver = Driver().starts("b")
    driver.now_ms += 59_999
    assert driver.does(r.Tick("")).facts == ()


def away_bob(driver: Driver) -> Driver:
    """Bob goes off line for too long; Ann has bid."""
    driver.starts("b")
    driver.does(r.Disconnect("b"))
    driver.table.offline_since_ms["b"] -= 120_000
    driver.does(r.Tick(""))
    driver.plays("a")
    return driver


def test_a_seat_off_line_too_long_is_away_and_its_plays_are_marked():
    driver = away_bob(Driver())
    assert driver.table.is_away("b")
    assert driver.table.automatic_turns() == [(1, "hard")]
    record = driver.computer_plays(1)
    assert record.facts[0].by == "away"
    assert marks(driver.to("a"))[0] == "away"


def test_who_types_is_back_and_a_late_computer_answer_is_dropped():
    driver = away_bob(Driver())
    driver.does(r.OwnerTyped("b"))
    assert not driver.table.is_away("b")
    assert driver.said("a")[-1] == "Bob is back."
    assert driver.computer_plays(1).facts == ()
    assert driver.restarted().is_away("b") is False


def test_coming_on_line_alone_does_not_end_being_away():
    driver = away_bob(Driver())
    driver.does(r.Reconnect("b"))
    assert driver.table.is_away("b")
    assert len(driver.to("b", ViewMessage)) == 1


def test_a_computer_answer_to_another_window_is_dropped():
    driver = Driver().sits("b")
    driver.does(r.AddBot("a"))
    driver.starts()
    late = r.ComputerPlay("", 2, "round 9 bid", None, 1)
    assert driver.does(late).facts == ()
    assert driver.computer_plays(2).facts != ()
    assert driver.computer_plays(2).facts == ()  # twice is too late as well


# -- leaving -------------------------------------------------------------------------------------


def test_leaving_hands_the_seat_to_a_computer_player():
    driver = Driver().starts("b", "c")  # [G-10]
    record = driver.does(r.Leave("b"))
    assert record.facts == (f.HandedOver(1, "Vera", "Bob", "left", "hard", person="b"),)
    where, told = driver.to("b")
    left = "You left the game. Vera (computer) takes over. To come back, type return"
    assert (told, where) == (Notice(left), LocationMessage(None))
    assert driver.said("a") == ["Bob left the game. Vera (computer) takes over."]
    assert driver.table.automatic_turns() == [(1, "hard")]
    assert driver.table.people() == {"a", "c"}
    assert driver.restarted().game.names == ("Ann", "Vera", "Cid")


def test_standing_up_in_a_running_game_needs_the_word_leave():
    driver = Driver().starts("b")
    with pytest.raises(UserError, match="To give your seat to a computer player, type leave"):
        driver.does(r.Stand("b"))


def test_the_stand_in_goes_when_the_game_is_over():
    driver = Driver({"rounds": "2"}).starts("b", "c")
    driver.does(r.Leave("b"))
    while driver.table.is_playing:
        game = driver.table.game
        seat = next(s for s in game.window.seats if game.may_act(s))
        person = game.seats[seat].person
        driver.plays(person) if person else driver.computer_plays(seat)
    over = driver.to("a", GameOver)[0]
    assert over.names == ("Ann", "Vera", "Cid")
    assert sorted(over.places)[0] == 1
    assert f"{over.places[1]} Vera" in over.text
    assert [o.name for o in driver.table.seats] == ["Ann", "Cid"]


def test_without_any_person_the_game_is_abandoned_and_the_table_closes():
    driver = Driver().sits("b")
    driver.does(r.AddBot("a"))
    driver.starts()
    driver.does(r.Watch("d", "Dee"))
    driver.does(r.Leave("a"))
    record = driver.does(r.Leave("b"))
    assert kinds(record) == [f.Abandoned, f.Closed]
    assert record.closes
    assert driver.to("d")[-1] == LocationMessage(None)
    assert driver.to("d", GameOver) == []
    assert driver.restarted().is_closed


# -- other policies ------------------------------------------------------------------------------


def test_forfeit_gives_the_seat_up_and_the_last_place_to_its_owner():
    driver = Driver({"absence": "forfeit", "rounds": "2"}).starts("b", "c")
    driver.does(r.Disconnect("b"))
    driver.table.offline_since_ms["b"] -= 120_000
    assert kinds(driver.does(r.Tick(""))) == [f.HandedOver]
    assert "b" not in driver.table.people()
    while driver.table.is_playing:
        game = driver.table.game
        seat = next(s for s in game.window.seats if game.may_act(s))
        person = game.seats[seat].person
        driver.plays(person) if person else driver.computer_plays(seat)
    ended = driver.table.game.result
    assert ended.places[1] == 3
    assert sorted(ended.places)[0] == 1
    over = driver.to("a", GameOver)[0]
    assert (over.names[1], over.places[1]) == ("Vera", 3)
    assert "3 Vera" in over.text


def test_pause_stops_the_clock_while_an_asked_person_is_off_line():
    driver = Driver({"absence": "pause"}).starts("b")
    driver.now_ms += 20_000
    record = driver.does(r.Disconnect("b"))
    assert record.facts == (f.ClockStopped(1, 40_000, driver.now_ms + 600_000),)
    assert driver.to("a", ViewMessage)[0].deadline_ms is None
    assert driver.passes(300) == []
    record = driver.does(r.Reconnect("b"))
    assert record.facts == (f.ClockRuns(driver.now_ms + 40_000, 1, 300_000),)
    assert not driver.table.is_away("b")


def test_the_clock_waits_only_so_long_for_one_seat_in_a_game():
    driver = Driver({"absence": "pause"}, pause_max_s=100).starts("b")
    driver.does(r.Disconnect("b"))
    resumed, expired = driver.passes(160)
    assert kinds(resumed) == [f.ClockRuns]
    assert expired.at_ms == 1_160_000
    assert expired.facts[0].by == "time"
    assert not any(isinstance(fact, f.ClockStopped) for fact in expired.facts)


def test_what_the_clock_has_waited_for_a_seat_is_used_up_for_this_game():
    driver = Driver({"absence": "pause"}, pause_max_s=100).starts("b")
    driver.does(r.Disconnect("b"))
    driver.now_ms += 60_000
    driver.does(r.Reconnect("b"))
    record = driver.does(r.Disconnect("b"))
    assert record.facts == (f.ClockStopped(1, 60_000, driver.now_ms + 40_000),)


def test_a_new_window_for_somebody_off_line_begins_with_a_stopped_clock():
    driver = Driver({"absence": "pause"}).starts("b")
    driver.plays("a")
    driver.plays("b")
    winner, other = ("a", "b") if driver.table.game.window.seats == (0,) else ("b", "a")
    driver.does(r.Disconnect(other))
    record = driver.plays(winner, "pass")
    assert kinds(record) == [f.Played, f.Asked, f.ClockStopped]


def test_a_table_without_clocks_waits_for_ever():
    driver = Driver({"clocks": "off"}).starts("b")
    assert wake_ms(driver.table) is None


# -- empty tables --------------------------------------------------------------------------------


def test_a_table_without_people_closes():
    driver = Driver()
    driver.does(r.Disconnect("a"))
    closed = driver.passes(60)
    assert [kinds(record) for record in closed] == [[f.Closed]]
    assert driver.table.phase == "closed"


def test_who_stays_off_line_gives_up_the_seat_between_games():
    driver = Driver().sits("b")
    driver.does(r.Disconnect("b"))
    assert driver.passes(120)[0].facts == (f.Stood("b", "Bob", is_gone=True),)
    assert driver.said("a") == ["Bob is gone, and the seat is free."]


def test_a_table_with_a_watcher_stays_open():
    driver = Driver()
    driver.does(r.Watch("c", "Cid"))
    driver.does(r.Stand("a"))
    assert driver.passes(500) == []
    driver.does(r.Disconnect("c"))
    assert kinds(driver.passes(60)[-1]) == [f.Closed]


WARNING = (
    "Nobody else is at this table, so it closes in a minute. To keep it, type bot to add a "
    "computer player, start to begin."
)


def test_a_table_with_one_person_and_no_game_closes_after_a_warning():
    driver = Driver()
    assert driver.passes(539) == []
    [warned] = driver.passes(1)
    assert (f.WarnedOfClosing("a"),) == warned.presence_changes
    assert () == warned.facts  # nothing is written
    assert [WARNING] == driver.said("a")
    [closed] = driver.passes(60)
    assert (f.Closed("alone"),) == closed.facts


def test_whoever_does_something_alone_at_a_table_keeps_it_for_ten_minutes_more():
    driver = Driver()
    driver.passes(599)
    driver.does(r.AddBot("a", "easy"))
    assert driver.passes(539) == []
    driver.does(r.Watch("c", "Cid"))
    assert driver.passes(3_600) == []  # two people
    driver.does(r.Unwatch("c"))
    assert [[], [f.Closed]] == [kinds(record) for record in driver.passes(600)]


def test_a_person_alone_has_ten_minutes_more_after_a_restart_and_no_limit_in_a_game():
    driver = Driver()
    driver.passes(590)
    driver.table = driver.restarted()
    driver.does(r.Reconnect("a"))
    assert driver.passes(539) == []
    driver.does(r.AddBot("a", "easy"))
    driver.all_start()
    assert driver.table.alone_until_ms is None


# -- restarts ------------------------------------------------------------------------------------


def after_restart(driver: Driver, alive_ms: int | None, now_ms: int) -> Driver:
    driver.table, driver.now_ms = driver.restarted(), now_ms
    driver.does(r.GiveBackTime("", alive_ms))
    return driver


def test_a_restart_gives_every_window_what_it_had_left():
    driver = Driver().starts("b")  # [TIME-2]: ends at 1 060 000
    after_restart(driver, alive_ms=1_045_000, now_ms=1_300_000)
    assert driver.table.deadline_ms == 1_300_000 + 15_000
    assert driver.restarted().deadline_ms == driver.table.deadline_ms


@pytest.mark.parametrize("alive_ms", [None, 0, 10**15, -5])
@pytest.mark.parametrize("now_ms", [0, 1_000_000, 10**15])
def test_no_jump_of_the_system_clock_ends_or_stretches_a_window(alive_ms, now_ms):
    left = give_time_back(WindowClock(1_060_000), alive_ms, now_ms, 60_000, 0)[0] - now_ms
    assert 0 <= left <= 60_000  # [TIME-6]
    assert left == (0 if alive_ms == 10**15 else 60_000)


def test_a_stopped_clock_stays_stopped_through_a_restart():
    driver = Driver({"absence": "pause"}).starts("b")
    driver.does(r.Disconnect("b"))
    stopped_ms = driver.now_ms
    after_restart(driver, alive_ms=stopped_ms + 100_000, now_ms=stopped_ms + 390_000)
    clock = driver.table.game.clock
    assert (clock.left_ms, clock.until_ms) == (60_000, stopped_ms + 390_000 + 500_000)


def test_a_restart_with_pause_waits_for_those_who_are_not_back_yet():
    driver = Driver({"absence": "pause"}).starts("b")
    after_restart(driver, alive_ms=driver.now_ms, now_ms=driver.now_ms + 290_000)
    assert driver.table.game.clock.left_ms == 60_000
    driver.does(r.Reconnect("a"))
    driver.does(r.Reconnect("b"))
    assert driver.table.deadline_ms == driver.now_ms + 60_000


def test_away_marks_and_hand_overs_survive_a_restart():
    driver = away_bob(Driver())
    driver.computer_plays(1)
    again = driver.restarted()
    assert again.is_away("b")
    assert seen(again, "a", "b", "c") == seen(driver.table, "a", "b", "c")
    assert marks([m for m in again.history_for("a") if isinstance(m, EventMessage)])[-1] == "away"
