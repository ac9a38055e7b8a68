"""A seat that was left is taken over by somebody else, who sees what the seat sees.

[G-10, G-11]
"""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from mudserver.data_messages import SeatChanged
from mudserver.errors import UserError
from mudserver.messages import EventMessage, LocationMessage, Notice, ViewMessage
from mudserver.tables import notifications, parked
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.ended_game import ended_game
from mudserver.tables.finished_game import finished_game
from mudserver.tables.program_data import table_row
from mudserver.tables.summary import EndedSubstitute
from mudserver.tables.vacant_seats import SUBSTITUTES_MAX
from tests.mudserver.tables.driver import Driver, kinds, seen, views
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP

DEE = r.Substitute("d", "Dee")
TAKEN = f.Substituted(1, "d", "Dee", left="b")
OFFER = Notice("You can take over Bob's seat. To play on there: substitute 7 2")


def left(variant=MULTISTEP, after_s: float = 60, **options: str) -> Driver:
    """Bob has left the game of Ann, Bob and Cid a minute ago."""
    driver = Driver({"clocks": "off", **options}, variant=variant).starts("b", "c")
    driver.does(r.Leave("b"))
    driver.passes(after_s)
    return driver


def notices(driver: Driver, who: str) -> list[str]:
    return [message.text for message in driver.to(who, Notice)]


# -- who takes over, and when ----------------------------------------------------------------------


def test_somebody_takes_over_the_seat_and_sees_with_its_eyes():
    driver = left(DUEL)
    before = driver.table.game.view(1), driver.table.game.known_events(1)
    record = driver.does(DEE)
    assert (TAKEN,) == record.facts
    assert ["Dee takes over Bob's seat from Vera."] == driver.said("a") == driver.said("c")
    told = driver.to("d")
    assert LocationMessage(7, "duel", 1, is_playing=True) in told
    assert "You have Bob's seat now, with all that it has seen. To read that: history" in notices(
        driver, "d"
    )
    [view] = [message for message in told if isinstance(message, ViewMessage)]
    assert (1, before[0]) == (view.seat, view.view)
    history = driver.table.history_for("d")
    assert [it.event for it in before[1]] == [it.event for it in history]
    assert ("Ann", "Dee", "Cid") == driver.table.game.names
    assert ["Ann", "Cid", "Dee"] == [o.name for o in driver.table.roster]
    assert seen(driver.restarted(), "a", "b", "c", "d") == seen(driver.table, "a", "b", "c", "d")


@pytest.mark.parametrize("request_", [r.Substitute("d", "Dee"), r.Sit("b", "Bob")])
def test_who_takes_a_seat_sees_all_of_it_at_once_and_others_what_has_changed(request_):
    """What has changed is shown as one line to who is not asked."""
    driver = left()
    driver.does(r.Watch(request_.person, request_.name))
    driver.does(request_)
    assert ["back"] == [it.why for it in views(driver.to(request_.person))]
    assert ["changed"] == [it.why for it in views(driver.to("a"))]


def test_the_substitute_decides_and_the_computer_player_no_more():
    driver = left()
    window = driver.window
    driver.does(DEE)
    driver.plays("a", "step")
    driver.plays("a", "step")
    assert "person" == driver.plays("d", "step").facts[0].by
    assert () == driver.does(r.ComputerPlay("", 1, window, None, 5)).facts
    assert () == driver.computer_plays(1).facts


def test_who_had_the_seat_sees_what_everybody_sees_and_cannot_return():
    driver = left(DUEL)
    driver.does(r.Watch("b", "Bob"))
    driver.does(r.Watch("w", "Wim"))
    driver.does(DEE)
    assert "Dee has taken over your seat at table 7, so you can't return to it." in notices(
        driver, "b"
    )
    assert driver.table.left_seat_of("b") is None
    assert seen(driver.table, "b") == seen(driver.table, "w")
    assert driver.to("b", ViewMessage) == driver.to("w", ViewMessage)
    for taken in (r.Sit("b", "Bob"), r.Substitute("b", "Bob"), r.Substitute("b", "Bob", 2)):
        with pytest.raises(UserError):
            driver.does(taken)
    driver.plays("a")
    driver.plays("d")
    assert driver.to("b", EventMessage) == driver.to("w", EventMessage)


