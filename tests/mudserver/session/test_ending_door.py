"""Sessions whose door ends: a sentence before, a farewell at the end, and the others stay."""

from __future__ import annotations

import asyncio

from mudserver.session.ending_door import end_with_door
from mudserver.wall.texts import DOOR_CLOSES
from tests.mudserver.session.test_going_on import HeldLink, proof
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


async def come(server: SimServer, name: str, visit: str, **options) -> HeldLink:
    link = HeldLink(protocol="json" if options else "ssh", **options)
    link.visit = visit
    server.connect(link, proof(name, is_known=False))
    await asyncio.sleep(1)
    return link


def test_people_of_that_door_are_told_and_then_let_go():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        manager = server.app.session_manager
        ann, bob = await come(server, "ann", "d1-1"), await come(server, "bob", "d2-1")
        program = await come(server, "cid", "d1-2", wants_json=True)
        stranger = HeldLink()  # telnet: a name is asked
        stranger.visit = "d1-3"
        server.connect(stranger, None)
        await asyncio.sleep(1)
        here = ["d1-1", "d1-2", "d1-3", "d1-9"]
        end_with_door(manager, here, 600.0)
        end_with_door(manager, here, 60.0)
        await asyncio.sleep(1)
        told = "This connection ends in 10 minutes, because a part of the server is replaced."
        assert told in " ".join(ann.text.split()) and told in program.text
        assert "ends in 60 seconds" in ann.text
        assert "This connection" not in bob.text + stranger.text
        end_with_door(manager, here, 0.0)
        await asyncio.sleep(1)
        for link in (ann, program, stranger):
            assert DOOR_CLOSES in " ".join(link.text.split()), link.text
        assert [bob.session] == list(manager.sessions)
        assert 1 == server.app.service.online_count()

    virtual.run(scenario())
