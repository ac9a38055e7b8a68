from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from mudserver.data_messages import GameMessage
from mudserver.errors import UserError
from mudserver.messages import EventMessage, GameOver, LocationMessage, Notice, ViewMessage
from mudserver.tables import codec
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import decide
from tests.mudserver.tables.driver import SEED, Driver, seen, views, whole_game
from tests.toys.duel.game import DUEL, BidMade, BidsShown
from variants.contract import Refusal, Seat


def test_who_opens_a_table_sits_at_it():
    driver = Driver()
    assert [o.name for o in driver.table.seats] == ["Ann"]
    assert driver.to("a", LocationMessage) == [LocationMessage(7, "duel", 0)]
    assert driver.table.phase == "waiting"


def test_seats_grow_up_to_the_most_the_table_takes():
    driver = Driver({"seats": "2"}).sits("b")
    with pytest.raises(UserError, match=r"Table 7 is full\. You can watch it: watch 7"):
        driver.sits("c")


def test_a_running_game_takes_no_new_seats():
    driver = Driver().starts("b")
    with pytest.raises(UserError, match=r"is in the middle of a game\. You can watch it: watch 7"):
        driver.sits("c")


def test_only_who_sits_starts_and_only_with_enough_players():
    driver = Driver()
    with pytest.raises(UserError, match=r"Duel needs at least 2 players\."):
        driver.all_start()
    with pytest.raises(UserError, match="You have no seat"):
        driver.sits("b").does(r.Start("c", SEED))


def test_computer_players_come_and_go_before_the_game():
    driver = Driver()
    driver.does(r.AddBot("a"))
    assert [(o.name, o.level) for o in driver.table.seats] == [("Ann", ""), ("Juno", "medium")]
    driver.does(r.AddBot("a", "1"))
    with pytest.raises(UserError, match="full"):
        driver.does(r.AddBot("a"))
    driver.does(r.RemoveBot("a", "juno"))
    assert [o.name for o in driver.table.seats] == ["Ann", "Milo"]
    with pytest.raises(UserError, match="At this table: Milo"):
        driver.does(r.RemoveBot("a", "Ann"))
    driver.does(r.RemoveBot("a"))
    for typed in ("harder", "7", "0", "2 3", "grüezi"):
        with pytest.raises(UserError) as refused:
            driver.does(r.AddBot("a", typed))
        assert "Levels of duel: easy, medium, hard. For example: bot hard" == str(refused.value)
    for typed in ("expert", "4", "thea"):
        with pytest.raises(UserError) as refused:
            driver.does(r.AddBot("a", typed))
        assert "duel has no expert. Its computer players: easy, medium, hard." == str(refused.value)


def test_a_computer_player_that_is_named_sits_down_with_its_level():
    driver = Driver()
    driver.does(r.AddBot("a", "VERA"))
    assert [(o.name, o.level) for o in driver.table.seats] == [("Ann", ""), ("Vera", "hard")]
    with pytest.raises(
        UserError, match=r"Vera is at this table already\. To seat another: bot hard"
    ):
        driver.does(r.AddBot("a", "vera"))
    driver.does(r.AddBot("a", "3"))
    assert "Hugo" == driver.table.seats[2].name


def test_the_table_is_told_that_a_computer_player_has_a_new_name():
    driver = Driver()
    driver.does(r.AddBot("a", "2"))
    driver.does(r.Sit("b", "juno"))
    assert ["Juno (computer) is now called Otis.", "juno joined the table."] == driver.said("a")


def test_a_computer_player_gives_its_name_up_to_a_person():
    driver = Driver()
    driver.does(r.AddBot("a"))
    driver.does(r.Sit("j", "juno"))
    assert [o.name for o in driver.table.seats] == ["Ann", "Otis", "juno"]


def test_the_commitment_is_told_at_the_start_and_the_seed_at_the_end():
    driver = Driver().starts("b")  # [G-02]
    assert f"Seal: {sha256(SEED).hexdigest()}" in driver.said()
    assert SEED.hex() not in repr(driver.deliveries)
    whole_game(driver)
    again = "Type rematch to play again, record to check the shuffle."
    assert f"Seed: {SEED.hex()}. {again}" in driver.said()


