"""How long tables that have closed are kept, and what goes when there is no room."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.journal.levels import PRUNED_FROM, PRUNED_UNTIL, URGENT
from mudserver.ops import retention
from mudserver.ops.retention import DAY_S, FIRST_S, HOUR_S, Retention
from tests.memory_journal import Disk, MemoryJournal
from tests.simulation import virtual

DAY_MS = 86_400_000
MIB = 1_048_576
CHECK_S = 300.0  # instead of five seconds: a month of those takes the loop five seconds


@pytest.fixture(autouse=True)
def fewer_checks(monkeypatch):
    monkeypatch.setattr(retention, "CHECK_S", CHECK_S)


class Years:
    """A journal with a retention on a virtual clock."""

    def __init__(self, alive_days_ago: int | None = None, **settings: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.clock = Clock(self.loop, 900 * DAY_MS)
        self.settings = schema.JournalConfig(size_mib_max=16, **settings)
        self.journal = MemoryJournal(self.clock.now_ms, Disk(), self.settings)
        alive_ms = self.clock.now_ms() - (alive_days_ago or 0) * DAY_MS
        self.retention = Retention(
            self.clock, self.journal, self.settings, None if alive_days_ago is None else alive_ms
        )
        self.task = asyncio.ensure_future(self.retention.run())

    async def table(self, number: int, worth: int, person: str = "", part: float = 0.01) -> None:
        """A table that closes now and uses so much of the room."""
        body = bytes(int(part * 16 * MIB / 16))
        for n in range(1, 17):
            await self.journal.append(f"table/{number}", n, body, closes=n == 16)
        await self.journal.rank(f"table/{number}", worth, person)

    def tables(self) -> list[int]:
        return [int(name.removeprefix("table/")) for name in self.journal.disk.streams("table/")]


def told(scenario: Coroutine[Any, Any, Any]) -> Any:
    return virtual.run(scenario)


@pytest.mark.parametrize(("away_days", "waits_s"), [(29, FIRST_S), (31, DAY_S)])
def test_nor_is_anything_else_removed_on_the_first_day_after_a_jump(away_days, waits_s):
    async def scenario() -> float:
        loop, swept = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()
        clock = Clock(loop, 900 * DAY_MS)
        settings = schema.JournalConfig(keep_days=0, keep_guest_days=0)

        async def sweep() -> None:
            swept.set_result(loop.time())

        alive_ms = clock.now_ms() - away_days * DAY_MS
        journal, begun_s = MemoryJournal(clock.now_ms), loop.time()
        kept = Retention(clock, journal, settings, alive_ms, sweep, lambda: (0, 30))
        task = asyncio.ensure_future(kept.run())
        took_s = await swept - begun_s
        task.cancel()
        return took_s

    assert waits_s <= told(scenario()) <= waits_s + CHECK_S


def test_tables_are_kept_by_their_worth_and_other_days_count_from_the_next_day_on():
    async def scenario() -> list[list[int]]:
        years, found = Years(keep_days=20, keep_guest_days=7), []
        for worth in (0, 1, 2):
            await years.table(worth + 1, worth)
        await years.table(9, 2)  # its number stays
        for days in (5, 3, 10):
            await asyncio.sleep(days * DAY_S)
            found.append(years.tables())
        years.retention.reconfigure(schema.JournalConfig(keep_days=15))
        await asyncio.sleep(DAY_S)
        return [*found, years.tables()]

    assert [[1, 2, 3, 9], [2, 3, 9], [2, 3, 9], [9]] == told(scenario())


@pytest.mark.parametrize(
    ("keep", "guests", "left"), [(0, 0, [1, 2, 9]), (0, 7, [2, 9]), (10, 0, [9]), (3, 7, [9])]
)
def test_no_number_of_days_is_for_ever_and_guests_never_outlast_the_others(keep, guests, left):
    async def scenario() -> list[int]:
        years = Years(keep_days=keep, keep_guest_days=guests)
        for number, worth in ((1, 0), (2, 2), (9, 2)):
            await years.table(number, worth)
        await asyncio.sleep(30 * DAY_S)
        return years.tables()

    assert left == told(scenario())


@pytest.mark.parametrize(("away_days", "wait_s"), [(6, FIRST_S), (8, DAY_S), (-300, FIRST_S)])
def test_a_clock_that_has_jumped_takes_nothing_out_on_its_first_day(away_days, wait_s):
    async def scenario() -> float:
        years = Years(away_days, keep_days=7)
        begun_s, pruned = years.loop.time(), years.loop.create_future()

        async def prune(what) -> None:
            pruned.set_result(years.loop.time() - begun_s)
            await asyncio.sleep(1_000)

        years.journal.prune = prune
        return await pruned

    assert wait_s == told(scenario())


def test_when_room_is_short_the_oldest_go_that_are_worth_least(caplog):
    async def scenario() -> tuple[list[int], float]:
        years = Years()
        for number in range(1, 9):
            await years.table(number, number % 2, part=0.101)  # odd ones had a person
            await asyncio.sleep(1)
        await asyncio.sleep(2 * CHECK_S)
        return years.tables(), years.journal.level()

    tables, level = told(scenario())
    assert [1, 3, 4, 5, 6, 7, 8] == tables
    assert level <= PRUNED_UNTIL
    assert "journal nearly full level=81% size_mib_max=16 removed_tables=1" in caplog.text


def test_below_the_urgent_level_a_weeks_and_a_months_games_are_kept():
    async def scenario() -> list[list[int]]:
        years, found = Years(), []
        for number, worth, days in ((1, 2, 25), (2, 2, 4), (3, 1, 4), (4, 1, 3), (5, 2, 0)):
            await years.table(number, worth, part=0.163)
            await asyncio.sleep(days * DAY_S)
            found.append(years.tables())
        assert PRUNED_FROM <= years.journal.level() < URGENT
        await asyncio.sleep(CHECK_S)
        return [years.tables()]

    # That of a month ago is older, and goes after those with one person that are a week old.
    assert [[1, 2, 4, 5]] == told(scenario())


def test_at_the_urgent_level_the_last_hour_is_kept_and_the_greediest_pay(caplog):
    async def scenario() -> tuple[list[int], float]:
        years = Years()
        for number, worth, person in (
            (1, 1, "p1"), (2, 1, "p2"), (3, 1, "p2"), (4, 1, "p2"), (5, 2, "p3"), (6, 2, "p3"),
        ):  # fmt: skip
            await years.table(number, worth, person, part=0.13)
        await asyncio.sleep(HOUR_S + 1)
        await years.table(7, 1, "p2", part=0.13)
        await asyncio.sleep(2 * CHECK_S)
        return years.tables(), years.journal.level()

    tables, level = told(scenario())
    assert [1, 3, 4, 5, 6, 7] == tables
    assert level < URGENT
    assert "journal.size_mib_max keeps games for 0 days only" in caplog.text


def test_what_is_short_of_room_costs_one_line_a_day(caplog):
    async def scenario() -> None:
        years = Years()
        for number in range(1, 60):  # three days
            await years.table(number, 0, part=0.05)
            await asyncio.sleep(DAY_S / 20)

    told(scenario())
    assert 3 == caplog.text.count("journal nearly full") == len(caplog.records)


def test_a_journal_that_cannot_be_written_is_tried_again(caplog):
    async def scenario() -> list[int]:
        years = Years(keep_days=7)
        await years.table(1, 2)
        await years.table(2, 2)
        years.journal.fail_always()
        await asyncio.sleep(10 * DAY_S)
        years.journal.fail_always(False)
        await asyncio.sleep(DAY_S)
        return years.tables()

    assert [2] == told(scenario())
    assert "retention failed err=" in caplog.text
