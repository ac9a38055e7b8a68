"""One simulation by seed: several days at a server that dies, is stopped, and opens again.

Rule 1: a day is one run of the server on an event loop of its own; its end takes every timer and
        task along, as SIGKILL does.  The disk and the people stay.
Rule 2: whatever is logged as an error, raised in a callback or left over is a failure of the
        seed.  Only the journal's own failures, which the simulation commands, may be logged.
Rule 3: on the last day everybody comes back, leaves the table and goes; then the server must
        become empty by itself.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from hashlib import sha256
from random import Random
from typing import Any

from mudserver.tables import records as f
from mudserver.tables.game import remaining_ms
from mudserver.tables.table import Table
from tests.memory_journal import MemoryJournal
from tests.simulation.delivery_monitor import Memory, check_told, listen
from tests.simulation.disk import Folded, check_cards, check_same, fold, numbers, records
from tests.simulation.people import Entrance, SimPerson
from tests.simulation.programs import SimProgram
from tests.simulation.seeks import check_no_seeks, check_seeks
from tests.simulation.server import WALL_MS, SimServer, World, new_world
from tests.simulation.virtual import run

NAMES = ("ann", "bob", "Cid", "dan", "Eve_9", "finn", "gus-t", "hal")
AGAIN = ".venv/bin/python -m tests.simulation.again"
CHECK_S = 20.0  # virtual, between two looks at everything
LAST_DAY_MIN = 240  # at most, until the empty server is quiet
ADJOURNED_S = 49 * 3_600  # a game that an outage has adjourned waits for two days
ALLOWED = ("table record not saved", "journal write failed", "retention failed err=pruning failed",
           "handover failed")  # fmt: skip


@dataclass
class Figures:
    """What a simulation came to; figures of several add up."""

    seeds: int = 0
    virtual_s: float = 0
    visits: int = 0
    program_visits: int = 0
    program_plays: int = 0  # typed by programs
    tables: int = 0
    games: int = 0
    games_ended: int = 0
    plays: int = 0
    typed_plays: int = 0
    time_outs: int = 0
    taken: int = 0  # offered games
    matches: int = 0  # that were proposed
    told: int = 0
    checks: int = 0
    kills: int = 0
    kills_at_a_record: int = 0
    stops: int = 0
    journal_faults: int = 0
    clock_jumps: int = 0

    def __add__(self, other: Figures) -> Figures:
        names = [field.name for field in fields(self)]
        return Figures(*(getattr(self, name) + getattr(other, name) for name in names))

    def __str__(self) -> str:
        hours = f"virtual_hours={self.virtual_s / 3600:.1f}"
        counts = (f"{x.name}={getattr(self, x.name)}" for x in fields(self))
        return " ".join([hours, *(text for text in counts if not text.startswith("virtual_s"))])


@dataclass
class Outcome:
    figures: Figures
    digests: tuple[str, str]  # of all that is durable; of all bytes and their times, for everyone


class Waiting:
    """What a table that the server's end has caught is owed."""

    def __init__(self, number: int, table: Table) -> None:
        self.number, self.sequence, self.deadline_ms = number, table.sequence, table.deadline_ms
        self.full_ms = (table.game.open_ms() or 0) if table.game and table.is_playing else 0


class House:
    """One process.  `split_simulation.py` has another."""

    def __init__(self, server: SimServer, entrance: Entrance) -> None:
        self.server, self.entrance = server, entrance

    async def rest(self) -> None:
        """Whatever may happen to the server has happened."""


