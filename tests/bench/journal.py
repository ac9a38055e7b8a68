"""What a durable record costs, beside bare sqlite3 in the same process.

CPU of the whole process, both threads, in microseconds a record.  Where PostgreSQL is installed the
same in it, on the same disk and in turn with SQLite; the CPU is that of this process alone.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from pathlib import Path
from statistics import median

from mudserver.config import schema
from mudserver.journal.opening import open_journal
from tests.postgres import Cluster, find_programs

BODY = b"x" * 100
IN_FLIGHT = (1, 32, 256)
PAIRS = 5  # of a run in PostgreSQL and one in SQLite
DEFAULTS = schema.JournalConfig()


def run(records: int = 20_000) -> dict[str, float]:
    """Microseconds of CPU a record, and records a second of wall time, by appends in flight."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for width in IN_FLIGHT:
            count = records if width > 1 else records // 10
            cpu_s, wall_s = asyncio.run(_appended(Path(folder) / str(width), width, count))
            figures[f"us_{width}_in_flight"] = cpu_s / count * 1e6
            figures[f"per_s_{width}_in_flight"] = count / wall_s
        for width in IN_FLIGHT:
            count = records if width > 1 else records // 10
            path = Path(folder) / f"bare-{width}.db"
            figures[f"us_bare_sqlite_{width}"] = _bare(path, width, count) / count * 1e6
        if (programs := find_programs()) is not None:
            figures |= _in_postgres(programs, Path(folder), records)
    return figures


def _in_postgres(programs: Path, folder: Path, records: int) -> dict[str, float]:
    """Microseconds a record, and its rate as a part of SQLite's, 32 in flight: medians of pairs."""
    cluster = Cluster(programs, in_memory=False)
    cpus, rates = list[float](), list[float]()
    try:
        for pair in range(PAIRS):
            config = schema.JournalConfig(postgres=asyncio.run(cluster.make_database()))
            place = folder / f"pair-{pair}"
            cpu_s, wall_s = asyncio.run(_appended(place / "postgres", 32, records, config))
            _, sqlite_s = asyncio.run(_appended(place / "sqlite", 32, records))
            cpus.append(cpu_s / records * 1e6)
            rates.append(sqlite_s / wall_s)
        return {"us_postgres_32": median(cpus), "rate_postgres_32": median(rates)}
    finally:
        cluster.remove()


async def _appended(
    directory: Path, width: int, count: int, config: schema.JournalConfig = DEFAULTS
) -> tuple[float, float]:
    journal = await open_journal(directory, lambda: 0, config)

    async def play(table: int) -> None:
        for sequence in range(1, count // width + 1):
            await journal.append(f"table/{table + 1}", sequence, BODY)

    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.gather(*(play(table) for table in range(width)))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    await journal.close()
    return cpu, wall


def _bare(path: Path, width: int, count: int) -> float:
    """The same rows by executemany, *width* in a transaction, without chain, thread or loop."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma locking_mode = exclusive")
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = full")
    db.execute(
        "create table record (id integer primary key, previous integer, sequence integer,"
        " at_ms integer, body blob, hash blob)"
    )
    insert = "insert into record (previous, sequence, at_ms, body, hash) values (?, ?, ?, ?, ?)"
    start = time.process_time()
    for sequence in range(count // width):
        rows = [(table, sequence, 0, BODY, bytes(32)) for table in range(width)]
        db.execute("begin immediate")
        db.executemany(insert, rows)
        db.execute("commit")
    spent = time.process_time() - start
    db.close()
    return spent


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name} {value:.1f}")
