"""How long nobody gets in while a server with many stored tables is started again.

    python -m tests.bench.restart [TABLES [OPEN]]

Seconds from SIGTERM to the end of the one server and on to the `ready` line of the next, and the
processor time of that start, with so many stored tables (1,000) of which so many are open (all of
them), each with a whole game in the journal.  At most 2 s is the target.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from mudserver.config import schema
from mudserver.journal import StoredRecord
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.transport.ssh import host_keys
from tests.proofs.game import come_in, one_round, play_on, sit_down
from tests.simulation.server import SimServer, new_world
from tests.simulation.virtual import run
from variants.catalogue import CATALOGUE

RUNS = 3


def game_records(variant: str) -> list[StoredRecord]:
    """The records of a table at which one game was played to its end."""
    world = new_world(7)

    async def scenario() -> None:
        server = await SimServer(world).open()
        people = await come_in(server)
        await sit_down(people, 2, one_round(variant), variant)
        await play_on(server, people, Random(7))
        await server.die()

    run(scenario())
    return world.disk.records["table/1"]


async def _stored(
    directory: Path, games: list[list[StoredRecord]], tables: int, open_tables: int
) -> int:
    """Write a journal of so many tables; returns how many records it has."""
    now_ms = 0
    journal = SqliteJournal.open(directory, lambda: now_ms, schema.JournalConfig())

    async def table(number: int) -> int:
        records = games[number % len(games)]
        for record in records:
            is_last = number > open_tables and record is records[-1]
            await journal.append(f"table/{number}", record.sequence, record.body, closes=is_last)
        return len(records)

    counts = await asyncio.gather(*(table(number) for number in range(1, tables + 1)))
    await journal.close()
    return sum(counts)


def serve(directory: Path, log: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "mudserver", "serve", "--data", str(directory)]
    ports = ["--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0"]
    with log.open("a") as file:
        server = subprocess.Popen(
            [*command, *ports], stdout=subprocess.PIPE, stderr=file, text=True
        )
    assert server.stdout is not None
    assert server.stdout.readline().startswith("ready")
    return server


def cpu_s(pid: int) -> float:
    """Processor time of a process until now: what its start costs where nothing else runs."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(tables: int = 1_000, open_tables: int | None = None) -> None:
    open_tables = tables if open_tables is None else open_tables
    with tempfile.TemporaryDirectory() as folder:
        directory, log = Path(folder) / "var", Path(folder) / "log"
        games = [game_records(variant) for variant in sorted(CATALOGUE)]
        records = asyncio.run(_stored(directory, games, tables, open_tables))
        host_keys.load_or_create(directory, may_create=True)
        server = serve(directory, log)
        seconds = []
        for _ in range(RUNS):
            begun = time.monotonic()
            server.send_signal(signal.SIGTERM)
            server.wait()
            closed = time.monotonic()
            server = serve(directory, log)
            seconds.append((closed - begun, time.monotonic() - closed, cpu_s(server.pid)))
        server.send_signal(signal.SIGTERM)
        server.wait()
    runs = ", ".join(f"{down:.2f} + {up:.2f}" for down, up, _ in seconds)
    best = min(down + up for down, up, _ in seconds)
    cpu = min(used for _, _, used in seconds)
    print(f"restart tables={tables} open={open_tables} records={records} "
          f"down+up_s=[{runs}] best_s={best:.2f} cpu_s={cpu:.2f}")  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
