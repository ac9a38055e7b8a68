"""[TIME-1] to [TIME-6]: the clocks of a server with its listeners, its people and its restarts."""

from __future__ import annotations

import asyncio

from mudserver.tables import records as f
from tests.proofs.game import come_in, sit_down, table
from tests.simulation.disk import records
from tests.simulation.server import WALL_MS, SimServer, World, new_world
from tests.simulation.virtual import run

TIMED = "action=30 next=30"


def plays(server: SimServer) -> list[f.Played]:
    return [play for play in table(server).game.plays if isinstance(play, f.Played)]


async def begun(world: World, options: str = TIMED) -> tuple[SimServer, dict]:
    server = await SimServer(world).open()
    people = await come_in(server)
    await sit_down(people, computers=0, options=options)
    return server, people


def test_a_deadline_is_the_servers_own_and_in_the_journal():
    world = new_world(1)

    async def scenario() -> None:
        server, _ = await begun(world)
        [asked] = [x for r in records(world, 1) for x in r.facts if isinstance(x, f.Asked)]
        started = records(world, 1)[-1]
        assert started.at_ms + 30_000 == asked.deadline_ms == table(server).deadline_ms  # [TIME-1]

    run(scenario())


def test_time_outs_fire_while_nobody_is_connected():
    async def scenario() -> None:
        server, people = await begun(new_world(1))
        for person in people.values():
            person.link.drop()
        await asyncio.sleep(29)
        assert [] == plays(server)
        await asyncio.sleep(1.5)
        assert ["time"] == [play.by for play in plays(server)]  # [TIME-3]

    run(scenario())


def test_a_restart_gives_back_what_was_left_whatever_the_systems_clock_says():
    # 200 s: where it says that more than `tables.adjourn_after_s` have passed, games wait.
    for jump_ms in (-86_400_000, 0, 500, 200_000):
        world = new_world(1)
        left: list[int] = []

        async def first(world: World = world, left: list[int] = left) -> None:
            server, _ = await begun(world)
            await asyncio.sleep(12)
            alive_ms = world.disk.alive_ms
            assert alive_ms is not None
            left.append(table(server).deadline_ms - alive_ms)
            server.journal.disk.owner = None

        async def second(
            world: World = world, left: list[int] = left, jump_ms: int = jump_ms
        ) -> None:
            server = await SimServer(world, WALL_MS + 60_000 + jump_ms).open()
            opened_ms = server.clock.now_ms()
            await asyncio.sleep(0.01)
            assert opened_ms + left[0] == table(server).deadline_ms  # [TIME-2, TIME-6]
            await asyncio.sleep(left[0] / 1000 - 0.1)
            assert [] == plays(server)
            await asyncio.sleep(0.2)
            assert ["time"] == [play.by for play in plays(server)]

        run(first())
        run(second())
        assert 0 < left[0] < 30_000


def test_of_two_answers_in_one_millisecond_the_first_counts_and_the_second_is_told_why():
    world = new_world(1)

    async def scenario() -> None:
        server, people = await begun(world)
        asked = next(person for person in people.values() if person.is_asked)
        before = len(records(world, 1))
        asked.forget()
        asked.press(b"draw\rdraw\r")
        await asyncio.sleep(0.2)
        assert 1 == len(plays(server)) == len(records(world, 1)) - before  # [TIME-4]
        assert "It's ann's turn." in asked.text or "It's bob's turn." in asked.text

    run(scenario())


def test_every_new_window_is_a_full_window():
    world = new_world(1)

    async def scenario() -> None:
        server, people = await begun(world)
        for _ in range(4):
            await asyncio.sleep(11)
            asked = next(person for person in people.values() if person.is_asked)
            window = table(server).game.window.key
            asked.type((await asked.moves())[0])
            await asyncio.sleep(0.1)
            [*_, record] = records(world, 1)
            assert window != table(server).game.window.key
            assert record.at_ms + 30_000 == table(server).deadline_ms  # [TIME-5]

    run(scenario())
