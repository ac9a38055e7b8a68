"""A server that is open for days, by simulation: people come, talk, play, drop their lines and go.

Rule 1: a soak is shifts of virtual time without an end of the server between them.  After each
        everybody goes home, and what the empty server still holds is counted.  Whatever belongs
        to who has gone would show there, however little it is.
Rule 2: what the disk and the people themselves keep is thrown away on the way: a real server has
        neither in its memory.
Rule 3: what the proof itself writes down is no memory of the server: of kinds of objects it keeps
        two lists, the first and the newest.
Rule 4: the first shift fills what is bounded and kept on purpose (accounts, caches), and after it
        each account gets as many last games as it may have; the figures are those of the shifts
        after it.
Rule 5: where pages are looked at, the soak has a process of its own in which the C library gives
        all memory (`soaked_apart`).  Python's own allocator takes memory by the MiB, and returns a
        piece only when nothing of it is in use: what it keeps says how busy the busiest hour was,
        and what the process has done before, not what is held.
Rule 6: the C library, too, keeps a page for the least that is left on it, and when a crowd goes,
        little that stays (words that are cached, last games) is left on nearly all its pages: an
        empty server has those of the busiest minute so far.  So pages are judged by what is
        kept beyond the most that was ever in use: a busier minute is no growth, while what nobody
        counts (a mapping, a thread's stack, holes that nothing fits in) is, shift by shift.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from multiprocessing import get_context
from random import Random
from statistics import linear_regression, median_low
from typing import Any

import pytest

from mudserver import metrics
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.played import LAST_GAMES, PlayedGame
from mudserver.journal import StoredRecord
from tests.bench.stand_ins import quick_players
from tests.inline_bots import InlineBots
from tests.memory import give_back, in_use_kib, resident_kib
from tests.simulation.people import Entrance, SimPerson
from tests.simulation.programs import SimProgram
from tests.simulation.server import SimServer, World, new_world
from tests.simulation.simulation import _tasks, listening
from tests.simulation.virtual import VirtualLoop, run

STEP_S = 60.0  # virtual, between two times that who is out thinks of coming in
SWEEP_S = 60.0  # virtual, between two times that disk and people forget
LAST_DAY_MIN = 240  # at most, until the empty server is quiet
SCREEN = 80  # writes that a person still sees
GUESTS, PROGRAMS = 0.1, 0.2  # of all people
TIMERS = 4  # of an empty server: heartbeat, retention, idle people, and our sweep

Plant = Callable[[SimServer], None]


@dataclass(frozen=True)
class Plan:
    """How long, how many, and how busy they are: means in virtual seconds."""

    people: int = 300
    shifts: int = 12
    shift_s: float = 6 * 3600.0
    away_s: float = 4 * 3600.0  # between two visits
    pause_s: float = 45.0  # between two lines
    thought_s: float = 8.0  # about a play
    arrival_s: float = 600.0  # in which everybody comes for the first time
    seed: int = 1


class _Regular(SimPerson):
    """Somebody who comes again and again, and soon forgets what was on the screen."""

    def __init__(self, name: str, number: int, seed: int) -> None:
        super().__init__(name, number, seed)
        self.peer = f"198.51.{100 + number // 250}.{number % 250}"
        self.links = deque(maxlen=0)  # type: ignore[assignment]
        self.plays = deque(maxlen=2)  # type: ignore[assignment]
        self.secrets = deque(maxlen=1)  # type: ignore[assignment]
        self.said = deque(maxlen=1)  # type: ignore[assignment]
        self.visits = 0
        self.plan = Plan()

    def begin(self) -> None:
        """A new shift."""
        self.is_leaving = self.is_gone = self._has_quit = False
        self._codes_seen.clear()

    async def live(self, entrance: Entrance) -> None:
        await asyncio.sleep(self.rng.uniform(0, self.plan.arrival_s))
        while self.link is None and not self.is_leaving:
            await self._come_in(entrance)
            await asyncio.sleep(1)
        await super().live(entrance)

    def _pause_s(self) -> float:
        rng, plan = self.rng, self.plan
        if self.is_leaving:
            return rng.uniform(0.3, 3)
        if self.link is None:
            return STEP_S  # in steps, for the server may close
        return rng.expovariate(1 / (plan.thought_s if self._is_asked else plan.pause_s))

    async def _act(self, entrance: Entrance) -> None:
        if not self.is_leaving and self._stays_away():
            return
        self._forget()
        await super()._act(entrance)

    def _stays_away(self) -> bool:
        if self.link is not None and self.link.is_open:
            return False
        if self.link is not None:  # has ended since
            self.link = None
            return self.rng.random() < 0.7
        return self.rng.random() > STEP_S / self.plan.away_s

    def _forget(self) -> None:
        if self.link is not None:
            del self.link.received[:-SCREEN]

    async def _come_in(self, entrance: Entrance) -> None:
        await super()._come_in(entrance)
        self.visits += 1

    def _opening(self) -> str:
        return re.sub("pace=[a-z]+", "pace=person", super()._opening())  # it is days of plays

    def _type(self, line: str, *, is_neat: bool = False) -> None:
        super()._type("bot 1" if line == "bot" else line, is_neat=is_neat)  # the quick ones


class _Program(_Regular, SimProgram):
    def _forget(self) -> None:
        self._look()
        if self.link is not None:
            self.link.received.clear()
        self._read = 0


class _Numbered(list[Any]):
    """Records of an account as the disk counts them, without the records."""

    def __init__(self, last: int) -> None:
        super().__init__()
        self.last = last  # sequence

    def append(self, record: Any) -> None:
        self.last += 1

    def __getitem__(self, place: Any) -> Any:
        assert place == -1, place
        return StoredRecord(self.last, 0, b"")

    def __len__(self) -> int:
        return self.last


@dataclass
class Rest:
    """What an empty server holds."""

    virtual_h: float
    objects: int  # that the collector follows
    in_use_kib: int  # by the C library: apart all memory, else only what is larger than 512 bytes
    busiest_kib: int  # in use at most so far, looked at once a sweep
    resident_kib: int  # with what the allocators keep free for the next crowd
    descriptors: int
    timers: int


@dataclass
class Soak:
    """One run.  *rests*: after each shift; *kinds* of objects: at the second of them and the
    last."""

    plan: Plan
    rests: list[Rest] = field(default_factory=list)
    kinds: list[Counter[str]] = field(default_factory=list, repr=False)
    visits: int = 0
    tables: int = 0
    lines: int = 0
    plays: int = 0
    most_in: int = 0
    busiest_kib: int = 0

    def growth(self, name: str) -> float:
        """By which part of its mean a figure has grown from the second rest to the last."""
        values = [getattr(rest, name) for rest in self.rests[1:]]
        return self._rise(values) * len(values) / (sum(values) or 1)

    def growth_of_pages(self) -> float:
        """The same of the most pages at a rest so far beyond the most that was in use so far, as
        a part of all pages (rule 6)."""
        most = accumulate((rest.resident_kib for rest in self.rests), max)
        beyond = [kept - rest.busiest_kib for kept, rest in zip(most, self.rests, strict=True)]
        return self._rise(beyond[1:]) / self.rests[-1].resident_kib

    def _rise(self, values: Sequence[int]) -> float:
        """From the second rest to the last, on the straight line through all (least squares)."""
        xs = [rest.virtual_h for rest in self.rests[1:]]
        return linear_regression(xs, values).slope * (xs[-1] - xs[0])

    def steady_growth(self, name: str) -> float:
        """The same by the middle one of its steps, of two the smaller: a table of the interpreter
        that the busiest hour has made larger stays so, but is one step (1.2 MiB seen), while what
        belongs to those who have gone grows with each shift."""
        values = [getattr(rest, name) for rest in self.rests[1:]]
        step = median_low(after - before for before, after in pairwise(values))
        return step * (len(values) - 1) / values[0]

    def grown(self) -> list[tuple[str, int]]:
        """Kinds of objects of which there are more at the last rest than at the second."""
        return (self.kinds[-1] - self.kinds[0]).most_common(12)

    def __str__(self) -> str:
        rest = self.rests[-1]
        return (
            f"soak virtual_hours={rest.virtual_h:.0f} people={self.plan.people}"
            f" visits={self.visits} most_in={self.most_in} lines={self.lines} plays={self.plays}"
            f" tables={self.tables} objects={rest.objects}"
            f" objects_growth={self.steady_growth('objects'):.3%} in_use_kib={rest.in_use_kib}"
            f" in_use_growth={self.steady_growth('in_use_kib'):.3%}"
            f" busiest_kib={rest.busiest_kib} resident_kib={rest.resident_kib}"
            f" pages_growth={self.growth_of_pages():.2%}"
            f" descriptors={rest.descriptors} timers={rest.timers}"
        )


def soaked(plan: Plan, plant: Plant | None = None) -> Soak:
    """Live through *plan*; AssertionError: something was logged, raised or left behind.

    Args:
        plant: Puts a fault into the server.
    """
    soak, failures = Soak(plan), list[str]()
    with listening(failures):
        run(_shifts(soak, failures, plant))
        gc.collect()
    assert [] == failures, failures[:5]
    return soak


def soaked_apart(plan: Plan, plant: Plant | None = None) -> Soak:
    """`soaked` in a process of its own, in which every byte is the C library's (rule 5); *plant*
    is a function of a module."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONMALLOC", "malloc")
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            return process.submit(soaked, plan, plant).result()


