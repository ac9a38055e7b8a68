"""What one play costs in all: typed by one of four, decided, durable, painted for each of them.

Rule 1: the whole house with the real journal on a real disk; only the lines are fakes, so that what
        sockets cost stays out (`visits.py` has that).
Rule 2: the four read in four ways, so nothing is painted for one and shown to another.
Rule 3: in an idle house one play wakes everything for itself; in a busy one many share a commit
        and a tick.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from mudserver import config
from mudserver.app import App, Machine
from mudserver.bots.pool import InlineBots
from mudserver.clock import Clock
from mudserver.journal import Journal
from mudserver.session.reception import Reception
from mudserver.tables import codec
from mudserver.tables.table import Table
from mudserver.transport.link import Proven, Terminal
from mudserver.ui.screen import Screen
from tests.simulation.house import FakeHasher, FakeLink
from variants.catalogue import CATALOGUE

WATCHED = (
    (Table, "decide", "decide"),
    (codec, "encode", "encode"),
    (Table, "commit", "commit"),
    (Reception, "painted", "paint"),
    (Screen, "flush", "paint"),
)
TERMINALS = (
    Terminal("xterm-256color", 80, 24, is_ansi=True, is_character=True, colours="256"),
    Terminal("xterm", 40, 20, is_ansi=True, is_character=True, colours="16"),
    Terminal("ansi", 80, 24, is_ansi=True, is_character=True, charset="latin-1"),
    Terminal("mudlet", 100, 40, is_ansi=True, is_screen_reader=True, colours="true"),
)
PARTS = ("decide", "journal", "commit", "paint", "rest")
SETTLED_S = 0.03  # more than a tick: all four have been shown it


def run(variant: str, tables: int, plays: int) -> dict[str, float]:
    """CPU microseconds of a play while so many tables play *variant* at once: `all`, and its
    `PARTS`.  The rest is typing, echo, queues and the event loop."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_played(Path(folder), variant, tables, plays))


async def _played(folder: Path, variant: str, tables: int, plays: int) -> dict[str, float]:
    clock = Clock(asyncio.get_running_loop())
    settings = config.Config(
        line=config.Line(lines_per_s=1_000, lines_burst=1_000),
        people=config.People(guests_per_source_max=1_000),
    )
    journal = Journal.open(folder, clock.now_ms, settings.journal)
    machine = Machine(clock, journal, FakeHasher(), InlineBots(), random.Random(1))
    app = App(settings, machine)
    await app.open()
    try:
        four = [await _four(app, variant, number) for number in range(1, tables + 1)]
        return await _measured(four, plays)
    finally:
        await app.stop("")


Four = tuple[Table, list[FakeLink]]


async def _four(app: App, variant: str, number: int) -> Four:
    """Four people at a table of their own."""
    links = [FakeLink(terminal, "ssh") for terminal in TERMINALS]
    for link in links:
        link.visitor = app.reception.answer(link, Proven("guest", "guest"))
    await asyncio.sleep(SETTLED_S)
    links[0].visitor.hear(f"open {variant} seats=4 clocks=off\r".encode())
    while (table := app.hall.find(number)) is None:  # noqa: ASYNC110
        await asyncio.sleep(SETTLED_S)
    for link in links[1:]:
        await _all_settle([(table, link, f"sit {number}")])
    return table, links


async def _measured(fours: list[Four], plays: int) -> dict[str, float]:
    rng, spent_s = random.Random(1), dict.fromkeys(("decide", "encode", "commit", "paint"), 0.0)
    all_s = main_s = 0.0
    for _ in range(plays // len(fours)):
        await _all_settle([(t, links[0], "start") for t, links in fours if not t.is_playing])
        lines = [(table, *_a_play(table, links, rng)) for table, links in fours]
        with _watched(spent_s):
            cpu_s, thread_s = time.process_time(), time.thread_time()
            await _all_settle(lines)
            all_s += time.process_time() - cpu_s
            main_s += time.thread_time() - thread_s
        for _, links in fours:
            for link in links:
                link.received.clear()
    spent_s["journal"] = spent_s.pop("encode") + all_s - main_s  # the other thread is its writer
    spent_s["rest"] = all_s - sum(spent_s.values())
    spent_s["all"] = all_s
    played = plays // len(fours) * len(fours)
    return {part: seconds / played * 1e6 for part, seconds in spent_s.items()}


async def _all_settle(lines: list[tuple[Table, FakeLink, str]]) -> None:
    """Type them all; wait until they are written down and everybody has been shown."""
    before = [(table, table.sequence) for table, _, _ in lines]
    for _, link, line in lines:
        link.visitor.hear(line.encode() + b"\r")
    while any(table.sequence == sequence for table, sequence in before):  # noqa: ASYNC110
        await asyncio.sleep(SETTLED_S)
    await asyncio.sleep(SETTLED_S)


def _a_play(table: Table, links: list[FakeLink], rng: random.Random) -> tuple[FakeLink, str]:
    """Some legal play of whoever is asked, as it is typed: first its kind, then which."""
    game, variant = table.game, table.variant
    views = [game.view(seat) for seat in game.window.seats]
    view, actions = next((v, some) for v in views if (some := variant.legal_actions(v)))
    by_kind: dict[str, list[Any]] = {}
    for action in actions:
        by_kind.setdefault(type(action).__name__, []).append(action)
    action = rng.choice(rng.choice(list(by_kind.values())))
    return links[view.seat], variant.phrase(action, view, game.names)


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
    for tables in (1, 32):
        for game in CATALOGUE:
            for name, value in run(game, tables, 320).items():
                print(f"{game}: {name} {value:.0f} us, {tables} tables")
