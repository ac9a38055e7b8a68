"""Matches of several deals: the same seats play them, and the points are added up."""

from __future__ import annotations

import msgspec
import pytest

from mudserver.errors import UserError
from mudserver.messages import Announcement, MatchStatus, Notice, ViewMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.options import parse_options
from mudserver.tables.table import Table
from tests.mudserver.tables.driver import SEED, Driver, seen
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP

PAUSE_S = 20


def match(*others: str, deals: int = 3, **options: str) -> Driver:
    """Ann has opened a table, the others sit there; the first deal runs."""
    driver = Driver({"deals": str(deals), **options}, variant=MULTISTEP)
    return driver.starts(*(others or ("b",)))


def falls(driver: Driver, *people: str) -> None:
    """These people give up, one after the other, as soon as they are asked."""
    for person in people:
        game = driver.table.game
        assert game is not None
        while game.window is not None and game.seat_of(person) not in game.window.seats:
            turn = game.window.seats[0]
            asked = game.seats[turn].person
            if asked is None or game.seats[turn].is_away:
                driver.computer_plays(turn)
            else:
                driver.plays(asked, "step")
        driver.plays(person, "fall")


def said(driver: Driver, who: str = "a") -> list[str]:
    kinds = Announcement | Notice
    return [m.text for to, m in driver.deliveries if to == who and isinstance(m, kinds)]


def points(table: Table) -> tuple[int, ...]:
    assert table.match is not None
    return table.match.points


def started(driver: Driver) -> list[f.Started]:
    """Of all deals, from the journal."""
    facts = [fact for body in driver.bodies for fact in msgspec.json.decode(body)["facts"]]
    return [msgspec.convert(fact, f.Started) for fact in facts if fact["fact"] == "Started"]


# -- deals ---------------------------------------------------------------------------------------


def test_after_a_deal_all_read_the_points_and_when_the_next_one_begins():
    driver = match("b", "c")
    falls(driver, "b", "c")
    sentence = (
        "Deal 1 of 3 is over. Points: Ann 2, Bob 0, Cid 1. The next begins in 20 s, or when all "
        "have typed start."
    )
    assert sentence == said(driver, "a")[-1] == said(driver, "c")[-1]
    assert not driver.table.is_playing and "playing" == driver.table.phase


def test_the_next_deal_begins_by_itself_with_the_same_seats():
    driver = match("b", "c")
    falls(driver, "b", "c")
    driver.passes(PAUSE_S - 0.1)
    assert not driver.table.is_playing
    driver.passes(0.1)
    assert driver.table.is_playing
    assert "Deal 2 of 3 begins. Ann, Bob, Cid." in said(driver)
    assert ["Ann", "Bob", "Cid"] == [o.name for o in driver.table.seats]
    assert (MatchStatus("7.1", 2, 3, (2, 0, 1))) == driver.table.view_message(None, "look").match


def test_the_points_of_all_deals_are_added_up_and_equal_totals_share_the_place():
    driver = match("b", deals=2)
    falls(driver, "a")
    driver.passes(PAUSE_S)
    falls(driver, "b")
    assert "The match is over: Ann and Bob tie for first place. 1 Ann (1), 1 Bob (1)" in said(
        driver
    )
    assert "over" == driver.table.phase and not driver.table.goes_on


def test_each_deal_is_a_game_of_its_own_and_names_its_match():
    driver = match("b")
    for _ in range(3):
        falls(driver, "a")
        driver.passes(PAUSE_S)
    assert [("7.1", 1, 1), ("7.1", 2, 2), ("7.1", 3, 3)] == [
        (each.match, each.deal, each.game) for each in started(driver)
    ]
    assert not driver.table.is_playing
    assert (0, 3) == points(driver.table)


def test_a_rematch_is_another_match_and_the_seats_move_on():
    driver = match("b", deals=2)
    for _ in range(2):
        falls(driver, "a")
        driver.passes(PAUSE_S)
    driver.all_start()
    assert ("7.3", 1) == (started(driver)[-1].match, started(driver)[-1].deal)
    assert ["Bob", "Ann"] == [o.name for o in driver.table.seats]
    assert (0, 0) == points(driver.table)


def test_a_single_game_is_no_match():
    driver = Driver({}, variant=MULTISTEP).starts("b")
    falls(driver, "a")
    assert driver.table.match is None
    assert driver.table.view_message(None, "look").match is None
    assert b'"match"' not in b"".join(driver.bodies)


