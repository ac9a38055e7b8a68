"""What several game servers on one PostgreSQL cost, and how long a line or a person is on the way.

Rule 1: servers and doors are whole processes, PostgreSQL is a fresh cluster on this disk; where it
        is not installed there are no rows.
Rule 2: a walk is beside the same line about a table of the own server, in turn.
Rule 3: one server and several are measured in turn, with as many people on each: what a line costs
        for each of those who hear it, in all game servers together.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.bench.child import Child
from tests.bench.report import Row, Target
from tests.bench.visits import PAUSE_S
from tests.postgres import Cluster, find_programs

NAMES = ("g1", "g2", "g3")
READERS = 50  # on each of the servers on which nobody speaks
LINES, LINES_PER_S = 100, 10
WALKS = 200
PEOPLE, ROUNDS = 100, 40  # on each server
LINE_MS, WALK_MS, MORE_MS, FLAT = 50, 50, 5, 1.15
KNOWN_S = 60.0


class Town:
    """Game servers, and doors to some of them."""

    def __init__(self, folder: Path, address: str, stack: ExitStack) -> None:
        self._folder, self._address, self._stack = folder, address, stack
        self.games: list[Child] = []

    def open(self, count: int) -> None:
        for name in NAMES[:count]:
            game = self._stack.enter_context(Child("tests.bench.server"))
            game.ask("listen_for_doors", str(self._folder / name), self._address, name)
            self.games.append(game)
        end_s = time.monotonic() + KNOWN_S
        while any(game.ask("live_servers") < count for game in self.games):
            assert time.monotonic() < end_s, "the servers do not know each other"
            time.sleep(0.1)

    def crowd(self, people: int, *at: int) -> Child:
        """So many come by telnet, to a door in front of the servers *at* these places."""
        door = self._stack.enter_context(Child("tests.bench.door"))
        sockets = [str(self._folder / NAMES[n] / "game.sock") for n in at]
        place = tempfile.mkdtemp(dir=self._folder)
        port = door.ask("listen", place, sockets)["telnet"]
        crowd = self._stack.enter_context(Child("tests.bench.crowd"))
        crowd.ask("come", "telnet", port, people)
        return crowd


@contextmanager
def town(count: int) -> Iterator[Town]:
    """So many servers that share a journal."""
    programs = find_programs()
    assert programs is not None
    cluster = Cluster(programs, in_memory=False)
    try:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            made = Town(Path(folder), asyncio.run(cluster.make_database()), stack)
            made.open(count)
            yield made
    finally:
        cluster.remove()


def line_ms(readers: int = READERS, lines: int = LINES) -> float:
    """The 99th percentile of the time from a line said on one server to a reader on another."""
    with town(len(NAMES)) as here:
        here.crowd(1, 0)
        crowd = here.crowd(2 * readers, 1, 2)
        here.games[0].ask("settle")
        crowd.ask("note_delays")
        here.games[0].ask("speak", lines, 1 / LINES_PER_S)
        delays_ms = crowd.ask("delays_ms", 2 * readers * lines)
    return float(delays_ms[len(delays_ms) * 99 // 100])


def walks_ms(walks: int = WALKS) -> tuple[list[float], list[float]]:
    """How long it took to get to a table of another server, and of the own; shortest first.

    Two tables are on two servers.  Whoever goes to one stays there, so that each second line about
    the same table finds it at home.
    """
    with town(2) as here:
        first, second = here.crowd(1, 0), here.crowd(1, 1)
        tables = [crowd.ask("open_table", 0) for crowd in (first, second)]
        walker = here.crowd(1, 0, 1)
        walker.ask("watches_ms", 0, tables, 2)
        one, own, other, again = walker.ask(
            "watches_ms", 0, [tables[0], tables[0], tables[1], tables[1]], walks // 2
        )
    return sorted(one + other), sorted(own + again)


def line_us(count: int, people: int = PEOPLE, rounds: int = ROUNDS) -> float:
    """Microseconds of CPU, of all game servers, for a line shown to one of those on each."""
    with town(count) as here:
        crowds = [here.crowd(people, at) for at in range(count)]
        for game in here.games:
            game.ask("settle")
        for crowd in crowds:
            crowd.ask("type_half")
            crowd.ask("forget")
        before = [game.ask("cpu_s") for game in here.games]
        here.games[0].ask("talk", rounds, 1, PAUSE_S)
        for crowd in crowds:
            assert not crowd.ask("hear", people * rounds), "more was heard than was said"
        spent_s = sum(game.ask("rested_s", PAUSE_S) for game in here.games) - sum(before)
    return float(spent_s / (count * people * rounds) * 1e6)


def rows(times: int) -> list[Row]:
    if find_programs() is None:
        return []
    walks = [walks_ms() for _ in range(times)]
    costs = [(line_us(len(NAMES)), line_us(1)) for _ in range(times)]
    more = tuple(_half(away) - _half(own) for away, own in walks)
    return [
        Row("servers: ms of a lobby line to readers on two others, 99 of 100",
            tuple(line_ms() for _ in range(times)), (), Target("<=", LINE_MS)),
        Row("servers: ms to a table of another one, half of the walks",
            tuple(_half(away) for away, _ in walks), tuple(_half(own) for _, own in walks)),
        Row("      more than to one of the own", more, (), Target("<=", MORE_MS)),
        Row("      99 of 100 walks", tuple(_most(away) for away, _ in walks),
            tuple(_most(own) for _, own in walks), Target("<=", WALK_MS)),
        Row(f"servers: us of CPU a line delivered, {len(NAMES)} servers beside one",
            tuple(many for many, _ in costs), tuple(one for _, one in costs),
            Target("<=", FLAT, is_ratio=True)),
    ]  # fmt: skip


def _half(found: list[float]) -> float:
    return found[len(found) // 2]


def _most(found: list[float]) -> float:
    return found[len(found) * 99 // 100]
