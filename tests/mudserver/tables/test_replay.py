"""How much one table may keep, and that folding all of it keeps nobody waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from mudserver.journal import StoredRecord
from mudserver.messages import Announcement, LocationMessage, RefusalMessage
from mudserver.tables import notifications, replay
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import wake_ms
from mudserver.tables.table import Table
from tests.live import live_table
from tests.memory_journal import Disk
from tests.mudserver.tables.driver import SEED, Driver
from tests.mudserver.tables.world import World, run, texts

ENDS = (
    "Table 7 has no room for more moves and is closed; the game ends without a result. "
    "To play at another one: open duel"
)

LOST = "Bob lost the connection. The others can go on; a computer player takes over in 2 min."


def toggled(driver: Driver, times: int) -> None:
    """Records that nobody else hears of."""
    for n in range(times):
        driver.does(r.SetAutopass("ab"[n % 2], is_on=not n % 3))


def test_from_half_of_its_records_on_a_table_begins_no_further_game():
    driver = Driver(records_max=10).sits("b")
    toggled(driver, 4 - driver.table.sequence)
    driver.does(r.Start("b", SEED))
    driver.does(r.Start("a", SEED))
    (refused,) = driver.to("a", RefusalMessage)
    assert refused.text.endswith("room for another game. To play at another one: open duel")
    driver.table.config = Driver(records_max=20).settings
    driver.all_start()
    assert driver.table.is_playing


def test_a_table_that_has_all_its_records_closes_without_a_result():
    driver = Driver(records_max=40)
    driver.starts("b")
    toggled(driver, 39 - driver.table.sequence)
    assert wake_ms(driver.table) != 0
    toggled(driver, 1)
    assert 0 == wake_ms(driver.table)
    record = driver.does(r.Tick(""))
    assert (f.Closed("full"),) == record.facts
    assert [ENDS] == driver.said("a") == driver.said("b")
    assert [LocationMessage(None)] == driver.to("b", LocationMessage)
    assert driver.table.is_closed and driver.restarted().is_closed


def test_a_table_between_games_closes_too():
    driver = Driver(records_max=4).sits("b")
    toggled(driver, 2)
    driver.does(r.Tick(""))
    sentence = "Table 7 has no room for more moves and is closed. To play at another one: open duel"
    assert [sentence] == driver.said("a")


def somebody_plays(driver: Driver) -> None:
    game = driver.table.game
    assert game is not None and game.window is not None
    driver.plays("ab"[next(seat for seat in game.window.seats if game.may_act(seat))])


def warnings(driver: Driver) -> list[str]:
    return [text for text in driver.said("a") if text.startswith("This table has little room")]


def test_people_are_told_before_and_only_at_a_play():
    driver = Driver(records_max=40)
    driver.starts("b")
    toggled(driver, 29 - driver.table.sequence)
    assert [] == warnings(driver)
    toggled(driver, 1)
    assert [] == warnings(driver), "that something private was written is nobody's news"
    somebody_plays(driver)
    sentence = (
        "This table has little room left. After some 9 more moves it closes, "
        "and a game that is not over ends without a result."
    )
    assert [sentence] == warnings(driver)
    somebody_plays(driver)
    assert [] == warnings(driver), "once for each step"
    toggled(driver, 37 - driver.table.sequence)
    somebody_plays(driver)
    assert ["some 2 more moves" in text for text in warnings(driver)] == [True]


@pytest.mark.parametrize(
    ("left", "some"), [(5_000, "5,000"), (4_987, "5,000"), (937, "1,000"), (99, "100"), (0, "1")]
)
def test_how_much_room_is_left_is_said_roughly(left, some):
    """What is private is written too, and nobody is to count it."""
    driver = Driver()
    driver.table.config = Driver(records_max=driver.table.sequence + left).settings
    assert f"After some {some} more moves it closes" in notifications.records_warning(driver.table)


def test_a_hall_closes_a_full_table_at_once_and_its_people_go_on_elsewhere():
    async def driver() -> None:
        world = World(records_max=30)
        table = await world.started("ann", "bob")
        for n in range(30 - table.sequence):
            world.tables.submit(1, r.SetAutopass(("ann", "bob")[n % 2], is_on=True))
        await world.settles()
        await asyncio.sleep(0.1)
        assert live_table(world.tables, 1) is None
        assert any("is closed; the game ends" in text for text in texts(world.received("ann")))
        assert 2 == await world.opened("ann")

    run(driver())


def test_a_table_that_is_full_when_the_server_opens_is_closed_and_says_so():
    """The limit is a smaller one now; who has a seat hears why it is gone."""

    async def before(disk: Disk) -> None:
        await World(disk).started("ann", "bob")

    async def after(disk: Disk) -> None:
        world = World(disk, records_max=3)
        world.person("ann")
        await asyncio.sleep(0.1)
        assert any(
            "ends without a result" in text for text in texts(world.received("ann", Announcement))
        )
        assert {"table/1"} == disk.closed

    disk = Disk()
    run(before(disk))
    run(after(disk))


def test_a_table_goes_on_after_a_failure_in_pieces_and_hears_what_is_said_meanwhile(monkeypatch):
    steps = 0
    fold = replay.replay_in_steps

    def counted(table: Table, stored: object) -> Iterator[None]:
        nonlocal steps
        for _ in fold(table, stored):
            steps += 1
            world.tables.on_disconnect("bob")  # while it is folded
            yield

    async def driver() -> None:
        nonlocal world
        world = World()
        table = await world.started("ann", "bob")
        world.journal.fail()
        world.plays("ann")
        await world.settles()
        world.forget_messages()
        await asyncio.sleep(6)
        assert steps >= table.sequence > 1
        assert table is not world.table() and table.game.plays == world.table().game.plays
        assert {"ann"} == world.table().online
        assert LOST in texts(world.received("ann"))
        world.plays("ann")
        await world.settles()
        assert [] == world.received("ann", RefusalMessage)

    world: World = None  # type: ignore[assignment]
    monkeypatch.setattr(replay, "RECORDS_PER_STEP", 1)
    monkeypatch.setattr("mudserver.tables.runner.replay_in_steps", counted)
    run(driver())


def test_after_folding_nothing_of_a_long_game_is_left_to_be_heard(monkeypatch):
    """The first view after a restart would redact all of its plays in one go."""
    monkeypatch.setattr(replay, "RECORDS_PER_STEP", 1)
    driver = Driver()
    driver.starts("b")
    driver.plays("a")
    table = Table(7, driver.variant, driver.settings)
    stored = [StoredRecord(n, 0, body) for n, body in enumerate(driver.bodies, 1)]
    for _ in replay.replay_in_steps(table, stored):
        pass
    game = table.game
    assert game is not None
    heard = {reader: len(plays) for reader, plays in game._known.items()}
    assert dict.fromkeys((None, 0, 1), len(game.plays)) == heard
