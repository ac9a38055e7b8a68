"""Opening the journal that the settings name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mudserver.config import schema
from mudserver.errors import StartError
from mudserver.journal.interface import Journal
from mudserver.journal.sqlite.journal import SqliteJournal

NOT_INSTALLED = "journal.postgres needs asyncpg: pip install 'lockdown-mudserver[postgres]'"


async def open_journal(
    directory: Path, now_ms: Callable[[], int], config: schema.JournalConfig
) -> Journal:
    """The journal in *directory*, or in PostgreSQL.  StartError: one sentence says why not."""
    if not config.postgres:
        return SqliteJournal.open(directory, now_ms, config)
    require_postgres()
    from mudserver.journal.postgres.journal import PostgresJournal

    return await PostgresJournal.open(directory, now_ms, config)


def require_postgres() -> None:
    """StartError: asyncpg is missing, without which nothing in `journal/postgres/` is imported."""
    try:
        import mudserver.journal.postgres.connection  # noqa: F401
    except ImportError:
        raise StartError(NOT_INSTALLED) from None