def test_what_others_and_who_had_the_seat_read_is_the_same_whatever_it_holds():
    """Twins: the same hands but for the cards of the seat, which are exchanged with the deck."""
    read = []
    for is_twin in (False, True):
        driver = left(DUEL)
        for person in ("Bob", "Wim"):
            driver.does(r.Watch(person[0].lower(), person))
        game, state = driver.table.game, driver.table.game.state
        hand, cards = state.hands[1], len(state.hands[1])
        if is_twin:
            game.state = dataclasses.replace(
                state,
                hands=(state.hands[0], state.deck[:cards], state.hands[2]),
                deck=(*hand, *state.deck[cards:]),
            )
            driver.table.game = game.copy()
        driver.does(DEE)
        told = [{who: driver.to(who) for who in "abcwd"}]
        driver.plays("a")
        read.append([*told, {who: driver.to(who) for who in "abcwd"}])
    for one, other in zip(*read, strict=True):
        for who in "abcw":
            assert one[who] == other[who], who
    assert read[0][0]["d"] != read[1][0]["d"]
    assert read[0][1]["b"] == read[0][1]["w"]


def test_who_had_the_seat_and_is_elsewhere_reads_it_there():
    driver = left()
    driver.does(DEE)
    assert ["Dee has taken over your seat at table 7, so you can't return to it."] == notices(
        driver, "b"
    )
    assert [] == driver.said("b")


def test_not_before_a_minute_has_passed():
    driver = left(after_s=59.9)
    with pytest.raises(UserError, match="Seat 2 still waits for its player") as caught:
        driver.does(DEE)
    assert 1 == caught.value.wait_s
    driver.does(r.Sit("b", "Bob"))
    driver.does(r.Leave("b"))
    driver.passes(59)
    with pytest.raises(UserError, match="still waits"):
        driver.does(DEE)
    driver.passes(1)
    driver.does(DEE)


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (r.Substitute("a", "Ann"), "You already have a seat at table 7."),
        (r.Substitute("b", "Bob"), "You have a seat there that waits for you. .* sit 7"),
        (r.Substitute("d", "Dee", 1), r"Seat 1 can't be taken over\. .*: substitute 7 2"),
        (r.Substitute("d", "Dee", 9), "Seat 9 can't be taken over"),
        (r.Substitute("g", "guest1", is_guest=True), "Only registered players take over seats"),
    ],
)
def test_each_refusal_says_why(request_, sentence):
    with pytest.raises(UserError, match=sentence):
        left().does(request_)


def test_a_guest_takes_over_where_guests_play():
    driver = Driver({"clocks": "off"}, variant=MULTISTEP).sits("b")
    driver.does(r.Sit("g", "guest1", is_guest=True))
    driver.all_start()
    driver.does(r.Leave("b"))
    driver.passes(60)
    driver.does(r.Substitute("h", "guest2", is_guest=True, source="192.0.2.1"))
    assert driver.table.seats[1].is_guest and {"h": "192.0.2.1"} == driver.table.guest_sources


def test_what_the_table_asks_of_who_sits_down_it_asks_of_a_substitute():
    driver = left(who="accounts", programs="off")
    with pytest.raises(UserError, match="Programs can't sit"):
        driver.does(r.Substitute("d", "Dee", is_program=True))
    driver.does(DEE)
    with pytest.raises(UserError, match="for people who were invited"):
        left(who="invited").does(DEE)


def test_a_private_table_is_watched_first():
    driver = left()
    driver.table.options = replace(driver.table.options, code_hash="of a code")
    with pytest.raises(UserError, match=r"Table 7 is private\. Watch it first"):
        driver.does(DEE)
    driver.table.watchers["d"] = "Dee"  # who has typed the code
    assert (TAKEN,) == driver.does(DEE).facts
    assert "d" not in driver.table.watchers


