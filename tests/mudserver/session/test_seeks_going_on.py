"""Offered games go along with the session of their person, and none comes back that was taken."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.source_budgets import Kind
from tests.live import live_table
from tests.mudserver.session.test_going_on import come, go_on, restarted
from tests.simulation import virtual
from tests.simulation.seeks import check_seeks
from tests.simulation.server import SimServer, new_world


@pytest.mark.parametrize("is_planned", [True, False])
def test_offered_games_go_along_and_nobody_reads_of_them_again(is_planned):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await come(server, "ann"), await come(server, "bob")
        for line in ("seek words", "seek stockpile", "seek off", "seek words short"):
            ann.type(line)
            await asyncio.sleep(1)
        assert 1 == bob.text.count("ann seeks a game: words short.")
        if is_planned:
            ann.session.leave_capsule(is_planned=True)
        server = await restarted(server)
        ann, bob = await go_on(server, ann, "ann"), await go_on(server, bob, "bob")
        bob.type("seeks")
        await asyncio.sleep(1)
        assert "3  words short, ann" in bob.text and "words, ann" not in bob.text
        assert 0 == bob.text.count("seeks a game")
        assert 1 == server.app.budgets.held(Kind.SEEKS)
        await asyncio.sleep(1_800)
        assert 0 == server.app.budgets.held(Kind.SEEKS)
        assert "Your offer 3 (words short) has ended" in ann.text

    virtual.run(scenario())


@pytest.mark.parametrize("game", ["words", "words correspondence"])
def test_an_offer_that_was_taken_meanwhile_does_not_come_back(game):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await come(server, "ann"), await come(server, "bob")
        ann.type(f"seek {game}")
        await asyncio.sleep(1)
        left = ann.holder.capsule
        bob.type("accept 1")
        await asyncio.sleep(1)
        ann.holder.capsule = left  # the crash took the newer one
        server = await restarted(server)
        ann, bob = await go_on(server, ann, "ann"), await go_on(server, bob, "bob")
        await asyncio.sleep(1)
        bob.type("seeks")
        await asyncio.sleep(1)
        assert "Nobody seeks" in bob.text and 0 == server.app.budgets.held(Kind.SEEKS)

    virtual.run(scenario())


def test_nor_does_one_whose_game_is_parked():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob, cid = [await come(server, name) for name in ("ann", "bob", "cid")]
        ann.type("seek elimination correspondence seats=2")
        await asyncio.sleep(1)
        left = ann.holder.capsule
        for person, line in ((bob, "accept 1"), (ann, "start"), (bob, "start"), (ann, "/lobby"),
                             (bob, "/lobby")):  # fmt: skip
            person.type(line)
            await asyncio.sleep(1)
        await asyncio.sleep(120)
        assert 1 in server.app.table_manager.parking
        ann.holder.capsule = left
        server = await restarted(server)
        ann, cid = await go_on(server, ann, "ann"), await go_on(server, cid, "cid")
        for line in ("seeks", "accept 1"):
            cid.type(line)
            await asyncio.sleep(1)
        assert "Nobody seeks" in cid.text and "That offer is gone." in cid.text

    virtual.run(scenario())


async def killed_while_it_is_taken(game: str, records: int) -> tuple[bool, list[str], str]:
    """Whether the server has died at that record; who sits then, and what was read before."""
    server = await SimServer(new_world(1)).open()
    ann, bob = await come(server, "ann"), await come(server, "bob")
    ann.type(f"seek {game}")
    await asyncio.sleep(1)
    died = server.journal.doom(records)
    bob.type("accept 1")
    await asyncio.sleep(1)
    read, has_died = ann.text + bob.text, died.is_set()
    server = await restarted(server)
    ann, bob = await go_on(server, ann, "ann"), await go_on(server, bob, "bob")
    await asyncio.sleep(1)
    check_seeks(server.app)
    table = live_table(server.app.table_manager, 1)
    for person in (ann, bob):
        person.type("seeks")
        await asyncio.sleep(1)
        assert "Games that people seek" in person.text or "Nobody seeks" in person.text
    return has_died, [] if table is None else [o.name for o in table.seats], read


@pytest.mark.parametrize("game", ["words", "words correspondence"])
def test_killed_at_any_record_nobody_was_told_more_than_is_written(game):
    found = []
    for records in range(1, 9):
        has_died, seated, read = virtual.run(killed_while_it_is_taken(game, records))
        found.append((seated, "takes your offer" in read, "You take ann's offer" in read))
        if not has_died:
            break
    assert [(["ann"], False, False), (["ann", "bob"], False, False),
            (["ann", "bob"], True, True)] == found  # fmt: skip
