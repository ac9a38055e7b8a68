"""Games by correspondence: hours or days for a move, and nobody has to be connected."""

from __future__ import annotations

import pytest

from mudserver.errors import UserError
from mudserver.messages import Announcement, LocationMessage, Notice, RefusalMessage, ViewMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.correspondence import ANSWER_MS, away_wait_ms
from mudserver.tables.ended_game import ended_game
from mudserver.tables.offers import waiting_offer
from mudserver.tables.options import parse_options
from tests.mudserver.tables.driver import Driver, kinds, seen
from tests.mudserver.tables.world import World, run
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP
from variants.catalogue import CATALOGUE

HOUR_S, DAY_S = 3_600, 86_400


def waiting(*others: str, **options: str) -> Driver:
    return Driver({"move": "1d", **options}, variant=MULTISTEP).sits(*others)


def playing(*others: str, **options: str) -> Driver:
    driver = waiting(*others, **options)
    driver.all_start()
    return driver


def left_s(driver: Driver) -> float:
    return (driver.table.deadline_ms - driver.now_ms) / 1000


# -- options -------------------------------------------------------------------------------------


def test_the_time_for_a_move_sets_all_clocks_and_a_reaction_has_a_quarter():
    stockpile = CATALOGUE["stockpile"]
    options = parse_options(stockpile, {"preset": "correspondence"})
    assert {"action": DAY_S, "location": DAY_S, "reaction": DAY_S // 4, "card": DAY_S} == (
        options.clocks
    )
    assert "correspondence" == options.preset == options.speed and "accounts" == options.who
    assert HOUR_S == parse_options(stockpile, {"move": "2h"}).clocks["reaction"]
    assert "custom" == parse_options(stockpile, {"move": "2d"}).preset
    assert "live" == parse_options(stockpile, {}).speed


@pytest.mark.parametrize("typed", ["1h", "36h", "14d"])
def test_the_time_for_a_move_is_shown_as_it_is_typed(typed):
    options = parse_options(DUEL, {"move": typed, "seats": "2"})
    assert f"move={typed}" in options.assignments()
    words = dict(word.split("=") for word in options.assignments() if "preset" not in word)
    assert options == parse_options(DUEL, words)


@pytest.mark.parametrize("move", ["0h", "1", "15d", "1m", "-1d", "d", "1 d", "\u0661d", "337h"])
def test_a_move_has_an_hour_to_fourteen_days(move):
    with pytest.raises(UserError, match="move must be 1h to 336h, or 1d to 14d"):
        parse_options(DUEL, {"move": move})


@pytest.mark.parametrize(
    "option", ["clocks=off", "turn=60", "pace=brisk", "absence=pause", "fill=easy", "deals=2"]
)
def test_what_is_for_live_games_is_refused(option):
    name, value = option.split("=")
    with pytest.raises(UserError):
        parse_options(CATALOGUE["words"], {"move": "1d", name: value})


def test_a_table_stays_live_or_by_correspondence():
    with pytest.raises(UserError, match="To open another: open multistep correspondence"):
        Driver(variant=MULTISTEP).does(r.Configure("a", {"move": "1d"}))
    driver = waiting()
    driver.does(r.Configure("a", {"move": "3d"}))
    assert 3 * DAY_S == min(driver.table.options.clocks.values())


def test_guests_play_live_games_only():
    with pytest.raises(UserError, match="for registered players"):
        waiting().does(r.Sit("g", "Guest1", is_guest=True))


# -- before a game -------------------------------------------------------------------------------


def test_a_game_starts_when_all_have_agreed_whoever_is_connected():
    driver = waiting("b")
    driver.does(r.Start("b"))
    driver.does(r.StepOut("b"))
    driver.does(r.Disconnect("a"))
    driver.passes(2 * DAY_S)
    driver.does(r.Reconnect("a"))
    driver.does(r.Start("a", bytes(32)))
    assert driver.table.is_playing


