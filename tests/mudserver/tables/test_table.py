from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from mudserver.errors import UserError
from mudserver.messages import EventMessage, GameOver, LocationMessage, Notice, ViewMessage
from mudserver.tables import codec
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import decide
from tests.mudserver.tables.story import SEED, Story, seen, views, whole_game
from tests.toys.duel.game import DUEL, BidMade, BidsShown
from variants.contract import Refusal, Seat


def test_who_opens_a_table_sits_at_it():
    story = Story()
    assert [o.name for o in story.table.seats] == ["Ann"]
    assert story.to("a", LocationMessage) == [LocationMessage(7, "duel", 0)]
    assert story.table.phase == "waiting"


def test_seats_grow_up_to_the_most_the_table_takes():
    story = Story({"seats": "2"}).sits("b")
    with pytest.raises(UserError, match=r"Table 7 is full\. You can watch it: watch 7"):
        story.sits("c")


def test_a_running_game_takes_no_new_seats():
    story = Story().starts("b")
    with pytest.raises(UserError, match=r"is playing\. You can watch it: watch 7"):
        story.sits("c")


def test_only_who_sits_starts_and_only_with_enough_players():
    story = Story()
    with pytest.raises(UserError, match=r"duel needs 2 to 3 players; 1 sits here"):
        story.does(r.Start("a", SEED))
    with pytest.raises(UserError, match="You have no seat"):
        story.sits("b").does(r.Start("c", SEED))


def test_computer_players_come_and_go_before_the_game():
    story = Story()
    story.does(r.AddBot("a"))
    assert [(o.name, o.level) for o in story.table.seats] == [("Ann", 0), ("Juno", 2)]
    story.does(r.AddBot("a", 1))
    with pytest.raises(UserError, match="full"):
        story.does(r.AddBot("a"))
    story.does(r.RemoveBot("a", "juno"))
    assert [o.name for o in story.table.seats] == ["Ann", "Milo"]
    with pytest.raises(UserError, match="Here are Milo"):
        story.does(r.RemoveBot("a", "Ann"))
    story.does(r.RemoveBot("a"))
    with pytest.raises(UserError, match=r"no computer player of level 7\. Levels: 1 and 2"):
        story.does(r.AddBot("a", 7))


def test_the_table_is_told_that_a_computer_player_has_a_new_name():
    story = Story()
    story.does(r.AddBot("a", 2))
    story.does(r.Sit("b", "juno"))
    assert ["Juno (computer) is now called Milo.", "juno sits down."] == story.said("a")


def test_a_computer_player_gives_its_name_up_to_a_person():
    story = Story()
    story.does(r.AddBot("a"))
    story.does(r.Sit("j", "juno"))
    assert [o.name for o in story.table.seats] == ["Ann", "Milo", "juno"]


def test_the_commitment_is_told_at_the_start_and_the_seed_at_the_end():
    story = Story().starts("b")  # [G-02]
    assert f"The cards are fixed: sha256(seed) = {sha256(SEED).hexdigest()}" in story.said()
    assert SEED.hex() not in repr(story.deliveries)
    whole_game(story)
    proof = "record proves the cards by it; start plays again."
    assert f"The seed was {SEED.hex()}. {proof}" in story.said()


def test_the_options_are_told_to_all_at_the_start():
    story = Story({"bid": "90"}).starts("b")  # [G-15]
    assert any("rounds=3 bid=90 draw=25" in text for text in story.said("b"))


def test_options_are_fixed_while_a_game_runs_and_belong_to_the_host():
    story = Story().sits("b")
    with pytest.raises(UserError, match="Only the person who opened"):
        story.does(r.Configure("b", {"bid": "90"}))
    story.does(r.Configure("a", {"bid": "90"}))
    assert story.table.options.clocks == {"bid": 90, "draw": 25}
    story.starts()
    with pytest.raises(UserError, match="fixed while a game runs"):
        story.does(r.Configure("a", {"bid": "30"}))


def test_a_sealed_answer_is_silent_until_all_are_in():
    story = Story().starts("b")  # [G-11, SEC-4]
    story.does(r.Watch("c", "Cid"))
    story.plays("a")
    assert {to for to, _ in story.deliveries} == {"a"}
    assert [type(m.event) for m in story.to("a", EventMessage)] == [BidMade]
    story.plays("b")
    assert [type(m.event) for m in story.to("a", EventMessage)] == [BidsShown]
    assert [type(m.event) for m in story.to("b", EventMessage)] == [BidMade, BidsShown]
    assert len(views(story.to("c"))) == 1


def test_watchers_are_told_public_events_only_and_share_the_messages():
    story = Story().starts("b")  # [G-05, SEC-6]
    story.does(r.Watch("c", "Cid"))
    story.does(r.Watch("d", "Dee"))
    story.plays("a")
    story.plays("b")
    winner = "ab"[story.table.game.window.seats[0]]
    story.plays(winner, "draw")
    cid, dee = story.to("c"), story.to("d")
    assert all(one is other for one, other in zip(cid, dee, strict=True))
    assert [m.event.card for m in cid if isinstance(m, EventMessage)] == [None]
    assert views(cid)[0].view.hand == ()
    assert all(m.seat is None for m in story.table.history_for("c"))


def test_who_has_a_seat_cannot_watch_as_a_second_person():
    story = Story().starts("b")
    with pytest.raises(UserError, match="You have a seat at table 7"):
        story.does(r.Watch("b", "Bob"))


