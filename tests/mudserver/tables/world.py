"""A table manager on virtual time: waiting costs nothing, and every run is the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from math import inf
from random import Random
from typing import Any, TypeVar

from mudserver.accounts.person import Person
from mudserver.bots.pool import BotError
from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.config.schema import TablesConfig as Settings
from mudserver.messages import Message, RefusalMessage
from mudserver.outbox import Inbox, Outbox
from mudserver.source_budgets import SourceBudgets
from mudserver.tables import requests as r
from mudserver.tables.manager import TableManager
from mudserver.tables.replaced_person import PeopleNow
from mudserver.tables.table import Table
from tests.at_once import at_once
from tests.inline_bots import InlineBots
from tests.live import live_table
from tests.memory_journal import Disk, MemoryJournal
from tests.simulation import virtual
from tests.toys.duel.game import DUEL

T = TypeVar("T")
START_MS = 1_000_000


def run(driver: Coroutine[Any, Any, T]) -> T:
    """Run *driver* on a virtual clock; a run that never ends fails."""
    return virtual.run(asyncio.wait_for(driver, 100_000))


class SilentBots:
    """Computer players that never answer."""

    async def choose(
        self,
        variant: str,
        level: str,
        view: Any,
        seen: Sequence[Any],
        seed: int,
        network: str = "",
        *,
        is_advice: bool = False,
    ) -> Any:
        raise BotError("no idea")


class World:
    """One server over a disk that outlives it."""

    def __init__(
        self,
        disk: Disk | None = None,
        bots: Any = None,
        variant: Any = DUEL,
        wall_ms: int = START_MS,
        within_s: float | None = inf,
        expert_tables_max: int = 8,
        present: Mapping[str, Person] | None = None,
        on_change: Callable[[int], None] = lambda number: None,
        **settings: Any,
    ) -> None:
        self.variant = variant
        self.clock = Clock(asyncio.get_running_loop(), wall_ms)
        self.journal = MemoryJournal(self.clock.now_ms, disk)
        self.outbox = Outbox()
        self.messages: dict[str, list[Message]] = {}
        self.announcements: list[str] = []
        self.budgets = SourceBudgets(Config(), self.clock)
        self.present = dict(present or {})  # who people are now, by id
        self.sources: dict[str, str] = {}  # of people who are online
        self.tables = TableManager(
            self.journal,
            self.outbox,
            self.clock,
            bots or InlineBots(catalogue={variant.name: variant}),
            Settings(**{"opened_per_person_s": 0.0, **settings}),
            catalogue={variant.name: variant},
            rng=Random(1),
            budgets=self.budgets,
            source_of=lambda person: self.sources.get(person, ""),
            make_seed=lambda: bytes(range(32)),
            announce=lambda text, but: self.announcements.append(text),
            expert_tables_max=expert_tables_max,
            people=PeopleNow(self.present.get),
            on_change=on_change,
        )
        if within_s is not None:  # else the test does it
            at_once(self.tables.restore(within_s))

    def person(self, id: str, is_guest: bool = False) -> Person:
        """Log a person in: an inbox, and the seat that waits."""
        messages = self.messages.setdefault(id, [])
        inbox = Inbox(lambda _: messages.extend(inbox.take_all()), None)
        self.outbox.attach(id, inbox)
        self.tables.on_reconnect(id)
        return Person(id, id.capitalize(), is_guest)

    async def opened(self, *people: str, bots: int = 0, **options: str) -> int:
        """A table with these people, and computer players, at it."""
        host = self.person(people[0])
        number = self.tables.open_table(host, self.variant.name, options)
        await self.settles()
        for name in people[1:]:
            self.person(name)
            self.tables.submit(number, r.Sit(name, name.capitalize()))
        for _ in range(bots):
            self.tables.submit(number, r.AddBot(people[0]))
        await self.settles()
        return number

    async def started(self, *people: str, bots: int = 0, **options: str) -> Table:
        number = await self.opened(*people, bots=bots, **options)
        await self.all_start(number)
        return self.table(number)

    async def all_start(self, number: int = 1) -> None:
        """Everybody at the table is ready: the game starts."""
        for person in list(self.table(number).seated):
            self.tables.submit(number, r.Start(person))
            await self.settles()

    def table(self, number: int = 1) -> Table:
        table = live_table(self.tables, number)
        assert table is not None
        return table

    def plays(self, person: str, line: str = "") -> None:
        number = self.tables.table_of(person)
        assert number is not None
        game = self.table(number).game
        if not line:
            assert game is not None
            view = game.view(game.seat_of(person))
            line = self.variant.phrase(self.variant.legal_actions(view)[0], view, game.names)
        self.tables.submit(number, r.Play(person, line))

    async def settles(self) -> None:
        """All that is queued is settled; no time passes."""
        for _ in range(60):
            await asyncio.sleep(0)

    def received(self, person: str, kind: type[Any] = Message) -> list[Any]:
        """The messages of one kind since the last call; all others are forgotten."""
        messages = self.messages[person]
        found = [m for m in messages if isinstance(m, kind)]
        messages.clear()
        return found

    def refusals(self, person: str) -> list[str]:
        """The refusals since the last call; all other messages are forgotten."""
        return texts(self.received(person, RefusalMessage))

    def forget_messages(self) -> None:
        for messages in self.messages.values():
            messages.clear()


def texts(messages: Sequence[Any]) -> list[str]:
    return [m.text for m in messages if hasattr(m, "text")]
