import asyncio

import pytest

from mudserver.config.schema import TablesConfig
from mudserver.errors import UserError
from mudserver.messages import EventMessage, LocationMessage, Notice, RefusalMessage, ViewMessage
from mudserver.tables import requests as r
from mudserver.tables.lost_seats import ENTRIES_MAX, LostSeats
from mudserver.tables.records import Stood
from mudserver.tables.table import Table
from tests.live import live_table
from tests.memory_journal import Disk
from tests.mudserver.tables.world import World, run, texts
from tests.toys.multistep.game import MULTISTEP


def test_tables_are_numbered_upwards_and_no_number_comes_twice():
    async def driver(disk):
        world = World(disk, per_person_max=9)
        first = await world.opened("ann")
        world.tables.submit(first, r.Stand("ann"))
        second = await world.opened("ann")
        await asyncio.sleep(61)
        assert live_table(world.tables, first) is None
        return first, second, await world.opened("ann")

    async def again(disk):
        return await World(disk).opened("bob")

    disk = Disk()
    assert run(driver(disk)) == (1, 2, 3)
    assert run(again(disk)) == 4


def test_rows_show_public_facts():
    async def driver():
        world = World()
        await world.started("ann", "bob")
        await world.opened("cid", bots=1, rounds="2")
        rows = world.tables.lists.summaries()
        assert [(row.number, row.phase, row.people, row.free_seats) for row in rows] == [
            (1, "playing", "Ann, Bob", 0),
            (2, "waiting", "Cid, Juno (computer, medium)", 1),
        ]
        assert world.announcements == [
            "Ann opened table 1 (duel). Type sit 1 to join.",
            "Cid opened table 2 (duel). Type sit 2 to join.",
        ]

    run(driver())


def test_a_person_is_at_one_table_at_a_time():
    async def driver():
        world = World()
        await world.opened("ann")
        await world.opened("bob")
        world.tables.submit(2, r.Sit("ann", "Ann"))
        assert world.tables.table_of("ann") == 2  # at once, for the words that follow
        await world.settles()
        assert "ann" not in world.table(1).people()
        assert "ann" in world.table(2).people()
        assert world.received("ann", LocationMessage)[-1] == LocationMessage(2, "duel", 1)

    run(driver())


def test_who_plays_cannot_sit_watch_or_open_elsewhere():
    async def driver():
        world = World()
        await world.started("ann", "bob")
        await world.opened("cid")
        elsewhere = "You are in a game at table 1. To give that seat to a computer player: leave"
        for ask in (r.Sit("ann", "Ann"), r.Watch("ann", "Ann")):
            with pytest.raises(UserError, match=elsewhere):
                world.tables.submit(2, ask)
        with pytest.raises(UserError, match=elsewhere):
            world.tables.open_table(world.person("ann"), "duel", {})
        assert world.tables.table_of("ann") == 1

    run(driver())


def test_a_full_table_is_refused_before_the_first_one_is_left():
    async def driver():
        world = World()
        await world.opened("ann")
        await world.opened("bob", bots=2)
        with pytest.raises(UserError, match="Table 2 is full"):
            world.tables.submit(2, r.Sit("ann", "Ann"))
        await world.settles()
        assert "ann" in world.table(1).people()

    run(driver())


def test_who_is_out_may_sit_elsewhere_while_the_game_goes_on():
    async def driver():
        world = World(variant=MULTISTEP)
        table = await world.started("ann", "bob", "cid")
        await world.opened("dee")
        world.plays("ann", "fall")
        await world.settles()
        world.tables.submit(2, r.Sit("ann", "Ann"))
        await world.settles()
        assert world.tables.table_of("ann") == 2
        assert table.is_playing
        assert table.game.names == ("Ann", "Bob", "Cid")

    run(driver())


def test_a_race_for_the_last_seat_leaves_the_loser_in_the_lobby():
    async def driver():
        world = World()
        await world.opened("ann", seats="2")
        for name in ("bob", "cid"):
            world.person(name)
            world.tables.submit(1, r.Sit(name, name))
        await world.settles()
        assert world.tables.table_of("bob") == 1
        assert world.tables.table_of("cid") is None
        assert world.received("cid", RefusalMessage)[0].text.startswith("Table 1 is full")

    run(driver())