def test_there_is_room_for_so_many_watchers():
    story = Story(watchers_max=1)
    story.does(r.Watch("c", "Cid"))
    with pytest.raises(UserError, match="has 1 watcher and room for no more"):
        story.does(r.Watch("d", "Dee"))


def test_a_watcher_hears_what_was_public_before_and_can_go():
    story = Story().starts("b")  # [G-18]
    story.plays("a")
    story.plays("b")
    story.does(r.Watch("c", "Cid"))
    assert [type(m) for m in story.to("c")] == [LocationMessage, Notice, ViewMessage]
    assert [type(m.event) for m in story.table.history_for("c")][1:] == [BidsShown]
    story.does(r.Stand("c"))
    assert story.to("c") == [LocationMessage(None)]


def test_a_refused_play_changes_nothing_and_writes_nothing():
    story = Story().starts("b")  # [G-03]
    before, bodies = seen(story.table, "a", "b", "c"), len(story.bodies)
    for line in ("bid 99", "draw", "nonsense", ""):
        with pytest.raises(Refusal):
            decide(story.table, r.Play("a", line), story.now_ms)
    with pytest.raises(UserError, match="You have no seat in this game"):
        story.does(r.Play("c", "bid 1"))
    assert seen(story.table, "a", "b", "c") == before
    assert len(story.bodies) == bodies


def test_what_a_seat_may_type_is_worked_out_once_until_something_happens():
    lists = []

    def listed(view: Any) -> Any:
        lists.append(view)
        return DUEL.legal_actions(view)

    story = Story(variant=replace(DUEL, legal_actions=listed)).starts("b")
    game = story.table.game
    assert game is not None
    first = game.moves(Seat(0))
    lists.clear()
    assert [first] * 9 == [game.moves(Seat(0)) for _ in range(9)]
    assert [] == lists, "a Tab held down would stop the house"
    story.plays("a", first[0])
    lists.clear()
    assert () == game.moves(Seat(0)) != game.moves(Seat(1))
    assert [0, 1] == [view.seat for view in lists]


def test_deciding_changes_nothing_that_anybody_can_see():
    story = Story().starts("b")
    before = seen(story.table, "a", "b", "c")
    game = story.table.game
    decide(story.table, r.Play("a", f"bid {game.view(Seat(0)).hand[0]}"), story.now_ms)
    decide(story.table, r.Leave("b"), story.now_ms)
    assert seen(story.table, "a", "b", "c") == before
    assert story.table.sequence == len(story.bodies)


def test_one_decision_with_all_it_causes_is_one_record():
    story = Story().starts("b")
    story.plays("a")
    record = story.plays("b")
    assert [type(fact) for fact in record.facts] == [f.Played, f.Asked]
    assert codec.decode(record.sequence, story.bodies[-1], DUEL) == record


def test_the_same_window_keeps_its_deadline_and_a_new_one_is_full():
    story = Story().starts("b")  # [TIME-5]
    opened_ms = story.now_ms
    story.now_ms += 20_000
    story.plays("a")
    assert story.table.deadline_ms == opened_ms + 60_000
    story.now_ms += 20_000
    story.plays("b")
    assert story.table.deadline_ms == story.now_ms + 25_000
    assert views(story.to("a"))[0].deadline_ms == story.table.deadline_ms


def test_two_answers_in_one_millisecond_have_the_order_of_the_journal():
    story = Story().starts("b")  # [TIME-4]
    first, second = story.plays("b"), story.plays("a")
    assert (first.at_ms, first.sequence + 1) == (second.at_ms, second.sequence)
    assert [story.table.game.plays[n].seat for n in (1, 2)] == [1, 0]


def test_the_end_is_told_with_places_and_scores_after_the_last_view():
    story = whole_game(Story().starts("b"))
    messages = story.to("b")
    over = next(m for m in messages if isinstance(m, GameOver))
    assert over.text.startswith("Game over: 3 rounds are played. ")
    assert sorted(over.places) == [1, 2]
    assert over.names == ("Ann", "Bob")
    kinds = [type(m) for m in messages]
    assert kinds.index(ViewMessage) < kinds.index(GameOver)
    assert views(messages)[0].why == "over"
    assert messages[-1] == LocationMessage(7, "duel", 1, is_playing=False)
    with pytest.raises(UserError, match="No game is running"):
        story.does(r.Play("a", "draw"))


def test_start_again_is_a_rematch_with_other_cards():
    story = whole_game(Story().starts("b"))
    story.does(r.Start("b", bytes(32)))
    assert story.table.game.number == 2
    assert story.table.is_playing
    assert len(story.table.history_for("a")) == 1
    assert seen(story.restarted(), "a", "b", "c") == seen(story.table, "a", "b", "c")


def test_who_comes_in_again_gets_seat_and_full_own_view():
    story = Story().starts("b")
    before = story.table.view_for("b", "back")
    story.does(r.Disconnect("b"))
    assert story.said("a") == ["Bob is off line."]
    assert story.to("b") == []
    story.does(r.Reconnect("b"))
    assert story.to("b", LocationMessage) == [LocationMessage(7, "duel", 1, is_playing=True)]
    assert story.to("b", ViewMessage) == [before]
    story.does(r.Reconnect("b"))  # a second visit takes over, without a drop between
    assert story.to("b", ViewMessage) == [before]
    assert story.to("a", ViewMessage) == []


def test_the_first_to_come_back_gets_the_full_own_view_as_well():
    story = Story().starts("b")
    before = story.table.view_for("b", "back")
    story.table = story.restarted()
    story.does(r.Reconnect("b"))  # nobody is there to be told anything else
    assert story.to("b", ViewMessage) == [before]
