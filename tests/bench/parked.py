"""What parked tables cost: `python -m tests.bench.parked [TABLES]`.

Each is a game of words by correspondence of two, some decisions old.  A start is measured four
times: without any table, with rows, after an outage, and without rows, so that every stream is
folded.  CPU of the whole process, what that is of the same start with all tables folded, and how
much its memory grows, notices of the games included; of each parked table what Python holds for
it, and what its row takes.  Then CPU of the lists.  It fails where parked tables take more than
START_S, or one of them more than EACH_BYTES.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any

from mudserver.clock import Clock
from mudserver.config.schema import Config, JournalConfig, TablesConfig
from mudserver.journal import Entry
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.outbox import Outbox
from mudserver.service.notices import Notices
from mudserver.service.own_games import OwnGames
from mudserver.source_budgets import SourceBudgets
from mudserver.tables import requests as r
from mudserver.tables.manager import TableManager
from mudserver.tables.parked import encode, index_row, parked
from tests.inline_bots import InlineBots
from tests.memory import give_back, resident_kib
from tests.mudserver.service.test_notices import FakeAccounts, FakeOutside
from tests.mudserver.tables.driver import Driver
from variants.catalogue import CATALOGUE

START_S = 2.0  # more than a start without tables
EACH_BYTES = 1_500
PLAYS = 12


def played() -> Driver:
    driver = Driver({"move": "14d"}, variant=CATALOGUE["words"])
    driver.now_ms = int(time.time() * 1000)
    driver.table.seat_since_ms = {}
    driver.starts("b")
    for _ in range(PLAYS):
        game = driver.table.game
        assert game is not None and game.window is not None
        driver.plays(game.seats[game.window.seats[0]].person or "")
    for person in "ab":
        driver.does(r.StepOut(person))
    return driver


async def filled(directory: Path, tables: int, *, has_rows: bool) -> None:
    driver, now_ms = played(), int(time.time() * 1000)
    journal = SqliteJournal.open(directory, lambda: now_ms, JournalConfig())
    for number in range(1, tables + 1):
        driver.table.number = number
        entries = [
            Entry(f"table/{number}", sequence, body)
            for sequence, body in enumerate(driver.bodies, 1)
        ]
        row = index_row(number, encode(parked(driver.table, now_ms)) if has_rows else b"")
        await journal.append_all(entries, index=[row])
    await journal.close()


async def started(
    directory: Path, away_s: float, *, is_traced: bool = False
) -> tuple[float, float, TableManager]:
    """CPU seconds, and MiB more; traced: as Python counts them."""
    clock = Clock(asyncio.get_running_loop(), int((time.time() + away_s) * 1000))
    journal = SqliteJournal.open(directory, clock.now_ms, JournalConfig())
    outbox, accounts = Outbox(), FakeAccounts()
    tables = TableManager(
        *(journal, outbox, clock, InlineBots(), TablesConfig()),
        catalogue=CATALOGUE,
        budgets=SourceBudgets(Config(), clock),
        source_of=lambda person: "",
    )
    own = OwnGames(tables, outbox, clock.now_ms, "words")
    others: tuple[Any, ...] = accounts, outbox, clock, FakeOutside()
    kept = Notices(tables, own, *others)
    assert kept is not None
    if is_traced:
        tracemalloc.start()
    give_back()
    memory, cpu_s = resident_kib(), time.process_time()
    await tables.restore()
    cpu_s = time.process_time() - cpu_s
    give_back()
    grown = resident_kib() - memory
    if is_traced:
        grown = tracemalloc.get_traced_memory()[0] // 1024
        tracemalloc.stop()
    return cpu_s, grown / 1024, tables


async def measured(tables: int) -> None:
    found: dict[str, float] = {}
    for name, count, has_rows, away_s in (
        ("none", 0, True, 0),
        ("folded", tables, False, 0),
        ("rows", tables, True, 0),
        ("outage", tables, True, 3_600),
    ):
        with tempfile.TemporaryDirectory() as folder:
            await filled(Path(folder), count, has_rows=has_rows)
            cpu_s, mib, manager = await started(Path(folder), away_s)
            assert count == manager.lists.count()
            found[name] = cpu_s
            share = f" of_folded={cpu_s / found['folded']:.3f}" if "folded" in found else ""
            print(
                f"{name:8} tables={count} parked={len(manager.parking)} cpu_s={cpu_s:.3f}{share}"
                f" mib={mib:.1f} kib_each={1024 * mib / max(1, count):.1f}"
            )
            await manager.close()
    for name in ("rows", "outage"):
        assert found[name] - found["none"] <= START_S, f"{name}: {found[name]:.2f} s"
    with tempfile.TemporaryDirectory() as folder:
        await filled(Path(folder), tables, has_rows=True)
        _, mib, manager = await started(Path(folder), 0, is_traced=True)
        each = 1_048_576 * mib / tables
        rows = manager.parking.rows
        packed = [len(rows._packed[number]) for number in rows.numbers()]
        print(f"each     traced_bytes={each:.0f} packed_bytes={sum(packed) / tables:.0f}")
        for name, ask in (
            ("tables", manager.lists.summaries),
            ("feed", manager.lists.rows),
            ("games", lambda: manager.lists.slow_games("a")),
        ):
            before = time.process_time()
            ask()
            print(f"{name:8} cpu_ms={1000 * (time.process_time() - before):.1f}")
        await manager.close()
        assert each <= EACH_BYTES, f"{each:.0f} bytes"


if __name__ == "__main__":
    asyncio.run(measured(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000))
