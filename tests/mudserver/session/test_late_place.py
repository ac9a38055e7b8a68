"""Where somebody is whose table is restored only after the session has gone on."""

from __future__ import annotations

import asyncio

from tests.mudserver.session.test_going_on import come, go_on, restarted
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


def test_a_table_that_is_there_meanwhile_is_not_asked_for_what_was_missed_once_more(monkeypatch):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type("open elimination")
        await asyncio.sleep(2)
        server = await restarted(server)
        going_on, asked = server.app.service.going_on, []
        waits = [True, True]  # at first; then its table is there
        monkeypatch.setattr(going_on, "is_restoring", lambda person: bool(waits and waits.pop()))
        monkeypatch.setattr(going_on, "table_and_sequence", lambda person: None)
        monkeypatch.setattr(
            going_on._tables, "on_reconnect", lambda person, **how: asked.append(person)
        )
        await go_on(server, ann, "ann")
        assert 1 == len(asked)

    virtual.run(scenario())
