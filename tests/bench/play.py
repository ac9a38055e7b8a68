"""What one play costs in all: typed by one at a table, decided, durable, painted for each of
them.

Rule 1: the whole server with the real journal on a real disk; only the lines are fakes, so that
        what sockets cost stays out (`visits.py` has that).
Rule 2: who reads lines reads in four ways, and no two have the same view, so nothing is painted
        for one and shown to another.
Rule 3: in an idle server one play wakes everything for itself; in a busy one many share a commit
        and a tick.
Rule 4: full screens are drawn on a beat of their own; who plays before them waits for it.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal
from unittest import mock

from mudserver.app import App
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.platform import Platform
from mudserver.session.renderer import Renderer
from mudserver.tables import codec, runner
from mudserver.tables.table import Table
from mudserver.transport.link import AuthenticatedUser, Terminal
from mudserver.ui.fullscreen.screen import FullScreen
from mudserver.ui.screen import Screen
from tests.games import profile_of
from tests.inline_bots import InlineBots
from tests.live import live_table
from tests.simulation.server import FakeHasher, FakeLink
from variants.catalogue import CATALOGUE

WATCHED = (
    (runner, "decide", "decide"),
    (codec, "encode", "encode"),
    (runner, "commit", "commit"),
    (Renderer, "render", "paint"),
    (Renderer, "encoded_objects", "paint"),
    (Screen, "flush", "paint"),
    (FullScreen, "_draw", "paint"),
)
TERMINALS = (
    Terminal("xterm-256color", 80, 24, is_ansi=True, is_character_mode=True, colours="256"),
    Terminal("xterm", 40, 20, is_ansi=True, is_character_mode=True, colours="16"),
    Terminal("ansi", 80, 24, is_ansi=True, is_character_mode=True, charset="latin-1"),
    Terminal("mudlet", 100, 40, is_ansi=True, is_screen_reader=True, colours="true"),
)
PANES = Terminal(
    "xterm-256color",
    80,
    24,
    is_ansi=True,
    is_character_mode=True,
    colours="256",
    wants_full_screen=True,
)
Readers = Literal["lines", "panes", "json"]
READERS: dict[Readers, tuple[Terminal, ...]] = {
    "lines": TERMINALS,
    "panes": (PANES,),
    "json": (Terminal("json"),),
}
PARTS = ("decide", "journal", "commit", "paint", "rest")
SETTLED_S = {"lines": 0.03, "panes": 0.13, "json": 0.03}
"""More than a tick, or than a beat of full screens: all have been shown it."""


def run(variant: str, tables: int, plays: int, readers: Readers = "lines") -> dict[str, float]:
    """CPU microseconds of a play while so many tables play *variant* at once: `all`, and its
    `PARTS`.  The rest is typing, echo, queues and the event loop."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_played(Path(folder), variant, tables, plays, readers))


def seats_of(variant: str) -> int:
    return profile_of(variant).bench_seats


async def _played(
    folder: Path, variant: str, tables: int, plays: int, readers: Readers
) -> dict[str, float]:
    clock = Clock(asyncio.get_running_loop())
    settings = schema.Config(
        session=schema.SessionLimits(lines_per_s=1_000, lines_burst=1_000, full_screens_max=1_000),
        tables=schema.TablesConfig(plays_per_person_per_s=1_000, plays_burst=1_000_000),
        sources=schema.SourceLimits(exempt=("198.51.100.0/24",)),
    )
    journal = SqliteJournal.open(folder, clock.now_ms, settings.journal)
    machine = Platform(clock, journal, FakeHasher(), InlineBots(), random.Random(1))
    app = App(settings, machine)
    await app.open()
    try:
        players = [await _players(app, variant, n, readers) for n in range(1, tables + 1)]
        return await _measured(players, plays, SETTLED_S[readers])
    finally:
        await app.stop("")


Players = tuple[Table, list[FakeLink]]


