"""Tables of the previous run that take longer to replay than a start may take."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from types import SimpleNamespace

import pytest

from mudserver.errors import JournalConflictError, JournalWriteError
from mudserver.journal import Claim, StoredRecord
from mudserver.journal.interface import TakenTable
from mudserver.tables import replay, restore
from mudserver.tables import requests as r
from mudserver.tables.restore import RETRY_S, SETTLE_S, TAKE_OVER_S, TableRestorer
from mudserver.tables.starts import KEPT
from mudserver.tables.table import Table
from tests.live import live_table
from tests.memory_journal import Disk, MemoryJournal
from tests.mudserver.tables.world import START_MS, World
from tests.simulation.virtual import run
from tests.toys.multistep.game import MULTISTEP


async def none_parked(alive_ms: object) -> None:
    """No table of this journal is."""


async def test_a_table_begun_before_the_listeners_open_is_finished_later(monkeypatch):
    clock, steps = SimpleNamespace(now_s=0.0), []
    clock.monotonic = lambda: clock.now_s

    def replay_slowly(table: SimpleNamespace, stored: object) -> Iterator[None]:
        for n in range(3):
            clock.now_s += 1.0
            steps.append(f"{table.number}.{n}")
            yield

    monkeypatch.setattr(restore, "fold_in_steps", replay_slowly)
    monkeypatch.setattr(
        restore, "know_in_steps", lambda table: steps.append(f"{table.number}.known") or ()
    )
    disk = Disk({f"table/{number}": [StoredRecord(1, 0, b"")] for number in (1, 2)})
    restoring = TableRestorer(
        MemoryJournal(disk=disk), clock,
        lambda number, first: SimpleNamespace(number=number, sequence=0, is_closed=False),
        lambda table: steps.append(f"{table.number}.up"),
        none_parked,
        lambda number: False,
    )  # fmt: skip
    await restoring.start(within_s=1.5)
    assert (["1.0", "1.1"], 2) == (steps, restoring.pending_count())
    for _ in range(20):
        await asyncio.sleep(0)
    assert 0 == restoring.pending_count()
    restored = ["1.0", "1.1", "1.2", "1.up", "2.0", "2.1", "2.2", "2.up"]
    assert [*restored, "1.known", "2.known"] == steps


def test_what_was_folded_before_is_restored_from_what_is_newer():
    async def before(disk: Disk) -> None:
        await World(disk).opened("ann", "bob")

    async def driver(disk: Disk) -> None:
        records = disk.records["table/1"]
        world, asked = World(), []
        world.journal.disk.records["table/1"] = records[:1]
        await world.tables.restorer.fold()
        assert live_table(world.tables, 1) is None
        world.journal.disk.records["table/1"] = records
        read = world.journal.read
        world.journal.read = lambda stream, after=0: asked.append(after) or read(stream, after)
        await world.tables.restore()
        assert ([1], 2) == (asked, live_table(world.tables, 1).sequence)

    disk = Disk()
    run(before(disk))
    run(driver(disk))


def test_a_table_of_many_records_is_folded_a_piece_a_turn(monkeypatch):
    monkeypatch.setattr(replay, "RECORDS_PER_STEP", 1)

    async def before(disk: Disk) -> None:
        world = World(disk)
        await world.opened("ann")

    async def driver(disk: Disk) -> None:
        world, turns = World(disk, within_s=0.0), 0
        while world.tables.restorer.pending_count():
            await asyncio.sleep(0)
            turns += 1
            assert bool(live_table(world.tables, 1)) == (not world.tables.restorer.pending_count())
        assert turns > len(disk.records["table/1"]) >= 1

    disk = Disk()
    run(before(disk))
    run(driver(disk))


def test_a_start_that_dies_before_it_has_restored_all_forgets_no_outage():
    """Its heartbeats are newer than the outage; the clocks that it has not seen are not."""

    async def before(disk: Disk) -> int:
        world = World(disk)
        table = await world.started("ann", "bob", move="1d")
        disk.alive_ms = world.clock.now_ms()
        assert table.deadline_ms is not None
        return table.deadline_ms - world.clock.now_ms()

    async def dies_at_once(disk: Disk, wall_ms: int) -> None:
        world = World(disk, wall_ms=wall_ms, within_s=0.0)
        assert 1 == world.tables.restorer.pending_count()
        disk.alive_ms = wall_ms + 4_000
        await world.tables.restorer.close()

    async def again(disk: Disk, wall_ms: int) -> int:
        world = World(disk, wall_ms=wall_ms)
        await world.settles()
        disk.alive_ms = world.clock.now_ms()
        deadline_ms = world.table().deadline_ms
        assert deadline_ms is not None
        return deadline_ms - world.clock.now_ms()

    disk = Disk()
    left_ms, at_ms = run(before(disk)), START_MS
    for _ in range(3):
        at_ms += 200_000
        run(dies_at_once(disk, at_ms))
    assert left_ms == run(again(disk, at_ms + 10_000))
    assert left_ms == run(again(disk, at_ms + 500_000))  # and what was restored lost no more
    for _ in range(2 * KEPT):
        at_ms += 1_000_000
        run(again(disk, at_ms))
    rows = disk.index.execute("select count(*) from mark where name like 'start %'")
    assert [(2 * KEPT,)] == rows.fetchall()


@pytest.mark.parametrize("back_s", [10, 300, 86_400])
def test_starts_before_the_clock_was_set_back_do_not_count(back_s):
    async def lives(disk: Disk, wall_ms: int) -> tuple[int | None, list[int | None]]:
        world, found_ms = World(disk, wall_ms=wall_ms, within_s=None), list[int | None]()
        world.tables.on_restored = lambda number, alive_ms: found_ms.append(alive_ms)
        await world.tables.restore()
        await world.settles()
        disk.alive_ms = wall_ms + 100_000
        return world.journal.last_alive_ms, found_ms

    disk, wall_ms = Disk(), 10 * START_MS + back_s * 1_000
    run(_plays_at_a_table(disk))
    for later_s in (0, 200, 200 - back_s, 200, 200):
        wall_ms += later_s * 1_000
        was_alive_ms, found_ms = run(lives(disk, wall_ms))
        assert [was_alive_ms] == found_ms, later_s


async def _plays_at_a_table(disk: Disk) -> None:
    """What the server did that is gone: ann and bob play at its table 1."""
    await World(disk).started("ann", "bob")


def takes_over(world: World, disk: Disk) -> None:
    """In the next round *world* is given table 1 of *disk*, as table 77."""

    async def take_tables(is_known: Callable[[str], bool]) -> AsyncIterator[list[TakenTable]]:
        world.journal.disk.records["table/77"] = disk.records["table/1"]
        yield [TakenTable("table/77", START_MS)]

    world.journal.take_tables = take_tables


def test_tables_of_a_server_that_is_gone_are_restored_with_the_time_since_it_was_alive():
    async def before(disk: Disk) -> int:
        table = await World(disk).started("ann", "bob")
        assert table.deadline_ms is not None
        return table.deadline_ms

    async def driver(disk: Disk, deadline_ms: int) -> None:
        world = World(wall_ms=START_MS + 60_000)
        for person in ("ann", "cid"):  # ann has come here meanwhile, bob has not
            world.person(person)
        await world.opened("cid")
        own, known = world.tables.table_of("cid"), list[tuple[bool, bool]]()
        stream, records = "table/77", disk.records["table/1"]

        async def take_tables(is_known: Callable[[str], bool]) -> AsyncIterator[list[TakenTable]]:
            world.journal.disk.records[stream] = records
            known.append((is_known(f"table/{own}"), is_known(stream)))
            yield [TakenTable(stream, START_MS)]
            known.append((is_known(f"table/{own}"), is_known(stream)))

        world.journal.take_tables = take_tables
        await world.tables.restorer.take_over_forever()
        assert [(True, False), (True, True)] == known  # while it is restored, and after that
        await world.settles()
        assert world.tables.restorer._is_known(stream)
        table = live_table(world.tables, 77)
        assert table is not None and 0 == world.tables.restorer.pending_count()
        assert table.deadline_ms == deadline_ms + 60_000
        assert (own, 77, 77) == tuple(map(world.tables.table_of, ("cid", "ann", "bob")))
        assert table.online == {"ann"}

    disk = Disk()
    run(driver(disk, run(before(disk))))


def test_who_sits_elsewhere_by_then_stays_there():
    async def driver(disk: Disk) -> None:
        world = World()
        own = await world.opened("ann")
        takes_over(world, disk)
        await world.tables.restorer.take_over_forever()
        await world.settles()
        assert (own, 77) == tuple(map(world.tables.table_of, ("ann", "bob")))
        table = live_table(world.tables, 77)
        assert table is not None and not table.online
        world.tables.submit(own, r.Leave("ann"))  # what has begun elsewhere ends
        await world.settles()
        assert 77 == world.tables.table_of("ann") and table.online == {"ann"}

    disk = Disk()
    run(_plays_at_a_table(disk))
    run(driver(disk))


def test_who_sits_elsewhere_by_then_goes_to_the_seat_when_asking_for_it():
    async def driver(disk: Disk) -> None:
        world = World()
        own = await world.opened("ann")
        takes_over(world, disk)
        await world.tables.restorer.take_over_forever()
        await world.settles()
        world.tables.submit(77, r.Sit("ann", "ann"))
        await world.settles()
        table = live_table(world.tables, 77)
        assert 77 == world.tables.table_of("ann") and table.online == {"ann"}
        left = live_table(world.tables, own)
        assert left is None or "ann" not in left.people()

    disk = Disk()
    run(_plays_at_a_table(disk))
    run(driver(disk))


def test_who_is_about_to_sit_down_elsewhere_keeps_the_seat_too():
    async def driver(disk: Disk) -> None:
        world = World()
        ann = world.person("ann")
        takes_over(world, disk)
        taking = asyncio.ensure_future(world.tables.restorer.take_over_forever())
        own = world.tables.open_table(ann, world.variant.name, {})
        await taking
        await world.settles()
        assert own == world.tables.table_of("ann")
        world.tables.submit(own, r.Leave("ann"))
        await world.settles()
        assert 77 == world.tables.table_of("ann")

    disk = Disk()
    run(_plays_at_a_table(disk))
    run(driver(disk))


def test_a_table_that_cannot_be_restored_keeps_nobody_from_playing_elsewhere():
    """The first time that its seats are to be given up the journal fails."""

    async def driver(disk: Disk) -> None:
        world = World(variant=MULTISTEP)  # and does not know the game at that table
        world.journal.is_shared = True
        seats = [Claim("seat", person, "table/77") for person in ("ann", "bob")]
        await world.journal.append_all([], seats)
        takes_over(world, disk)
        world.journal.fail_always()
        await world.tables.restorer.take_over_forever()
        await asyncio.sleep(RETRY_S / 2)
        world.journal.fail_always(False)
        elsewhere = [seat._replace(owner="table/99") for seat in seats]
        with pytest.raises(JournalConflictError):
            await world.journal.append_all([], elsewhere)
        await asyncio.sleep(RETRY_S)
        await world.journal.append_all([], elsewhere)
        assert live_table(world.tables, 77) is None and world.tables.restorer._is_known("table/77")

    disk = Disk()
    run(_plays_at_a_table(disk))
    run(driver(disk))


def test_a_restored_table_is_told_of_before_its_first_record_is_written():
    """Whoever sits there offers no other game meanwhile."""

    async def driver() -> None:
        before, told = World(), list[int]()
        await before.started("ann", "bob")
        world = World(before.journal.disk, on_change=told.append, within_s=None)
        world.journal.delay_s = 5.0
        await world.tables.restore(1.0)
        assert [1] == told
        await asyncio.sleep(10)
        assert [1, 1] == told[:2]

    run(driver())


def test_an_outage_that_meets_tables_that_are_read_ahead_is_waited_for_once():
    async def before(disk: Disk) -> None:
        world = World(disk)
        for person in ("ann", "bob", "cid", "dan"):
            await world.opened(person)

    async def driver(disk: Disk) -> None:
        world, reads = World(disk, within_s=None), 0
        read = world.journal.read

        async def fails(stream: str, after: int = 0) -> list[StoredRecord]:
            nonlocal reads
            reads += 1
            raise JournalWriteError("no answer")

        world.journal.read = fails
        await world.tables.restore(0.0)
        await world.settles()
        world.journal.read = read
        assert reads and world.tables.restorer.pending_count()
        await asyncio.sleep(RETRY_S + 1)
        assert 0 == world.tables.restorer.pending_count()

    disk = Disk()
    run(before(disk))
    run(driver(disk))


def test_a_table_that_waits_to_be_restored_and_is_taken_over_then_is_restored_once():
    async def driver(disk: Disk) -> None:
        world = World()
        takes_over(world, disk)
        take_up, taken = world.tables.restorer._take_up, list[int]()

        def note(table: Table) -> None:
            taken.append(table.number)
            take_up(table)

        world.tables.restorer._take_up = note
        world.journal.disk.records["table/77"] = disk.records["table/1"]
        world.tables.restorer.restore_later(77)
        await world.tables.restorer.take_over_forever()
        await world.settles()
        assert ([77], 0) == (taken, world.tables.restorer.pending_count())
        assert "table/77" not in world.tables.restorer._failed

    disk = Disk()
    run(_plays_at_a_table(disk))
    run(driver(disk))


def test_sessions_wait_for_tables_that_are_taken_over_a_short_time_only():
    """From the moment that their server is doubted, whatever becomes of it."""

    async def driver() -> None:
        world = World()

        async def take_tables(is_known: Callable[[str], bool]) -> AsyncIterator[list[TakenTable]]:
            yield []

        world.journal.take_tables = take_tables
        restorer = world.tables.restorer
        assert not restorer.is_taking_over()
        await restorer.take_over_forever()
        await asyncio.sleep(TAKE_OVER_S - 0.1)
        assert restorer.is_taking_over()
        await asyncio.sleep(0.1)
        assert not restorer.is_taking_over()

    run(driver())


def test_sessions_wait_until_the_last_table_has_written_that_it_goes_on():
    async def driver(disk: Disk) -> None:
        world, seen = World(), list[bool]()
        world.journal.delay_s = SETTLE_S / 2

        async def take_tables(is_known: Callable[[str], bool]) -> AsyncIterator[list[TakenTable]]:
            yield []
            world.journal.disk.records["table/77"] = disk.records["table/1"]
            yield [TakenTable("table/77", START_MS)]

        world.journal.take_tables = take_tables
        restorer, before = world.tables.restorer, len(disk.records["table/1"])
        await restorer.take_over_forever()
        while restorer.is_taking_over():
            seen.append(len(world.journal.disk.records["table/77"]) > before)
            await asyncio.sleep(SETTLE_S / 10)
        assert (False, True) == (seen[0], seen[-1]) and len(seen) < 20

    disk = Disk()
    run(_plays_at_a_table(disk))
    run(driver(disk))
