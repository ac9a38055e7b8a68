"""The seat stays its person's to take back; and who decides for it tells nobody what it answered.

[G-10, G-11]
"""

from __future__ import annotations

import pytest

from mudserver.errors import UserError
from mudserver.messages import EventMessage, LocationMessage, Notice, ViewMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.missed_turns import TurnCount
from tests.mudserver.tables.driver import NAMES, SEED, Driver, kinds, seen
from tests.toys.multistep.game import MULTISTEP
from variants.catalogue import CATALOGUE

BACK = r.Sit("b", "Bob")


def left(**options: str) -> Driver:
    """Bob has left the game."""
    driver = Driver(options, variant=MULTISTEP).starts("b", "c")
    driver.does(r.Leave("b"))
    return driver


def test_who_left_takes_the_seat_back_from_the_computer_player():
    driver = left()
    assert driver.table.left_seat_of("b") == 1 and driver.table.left_seat_of("a") is None
    record = driver.does(BACK)
    assert record.facts == (f.SeatReturned(1, "b", "Bob"),)
    assert driver.said("a") == ["Bob is back in the game and takes over from Vera."]
    told = driver.to("b")
    assert LocationMessage(7, "multistep", 1, is_playing=True) in told
    assert Notice("You have your seat back.") in told
    assert any(isinstance(message, ViewMessage) and message.seat == 1 for message in told)
    assert driver.table.game.names == ("Ann", "Bob", "Cid")
    assert [o.name for o in driver.table.roster] == ["Ann", "Cid", "Bob"]
    assert seen(driver.restarted(), "a", "b", "c") == seen(driver.table, "a", "b", "c")
    driver.plays("a", "step")
    driver.plays("a", "step")
    assert driver.plays("b", "step").facts[0].by == "person"


def test_a_watcher_who_left_before_takes_the_seat_back_too():
    driver = left()
    driver.does(r.Watch("b", "Bob"))
    driver.does(BACK)
    assert "b" not in driver.table.watchers and driver.table.seat_of("b") == 1
    assert LocationMessage(7, "multistep", 1, is_playing=True) in driver.to("b")


def test_nobody_else_gets_the_seat():
    driver = left()
    with pytest.raises(UserError, match="Table 7 is in the middle of a game"):
        driver.does(r.Sit("d", "Dee"))


def test_a_seat_is_taken_back_three_times_in_a_game():
    driver = left()
    for _ in range(3):
        driver.does(BACK)
        driver.does(r.Leave("b"))
    with pytest.raises(UserError, match="You came back 3 times in this game already"):
        driver.does(BACK)


def test_a_seat_that_is_out_is_not_taken_back():
    driver = left()
    driver.plays("a", "step")
    driver.plays("a", "step")
    driver.table.game.apply(f.Played(1, "computer", None, (), _fall(driver), 0))
    with pytest.raises(UserError, match="Your seat is out of this game"):
        driver.does(BACK)


def _fall(driver: Driver) -> tuple[object, ...]:
    game = driver.table.game
    action = driver.variant.parse("fall", game.view(1), game.names)
    return tuple(driver.variant.decide(game.state, 1, action, None))


def test_when_the_game_is_over_the_seat_is_gone():
    driver = left()
    driver.plays("a", "fall")
    driver.plays("c", "fall") if driver.table.game.window.seats == (2,) else None
    while driver.table.is_playing:
        seat = driver.table.game.window.seats[0]
        person = driver.table.game.seats[seat].person
        driver.plays(person, "step") if person else driver.computer_plays(seat)
    driver.does(BACK)
    assert [o.name for o in driver.table.roster] == ["Ann", "Cid", "Bob"]  # as anybody sits down


def test_leaving_and_coming_back_move_no_deadline_and_forget_no_missed_turn():
    driver = Driver(variant=MULTISTEP).starts("b")
    driver.passes(60)
    driver.plays("b", "step")
    driver.plays("b", "step")
    driver.passes(20)
    deadline_ms, turns = driver.table.deadline_ms, driver.table.game.seats[0].turns
    assert turns.missed == 1
    driver.does(r.Leave("a"))
    driver.does(r.Sit("a", "Ann"))
    assert driver.table.deadline_ms == deadline_ms
    assert driver.table.game.seats[0].turns == turns


def test_who_left_while_away_is_back_as_anybody_who_was_away():
    driver = Driver(variant=MULTISTEP).starts("b", "c")
    driver.does(r.Disconnect("b"))
    driver.passes(120)
    driver.does(r.Reconnect("b"))
    assert driver.table.is_away("b")
    driver.does(r.Leave("b"))
    driver.does(BACK)
    assert not driver.table.is_away("b")
    assert driver.table.game.seats[1].turns == TurnCount(1, is_back=True, full="owed")


