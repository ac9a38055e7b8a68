"""What the whole server does with the budget of decisions: sessions, sources and the journal."""

from __future__ import annotations

import asyncio

from mudserver.source_budgets import Kind
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

SENTENCE = "Too many games have been played from your address. New games again in 5 minutes."


async def said(person, line: str) -> str:
    person.forget()
    person.type(line)
    await asyncio.sleep(0.5)
    return " ".join(person.text.split())


def test_a_session_pays_for_its_table_and_reads_what_its_address_may_not_open():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        budgets, ann = server.app.budgets, server.person("ann")
        budgets.is_roomy[Kind.DECISIONS] = lambda: False
        charged = []
        budgets.charge = lambda kind, *what: charged.append((kind, *what))
        await asyncio.sleep(0.5)
        await said(ann, "open elimination")
        await said(ann, "bot")
        del budgets.charge
        budgets.charge(Kind.DECISIONS, ann.link.peer, 4_000 + 5 * 60 * 4)
        started = await said(ann, "start")
        await said(ann, "leave")
        await asyncio.sleep(0.5)
        opened = await said(ann, "open elimination")
        held = budgets.held(Kind.TABLES)
        await server.stop()
        return charged, ann.link.peer, started, opened, held

    charged, peer, started, opened, held = virtual.run(scenario())
    assert [(Kind.DECISIONS, peer, 4), (Kind.DECISIONS, peer, 1)] == charged
    assert SENTENCE in started and SENTENCE in opened
    assert 1 == held  # the first table is still empty; nothing is held for the second


def test_budgets_are_wide_until_the_journal_is_half_full():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        found = []
        for level in (0.0, 0.49, 0.5, 0.9):
            server.journal.level = lambda level=level: level
            found.append(server.app.budgets.is_roomy[Kind.DECISIONS]())
        del server.journal.level
        await server.stop()
        return found

    assert [True, True, False, False] == virtual.run(scenario())