# -- the pause -----------------------------------------------------------------------------------


def test_the_next_deal_begins_at_once_when_all_who_are_here_have_typed_start():
    driver = match("b", "c")
    falls(driver, "b", "c")
    driver.does(r.Disconnect("c"))
    driver.does(r.Start("a"))
    assert "You are ready. Waiting for Bob." in said(driver)
    assert "Ann is ready for deal 2 (1 of 3 ready). Type start." in said(driver, "b")
    driver.does(r.Start("b", SEED))
    assert driver.table.is_playing


def test_the_person_who_opened_the_table_cannot_shorten_the_pause_alone():
    driver = match("b")
    falls(driver, "b")
    driver.does(r.Start("a"))
    assert not driver.table.is_playing
    with pytest.raises(UserError, match=r"You are ready\. Deal 2 of 3 begins in 20 s"):
        driver.does(r.Start("a"))


def test_how_long_the_pause_is_can_be_chosen_and_without_clocks_it_has_no_end():
    driver = match("b", between="7")
    falls(driver, "b")
    assert "The next begins in 7 s" in said(driver)[-1]
    driver.passes(7)
    assert driver.table.is_playing
    driver = match("b", clocks="off")
    falls(driver, "b")
    assert said(driver)[-1].endswith("The next begins when all have typed start.")
    driver.passes(3_600)
    assert not driver.table.is_playing


REFUSED = [
    r.Stand("a"),
    r.AddBot("a"),
    r.RemoveBot("a"),
    r.Unseat("a", "Bob"),
    r.Configure("a", {"pace": "brisk"}),
    r.Play("a", "step"),
]


@pytest.mark.parametrize("request_", REFUSED, ids=lambda each: type(each).__name__)
def test_between_two_deals_seats_and_options_stay(request_):
    driver = match("b")
    falls(driver, "b")
    with pytest.raises(UserError) as refused:
        driver.does(request_)
    assert "The match goes on with deal 2. To give your seat to a computer player: leave" == str(
        refused.value
    )


def test_nobody_else_sits_down_between_two_deals():
    driver = match("b")
    falls(driver, "b")
    with pytest.raises(UserError, match="in the middle of a game"):
        driver.does(r.Sit("c", "Cid"))


def test_who_is_offline_keeps_the_seat_and_the_deal_begins_without_them():
    driver = match("b", between="300")
    falls(driver, "b")
    driver.does(r.Disconnect("b"))
    driver.passes(299)
    assert driver.table.seat_of("b") == 1 and not driver.table.is_playing
    driver.passes(1)
    assert driver.table.is_playing and driver.table.is_away("b")


def test_who_is_away_holds_up_no_pause_and_is_away_in_the_next_deal():
    driver = match("b", "c")
    driver.does(r.Disconnect("c"))
    driver.passes(130)
    assert driver.table.is_away("c")
    falls(driver, "b", "a")
    driver.does(r.Reconnect("c"))
    assert driver.table.is_away("c")
    driver.does(r.Start("a"))
    driver.does(r.Start("b", SEED))
    assert driver.table.is_playing and driver.table.is_away("c")
    assert driver.restarted().seats == driver.table.seats
    driver.does(r.OwnerTyped("c"))
    assert not driver.table.is_away("c")


def test_somebody_away_who_types_between_two_deals_is_back():
    driver = match("b", "c")
    driver.does(r.Disconnect("c"))
    driver.passes(130)
    falls(driver, "b", "a")
    driver.does(r.OwnerTyped("c"))
    assert not driver.table.is_away("c")


# -- by agreement --------------------------------------------------------------------------------


def agrees(driver: Driver, *people: str) -> None:
    driver.passes(3)
    for person in people:
        driver.does(r.AnswerOffer(person, True))


def test_a_deal_aborted_by_agreement_ends_the_match_without_a_total():
    driver = match("b", "c")
    falls(driver, "b", "c")
    driver.passes(PAUSE_S)
    driver.does(r.Offer("a", "abort"))
    assert any("offers to end the whole match without a total." in s for s in said(driver, "b"))
    agrees(driver, "b", "c")
    assert "The match is aborted: this deal has no result, and there is no total." in said(driver)
    table = driver.table
    assert ("over", None) == (table.phase, table.match) and not table.goes_on
    driver.passes(PAUSE_S)
    assert 2 == len(started(driver)) and driver.restarted().match is None
    driver.all_start()
    assert ("7.3", 1) == (started(driver)[-1].match, started(driver)[-1].deal)


