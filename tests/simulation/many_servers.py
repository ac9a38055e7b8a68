"""Three whole servers on one virtual PostgreSQL, two doors, and people who walk between them.

Rule 1: servers and doors are the real ones; sockets, the database and time are simulated.  People
        are those of `people.py` and `programs.py`, and know nothing of servers.
Rule 2: by seed statements are late, connections break, notifications are late and lost; servers
        are cut off from the database, stopped, killed, and lose the socket to a
        door, in half of the towns with what is on the way.  At the end nothing goes wrong for
        CALM_S.
Rule 3: one server writes a table; what is told stands in its records, once; nobody plays at two
        tables, or is on two servers in the end; what is told in private is read by two; in the end
        all servers know the same, also of what was left for another terminal.  Whatever went
        wrong, a line is read once, and each line of a program is done once (`programs.py`).
Rule 4: who is taken up at another server than the one that was lost may read again what was said
        in the last seconds, if that other one has hung; its door's capsule does not have it.
"""

from __future__ import annotations

import asyncio
import random
import re
import tempfile
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import JournalWriteError, StartError
from mudserver.journal import StoredRecord
from mudserver.journal.postgres.journal import PostgresJournal
from mudserver.transport.link import AuthenticatedUser, Authenticator
from mudserver.wall.bodies import Open, Redirect, decode_body
from mudserver.wall.door_connection import DoorConnection
from mudserver.wall.frames import Frame, Kind
from tests.simulation import permuted
from tests.simulation import postgres_verbs as verbs
from tests.simulation.delivery_monitor import Memory, check_told, listen
from tests.simulation.disk import Folded, fold, numbers
from tests.simulation.harms import Harms
from tests.simulation.people import SimPerson
from tests.simulation.permuted import SERVER, PermutedLoop
from tests.simulation.process import Process
from tests.simulation.programs import SimProgram
from tests.simulation.seeks import check_seeks
from tests.simulation.server import FakeLink, SimServer, new_world, without_packages
from tests.simulation.simulation import listening
from tests.simulation.split import SimDoor, SimWall
from tests.simulation.virtual_postgres import VirtualPostgres, Weather, installed

SERVERS, DOORS = ("g1", "g2", "g3"), 2
NAMES = ("ann", "bob", "Cid", "dan", "Eve_9", "finn", "gus-t", "hal")
LEASE_S, BEAT_S = 3.0, 1.0
START_S = 5.0  # until people come
HARMS, LASTS_S = ("cut off", "stopped", "killed", "wall broken"), (0.5, 2.0, 6.0, 15.0)
CALM_S, SHORT_CALM_S = 90.0, 10.0  # after harm; or without
AGREE_S = 10
LOOK_S = 5.0  # between two looks at who sits where
WALKS, TABLES_SEEN = 0.2, 6  # of what they do: go to a table; of so many
OWN_SESSION = 0.04  # of what they do: something with the own session
SESSION_LINES = ("/sessions", "/attach", "/detach", "/set attach ask", "/set attach always")
BUSY = 3  # times as busy as people of `people.py`
RETRY_S = 0.25  # of a door
STOP_S = 20.0  # at most, of a server that was fenced
SAID = re.compile(r"(?:: |\"text\":\")(w[0-9a-f]{10})\b")
AS_ANOTHER = re.compile(
    r"Welcome back, guest\d+"
)  # `resume`: who reads now had another seat before
ALLOWED = ("journal", "table record not saved", "bus", "tables taken over", "server gone")


