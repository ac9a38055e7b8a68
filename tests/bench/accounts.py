"""What accounts cost: trimming a stream that has grown, and starting with many of them.

CPU of the whole process.  A stream to trim has 200 records of 100 bytes, and a snapshot at its end.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from base64 import b64encode
from pathlib import Path

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import encode
from mudserver.accounts.events import AccountOpened, KeyAdded, PreferenceSet
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.journal import Entry
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.ops.process_stats import resident_bytes
from mudserver.service.account_streams import AccountStreams
from tests.bench.report import Row, Target

RECORDS = 200  # of a stream before it is trimmed
BODY = b"x" * 100
ACCOUNTS = 100_000  # for which the targets of memory and start are meant


def run(streams: int = 200, accounts: int = ACCOUNTS) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(_trimmed(Path(folder) / "trim", streams))
        asyncio.run(_filled(Path(folder) / "start", accounts))
        return figures | asyncio.run(_started(Path(folder) / "start", accounts))


def rows(times: int) -> list[Row]:
    found = [run() for _ in range(times)]

    def values(name: str) -> tuple[float, ...]:
        return tuple(figures[name] for figures in found)

    return [
        Row("accounts: ms of CPU to trim a stream", values("trim_cpu_ms"), (), Target("<=", 2)),
        Row("accounts: ms to trim a stream", values("trim_ms")),
        Row(f"accounts: KiB of memory each, of {ACCOUNTS:,}", values("kib"), (), Target("<=", 1.2)),
        Row(f"accounts: s of CPU to start with {ACCOUNTS:,}", values("start_s"), (),
            Target("<=", 4)),
    ]  # fmt: skip


async def _trimmed(directory: Path, streams: int) -> dict[str, float]:
    """Streams grow side by side, as they do; then each is trimmed."""
    journal = SqliteJournal.open(directory, lambda: 0, schema.JournalConfig())
    snapshot = encode(_account(1).snapshot("p1", 0))
    for sequence in range(1, RECORDS + 1):
        body = BODY if sequence < RECORDS else snapshot
        await asyncio.gather(
            *(
                journal.append(f"person/{number}", sequence, body)
                for number in range(1, streams + 1)
            )
        )
    cpu_s, wall_s = time.process_time(), time.perf_counter()
    for number in range(1, streams + 1):
        removed = await journal.trim(f"person/{number}")
        assert removed == RECORDS - 1, removed
    cpu_s, wall_s = time.process_time() - cpu_s, time.perf_counter() - wall_s
    await journal.close()
    return {"trim_cpu_ms": 1000 * cpu_s / streams, "trim_ms": 1000 * wall_s / streams}


async def _filled(directory: Path, accounts: int) -> None:
    """So many accounts, each a snapshot."""
    journal = SqliteJournal.open(directory, lambda: 0, schema.JournalConfig())
    for first in range(1, accounts + 1, 500):
        numbers = range(first, min(first + 500, accounts + 1))
        await journal.append_all(
            [Entry(f"person/{n}", 1, encode(_account(n).snapshot(f"p{n}", 0))) for n in numbers]
        )
    await journal.close()


async def _started(directory: Path, accounts: int) -> dict[str, float]:
    journal = SqliteJournal.open(directory, lambda: 0, schema.JournalConfig())
    gc.collect()
    kept, clock = Accounts(), Clock(asyncio.get_running_loop())
    before, cpu_s = resident_bytes(), time.process_time()
    streams = AccountStreams(journal, kept, clock, schema.JournalConfig())
    await streams.restore()
    cpu_s, grown = time.process_time() - cpu_s, resident_bytes() - before
    assert len(kept) == accounts
    await journal.close()
    return {"kib": grown / accounts / 1024, "start_s": cpu_s}


def _account(number: int) -> Accounts:
    """One account with a key and a setting."""
    accounts, id = Accounts(), f"p{number}"
    blob = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + number.to_bytes(32, "big")
    for event in (
        AccountOpened(id, f"name{number}", 0),
        KeyAdded(id, f"ssh-ed25519 {b64encode(blob).decode()}", f"SHA256:{number:043}", 0),
        PreferenceSet(id, "theme", "mono", 0),
    ):
        accounts.apply(event)
    return accounts


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name} {value:.2f}")
