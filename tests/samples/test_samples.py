"""What an older server wrote is opened, folds, and is played on."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.config import schema as config
from mudserver.journal.sqlite import migrations
from mudserver.journal.sqlite.inspector import open_inspector
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.ops.journal_audit import audit_journal
from tests.live import live_table
from tests.memory_journal import Disk
from tests.samples.make import SEED, play, sample, unpacked
from tests.simulation.disk import check_cards
from tests.simulation.server import SimServer, World
from tests.simulation.virtual import run
from variants.catalogue import CATALOGUE

every_schema = pytest.mark.parametrize("schema", range(1, migrations.newest_schema() + 1))


def test_every_schema_has_its_sample():
    """`python -m tests.samples.make` makes that of a new one, before it is released."""
    missing = [n for n in range(1, migrations.newest_schema() + 1) if not sample(n).exists()]
    assert [] == missing


SAMPLED = ("elimination", "stockpile", "words")
"""The games of the samples, by table.  A sample is history: later games are not in it."""


def read_by_the_server(path) -> Disk:
    """Everything in the journal, through the server's own opening and reading."""

    async def read() -> Disk:
        journal = SqliteJournal.open(path.parent, lambda: 0, config.JournalConfig())
        disk = Disk(alive_ms=journal.last_alive_ms)
        disk.records = {stream: records async for stream, records in journal.read_each("")}
        disk.closed = set(await journal.streams("", is_open=False))
        await journal.close()
        return disk

    return asyncio.run(read())


@every_schema
def test_its_games_fold_and_go_on(tmp_path, schema):
    world = World(SEED, read_by_the_server(unpacked(schema, tmp_path)), config.Config())
    with open_inspector(tmp_path / "journal.db") as inspector:
        audit = audit_journal(inspector, CATALOGUE, config.TablesConfig())
    assert ([], 6, 4, 3, 6) == (
        audit.faults, audit.people, audit.tables, audit.open_tables, audit.games
    )  # fmt: skip

    async def scenario() -> None:
        server = await SimServer(world).open()
        for number, variant in enumerate(SAMPLED, 1):
            table = live_table(server.app.table_manager, number)
            assert (variant, "playing") == (table.variant.name, table.phase)
            people = [server.person(f"{name}-{variant}") for name in ("ann", "bob")]
            await asyncio.sleep(0.1)
            assert f"a seat at table {number};" in " ".join(people[0].text.split())
            assert "colour-blind" == server.app.account_service._accounts.preference(
                f"p{2 * number - 1}", "theme"
            )
            before = table.sequence
            await play(server, people, number, turns=8)
            assert table.sequence >= before + 8 or table.phase == "over"
            check_cards(table.game)
        await server.die()

    run(scenario())
