import asyncio
from dataclasses import replace

import pytest

from mudserver.data_messages import InvitationData
from mudserver.messages import (
    Announcement,
    EventMessage,
    GameOver,
    KnownPlace,
    LocationMessage,
    Notice,
    NotUnderstood,
    RefusalMessage,
    ViewMessage,
)
from mudserver.tables import requests as r
from mudserver.tables.runner import SLOW_S
from mudserver.tables.texts import (
    MAY_BE_LOST,
    NOT_OPENED,
    QUEUE_FULL,
    RESUMED,
    RESUMED_WITHOUT_GAME,
    STILL_SUSPENDED,
    SUSPENDED,
)
from tests.live import live_table
from tests.memory_journal import Disk
from tests.mudserver.tables.driver import seen
from tests.mudserver.tables.world import SilentBots, World, run, texts
from tests.toys.duel.game import BOX, DUEL, Bid


def test_nobody_is_told_what_the_journal_refused():
    async def driver():
        world = World()
        table = await world.started("ann", "bob")
        before, written = seen(table, "ann", "bob"), len(world.journal.disk.read("table/1"))
        world.forget_messages()
        world.journal.fail()
        world.plays("ann")
        await world.settles()
        told = [Notice(SUSPENDED)]
        assert told == world.received("bob")
        assert [*told, RefusalMessage(MAY_BE_LOST, "stopped")] == world.received("ann")
        assert seen(world.table(), "ann", "bob") == before
        assert len(world.journal.disk.read("table/1")) == written

    run(driver())


def test_a_stopped_table_answers_each_line_and_goes_on_when_a_record_is_saved():
    async def driver():
        world = World(retry_s=5.0)
        table = await world.started("ann", "bob")
        await asyncio.sleep(20)
        stopped_ms = world.clock.now_ms()
        left_ms = table.deadline_ms - stopped_ms
        world.journal.fail_always()
        world.plays("ann")
        await world.settles()
        world.forget_messages()
        world.plays("bob")
        await world.settles()
        assert world.received("bob") == [RefusalMessage(STILL_SUSPENDED, "stopped")]
        await asyncio.sleep(22)
        assert world.messages["ann"] == []  # told once, whatever is tried
        world.journal.fail_always(False)
        await asyncio.sleep(5)
        assert [type(m) for m in world.messages["ann"]] == [Notice, ViewMessage]
        assert texts(world.received("ann")) == [RESUMED]
        now = world.table()
        resumed_ms = now.deadline_ms - left_ms
        assert stopped_ms + 25_000 <= resumed_ms <= world.clock.now_ms()
        world.forget_messages()
        world.plays("ann")
        await world.settles()
        assert [type(m.event).__name__ for m in world.received("ann", EventMessage)] == ["BidMade"]

    run(driver())


def test_who_waits_for_a_record_for_long_is_told_once_and_gets_the_time_back():
    async def driver():
        world = World()
        table = await world.started("ann", "bob")
        await asyncio.sleep(20)
        world.journal.delay_s = SLOW_S - 0.1
        world.plays("ann")
        await asyncio.sleep(SLOW_S)
        assert SUSPENDED not in texts(world.received("ann"))
        await world.settles()
        world.forget_messages()
        before = seen(table, "ann", "bob")
        world.journal.delay_s = 4.0
        world.plays("bob")
        await asyncio.sleep(SLOW_S + 0.1)
        world.journal.delay_s = 0.0
        for name in ("ann", "bob"):
            assert [SUSPENDED] == texts(world.messages[name])
        assert before == seen(world.table(), "ann", "bob")  # not yet
        world.forget_messages()
        await asyncio.sleep(3.0)
        assert [RESUMED] == texts(world.received("ann"))
        assert before != seen(world.table(), "ann", "bob")
        kinds = [type(message) for message in world.messages["bob"]]
        assert [EventMessage, Notice] == [kinds[0], kinds[-1]]  # the play, the clocks, the sentence
        assert ViewMessage in kinds
        window_ms = world.table().game.open_ms()
        assert abs(world.table().deadline_ms - world.clock.now_ms() - window_ms) < 1_000

    run(driver())


