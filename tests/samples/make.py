"""Makes the sample of the present schema: `python -m tests.samples.make`.

One run: in each game a table has played to the end and is in the middle of a rematch; a table
has closed; people have accounts, keys and settings.  Made once when a schema is new, then never
again: what an older server wrote is the point of it.

Rule 1: an existing sample is never overwritten.
"""

from __future__ import annotations

import asyncio
import gzip
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.config import schema as config
from mudserver.journal.sqlite import migrations
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.journal.streams import ACCOUNT_STREAMS, RESULT_STREAM
from mudserver.results.events import decode as decode_result
from mudserver.results.rows import index_rows
from tests.live import live_table
from tests.proofs.game import one_round
from tests.simulation.server import Seatholder, SimServer, World, new_world
from tests.simulation.virtual import run
from variants.catalogue import CATALOGUE

FOLDER = Path(__file__).parent
SEED = 2026


def sample(schema: int) -> Path:
    return FOLDER / f"schema-{schema}.db.gz"


def unpacked(schema: int, directory: Path) -> Path:
    """The sample as the journal in *directory*."""
    directory.mkdir(exist_ok=True)
    path = directory / "journal.db"
    path.write_bytes(gzip.decompress(sample(schema).read_bytes()))
    return path


async def play(server: SimServer, people: list[Seatholder], number: int, turns: int) -> None:
    """Until the game at table *number* is over, or *people* have played so often."""
    rng = Random(number)
    while (
        turns
        and (table := live_table(server.app.table_manager, number)) is not None
        and table.is_playing
    ):
        for person in people:
            if turns and person.is_asked and (moves := await person.moves()):
                person.type(rng.choice(moves))
                turns -= 1
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.05)


async def _sit_down(server: SimServer, number: int, variant: str) -> list[Seatholder]:
    people = [server.person(f"{name}-{variant}") for name in ("ann", "bob")]
    await asyncio.sleep(0.1)
    lines = [(0, "set theme colour-blind"), (1, "autopass on"),
             (0, f"open {variant} pace=instant {one_round(variant)}"), (1, f"sit {number}"),
             (0, "bot")]  # fmt: skip
    for who, line in lines:
        people[who].type(line)
        await asyncio.sleep(0.1)
    return people


async def _play_everything(world: World) -> None:
    server = await SimServer(world).open()
    tables = [
        await _sit_down(server, number, variant)
        for number, variant in enumerate(sorted(CATALOGUE), 1)
    ]
    passer_by = server.guest()
    await asyncio.sleep(0.1)
    passer_by.type("open elimination")
    await asyncio.sleep(0.1)
    passer_by.type("quit")
    await asyncio.sleep(200)  # longer than an empty table stays
    for turns in (10_000, 4):
        for number, people in enumerate(tables, 1):
            for person in people:
                person.type("start")
                await asyncio.sleep(0.1)
            await play(server, people, number, turns)
    await server.journal.write_heartbeat()
    await server.die()


async def _written(world: World, directory: Path) -> None:
    """The disk in memory as a journal in a file, record by record as it came about."""
    now_ms = 0
    journal = SqliteJournal.open(directory, lambda: now_ms, config.JournalConfig())
    rows: list[tuple[int, str, Any]] = [
        (stored.at_ms, stream, stored)
        for stream, records in world.disk.records.items()
        for stored in records
    ]
    for at_ms, stream, stored in sorted(rows, key=lambda row: row[0]):
        now_ms = at_ms
        is_last = stored is world.disk.records[stream][-1]
        closes = is_last and stream in world.disk.closed
        await journal.append(stream, stored.sequence, stored.body, closes=closes)
    for stream in sorted(world.disk.closed):
        await journal.rank(stream, *world.disk.ranks[stream])
    found = [(it.sequence, decode_result(it.body)) for it in await journal.read(RESULT_STREAM)]
    rows = [row for sequence, event in found for row in index_rows(sequence, event)]
    await journal.append_all([], index=rows)
    await _trim_account(journal, 1, now_ms)
    await journal.close()


async def _trim_account(journal: SqliteJournal, number: int, now_ms: int) -> None:
    """Replace the records of an account by a snapshot."""
    stream, accounts = ACCOUNT_STREAMS.name(number), Accounts()
    stored = await journal.read(stream)
    for event in (event for record in stored for event in decode(record.body)):
        accounts.apply(event)
    snapshot = encode(accounts.snapshot(f"p{number}", now_ms))
    await journal.append(stream, stored[-1].sequence + 1, snapshot)
    await journal.trim(stream)


def main() -> None:
    target = sample(migrations.newest_schema())
    if target.exists():
        sys.exit(f"{target.name} is there already, and stays as it is")
    world = new_world(SEED)
    run(_play_everything(world))
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_written(world, Path(folder)))
        target.write_bytes(gzip.compress((Path(folder) / "journal.db").read_bytes(), mtime=0))
    print(f"{target.name} bytes={target.stat().st_size} streams={len(world.disk.records)}")


if __name__ == "__main__":
    main()