def test_the_options_that_differ_are_told_to_all_at_the_start():
    driver = Driver({"bid": "90"}).starts("b")  # [G-15]
    assert any("Options: bid=90." in text for text in driver.said("b"))


def test_options_are_fixed_while_a_game_runs_and_belong_to_the_host():
    driver = Driver().sits("b")
    with pytest.raises(UserError, match="Only Ann can change the options"):
        driver.does(r.Configure("b", {"bid": "90"}))
    driver.does(r.Configure("a", {"bid": "90"}))
    assert driver.table.options.clocks == {"bid": 90, "draw": 25}
    driver.starts()
    with pytest.raises(UserError, match="can't be changed during a game"):
        driver.does(r.Configure("a", {"bid": "30"}))


def test_a_sealed_answer_is_silent_until_all_are_in():
    driver = Driver().starts("b")  # [G-11, SEC-4]
    driver.does(r.Watch("c", "Cid"))
    driver.plays("a")
    assert {to for to, _ in driver.deliveries} == {"a"}
    assert [type(m.event) for m in driver.to("a", EventMessage)] == [BidMade]
    driver.plays("b")
    assert [type(m.event) for m in driver.to("a", EventMessage)] == [BidsShown]
    assert [type(m.event) for m in driver.to("b", EventMessage)] == [BidMade, BidsShown]
    assert len(views(driver.to("c"))) == 1


def test_watchers_are_told_public_events_only_and_share_the_messages():
    driver = Driver().starts("b")  # [G-05, SEC-6]
    driver.does(r.Watch("c", "Cid"))
    driver.does(r.Watch("d", "Dee"))
    driver.plays("a")
    driver.plays("b")
    winner = "ab"[driver.table.game.window.seats[0]]
    driver.plays(winner, "draw")
    cid, dee = driver.to("c"), driver.to("d")
    assert all(one is other for one, other in zip(cid, dee, strict=True))
    assert [m.event.card for m in cid if isinstance(m, EventMessage)] == [None]
    assert views(cid)[0].view.hand == ()
    assert all(m.seat is None for m in driver.table.history_for("c"))


def test_who_has_a_seat_cannot_watch_as_a_second_person():
    driver = Driver().starts("b")
    with pytest.raises(UserError, match="You have a seat at table 7"):
        driver.does(r.Watch("b", "Bob"))


def test_there_is_room_for_so_many_watchers():
    driver = Driver(watchers_max=1)
    driver.does(r.Watch("c", "Cid"))
    with pytest.raises(UserError, match="has 1 watcher and no room for more"):
        driver.does(r.Watch("d", "Dee"))


def test_a_watcher_hears_what_was_public_before_and_can_go():
    driver = Driver().starts("b")  # [G-18]
    driver.plays("a")
    driver.plays("b")
    driver.does(r.Watch("c", "Cid"))
    assert [type(m) for m in driver.to("c")] == [LocationMessage, Notice, GameMessage, ViewMessage]
    assert [type(m.event) for m in driver.table.history_for("c")][1:] == [BidsShown]
    driver.does(r.Stand("c"))
    assert driver.to("c") == [LocationMessage(None)]


def test_a_refused_play_changes_nothing_and_writes_nothing():
    driver = Driver().starts("b")  # [G-03]
    before, bodies = seen(driver.table, "a", "b", "c"), len(driver.bodies)
    for line in ("bid 99", "draw", "nonsense", ""):
        with pytest.raises(Refusal):
            decide(driver.table, r.Play("a", line), driver.now_ms)
    with pytest.raises(UserError, match="You are watching"):
        driver.does(r.Play("c", "bid 1"))
    assert seen(driver.table, "a", "b", "c") == before
    assert len(driver.bodies) == bodies


def test_what_a_seat_may_type_is_worked_out_once_until_something_happens():
    lists = []

    def listed(view: Any) -> Any:
        lists.append(view)
        return DUEL.legal_actions(view)

    driver = Driver(variant=replace(DUEL, legal_actions=listed)).starts("b")
    game = driver.table.game
    assert game is not None
    first = game.moves(Seat(0))
    lists.clear()
    assert [first] * 9 == [game.moves(Seat(0)) for _ in range(9)]
    assert [] == lists, "a Tab held down would stop the server"
    driver.plays("a", first[0])
    lists.clear()
    assert () == game.moves(Seat(0)) != game.moves(Seat(1))
    assert [0, 1] == [view.seat for view in lists]


