"""Journals of several servers on one PostgreSQL, for tests of what they do to each other."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from mudserver.config import schema
from mudserver.journal.postgres.journal import PostgresJournal

NOW_MS = 1_000


@dataclasses.dataclass
class Servers:
    """Servers that share one journal."""

    address: str
    directory: Path
    opened: list[PostgresJournal] = dataclasses.field(default_factory=list)

    async def open(self, name: str, place: str = "", **settings: float) -> PostgresJournal:
        config = schema.JournalConfig(
            postgres=self.address, server=name, **{"append_wait_s": 2.0, **settings}
        )
        journal = await PostgresJournal.open(
            self.directory / (place or name), lambda: NOW_MS, config
        )
        self.opened.append(journal)
        return journal

    async def run(self, statement: str, *values: object) -> list[asyncpg.Record]:
        """As an operator, or another program."""
        connection = await asyncpg.connect(
            self.address, server_settings={"search_path": "lockdown"}
        )
        try:
            return await connection.fetch(statement, *values)
        finally:
            await connection.close()

    async def cut(self, name: str) -> None:
        """End the connections of a server."""
        await self.run(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1",
            f"mudserver {name}",
        )


@pytest.fixture
async def servers(database: str, tmp_path: Path) -> AsyncIterator[Servers]:
    made = Servers(database, tmp_path)
    yield made
    for journal in made.opened:
        await journal.close()