def test_a_mark_ends_after_three_days_and_an_empty_table_after_as_long():
    driver = waiting("b")
    driver.does(r.Start("b"))
    for person in ("a", "b"):
        driver.does(r.Disconnect(person))
    (record,) = driver.passes(ANSWER_MS / 1000)
    assert (f.Readied("b", False),) == record.facts
    (record,) = driver.passes(ANSWER_MS / 1000)
    assert (f.Closed("empty"),) == record.facts


# -- invitations ---------------------------------------------------------------------------------


def test_an_invitation_lasts_three_days():
    driver = waiting()
    driver.does(r.Invite("a", "b", "Bob"))
    assert ["Ann invites Bob. Bob has 72 h to answer."] == driver.said("a")
    invites = "Ann invites you to table 7 (multistep by correspondence)."
    assert [f"{invites} Type accept Ann, or decline Ann"] == seen_by(driver, "b")
    assert driver.now_ms == driver.table.invitations["b"].since_ms
    assert [] == driver.passes(ANSWER_MS / 1000 - 1)
    (record,) = driver.passes(1)
    assert (f.InvitationEnded("b", "Bob", "expired"),) == record.facts
    assert ["Ann's invitation to table 7 has ended."] == seen_by(driver, "b")


def test_an_invitation_ends_when_the_game_begins_without_the_person():
    driver = waiting("b")
    for whom, name in (("c", "Cid"), ("d", "Dee")):
        driver.does(r.Invite("a", whom, name))
    driver.sits("c")
    driver.all_start()
    assert driver.table.is_playing and {} == driver.table.invitations
    ended = "Ann's invitation to table 7 has ended. The game has begun without you."
    assert [ended] == seen_by(driver, "d") and [] == seen_by(driver, "c")
    assert "The game begins without Dee, who was invited." in driver.said("a")
    assert {} == driver.restarted().invitations


def test_a_live_game_leaves_its_invitations():
    driver = Driver(variant=MULTISTEP).sits("b")
    driver.does(r.Invite("a", "c", "Cid"))
    driver.all_start()
    assert driver.table.is_playing and {"c"} == driver.table.invitations.keys()


def seen_by(driver: Driver, person: str) -> list[str]:
    return [m.text for m in driver.to(person, Notice)]


# -- time ----------------------------------------------------------------------------------------


def test_who_is_offline_has_the_whole_time_and_is_not_away():
    driver = playing("b")
    assert DAY_S == left_s(driver)
    for person in ("a", "b"):
        driver.does(r.Disconnect(person))
        assert [] == driver.said("a") + driver.said("b")
    driver.passes(DAY_S - 1)
    assert not driver.table.is_away("a") and driver.table.game.seats[0].turns.missed == 0
    (record,) = driver.passes(1)
    assert "time" == record.facts[0].by


def test_a_late_owner_has_a_quarter_for_the_further_windows_of_the_turn():
    driver = Driver({"move": "1d"}, variant=DUEL).starts("b")
    driver.passes(DAY_S)
    assert "round 1 draw" == driver.window and DAY_S // 4 == left_s(driver)


def test_for_who_is_away_a_computer_player_decides_after_a_quarter_or_an_hour():
    assert away_wait_ms(2 * HOUR_S * 1000) == HOUR_S * 500
    driver = playing("b")
    while not driver.table.is_away("a"):
        driver.passes(DAY_S / 4)
    while 0 not in driver.table.game.window.seats:
        driver.passes(DAY_S / 4)
    assert HOUR_S == driver.table.away_wait_s(0)
    driver.now_ms += 600_000
    driver.does(r.GiveBackTime("", driver.now_ms))
    assert HOUR_S - 600 == driver.table.away_wait_s(0)  # also after a restart


