"""Who has played a game often is not told at each turn what can be typed; who asks is."""

import asyncio

import pytest

from mudserver.service.account_service import AccountService
from mudserver.session.terminal_session import KNOWN_AFTER_GAMES
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

FORMS = "You can: draw"


@pytest.mark.parametrize("finished", [KNOWN_AFTER_GAMES - 1, KNOWN_AFTER_GAMES])
def test_after_ten_games_the_kinds_of_moves_are_shown_on_demand(finished, monkeypatch):
    monkeypatch.setattr(AccountService, "games_finished", lambda *of: finished)
    is_known = finished == KNOWN_AFTER_GAMES

    async def turns() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = server.person("Ann"), server.person("Bob")
        await asyncio.sleep(1)
        for person, line in (
            *((ann, "open elimination clocks=off"), (bob, "sit 1"), (bob, "set help on")),
            *((ann, "ready"), (bob, "ready")),
        ):
            person.type(line)
            await asyncio.sleep(1)
        for _ in range(4):  # until each has had a turn
            for person in (ann, bob):
                person.type("draw")
                person.type("next bob" if person is ann else "next ann")
                await asyncio.sleep(1)
        assert FORMS in bob.text
        assert (FORMS in ann.text) is not is_known
        ann.type("next bob")
        bob.type("force ann")
        await asyncio.sleep(1)
        ann.forget()
        ann.type("look")
        await asyncio.sleep(1)
        assert FORMS in ann.text
        ann.forget()
        for person, line in ((ann, "set help on"), (ann, "force bob"), (bob, "force ann")):
            person.type(line)
            await asyncio.sleep(1)
        assert FORMS in ann.text

    virtual.run(turns())
