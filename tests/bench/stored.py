"""A start with what a large server has stored: tables that have closed, games that are recorded.

    python -m tests.bench.stored [TABLES [GAMES [DIRECTORY]]]

Seconds from the start of the process to its `ready` line, with the processor time until then, with
so many stored tables (100,000) and so many recorded games (1,000,000).  Every hundredth table has
the records of a whole game, the others those of one that was opened and left: no start reads any.
At most 2 s is the target; what lists take then is in `results.py`.  What was filled stays in
DIRECTORY, and is used again.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import encode
from mudserver.clock import wall_clock_ms
from mudserver.journal import Entry, StoredRecord
from mudserver.journal.sqlite.journal import JOURNAL_FILE, SqliteJournal
from mudserver.journal.streams import ACCOUNT_STREAMS, TABLE_STREAMS
from mudserver.transport.ssh import host_keys
from tests.bench import restart, results
from tests.bench.report import Row, Target
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world
from variants.catalogue import CATALOGUE

TABLES, GAMES = 100_000, 1_000_000
RUNS = 3
ENTRIES = 5_000  # records in one transaction, while the journal is filled
START_S = 2.0  # wanted


def rows(tables: int = TABLES, games: int = GAMES) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        figures = run(Path(folder) / "var", tables, games)
    name = f"start: {{}}, {tables:,} stored tables, {games:,} recorded games"
    return [
        Row(name.format("s to the ready line"), figures["ready_s"], (), Target("<=", START_S)),
        Row(name.format("s of CPU"), figures["cpu_s"]),
    ]


def run(directory: Path, tables: int, games: int, runs: int = RUNS) -> dict[str, tuple[float, ...]]:
    """Figures of *runs* starts."""
    if not (directory / JOURNAL_FILE).exists():
        variants = sorted(CATALOGUE)[: tables // 100]
        played = [restart.game_records(variant) for variant in variants]
        filling = directory.with_name(f"{directory.name} filling")  # half of it is none
        shutil.rmtree(filling, ignore_errors=True)
        asyncio.run(_fill(filling, played, _left_table(), tables, games))
        host_keys.load_or_create(filling, may_create=True)
        filling.rename(directory)
    log, ready_s, cpu_s = directory.with_suffix(".log"), list[float](), list[float]()
    for _ in range(runs):
        begun_s = time.monotonic()
        server = restart.serve(directory, log)
        ready_s.append(time.monotonic() - begun_s)
        cpu_s.append(restart.cpu_s(server.pid))
        server.send_signal(signal.SIGTERM)
        server.wait()
    return {"ready_s": tuple(ready_s), "cpu_s": tuple(cpu_s)}


async def _fill(
    directory: Path,
    played: Sequence[list[StoredRecord]],
    left: list[StoredRecord],
    tables: int,
    games: int,
) -> None:
    now_ms = wall_clock_ms()
    journal = SqliteJournal.open(directory, lambda: now_ms, results.CONFIG)
    await journal.append_all(_accounts())
    entries = _closed_tables(played, left, tables)
    while step := list(islice(entries, ENTRIES)):
        await journal.append_all(step)
    await results.MadeUpGames(games, now_ms).fill(journal)
    await journal.close()


def _accounts() -> list[Entry]:
    """The busiest account, and who has played most with it."""
    accounts, found = Accounts(), list[Entry]()
    for number, name in ((1, "ann"), (2, "bob")):
        events = accounts.open_account(f"p{number}", name, 1)
        found.append(Entry(ACCOUNT_STREAMS.name(number), 1, encode(events)))
    return found


def _left_table() -> list[StoredRecord]:
    """The records of a table that somebody opened and left."""
    world = new_world(7)

    async def scenario() -> None:
        server = await SimServer(world).open()
        person = server.person("ann")
        await asyncio.sleep(0.1)
        for line in ("open words", "leave"):
            person.type(line)
            await asyncio.sleep(1)
        await server.die()

    virtual.run(scenario())
    return world.disk.records["table/1"]


def _closed_tables(
    games: Sequence[list[StoredRecord]], left: list[StoredRecord], tables: int
) -> Iterator[Entry]:
    for number in range(1, tables + 1):
        records = left if number % 100 else games[number // 100 % len(games)]
        for record in records:
            is_last = record is records[-1]
            yield Entry(TABLE_STREAMS.name(number), record.sequence, record.body, closes=is_last)


if __name__ == "__main__":
    sizes = [*map(int, sys.argv[1:3])]
    with tempfile.TemporaryDirectory() as folder:
        where = Path(sys.argv[3] if len(sys.argv) > 3 else folder) / "var"
        for name, seconds in run(where, *[*sizes, *(TABLES, GAMES)[len(sizes) :]]).items():
            print(f"{name:8} {', '.join(f'{each:.2f}' for each in seconds)}")
