"""One address plays instant games as fast as it can: it writes its budget, and others go on.

The server and its games are real, the journal is in memory and the clock virtual.

Rule 1: the people of the address are idle: computer players decide for them, too, and whenever a
        game is over they start the next one.
Rule 2: the journal counts as more than half full, so that nobody has four times the budget.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from mudserver.config import schema
from mudserver.source_budgets import Kind
from mudserver.transport.link import AuthenticatedUser
from tests.live import live_table
from tests.proofs.test_full_journal import newcomer_plays, somebody_opens_a_table
from tests.simulation import virtual
from tests.simulation.server import FakeLink, SimServer, new_world

GUESTS = 5  # of one address
GAME = 60  # decisions of one that began in time, on average
ADDRESS = "192.0.2.1"
OPENING = ("open elimination pace=instant seats=6 clock.action=5 clock.next=5", *["bot"] * 5)
TOO_MANY_GAMES = "Too many games have been played from your address. New games again in"


@dataclass
class Guest:
    server: SimServer

    def __post_init__(self) -> None:
        self.link = FakeLink(protocol="ssh", peer=ADDRESS)
        self.server.connect(self.link, AuthenticatedUser("guest", "guest"))
        self.refused = 0

    async def play_on(self) -> None:
        """Games without end."""
        tables, session = self.server.app.table_manager, self.link.handler
        while True:
            await asyncio.sleep(1)
            self.refused += TOO_MANY_GAMES in self.link.text
            self.link.received.clear()
            number = tables.table_of(session.person.id)
            table = None if number is None else live_table(tables, number)
            if table is None or not table.is_playing:
                for line in OPENING if table is None else ("start",):
                    session.on_data(line.encode() + b"\r")


@dataclass
class Found:
    records: int = 0
    bytes: int = 0
    refused: int = 0


def attacked(sources: schema.SourceLimits, seconds: float) -> Found:
    """What is in the journal then.

    Asserts that it is the budget and the games that had begun, and that a newcomer registers, opens
    a table and plays.
    """
    found = Found()

    async def scenario() -> None:
        server = await SimServer(new_world(3, sources=sources)).open()
        server.app.budgets.is_roomy[Kind.DECISIONS] = lambda: False
        guests = [Guest(server) for _ in range(GUESTS)]
        playing = [asyncio.create_task(guest.play_on()) for guest in guests]
        await asyncio.sleep(seconds)
        for task in playing:
            assert not task.done(), task.exception()
            task.cancel()
        kept = server.world.disk.records
        bodies = [
            each.body for stream in kept if stream.startswith("table/") for each in kept[stream]
        ]
        found.records, found.bytes = len(bodies), sum(map(len, bodies))
        found.refused = sum(guest.refused for guest in guests)
        await newcomer_plays(server, "newcomer")
        await asyncio.sleep(300)  # until a long game of the newcomer is forgiven
        await somebody_opens_a_table(server, "newcomer")
        await server.stop()

    virtual.run(scenario())
    budget = sources.decisions_per_source_burst + seconds * sources.decisions_per_source_per_s
    assert budget < found.records < budget + GUESTS * GAME
    assert found.bytes < 500 * found.records
    assert found.refused
    return found


def test_five_minutes_of_instant_games_of_one_address_write_its_budget():
    attacked(
        schema.SourceLimits(decisions_per_source_per_s=0.5, decisions_per_source_burst=100), 300
    )


@pytest.mark.prove
def test_an_hour_of_instant_games_of_one_address_writes_its_budget():
    print(attacked(schema.SourceLimits(), 3_600))
