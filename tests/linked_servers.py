"""Whole servers in virtual time that tell each other what servers of one journal do.

Each has a journal in memory of its own.  The people of a test have accounts on all of them, under
the same ids; numbers of tables and guests are given once.  A line goes from server to server as
its door would take it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from mudserver.journal.interface import LiveServer
from mudserver.journal.numbers import Numbers
from mudserver.journal.postgres.bus import Talk
from mudserver.journal.streams import ACCOUNT_STREAMS, TABLE_STREAMS
from mudserver.service.new_guests import AT_HAND, KIND
from mudserver.transport.link import AuthenticatedUser, Terminal
from mudserver.wall.capsule import CapsuleSeal
from tests.mudserver.session.test_going_on import HeldLink
from tests.simulation import virtual
from tests.simulation.server import (
    ANSI,
    DoomedJournal,
    SimServer,
    new_world,
    proven_by_key,
)

BUS_S = 0.03  # from one server to another
SETTLED_S = 1.0


class LinkedJournal(DoomedJournal):
    linked: Linked

    def join(self, linked: Linked, name: str, index: int) -> None:
        self.linked, self.server, self._first = linked, name, 100 * index
        self.talk = Talk(name, "run", lambda payload: linked.notify(name, payload))

    async def numbers(self, prefix: str, at_least: int = 1) -> range:
        if prefix != ACCOUNT_STREAMS.prefix:
            self._next_numbers.setdefault(prefix, 1 + self._first)
        return await super().numbers(prefix, at_least)

    async def live_servers(self) -> list[LiveServer]:
        return [LiveServer(name, 9.0) for name in self.linked.alive]

    async def server_of(self, stream: str) -> str:
        return self.linked.server_of(TABLE_STREAMS.number(stream))

    async def owner_of(self, kind: str, key: str) -> str:
        return self.linked.game_of(key)


class Linked:
    def __init__(self) -> None:
        self.servers: dict[str, SimServer] = {}
        self.alive: list[str] = []
        self.deaf = set[str]()  # servers that live and hear nothing
        self._visits = count(1)
        self.told: list[str] = []  # payloads, oldest first

    async def open(self, count: int = 2, names: str = "ann bob cid dan eve") -> Linked:
        """Args: names: of people with accounts, who are nowhere yet."""
        for index in range(count):
            await self.add(f"g{index + 1}", index)
        for name in names.split():
            for server in self.servers.values():
                link = HeldLink(ANSI, protocol="ssh")
                server.connect(link, proven_by_key(name, is_known=False))
                await asyncio.sleep(SETTLED_S)
                link.type("quit")
                await asyncio.sleep(SETTLED_S)
        await asyncio.sleep(60)
        self.told.clear()
        return self

    async def add(self, name: str, index: int) -> None:
        world = new_world(index)

        def make_journal(now_ms: Callable[[], int]) -> LinkedJournal:
            journal = LinkedJournal(now_ms, world.disk, world.settings.journal, delay_s=0.001)
            journal.join(self, name, index)
            return journal

        server = self.servers[name] = SimServer(world, make_journal=make_journal)
        server.app.new_guests._numbers = Numbers(server.journal, KIND, AT_HAND)
        await server.open()
        secret = next(iter(self.servers.values())).app.resume_codes.secret
        server.app.resume_codes.secret = secret
        server.app.session_manager.use_seal(CapsuleSeal(secret))
        self.alive.append(name)

    async def kill(self, name: str) -> None:
        """It writes and tells nothing any more; the others notice at their next look."""
        self.alive.remove(name)
        await asyncio.sleep(3)

    async def write_of(self, name: str, verb: str, *, by: str = "console:0") -> None:
        """What *name* has written last of the staff is followed by the others."""
        acts = [it async for it in self.servers[name].app.staff_streams.acts()]
        for other in self.alive:
            if other != name:
                self.servers[other].app.moderation.note_elsewhere(acts[0])
        assert verb == acts[0].verb

    # -- what a database does ----------------------------------------------------------------------

    def notify(self, sender: str, payload: str) -> bool:
        self.told.append(payload)
        for name in [it for it in self.alive if it not in self.deaf]:
            asyncio.get_running_loop().call_later(BUS_S, self._journal(name).talk.hear, payload)
        return sender in self.alive

    def _journal(self, name: str) -> LinkedJournal:
        journal = self.servers[name].journal
        assert isinstance(journal, LinkedJournal)
        return journal

    def server_of(self, number: int) -> str:
        """The server that lives and has the table."""
        having = (it for it in self.alive if self.servers[it].app.table_manager.lists.find(number))
        return next(having, "")

    def game_of(self, person: str) -> str:
        """The stream of the game in which the person has a seat."""
        for server in self.servers.values():
            manager = server.app.table_manager
            if manager.is_playing(person):
                return TABLE_STREAMS.name(manager.table_of(person) or 0)
        return ""

    # -- what doors do -----------------------------------------------------------------------------

    async def come(
        self, server: str, name: str, terminal: Terminal = ANSI, **options: Any
    ) -> Walker:
        """Args: name: of somebody with an account; `guest`: a new guest."""
        walker = Walker(self, name, terminal, options)
        await walker.open(server)
        return walker


class Walker:
    """A line with a door, which takes it to the server where it is to go."""

    def __init__(self, linked: Linked, name: str, terminal: Terminal, options: Any) -> None:
        self._linked, self.name = linked, name
        self.link = HeldLink(terminal, protocol="ssh", **options)
        self.link.visit = f"d1-{next(linked._visits)}"
        self._before = ""  # what was read at other servers
        self.visited: list[str] = []  # servers

    @property
    def proof(self) -> AuthenticatedUser | None:
        if self.name == "guest":
            return AuthenticatedUser("guest", "guest")
        return proven_by_key(self.name, is_known=True)

    async def open(self, server: str) -> None:
        self.visited.append(server)
        self._linked.servers[server].connect(self.link, self.proof)
        await asyncio.sleep(SETTLED_S)

    @property
    def text(self) -> str:
        """All that was read, in one line."""
        return " ".join((self._before + self.link.text).split())

    @property
    def called(self) -> str:
        return self.link.session.person.name

    async def types(self, line: str, wait_s: float = SETTLED_S) -> str:
        """Type *line*; what is read of it, wherever it is done, in one line."""
        mark = len(self.text)
        self.link.type(line)
        await asyncio.sleep(wait_s)
        await self.walk()
        return self.text[mark:].strip()

    async def walk(self, while_away: Callable[[], Awaitable[None]] | None = None) -> None:
        """Go where the session is sent, if it is."""
        while self.link.holder.redirected:
            server, table, errand, hops = self.link.holder.redirected.pop()
            if while_away is not None:
                await while_away()
            await self._go_on(server, table, "comes")
            self.link.holder.on_errand(errand, hops)
            self._moved()
            await asyncio.sleep(SETTLED_S)

    async def _go_on(self, server: str, table: int, walk: str) -> None:
        self._moved, before = self.link.holder.on_moved, self.link
        before.holder.walk, before.holder.walked_to = walk, table
        self._before += before.text
        self.link = before.again()
        self.link.visit = before.visit
        self.visited.append(server)
        self._linked.servers[server].connect(self.link, self.proof)

    async def fail_to_walk(self) -> None:
        """The other server does not answer: the door opens the session where it was."""
        _, table, _, _ = self.link.holder.redirected.pop()
        await self._go_on(self.visited[-1], table, "failed")
        self._moved()
        await asyncio.sleep(SETTLED_S)

    async def go_on_at(self, server: str) -> None:
        """The server is gone, and its door opens the session at another one."""
        await self._go_on(server, 0, "")
        await asyncio.sleep(SETTLED_S)
        await self.walk()


def run(scenario: Callable[[Linked], Awaitable[None]], servers: int = 2) -> None:
    async def whole() -> None:
        await scenario(await Linked().open(servers))

    virtual.run(whole())


def table_in(text: str) -> int:
    """The number of the table that somebody has come to."""
    return int(re.findall(r"table (\d+)(?:, your turn)?>", text)[-1])
