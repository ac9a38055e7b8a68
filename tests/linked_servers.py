"""Whole servers in virtual time that tell each other what servers of one journal do.

Each has a journal in memory of its own.  The people of a test have accounts on all of them, under
the same ids; numbers of tables and guests are given once.  A line goes from server to server as
its door would take it.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
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
PASSWORD = "open sesame 42"


class LinkedJournal(DoomedJournal):
    linked: Linked

    def join(self, linked: Linked, name: str, index: int) -> None:
        self.linked, self.server, self._first = linked, name, 100 * index
        self.talk = Talk(name, "run", lambda payload: linked.notify(name, payload))
        self.bus = Talk(name, "run", lambda payload: linked.notify(name, payload, "bus"))

    async def numbers(self, prefix: str, at_least: int = 1) -> range:
        if prefix != ACCOUNT_STREAMS.prefix:
            self._next_numbers.setdefault(prefix, 1 + self._first)
        return await super().numbers(prefix, at_least)

    async def live_servers(self) -> list[LiveServer]:
        return [LiveServer(name, 9.0) for name in self.linked.alive]

    async def server_of(self, stream: str) -> str:
        return self.linked.server_of(TABLE_STREAMS.number(stream))

    async def is_open(self, stream: str) -> bool:
        return self.linked.is_open(TABLE_STREAMS.number(stream))

    async def owner_of(self, kind: str, key: str) -> str:
        return self.linked.game_of(key)


class Linked:
    def __init__(self) -> None:
        self.servers: dict[str, SimServer] = {}
        self.alive: list[str] = []
        self.deaf = set[str]()  # servers that live and hear nothing
        self._visits = count(1)
        self.told: list[str] = []  # payloads, oldest first
        self.closed = set[int]()  # tables, meanwhile
        self._on_the_way = deque[Callable[[], None]]()

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

    async def set_password(self, name: str) -> None:
        for server in self.servers.values():
            link = HeldLink(ANSI, protocol="ssh")
            server.connect(link, proven_by_key(name, is_known=True))
            await asyncio.sleep(SETTLED_S)
            for line in ("password", PASSWORD, PASSWORD, "quit"):
                link.type(line)
                await asyncio.sleep(SETTLED_S)
        self.told.clear()

    # -- what a database does ----------------------------------------------------------------------

    def notify(self, sender: str, payload: str, channel: str = "talk") -> bool:
        self.told.append(payload)
        for name in [it for it in self.alive if it not in self.deaf]:
            hear = getattr(self._journal(name), channel).hear
            self._on_the_way.append(partial(hear, payload))  # timers of one moment have no order
            asyncio.get_running_loop().call_later(BUS_S, lambda: self._on_the_way.popleft()())
        return sender in self.alive

    def _journal(self, name: str) -> LinkedJournal:
        journal = self.servers[name].journal
        assert isinstance(journal, LinkedJournal)
        return journal

    def server_of(self, number: int) -> str:
        """The server that lives and has the table."""
        having = (it for it in self.alive if self.servers[it].app.table_manager.lists.has(number))
        return next(having, "")

    def is_open(self, number: int) -> bool:
        """Whether any server has the table, one that is gone too."""
        lists = (it.app.table_manager.lists for it in self.servers.values())
        return number not in self.closed and any(it.find(number) for it in lists)

    def take_over(self, number: int, gone: str, server: str) -> None:
        """Have *server* restore a table of one that is gone."""
        stream = TABLE_STREAMS.name(number)
        records = self.servers[gone].world.disk.records
        self.servers[server].world.disk.records[stream] = list(records[stream])
        restorer = self.servers[server].app.table_manager.restorer
        restorer._pending.append(stream)
        restorer._go_on()

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
        """Args: name: of somebody with an account, over telnet with PASSWORD; `guest`: a guest."""
        walker = Walker(self, name, terminal, options)
        await walker.open(server)
        return walker


class Walker:
    """A line with a door, which takes it to the server where it is to go."""

    def __init__(self, linked: Linked, name: str, terminal: Terminal, options: Any) -> None:
        self._linked, self.name = linked, name
        self.link = HeldLink(terminal, **{"protocol": "ssh"} | options)
        self.link.visit = f"d1-{next(linked._visits)}"
        self._before = ""  # what was read at other servers
        self.visited: list[str] = []  # servers

    @property
    def proof(self) -> AuthenticatedUser | None:
        if self.link.protocol == "telnet":
            return None
        if self.name == "guest":
            return AuthenticatedUser("guest", "guest")
        return proven_by_key(self.name, is_known=True)

    async def open(self, server: str) -> None:
        self.visited.append(server)
        self._linked.servers[server].connect(self.link, self.proof)
        await asyncio.sleep(SETTLED_S)
        for line in (self.name, PASSWORD) if self.proof is None else ():
            self.link.type(line)
            await asyncio.sleep(SETTLED_S)
        await self.walk()

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
        _, table, errand, _ = self.link.holder.redirected.pop()
        await self._go_on(self.visited[-1], table if errand else 0, "failed")
        self._moved()
        await asyncio.sleep(SETTLED_S)

    async def go_on_at(self, server: str, *, walks: bool = True) -> None:
        """The server is gone, and its door opens the session at another one.

        Args: walks: And then wherever it goes by itself.
        """
        await self._go_on(server, 0, "")
        await asyncio.sleep(SETTLED_S)
        if walks:
            await self.walk()


def run(scenario: Callable[[Linked], Awaitable[None]], servers: int = 2) -> None:
    async def whole() -> None:
        await scenario(await Linked().open(servers))

    virtual.run(whole())


def table_in(text: str) -> int:
    """The number of the table that somebody has come to."""
    return int(re.findall(r"table (\d+)(?:, your turn)?>", text)[-1])