def test_who_has_gone_to_another_table_meanwhile_reads_no_slow_record_of_the_last():
    async def driver():
        world = World()
        await world.started("ann", "bob")
        await world.started("cid", "eve")
        dan = world.person("dan")
        world.tables.submit(1, r.Watch(dan.id, dan.name))
        world.plays("ann")
        await world.settles()
        world.journal.delay_s = SLOW_S / 2
        world.plays("bob")
        await world.settles()
        world.tables.submit(2, r.Watch(dan.id, dan.name))
        await world.settles()
        assert 2 == world.tables.table_of("dan")
        world.forget_messages()
        await asyncio.sleep(SLOW_S)
        assert world.received("ann", EventMessage)
        assert [] == world.received("dan")

    run(driver())


def test_who_is_at_another_table_is_invited_as_anybody():
    async def driver():
        world = World()
        await world.opened("ann", seats="3")
        await world.started("cid", "eve")
        world.forget_messages()
        world.tables.submit(1, r.Invite("ann", "cid", "Cid"))
        await world.settles()
        assert [Notice, InvitationData] == [type(it) for it in world.received("cid")]

    run(driver())


def test_who_was_told_of_a_slow_record_is_not_told_again_when_it_fails():
    async def driver():
        world = World(retry_s=5.0)
        await world.started("ann", "bob")
        world.forget_messages()
        world.journal.delay_s = 4.0
        world.journal.fail_always()
        world.plays("ann")
        await asyncio.sleep(6)
        assert [SUSPENDED] == texts(world.messages["bob"])
        world.journal.delay_s = 0.0
        world.journal.fail_always(False)
        await asyncio.sleep(6)
        assert [SUSPENDED, RESUMED] == texts(world.messages["bob"])

    run(driver())


def test_a_slow_record_that_gives_time_back_takes_none():
    async def driver():
        world = World()
        table = await world.started("ann", "bob")
        await asyncio.sleep(20)
        left_ms = table.deadline_ms - world.clock.now_ms()
        world.forget_messages()
        world.journal.delay_s = 4.0
        world.plays("ann")  # the window stays open: bob bids in it, too
        await asyncio.sleep(7.0)
        world.journal.delay_s = 0.0
        await asyncio.sleep(1.1)  # saved after 4 s, the time of it given back after 8
        assert [SUSPENDED, RESUMED] == texts(world.received("bob", Notice))
        assert abs(world.table().deadline_ms - world.clock.now_ms() - left_ms) < 200

    run(driver())


def test_on_a_disk_that_is_always_slow_people_play_in_the_end():
    async def driver():
        world = World()
        await world.started("ann", "bob")
        world.journal.delay_s = 2.0
        world.plays("ann")
        world.plays("bob")
        await asyncio.sleep(30)
        told = [it.event for it in world.messages["bob"] if isinstance(it, EventMessage)]
        assert ["BidMade", "BidsShown"] == [type(it).__name__ for it in told][-2:]
        assert texts(world.received("bob", Notice))[-1] == RESUMED

    run(driver())


def test_nobody_reads_that_a_game_continues_which_is_over_with_the_slow_record():
    async def driver():
        world = World()
        await world.started("ann", "bob")
        world.tables.submit(1, r.Offer("ann", "abort"))
        await asyncio.sleep(5)  # it may not be accepted at once
        world.forget_messages()
        world.journal.delay_s = 4.0
        world.tables.submit(1, r.AnswerOffer("bob", True))
        await asyncio.sleep(6)
        assert not world.table().is_playing
        said = texts(world.received("bob", Notice))
        assert SUSPENDED == said[0] and RESUMED_WITHOUT_GAME in said and RESUMED not in said

    run(driver())