class OneRun:
    """A server from its start to its end."""

    def __init__(self, town: ManyServers, name: str, run: int) -> None:
        self.town, self.name, self.memory = town, name, Memory(may_tell_again=True)
        self.server: SimServer | None = None
        self.walls: list[SimWall] = []
        self._directory = town.directory / f"{name}-{run}"
        self._journal: PostgresJournal | None = None
        self._ends = asyncio.Event()
        self.process = Process()
        self.process.context.run(SERVER.set, name)

    async def live(self) -> None:
        opening = self.process.run(self._open())
        await asyncio.wait([opening])
        failures = StartError, JournalWriteError  # as `machine.start`; it was killed, or cut off
        if opening.cancelled() or isinstance(opening.exception(), failures):
            await self.kill()
            return
        self.server = opening.result()
        await self._ends.wait()
        if not self.is_dead:
            self.town.found["fenced"] += 1
            stopping = self.process.run(self.server.stop())
            await asyncio.wait([stopping], timeout=STOP_S)
        await self.kill()

    @property
    def is_dead(self) -> bool:
        return self.town.runs.get(self.name) is not self

    async def _open(self) -> SimServer:
        town, wall_ms = self.town, self.town.wall_ms()
        clock = Clock(asyncio.get_running_loop(), wall_ms)
        config = schema.JournalConfig(
            postgres="virtual", server=self.name, lease_s=LEASE_S, heartbeat_s=BEAT_S,  # type: ignore[arg-type]
            numbers_block=1,
        )  # fmt: skip
        self._journal = journal = await PostgresJournal.open(self._directory, clock.now_ms, config)
        journal.on_fenced = lambda why: self._ends.set()
        world = new_world(town.dice.getrandbits(30), journal=config)
        world.catalogue = town.catalogue
        server = SimServer(world, wall_ms, make_journal=lambda now_ms: journal)
        listen(server.app, self.memory)
        return await server.open()

    async def kill(self) -> None:
        """SIGKILL: nothing goes on, and sockets close."""
        if self.town.runs.get(self.name) is self:
            del self.town.runs[self.name]
        for wall in self.walls:
            wall.break_off(game_is_dead=True)
        if self._journal is not None:
            for part in (self._journal._writer, self._journal._reader, self._journal._bus):
                if part._connection is not None:
                    part._connection.terminate()
        self._ends.set()
        await self.process.kill()


class Entrance:
    """A door, as people see it."""

    def __init__(self, door: SimDoor) -> None:
        self._door = door

    @property
    def authenticator(self) -> Authenticator:
        return self._door.client.authenticator

    def connect(self, link: FakeLink, proven: AuthenticatedUser | None = None) -> None:
        self._door.come(link, proven)


