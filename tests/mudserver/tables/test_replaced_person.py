"""Who becomes another person at a table, by registering or with a new name, goes on as if nothing
had happened."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.accounts.person import Person
from mudserver.messages import LocationMessage, Notice, ViewMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.codec import decode
from mudserver.tables.replaced_person import PeopleNow, missing
from mudserver.tables.texts import SUSPENDED
from tests.memory_journal import Disk
from tests.mudserver.tables.driver import Driver, seen, views, whole_game
from tests.mudserver.tables.world import World, run, texts
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP

ANNA = Person("p9", "Anna", is_guest=False)


def becomes_anna(driver: Driver, old: str = "b") -> None:
    driver.does(r.ReplacePerson(old, "p9", "Anna"))


def test_everybody_else_reads_it_and_the_game_goes_on_under_the_new_name():
    driver = Driver().sits("b")
    driver.does(r.Watch("c", "Cid"))
    driver.all_start()
    before = driver.table.game.view(1)
    record = driver.does(r.ReplacePerson("b", "p9", "Anna"))
    assert (f.PersonReplaced("b", "p9", "Anna"),) == record.facts
    assert ["Bob is now Anna."] == driver.said("a") == driver.said("c")
    assert [] == driver.said("p9") == driver.to("b")
    assert ("Ann", "Anna") == driver.table.game.names == views(driver.to("a"))[-1].names
    assert before == driver.table.game.view(1) and driver.table.seat_of("b") is None
    assert 1 == driver.table.seat_of("p9") and "p9" in driver.table.online
    (shown,) = driver.to("p9", ViewMessage)  # the own view, with the new name; nothing is "back"
    assert (1, "changed") == (shown.seat, shown.why)
    assert [] == driver.to("p9", LocationMessage) == driver.to("p9", Notice)
    whole_game(driver)
    assert seen(driver.table, "a", "p9", "c") == seen(driver.restarted(), "a", "p9", "c")


def test_the_same_happens_once_only():
    driver = Driver().starts("b")
    becomes_anna(driver)
    assert () == driver.does(r.ReplacePerson("b", "p9", "Anna")).facts
    assert () == driver.does(r.ReplacePerson("p9", "p9", "Anna")).facts
    assert () == driver.does(r.ReplacePerson("x", "p8", "Nobody")).facts
    driver.does(r.ReplacePerson("p9", "p9", "Anne"))
    assert ["Anna is now Anne."] == driver.said("a")


def test_ownership_readiness_and_what_was_invited_go_along():
    driver = Driver().sits("b")
    driver.does(r.SetOwner("a", "Bob"))
    driver.does(r.Invite("b", "d", "Dee"))
    driver.does(r.Start("b", b"s" * 32))
    becomes_anna(driver)
    table = driver.table
    assert ("p9", ["a", "p9"], {"p9"}) == (table.owner, table.seated, set(table.readiness.marks))
    assert "p9" == table.invitations["d"].by and "Anna" == table.person_name("p9")
    driver.does(r.ReplacePerson("d", "p8", "Delia"))
    assert ("p8", "Delia") == (table.invitations["p8"].person, table.invitations["p8"].name)
    driver.does(r.Start("a", b"s" * 32))
    assert table.is_playing and {"Ann", "Anna"} == set(table.game.names)


def test_a_guest_s_seat_is_an_account_s_then():
    driver = Driver()
    driver.does(r.Sit("b", "guest3", is_guest=True, source="192.0.2.1"))
    driver.all_start()
    becomes_anna(driver)
    assert [False, False] == [o.is_guest for o in driver.table.seats]
    assert driver.table.had_account and driver.restarted().had_account
    assert {"a", "p9"} == driver.table.sitters and not driver.table.guest_sources


def test_a_watcher_goes_on_watching():
    driver = Driver().starts("b")
    driver.does(r.Watch("c", "guest3"))
    becomes_anna(driver, "c")
    assert {"p9": "Anna"} == driver.table.watchers and ["guest3 is now Anna."] == driver.said("a")
    assert [] == driver.to("p9", LocationMessage)


def test_who_left_the_game_comes_back_under_the_new_name():
    driver = Driver(variant=MULTISTEP).starts("b", "c")
    driver.does(r.Leave("b"))
    becomes_anna(driver)
    assert 1 == driver.table.left_seat_of("p9") and driver.table.left_seat_of("b") is None
    assert 1 == driver.restarted().left_seat_of("p9")
    driver.does(r.Sit("p9", "Anna"))
    assert ("Ann", "Anna", "Cid") == driver.table.game.names


def test_a_new_name_shows_nothing_of_an_open_answer():
    """Whether Bob has answered in secret changes nothing of what the others are sent."""
    told = []
    for has_bid in (True, False):
        driver = Driver().starts("b")
        if has_bid:
            driver.plays("b")
        becomes_anna(driver)
        messages = driver.to("a")
        told.append([m for m in messages if not isinstance(m, ViewMessage)])
        told.append([(v.why, v.names, v.asked) for v in views(messages)])
    assert told[:2] == told[2:]


@pytest.mark.parametrize("present", [ANNA, Person("p9", "Annabel", is_guest=False)])
def test_a_start_finds_what_a_crash_has_left_and_writes_it_once(present):
    async def scenario():
        disk = Disk()
        world = World(disk)
        await world.started("ann", "bob")
        world = World(disk, present={"bob": present})
        world.person("p9")  # the account is here before the table knows
        await world.settles()
        first = world.table().game.names, world.tables.table_of("p9"), world.table().online
        people = PeopleNow({"bob": present, "p9": present}.get)
        left = missing(world.table(), people)
        count = len(world.journal.disk.read("table/1"))
        world = World(disk, present={"bob": present, "p9": present})
        await world.settles()
        again = [
            type(fact) for r in world.journal.disk.read("table/1")[count:] for fact in facts(r)
        ]
        return first, left, again, world.table().game.names, world.tables.table_of("bob")

    (names, where, online), left, again, later, old = run(scenario())
    assert names == later == ("Ann", present.name)
    assert 1 == where and "p9" in online and [] == left and old is None
    assert f.PersonReplaced not in again


def facts(stored):
    return decode(stored.sequence, stored.body, DUEL).facts


@pytest.mark.parametrize("keeps", [False, True])
def test_a_table_whose_journal_failed_writes_it_when_it_goes_on(keeps):
    async def scenario():
        world = World(retry_s=5.0)
        await world.started("ann", "bob")
        world.forget_messages()
        world.journal.fail(keeps=keeps)
        world.present["bob"] = ANNA
        world.person("p9")
        world.tables.replace_person("bob", ANNA)
        await world.settles()
        told = texts(world.received("ann"))
        await asyncio.sleep(6)
        written = [fact for r in world.journal.disk.read("table/1") for fact in facts(r)]
        table = world.table()
        return told, written, table.game.names, table.seat_of("p9"), world.tables.table_of("p9")

    told, written, names, seat, where = run(scenario())
    assert [SUSPENDED] == told and ("Ann", "Anna") == names and (1, 1) == (seat, where)
    assert 1 == written.count(f.PersonReplaced("bob", "p9", "Anna"))


def test_who_leaves_before_the_table_knows_is_offline_there():
    async def scenario():
        world = World()
        await world.started("ann", "bob")
        world.tables.replace_person("bob", ANNA)  # whose session has ended
        await world.settles()
        return world.table().online, world.table().offline_since_ms, world.tables.table_of("p9")

    online, offline, where = run(scenario())
    assert {"ann"} == online and ["p9"] == list(offline) and 1 == where


def test_a_person_who_is_just_sitting_down_is_followed():
    async def scenario():
        world = World()
        number = await world.opened("ann")
        world.person("bob")
        world.person("p9")
        world.tables.submit(number, r.Sit("bob", "Bob"))
        world.tables.replace_person("bob", ANNA)
        await world.settles()
        return world.table().seated, world.tables.table_of("p9"), world.tables.table_of("bob")

    assert (["ann", "p9"], 1, None) == run(scenario())