async def _shifts(soak: Soak, failures: list[str], plant: Plant | None) -> None:
    plan, loop = soak.plan, asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, about: failures.append(repr(about)))
    world = new_world(plan.seed)
    # Computer players think in a process of their own: here they are to play, not to be good.
    quick = {name: quick_players(variant) for name, variant in world.catalogue.items()}
    server = await SimServer(world, bots=InlineBots(catalogue=quick)).open()
    if plant is not None:
        plant(server)
    people = _people(plan)
    sweeper = asyncio.create_task(_sweep(soak, server, world), name="sim sweep")
    lines, plays = metrics.LINES_READ.value, sum(metrics.PLAYS.values.values())
    for number in range(plan.shifts):
        await _shift(server, people, plan.shift_s)
        if number == 0:
            _fill_last_games(server.app.account_service._accounts)
        _check_empty(server)
        soak.rests.append(_rest(soak, loop))
        if len(soak.rests) > 1:
            soak.kinds[1:] = [_kinds()]
        assert soak.rests[-1].timers <= TIMERS, soak.rests
    soak.visits = sum(person.visits for person in people)
    soak.tables = server.app.table_manager._numbers.take() - 1
    soak.lines = metrics.LINES_READ.value - lines
    soak.plays = sum(metrics.PLAYS.values.values()) - plays
    sweeper.cancel()
    await server.stop()
    await asyncio.sleep(0)
    assert [] == [task.get_name() for task in _tasks()]


