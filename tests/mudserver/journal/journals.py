"""Journals to look at: opened as the server opens them, but with a clock that stands still."""

from __future__ import annotations

from pathlib import Path

from mudserver.config import schema
from mudserver.journal.sqlite.journal import SqliteJournal

NOW_MS = 1_000


def opened(directory: Path, **settings: int) -> SqliteJournal:
    return SqliteJournal.open(directory, lambda: NOW_MS, schema.JournalConfig(**settings))


async def filled(directory: Path, records: int = 3, times: int = 1) -> Path:
    """Leave a journal with one table, of so many records that say so many times what they are."""
    journal = opened(directory)
    for sequence in range(1, records + 1):
        await journal.append("table/1", sequence, b"record %d" % sequence * times)
    await journal.close()
    return directory / "journal.db"
