"""Two servers begin on a journal that is new."""

from __future__ import annotations

from mudserver.config import schema
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