def _fill_last_games(accounts: Accounts) -> None:
    """Old games before those of the first shift, up to the bound."""
    for number, account in enumerate(accounts._by_id.values()):
        played = range(LAST_GAMES - len(account.last_games))
        first = 1_000 + LAST_GAMES * number  # numbers that take memory of their own
        older = [PlayedGame("words", first + n, 1, "", 1, 2, first + n + 500_000) for n in played]
        account.last_games = (*older, *account.last_games)


def _people(plan: Plan) -> list[_Regular]:
    rng, people = Random(f"soak {plan.seed}"), list[_Regular]()
    for n in range(plan.people):
        name = "guest" if rng.random() < GUESTS else f"Cat{n}"
        kind = _Program if rng.random() < PROGRAMS else _Regular
        people.append(kind(name, n, plan.seed + n))
    names = [person.name for person in people if not person.is_guest]
    for person in people:
        person.plan, person.others = plan, rng.sample(names, min(5, len(names)))
    return people


async def _shift(server: SimServer, people: Iterable[_Regular], span_s: float) -> None:
    """Everybody lives for a while, then goes home; returns when the server is empty."""
    living = []
    for person in people:
        person.begin()
        living.append(asyncio.create_task(person.live(server), name=f"sim {person.name}"))
    await asyncio.sleep(span_s)
    for person in people:
        person.is_leaving = True
    for _ in range(LAST_DAY_MIN):
        await asyncio.sleep(60)
        if all(task.done() for task in living) and not server.app.table_manager.lists.count():
            break
    for person, task in zip(people, living, strict=True):
        assert task.done(), (person.name, "cannot leave", person._end_of_screen())
        task.result()
    assert 0 == server.app.table_manager.lists.count(), server.app.table_manager.lists.summaries()
    await asyncio.sleep(2 * SWEEP_S)


async def _sweep(soak: Soak, server: SimServer, world: World) -> None:
    disk = world.disk
    while True:
        await asyncio.sleep(SWEEP_S)
        soak.most_in = max(soak.most_in, len(server.app.lobby))
        soak.busiest_kib = max(soak.busiest_kib, in_use_kib())
        for stream in disk.closed:
            del disk.records[stream]
            disk.ranks.pop(stream, None)
        disk.closed.clear()
        for stream, records in disk.records.items():
            if stream.startswith(("person/", "results/")) and not isinstance(records, _Numbered):
                disk.records[stream] = _Numbered(records[-1].sequence)
        for table in ("game", "game_seat"):  # the last game tells the number of the next
            disk.index.execute(f"delete from {table} where number < (select max(number) from game)")


def _check_empty(server: SimServer) -> None:
    app, tables = server.app, server.app.table_manager
    assert {"compaction", "heartbeat", "retention", "tournaments"} >= {
        task.get_name() for task in _tasks()
    }
    left = (
        list(app.session_manager.sessions), list(app.outbox._inboxes), app.online.all(),
        app.lobby.online_names(), list(tables._runners), tables.places.people(),
        list(app.service._numbered_moves._lists),
        len(app.account_service._reserved), list(app.account_service._tasks),
        list(app.session_manager.screen_factory._places),
        app.session_manager._pending_delivery,
    )  # fmt: skip
    assert not any(left), left


def _rest(soak: Soak, loop: asyncio.AbstractEventLoop) -> Rest:
    assert isinstance(loop, VirtualLoop)
    give_back()
    timers = [handle for handle in loop._scheduled if not handle.cancelled()]  # type: ignore[attr-defined]
    return Rest(
        loop.time() / 3600, len(gc.get_objects()), in_use_kib(), soak.busiest_kib, resident_kib(),
        len(os.listdir("/proc/self/fd")), len(timers),
    )  # fmt: skip


def _kinds() -> Counter[str]:
    return Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    hours, count = float(sys.argv[1]), int(sys.argv[2])
    done = soaked_apart(
        Plan(people=count, shifts=max(3, round(hours / 6)), shift_s=min(6, hours / 3) * 3600)
    )
    for each in done.rests:
        print(each)
    print(done, *done.grown(), sep="\n")
