"""Requests in any order, at any time, with restarts between: what always holds at a table."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from mudserver.errors import UserError
from mudserver.tables import requests as r
from mudserver.tables.decide import wake_ms
from tests.mudserver.tables.driver import NAMES, Driver, seen
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP
from variants.contract import Refusal
from variants.elimination.game import ELIMINATION

GAMES = (DUEL, MULTISTEP, ELIMINATION)
LINES = ("draw", "step", "ask Bob", "fall", "pass", "next bob", "no play", "")


def before_a_game(rng: Random, who: str) -> r.Request:
    return rng.choice(
        [
            r.Sit(who, NAMES[who], has_autopass=rng.random() < 0.2),
            r.SetAutopass(who, rng.random() < 0.5),
            r.Watch(who, NAMES[who]),
            r.AddBot(who, rng.choice(["", "easy", "3"])),
            r.RemoveBot(who),
            r.Start(who, rng.randbytes(32)),
            r.Start(who, rng.randbytes(32)),
            r.Stand(who),
            r.Leave(who),
            r.Disconnect(who),
            r.Reconnect(who),
        ]
    )


def in_a_game(rng: Random, driver: Driver, who: str) -> r.Request:
    """Mostly what moves the game on; now and then anything."""
    game = driver.table.game
    assert game is not None and game.window is not None
    asked = [seat for seat in game.window.seats if game.may_act(seat)]  # nobody: it is paused
    if asked and rng.random() < 0.65:
        seat = rng.choice(asked)
        occupant, view = game.seats[seat], game.view(seat)
        passes = game.passes_itself(seat, game.window) and rng.random() < 0.5
        if occupant.is_decided_by_computer or passes:
            return r.ComputerPlay("", seat, game.window.key, None, rng.getrandbits(63))
        assert occupant.person is not None
        if occupant.person not in driver.table.online:
            return r.Reconnect(occupant.person)
        action = rng.choice(driver.variant.legal_actions(view))
        return r.Play(occupant.person, driver.variant.phrase(action, view, game.names))
    kinds: list[r.Request] = [
        r.Leave(who),
        r.Stand(who),
        r.OwnerTyped(who),
        r.Watch(who, NAMES[who]),
    ]
    kinds += [r.SetAutopass(who, True), r.SetAutopass(who, rng.random() < 0.5)]
    often: list[r.Request] = [r.Disconnect(who), r.Reconnect(who), r.Play(who, rng.choice(LINES))]
    return rng.choice([*kinds, *often, *often, *often])


def random_run(number: int) -> Counter[str]:
    """One table by seed; what happened there, by kind."""
    rng, happened = Random(number), Counter[str]()
    options = {
        "absence": rng.choice(["computer", "pause", "forfeit"]),
        "clocks": rng.choice(["on", "on", "off"]),
    }
    records_max = 40 if number % 5 == 0 else 20_000
    driver = Driver(options, variant=GAMES[number % len(GAMES)], records_max=records_max)
    for _ in range(120):
        table, who = driver.table, rng.choice("abcd")
        if table.is_closed:
            break
        if rng.random() < 0.1:
            driver.passes(rng.choice([5, 30, 61, 125, 700]))
        elif rng.random() < 0.03:
            since_ms = driver.now_ms - rng.choice([0, 5_000])
            driver.table, driver.now_ms = (
                driver.restarted(),
                driver.now_ms + rng.choice([1_000, 10**7]),
            )
            driver.does(r.GiveBackTime("", since_ms))
            happened["restart"] += 1
        elif rng.random() < 0.03:
            name = rng.choice([NAMES[who], f"{NAMES[who]}x"])
            record = driver.does(r.ReplacePerson(who, who, name))
            happened["renamed"] += bool(record.facts)
        else:
            playing = table.is_playing
            request = in_a_game(rng, driver, who) if playing else before_a_game(rng, who)
            try:
                driver.does(request)
                happened[type(request).__name__] += 1
            except UserError as refusal:
                assert str(refusal)
                happened["refused by the table"] += 1
            except Refusal as refusal:
                assert refusal.format([occupant.name for occupant in table.seats])
                happened["refused by the rules"] += 1
        what_always_holds(driver)
        happened["over"] += driver.table.phase == "over"
    happened["closed"] += driver.table.is_closed
    return happened


def what_always_holds(driver: Driver) -> None:
    table, again = driver.table, driver.restarted()
    assert seen(again, *NAMES) == seen(table, *NAMES)
    assert face(again) == face(table) and again.warnings_sent == table.warnings_sent
    names = [occupant.name.casefold() for occupant in table.seats]
    assert len(set(names)) == len(names)
    game = table.game
    if game is None or not table.is_playing:
        return
    assert game.window is not None
    assert any(occupant.person for occupant in game.seats)
    asked = [game.seats[seat] for seat in game.window.seats if game.may_act(seat)]
    is_waiting_for_somebody_here = any(occupant.person in table.online for occupant in asked)
    assert table.automatic_turns() or wake_ms(table) is not None or is_waiting_for_somebody_here


def face(table: Any) -> Any:
    game = table.game
    return game and (game.seats, game.clock, game.interrupted_left_ms, game.window, game.result)


@pytest.mark.parametrize("number", range(12))
def test_no_order_of_requests_breaks_a_table_or_stops_it_for_ever(number: int) -> None:
    assert random_run(number).total() > 0


@pytest.mark.prove
def test_no_order_of_requests_breaks_a_table_in_many_runs() -> None:
    happened = sum((random_run(number) for number in range(100, 400)), Counter[str]())
    print("\n300 random runs of a table:", dict(happened.most_common()))
    assert (
        min(
            happened[kind]
            for kind in ("restart", "renamed", "over", "closed", "SetAutopass", "ComputerPlay")
        )
        > 50
    )
