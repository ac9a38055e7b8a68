"""Ann before pages that are longer than her screen, on a virtual clock."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from mudserver import messages as m
from mudserver.session.texts import MORE_PROMPT
from mudserver.transport.link import Terminal
from tests.simulation import virtual
from tests.simulation.server import ANSI, Seatholder, SimServer, new_world
from tests.terminal import Emulator

SMALL = replace(ANSI, rows=10)
PROMPT = MORE_PROMPT.rstrip()
LONG = tuple(f"row {n}" for n in range(1, 31))


class Reading:
    """Ann at a small terminal, Bob who talks, and pages as long as wanted."""

    def __init__(self, server: SimServer, ann: Seatholder, bob: Seatholder) -> None:
        self.server, self.ann, self.bob = server, ann, bob
        self.session = next(iter(server.app.session_manager.sessions))
        self.seen = 0
        self.emulator = Emulator(ann.link.terminal.cols, ann.link.terminal.rows)

    def send(self, *messages: m.Message) -> None:
        for message in messages:
            self.server.app.outbox.send(self.session.person.id, message)

    async def page(self, *rows: str) -> None:
        """Ann asks for something, and is answered with *rows*."""
        self.session.screen.feed(b"quack\r")  # any line; its own answer is taken away
        self.session.inbox.take_all()
        self.send(m.Page("Title", rows or LONG))
        await self.settled()

    async def type(self, keys: str) -> None:
        self.ann.press(keys.encode())
        await self.settled()

    async def settled(self) -> None:
        await asyncio.sleep(0.2)
        for _, data in self.ann.link.received[self.seen :]:
            self.emulator.feed(data)
        self.seen = len(self.ann.link.received)

    @property
    def rows(self) -> list[str]:
        return self.emulator.text


def read(scenario, terminal: Terminal = SMALL):
    async def whole():
        server = await SimServer(new_world(1)).open()
        ann, bob = server.guest(terminal), server.guest()
        await asyncio.sleep(0.5)
        ann.forget()
        return await scenario(Reading(server, ann, bob))

    return virtual.run(whole())