def test_substitutes_off_leaves_the_seat_to_the_computer_player():
    driver = left(substitutes="off")
    driver.does(r.Watch("w", "Wim"))
    assert [] == driver.passes(600) and () == notifications.summary_of(driver.table).to_take_over
    with pytest.raises(UserError, match="Nobody takes over seats at table 7"):
        driver.does(DEE)


def test_rated_tables_have_none_unless_they_ask_for_it():
    assert not Driver({"rated": "on"}).table.options.has_substitutes
    assert Driver({"rated": "on", "substitutes": "on"}).table.options.has_substitutes
    assert Driver().table.options.has_substitutes
    assert "substitutes=off" in Driver({"rated": "on"}).table.options.assignments()


def test_a_seat_that_is_out_is_not_taken_over():
    driver = left()
    driver.plays("a", "step")
    driver.plays("a", "step")
    game = driver.table.game
    action = driver.variant.parse("fall", game.view(1), game.names)
    driver.does(r.ComputerPlay("", 1, driver.window, action, 5))
    assert game.is_out(1)
    with pytest.raises(UserError, match="Nobody has left a seat at table 7"):
        driver.does(DEE)


def test_who_has_had_a_seat_takes_over_no_other():
    driver = left()
    driver.does(DEE)
    driver.does(r.Leave("d"))
    driver.does(r.Leave("c"))
    driver.passes(60)
    for person, name in (("b", "Bob"),):
        with pytest.raises(UserError, match="You had a seat in this game"):
            driver.does(r.Substitute(person, name, 3))
    with pytest.raises(UserError, match="You have a seat there that waits"):
        driver.does(r.Substitute("d", "Dee", 3))
    with pytest.raises(UserError, match=r"Seats 2 and 3 can be taken over\. Say"):
        driver.does(r.Substitute("e", "Eve"))
    driver.does(r.Substitute("e", "Eve", 3))
    assert ("Ann", "Vera", "Eve") == tuple(
        "Vera" if o.person is None else o.name for o in driver.table.seats
    )


def test_a_substitute_may_leave_and_return_as_anybody():
    driver = left()
    driver.does(DEE)
    driver.does(r.Leave("d"))
    driver.does(r.Sit("d", "Dee"))
    assert (1, True) == (driver.table.seats[1].returns, driver.table.seats[1].is_substitute)


def test_a_seat_changes_hands_three_times():
    driver = left()
    for number in range(SUBSTITUTES_MAX):
        driver.does(r.Substitute(f"s{number}", f"Sub{number}"))
        driver.does(r.Leave(f"s{number}"))
        driver.passes(60)
    with pytest.raises(UserError, match="Nobody has left a seat"):
        driver.does(DEE)


def test_a_computer_player_of_the_same_name_is_renamed():
    driver = Driver({"clocks": "off"}, variant=MULTISTEP).sits("b")
    driver.does(r.AddBot("a", "easy"))
    driver.all_start()
    computer = next(o.name for o in driver.table.seats if o.person is None)
    driver.does(r.Leave("b"))
    driver.passes(60)
    driver.does(r.Substitute("d", computer))
    names = driver.table.game.names
    assert computer == names[1] and len({name.casefold() for name in names}) == 3
    assert f"{computer} (computer) is now called {names[2]}." in driver.said("a")
    assert names == driver.restarted().game.names


# -- what else is as it was ------------------------------------------------------------------------


def test_a_change_of_hands_moves_no_deadline_and_forgets_no_missed_turn():
    driver = Driver(variant=MULTISTEP).starts("b", "c")
    driver.passes(60)  # Ann has missed a turn
    for _ in range(2):
        driver.plays("b", "step")
    driver.does(r.Leave("a"))
    driver.passes(60)
    deadline_ms = driver.table.deadline_ms
    driver.does(r.Substitute("d", "Dee"))
    assert deadline_ms == driver.table.deadline_ms
    turns = driver.table.seats[0].turns
    assert (1, True) == (turns.missed, turns.is_back)


def test_the_clock_of_who_missed_nothing_goes_on():
    driver = left()
    turns = driver.table.seats[1].turns
    driver.does(DEE)
    assert turns == driver.table.seats[1].turns