def test_a_deal_drawn_by_agreement_counts_and_the_match_goes_on():
    driver = match("b", "c")
    falls(driver, "b")
    driver.does(r.Offer("a", "draw"))
    agrees(driver, "c")
    assert driver.table.is_between_deals
    assert (1, 0, 1) == points(driver.table)
    driver.passes(PAUSE_S)
    assert "Deal 2 of 3 begins. Ann, Bob, Cid." in said(driver)


def test_nothing_is_offered_or_paused_between_deals():
    driver = match("b", "c")
    driver.does(r.Offer("a", "pause"))
    falls(driver, "b", "c")
    game = driver.table.game
    assert game is not None and game.offer is None and game.pause is None
    for request in (r.Offer("a", "draw"), r.AnswerOffer("b", True), r.GoOn("a")):
        with pytest.raises(UserError, match="The match goes on with deal 2"):
            driver.does(request)


def test_offers_are_counted_by_match():
    driver = match("b", "c")
    for _ in range(2):
        driver.does(r.Offer("a", "pause"))
        driver.does(r.AnswerOffer("b", False))
        driver.passes(60)
    falls(driver, "b", "c")
    driver.passes(PAUSE_S)
    with pytest.raises(UserError, match="all the offers that you can make in one match"):
        driver.does(r.Offer("a", "pause"))
    driver.table = driver.restarted()
    with pytest.raises(UserError, match="all the offers that you can make in one match"):
        driver.does(r.Offer("a", "pause"))


def test_a_seat_that_was_left_can_be_taken_back_three_times_while_the_match_goes_on():
    driver = match("b", "c", deals=4)
    for _ in range(3):
        driver.does(r.Leave("c"))
        falls(driver, "b", "a")  # each in a deal of its own
        driver.does(r.Sit("c", "Cid"))
        assert (2, "Cid") == (driver.table.seat_of("c"), driver.table.seats[2].name)
        assert driver.restarted().seats == driver.table.seats
        driver.passes(PAUSE_S)
    driver.does(r.Leave("c"))
    with pytest.raises(UserError, match="You came back 3 times in this match already"):
        driver.does(r.Sit("c", "Cid"))


def test_who_left_between_two_deals_can_come_back_there_and_in_the_next_deal():
    driver = match("b", "c")
    falls(driver, "b", "a")
    driver.does(r.Leave("c"))
    driver.does(r.Sit("c", "Cid"))
    assert ["Ann", "Bob", "Cid"] == [o.name for o in driver.table.seats]
    driver.does(r.Leave("c"))
    driver.passes(PAUSE_S)
    driver.does(r.Sit("c", "Cid"))
    assert driver.table.is_playing and driver.table.seat_of("c") == 2


def test_who_was_out_and_left_can_come_back_once_the_deal_is_over():
    driver = match("b", "c")
    falls(driver, "b")
    driver.does(r.Leave("b"))
    with pytest.raises(UserError, match="Your seat is out of this game"):
        driver.does(r.Sit("b", "Bob"))
    falls(driver, "c")
    driver.does(r.Sit("b", "Bob"))
    driver.passes(PAUSE_S)
    assert ["Ann", "Bob", "Cid"] == [o.name for o in driver.table.seats]
    assert driver.restarted().seats == driver.table.seats


def test_leaving_names_what_is_given_up():
    driver = match("b", "c")
    table = driver.table
    assert (1, 0) == table.given_up("b")
    falls(driver, "b")
    assert ((1, 2), (1, 0)) == (table.given_up("b"), table.given_up("a"))
    falls(driver, "c")
    assert (1, 2) == table.given_up("a")
    driver.passes(PAUSE_S)
    driver.does(r.Leave("b", game=1))
    assert table.seats[1].is_computer and table.given_up("b") is None
    for _ in range(2):
        falls(driver, "c", "a")
        driver.passes(PAUSE_S)
    assert table.given_up("a") is None
    with pytest.raises(UserError, match="The game has just ended"):
        driver.does(r.Leave("a", game=1))