class ManyServers:
    def __init__(self, seed: int, seconds: float, directory: Path, *, harms: bool) -> None:
        self.seed, self.seconds, self.directory, self._harms = seed, seconds, directory, harms
        self.dice = dice = Random(f"many servers {seed}")
        self._is_torn = harms and dice.random() < 0.5
        self.database = VirtualPostgres(Weather(dice))
        self.world = new_world(seed)  # as which the tables are folded
        self.catalogue = self.world.catalogue
        self.runs: dict[str, OneRun] = {}
        self.all_runs: list[OneRun] = []
        self.found: Counter[str] = Counter()
        self._servers: dict[str, int] = {}  # the last one of each session
        self._taken_up: dict[str, list[float]] = {}  # by session: when another one, without a walk
        self.failures: list[str] = []
        self.folds: dict[int, Folded] = {}
        names = [*NAMES[: dice.randint(4, 8)], "guest", "guest"]
        self.people = [
            (SimProgram if dice.random() < 0.5 else SimPerson)(name, 10 + n, seed + n)
            for n, name in enumerate(names)
        ]
        for person in self.people:
            person.others = [name for name in names if name not in (person.name, "guest")]
            if isinstance(person, SimProgram):
                person.json_protocol = 2 if dice.random() < 0.8 else 1
                person.is_behind_door = True

    def wall_ms(self) -> int:
        """As of the database."""
        return verbs.WALL_S * 1_000 + int(asyncio.get_running_loop().time() * 1_000)

    async def live(self) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, PermutedLoop)
        loop.set_exception_handler(lambda _, about: self.failures.append(repr(about)))
        self.doors = [
            SimDoor(self.world, 0.001, self._note_frame, is_torn=self._is_torn, number=n + 1,
                    walls=len(SERVERS))
            for n in range(DOORS)
        ]  # fmt: skip
        tasks = [asyncio.create_task(self._keep_running(name)) for name in SERVERS]
        tasks += [
            asyncio.create_task(self._stay_connected(door, at), context=door.context.copy())
            for door in self.doors for at in range(len(SERVERS))
        ]  # fmt: skip
        await asyncio.sleep(START_S)
        people = [asyncio.create_task(self._live(each)) for each in self.people]
        watch = asyncio.create_task(self._look_now_and_then())
        await self._suffer()
        await asyncio.sleep(CALM_S if self._harms else SHORT_CALM_S)
        for task in (*people, watch):
            if task.done():
                task.result()
            task.cancel()
        for person in self.people:  # who had stopped reading has not seen its last answers
            if person.link is not None:
                person.link.read_on()
        await asyncio.sleep(LEASE_S)
        await self._agree()
        self._judge()
        for task in tasks:
            task.cancel()

    async def _live(self, person: SimPerson) -> None:
        dice = self.dice
        while not person.is_gone:
            await asyncio.sleep(person._pause_s() / BUSY)
            is_in = person.link is not None and person.link.is_logged_in
            if is_in and dice.random() < WALKS:
                table = dice.randint(1, TABLES_SEEN)
                person._type(dice.choice((f"/watch {table}", f"/sit {table}", "/leave now")))
            elif is_in and dice.random() < OWN_SESSION:
                person._type(dice.choice(SESSION_LINES))
            else:
                await person._act(Entrance(dice.choice(self.doors)))

    def _note_open(self, at: int, frame: Frame, is_to_door: bool) -> None:
        self._note_frame(frame, is_to_door)
        if frame.kind is not Kind.OPEN:
            return
        opened = decode_body(Open, frame)
        before, self._servers[opened.visit] = self._servers.get(opened.visit, at), at
        if at != before and not opened.walk:
            now = asyncio.get_running_loop().time()
            self._taken_up.setdefault(opened.visit, []).append(now)

    def _note_frame(self, frame: Frame, is_to_door: bool) -> None:
        self.found["walks"] += frame.kind is Kind.CARRY
        self.found["to the own session"] += (
            frame.kind is Kind.REDIRECT and not decode_body(Redirect, frame).table
        )
        self.found["walks back"] += (
            frame.kind is Kind.OPEN and decode_body(Open, frame).walk == "failed"
        )

    # -- servers and sockets -----------------------------------------------------------------------

    async def _keep_running(self, name: str) -> None:
        """As systemd does."""
        for run in range(1_000):
            one = OneRun(self, name, run)
            self.runs[name] = one
            self.all_runs.append(one)
            await one.live()
            self.found["runs ended"] += 1
            await asyncio.sleep(self.dice.uniform(0.5, 8.0))

    async def _stay_connected(self, door: SimDoor, at: int) -> None:
        loop, wall = asyncio.get_running_loop(), None
        assert isinstance(loop, PermutedLoop)
        while True:
            run = self.runs.get(SERVERS[at])
            is_there = run is not None and run.server is not None and not loop.is_stopped(run.name)
            if is_there and (wall is None or wall.is_broken):
                assert run is not None and run.server is not None
                wall = door.connect(run.server, at)
                wall.on_frame = partial(self._note_open, at)
                run.walls.append(wall)
            await asyncio.sleep(RETRY_S)

    async def _suffer(self) -> None:
        loop, weather = asyncio.get_running_loop(), self.database.weather
        harms = Harms(self.dice, self.database, SERVERS, LASTS_S, HARMS, self.found)
        until = loop.time() + self.seconds
        if self._harms:
            weather.late, weather.unheard = 0.3, self.dice.choice((0.0, 0.003, 0.02))
            weather.broken = self.dice.choice((0.0, 0.003, 0.01))
        while loop.time() < until:
            await asyncio.sleep(self.dice.uniform(2.0, 20.0))
            if self._harms:
                await self._suffer_once(*harms.begin())
        harms.end()

    async def _suffer_once(self, harm: str, name: str) -> None:
        if (run := self.runs.get(name)) is None:
            return
        if harm == "killed":
            await run.kill()
        elif harm == "wall broken":
            for wall in run.walls[-DOORS:]:
                wall.break_off()

    # -- judging -----------------------------------------------------------------------------------

    async def _look_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._check_seats()
            for run in self.runs.values():
                if run.server is not None:
                    check_seeks(run.server.app)
            self.found["looks"] += 1

    def _fold_all(self) -> None:
        for stream, there in self.database.tables.streams.items():
            if stream.startswith("table/"):
                self.world.disk.records[stream] = [
                    StoredRecord(it.sequence, it.at_ms, it.body) for it in there.records
                ]
        for number in numbers(self.world):
            self.folds[number] = fold(self.world, number, None, self.folds.get(number))

    def _check_seats(self) -> None:
        """Nobody has a seat in two games that go on."""
        self._fold_all()
        seated = Counter(
            seat.person
            for folded in self.folds.values()
            if folded.table.is_playing and folded.table.game is not None
            for seat in folded.table.game.seats if seat.person
        )  # fmt: skip
        twice = [each for each, n in seated.items() if n > 1]
        assert not twice, f"in two games: {twice}"

    async def _agree(self) -> None:
        """Games of computer players go on, so that tables close; all know it in a moment."""
        servers = {run.name: run.server for run in self.runs.values() if run.server is not None}
        assert len(SERVERS) == len(servers), "not all are alive at the end"
        for _ in range(AGREE_S):
            try:
                self._check_people(servers)
                return
            except AssertionError:
                await asyncio.sleep(1)
        self._check_people(servers)

    def _judge(self) -> None:
        self._check_records()
        self._check_seats()
        for run in self.all_runs:
            self.found["told"] += check_told(self.folds, run.memory)
        for person in self.people:
            self._check_screens(person)
        self.found["records"] = sum(len(it) for it in self.world.disk.records.values())

    def _check_records(self) -> None:
        tables = self.database.tables
        for stream, there in tables.streams.items():
            sequences = [record.sequence for record in there.records]
            assert sequences == list(range(1, len(sequences) + 1)), stream
        assert [] == tables.late

    def _check_people(self, servers: dict[str, SimServer]) -> None:
        """Everybody is on one server, and all servers know the same."""
        apps = {name: server.app for name, server in servers.items()}
        here = {name: {it.person.id for it in app.online.all()} for name, app in apps.items()}
        counted = Counter(each for people in here.values() for each in people)
        twice = [each for each, n in counted.items() if n > 1]
        assert not twice, f"on two servers: {twice}"
        self.found["people at the end"] = len(counted)
        own = {
            name: {it.number for it in app.table_manager.lists.summaries()}  # parked ones too
            for name, app in apps.items()
        }
        accounts = {
            name: repr(sorted(app.account_service.streams.accounts.all(), key=lambda it: it.id))
            for name, app in apps.items()
        }
        assert 1 == len(set(accounts.values())), "accounts differ"
        offers = {name: app.service.seeking._shown for name, app in apps.items()}
        assert all(it == offers[SERVERS[0]] for it in offers.values()), offers
        for name, app in apps.items():
            check_seeks(app)
            others = [other for other in apps if other != name]
            known = {each for each in counted if each in app.lobby.elsewhere}
            assert known == set().union(*(here[other] for other in others)), (name, known, here)
            listed = {number: app.directory.server_of(number) for number in app.directory._tables}
            there = {number: other for other in others for number in own[other]}
            assert listed == there, (name, listed, there)
            left = {it: known.server for it, known in app.directory.left._known.items()}
            kept = {
                it: other for other in others
                for it in apps[other].session_manager.detached._kept
            }  # fmt: skip
            assert left == kept, (name, left, kept)

    def _lives(self, link: FakeLink) -> Iterator[str]:
        """What was read on one line, in parts: at another server than the one that was lost, or
        with another guest's seat, something may be read again [rule 4]."""
        visit = link.handler.visit if isinstance(link.handler, DoorConnection) else ""
        times = self._taken_up.get(visit, [])
        for _, part in groupby(link.received, lambda it: bisect(times, it[0])):
            text = without_packages(b"".join(data for _, data in part))
            yield from AS_ANOTHER.split(" ".join(text.split()))

    def _check_screens(self, person: SimPerson) -> None:
        words = [word for each in self.people for word in each.said]
        for link in person.links:
            for life in self._lives(link):
                self.found["offers taken"] += life.count(" takes your offer ")
                read = Counter(SAID.findall(life))
                twice = [word for word in words if read[word] > 1]
                assert not twice, (person.name, twice)
                self.found["lines"] += len(read)
        for to, word in person.secrets:
            readers = {it.name for it in self.people
                       if any(word in link.text for link in it.links)}  # fmt: skip
            assert readers <= {person.name, to}, (person.name, to, readers)
        if isinstance(person, SimProgram) and person.link is not None and person.link.is_open:
            person._look()
            owed = list(person._owed)
            assert not owed, (person.name, owed[:3])


def _tables(app: Any) -> Iterator[Any]:
    return (runner.table for runner in app.table_manager._runners.values())


def simulate(seed: int, seconds: float = 120.0, *, harms: bool = True) -> ManyServers:
    with tempfile.TemporaryDirectory(prefix="servers-") as directory:
        town = ManyServers(seed, seconds, Path(directory), harms=harms)
        random.seed(seed)  # by it servers choose when they look for others that are gone
        with installed(town.database), listening(town.failures):
            permuted.run(seed, town.live())
    failures = [it for it in town.failures if not it.startswith(ALLOWED)]
    assert [] == failures, (seed, failures[:3])
    return town
