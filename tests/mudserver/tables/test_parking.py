"""Parked tables: out of memory, in every list, and back as they were."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from mudserver.accounts.person import Person
from mudserver.errors import JournalWriteError, UserError
from mudserver.messages import CallNotice, LocationMessage, ViewMessage
from mudserver.service.own_games import OwnGames
from mudserver.source_budgets import Kind
from mudserver.tables import codec, runner
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.parked import (
    LEAST_MS,
    Parked,
    decode,
    encode,
    may_park,
    parked,
    with_time_given_back,
)
from mudserver.tables.parked_rows import ParkedRows
from mudserver.tables.parking import QUIET_S
from mudserver.tables.plans import PAUSE_MS
from mudserver.tables.replay import replay_in_steps
from mudserver.tables.table import Table
from tests.memory_journal import Disk
from tests.mudserver.tables.driver import Driver, seen
from tests.mudserver.tables.world import World, run
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP

HOUR_S, DAY_S = 3_600, 86_400
REST_S = PAUSE_MS[1] / 1000 + QUIET_S + 1  # what people keep for later is looked up before that
READ = "select number, body from parked where body <> ''"


async def passes(world: World, seconds: float) -> None:
    await asyncio.sleep(seconds)
    await world.settles()


def copied(disk: Disk) -> Disk:
    """What the next server finds, if this one is killed now."""
    index = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    disk.index.backup(index)
    records = {stream: list(stored) for stream, stored in disk.records.items()}
    return Disk(records, set(disk.closed), alive_ms=disk.alive_ms, index=index)


async def alone(world: World, number: int, *people: str) -> None:
    """These go to the lobby, and nobody looks at the table any more."""
    for person in people:
        world.tables.submit(number, r.StepOut(person))
    await world.settles()


async def left_alone(move: str = "1d") -> World:
    """A game of a and b at table 1, which nobody looks at any more."""
    world = World(variant=MULTISTEP)
    await world.started("a", "b", move=move)
    await alone(world, 1, "a", "b")
    return world


async def parks(world: World, *people: str, **options: str) -> int:
    """The number of a table with a game that is parked."""
    table = await world.started(*people, **{"move": "1d", **options})
    number = table.number
    await alone(world, number, *people)
    await passes(world, REST_S)
    assert number in world.tables.parking and world.tables.lists.find(number) is None
    return number


async def again(world: World, away_s: float = 1.0, **kept: Any) -> World:
    """The next server, after a SIGKILL of the first one."""
    disk = copied(world.journal.disk)
    disk.alive_ms = world.clock.now_ms()
    wall_ms = world.clock.now_ms() + int(away_s * 1000)
    after = World(disk, variant=world.variant, wall_ms=wall_ms, within_s=None, **kept)
    await after.tables.restore()
    return after


def shown(world: World, person: str) -> object:
    """What lists say to a person, and of the person."""
    lists = world.tables.lists
    asked = [game.number for game in lists.slow_games(person) if game.is_asked]
    assert asked == lists.asked_at(person)
    return (
        *(lists.summaries(), lists.rows(), lists.slow_games(person), lists.own_games(person)),
        *(lists.keeps_seat(person), lists.tables_left(person), lists.people_at(1)),
        *(lists.shown_row(1), sorted(lists.code_hashes())),
    )


# -- in memory and out of it ---------------------------------------------------------------------


@pytest.mark.parametrize("is_private", [False, True])
def test_lists_say_the_same_of_a_parked_table_and_its_game_is_out_of_memory(is_private):
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        await world.opened("a", "b", "c", move="1d")
        if is_private:
            world.tables.submit(1, r.Configure("a", {"code": "on"}))
            await passes(world, 60)
        await world.all_start()
        table = world.table()
        world.tables.submit(1, r.Leave("c"))
        await passes(world, 61)  # others can take the seat over now
        while world.table().automatic_turns():
            await passes(world, 5)
        code = table.code
        await alone(world, 1, "a", "b")
        before = [shown(world, person) for person in "abc"]
        views = seen(world.table(), "a", "b", "c", "w")
        gone = weakref.ref(world.table())
        del table
        await passes(world, REST_S)
        assert 1 in world.tables.parking
        gc.collect()
        assert gone() is None
        assert before == [shown(world, person) for person in "abc"]
        await world.tables.fetch(1)
        await world.settles()
        assert 1 not in world.tables.parking
        assert before == [shown(world, person) for person in "abc"]
        assert views == seen(world.table(), "a", "b", "c", "w")
        assert code == world.table().code

    run(scenario())


def test_who_goes_there_finds_the_own_view_and_plays_on():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        number = await parks(world, "a", "b")
        world.forget_messages()
        await world.tables.fetch(number)
        world.tables.go("a", number)
        await world.settles()
        messages = world.received("a")
        assert [m.table for m in messages if isinstance(m, LocationMessage)] == [number]
        assert any(isinstance(m, ViewMessage) for m in messages)
        before = world.table(number).sequence
        world.plays("a")
        await world.settles()
        assert before < world.table(number).sequence
        assert [] == await world.journal.look_up(READ)

    run(scenario())


def test_a_clock_that_runs_out_brings_the_table_back_and_who_is_next_is_told():
    async def scenario() -> None:
        told: list[OwnGames] = []
        world = World(variant=MULTISTEP, on_change=lambda n: [it.note_change(n) for it in told])
        told.append(OwnGames(world.tables, world.outbox, world.clock.now_ms, "multistep"))
        number = await parks(world, "a", "b")
        deadline_ms = world.tables.parking.get(number).deadline_ms
        world.forget_messages()
        await passes(world, (deadline_ms - world.clock.now_ms()) / 1000 - 1)
        assert number in world.tables.parking
        await passes(world, 2)
        table = world.table(number)
        assert table.game.plays[-1].by == "time"
        while not table.question_of("b"):
            await passes(world, HOUR_S)
            table = world.table(number) if number not in world.tables.parking else table
        assert any(f"Your move at table {number}" in t or f"your move at table {number}" in t
                   for t in [m.text for m in world.received("b", CallNotice)])  # fmt: skip

    run(scenario())


@pytest.mark.parametrize(
    "prevent",
    [
        lambda world: world.tables.submit(1, r.Watch("w", "W")),
        lambda world: world.tables.go("a", 1),
    ],
)
def test_a_table_stays_while_somebody_is_there(prevent):
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        world.person("w")
        await world.started("a", "b", move="1d")
        await alone(world, 1, "a", "b")
        prevent(world)
        await passes(world, 3 * QUIET_S)
        assert 1 not in world.tables.parking and world.table().is_playing

    run(scenario())


def test_a_table_stays_until_computer_players_have_decided():
    driver = Driver({"move": "1d"}, variant=MULTISTEP).starts("b")
    for person in "ab":
        driver.does(r.StepOut(person))
    assert may_park(driver.table, driver.now_ms)
    assert not may_park(driver.table, driver.table.deadline_ms - LEAST_MS)
    driver.does(r.Leave("a"))
    while 0 not in driver.table.game.window.seats:
        driver.plays("b")
        driver.does(r.StepOut("b"))
    assert driver.table.automatic_turns() and not may_park(driver.table, driver.now_ms)


def test_a_live_game_and_a_table_that_waits_stay_in_memory():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        await world.opened("a", "b", move="1d")
        await alone(world, 1, "a", "b")
        await passes(world, 10 * QUIET_S)
        assert 0 == len(world.tables.parking)

    run(scenario())


def test_what_is_asked_of_a_parked_table_waits_until_it_is_there():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        first, second = await parks(world, "a", "b"), await parks(world, "a", "b")
        world.tables.give_up_seat("a")
        await world.settles()
        assert [first, second] == world.tables.lists.tables_left("a")
        world.tables.close_table(first, "spam")
        await world.settles()
        assert not world.tables.lists.has(first) and [] == await world.journal.look_up(READ)

    run(scenario())


def test_who_comes_while_the_row_is_written_finds_the_table():
    async def scenario() -> None:
        world = await left_alone()
        table = world.table()
        world.tables._runners[1].ask_to_park()
        world.tables.go("a", 1)
        await world.settles()
        assert world.table() is table and "a" in table.online
        assert [] == await world.journal.look_up(READ)

    run(scenario())


# -- what goes wrong -----------------------------------------------------------------------------


def test_a_row_that_was_not_saved_parks_nothing_and_is_emptied_before_the_next_record():
    async def scenario() -> None:
        world = await left_alone()
        world.journal.fail_always()
        world.tables._runners[1].ask_to_park()
        await world.settles()
        world.journal.fail_always(False)
        assert 1 not in world.tables.parking
        world.tables.go("a", 1)
        await world.settles()
        world.plays("a")
        await world.settles()
        assert [] == await world.journal.look_up(READ)
        after = await again(world)
        assert seen(world.table(), "a") == seen(after.table(), "a")

    run(scenario())


def test_a_table_whose_row_has_no_place_stays_in_memory_and_goes_on(monkeypatch, caplog):
    def fails(rows: ParkedRows, *of: Parked) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    async def scenario() -> None:
        world = await left_alone()
        monkeypatch.setattr(ParkedRows, "put", fails)
        await passes(world, REST_S)
        assert "err=OperationalError" in caplog.text
        assert 1 not in world.tables.parking and [1] == world.tables.lists.numbers()
        world.tables.go("a", 1)
        await world.settles()
        before = world.table().sequence
        world.plays("a")
        await world.settles()
        assert before < world.table().sequence and [] == await world.journal.look_up(READ)
        monkeypatch.undo()
        await alone(world, 1, "a", "b")
        await passes(world, REST_S)
        assert 1 in world.tables.parking

    run(scenario())


def test_a_table_that_could_not_be_parked_is_parked_later():
    async def scenario() -> None:
        world = await left_alone("14d")
        world.journal.fail_always()
        await passes(world, REST_S)
        assert 1 not in world.tables.parking
        world.journal.fail_always(False)
        await passes(world, REST_S)
        assert 1 in world.tables.parking

    run(scenario())


def test_a_table_that_cannot_be_read_now_stays_parked():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        number = await parks(world, "a", "b")
        world.journal.fail_always()
        with pytest.raises(JournalWriteError):
            await world.tables.fetch(number)
        assert number in world.tables.parking
        world.journal.fail_always(False)
        await world.tables.fetch(number)
        assert world.table(number).is_playing

    run(scenario())


def test_a_damaged_table_is_refused_with_a_sentence():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        number = await parks(world, "a", "b")
        stored = world.journal.disk.records[f"table/{number}"]
        stored[-1] = stored[-1]._replace(body=b"x")
        with pytest.raises(UserError, match=f"Table {number} can't be shown now"):
            await world.tables.fetch(number)
        assert number in world.tables.parking

    run(scenario())


@pytest.mark.parametrize("is_damaged", [True, False])
def test_the_staff_closes_a_parked_table_damaged_or_not(is_damaged):
    async def scenario() -> None:
        changed: list[int] = []
        world = World(variant=MULTISTEP, on_change=changed.append)
        number = await parks(world, "a", "b")
        stored = world.journal.disk.records[f"table/{number}"]
        if is_damaged:
            stored[-1] = stored[-1]._replace(body=b"x")
        changed.clear()
        world.tables.close_table(number, "it is damaged")
        await passes(world, 1)
        assert f"table/{number}" in world.journal.disk.closed and number in changed
        assert number not in world.tables.parking and not world.tables.lists.has(number)
        closed = codec.decode(len(stored), stored[-1].body, MULTISTEP)
        assert f.Closed("moderator", reason="it is damaged") == closed.facts[-1]
        assert [] == await world.journal.look_up(READ) and 0 == len(world.tables.parking)
        assert [] == world.tables.lists.slow_games("a") == world.tables.places.all_of("a")
        with pytest.raises(UserError, match="There is no table"):
            world.tables.close_table(number, "again")
            world.tables.submit(number, r.Watch("w", "W"))
        assert [] == (await again(world)).tables.lists.summaries()

    run(scenario())


def test_a_row_of_another_release_is_not_believed():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        number = await parks(world, "a", "b")
        world.journal.disk.index.execute("update parked set body = '{\"number\": 1}'")
        after = await again(world)
        assert number not in after.tables.parking and after.table(number).is_playing
        assert [] == await after.journal.look_up(READ)

    run(scenario())


# -- a start -------------------------------------------------------------------------------------


def test_a_start_leaves_parked_tables_parked():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        numbers = [await parks(world, "a", "b") for _ in range(3)]
        before = [shown(world, person) for person in "ab"]
        after = await again(world)
        assert numbers == after.tables.parking.rows.numbers()
        assert before == [shown(after, person) for person in "ab"]
        assert 3 == after.tables.lists.count()

    run(scenario())


@pytest.mark.parametrize(("away_s", "given_s"), [(58, 0), (60, 60), (9 * DAY_S, 9 * DAY_S)])
def test_a_parked_table_gets_the_time_of_an_outage_back_once(away_s, given_s):
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        number = await parks(world, "a", "b")
        await passes(world, HOUR_S)
        before = world.tables.parking.get(number)
        first = await again(world, away_s)  # dies before its first heartbeat
        after = World(
            copied(first.journal.disk),
            variant=MULTISTEP,
            wall_ms=first.clock.now_ms() + 1_000,
            within_s=None,
        )
        await after.tables.restore()
        now = after.tables.parking.get(number)
        assert before.deadline_ms + given_s * 1000 == now.deadline_ms == now.next_ms
        await after.tables.fetch(number)
        table = after.table(number)
        assert now.deadline_ms == table.deadline_ms and now.sequence == table.sequence
        (game,) = after.tables.lists.slow_games("a")
        assert now.deadline_ms == game.deadline_ms

    run(scenario())


def test_what_is_given_back_to_a_parked_table_is_what_a_table_in_memory_gets():
    driver = Driver({"move": "1d"}, variant=MULTISTEP).starts("b")
    driver.does(r.Offer("a", "abort"))
    for person in "ab":
        driver.does(r.StepOut(person))
    driver.passes(HOUR_S)
    row, alive_ms = parked(driver.table, driver.now_ms), driver.now_ms + 60_000
    driver.now_ms += 3 * DAY_S * 1000
    given, record = with_time_given_back(row, alive_ms, driver.now_ms)
    own = driver.does(r.GiveBackTime("", alive_ms))
    assert own == record and isinstance(record.facts[0], f.TimeGivenBack)
    assert parked(driver.table, driver.now_ms) == given == decode(encode(given))


def test_a_row_tells_nothing_of_who_has_answered_in_secret_but_to_the_own_seat():
    """[G-11] Twin worlds: in one of them Ann has bid."""
    rows = []
    for bids in (False, True):
        driver = Driver({"move": "1d"}, variant=DUEL).starts("b")
        if bids:
            driver.plays("a")
        for person in "ab":
            driver.does(r.StepOut(person))
        rows.append(parked(driver.table, driver.now_ms))
    one, other = rows
    assert one.games["b"] == other.games["b"] and one.own["b"] == other.own["b"]
    assert (one.summary, one.row, one.next_ms) == (other.summary, other.row, other.next_ms)


@pytest.mark.parametrize("name", ["Anna", "former player"])
def test_who_is_another_since_a_kill_is_no_longer_shown_by_the_old_name(name):
    """The account was written, and the server died before its tables were."""

    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        number, _ = await parks(world, "a", "b"), await parks(world, "b", "c")
        after = await again(world, present={"a": Person("a", name, is_guest=False)})
        await after.settles()
        assert [number + 1] == after.tables.parking.rows.numbers()
        assert number == after.table(number).number
        names = [seat.name for row in after.tables.lists.rows() for seat in row.seats]
        assert "A" not in names
        assert (name in names) is (name == "Anna")  # a computer player has the other seat

    run(scenario())


def test_a_table_that_is_given_away_gives_back_what_its_source_holds():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        number = await parks(world, "a", "b")
        assert 1 == world.budgets.held(Kind.CORRESPONDENCE)
        assert [number] == await world.tables.leaving.stop([number])
        assert not world.tables.lists.has(number)
        world.tables.leaving.forget([number])
        assert 0 == world.budgets.held(Kind.CORRESPONDENCE)
        assert 1 == len(await world.journal.look_up(READ))  # it is the next server's

    run(scenario())


def test_a_bug_in_parking_leaves_the_table_as_it_is(monkeypatch):
    async def scenario() -> None:
        world = await left_alone()
        monkeypatch.setattr(runner, "parked", lambda *_: 1 // 0)
        await passes(world, REST_S)
        assert 1 not in world.tables.parking
        world.tables.go("a", 1)
        await world.settles()
        before = world.table().sequence
        world.plays("a")
        await world.settles()
        assert before < world.table().sequence

    run(scenario())


def test_a_table_that_is_parked_often_is_due_once():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        number = await parks(world, "a", "b", move="14d")
        for _ in range(3):
            await world.tables.fetch(number)
            await passes(world, REST_S)
            assert number in world.tables.parking
        assert 1 == len(world.tables.parking._due)

    run(scenario())


def test_tables_of_before_a_start_count_among_all_that_may_be_open():
    """No source holds a place for them: nobody knows who opened them from where."""

    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        for _ in range(2):
            await parks(world, "a", "b")
        after = await again(world, correspondence_max=3)
        await after.opened("c", move="1d")
        with pytest.raises(UserError, match="No more games by correspondence can be opened"):
            after.tables.open_table(after.person("d"), "multistep", {"move": "1d"})
        await after.opened("d")

    run(scenario())


# -- kills ---------------------------------------------------------------------------------------


def test_a_kill_at_any_write_leaves_every_table_with_its_views():
    """Tables are parked, fetched and played on, and the server dies at every write in turn."""

    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        for _ in range(3):
            await world.started("a", "b", move="1d")
        disks: list[Disk] = [copied(world.journal.disk)]
        await kept_at_each_write(world, disks.append)
        for number in (1, 2, 3):
            await alone(world, number, "a", "b")
        await passes(world, REST_S)
        for number in (1, 2):
            await world.tables.fetch(number)
            world.tables.go("a", number)
            await world.settles()
            world.plays("a")
            await world.settles()
            await alone(world, number, "a")
        await passes(world, REST_S)
        assert [1, 2, 3] == world.tables.parking.rows.numbers() and 8 < len(disks)
        for disk in disks:
            disk.alive_ms = world.clock.now_ms()
            after = World(disk, variant=MULTISTEP, wall_ms=world.clock.now_ms())
            for number in (1, 2, 3):
                await after.tables.fetch(number)
                folded = Table(number, MULTISTEP, world.tables._config)
                refold(folded, disk)
                assert seen(folded, "a", "b", "w") == seen(after.table(number), "a", "b", "w")
                assert folded.deadline_ms == after.table(number).deadline_ms

    run(scenario())


async def kept_at_each_write(world: World, keep: Callable[[Disk], None]) -> None:
    honest = world.journal.append_all
    single = world.journal.append

    async def append_all(*args: Any, **kept: Any) -> None:
        await honest(*args, **kept)
        keep(copied(world.journal.disk))

    async def append(*args: Any, **kept: Any) -> None:
        await single(*args, **kept)
        keep(copied(world.journal.disk))

    world.journal.append_all, world.journal.append = append_all, append  # type: ignore[method-assign]


def refold(table: Table, disk: Disk) -> None:
    for _ in replay_in_steps(table, disk.records[f"table/{table.number}"]):
        pass
    table.note_restart(0)


def test_a_seat_at_a_parked_table_is_listed_taken_over_and_kept_as_any_other():
    async def main() -> None:
        world = World(variant=MULTISTEP)
        await world.started("a", "b", "c", move="1d")
        world.tables.submit(1, r.Leave("c"))
        await alone(world, 1, "a", "b")
        await passes(world, 2 * QUIET_S + 2)
        assert 1 in world.tables.parking
        [summary] = world.tables.lists.summaries()
        assert (3,) == summary.to_take_over and [1] == world.tables.lists.tables_left("c")
        world.person("d")
        world.tables.submit(1, r.Substitute("d", "D"))
        await passes(world, 1)
        assert "d" == world.table().seats[2].person and 1 == world.tables.table_of("d")
        assert [] == world.tables.lists.tables_left("c")
        await alone(world, 1, "d")
        await passes(world, QUIET_S + 1)
        assert 1 in world.tables.parking
        after = await again(world)
        [summary] = after.tables.lists.summaries()
        assert () == summary.to_take_over and [] == after.tables.lists.tables_left("c")
        assert [1] == [it.number for it in after.tables.lists.slow_games("d")]
        assert () == after.tables.lists.own_games("c")

    run(main())
