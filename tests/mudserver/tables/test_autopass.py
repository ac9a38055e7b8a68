"""A seat that passes by itself where no answer is a pass.  [G-12]"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mudserver.errors import UserError
from mudserver.messages import EventMessage, Notice, RefusalMessage, ViewMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import AUTOPASS_SET_MAX, decide
from mudserver.tables.missed_turns import TurnCount
from tests.mudserver.tables.driver import NAMES, Driver, marks, seen
from tests.mudserver.tables.world import World, run
from tests.toys.multistep.game import MULTISTEP, Answer

ON = r.SetAutopass("b", True)
LONG = {"clock.turn": "86400"}


def multistep(*others: str, **options: str) -> Driver:
    return Driver(options, variant=MULTISTEP).starts(*others or ("b", "c"))


def test_only_the_windows_that_do_not_count_are_answered():
    driver = multistep()
    driver.does(ON)
    assert driver.table.automatic_turns() == []
    driver.plays("a", "ask Bob")
    assert driver.table.automatic_turns() == [(1, "")]
    driver.computer_plays(1)
    driver.plays("a", "step")
    driver.plays("a", "step")
    assert driver.table.game.window.seats == (1,)
    assert driver.table.automatic_turns() == []


def test_it_is_the_default_in_its_own_name_whatever_came_instead():
    driver = multistep()
    driver.does(ON)
    driver.plays("a", "ask Bob")
    record = driver.does(r.ComputerPlay("", 1, driver.window, "no action at all", 5))
    (played, _) = record.facts
    assert (played.seat, played.by, played.action) == (1, "autopass", Answer())


def test_only_its_owner_hears_that_nobody_typed_it():
    driver = multistep()
    driver.does(ON)
    driver.plays("a", "ask Bob")
    driver.computer_plays(1)
    assert [["autopass"], [""]] == [marks(driver.to(who, EventMessage)) for who in ("b", "a")]


def test_nobody_else_receives_anything_when_it_is_set_or_ended():
    driver = multistep()
    before = seen(driver.table, "a", "c", "nobody")
    for is_on, words in ((True, "Auto-pass is on"), (False, "Auto-pass is off")):
        driver.does(r.SetAutopass("b", is_on))
        assert [("b", Notice)] == [(to, type(letter)) for to, letter in driver.deliveries]
        assert driver.to("b")[0].text.startswith(words)
    driver.does(ON)
    assert before == seen(driver.table, "a", "c", "nobody")


def test_what_others_are_shown_of_a_question_is_the_same_with_it_and_without():
    deliveries = []
    for is_on in (True, False):
        driver = multistep()
        driver.does(r.SetAutopass("b", is_on))
        driver.plays("a", "ask Bob")
        deliveries.append([one for one in driver.deliveries if one[0] != "b"])
        assert [is_on] == [shown.passes_itself for shown in driver.to("b", ViewMessage)]
    assert deliveries[0] == deliveries[1]


def test_in_one_game_a_seat_takes_so_many_words_and_no_more():
    """Each is a record, and with the last of its records a table ends the game of all."""
    driver = multistep()
    for _ in range(AUTOPASS_SET_MAX):
        driver.does(ON)
    with pytest.raises(UserError, match=r"it stays on\. When the game is over: autopass on,"):
        driver.does(r.SetAutopass("b", False))
    driver.does(r.SetAutopass("c", True))
    with pytest.raises(UserError, match="has done so"):
        decide(driver.restarted(), ON, driver.now_ms)


def test_it_outlives_the_server_and_the_game():
    driver = multistep()
    driver.does(ON)
    driver.plays("a", "ask Bob")
    driver.table = driver.restarted()
    assert driver.table.automatic_turns() == [(1, "")]
    driver.computer_plays(1)
    driver.plays("a", "fall")
    driver.plays("b", "fall")
    driver.all_start(bytes(32))
    assert [True, False, False] == [o.has_autopass for o in driver.table.game.seats]
    assert driver.table.game.names[0] == "Bob"  # the seats have moved on by one


def test_it_ends_with_the_seat_and_comes_along_to_the_next():
    driver = multistep("b")
    driver.does(ON)
    driver.does(r.Leave("b"))
    driver.plays("a", "ask Vera")
    assert driver.table.automatic_turns() == [(1, "hard")]
    again = Driver(variant=MULTISTEP)
    again.does(r.Sit("b", NAMES["b"], has_autopass=True))
    assert [False, True] == [o.has_autopass for o in again.table.seats]
    again.does(r.Stand("b"))
    again.sits("b")
    assert [False, False] == [o.has_autopass for o in again.table.seats]


def test_who_is_away_is_decided_for_by_a_computer_player_there_too():
    driver = multistep("b")  # [G-09]
    driver.does(ON)
    driver.does(r.Disconnect("b"))
    driver.passes(120)
    assert driver.table.is_away("b")
    while driver.window != "turn 3":
        driver.passes(60)
    driver.plays("a", "ask Bob")
    assert driver.table.automatic_turns() == [(1, "hard")]
    assert driver.computer_plays(1).facts[0].by == "away"


def test_it_neither_counts_as_a_time_out_nor_ends_their_row():
    driver = multistep("b", **LONG)
    driver.does(ON)
    for turns in (TurnCount(), TurnCount(missed=1, late_in="turn 1")):
        driver.table.game._change(1, turns=turns)
        driver.plays("a", "ask Bob")
        driver.computer_plays(1)
        assert driver.table.game.seats[1].turns == turns


def test_no_clock_waits_for_somebody_whose_seat_passes_by_itself():
    driver = multistep("b", absence="pause")
    driver.does(ON)
    driver.does(r.Disconnect("b"))
    asked = driver.plays("a", "ask Bob").facts[-1]
    assert asked == f.Asked("turn 1 question 1", 1_025_000, holds="turn 1", left_ms=60_000)
    driver.does(r.SetAutopass("a", True))
    assert driver.table.automatic_turns() == [(1, "")]


def test_who_has_no_seat_has_nothing_that_passes():
    driver = multistep()
    driver.does(r.Watch("d", "Dee"))
    with pytest.raises(UserError, match="You have no seat at table 7"):
        driver.does(r.SetAutopass("d", True))


# -- on a clock ----------------------------------------------------------------------------------


async def delays_s(bots: int, count: int = 40) -> list[float]:
    """How long seat 1 takes for each answer: Bob's with autopass, or a computer player's."""
    world = World(variant=MULTISTEP)
    table = await world.started("a", *([] if bots else ["b"]), bots=bots, **LONG)
    if not bots:
        world.tables.submit(1, ON)
    loop, found = asyncio.get_running_loop(), []
    for number in range(1, count + 1):
        world.plays("a", f"ask {table.game.names[1]}")
        await world.settles()
        assert table.game.window.key == f"turn 1 question {number}"
        asked_s = loop.time()
        while table.game.window.key != "turn 1":  # noqa: ASYNC110 - a table sets no event
            await asyncio.sleep(0.005)
        found.append(round(loop.time() - asked_s, 2))
    assert {play.by for play in table.game.plays[1:] if play.seat == 1} == {
        "computer" if bots else "autopass"
    }
    return found


def test_it_takes_as_long_as_a_computer_player():
    passing, thinking = run(delays_s(0)), run(delays_s(1))
    assert passing == thinking  # [G-12] drawn in the same way from the same source
    assert 0.8 <= min(passing) < 1.2 < 2.1 < max(passing) <= 2.51


def test_whoever_types_first_has_answered():
    async def driver() -> list[Any]:
        world = World(variant=MULTISTEP)
        table = await world.started("a", "b", **LONG)
        world.tables.submit(1, ON)
        world.plays("a", "ask B")
        await asyncio.sleep(0.5)
        world.plays("b", "answer")
        await asyncio.sleep(10)
        assert [] == world.received("b", RefusalMessage)
        return [(play.seat, play.by) for play in table.game.plays[1:]]

    assert run(driver()) == [(0, "person"), (1, "person")]


def test_to_end_it_in_an_open_window_is_to_be_waited_for():
    async def driver() -> tuple[str, str]:
        world = World(variant=MULTISTEP)
        table = await world.started("a", "b", **LONG)
        world.tables.submit(1, ON)
        world.plays("a", "ask B")
        await asyncio.sleep(0.5)
        world.tables.submit(1, r.SetAutopass("b", False))
        await asyncio.sleep(20)
        waiting = table.game.window.key
        world.tables.submit(1, ON)
        await asyncio.sleep(3)
        return waiting, table.game.window.key

    assert run(driver()) == ("turn 1 question 1", "turn 1")
