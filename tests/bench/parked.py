"""What parked tables cost: `python -m tests.bench.parked [TABLES]`.

Each is a game of words by correspondence of two, some decisions old.  A start is measured four
times: without any table, with rows, after an outage, and without rows, so that every stream is
folded.  CPU of the whole process, what that is of the same start with all tables folded, and how
much its memory grows, notices of the games included; of each parked table what Python holds for
it, and what it takes on disk.  Then CPU of the lists, and of what is asked for each prompt and
each login of somebody with OWN games.  It fails where parked tables take more than START_S, one of
them more than EACH_BYTES of Python, or all of them more than MIB_MAX.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
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
from mudserver.tables.open_tables import OpenTables
from mudserver.tables.parked import encode, index_row, parked
from tests.inline_bots import InlineBots
from tests.memory import give_back, resident_kib
from tests.mudserver.service.test_notices import FakeAccounts, FakeOutside
from tests.mudserver.tables.driver import Driver
from variants.catalogue import CATALOGUE

START_S = 2.0  # more than a start without tables
EACH_BYTES = 300  # of lists who plays where; 136 of 5,000 tables, 244 of 500
MIB_MAX = 4.0  # what Python has not given back after the start counts, too
PLAYS = 12
OWN = 20  # games of a person
TIMES = 100


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


def row_of(driver: Driver, now_ms: int) -> bytes:
    """With other people for each OWN tables."""
    body = encode(parked(driver.table, now_ms))
    for person in "ab":
        other = f'"{person}{driver.table.number // OWN}"'
        body = body.replace(f'"{person}"'.encode(), other.encode())
    return body


async def filled(directory: Path, tables: int, *, has_rows: bool) -> None:
    driver, now_ms = played(), int(time.time() * 1000)
    journal = SqliteJournal.open(directory, lambda: now_ms, JournalConfig())
    for number in range(1, tables + 1):
        driver.table.number = number
        entries = [
            Entry(f"table/{number}", sequence, body)
            for sequence, body in enumerate(driver.bodies, 1)
        ]
        row = index_row(number, row_of(driver, now_ms) if has_rows else b"")
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
            found[f"{name} MiB"] = mib
    for name in ("rows", "outage"):
        assert found[name] - found["none"] <= START_S, f"{name}: {found[name]:.2f} s"
        assert found[f"{name} MiB"] <= MIB_MAX, f"{name}: {found[f'{name} MiB']:.1f} MiB"
    with tempfile.TemporaryDirectory() as folder:
        await filled(Path(folder), tables, has_rows=True)
        _, mib, manager = await started(Path(folder), 0, is_traced=True)
        each = 1_048_576 * mib / tables
        pages = manager.parking.db.value("pragma page_count")
        disk_bytes = pages * manager.parking.db.value("pragma page_size") / tables
        print(f"each     traced_bytes={each:.0f} disk_bytes={disk_bytes:.0f}")
        report(manager.lists)
        await manager.close()
        assert each <= EACH_BYTES, f"{each:.0f} bytes"


def report(lists: OpenTables) -> None:
    """CPU of what is asked of them."""

    def login() -> None:
        lists.slow_games("a3")
        lists.own_games("a3")
        lists.tables_left("a3")
        lists.keeps_seat("a3")

    asked: tuple[tuple[str, Callable[[], object], int], ...] = (
        ("tables", lists.summaries, 3),
        ("feed", lists.rows, 3),
        ("games", lambda: lists.slow_games("a3"), TIMES),
        ("prompt", lambda: lists.asked_at("a3") + lists.asked_at("b3"), TIMES),
        ("login", login, TIMES),
        ("count", lists.count, TIMES),
        ("is there", lambda: lists.has(7), TIMES),
    )
    for name, ask, times in asked:
        before = time.process_time()
        for _ in range(times):
            ask()
        print(f"{name:8} cpu_ms={1000 * (time.process_time() - before) / times:.3f}")


if __name__ == "__main__":
    asyncio.run(measured(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000))