# -- leaving -------------------------------------------------------------------------------------


def test_a_leavers_seat_keeps_its_points_and_a_computer_player_plays_on():
    driver = match("b", "c")
    falls(driver, "b", "a")
    driver.does(r.Leave("c"))
    names = [o.name for o in driver.table.seats]
    assert f"Cid left the game. {names[2]} (computer) takes over." in said(driver)
    driver.passes(PAUSE_S)
    assert names == [o.name for o in driver.table.seats] and (1, 0, 2) == points(driver.table)
    assert driver.table.seats[2].is_computer and driver.table.seat_of("c") is None


def test_who_leaves_in_a_deal_has_left_the_match():
    driver = match("b", "c")
    driver.does(r.Leave("c"))
    name = driver.table.seats[2].name
    falls(driver, "b", "a")
    driver.passes(PAUSE_S)
    assert ["Ann", "Bob", name] == [o.name for o in driver.table.seats]


def test_who_is_out_and_leaves_is_replaced_in_the_next_deal():
    driver = match("b", "c", "d")
    falls(driver, "b")
    driver.does(r.Leave("b"))
    falls(driver, "c", "d")
    assert "Ann 3, Bob 0" in said(driver)[-1]
    driver.passes(PAUSE_S)
    assert driver.table.seats[1].is_computer and "Bob" != driver.table.seats[1].name
    assert any(line.startswith("Bob left the game.") for line in said(driver))


def test_who_is_out_cannot_stand_up_from_a_match():
    driver = match("b", "c")
    falls(driver, "b")
    with pytest.raises(UserError, match=r"Two more deals follow\. To give your seat"):
        driver.does(r.Stand("b"))


def test_without_anybody_left_the_match_ends_and_the_table_closes():
    driver = match("b")
    falls(driver, "b")
    driver.does(r.Leave("a"))
    record = driver.does(r.Leave("b"))
    assert [f.Abandoned(), f.Closed("abandoned")] == list(record.facts)


def test_while_nobody_is_connected_no_deal_begins_and_at_last_the_match_is_abandoned():
    driver = match("b")
    falls(driver, "b")
    driver.does(r.Disconnect("a"))
    driver.passes(10)
    driver.does(r.Disconnect("b"))
    driver.passes(599)
    assert driver.table.is_between_deals and not driver.table.is_closed
    driver.passes(1)
    assert driver.table.is_closed


def test_for_the_first_who_comes_back_the_pause_begins_again():
    driver = match("b")
    falls(driver, "b")
    driver.does(r.Disconnect("a"))
    driver.does(r.Disconnect("b"))
    driver.passes(300)
    driver.does(r.Reconnect("b"))
    assert "Deal 2 of 3 begins in 20 s, or when all have typed start." in said(driver, "b")
    driver.passes(PAUSE_S)
    assert driver.table.is_playing


def test_whoever_forfeits_comes_last_in_the_match():
    driver = match("b", "c", deals=2, absence="forfeit")
    falls(driver, "b", "c")
    driver.passes(PAUSE_S)
    driver.does(r.Disconnect("a"))
    driver.passes(125)
    assert driver.table.seats[0].is_computer
    falls(driver, "b", "c")
    assert (2, 1, 3) == points(driver.table)
    assert driver.table.match is not None and (3, 2, 1) == driver.table.match.places()


def test_the_next_deal_that_the_server_cannot_begin_is_refused_aloud():
    driver = match("b")
    falls(driver, "b")
    driver.passes(PAUSE_S - 1)
    driver.now_ms += 1_000
    driver.does(r.Tick("", refusal="There is no room."))
    assert "There is no room." in said(driver)
    driver.passes(300)
    assert not driver.table.is_playing
    driver.does(r.Start("a"))
    driver.does(r.Start("b", SEED))
    assert driver.table.is_playing


# -- restarts ------------------------------------------------------------------------------------


def test_a_restart_in_a_deal_changes_nothing_of_the_match():
    driver = match("b")
    falls(driver, "b")
    driver.passes(PAUSE_S)
    driver.plays("a", "step")
    table = driver.restarted()
    assert points(driver.table) == points(table) and table.match is not None
    assert driver.table.match is not None and driver.table.match.status() == table.match.status()
    assert seen(driver.table, "a", "b", "w") == seen(table, "a", "b", "w")