@pytest.mark.parametrize("has_answered", [True, False])
def test_the_number_of_missing_answers_is_told_no_more(has_answered):
    driver = left(DUEL)
    while driver.table.game.state.chooser is not None or not driver.table.game.window.is_sealed:
        chooser = driver.table.game.state.chooser
        driver.computer_plays(1) if chooser == 1 else driver.plays("abc"[chooser], "pass")
    driver.plays("a") if driver.table.game.may_act(0) else None
    if not driver.table.game.hides_missing:
        driver.computer_plays(1) if has_answered else None
    driver.does(DEE)
    for who in ("a", "b", "c", "d", "watcher"):
        assert (1, True) == (
            driver.table.view_for(who).missing,
            driver.table.view_for(who).hides_missing,
        )
    assert seen(driver.restarted(), "a", "c", "d") == seen(driver.table, "a", "c", "d")


def test_an_open_offer_ends_with_a_new_person():
    driver = left()
    driver.does(r.Offer("a", "abort"))
    assert [f.Substituted, f.OfferEnded] == kinds(driver.does(DEE))


def test_the_last_substitute_keeps_the_game_alive_and_gets_the_table():
    driver = left()
    driver.does(DEE)
    driver.does(r.Leave("c"))
    assert [f.HandedOver, f.OwnerIs] == kinds(driver.does(r.Leave("a")))
    assert "d" == driver.table.owner and driver.table.is_playing
    assert [f.Abandoned, f.Closed] == kinds(driver.does(r.Leave("d")))


def test_a_match_goes_on_with_the_substitute_who_may_come_between_two_deals():
    driver = left(deals="2")
    driver.plays("a", "fall")
    while driver.table.is_playing:
        [seat] = driver.table.game.window.seats
        driver.plays("c", "fall") if seat == 2 else driver.computer_plays(seat)
    assert driver.table.is_between_deals
    driver.does(DEE)
    assert "Dee" == driver.table.match.seats[1].name
    assert driver.restarted().match.seats == driver.table.match.seats
    for person in "acd":
        driver.does(r.Start(person, bytes(range(32))))
    assert driver.table.is_playing and "d" == driver.table.game.began_with[1].person
    assert not driver.table.seats[1].is_substitute
    driver.does(r.Leave("c"))
    driver.passes(60)
    with pytest.raises(UserError, match="You had a seat in this game"):
        driver.does(r.Substitute("b", "Bob"))


# -- lists and watchers ----------------------------------------------------------------------------


def test_lists_and_watchers_are_told_after_a_minute_and_once():
    driver = left(after_s=0)
    driver.does(r.Watch("w", "Wim"))
    driver.does(r.Watch("b", "Bob"))
    assert [] == driver.passes(59.9)
    assert () == notifications.summary_of(driver.table).to_take_over
    [record] = driver.passes(0.1)
    assert () == record.facts
    assert [OFFER] == driver.to("w") and [] == driver.to("b") == driver.to("a")
    assert (2,) == notifications.summary_of(driver.table).to_take_over
    assert [False, True, False] == [it.can_substitute for it in table_row(driver.table).seats]
    assert [] == driver.passes(600)
    driver.does(r.Watch("x", "Xen"))
    assert OFFER in driver.to("x")
    driver.does(DEE)
    assert () == notifications.summary_of(driver.table).to_take_over


def test_a_restart_tells_it_to_nobody_again():
    driver = left()
    driver.table = driver.restarted()
    assert (2,) == notifications.summary_of(driver.table).to_take_over
    assert not any(record.presence_changes for record in driver.passes(600))
    early = left(after_s=30)
    early.table = early.restarted()
    assert () == notifications.summary_of(early.table).to_take_over
    assert (f.SeatOffered("", 1),) == early.passes(30)[-1].presence_changes