def test_deciding_changes_nothing_that_anybody_can_see():
    driver = Driver().starts("b")
    before = seen(driver.table, "a", "b", "c")
    game = driver.table.game
    decide(driver.table, r.Play("a", f"bid {game.view(Seat(0)).hand[0]}"), driver.now_ms)
    decide(driver.table, r.Leave("b"), driver.now_ms)
    assert seen(driver.table, "a", "b", "c") == before
    assert driver.table.sequence == len(driver.bodies)


def test_one_decision_with_all_it_causes_is_one_record():
    driver = Driver().starts("b")
    driver.plays("a")
    record = driver.plays("b")
    assert [type(fact) for fact in record.facts] == [f.Played, f.Asked]
    assert codec.decode(record.sequence, driver.bodies[-1], DUEL) == record


def test_the_same_window_keeps_its_deadline_and_a_new_one_is_full():
    driver = Driver().starts("b")  # [TIME-5]
    opened_ms = driver.now_ms
    driver.now_ms += 20_000
    driver.plays("a")
    assert driver.table.deadline_ms == opened_ms + 60_000
    driver.now_ms += 20_000
    driver.plays("b")
    assert driver.table.deadline_ms == driver.now_ms + 25_000
    assert views(driver.to("a"))[0].deadline_ms == driver.table.deadline_ms


def test_two_answers_in_one_millisecond_have_the_order_of_the_journal():
    driver = Driver().starts("b")  # [TIME-4]
    first, second = driver.plays("b"), driver.plays("a")
    assert (first.at_ms, first.sequence + 1) == (second.at_ms, second.sequence)
    assert [driver.table.game.plays[n].seat for n in (1, 2)] == [1, 0]


def test_the_end_is_told_with_places_and_scores_after_the_last_view():
    driver = whole_game(Driver().starts("b"))
    messages = driver.to("b")
    over = next(m for m in messages if isinstance(m, GameOver))
    assert over.text.startswith("Game over: ")
    assert sorted(over.places) == [1, 2]
    assert over.names == ("Ann", "Bob")
    kinds = [type(m) for m in messages]
    assert kinds.index(ViewMessage) < kinds.index(type(over))
    assert views(messages)[0].why == "over"
    moved = [m for m in messages if isinstance(m, LocationMessage)]
    assert moved[-1] == LocationMessage(7, "duel", 1, is_playing=False)
    with pytest.raises(UserError, match="No game is running"):
        driver.does(r.Play("a", "draw"))


def test_start_again_is_a_rematch_with_other_cards():
    driver = whole_game(Driver().starts("b"))
    driver.all_start(bytes(32))
    assert driver.table.game.number == 2
    assert driver.table.is_playing
    assert len(driver.table.history_for("a")) == 1
    assert seen(driver.restarted(), "a", "b", "c") == seen(driver.table, "a", "b", "c")


def test_who_comes_in_again_gets_seat_and_full_own_view():
    driver = Driver().starts("b")
    before = driver.table.view_for("b", "back")
    driver.does(r.Disconnect("b"))
    assert driver.said("a") == [
        "Bob lost the connection. The others can go on; a computer player takes over in 2 min."
    ]
    assert driver.to("b") == []
    driver.does(r.Reconnect("b"))
    assert driver.to("b", LocationMessage) == [LocationMessage(7, "duel", 1, is_playing=True)]
    assert driver.to("b", ViewMessage) == [before]
    driver.does(r.Reconnect("b"))  # a second visit takes over, without a drop between
    assert driver.to("b", ViewMessage) == [before]
    assert driver.to("a", ViewMessage) == []


def test_the_first_to_come_back_gets_the_full_own_view_as_well():
    driver = Driver().starts("b")
    before = driver.table.view_for("b", "back")
    driver.table = driver.restarted()
    driver.does(r.Reconnect("b"))  # nobody is there to be told anything else
    assert driver.to("b", ViewMessage) == [before]