async def _players(app: App, variant: str, number: int, readers: Readers) -> Players:
    """People at a table of their own."""
    seats, terminals, settled_s = seats_of(variant), READERS[readers], SETTLED_S[readers]
    links = [
        FakeLink(terminals[seat % len(terminals)], "ssh", wants_json=readers == "json")
        for seat in range(seats)
    ]
    for link in links:
        link.handler = app.session_manager.open_session(link, AuthenticatedUser("guest", "guest"))
    await asyncio.sleep(settled_s)
    _type(links[0], f"open {variant} seats={seats} clocks=off")
    while (table := live_table(app.table_manager, number)) is None:  # noqa: ASYNC110
        await asyncio.sleep(settled_s)
    for link in links[1:]:
        await _all_settle([(table, link, f"sit {number}")], settled_s)
    return table, links


async def _measured(tables: list[Players], plays: int, settled_s: float) -> dict[str, float]:
    rng, spent_s = random.Random(1), dict.fromkeys(("decide", "encode", "commit", "paint"), 0.0)
    all_s = main_s = 0.0
    for _ in range(plays // len(tables)):
        resting = [(t, links) for t, links in tables if not t.is_playing]
        for each in zip(*(links for _, links in resting), strict=True):  # one seat of every table
            ready = [(t, link, "ready") for (t, _), link in zip(resting, each, strict=True)]
            await _all_settle(ready, settled_s)
        lines = [(table, *_a_play(table, links, rng)) for table, links in tables]
        with _watched(spent_s):
            cpu_s, thread_s = time.process_time(), time.thread_time()
            await _all_settle(lines, settled_s)
            all_s += time.process_time() - cpu_s
            main_s += time.thread_time() - thread_s
        for _, links in tables:
            for link in links:
                link.received.clear()
    spent_s["journal"] = spent_s.pop("encode") + all_s - main_s  # the other thread is its writer
    spent_s["rest"] = all_s - sum(spent_s.values())
    spent_s["all"] = all_s
    played = plays // len(tables) * len(tables)
    return {part: seconds / played * 1e6 for part, seconds in spent_s.items()}


async def _all_settle(lines: list[tuple[Table, FakeLink, str]], settled_s: float) -> None:
    """Type them all; wait until they are written down and everybody has been shown."""
    before = [(table, table.sequence) for table, _, _ in lines]
    for _, link, line in lines:
        _type(link, line)
    while any(table.sequence == sequence for table, sequence in before):  # noqa: ASYNC110
        await asyncio.sleep(settled_s)
    await asyncio.sleep(settled_s)


def _type(link: FakeLink, line: str) -> None:
    typed = json.dumps({"line": line}) + "\n" if link.wants_json else line + "\r"
    link.handler.on_data(typed.encode())


def _a_play(table: Table, links: list[FakeLink], rng: random.Random) -> tuple[FakeLink, str]:
    """Some legal play of whoever is asked, as it is typed: first its kind, then which."""
    game, variant = table.game, table.variant
    views = [game.view(seat) for seat in game.window.seats]
    view, actions = next((v, some) for v in views if (some := variant.legal_actions(v)))
    by_kind: dict[str, list[Any]] = {}
    for action in actions:
        by_kind.setdefault(type(action).__name__, []).append(action)
    action = rng.choice(rng.choice(list(by_kind.values())))
    name = game.names[view.seat]  # seats are drawn anew with each game
    link = next(link for link in links if link.handler.person.name == name)
    return link, variant.phrase(action, view, game.names)


@contextmanager
def _watched(spent_s: dict[str, float]) -> Iterator[None]:
    """Meanwhile, add up the CPU that the parts of a play take."""
    with ExitStack() as watches:
        for owner, name, part in WATCHED:
            timed = _timed(getattr(owner, name), spent_s, part)
            watches.enter_context(mock.patch.object(owner, name, timed))
        yield


def _timed(call: Callable[..., Any], spent_s: dict[str, float], part: str) -> Callable[..., Any]:
    def timed(*args: Any, **options: Any) -> Any:
        start_s = time.thread_time()
        try:
            return call(*args, **options)
        finally:
            spent_s[part] += time.thread_time() - start_s

    return timed


if __name__ == "__main__":
    for readers in READERS:
        for game in CATALOGUE:
            for name, value in run(game, 8, 80, readers).items():
                print(f"{game}, {seats_of(game)} seats, {readers}: {name} {value:.0f} us")
