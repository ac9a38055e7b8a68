"""A game ends, and then the process: its people read the end once, and its board stands on."""

from __future__ import annotations

import asyncio

import pytest

from tests.mudserver.session.test_going_on import ANSI, READER, HeldLink, go_on, restarted
from tests.mudserver.session.test_missed import name_of, objects, playing
from tests.mudserver.session.test_panes_go_on import rows_of
from tests.simulation import virtual


async def drawn(ann: HeldLink, bob: HeldLink) -> None:
    ann.type("offer draw")
    await asyncio.sleep(5)
    bob.type("accept")
    await asyncio.sleep(5)


def test_the_board_of_the_end_stands_after_a_restart_as_before():
    async def scenario() -> None:
        server, ann, bob = await playing()
        ann.type("/screen on")
        await drawn(ann, bob)
        before = rows_of(ann)
        assert "Game over" in before[0] and "Type rematch." in before[-2]
        for _ in range(2):
            server = await restarted(server)
            ann = await go_on(server, ann, "ann")
            assert (before[0], before[-2:]) == (rows_of(ann)[0], rows_of(ann)[-2:])
            assert any("You are dealt: " in row for row in rows_of(ann))  # in the log
            ann.type("look")
            await asyncio.sleep(1)
            assert (before[0], before[-2:]) == (rows_of(ann)[0], rows_of(ann)[-2:])

    virtual.run(scenario())


@pytest.mark.parametrize("terminal", [ANSI, READER])
def test_an_end_that_was_missed_is_told_once(terminal):
    async def scenario() -> None:
        server, ann, bob = await playing(terminal)
        ann.is_cut = True  # what is sent to it dies with the process
        await drawn(ann, bob)
        told = [row for row in bob.text.splitlines() if "Game over: " in row or "Seed: " in row]
        assert 2 == len(told)
        server = await restarted(server)
        ann = await go_on(server, ann, name_of(ann))
        assert [1, 1] == [ann.text.count(row) for row in told]
        server = await restarted(server)
        ann = await go_on(server, ann, name_of(ann))
        assert [0, 0] == [ann.text.count(row) for row in told]

    virtual.run(scenario())


def test_a_program_that_has_missed_the_end_reads_it():
    async def scenario() -> None:
        server, ann, bob = await playing(wants_json=True)
        ann.is_cut = True
        await drawn(ann, bob)
        server = await restarted(server)
        ann = await go_on(server, ann, name_of(ann))
        kinds = [it["type"] for it in objects(ann)]
        assert 1 == kinds.count("over")
        server = await restarted(server)
        ann = await go_on(server, ann, name_of(ann))
        assert "over" not in [it["type"] for it in objects(ann)]

    virtual.run(scenario())
