"""People at full screens of the whole server, whose terminals are looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from mudserver.bots.worker import choose_action
from mudserver.transport.link import Terminal
from tests.live import live_table
from tests.mudserver.ui.fullscreen.harness import TwoScreenEmulator
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, Seatholder, SimServer, new_world
from variants.catalogue import CATALOGUE


class Watched(Seatholder):
    """Somebody whose terminal can be looked at."""

    emulator: TwoScreenEmulator
    server: SimServer

    @classmethod
    def comes_in(cls, server: SimServer, name: str, terminal: Terminal) -> Watched:
        holder = server.person(name, terminal)
        watched = cls(holder.name, holder.link)
        watched.server, watched._read = server, 0
        watched.emulator = TwoScreenEmulator(terminal.cols, terminal.rows)
        return watched

    def look(self) -> TwoScreenEmulator:
        """The terminal as it is now."""
        for _, data in self.link.received[self._read :]:
            self.emulator.feed(data)
        self._read = len(self.link.received)
        return self.emulator

    def resize(self, cols: int, rows: int) -> None:
        self.look().resize(cols, rows)
        self.link.terminal = replace(self.link.terminal, cols=cols, rows=rows)
        self.link.handler.on_resize(self.link.terminal)

    @property
    def session(self) -> Any:
        return self.link.handler

    def moves(self) -> list[str]:
        return list(self.server.app.service.legal_moves(self.session.person))


def told(
    scenario: Callable[[SimServer, Watched], Awaitable[Any]], cols: int = 80, rows: int = 24,
    terminal: Terminal = ANSI, **sections: object,
) -> Any:  # fmt: skip
    """*scenario* with Ann, who is in the lobby and has typed `screen on`."""

    async def whole() -> Any:
        server = await SimServer(new_world(1, **sections)).open()
        ann = Watched.comes_in(server, "Ann", replace(terminal, cols=cols, rows=rows))
        await asyncio.sleep(0.5)
        ann.type("screen on")
        await asyncio.sleep(0.5)
        return await scenario(server, ann)

    return virtual.run(whole())


async def sit_down(server: SimServer, ann: Watched, game: str) -> Watched:
    """Ann opens a table, Bob comes and a computer player, and the game begins."""
    bob = Watched.comes_in(server, "Bob", ANSI)
    await asyncio.sleep(0.3)
    ann.type(f"open {game}")
    await asyncio.sleep(0.3)
    bob.type("sit 1")
    await asyncio.sleep(0.3)
    ann.type(f"bot {CATALOGUE[game.split()[0]].stand_in}")
    await asyncio.sleep(0.3)
    bob.type("ready")
    await asyncio.sleep(0.3)
    ann.type("start")
    await asyncio.sleep(0.5)
    return bob


async def play(people: list[Watched], turns: int) -> None:
    """Everybody types the first move there is, until so many were typed and Ann is asked."""
    for step in range(60):
        if step >= turns and people[0].moves():
            return
        for person in people:
            if moves := person.moves():
                person.type(moves[0])
                await asyncio.sleep(0.5)
                break
        else:
            await asyncio.sleep(3)  # it is the computer's turn


def advised(server: SimServer, person: Watched, seed: int) -> str:
    """What a computer player would do in the place of *person*, as it is typed."""
    table = live_table(server.app.table_manager, 1)
    assert table is not None and table.game is not None
    game = table.game
    seat = game.seat_of(person.session.person.id)
    assert seat is not None
    view, seen = game.view(seat), [heard.event for heard in game.known_events(seat)]
    action = choose_action(
        table.variant, table.variant.stand_in, view, seen, seed.to_bytes(32, "big")
    )
    return table.variant.phrase(action, view, game.names)


__all__ = ["FakeLink", "Watched", "advised", "play", "sit_down", "told"]
