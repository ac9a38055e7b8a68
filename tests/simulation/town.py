"""Three servers on one virtual journal: tables, names, seats, followers, and what goes wrong.

The journal, the writer, the follower and the bus are the real ones; what a server of the town does
with them is as little as possible.

Rule 1: a table is written by whoever owns it: who opened it, or has claimed it from a server that
        was buried.  Who is fenced tells nobody anything more, and comes back as a new run.
Rule 2: people are told what was acknowledged, and nothing else.
Rule 3: by seed statements are late, connections break, notifications are late and lost; servers are
        cut off from the database, stopped, killed, and have clocks that are wrong by up to an hour.
Rule 4: whoever follows what others write, by looking now and then or when it is told to look,
        knows all of it in the end.

`many_servers.py` has whole servers, and people.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from mudserver.config import schema
from mudserver.errors import (
    JournalConflictError,
    JournalFencedError,
    JournalWriteError,
    StartError,
)
from mudserver.journal import Claim, Entry
from mudserver.journal.postgres import statements
from mudserver.journal.postgres.following import Follower
from mudserver.journal.postgres.journal import PostgresJournal
from tests.simulation import permuted
from tests.simulation import postgres_verbs as verbs
from tests.simulation.harms import Harms
from tests.simulation.permuted import as_server
from tests.simulation.virtual_postgres import VirtualPostgres, Weather, installed

SERVERS, PEOPLE, NAMES = ("g1", "g2", "g3"), 12, 6
LEASE_S, BEAT_S, LOOK_S = 3.0, 0.7, 1.0
HARMS, LASTS_S = ("cut off", "stopped", "killed"), (0.5, 2.0, 5.0, 12.0)
CALM_S = 40.0  # at the end, in which nothing goes wrong any more


@dataclass
class Town:
    seed: int
    seconds: float
    directory: Path
    dice: Random = field(init=False)
    database: VirtualPostgres = field(init=False)
    told: list[tuple[str, str, int, bytes]] = field(default_factory=list)  # server, record
    servers: dict[str, GameServer] = field(default_factory=dict)
    found: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    bodies: int = 0

    def __post_init__(self) -> None:
        self.dice = Random(self.seed)
        self.database = VirtualPostgres(Weather(self.dice))

    async def live(self) -> None:
        loop = asyncio.get_running_loop()
        harms = Harms(self.dice, self.database, SERVERS, LASTS_S, HARMS, self.found)
        for name in SERVERS:
            as_server("", self._keep_running(name))
        weather = self.database.weather
        weather.late, weather.broken = 0.3, self.dice.choice((0.0, 0.003, 0.03))
        weather.unheard = self.dice.choice((0.0, 0.02, 0.1))
        until = loop.time() + self.seconds
        while loop.time() < until:
            await asyncio.sleep(self.dice.uniform(0.2, 6.0))
            harm, name = harms.begin()
            if harm == "killed" and (server := self.servers.get(name)) is not None:
                server.kill()
        harms.end()
        await asyncio.sleep(CALM_S)
        for server in self.servers.values():
            server.rest()
        await asyncio.sleep(LEASE_S)  # what they have handed in is written
        await self._judge()

    async def _keep_running(self, name: str) -> None:
        """As systemd does."""
        for run in range(1_000):
            server = self.servers[name] = GameServer(self, name, run)
            await asyncio.wait([server.life])
            await asyncio.sleep(self.dice.uniform(0.1, 6.0))

    # -- judging ---------------------------------------------------------------------------------

    async def _judge(self) -> None:
        tables = self.database.tables
        there = {
            (stream, record.sequence): record.body
            for stream, it in tables.streams.items()
            for record in it.records
        }
        for server, stream, sequence, body in self.told:
            if there.get((stream, sequence)) != body:
                self.faults.append(f"{server} was told {stream} {sequence}, which is not there")
        for stream, it in tables.streams.items():
            if [record.sequence for record in it.records] != list(range(1, len(it.records) + 1)):
                self.faults.append(f"{stream} has a gap or a record twice")
        for server, stream, sequence in tables.late:
            self.faults.append(f"{server} wrote {stream} {sequence}, which was another's already")
        for server in self.servers.values():
            await server.judge()
        if self.database.open:
            self.faults.append(f"{len(self.database.open)} transactions were left open")
        self.found["records"], self.found["told"] = len(there), len(self.told)
        self.found["tables"] = sum(stream.startswith("table/") for stream in tables.streams)


class GameServer:
    """One run of a server."""

    def __init__(self, town: Town, name: str, run: int) -> None:
        self.town, self.name, self._run = town, name, run
        self.journal: PostgresJournal | None = None
        self.tables: dict[str, int] = {}  # its own, and their last sequences
        self.seated: dict[str, str] = {}  # people to tables, as it was told
        self.known: dict[str, int] = {}  # shared streams, as its follower knows them
        self.told: dict[str, int] = {}  # the same, by `follow`
        self.is_ready = False
        self._skew_ms = town.dice.randint(-3_600_000, 3_600_000)
        self._tasks: list[asyncio.Task[Any]] = []
        self._hearing: asyncio.Task[None] | None = None
        self.life = as_server(name, self._live())

    def kill(self) -> None:
        """Nothing of it goes on, also not what its writer has in hand, and its sockets close."""
        self.town.found["runs ended"] += 1
        for task in (self.life, self._hearing, *self._tasks):
            if task is not None:
                task.cancel()
        if self.journal is not None:
            writer, reader, bus = self.journal._writer, self.journal._reader, self.journal._bus
            for task in (writer._task, bus._task):
                if task is not None:
                    task.cancel()
            for part in (writer, reader, bus):
                if part._connection is not None:
                    part._connection.terminate()

    async def _live(self) -> None:
        try:
            self.journal = journal = await self._open()
        except StartError:
            return
        self._ending = asyncio.Event()
        journal.on_fenced = lambda why: self._ending.set()
        self._follower = Follower(journal)
        with suppress(JournalWriteError):
            await self._begin(journal)
        work = (self._beat, self._play, self._change_people, self._look, self._follow, self._seat)
        self._tasks = [as_server(self.name, each(journal)) for each in work]
        self._hearing = as_server(self.name, self._hear(journal))
        self.is_ready = True
        await self._ending.wait()
        self.town.found["fenced"] += 1
        self.kill()

    async def _open(self) -> PostgresJournal:
        config = schema.JournalConfig(
            postgres="virtual", server=self.name, lease_s=LEASE_S, append_wait_s=2.0,  # type: ignore[arg-type]
            heartbeat_s=BEAT_S,
        )  # fmt: skip
        directory = self.town.directory / f"{self.name}-{self._run}"
        return await PostgresJournal.open(directory, self._now_ms, config)

    def _now_ms(self) -> int:
        return verbs.WALL_S * 1_000 + self._skew_ms + int(asyncio.get_running_loop().time() * 1_000)

    async def _begin(self, journal: PostgresJournal) -> None:
        for stream in await journal.streams("table/", is_open=True):
            self.tables[stream] = await journal.last_sequence(stream)
        await self._follower.skip()
        async for stream, records in journal.read_each("person/"):
            self.known[stream] = self.told[stream] = records[-1].sequence

    def _body(self) -> bytes:
        self.town.bodies += 1
        return b"%s %d" % (self.name.encode(), self.town.bodies)

    def _tell(self, stream: str, sequence: int, body: bytes) -> None:
        self.town.told.append((self.name, stream, sequence, body))

    async def _pause(self) -> None:
        await asyncio.sleep(self.town.dice.uniform(0.05, 1.0))

    # -- what it does ----------------------------------------------------------------------------

    async def _beat(self, journal: PostgresJournal) -> None:
        while True:
            with suppress(JournalWriteError):
                await journal.write_heartbeat()
            await asyncio.sleep(BEAT_S)

    async def _play(self, journal: PostgresJournal) -> None:
        dice = self.town.dice
        while True:
            await self._pause()
            with suppress(JournalWriteError):
                if len(self.tables) < 3:
                    number = next(iter(await journal.numbers("table/")))
                    self.tables[f"table/{number}"] = 0
            chosen = dice.sample(sorted(self.tables), dice.randint(0, len(self.tables)))
            await asyncio.gather(*(self._write(journal, stream) for stream in chosen))

    async def _write(self, journal: PostgresJournal, stream: str) -> None:
        sequence, body = self.tables[stream] + 1, self._body()
        try:
            await journal.append(stream, sequence, body)
        except JournalFencedError:
            self.tables.pop(stream, None)
        except (JournalWriteError, ValueError):
            with suppress(JournalWriteError):
                self.tables[stream] = await journal.last_sequence(stream)
        else:
            self.tables[stream] = sequence
            self._tell(stream, sequence, body)

    async def _change_people(self, journal: PostgresJournal) -> None:
        """Accounts are anybody's: who is second reads and decides again."""
        dice = self.town.dice
        while True:
            await self._pause()
            person, body = dice.randint(1, PEOPLE), self._body()
            stream, name = f"person/{person}", Claim("name", f"n{dice.randrange(NAMES)}", "")
            for _ in range(5):
                with suppress(JournalConflictError, JournalWriteError):
                    sequence = await journal.last_sequence(stream) + 1
                    claims = [name._replace(owner=f"p{person}")] if sequence == 1 else []
                    await journal.append_all([Entry(stream, sequence, body)], claims)
                    self._tell(stream, sequence, body)
                    break

    async def _seat(self, journal: PostgresJournal) -> None:
        """A person sits down, and gets up again."""
        dice = self.town.dice
        while True:
            await self._pause()
            person = f"p{dice.randint(1, PEOPLE)}"
            claim = Claim("seat", person, f"{self.name}/{self._run}/{person}")
            with suppress(JournalWriteError):
                if person in self.seated:
                    del self.seated[person]  # who gets up is told so first; nobody sits twice
                    await journal.append_all([], (), [claim])
                else:
                    await journal.append_all([], [claim])
                    self.seated[person] = claim.owner

    async def _look(self, journal: PostgresJournal) -> None:
        """For servers that are gone."""
        while True:
            await asyncio.sleep(LOOK_S + self.town.dice.uniform(0, LOOK_S / 2))
            for other in SERVERS:
                if other != self.name:
                    with suppress(JournalWriteError):
                        await self._take_over(journal, other)

    async def _take_over(self, journal: PostgresJournal, other: str) -> None:
        if other in self.town.database.tables.servers and await journal.fetch(
            statements.BURY, other
        ):
            self.town.found["buried"] += 1
        for stream, last, _ in await journal.fetch(
            statements.CLAIM, self.name, journal.epoch, other, 2, 1, 0
        ):
            self.town.found["taken over"] += 1
            self.tables[stream] = last

    async def _follow(self, journal: PostgresJournal) -> None:
        while True:
            await asyncio.sleep(self.town.dice.uniform(0.05, 0.5))
            with suppress(JournalWriteError):
                await self.read_news()

    async def _hear(self, journal: PostgresJournal) -> None:
        async for stream, sequence in journal.follow():
            self.told[stream] = max(sequence, self.told.get(stream, 0))

    async def read_news(self) -> bool:
        news = await self._follower.news()
        for change in news:
            if change.sequence <= self.known.get(change.stream, 0) and change.position:
                self.town.found["heard again"] += 1
            self.known[change.stream] = max(change.sequence, self.known.get(change.stream, 0))
        return bool(news)

    # -- judging ---------------------------------------------------------------------------------

    def rest(self) -> None:
        """It writes nothing more."""
        for task in self._tasks:
            task.cancel()

    async def judge(self) -> None:
        town = self.town
        if not self.is_ready or self.life.done():
            return
        town.found["alive at the end"] += 1
        while await self.read_news():
            pass
        tables = town.database.tables
        ends = {name: it.last for name, it in tables.streams.items() if name.startswith("person/")}
        for known in (self.known, self.told):
            if known != ends:
                town.faults.append(f"{self.name} knows {known}, where there is {ends}")
        for person, owner in self.seated.items():
            if tables.claims.get(("seat", person)) != owner:
                town.faults.append(f"{person} sits at {owner} without its claim")


def simulate(seed: int, seconds: float = 120.0, *, is_fenced: bool = True) -> Town:
    with tempfile.TemporaryDirectory(prefix="town-") as directory:
        town = Town(seed, seconds, Path(directory))
        town.database.tables.is_fenced = is_fenced
        with installed(town.database):
            permuted.run(seed, town.live())
    return town