class Simulation:
    kind = "days"  # for `again.py`
    programs = 0.3  # of the people

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = rng = Random(f"town {seed}")
        self.world: World = new_world(seed)
        self.memory = Memory()
        self.figures = Figures(seeds=1)
        self.failures: list[str] = []
        self.folds: dict[int, Folded] = {}
        self.wall_ms = WALL_MS
        names = [*NAMES[: rng.randint(2, 5)], *["guest"] * rng.randint(0, 2)]
        kinds = Random(f"kinds of people in {seed}")
        self.people = [
            (SimProgram if kinds.random() < self.programs else SimPerson)(name, 10 + n, seed + n)
            for n, name in enumerate(names)
        ]
        for person in self.people:
            person.others = [name for name in names if name not in (person.name, "guest")]

    def play(self) -> Outcome:
        try:
            return self._play()
        except BaseException as failure:
            failure.add_note(
                f"Again: .venv/bin/python -m tests.simulation.again {self.kind} {self.seed}"
            )
            raise

    def _play(self) -> Outcome:
        days = self.rng.randint(1, 3)
        for _ in range(days):
            self._day(self._ordinary)
        self._day(self._last)
        self._count()
        wire = sha256()
        for person in self.people:
            for link in person.links:
                wire.update(repr((person.name, link.received)).encode())
        return Outcome(self.figures, (_digest(self.world), wire.hexdigest()))

    # -- days ------------------------------------------------------------------------------------

    async def open_house(self) -> House:
        """Where a day is spent."""
        self.expect_time_back()
        server = self.make_server(self.wall_ms)
        await server.open()
        await asyncio.sleep(0.01)
        self.check_time_given_back()
        return House(server, server)

    def make_server(self, wall_ms: int) -> SimServer:
        server = SimServer(self.world, wall_ms)
        listen(server.app, self.memory)
        return server

    def _day(self, scenario: Callable[[House], Awaitable[None]]) -> None:
        async def day() -> None:
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(lambda _, about: self.failures.append(repr(about)))
            house = await self.open_house()
            people = [
                asyncio.create_task(person.live(house.entrance), name=f"sim {person.name}")
                for person in self.people
                if not person.is_gone
            ]
            try:
                await scenario(house)
            finally:
                self.wall_ms = house.server.clock.now_ms()
                self.figures.virtual_s += loop.time()
                self.world.disk.owner = None  # whatever still runs writes nothing more
                for task in people:
                    if task.done():
                        task.result()

        with listening(self.failures):
            run(day())
            gc.collect()  # a task that died unheard says so when it is collected
        self.memory.forget_lines()
        assert [] == self.failures, self.failures
        self._pass_time()

    def _pass_time(self) -> None:
        """The server is down for a while, and its clock may be set meanwhile."""
        rng = self.rng
        self.wall_ms += rng.randint(500, 120_000)
        if rng.random() < 0.4:
            self.figures.clock_jumps += 1
            self.wall_ms += rng.choice((-7_200_000, -60_000, 45_000, 3_600_000, 90_000_000))

    async def _ordinary(self, house: House) -> None:
        rng, figures = self.rng, self.figures
        faults = asyncio.create_task(self._break_the_journal(house, rng), name="sim faults")
        watch = asyncio.create_task(self._look_now_and_then(house), name="sim watch")
        await asyncio.sleep(rng.uniform(30, 400))
        await house.rest()
        end, server = rng.random(), house.server
        if end < 0.35:  # at any moment
            figures.kills += 1
        elif end < 0.7:  # when a record is durable and nobody has heard of it
            figures.kills += 1
            died = server.journal.doom(rng.randint(1, 5))
            server.journal.fail_always(False)
            try:
                async with asyncio.timeout(600):
                    await died.wait()
                figures.kills_at_a_record += 1
            except TimeoutError:
                pass  # nobody plays
        else:
            figures.stops += 1
            server.journal.fail_always(False)
            await server.stop()
        for task in (faults, watch):
            if task.done():
                task.result()

    async def _last(self, house: House) -> None:
        watch = asyncio.create_task(self._look_now_and_then(house), name="sim watch")
        await asyncio.sleep(self.rng.uniform(30, 200))
        await house.rest()
        for person in self.people:
            person.is_leaving = True
        server = house.server
        app, people = server.app, self.people
        for _ in range(LAST_DAY_MIN):
            await asyncio.sleep(60)
            if all(person.is_gone for person in people) and not app.table_manager.lists.count():
                break
        assert [] == [p.name for p in people if not p.is_gone], "cannot leave"
        if left := app.table_manager.lists.summaries():
            games = [self._folded(it.number, None).table.game for it in left]
            assert all(it and it.pause and it.pause.is_outage for it in games), left
            await asyncio.sleep(ADJOURNED_S)
        assert 0 == app.table_manager.lists.count(), app.table_manager.lists.summaries()
        watch.cancel()
        await asyncio.sleep(60)
        self._check_empty(server)
        await server.stop()
        await asyncio.sleep(0)
        assert [] == [t.get_name() for t in _tasks()]

    async def _break_the_journal(self, house: House, rng: Random) -> None:
        while True:
            await asyncio.sleep(rng.expovariate(1 / 300))
            self.figures.journal_faults += 1
            journal = house.server.journal
            if rng.random() < 0.5:
                journal.fail(rng.randint(1, 3), keeps=rng.random() < 0.5)
            else:
                journal.fail_always()
                await asyncio.sleep(rng.uniform(0.5, 40))
                journal.fail_always(False)

    # -- checks ----------------------------------------------------------------------------------

    async def _look_now_and_then(self, house: House) -> None:
        while True:
            await asyncio.sleep(CHECK_S)
            check_seeks(house.server.app)
            for number, runner in list(house.server.app.table_manager._runners.items()):
                table = runner.table
                if table.sequence and not runner._is_suspended:
                    disk = self._folded(number, table.sequence).table
                    if disk.sequence == table.sequence:
                        check_same(table, disk)
                        self.figures.checks += 1

    def expect_time_back(self) -> None:
        """Another server is about to begin."""
        self._fold_all()
        tables = [(n, folded.table) for n, folded in self.folds.items()]
        self._waiting = [Waiting(n, table) for n, table in tables if not table.is_closed]
        self._alive_ms = self.world.disk.alive_ms

    def check_time_given_back(self) -> None:
        """[TIME-1, TIME-2] Every open window has what it had left at the last heartbeat."""
        alive_ms = self._alive_ms
        for old in self._waiting:
            [record] = records(self.world, old.number, old.sequence, old.sequence + 1)
            given = record.facts[0]
            assert isinstance(given, f.TimeGivenBack), given
            if old.deadline_ms is not None:
                assert given.deadline_ms is not None
                expected = remaining_ms(old.deadline_ms, alive_ms, old.full_ms)
                assert expected == given.deadline_ms - record.at_ms, (old, given)

    def _folded(self, number: int, last: int | None = None) -> Folded:
        folded = self.folds[number] = fold(self.world, number, last, self.folds.get(number))
        return folded

    def _fold_all(self) -> None:
        for number in numbers(self.world):
            self._folded(number)

    def _check_empty(self, server: SimServer) -> None:
        app, tables = server.app, server.app.table_manager
        assert ["compaction", "heartbeat", "retention", "tournaments"] == [
            task.get_name() for task in _tasks()
        ]
        left = (
            list(app.session_manager.sessions), list(app.outbox._inboxes),
            app.online.all(), app.lobby.online_names(), tables.places.people(),
        )  # fmt: skip
        assert ([], [], [], [], []) == left
        check_no_seeks(app)

    def _count(self) -> None:
        figures = self.figures
        self._fold_all()
        figures.visits = sum(len(person.links) for person in self.people)
        programs = [person for person in self.people if isinstance(person, SimProgram)]
        figures.program_visits = sum(len(person.links) for person in programs)
        figures.program_plays = sum(len(person.plays) for person in programs)
        read = [link.text for person in self.people for link in person.links]
        figures.taken = sum(text.count(" takes your offer ") for text in read)
        figures.matches = sum(text.count(" invites you to ") for text in read)
        figures.told = check_told(self.folds, self.memory)
        figures.tables = len(self.folds)
        for folded in self.folds.values():
            figures.games += len(folded.games)
            for scenario in folded.games.values():
                check_cards(scenario.game)
                figures.games_ended += scenario.game.result is not None
                plays = [play for play in scenario.game.plays if isinstance(play, f.Played)]
                figures.plays += len(plays)
                figures.typed_plays += sum(play.by == "person" for play in plays)
                figures.time_outs += sum(play.by == "time" for play in plays)
        for program in programs:
            self._check_plays(program)
        for person in self.people:
            self._check_secrets(person)

    def _check_plays(self, program: SimProgram) -> None:
        """What is done is on the disk."""
        for (table, seat), done in program.done.items():
            games = [kept.game for kept in self.folds[table].games.values()]
            plays = [play for game in games for play in game.plays if isinstance(play, f.Played)]
            kept = sum(play.seat == seat and play.by == "person" for play in plays)
            assert kept >= done, (program.name, table, seat, kept, done)

    def _check_secrets(self, person: SimPerson) -> None:
        """What was told in private stands on two people's screens at most."""
        texts = {p.name: "".join(link.text for link in p.links) for p in self.people}
        for to, word in person.secrets:
            readers = {name for name, text in texts.items() if word in text}
            assert readers <= {person.name, to}, (person.name, to, readers)


def simulate(seed: int) -> Outcome:
    return Simulation(seed).play()


def _digest(world: World) -> str:
    return MemoryJournal(disk=world.disk).digest()


def _tasks() -> list[asyncio.Task[Any]]:
    """Those of the server."""
    me = asyncio.current_task()
    tasks = sorted(asyncio.all_tasks(), key=lambda task: task.get_name())
    return [t for t in tasks if t is not me and not t.get_name().startswith("sim")]


@contextmanager
def listening(failures: list[str]) -> Iterator[None]:
    """Errors in the log, and computer players that fail, are failures."""

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = self.format(record)
            is_bad = record.levelno >= logging.ERROR or text.startswith("computer player")
            if is_bad and not text.startswith(ALLOWED):
                failures.append(text)

    root, collector = logging.getLogger(), Collector()
    before = root.level
    root.addHandler(collector)
    root.setLevel(logging.WARNING)
    try:
        yield
    finally:
        root.removeHandler(collector)
        root.setLevel(before)
