"""Whole servers in this process that share a real PostgreSQL, with people at fake lines."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.journal.postgres.journal import PostgresJournal
from tests.simulation.server import Seatholder, SimServer, new_world

KNOWN_S = 20.0  # on a busy machine


@dataclass
class Several:
    address: str
    directory: Path
    opened: list[SimServer] = field(default_factory=list)
    journal: dict[str, float] = field(default_factory=dict)  # settings of it

    async def open(self, name: str, **sections: object) -> SimServer:
        clock = Clock(asyncio.get_running_loop())
        config = schema.JournalConfig(postgres=self.address, server=name, **self.journal)  # type: ignore[arg-type]
        journal = await PostgresJournal.open(self.directory / name, clock.now_ms, config)
        world = new_world(len(self.opened), journal=config, **sections)
        wall_ms = time.time_ns() // 1_000_000  # now: to open the journal takes a while
        server = SimServer(world, wall_ms, make_journal=lambda now_ms: journal)
        self.opened.append(await server.open())
        return server

    async def stop(self) -> None:
        for server in self.opened:
            await server.stop()

    async def know_each_other(self) -> None:
        names = {server.app.directory.own for server in self.opened}
        for server in self.opened:
            directory = server.app.directory
            await until(lambda d=directory: names == {it.name for it in d.servers() if it.beat})


async def until(is_so: Callable[[], Any]) -> None:
    """Wait for it.  AssertionError: it never is."""
    end = time.monotonic() + KNOWN_S
    while not is_so():
        assert time.monotonic() < end, "it never came"
        await asyncio.sleep(0.01)


async def hears(person: Seatholder, pattern: str) -> str:
    """Wait until the person has read *pattern*; what was read, in one line."""
    text = ""

    def has_come() -> bool:
        nonlocal text
        text = one_line(person)
        return re.search(pattern, text) is not None

    try:
        await until(has_come)
    except AssertionError:
        raise AssertionError(f"{person.name} never read {pattern!r}, but {text!r}") from None
    return text


async def says(person: Seatholder, line: str, pattern: str) -> str:
    """The same after typing a line."""
    person.forget()
    person.type(line)
    return await hears(person, pattern)


async def soon_reads(person: Seatholder, line: str, pattern: str) -> str:
    """Type *line* again until *pattern* is read: the other server tells of it in a moment."""
    text = ""
    for _ in range(60):
        person.forget()
        person.type(line)
        await asyncio.sleep(0.3)
        text = one_line(person)
        if re.search(pattern, text):
            return text
    raise AssertionError(f"{person.name} never read {pattern!r}, but {text!r}")


async def come_in(server: SimServer, name: str) -> Seatholder:
    person = server.person(name)
    await hears(person, "lobby>")
    return person


def one_line(person: Seatholder) -> str:
    return " ".join(person.text.split())
