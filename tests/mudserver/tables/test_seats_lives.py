"""Random lives of a table before and between its games: what always holds, and that it goes on."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from mudserver.errors import UserError
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.table import Table
from mudserver.tables.waiting import is_due
from tests.counts import count
from tests.mudserver.tables.driver import NAMES, SEED, Driver
from tests.toys.multistep.game import MULTISTEP
from variants.contract import Refusal

ACTS, LIVES = 60, count(10_000, 2_000)
CODE = "k7w2m9px"


def an_act(rng: Random, who: str) -> r.Request:
    other = rng.choice("abcd")
    return rng.choice(
        [
            *[r.Sit(who, NAMES[who], is_guest=who == "d", code=rng.choice(["", CODE]))] * 4,
            *[r.Start(who, SEED)] * 6,
            r.Unready(who),
            r.Leave(who),
            r.Stand(who),
            r.AddBot(who),
            r.RemoveBot(who),
            r.Configure(who, rng.choice([{"pace": "brisk"}, {"who": "invited"}, {"code": "on"},
                                         {"who": "anyone", "code": "off"}]), new_code=CODE),
            r.Unseat(who, NAMES[other], new_code=CODE),
            r.SetOwner(who, NAMES[other]),
            r.Invite(who, other, NAMES[other]),
            r.Decline(who),
            *[r.Disconnect(who), r.Reconnect(who)] * 2,
        ]
    )  # fmt: skip


def new_table(rng: Random) -> Driver:
    """One that somebody has opened, or that `play` has."""
    driver = Driver(variant=MULTISTEP)
    if rng.random() < 0.5:
        driver.table, driver.bodies = Table(7, MULTISTEP, driver.settings), []
        fill = rng.choice(["easy", "off"])
        driver.does(r.Open("a", "Ann", {"fill": fill}, is_play=True))
    return driver


def check_start(before: tuple[set[str], set[str], set[str], bool], request: r.Request) -> None:
    """Everybody who sat there had agreed and was connected, or stayed during the countdown."""
    seated, marks, online, is_by_itself = before
    if is_by_itself and isinstance(request, r.Tick):
        return
    agreed = marks | {request.person}
    assert seated <= agreed and seated <= online | {request.person}, (before, request)


def does(driver: Driver, request: r.Request) -> bool:
    """Settle *request*; whether a game started."""
    table = driver.table
    by_itself = is_due(table, driver.now_ms)
    before = (set(table.seated), set(table.readiness.marks), set(table.online), by_itself)
    record = driver.does(request)
    is_start = any(isinstance(fact, f.Started) for fact in record.facts)
    if is_start:
        check_start(before, request)
    return is_start


def what_always_holds(driver: Driver) -> None:
    table = driver.table
    if table.is_closed:
        return
    people = [o.person for o in table.roster if o.person is not None]
    assert sorted(people) == sorted(table.seated)
    assert len(set(people)) == len(people)
    assert table.owner in people or not people
    assert set(table.readiness.marks) <= set(people)
    assert not (table.is_playing and table.readiness.marks)
    again = driver.restarted()
    assert (again.owner, again.seated, again.options) == (table.owner, table.seated, table.options)
    assert again.readiness.marks == table.readiness.marks


def a_life(number: int) -> Counter[str]:
    rng, happened = Random(number), Counter[str]()
    driver = new_table(rng)
    for _ in range(ACTS):
        if driver.table.is_closed:
            break
        chance = rng.random()
        if chance < 0.05:
            driver.table = driver.restarted()
            driver.does(r.GiveBackTime("", driver.now_ms))
        elif chance < 0.2 or driver.table.is_playing:
            driver.passes(rng.choice([1, 5, 20, 61, 130]))
        else:
            try:
                happened["started"] += does(driver, an_act(rng, rng.choice("abcd")))
            except (UserError, Refusal):
                happened["refused"] += 1
        what_always_holds(driver)
    happened["closed"] += driver.table.is_closed
    happened["stuck"] += not goes_on(driver, rng.choice("abcd"))
    return happened


def goes_on(driver: Driver, gone: str) -> bool:
    """Whether a game starts or ends, or the table closes, within an hour without *gone*."""
    if not driver.table.is_closed:
        driver.does(r.Disconnect(gone))
    for _ in range(120):
        table = driver.table
        if table.is_closed or table.is_playing or not table.seated:
            return True
        for person in [p for p in table.seated if p != gone]:
            if person == table.owner and len(table.roster) < 2:
                driver.does(r.AddBot(person))
            try:
                driver.does(r.Start(person, SEED))
            except UserError as refusal:
                assert str(refusal)  # ready already
            if table.is_playing:
                break
        driver.passes(30)
    return False


@pytest.mark.parametrize("number", range(25))
def test_no_life_starts_a_game_without_everybody_or_gets_stuck(number: int) -> None:
    assert a_life(number)["stuck"] == 0


@pytest.mark.prove
def test_no_life_of_many_starts_a_game_without_everybody_or_gets_stuck() -> None:
    happened = sum((a_life(number) for number in range(LIVES)), Counter[str]())
    print(f"\n{LIVES} random lives of a waiting table:", dict(happened.most_common()))
    assert happened["stuck"] == 0 and happened["started"] > LIVES // 10
