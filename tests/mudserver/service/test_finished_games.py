"""What accounts remember of their games, with a server that dies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from mudserver.accounts.events import AccountEvent
from mudserver.accounts.played import PlayedGame
from mudserver.errors import JournalConflictError, JournalWriteError
from mudserver.journal import Entry
from tests.mudserver.service.test_account_streams import Rival, Run
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world
from tests.toys.duel.game import DUEL


def end(table: int = 7, sequence: int = 1) -> Entry:
    return Entry(f"table/{table}", sequence, b"{}")


def played(run: Run, *ids: str) -> dict[str, Callable[[], list[AccountEvent]]]:
    """What these accounts remember of a game that ends, the first one on the first place."""
    return {
        id: partial(
            run.accounts.note_game,
            id,
            PlayedGame("words", 7, 1, "easy", place, len(ids), 1),
            ("easy",),
        )
        for place, id in enumerate(ids, start=1)
    }


def finished(run: Run, id: str = "p1") -> int:
    return run.accounts.played(id, "words").finished


async def types(person: Seatholder, *lines: str) -> None:
    for line in lines:
        person.type(line)
        await asyncio.sleep(2)


def test_levels_that_fit_fill_the_table_and_are_known_after_a_crash():
    async def scenario():
        world = new_world(1)
        world.catalogue = {DUEL.name: DUEL}
        server = await SimServer(world).open()
        ann = server.person("Ann")
        await asyncio.sleep(0.5)
        for _ in range(2):
            await types(ann, "play duel", "start")
            await asyncio.sleep(1_200)  # the clock plays, then a computer for who is away
            await types(ann, "leave")
        service = server.app.account_service
        account = service.person_named("ann")
        first = service._accounts.played(account.id, "duel")
        await server.die()
        server = await SimServer(world).open()
        service = server.app.account_service
        again = service._accounts.played(account.id, "duel")
        return first, again, service.last_variant(account), server.app.service.newcomers(), ann.text

    first, again, variant, newcomers, text = virtual.run(scenario())
    assert first == again and first.finished == 2, text
    assert "duel" == variant and 2 == newcomers["duel"]["games"]


def test_the_end_of_a_game_and_what_accounts_remember_are_one_transaction():
    async def scenario(fails: bool, is_kept: bool):
        run = Run()
        await run.opens()
        decides, entry = played(run, "p1"), end()
        if fails:
            run.journal.fail(keeps=is_kept)
            with pytest.raises(JournalWriteError):
                await run.streams.append_with([entry], decides)
            await run.sets(1)  # reads again what became of the record
        else:
            await run.streams.append_with([entry], decides)
        tables = len(run.journal.disk.read("table/7"))
        return tables, finished(run), Run(run.journal.disk)

    for fails, is_kept, count in ((True, False, 0), (True, True, 1), (False, False, 1)):
        tables, now, again = virtual.run(scenario(fails, is_kept))
        assert count == tables == now == finished(again)


def test_two_games_that_end_at_once_for_the_same_people_are_both_remembered():
    async def scenario():
        run = Run()
        await run.opens()
        await run.opens("p2", "bob")
        await asyncio.gather(
            run.streams.append_with([end()], played(run, "p1", "p2")),
            run.streams.append_with([end(8)], played(run, "p2", "p1")),
            run.sets(3),
        )
        return finished(run), finished(run, "p2"), run.width()

    assert (2, 2, "43") == virtual.run(scenario())


def test_what_another_server_wrote_of_the_account_is_read_before_the_end_is_written():
    async def scenario():
        run = Run()
        await run.opens()
        Rival(run, 1)
        await run.streams.append_with([end()], played(run, "p1"))
        return finished(run), run.accounts.preference("p1", "bell"), run.records("table/7")

    assert (1, "off", 1) == virtual.run(scenario())


def test_a_conflict_of_the_table_itself_is_raised_and_nothing_is_written():
    async def scenario():
        run = Run()
        await run.opens()
        with pytest.raises(JournalConflictError):
            await run.streams.append_with([end(sequence=5)], played(run, "p1"))
        return finished(run), run.records(), run.records("table/7")

    assert (0, 1, 0) == virtual.run(scenario())