@pytest.mark.parametrize(
    ("away_s", "given_s"), [(59, 0), (60, 60), (5 * HOUR_S, 5 * HOUR_S), (9 * DAY_S, 9 * DAY_S)]
)
def test_the_time_that_the_server_was_away_is_given_back(away_s, given_s):
    driver = playing("b")
    driver.passes(HOUR_S)
    before_ms, alive_ms = driver.table.deadline_ms, driver.now_ms
    driver.now_ms += away_s * 1000
    driver.table = driver.restarted()
    driver.does(r.GiveBackTime("", alive_ms))
    assert before_ms + given_s * 1000 == driver.table.deadline_ms
    assert seen(driver.table, "a", "b") == seen(driver.restarted(), "a", "b")


def test_a_game_that_nobody_plays_is_aborted_after_three_turns_of_each():
    options = {"move": "1d", "seats": "2"}
    driver = Driver(options, variant=CATALOGUE["elimination"]).starts("b")
    for _ in range(200):
        if not driver.table.is_playing:
            break
        game = driver.table.game
        turns = [(o.is_away, o.turns.played_for) for o in game.seats]
        seat = game.window.seats[0]
        if game.seats[seat].is_away:
            before, record = driver.table.game.copy(), driver.computer_plays(seat)
        else:
            *_, record = driver.passes(left_s(driver))
    assert f.Aborted("expired") == record.facts[-1]
    assert all(is_away for is_away, _ in turns) and {2, 3} >= {count for _, count in turns}
    assert "Nobody has played on, so the game is aborted and has no result." in driver.said("a")
    assert before.result is None and not driver.restarted().is_playing


def test_an_offer_stands_for_three_days_and_there_is_no_pause():
    driver = playing("b")
    with pytest.raises(UserError, match="there is no pause"):
        driver.does(r.Offer("a", "pause"))
    (offered,) = driver.does(r.Offer("a", "abort")).facts
    assert driver.now_ms + ANSWER_MS == offered.until_ms
    assert "Type accept or decline within 3 days." in driver.said("b")[0]


def test_an_offer_is_read_again_by_who_comes_to_answer_it():
    driver = playing("b")
    driver.does(r.StepOut("b"))
    driver.does(r.Offer("a", "abort"))
    assert [] == driver.said("b")
    driver.passes(HOUR_S)
    driver.does(r.Reconnect("b"))
    told = [message.text for message in driver.to("b", Notice)]
    assert told[-1].startswith("Ann offers to end the game without a result. Type accept or")
    assert "" == waiting_offer(driver.table, "a")


def test_an_expired_game_is_recorded_as_one():
    driver = playing("b")
    record = f.Record(driver.table.sequence + 1, driver.now_ms, (f.Aborted("expired"),))
    ended = ended_game(driver.table, record)
    assert ("aborted", "nobody played on") == (ended.end, ended.reason)


# -- where people are ----------------------------------------------------------------------------


def test_who_goes_to_the_lobby_keeps_the_seat_and_reads_nothing_of_the_table():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        await world.started("a", "b", move="1d")
        world.forget_messages()
        world.tables.leave_other("b")
        await world.settles()
        assert world.tables.table_of("b") is None
        assert [None] == [m.table for m in world.received("b", LocationMessage)]
        world.plays("a")
        await world.settles()
        assert [] == world.received("b")
        assert [1] == [table.number for table in world.tables.lists.slow_games("b")]
        world.tables.go("b", 1)
        await world.settles()
        assert 1 == world.tables.table_of("b")
        messages = world.received("b")
        assert [m.table for m in messages if isinstance(m, LocationMessage)] == [1]
        assert any(isinstance(m, ViewMessage) for m in messages)
        assert not any(isinstance(m, Announcement) for m in world.received("a"))

    run(scenario())