def test_who_asks_to_sit_down_is_told_too_and_nobody_of_a_table_that_is_not_there_yet():
    async def driver():
        world = World(retry_s=5.0)
        world.journal.delay_s = 4.0
        world.tables.open_table(world.person("ann"), DUEL.name, {})
        await asyncio.sleep(6)
        told = texts(world.received("ann"))
        assert {SUSPENDED, RESUMED, RESUMED_WITHOUT_GAME}.isdisjoint(told)
        for is_saved in (False, True):
            world.journal.fail_always(not is_saved)
            world.person("bob")
            world.tables.submit(1, r.Sit("bob", "Bob"))
            await asyncio.sleep(3)
            assert [SUSPENDED] == texts(world.received("ann")) == texts(world.received("bob"))
            await asyncio.sleep(6)
            world.journal.fail_always(False)
            await asyncio.sleep(6)
            if is_saved:
                assert RESUMED_WITHOUT_GAME == texts(world.received("bob"))[-1]
            else:
                assert [RefusalMessage(MAY_BE_LOST, "stopped")] == world.received("bob")
            assert RESUMED_WITHOUT_GAME == texts(world.received("ann"))[-1]

    run(driver())


def test_a_record_that_was_saved_after_all_counts_when_the_table_goes_on():
    async def driver():
        world = World()
        await world.started("ann", "bob")
        world.journal.fail(keeps=True)
        world.plays("ann")
        await world.settles()
        assert len(world.table().game.plays) == 1
        await asyncio.sleep(6)
        assert [play.seat for play in world.table().game.plays[1:]] == [0]

    run(driver())


def test_who_comes_in_while_the_table_is_stopped_sees_the_seat():
    async def driver():
        world = World()
        await world.started("ann", "bob")
        world.journal.fail_always()
        world.plays("ann")
        world.tables.on_disconnect("bob")
        await world.settles()
        world.forget_messages()
        world.person("bob")
        await world.settles()
        assert len(world.received("bob", ViewMessage)) == 1

    run(driver())


def test_who_goes_on_watching_a_stopped_table_is_there_when_it_goes_on():
    async def driver():
        world = World()
        await world.started("ann", "bob")
        world.journal.fail_always()
        world.plays("ann")
        await world.settles()
        world.person("cid")
        world.forget_messages()
        world.tables.submit(1, r.Watch("cid", "Cid", goes_on=True, seen=world.table().sequence))
        await world.settles()
        assert [KnownPlace] == [type(message) for message in world.messages["cid"]]
        world.journal.fail_always(False)
        await asyncio.sleep(60)
        assert RESUMED in texts(world.messages["cid"]) and "cid" in world.table().watchers

    run(driver())


def test_whoever_cannot_go_on_watching_is_told_of_being_in_the_lobby():
    async def driver():
        world = World()
        await world.opened("ann")
        world.person("cid")
        world.forget_messages()
        world.tables.submit(1, r.CloseByStaff("", "noise"))
        world.tables.submit(1, r.Watch("cid", "Cid", goes_on=True, seen=1))
        await world.settles()
        assert [RefusalMessage, LocationMessage] == [type(it) for it in world.messages["cid"]]
        assert LocationMessage(None) == world.messages["cid"][-1]

    run(driver())


def test_whoever_has_gone_to_another_table_is_not_led_to_the_lobby_by_the_one_before():
    async def driver():
        world = World()
        await world.opened("ann")
        await world.opened("cid")
        world.tables.submit(1, r.CloseByStaff("", "noise"))
        runner = world.tables.places.runner_of("ann")
        runner.submit(r.Watch("cid", "Cid", goes_on=True, seen=1))
        world.forget_messages()
        await world.settles()
        assert 2 == world.tables.table_of("cid")
        assert [RefusalMessage] == [type(it) for it in world.messages["cid"]]

    run(driver())


def test_a_table_that_cannot_be_saved_is_not_opened():
    async def driver():
        world = World()
        world.journal.fail()
        world.tables.open_table(world.person("ann"), "duel", {})
        await world.settles()
        assert world.received("ann") == [RefusalMessage(NOT_OPENED, "stopped")]
        assert world.tables.lists.count() == 0
        assert world.tables.table_of("ann") is None

    run(driver())