def test_a_parked_table_says_so_too():
    driver = Driver({"move": "1d"}, variant=MULTISTEP).starts("b", "c")
    driver.does(r.Leave("b"))
    for person in "ac":
        driver.does(r.StepOut(person))
    for seat, _ in driver.table.automatic_turns():
        driver.computer_plays(seat)
    assert not parked.may_park(driver.table, driver.now_ms)
    driver.passes(60)
    assert parked.may_park(driver.table, driver.now_ms)
    row = parked.decode(parked.encode(parked.parked(driver.table, driver.now_ms)))
    assert (2,) == row.summary.to_take_over and "b" in row.left
    driver.table = driver.restarted()
    assert (TAKEN,) == driver.does(DEE).facts
    driver.does(r.StepOut("d"))
    row = parked.parked(driver.table, driver.now_ms)
    assert "d" in row.games and not row.left and "b" in row.people and "b" not in row.own


def test_an_adjourned_game_waits_for_its_own_people():
    driver = left()
    driver.does(r.Offer("a", "adjourn"))
    driver.now_ms += 3_000
    driver.does(r.AnswerOffer("c", True))
    assert driver.table.is_adjourned and () == notifications.summary_of(driver.table).to_take_over
    with pytest.raises(UserError, match="The game at table 7 is adjourned"):
        driver.does(DEE)


def test_programs_read_whose_seat_it_is():
    driver = left()
    driver.does(DEE)
    changed = SeatChanged(7, "7.1", 1, "Dee", "account", "substitute")
    assert [changed] == driver.to("a", SeatChanged)


# -- the result ------------------------------------------------------------------------------------


def end_of(driver: Driver, *facts: f.AnyFact):
    record = f.Record(driver.table.sequence + 1, 77, (*facts, f.Ended((2, 1, 3), (4, 9, 1), "so")))
    return ended_game(driver.table, record), finished_game(driver.table, record)


def test_who_left_has_the_last_place_and_the_substitute_that_of_the_seat():
    driver = left()
    driver.does(DEE)
    ended, finished = end_of(driver)
    assert [("a", 2, "stayed"), ("b", 3, "left"), ("c", 3, "stayed")] == [
        (it.person, it.place, it.fate) for it in ended.seats
    ]
    assert (EndedSubstitute(1, "d", False, 1, 9),) == ended.substitutes
    assert {"a": 2, "c": 3} == finished.places


def test_what_the_substitute_decides_is_no_decision_of_who_left():
    driver = left()
    driver.does(DEE)
    driver.plays("a", "step")
    driver.plays("a", "step")
    driver.plays("d", "step")
    ended, _ = end_of(driver)
    assert [True, False, False] == [it.has_decided for it in ended.seats]
    assert ended.has_decision


def test_a_substitute_who_has_left_as_well_is_in_no_result():
    driver = left()
    driver.does(DEE)
    driver.does(r.Leave("d"))
    ended, _ = end_of(driver)
    assert () == ended.substitutes and ("b", 1, "left") == (
        ended.seats[1].person,
        ended.seats[1].place,
        ended.seats[1].fate,
    )


def test_whose_absence_gave_up_the_seat_has_forfeited_and_the_seat_is_not_last():
    driver = Driver({"absence": "forfeit"}, variant=MULTISTEP).starts("b", "c")
    driver.does(r.Disconnect("b"))
    driver.passes(125)
    driver.passes(60)
    driver.does(DEE)
    assert not driver.table.seats[1].has_forfeited
    ended, _ = end_of(driver)
    assert ("forfeit", 3) == (ended.seats[1].fate, ended.seats[1].place)


def test_the_one_who_left_and_registers_later_is_the_account_in_the_result():
    driver = Driver({"clocks": "off"}, variant=MULTISTEP).sits("b")
    driver.does(r.Sit("g", "guest1", is_guest=True))
    driver.all_start()
    driver.does(r.Leave("g"))
    driver.passes(60)
    driver.does(DEE)
    driver.does(r.ReplacePerson("g", "p9", "Gil"))
    assert [] == driver.said("a")
    ended, _ = end_of(driver)
    assert ("p9", False, "left") == (
        ended.seats[2].person,
        ended.seats[2].is_guest,
        ended.seats[2].fate,
    )
    with pytest.raises(UserError, match="You had a seat in this game"):
        driver.does(r.Substitute("p9", "Gil"))
