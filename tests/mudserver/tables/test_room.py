"""What a table leaves in the journal: how much of it, and what it is worth once it has closed."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.errors import UserError
from mudserver.messages import RefusalMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import wake_ms
from mudserver.tables.table import PLAY_BYTES
from tests.live import live_table
from tests.memory_journal import Disk
from tests.mudserver.tables.driver import Driver
from tests.mudserver.tables.world import World, run, texts

GUESTS_LEVEL, TABLES_LEVEL, GAMES_LEVEL = 0.9, 0.95, 1.0


# -- worth -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host_is_guest", "others", "worth"),
    [
        (True, [], 0),
        (True, [True, True], 0),
        (True, [False], 2),
        (False, [], 1),
        (False, [True], 2),
        (False, [False, False, True], 2),
    ],
)
def test_a_table_is_worth_what_people_had_a_seat_there(host_is_guest, others, worth):
    async def scenario():
        world = World()
        host = world.person("ann", host_is_guest)
        number = world.tables.open_table(host, "duel", {"seats": "3"})
        await world.settles()
        for name, is_guest in zip(("bob", "cid", "dee"), others, strict=False):
            world.person(name, is_guest)
            world.tables.submit(number, r.Sit(name, name.capitalize(), is_guest))
            world.tables.submit(number, r.Stand(name))
        for name in ("eve",):  # who only watches is no sitter
            world.person(name)
            world.tables.submit(number, r.Watch(name, name.capitalize()))
        await world.settles()
        for name in ("ann", "eve"):
            world.tables.submit(number, r.Stand(name))
        await asyncio.sleep(200)
        assert live_table(world.tables, number) is None
        return world.journal.disk.ranks

    assert {"table/1": (worth, "ann")} == run(scenario())


def test_a_table_remembers_after_a_restart_who_sat_there():
    driver = Driver().sits("b")
    driver.does(r.Stand("b"))
    assert 2 == driver.table.worth == driver.restarted().worth


def test_a_table_that_cannot_be_ranked_closes_all_the_same(caplog):
    async def scenario():
        world = World()
        await world.opened("ann")
        journal, rank = world.journal, world.journal.rank

        async def failing(*what):
            journal.fail_always()
            try:
                await rank(*what)
            finally:
                journal.fail_always(False)

        journal.rank = failing
        world.tables.submit(1, r.Stand("ann"))
        await asyncio.sleep(200)
        return live_table(world.tables, 1), journal.disk.closed, journal.disk.ranks

    assert (None, {"table/1"}, {}) == run(scenario())
    assert "table not ranked table=1 err=told to fail" in caplog.text


# -- bytes -------------------------------------------------------------------------------------


def test_bytes_bound_a_table_as_its_records_do():
    driver = Driver().starts("b")
    driver.does(r.SetAutopass("a", is_on=True))
    table = driver.table
    for part, is_full, is_too_full in ((2.2, False, False), (1.9, False, True), (1.0, True, True)):
        table.bytes, table.bytes_max = 100_000, int(100_000 * part)
        assert (is_full, is_too_full) == (table.is_full, table.is_too_full_for_game)
    assert 0 == wake_ms(table)
    assert (f.Closed("full"),) == driver.does(r.Tick("")).facts


def test_no_game_begins_where_half_of_the_bytes_are_used():
    driver = Driver().sits("b")
    driver.table.bytes, driver.table.bytes_max = 60_000, 100_000
    with pytest.raises(UserError, match="has no room for another game"):
        driver.all_start()


def test_the_warning_counts_the_plays_that_still_fit():
    driver = Driver().starts("b")
    table = driver.table
    table.bytes_max = 1_000 * PLAY_BYTES
    for left, warnings in ((251, 0), (250, 1), (50, 2), (5, 3)):
        table.bytes = table.bytes_max - left * PLAY_BYTES
        assert (left, warnings) == (table.plays_left, table.warnings_due)


def test_a_table_knows_its_bytes_after_appends_and_after_a_restart():
    async def scenario(disk: Disk, starts: bool) -> tuple[int, int]:
        world = World(disk)
        if starts:
            await world.started("ann", "bob")
        else:
            await asyncio.sleep(1)
        found = world.table().bytes
        await world.tables.close()
        return found, sum(len(record.body) for record in disk.records["table/1"])

    disk = Disk()
    for starts in (True, False):
        known, written = run(scenario(disk, starts))
        assert known == written > 500


# -- the level of the journal ------------------------------------------------------------------


def test_near_its_limit_guests_open_no_tables_and_then_nobody_does():
    async def scenario() -> list[list[str]]:
        world = World()
        guest, ann = world.person("gus", is_guest=True), world.person("ann")
        answers = []
        for level in (0.0, GUESTS_LEVEL - 0.01, GUESTS_LEVEL, TABLES_LEVEL - 0.01, TABLES_LEVEL):
            world.journal.level = lambda level=level: level
            answers.append([])
            for person in (guest, ann):
                try:
                    number = world.tables.open_table(person, "duel", {})
                    await world.settles()
                    world.tables.submit(number, r.Stand(person.id))
                    await asyncio.sleep(200)
                    answers[-1].append("opened")
                except UserError as exc:
                    answers[-1].append(str(exc))
        return answers

    few = "Only registered players can open tables right now."
    full = (
        "The server has no room for another game right now; running games go on. "
        "Please tell the server owner."
    )
    opened = "opened"
    assert [[opened] * 2, [opened] * 2, [few, opened], [few, opened], [full, full]] == run(
        scenario()
    )


@pytest.mark.parametrize(("level", "starts"), [(0.99, True), (GAMES_LEVEL, False)])
def test_a_further_game_at_an_open_table_begins_until_the_journal_is_full(level, starts):
    async def scenario() -> tuple[bool, list[str]]:
        world = World()
        await world.opened("ann", "bob")
        world.tables.submit(1, r.Start("bob"))
        await world.settles()
        world.journal.level = lambda: level
        world.tables.submit(1, r.Start("ann"))
        await world.settles()
        return world.table().is_playing, texts(world.received("ann", RefusalMessage))

    is_playing, refusals = run(scenario())
    assert (starts, not starts) == (is_playing, bool(refusals))