def test_a_full_queue_tells_the_sender_to_slow_down():
    async def driver():
        world = World(queue_max=4)
        await world.started("ann", "bob")
        world.forget_messages()
        for _ in range(6):
            world.tables.submit(1, r.Play("ann", "what?"))
        assert texts(world.messages["ann"]) == [QUEUE_FULL] * 2
        await world.settles()
        assert len(world.received("ann", RefusalMessage | NotUnderstood)) == 6
        assert world.messages["bob"] == []

    run(driver())


def test_the_machinery_is_heard_through_a_full_queue():
    async def driver():
        world = World(queue_max=2)
        table = await world.started("ann", "bob")
        for _ in range(5):
            world.tables.submit(1, r.Play("ann", "what?"))
            world.tables.on_disconnect("bob")
            world.tables.on_reconnect("bob")
        world.tables.on_disconnect("bob")
        assert len(world.tables._runners[1]._queue) == 2  # a line, and the newest of Bob
        await world.settles()
        assert table.online == {"ann"}

    run(driver())


def test_a_bug_in_one_line_harms_nobody_else(caplog):
    def parse(text, view, names):
        raise KeyError("a bug of this game, on purpose")

    async def driver():
        world = World(variant=replace(DUEL, parse=parse))
        table = await world.started("ann", "bob")
        world.forget_messages()
        world.plays("ann", "crash")
        await world.settles()
        [refused] = world.received("ann")
        assert "went wrong on the server. Your game is as it was. (ref " in refused.text
        assert world.messages["bob"] == []
        assert table.is_playing
        [line] = [record.getMessage() for record in caplog.records]
        assert refused.text[-7:-1] in line
        assert "err=KeyError" in line and "on purpose" not in line

    run(driver())


def test_a_bug_in_the_fold_ends_only_this_table(caplog):
    async def driver():
        def evolve(state, event):
            if type(event).__name__ == "BidMade" and armed:
                raise ZeroDivisionError("the secret hand is 7 12 3")
            return DUEL.evolve(state, event)

        armed = False
        world = World(variant=replace(DUEL, evolve=evolve))
        await world.started("ann", "bob", bid="30")
        other = await world.opened("cid")
        world.forget_messages()
        armed = True
        await asyncio.sleep(31)  # the clock's default meets the bug
        messages = world.received("bob")
        assert messages[-1] == LocationMessage(None)
        assert "this table can't continue" in messages[0].text
        assert live_table(world.tables, 1) is None
        assert "table/1" in world.journal.disk.closed
        assert world.table(other).phase == "waiting"
        errors = [record.getMessage() for record in caplog.records]
        assert len(errors) == 1 and "secret" not in errors[0]

    run(driver())


async def first_play(table):
    for _ in range(500):
        await asyncio.sleep(0.01)
        if len(table.game.plays) > 1:
            return
    raise AssertionError("nobody plays")


@pytest.mark.parametrize(("pace", "low", "high"), [("person", 0.8, 2.5), ("brisk", 0.15, 0.5)])
def test_computer_players_pause_by_the_pace_of_the_table(pace, low, high):
    async def driver():
        world = World()
        table = await world.started("ann", bots=1, pace=pace)
        game = table.game
        begun = world.clock.monotonic()
        await first_play(table)
        assert low <= world.clock.monotonic() - begun <= high + 0.02
        assert game.plays[1].by == "computer"

    run(driver())


def test_the_pause_does_not_depend_on_the_hand():
    def pauses(deal):
        async def driver():
            world = World(variant=replace(DUEL, deal=deal))
            table = await world.started("ann", bots=1)
            await first_play(table)
            return world.clock.monotonic()

        return run(driver())

    def other_cards(seats, options, chance):
        [dealt] = DUEL.deal(seats, options, chance)
        return [replace(dealt, hands=tuple(dealt.deck[3 * n : 3 * n + 1] for n in range(seats)))]

    assert pauses(DUEL.deal) == pauses(other_cards)  # [G-12]


