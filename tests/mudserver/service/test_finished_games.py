"""What accounts remember of their games, with a server that dies."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.accounts.played import PlayedGame
from mudserver.errors import JournalWriteError
from mudserver.journal import Entry
from tests.mudserver.service.test_account_streams import Run
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world
from tests.toys.duel.game import DUEL


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
        game = PlayedGame("words", 7, 1, "easy", 1, 2, 1)
        decides = {"p1": lambda: run.accounts.note_game("p1", game, ("easy",))}
        entry = Entry("table/7", 1, b"{}")
        if fails:
            run.journal.fail(keeps=is_kept)
            with pytest.raises(JournalWriteError):
                await run.streams.append_with(entry, decides)
            await run.sets(1)  # reads again what became of the record
        else:
            await run.streams.append_with(entry, decides)
        tables = len(run.journal.read("table/7"))
        return tables, run.accounts.played("p1", "words").finished, Run(run.journal.disk)

    for fails, is_kept, count in ((True, False, 0), (True, True, 1), (False, False, 1)):
        tables, finished, again = virtual.run(scenario(fails, is_kept))
        assert count == tables == finished == again.accounts.played("p1", "words").finished