def test_who_was_not_let_in_is_not_on_the_way_any_more():
    async def driver():
        world = World(queue_max=1)
        await world.opened("ann")
        world.person("bob")
        world.tables.submit(1, r.AddBot("ann"))
        world.tables.submit(1, r.Sit("bob", "Bob"))  # the queue is full
        assert world.tables.table_of("bob") is None
        await world.settles()
        world.tables.submit(1, r.Stand("ann"))
        await asyncio.sleep(59.9999)
        world.tables.submit(1, r.Watch("bob", "Bob"))
        world.tables._runners[1]._queue.appendleft(r.Tick(""))
        world.tables._runners[1].table.empty_since_ms = 0  # the table closes first
        await world.settles()
        assert world.tables.table_of("bob") is None
        assert await world.opened("bob") == 2
        assert world.tables.table_of("bob") == 2

    run(driver())


def test_there_is_a_limit_to_tables_and_each_has_its_sentence():
    async def driver():
        world = World(all_max=3, per_person_max=2, per_guest_max=1)
        guest = world.person("gus", is_guest=True)
        world.tables.open_table(guest, "duel", {})
        own = "1 table: 1. One closes 60 s after .* left it. To go there: sit 1"
        with pytest.raises(UserError, match=own):
            world.tables.open_table(guest, "duel", {})
        ann = world.person("ann")
        world.tables.open_table(ann, "duel", {})
        world.tables.open_table(ann, "duel", {})
        with pytest.raises(UserError, match="All 3 tables are taken"):
            world.tables.open_table(world.person("bob"), "duel", {})

    run(driver())


def test_tables_cannot_be_opened_too_quickly():
    async def driver():
        world = World(opened_per_person_s=30.0, opened_burst=1)
        ann = world.person("ann")
        world.tables.open_table(ann, "duel", {})
        with pytest.raises(UserError, match="too quickly"):
            world.tables.open_table(ann, "duel", {})
        await asyncio.sleep(30)
        assert world.tables.open_table(ann, "duel", {}) == 2

    run(driver())


def test_nobody_wears_a_waiting_table_out_by_changing_it_without_end():
    async def driver():
        world = World(changed_per_person_s=3.0, changed_burst=6)
        number = await world.opened("ann", "bob")  # sitting down was the first change of bob
        table = world.table(number)
        world.tables.submit(number, r.Configure("ann", {"bots": "all"}))
        for change in (r.SetAutopass("bob", True), r.SetAutopass("bob", False)) * 2:
            world.tables.submit(number, change)
            await world.settles()
        world.tables.submit(number, r.AddBot("bob"))
        await world.settles()
        written = table.sequence
        for change in (r.RemoveBot("bob"), r.SetAutopass("bob", False), r.Configure("bob", {})):
            with pytest.raises(UserError, match=r"at once\. Please wait 3 s, then"):
                world.tables.submit(number, change)
        world.tables.submit(number, r.Stand("bob"))  # nobody is kept from going
        with pytest.raises(UserError, match="Too many changes"):
            world.tables.submit(number, r.Sit("bob", "Bob"))
        with pytest.raises(UserError, match="Too many changes"):
            world.tables.submit(number, r.Watch("bob", "Bob"))
        world.tables.submit(number, r.RemoveBot("ann"))  # others have changes left
        await world.settles()
        assert written + 2 == table.sequence
        await asyncio.sleep(3)
        world.tables.submit(number, r.Sit("bob", "Bob"))
        await world.settles()
        assert table.seat_of("bob") is not None

    run(driver())


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        ("dull", {}, r'There is no game called "dull"\. Did you mean duel\?'),
        ("chess", {}, "There are: duel"),
        ("duel", {"pase": "instant"}, r"Did you mean pace\?"),
        ("duel", {"rounds": "9"}, "Nine rounds are too many"),
    ],
)
def test_a_table_is_not_opened_with_what_cannot_be(game, options, sentence):
    async def driver():
        world = World()
        with pytest.raises(UserError, match=sentence):
            world.tables.open_table(world.person("ann"), game, options)
        assert world.tables.lists.count() == 0

    run(driver())


