"""People who are offline are invited to games by correspondence, and read of it at login."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from mudserver.config.schema import NotifyConfig
from mudserver.service.notices import OutsideNotice
from tests.simulation import virtual
from tests.simulation.server import FOR_DAYS, Seatholder, SimServer, new_world

TOPIC = "Kz81-quiet-heron"
DAY_S = 86_400
INVITES = "Ann invites you to table 1 (elimination by correspondence). Type accept Ann"


@dataclass
class Evening:
    """Some people, who come and go."""

    server: SimServer
    here: dict[str, Seatholder] = field(default_factory=dict)
    sent: list[OutsideNotice] = field(default_factory=list)

    async def come(self, *names: str) -> str:
        for name in names:
            self.here[name] = self.server.person(name)
            await asyncio.sleep(1)
        return " ".join(self.here[names[-1]].text.split())

    async def go(self, *names: str) -> None:
        for name in names:
            self.here.pop(name).type("quit")
            await asyncio.sleep(1)

    async def types(self, name: str, line: str) -> str:
        self.here[name].forget()
        self.here[name].type(line)
        await asyncio.sleep(1)
        return " ".join(self.here[name].text.split())

    async def restart(self) -> None:
        await self.server.die()
        self.here.clear()
        self.server = await SimServer(self.server.world).open()
        self.hear()

    def hear(self) -> None:
        self.server.app.notify_command.put = self.sent.append  # type: ignore[method-assign]


async def evening(*absent: str) -> Evening:
    """Ann and Bob are online, the others were."""
    world = new_world(1, notify=NotifyConfig(("/bin/false",)), journal=FOR_DAYS)
    now = Evening(await SimServer(world).open())
    now.hear()
    await now.come("Ann", "Bob", *absent)
    for name in absent:
        await now.types(name, f"notify topic {TOPIC}")
    await now.go(*absent)
    return now


def test_who_is_offline_is_invited_to_a_game_by_correspondence_and_reads_of_it_at_login():
    async def scenario() -> None:
        now = await evening("Cid")
        await now.types("Ann", "open elimination correspondence who=invited")
        said = await now.types("Ann", "invite cid")
        assert "Ann invites Cid. Cid has 72 h to answer." in said
        (notice,) = now.sent
        assert ("Cid", TOPIC, "invited", 1) == (
            *(notice.name, notice.topic),
            *(notice.event, notice.table),
        )
        assert "You are invited to table 1 (elimination)." == notice.text
        await now.restart()
        assert INVITES in await now.come("Cid")
        assert INVITES not in await now.come("Bob")
        assert "Cid joined the table." in await now.types("Cid", "accept")

    virtual.run(scenario())


def test_an_invitation_that_nobody_has_answered_is_gone_after_three_days(monkeypatch):
    monkeypatch.setattr("mudserver.ops.retention.CHECK_S", 300.0)

    async def scenario() -> None:
        now = await evening("Cid")
        await now.types("Ann", "open elimination correspondence")
        await now.types("Ann", "invite cid")
        await asyncio.sleep(2 * DAY_S)
        assert INVITES in await now.come("Cid")
        await now.go("Cid")
        await asyncio.sleep(DAY_S)
        assert "invites you" not in await now.come("Cid")
        assert "Nobody has invited you." in await now.types("Cid", "accept")

    virtual.run(scenario())


def test_several_invitations_are_counted_at_login():
    async def scenario() -> None:
        now = await evening("Cid")
        for name in ("Ann", "Bob"):
            await now.types(name, "open elimination correspondence")
            await now.types(name, "invite cid")
        assert "You have 2 invitations. Type accept Bob or accept Ann" in await now.come("Cid")
        assert "Cid declines the invitation." not in await now.types("Cid", "decline ann")
        await now.go("Cid")
        assert "Bob invites you to table 2" in await now.come("Cid")

    virtual.run(scenario())


def test_who_is_offline_is_invited_to_no_live_game():
    async def scenario() -> None:
        now = await evening("Cid")
        await now.types("Ann", "open elimination")
        assert "Cid is offline." in await now.types("Ann", "invite cid")
        await now.types("Bob", "open elimination correspondence")
        assert "Nobody called" in await now.types("Bob", "invite zoe")

    virtual.run(scenario())


def test_what_somebody_wants_holds_while_that_person_is_offline():
    async def scenario() -> None:
        now = await evening("Cid", "Dan")
        await now.come("Cid", "Dan")
        await now.types("Cid", "set invitations off")
        await now.types("Dan", "ignore ann")
        await now.go("Cid", "Dan")
        await now.types("Ann", "open elimination correspondence")
        assert "Cid takes no invitations from you." in await now.types("Ann", "invite cid")
        assert "Dan takes no invitations from you." in await now.types("Ann", "invite dan")
        await now.types("Bob", "open elimination correspondence")
        assert "Bob invites Dan." in await now.types("Bob", "invite dan")
        assert [] == [it for it in now.sent if it.name == "Cid"]

    virtual.run(scenario())


def test_the_start_of_the_game_ends_an_invitation():
    async def scenario() -> None:
        now = await evening("Cid")
        await now.types("Ann", "open elimination correspondence")
        await now.types("Ann", "invite cid")
        await now.types("Bob", "sit 1")
        await now.types("Bob", "ready")
        said = await now.types("Ann", "ready")
        assert "The game begins without Cid, who was invited." in said
        assert "invites you" not in await now.come("Cid")

    virtual.run(scenario())


def test_a_program_reads_at_login_what_it_is_invited_to():
    async def scenario() -> None:
        now = await evening("Cid")
        await now.types("Ann", "open elimination correspondence")
        await now.types("Ann", "invite cid")
        cid = now.server.person("Cid", is_program=True, json_protocol=2)
        await asyncio.sleep(1)
        (read,) = [it for it in cid.objects if it["type"] == "invitation"]
        assert ("Ann", 1, "elimination") == (read["by"], read["table"], read["variant"])
        assert "1d" == read["options"]["move"]
        left_ms = read["until"] - now.server.app.platform.clock.now_ms()
        assert 0 < 3 * DAY_S * 1000 - left_ms < 10_000

    virtual.run(scenario())
