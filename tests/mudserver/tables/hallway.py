"""A hall on virtual time: waiting costs nothing, and every run is the same.

`run(story())` runs a coroutine to its end on a loop whose clock jumps to the next timer instead of
sleeping.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine, Sequence
from math import inf
from random import Random
from typing import Any, TypeVar

from mudserver.accounts.person import Person
from mudserver.bots.pool import BotError
from mudserver.clock import Clock
from mudserver.config.schema import Tables as Settings
from mudserver.messages import Message
from mudserver.outbox import Inbox, Outbox
from mudserver.tables import requests as r
from mudserver.tables.manager import TableManager
from mudserver.tables.table import Table
from tests.inline_bots import InlineBots
from tests.live import live_table
from tests.memory_journal import Disk, MemoryJournal
from tests.toys.duel.game import DUEL

T = TypeVar("T")
START_MS = 1_000_000


class _Jumping(selectors.SelectSelector):
    """Waiting is a jump of the clock."""

    jumped_s = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        assert ready or timeout is not None, "everybody waits for ever"
        if not ready:
            self.jumped_s += max(0.0, timeout or 0.0)
        return ready


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.jumped_s


def run(story: Coroutine[Any, Any, T]) -> T:
    loop = _VirtualLoop()
    try:
        return loop.run_until_complete(asyncio.wait_for(story, 100_000))
    finally:  # the server is killed: nothing is settled any more
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


class SilentBots:
    """Computer players that never have an idea."""

    async def choose(
        self, variant: str, level: int, view: Any, seen: Sequence[Any], seed: int
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
        within_s: float = inf,
        **settings: Any,
    ) -> None:
        self.variant = variant
        self.clock = Clock(asyncio.get_running_loop(), wall_ms)
        self.journal = MemoryJournal(self.clock.now_ms, disk)
        self.post = Outbox()
        self.mail: dict[str, list[Message]] = {}
        self.news: list[str] = []
        self.hall = TableManager(
            self.journal,
            self.post,
            self.clock,
            bots or InlineBots(catalogue={variant.name: variant}),
            Settings(**{"opened_per_person_s": 0.0, **settings}),
            catalogue={variant.name: variant},
            rng=Random(1),
            make_seed=lambda: bytes(range(32)),
            announce=self.news.append,
        )
        self.hall.restore(within_s)

    def person(self, id: str, is_guest: bool = False) -> Person:
        """Come in: a box, and the seat that waits."""
        mail = self.mail.setdefault(id, [])
        box = Inbox(lambda: mail.extend(box.take_all()))
        self.post.attach(id, box)
        self.hall.on_reconnect(id)
        return Person(id, id.capitalize(), is_guest)

    async def opened(self, *people: str, bots: int = 0, **options: str) -> int:
        """A table with these people, and computer players, at it."""
        host = self.person(people[0])
        number = self.hall.open_table(host, self.variant.name, options)
        await self.settles()
        for name in people[1:]:
            self.person(name)
            self.hall.submit(number, r.Sit(name, name.capitalize()))
        for _ in range(bots):
            self.hall.submit(number, r.AddBot(people[0]))
        await self.settles()
        return number

    async def started(self, *people: str, bots: int = 0, **options: str) -> Table:
        number = await self.opened(*people, bots=bots, **options)
        self.hall.submit(number, r.Start(people[0]))
        await self.settles()
        return self.table(number)

    def table(self, number: int = 1) -> Table:
        table = live_table(self.hall, number)
        assert table is not None
        return table

    def plays(self, person: str, line: str = "") -> None:
        number = self.hall.table_of(person)
        assert number is not None
        game = self.table(number).game
        if not line:
            assert game is not None
            view = game.view(game.seat_of(person))
            line = self.variant.phrase(self.variant.legal_actions(view)[0], view, game.names)
        self.hall.submit(number, r.Play(person, line))

    async def settles(self) -> None:
        """All that is queued is settled; no time passes."""
        for _ in range(60):
            await asyncio.sleep(0)

    def took(self, person: str, kind: type[Any] = Message) -> list[Any]:
        """What came by post since the last look."""
        mail = self.mail[person]
        found = [m for m in mail if isinstance(m, kind)]
        mail.clear()
        return found

    def forget_mail(self) -> None:
        for mail in self.mail.values():
            mail.clear()


def texts(messages: Sequence[Any]) -> list[str]:
    return [m.text for m in messages if hasattr(m, "text")]
