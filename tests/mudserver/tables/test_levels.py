"""Levels of computer players at a table: what is stored, how many may search, and when."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from mudserver.tables import codec
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.commit import commit
from mudserver.tables.computer_seats import STEP_S, ComputerSeats
from tests.inline_bots import InlineBots
from tests.mudserver.tables.driver import Driver, whole_game
from tests.mudserver.tables.world import World, run
from tests.toys.duel.game import DUEL

THINKING = replace(DUEL, searching=frozenset({"hard"}))

OLD_RECORDS = (
    b'{"at_ms":1000,"facts":[{"fact":"ComputerSat","name":"Juno","level":1}]}',
    b'{"at_ms":1000,"facts":[{"fact":"HandedOver","seat":1,"name":"Otis","level":2,"left":"Bob",'
    b'"why":"left"}]}',
)


def test_records_of_before_the_names_fold_to_players_at_least_as_strong() -> None:
    driver = Driver().sits("b")
    sat, handed_over = (codec.decode(n, body, DUEL) for n, body in enumerate(OLD_RECORDS))
    table = driver.table
    commit(table, f.Record(table.sequence + 1, sat.at_ms, sat.facts))
    assert [("Ann", ""), ("Bob", ""), ("Juno", "easy")] == [(o.name, o.level) for o in table.seats]
    driver.starts()
    commit(table, f.Record(table.sequence + 1, handed_over.at_ms, handed_over.facts))
    assert ("Otis", "hard") == (table.seats[1].name, table.seats[1].level)
    assert "Juno" == table.roster[-1].name  # for the next game too
    old = f.ComputerSat("Juno", level=2)
    assert old == codec.decode(1, codec.encode(f.Record(1, 0, (old,))), DUEL).facts[0]


def test_a_record_names_the_level() -> None:
    record = Driver().does(r.AddBot("a", "easy"))
    assert b'{"fact":"ComputerSat","name":"Milo","player":"easy"}' in codec.encode(record)


def test_only_so_many_tables_have_a_player_that_searches() -> None:
    async def driver() -> None:
        world = World(variant=THINKING, expert_tables_max=1)
        first, second = await world.opened("ann"), await world.opened("bob")
        for number, person in ((first, "ann"), (second, "bob")):
            world.tables.submit(number, r.AddBot(person, "hard"))
            await world.settles()
        refused = (
            "Hards already play at 1 tables here, as many as this server allows. Try: bot hard"
        )
        assert [refused] == world.refusals("bob")
        world.tables.submit(first, r.RemoveBot("ann"))
        await world.settles()
        world.tables.submit(second, r.AddBot("bob", "hard"))
        await world.settles()
        assert [] == world.refusals("bob")

    run(driver())


def test_who_asks_at_the_same_moment_reads_it_at_the_start_and_a_running_game_goes_on() -> None:
    async def driver() -> None:
        world = World(variant=THINKING, expert_tables_max=1)
        numbers = [await world.opened("ann"), await world.opened("bob")]
        for number, person in zip(numbers, ("ann", "bob"), strict=True):
            world.tables.submit(number, r.AddBot(person, "hard"))  # both are decided before ...
        await world.settles()  # ... either record is written
        for number, person in zip(numbers, ("ann", "bob"), strict=True):
            world.tables.submit(number, r.Start(person))
            await world.settles()
        assert [True, False] == [world.table(number).is_playing for number in numbers]
        assert "To play without: unbot" in world.refusals("bob")[-1]
        again = World(world.journal.disk, variant=THINKING, expert_tables_max=1)
        assert again.table(numbers[0]).is_playing

    run(driver())


def test_where_no_more_players_may_search_fill_seats_the_next_lower_level() -> None:
    async def driver() -> None:
        world = World(variant=THINKING, expert_tables_max=1)
        numbers = [
            world.tables.open_table(world.person(person), "duel", {"fill": "hard"}, is_play=True)
            for person in ("ann", "bob")
        ]
        await world.settles()
        for number, person in zip(numbers, ("ann", "bob"), strict=True):
            world.tables.submit(number, r.Start(person))  # at the same moment
        await world.settles()
        levels = [{o.level for o in world.table(n).seats if o.is_computer} for n in numbers]
        assert [{"hard"}, {"medium"}] == levels

    run(driver())


def test_a_start_with_a_searching_player_that_was_not_saved_gives_its_place_back() -> None:
    async def driver() -> None:
        world = World(variant=THINKING, expert_tables_max=1)
        for number, person in enumerate(("ann", "bob"), 1):
            world.tables.open_table(world.person(person), "duel", {"fill": "hard"}, is_play=True)
            await world.settles()
            if person == "ann":
                world.journal.fail()
            world.tables.submit(number, r.Start(person))
            await world.settles()
        assert {"hard"} == {o.level for o in world.table(2).seats if o.is_computer}

    run(driver())


class SlowBots(InlineBots):
    """Each answer takes a while."""

    def __init__(self, took_s: float) -> None:
        super().__init__(catalogue={"duel": THINKING})
        self._took_s = took_s

    async def choose(self, *question: Any) -> Any:
        await asyncio.sleep(self._took_s)
        return await super().choose(*question)


@pytest.mark.parametrize("pace", ["instant", "brisk", "person"])
@pytest.mark.parametrize("took_ms", [0, 1, 20, 57, 499, 500, 501, 730, 1_000, 1_333, 1_900])
def test_a_search_shows_its_answer_at_multiples_of_half_a_second_only(
    took_ms: int, pace: str
) -> None:
    async def driver() -> None:
        loop, shown = asyncio.get_running_loop(), asyncio.Queue[float]()
        at = Driver({"pace": pace}, variant=THINKING)
        at.does(r.AddBot("a", "hard"))
        at.starts()
        bots, rng = SlowBots(took_ms / 1000), Random(took_ms)
        seats = ComputerSeats(bots, lambda: "", rng, lambda _: shown.put_nowait(loop.time()))
        asked_at = loop.time()
        seats.schedule(at.table, at.table.automatic_turns(), 0.0)
        steps = (await shown.get() - asked_at) / STEP_S
        assert steps >= max(1, took_ms / 500)
        assert steps == pytest.approx(round(steps))

    run(driver())


def test_the_end_of_a_game_says_the_levels() -> None:
    driver = Driver().sits("b")
    driver.does(r.AddBot("a", "easy"))
    driver.starts()
    whole_game(driver)
    assert "Computer players: Milo (easy)." in driver.said()