def test_there_is_no_such_table():
    async def driver():
        with pytest.raises(UserError, match="There is no table 5"):
            World().tables.submit(5, r.Play("ann", "bid 1"))

    run(driver())


def test_look_and_history_answer_at_once_and_only_who_is_there():
    async def driver():
        world = World()
        await world.opened("ann", "bob")
        assert isinstance(world.tables.look("ann"), Notice)
        await world.all_start()
        shown = world.tables.look("ann")
        assert isinstance(shown, ViewMessage) and shown.seat == 0
        assert [type(m) for m in world.tables.history("ann")] == [EventMessage]
        with pytest.raises(UserError, match="You aren't at a table"):
            world.tables.look("cid")

    run(driver())


def test_a_guest_who_is_off_line_can_be_found_by_the_seat():
    async def driver():
        world = World()
        guest = world.person("gus", is_guest=True)
        world.tables.open_table(guest, "duel", {})
        await world.settles()
        assert list(world.tables.lists.seated_guests()) == [guest]
        world.tables.on_disconnect("gus")
        await world.settles()
        assert list(world.tables.lists.seated_guests()) == [guest]

    run(driver())


def test_a_closed_table_is_not_restored_and_a_broken_one_stays_in_the_journal(caplog):
    async def first(disk):
        world = World(disk)
        await world.opened("ann")
        await world.opened("bob")
        world.tables.submit(1, r.Stand("ann"))
        await asyncio.sleep(61)
        await world.journal.append("table/3", 1, b"not a record")

    async def second(disk):
        world = World(disk)
        await world.settles()
        assert [row.number for row in world.tables.lists.summaries()] == [2]
        assert "table not restored stream=table/3" in caplog.text
        assert "table/3" not in disk.closed
        assert await world.opened("cid") == 4

    disk = Disk()
    run(first(disk))
    run(second(disk))


def test_the_server_can_be_told_that_somebody_typed():
    async def driver():
        world = World(offline_s=1.0)
        table = await world.started("ann", "bob")
        world.tables.on_disconnect("bob")
        await asyncio.sleep(1.5)
        world.person("bob")
        world.tables.on_input("bob")
        await world.settles()
        assert not table.is_away("bob")
        assert "Bob is back." in texts(world.received("ann"))

    run(driver())


def test_who_lost_a_seat_while_offline_reads_it_once_at_the_next_login():
    async def driver():
        world = World(offline_s=120.0)
        await world.opened("ann", "bob", "cid")
        for person in ("bob", "cid"):
            world.tables.on_disconnect(person)
        await world.settles()
        world.tables.submit(1, r.Unseat("ann", "Cid"))
        await asyncio.sleep(121)
        lost = "You were offline, so your seat at table 1 is free now. To find one, type tables"
        told = {"bob": lost, "cid": "The owner of table 1 has asked you to leave it."}
        for person, text in told.items():
            assert text not in texts(world.received(person))
            for _ in range(2):
                world.person(person)
            await world.settles()
            assert texts(world.received(person)).count(text) == 1

    run(driver())


def test_who_forfeited_while_offline_reads_it_at_the_next_login():
    async def driver():
        world = World(offline_s=120.0)
        await world.started("ann", "bob", absence="forfeit")
        world.tables.on_disconnect("bob")
        await asyncio.sleep(121)
        world.person("bob")
        text = "You were away too long and forfeit. Vera (computer) takes over."
        assert texts(world.received("bob")).count(text) == 1

    run(driver())


def test_what_people_have_not_read_yet_is_bounded():
    lost, table = LostSeats(), Table(1, MULTISTEP, TablesConfig())
    for number in range(ENTRIES_MAX + 1):
        lost.note(table, Stood(f"p{number}", "Ann", is_gone=True))
    assert lost.take("p0") == "" != lost.take("p1")