def test_who_goes_from_a_table_that_waits_is_not_led_to_the_lobby_by_it():
    """It is told that the person has gone when its record is saved: perhaps after the arrival."""

    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        await world.started("a", "b", move="1d")
        await world.opened("a")
        assert 2 == world.tables.table_of("a")
        world.forget_messages()
        world.tables.go("a", 1)
        await world.settles()
        assert [1] == [message.table for message in world.received("a", LocationMessage)]

    run(scenario())


def test_one_person_plays_several_games_and_a_live_one():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        await world.started("a", "b", move="1d")
        await world.started("a", "b", move="2d")
        await world.started("a", "b")
        assert 3 == world.tables.table_of("a")
        assert [1, 2] == [table.number for table in world.tables.lists.slow_games("a")]
        assert world.tables.lists.keeps_seat("a")
        with pytest.raises(UserError, match="You are in a game at table 3"):
            world.tables.go("a", 1)
        world.tables.submit(3, r.Leave("a"))
        await world.settles()
        assert world.tables.table_of("a") is None  # no table calls who has not asked for it
        assert world.tables.lists.keeps_seat("a")  # at both others
        world.tables.submit(2, r.Sit("a", "A"))
        await world.settles()
        assert 2 == world.tables.table_of("a")

    run(scenario())


def test_who_was_offline_begins_in_the_lobby_after_a_restart_too():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        await world.started("a", "b", move="1d")
        world.tables.on_disconnect("a")
        await world.settles()
        world.person("a")
        await world.settles()
        assert world.tables.table_of("a") is None
        again = World(world.journal.disk, variant=MULTISTEP, wall_ms=world.clock.now_ms())
        again.person("a")
        await again.settles()
        assert again.tables.table_of("a") is None
        again.tables.go("a", 1)
        await again.settles()
        assert 1 == again.tables.table_of("a")

    run(scenario())


def test_whoever_has_to_go_gives_up_all_seats():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        await world.started("a", "b", move="1d")
        await world.started("a", "b", move="2d")
        world.tables.give_up_seat("a")
        await world.settles()
        assert [] == world.tables.lists.slow_games("a")
        assert [1, 2] == world.tables.lists.tables_left("a")

    run(scenario())


def test_games_by_correspondence_have_limits_of_their_own():
    async def scenario() -> None:
        world = World(
            variant=MULTISTEP,
            correspondence_per_person_max=2,
            correspondence_opened_max=1,
            per_person_max=1,
            opened_burst=9,
        )
        await world.opened("a", move="1d")
        with pytest.raises(UserError, match="You have opened 1 table for games by correspond"):
            world.tables.open_table(world.person("a"), "multistep", {"move": "1d"})
        await world.opened("b", "a", move="1d")
        await world.opened("c", move="1d")
        with pytest.raises(UserError, match="You play 2 games by correspondence already"):
            world.tables.submit(3, r.Sit("a", "A"))
        await world.opened("a")  # a live one
        assert [] == world.received("a", RefusalMessage)

    run(scenario())


@pytest.mark.parametrize("is_practice", [False, True])
def test_play_and_practice_open_live_tables_only(is_practice):
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        with pytest.raises(UserError, match="is for live games"):
            world.tables.open_table(
                world.person("a"), "multistep", {"move": "1d"}, is_play=True,
                is_practice=is_practice,
            )  # fmt: skip

    run(scenario())


def test_a_restart_in_the_middle_of_every_decision_loses_nobody_time():
    driver = playing("b")
    for _ in range(12):
        if not driver.table.is_playing:
            break
        driver.passes(HOUR_S)
        left_before = left_s(driver)
        alive_ms = driver.now_ms
        driver.now_ms += 3 * DAY_S * 1000
        driver.table = driver.restarted()
        assert kinds(driver.does(r.GiveBackTime("", alive_ms)))[0] is f.TimeGivenBack
        assert left_before == left_s(driver)
        asked = driver.table.game.window.seats[0]
        driver.plays(driver.table.game.seats[asked].person)
    assert all(o.turns.missed == 0 and not o.is_away for o in driver.table.game.seats)