def test_who_forfeited_may_play_on_and_stays_last():
    driver = Driver({"absence": "forfeit"}, variant=MULTISTEP).starts("b", "c")
    driver.does(r.Disconnect("b"))
    driver.passes(120)
    driver.does(BACK)
    counts = "You have your seat back. You can play on; the result counts as forfeited."
    assert Notice(counts) in driver.to("b")
    driver.plays("a", "fall") if driver.table.game.window.seats == (0,) else None
    assert driver.table.game.seats[1].has_forfeited


def test_the_second_leave_is_of_the_same_game_or_of_none():
    driver = Driver(variant=MULTISTEP).starts("b", "c")
    with pytest.raises(UserError, match=r"The game has just ended\. Type leave again"):
        driver.does(r.Leave("b", game=2))
    assert kinds(driver.does(r.Leave("b", game=1))) == [f.HandedOver]
    driver.plays("a", "fall")
    with pytest.raises(UserError, match=r"The game has just ended\. Type leave again"):
        Driver().sits("b").does(r.Leave("b", game=1))


def test_records_of_older_servers_name_nobody_who_may_return():
    driver = left()
    driver.table.game.apply(f.HandedOver(1, "Milo", "Bob", "left", level=2))
    assert driver.table.left_seat_of("b") is None and driver.table.left_seat_of("") is None


# -- a sealed window in which somebody else decides from now on ------------------------------------


def bids(driver: Driver) -> tuple[int, ...]:
    return tuple(driver.table.view_for(who).missing for who in ("a", "b", "c", "watcher"))


def are_hidden(driver: Driver) -> set[bool]:
    return {driver.table.view_for(who).hides_missing for who in ("a", "b", "c", "watcher")}


@pytest.mark.parametrize("change", ["left", "returned", "away", "back"])
@pytest.mark.parametrize("has_answered", [True, False])
def test_the_number_of_missing_answers_is_told_no_more(change, has_answered):
    driver = Driver({"clock.bid": "600"}).starts("b", "c")
    if change in ("returned", "back"):
        driver.does(r.Leave("b") if change == "returned" else r.Disconnect("b"))
        driver.passes(120 if change == "back" else 0)
        driver.plays("a")
        driver.computer_plays(1)
        driver.plays("c")
        while driver.table.game.state.chooser is not None:  # to the next bids
            chooser = driver.table.game.state.chooser
            driver.computer_plays(1) if chooser == 1 else driver.plays("abc"[chooser], "pass")
        if has_answered:
            driver.computer_plays(1)
        driver.does(BACK if change == "returned" else r.OwnerTyped("b"))
    else:
        if has_answered:
            driver.plays("b")
        assert bids(driver) == ((2,) * 4 if has_answered else (3,) * 4)
        driver.does(r.Leave("b") if change == "left" else r.Disconnect("b"))
        driver.passes(120 if change == "away" else 0)
    assert bids(driver) == (1, 1, 1, 1) and are_hidden(driver) == {True}
    driver.plays("a")
    assert bids(driver) == (1, 1, 1, 1) and are_hidden(driver) == {True}
    assert driver.table.view_for("a").has_answered
    assert driver.to("b", EventMessage) == driver.to("c", EventMessage) == []
    assert seen(driver.restarted(), "a", "b", "c") == seen(driver.table, "a", "b", "c")


def trading(has_answered: bool) -> tuple[Driver, str, str, str]:
    """Words: one trades with two others, of whom one has answered or not, and leaves.

    Returns the driver, and who trades, leaves and stays.
    """
    driver = Driver(variant=CATALOGUE["words"]).sits("b", "c")
    driver.all_start(SEED)
    game = driver.table.game
    turn = game.view(None).turn
    trades, leaves, stays = ("abc"[(turn + n) % 3] for n in range(3))
    while game.view(None).phase == "draw":
        driver.plays(trades, "draw")
    one, two = [card for card in game.view(turn).hand if len(card) == 1][:2]
    driver.plays(trades, f"trade {one} with {NAMES[leaves]}, {two} with {NAMES[stays]}")
    assert game.window.is_sealed
    if has_answered:
        driver.plays(leaves)
    driver.does(r.Leave(leaves))
    return driver, trades, leaves, stays


@pytest.mark.parametrize("has_answered", [True, False])
def test_words_tells_it_neither_on_the_board_nor_in_what_it_says_nor_to_who_answers(has_answered):
    driver, trades, leaves, stays = trading(has_answered)
    for who in (trades, stays, "watcher"):
        assert driver.table.view_for(who).view.missing == -1
    if not has_answered:
        driver.computer_plays("abc".index(leaves))
        assert driver.deliveries == []
    else:
        driver.plays(stays)
        assert not driver.table.game.window.is_sealed  # all are in: the trade is told
        assert driver.to(trades, EventMessage)
    assert seen(driver.restarted(), "a", "b", "c") == seen(driver.table, "a", "b", "c")


def test_who_answers_such_a_window_is_told_no_number_either():
    driver, trades, _, stays = trading(has_answered=False)
    driver.plays(stays)
    [answered] = [message.event for message in driver.to(stays, EventMessage)]
    assert (answered.letter is not None, answered.missing) == (True, -1)
    assert driver.to(trades, EventMessage) == []