def test_a_computer_player_without_an_idea_plays_the_default(caplog):
    async def driver():
        world = World(bots=SilentBots())
        table = await world.started("ann", bots=1, pace="instant")
        await world.settles()
        [played] = table.game.plays[1:]
        assert (played.by, played.seat, played.draws) == ("computer", 1, ())
        assert isinstance(played.action, Bid)

    run(driver())


def test_an_illegal_answer_of_a_computer_player_becomes_the_default():
    class Cheats:
        async def choose(self, *question):
            return Bid("99")

    async def driver():
        world = World(bots=Cheats())
        table = await world.started("ann", bots=1, pace="instant")
        await world.settles()
        assert table.game.plays[1].action.card in BOX

    run(driver())


def test_computer_players_among_themselves_let_the_server_run():
    async def driver():
        world = World(offline_s=1.0)
        await world.started("ann", bots=2, pace="instant")
        world.tables.on_disconnect("ann")
        turns = 0
        while world.table().is_playing:
            await asyncio.sleep(0.01)
            turns += 1
        assert turns > 50  # the wait for Ann; and the loop came round all the while
        assert world.table().phase == "over"

    run(driver())


def test_who_types_is_back_before_the_line_is_heard():
    async def driver():
        world = World(offline_s=1.0)
        table = await world.started("ann", "bob")
        world.tables.on_disconnect("bob")
        await asyncio.sleep(1.5)
        assert table.is_away("bob")
        world.person("bob")
        world.plays("bob", "what?")  # even a line that is refused  [G-09]
        await world.settles()
        assert not table.is_away("bob")
        assert texts(world.received("ann", Announcement))[-1] == "Bob is back."

    run(driver())


def test_time_outs_fire_by_themselves():
    async def driver():
        world = World()
        table = await world.started("ann", "bob", bid="30")
        world.tables.on_disconnect("ann")
        world.tables.on_disconnect("bob")
        await asyncio.sleep(29.9)
        assert len(table.game.plays) == 1
        await asyncio.sleep(0.2)
        assert [play.by for play in table.game.plays[1:]] == ["time", "time"]

    run(driver())


def test_closing_settles_what_is_queued_and_stops_everything():
    async def driver():
        world = World()
        table = await world.started("ann", "bob", bots=1)
        world.plays("ann")
        world.plays("bob")
        await world.tables.close()
        assert [play.seat for play in table.game.plays[1:]] == [0, 1]
        assert len(world.journal.disk.read("table/1")) == table.sequence
        left = {task.get_name().split("/")[0].split()[0] for task in asyncio.all_tasks()}
        assert not left & {"table", "computer"}

    run(driver())


def timeless(table):
    """What everybody sees, but for the deadline, which a restart moves."""
    return seen(table, "ann", "bob", "cid").replace(str(table.deadline_ms).encode(), b"")


def test_a_killed_server_has_every_acknowledged_play_and_everybody_sees_what_they_saw():
    async def first(disk):
        world = World(disk)
        table = await world.started("ann", "bob", bots=1, pace="brisk")
        world.plays("ann")
        await asyncio.sleep(1)
        await world.journal.write_heartbeat()
        left_ms = table.deadline_ms - world.clock.now_ms()
        return timeless(table), left_ms

    async def second(disk, expected, left_ms):
        world = World(disk, wall_ms=77_000_000, adjourn_after_s=86_400.0)
        await world.settles()
        table = world.table()
        assert table.deadline_ms == 77_000_000 + left_ms  # [TIME-2]
        assert timeless(table) == expected
        assert world.tables.table_of("bob") == 1
        world.person("ann")
        world.person("bob")
        await world.settles()
        assert len(world.received("bob", ViewMessage)) == 1
        while table.is_playing:
            for person in ("ann", "bob"):
                if table.game.may_act(table.game.seat_of(person)):
                    world.plays(person)
            await asyncio.sleep(0.1)
        assert world.received("ann", GameOver)

    disk = Disk()
    run(second(disk, *run(first(disk))))