def test_after_a_restart_between_two_deals_the_pause_begins_again_and_this_is_said():
    driver = match("b")
    falls(driver, "b")
    driver.passes(15)
    driver.does(r.Start("a"))
    driver.table = driver.restarted()
    driver.passes(300)
    driver.does(r.Reconnect("a"))
    assert (
        "The server was restarted. The next deal begins in 20 s, or when all have typed start."
    ) in said(driver)
    assert not driver.table.readiness.marks
    driver.passes(PAUSE_S)
    assert driver.table.is_playing and 2 == driver.table.view_message(None, "look").match.deal


class Noted(Driver):
    """What the match is after each record."""

    def does(self, request: r.Request) -> f.Record:
        record = super().does(request)
        self.noted = [*getattr(self, "noted", []), (record.sequence, status(self.table))]
        return record


def status(table: Table) -> tuple[object, ...] | None:
    match = table.match
    if match is None:
        return None
    seats = [(o.name, o.person, o.level, o.returns, o.replaced_person) for o in table.seats]
    return match.status(), match.is_pausing, match.places(), seats


def test_death_at_every_record_leaves_the_same_match():
    driver = Noted({"deals": "3"}, variant=MULTISTEP).starts("b", "c")
    falls(driver, "b", "c")
    driver.does(r.Leave("c"))
    driver.does(r.Sit("c", "Cid"))
    driver.passes(PAUSE_S)
    driver.does(r.Leave("c"))
    falls(driver, "a", "b")
    driver.passes(PAUSE_S)
    falls(driver, "b")
    driver.does(r.Leave("b"))
    falls(driver, "a")
    assert driver.table.match is not None and not driver.table.goes_on
    assert 0 == driver.table.match.deals_left
    after = dict(driver.noted)
    for length in range(1, len(driver.bodies) + 1):
        assert after[length] == status(driver.restarted(length)), length
    assert sum(gained(driver.bodies)) == sum(points(driver.table))


def gained(bodies: list[bytes]) -> list[int]:
    """The points of the results in the journal, by the rule of the toy."""
    facts = [fact for body in bodies for fact in msgspec.json.decode(body)["facts"]]
    places = [fact["places"] for fact in facts if fact["fact"] == "Ended"]
    return [sum(other > own for other in each) for each in places for own in each]


# -- options -------------------------------------------------------------------------------------


def test_a_game_without_match_points_refuses_deals():
    with pytest.raises(UserError, match="duel has no matches of several deals"):
        parse_options(DUEL, {"deals": "3"})
    assert 1 == parse_options(DUEL, {"deals": "1"}).deals


@pytest.mark.parametrize(
    ("name", "value"), [("deals", "0"), ("deals", "10"), ("between", "4"), ("between", "601")]
)
def test_deals_and_the_pause_between_them_are_bounded(name, value):
    with pytest.raises(UserError, match=f"{name} must be a number from"):
        parse_options(MULTISTEP, {name: value})


def test_the_options_of_a_match_are_shown_only_of_a_match():
    options = parse_options(MULTISTEP, {"deals": "3", "clock.between": "30"})
    assert "deals=3 between=30" in options.describe()
    assert "deals" not in parse_options(MULTISTEP, {}).describe()


# -- who is out ----------------------------------------------------------------------------------


def test_who_falls_while_others_play_on_reads_once_which_place_it_is():
    driver = Driver({}, variant=MULTISTEP).starts("b", "c", "d")
    falls(driver, "b")
    sentence = (
        "You are out; place 4 is yours. You can stay and watch, or type leave: your place stays, "
        "and tables lists other games."
    )
    assert sentence in said(driver, "b") and sentence not in said(driver, "a")
    driver.plays("c", "step")
    assert sentence not in said(driver, "b")
    falls(driver, "c", "d")
    assert not [line for line in said(driver, "d") if line.startswith("You are out")]


def test_who_is_out_of_a_deal_reads_that_the_next_one_follows():
    driver = match("b", "c")
    falls(driver, "b")
    assert (
        "You are out; place 3 is yours. You can stay and watch; the next deal is yours again."
    ) in said(driver, "b")


def test_a_view_says_which_deal_it_is():
    driver = match("b")
    view = driver.to("a", ViewMessage)[0]
    assert MatchStatus("7.1", 1, 3, (0, 0)) == view.match
