"""What decisions at tables cost, who pays, and what a source in debt notices."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from mudserver.errors import UserError
from mudserver.messages import RefusalMessage
from mudserver.source_budgets import Kind
from mudserver.tables import codec
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.charges import TableCharges
from mudserver.tables.texts import TOO_FAST
from tests.memory_journal import Disk
from tests.mudserver.tables.world import World, run, texts
from tests.toys.multistep.game import MULTISTEP

ANN, BOB, CID = "192.0.2.1", "198.51.100.2", "203.0.113.3"  # sources, of three networks
HOME = {"ann": ANN, "bob": BOB, "cid": CID}
BURST, PER_S = 4_000, 4


def world_of(disk: Disk | None = None, **more) -> World:
    """One where everybody of HOME is online; what is charged is counted in `charged`."""
    world = World(disk, **more)
    world.sources.update(HOME)
    world.charged = charged = Counter()
    charge = world.budgets.charge

    def counted(kind: Kind, source: str, amount: int = 1) -> None:
        charged[source] += amount
        charge(kind, source, amount)

    world.budgets.charge = counted
    return world


def newly_charged(world: World) -> dict[str, int]:
    found = dict(world.charged)
    world.charged.clear()
    return found


def put_in_debt(world: World, source: str, decisions: int = 240) -> None:
    """So many are in debt then, whatever was spent before."""
    world.budgets.charge(Kind.DECISIONS, source, 3 * BURST)
    now = round(world.budgets.wait_s(Kind.DECISIONS, source) * PER_S)
    world.budgets.charge(Kind.DECISIONS, source, decisions - now)
    newly_charged(world)


def played(world: World, number: int = 1) -> list[tuple[int, int, int]]:
    """(UTC ms, seat, size) of every play in the journal."""
    found = []
    for stored in world.journal.disk.records[f"table/{number}"]:
        record = codec.decode(stored.sequence, stored.body, world.variant)
        found += [
            (record.at_ms, fact.seat, len(record.facts))
            for fact in record.facts
            if isinstance(fact, f.Played)
        ]
    return found


# -- what it costs -------------------------------------------------------------------------------


def test_an_opening_costs_four_and_every_other_line_that_is_written_one():
    async def driver():
        world = world_of()
        await world.opened("ann")
        costs = [newly_charged(world)]
        world.person("bob")
        for request in (
            r.Sit("bob", "Bob"), r.Configure("ann", {"rounds": "2"}), r.AddBot("ann"),
            r.RemoveBot("ann"), r.SetAutopass("bob", True), r.Stand("bob"), r.Sit("bob", "Bob"),
            r.Start("ann"), r.Start("bob"), r.Leave("bob"),
        ):  # fmt: skip
            await asyncio.sleep(2)  # who has not read other options yet is not ready for them
            world.tables.submit(1, request)
            await world.settles()
            costs.append(newly_charged(world))
        return costs

    one, other = {ANN: 1}, {BOB: 1}
    assert [{ANN: 4}, other, one, one, one, other, other, other, one, other, other] == run(driver())


def test_what_writes_nothing_costs_nothing():
    async def driver():
        world = world_of()
        await world.started("ann", "bob")
        world.person("cid")
        newly_charged(world)
        world.tables.submit(1, r.Watch("cid", "Cid"))
        world.plays("ann", "nonsense")
        world.tables.submit(1, r.Unwatch("cid"))
        await world.settles()
        return newly_charged(world)

    assert {} == run(driver())


def test_who_comes_online_and_goes_pays_nothing_for_a_clock_that_stops():
    async def driver():
        world = world_of(variant=MULTISTEP)
        table = await world.started("ann", "bob", absence="pause")
        newly_charged(world)
        before = table.sequence
        world.tables.on_disconnect("ann")
        await world.settles()
        world.tables.on_reconnect("ann")
        await world.settles()
        return table.sequence - before, newly_charged(world)

    assert (2, {}) == run(driver())


def test_computer_players_and_clocks_are_paid_by_who_opened_the_table_who_is_gone():
    async def driver():
        world = world_of(variant=MULTISTEP)
        table = await world.started("ann", "bob", bots=1)
        world.tables.submit(1, r.Leave("ann"))
        await world.settles()
        newly_charged(world)
        del world.sources["ann"]  # her session has ended
        before = len(table.game.plays)
        await asyncio.sleep(30)
        return len(table.game.plays) - before, newly_charged(world), table.game.window.seats

    decided, charged, seats = run(driver())
    assert decided > 1 and charged == {ANN: decided}
    assert seats == (1,)


def test_after_a_restart_the_first_of_its_people_who_is_back_pays():
    async def before(disk):
        await world_of(disk, variant=MULTISTEP).started("ann", "bob", bots=1)

    async def after(disk):
        world = world_of(disk, variant=MULTISTEP)
        world.sources.clear()
        await asyncio.sleep(61)  # Ann's turn has ended, on nobody's account
        charged = [newly_charged(world)]
        for person in ("cid", "bob"):
            world.sources[person] = HOME[person]
            world.person(person)
            await world.settles()
        for _ in range(2):
            world.plays("bob", "step")
        await asyncio.sleep(8)
        charged.append(newly_charged(world))
        await asyncio.sleep(58)  # Ann is away now: a computer player waits for her and decides
        world.sources["ann"] = ANN
        world.person("ann")
        return [*charged, newly_charged(world)]

    disk = Disk()
    run(before(disk))
    assert [{}, {BOB: 4}, {BOB: 1}] == run(after(disk))


# -- secrets [G-11, G-12] ------------------------------------------------------------------------


def test_answers_in_secret_are_paid_when_all_are_in_one_for_each_who_was_asked():
    async def driver():
        world = world_of()
        await world.started("ann", "bob", "cid")
        newly_charged(world)
        costs = []
        for person in ("cid", "ann", "bob"):
            world.plays(person)
            await world.settles()
            costs.append(newly_charged(world))
        return costs

    assert [{}, {}, {ANN: 1, BOB: 1, CID: 1}] == run(driver())


def test_who_was_too_late_in_secret_pays_like_who_answered():
    async def driver(*in_time):
        world = world_of()
        await world.started("ann", "bob", "cid")
        newly_charged(world)
        for person in in_time:
            world.plays(person)
        await asyncio.sleep(61)
        return newly_charged(world)

    assert {ANN: 1, BOB: 1, CID: 1} == run(driver("ann")) == run(driver("bob", "cid"))


def test_a_seat_pays_alike_whether_its_owner_typed_or_it_passed_by_itself():
    async def driver(is_typed):
        world = world_of(variant=MULTISTEP)
        table = await world.started("ann", "bob", **{"clock.turn": "86400"})
        newly_charged(world)
        if not is_typed:
            world.tables.submit(1, r.SetAutopass("bob", True))
        await world.settles()
        world.plays("ann", "ask Bob")
        await asyncio.sleep(1)
        if is_typed:
            world.plays("bob", "answer")
        await asyncio.sleep(10)
        return {play.by for play in table.game.plays[2:]}, newly_charged(world)

    typed, passed = run(driver(True)), run(driver(False))
    assert ({"person"}, {"autopass"}) == (typed[0], passed[0])
    assert typed[1] == passed[1] == {ANN: 1, BOB: 1}


def test_a_seat_pays_alike_whether_its_owner_typed_or_had_kept_the_move_for_later():
    async def driver(is_typed):
        world = world_of(variant=MULTISTEP)
        table = await world.started("ann", "bob", move="1d")
        newly_charged(world)
        for line in ("step", "", "fall", "step") * (not is_typed):
            world.tables.submit(1, r.ChangePlan("bob", line))
        await world.settles()
        assert {} == newly_charged(world)
        for _ in range(2):
            world.plays("ann", "step")
            await world.settles()
        if is_typed:
            world.plays("bob", "fall")
        await asyncio.sleep(601)
        return [play.by for play in table.game.plays[3:]], newly_charged(world)

    typed, kept = run(driver(True)), run(driver(False))
    assert (["person"], ["later"]) == (typed[0], kept[0])
    assert typed[1] == kept[1] == {ANN: 2, BOB: 1}


async def two_tables(who_answers: str) -> list[tuple[int, int, int]]:
    """What Cid's computer players do, and when, while somebody has answered at another table.

    Ann and Cid share an address, which is in debt; Bob is elsewhere.
    """
    world = world_of(per_person_max=9)
    world.sources["cid"] = ANN
    await world.opened("bob")
    world.person("ann")
    world.tables.submit(1, r.Sit("ann", "Ann"))
    await world.opened("cid", bots=2, pace="instant")
    put_in_debt(world, ANN, 200)
    world.budgets.check_debt = lambda *source, is_own=True: None  # the debt came with the games
    await world.all_start()
    world.plays(who_answers)
    await world.settles()
    world.tables.submit(2, r.Start("cid"))
    for _ in range(3):
        await asyncio.sleep(5)
        if world.table(2).is_playing and world.table(2).game.may_act(0):
            world.plays("cid")
    await asyncio.sleep(5)
    return played(world, 2)


def test_how_long_computer_players_think_does_not_tell_who_has_answered():
    by_ann, by_bob = run(two_tables("ann")), run(two_tables("bob"))
    assert len(by_ann) > 5 and by_ann == by_bob


def test_it_would_tell_if_an_answer_were_paid_at_once(monkeypatch):
    def paid_at_once(self, table, request, record):
        if record.has_play:
            self._spend(self._payer(table, record.facts[0].seat))

    monkeypatch.setattr(TableCharges, "charge", paid_at_once)
    assert run(two_tables("ann")) != run(two_tables("bob"))


# -- a source in debt ----------------------------------------------------------------------------


def test_all_computer_players_of_a_window_think_longer_alike():
    async def driver(debt):
        world = world_of()
        await world.opened("ann", bots=2, pace="instant")
        world.tables.submit(1, r.Start("ann"))
        put_in_debt(world, ANN, debt - 1)  # the start is one more
        await world.settles()
        begun_ms = world.clock.now_ms()
        await asyncio.sleep(5)
        return [at_ms - begun_ms for at_ms, _, _ in played(world)]

    def none_is_refused(*source, is_own=True):
        pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mudserver.source_budgets.SourceBudgets.check_debt", none_is_refused)
        assert [0, 0] == run(driver(0))
        assert [1_000, 1_000] == run(driver(120))
        assert [2_000, 2_000] == run(driver(240)) == run(driver(9_000))


def test_the_delay_of_a_window_is_fixed_when_it_opens():
    async def driver():
        world = world_of()
        world.budgets.check_debt = lambda *source, is_own=True: None
        await world.opened("ann", "bob", bots=1, pace="instant")
        put_in_debt(world, ANN, 119)
        await world.all_start()
        begun_ms = world.clock.now_ms()
        put_in_debt(world, ANN, 9_000)
        await asyncio.sleep(0.5)
        world.plays("bob")
        await asyncio.sleep(5)
        return [at_ms - begun_ms for at_ms, seat, _ in played(world) if seat == 2]

    (delay_ms,) = run(driver())
    assert 995 <= delay_ms <= 1_005


def test_in_debt_no_game_starts_and_no_table_opens_and_what_runs_goes_on():
    async def driver():
        world = world_of(per_person_max=9)
        await world.opened("ann", bots=1)
        table = await world.started("bob", "cid")
        put_in_debt(world, ANN)
        put_in_debt(world, BOB)
        world.tables.submit(1, r.Start("ann"))
        await world.settles()
        refused = texts(world.received("ann", RefusalMessage))
        with pytest.raises(UserError) as caught:
            world.tables.open_table(world.person("bob"), "duel", {})
        world.plays("bob")
        world.plays("cid")
        await world.settles()
        return refused, str(caught.value), table.game.window.key, world.table(1).phase

    sentence = "Too many games have been played from your address. New games again in 1 minute."
    assert ([sentence], sentence, "round 1 draw", "waiting") == run(driver())


def test_nobody_starts_a_game_on_the_account_of_somebody_in_debt():
    async def driver():
        world = world_of()
        await world.opened("ann", "bob")
        put_in_debt(world, ANN, 241)
        world.tables.submit(1, r.Start("bob"))
        await world.settles()
        return texts(world.received("bob", RefusalMessage)), world.table(1).phase

    sentence = (
        "Too many games have been played from the address that opened this table. "
        "New games again in 2 minutes."
    )
    assert ([sentence], "waiting") == run(driver())


def test_who_may_not_start_at_all_is_told_that_and_not_of_anybodys_debt():
    async def driver():
        world = world_of()
        await world.opened("ann", "bob")
        world.person("cid")
        put_in_debt(world, ANN)
        world.tables.submit(1, r.Start("cid"))
        await world.settles()
        return texts(world.received("cid", RefusalMessage))

    assert ["You have no seat at table 1. To take one: sit 1"] == run(driver())


def test_who_plays_in_debt_at_the_table_of_another_plays_on_that_ones_account_too():
    async def driver():
        world = world_of(variant=MULTISTEP)
        await world.started("ann", "bob")
        put_in_debt(world, BOB)
        for person in ("ann", "ann", "bob"):
            world.plays(person, "step")
        await world.settles()
        return newly_charged(world)

    assert {ANN: 3, BOB: 1} == run(driver())


# -- one person ----------------------------------------------------------------------------------


def test_a_play_beyond_two_a_second_and_a_burst_is_refused_alone():
    async def driver():
        world = world_of(variant=MULTISTEP)
        table = await world.started("ann", "bob", **{"clock.turn": "86400"})
        await asyncio.sleep(100)
        for _ in range(120):
            world.plays("ann", "nonsense")
            await world.settles()
        with pytest.raises(UserError) as caught:
            world.plays("ann", "step")
        world.tables.submit(1, r.SetAutopass("ann", True))  # is counted, and taken
        await asyncio.sleep(0.6)
        world.plays("ann", "step")
        await world.settles()
        return str(caught.value), len(table.game.plays), table.seats[0].has_autopass

    assert (TOO_FAST, 2, True) == run(driver())
    assert "Too fast: that move was not made. Please slow down." == TOO_FAST


def test_a_new_guest_does_not_begin_anew_with_plays():
    async def driver():
        world = world_of(variant=MULTISTEP)
        await world.started("ann", "bob", **{"clock.turn": "86400"})
        for n in range(119):
            world.tables.submit(1, r.Play("ann", "nonsense"), "192.0.2.1 0")
            if n % 40 == 0:
                await world.settles()
        world.tables.submit(1, r.Play("bob", "nonsense"), "192.0.2.1 0")
        with pytest.raises(UserError, match="Too fast"):
            world.tables.submit(1, r.Play("bob", "nonsense"), "192.0.2.1 0")

    run(driver())
