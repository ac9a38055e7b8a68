"""A server begins on a journal that others share."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import AsyncMock

import pytest

from mudserver import machine
from mudserver.config import schema
from mudserver.errors import JournalWriteError, StartError
from mudserver.journal import Entry
from mudserver.journal.streams import RESUME_SECRET_STREAM
from tests.simulation import virtual
from tests.simulation.server import DoomedJournal, SimServer, new_world


class LateJournal(DoomedJournal):
    """Another server has written the secret just after this one has seen that there is none."""

    async def read(self, stream, after=0):
        found = await super().read(stream, after)
        if stream == RESUME_SECRET_STREAM and not found:
            await super().append_all([Entry(stream, 1, b"theirs" * 6)])
        return found


def test_who_is_second_to_write_the_secret_of_all_servers_uses_that_of_the_first():
    async def scenario() -> None:
        world = new_world(1)
        server = await SimServer(
            world, make_journal=lambda now: LateJournal(now, world.disk, schema.JournalConfig())
        ).open()
        assert b"theirs" * 6 == server.app.resume_codes.secret

    virtual.run(scenario())


@pytest.mark.parametrize(
    ("postgres", "sentence"), [("x", "journal.postgres: gone"), ("", "/d cannot be written: gone")]
)
async def test_a_start_during_which_the_journal_goes_says_which_one(
    postgres, sentence, monkeypatch
):
    journal = SimpleNamespace(streams=AsyncMock(side_effect=JournalWriteError("gone")))
    journal.close = AsyncMock()
    monkeypatch.setattr(machine, "open_journal", AsyncMock(return_value=journal))
    monkeypatch.setattr(machine, "BotPool", lambda *_, **__: AsyncMock())
    config = schema.Config(
        server=schema.ServerConfig(data="/d"), journal=schema.JournalConfig(postgres=postgres)
    )
    with pytest.raises(StartError, match=sentence):
        await machine.start(config)
    journal.close.assert_awaited_once()
