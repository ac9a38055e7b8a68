"""Games by correspondence of many people in virtual time, under servers that die at any moment.

Regulars look in at least every 18 h, which is less than any time for a move here; others come now
and then, and some stay away for good.  A server dies in the middle of anything, after a number of
turns of the event loop, and the next one comes after a second or after days.

Rule 1: what is judged is the journal, and the times at which servers died and came: nothing that a
        server says of itself.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from mudserver.config.schema import TablesConfig
from mudserver.errors import UserError
from mudserver.journal import StoredRecord
from mudserver.tables import codec
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.correspondence import ABSENT_TURNS_MAX, OUTAGE_MS
from mudserver.tables.replay import replay_in_steps
from mudserver.tables.summary import SlowGame
from mudserver.tables.table import Table
from tests.memory_journal import Disk
from tests.mudserver.tables.world import START_MS, World
from tests.toys.duel.game import DUEL

HOUR_S, DAY_S = 3_600, 86_400
REGULAR_S = 18 * HOUR_S
MOVES = ("1d", "2d", "3d")
AWAY_S = (1.0, 20.0, 50.0, 600.0, 3 * HOUR_S, 2.5 * DAY_S)  # of a server
TURNS_MAX = 60  # of the event loop, from an act to the death of the server
HEARTBEAT_S = 5.0
OPEN_MAX = 6  # tables of one person
VARIANT = DUEL


@dataclass
class Habit:
    """How somebody plays."""

    every_s: float  # between two visits, at most
    stops_s: float | None  # when that person comes no more; None: never

    @property
    def is_regular(self) -> bool:
        return self.stops_s is None and self.every_s <= REGULAR_S


@dataclass
class Outage:
    down_ms: int
    up_ms: int


@dataclass
class Year:
    seed: int
    people_count: int
    days: int
    restart_every_s: float = 2 * DAY_S
    outages: list[Outage] = field(default_factory=list)
    died_in: Counter[str] = field(default_factory=Counter)  # by what was done just before

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        self.disk = Disk()
        self.habits = {f"p{n}": self._habit() for n in range(self.people_count)}
        self.visits: list[tuple[float, str]] = []
        self.parked_max = 0

    def _habit(self) -> Habit:
        rng = self.rng
        if rng.random() < 0.6:
            return Habit(rng.uniform(6 * HOUR_S, REGULAR_S), None)
        stops_s = rng.uniform(0, self.days) * DAY_S if rng.random() < 0.5 else None
        return Habit(rng.uniform(12 * HOUR_S, 5 * DAY_S), stops_s)

    @property
    def end_ms(self) -> int:
        """From then on nobody comes any more, UTC."""
        return START_MS + self.days * DAY_S * 1000

    # -- the life of servers -------------------------------------------------------------------

    async def run(self) -> None:
        now = asyncio.get_running_loop().time
        self.world = await self._start()
        for person in self.habits:
            self._come_again(person, now())
        death_s = now() + self._life_s()
        while self.visits and self.visits[0][0] < self.days * DAY_S:
            at_s, person = heapq.heappop(self.visits)
            if at_s > death_s:
                await self._sleep_until(death_s)
                await self._die("nothing")
                await self._come_back()
                death_s = now() + self._life_s()
            await self._sleep_until(at_s)
            dies_now = self.rng.random() < 0.02
            if await self._visit(person, dies_now):
                heapq.heappush(self.visits, (at_s, person))  # to see what became of it
                await self._come_back()
                death_s = now() + self._life_s()
            else:
                self._come_again(person, now())
        await self._sleep_until(now() + 90 * DAY_S)  # nobody comes any more

    async def _start(self) -> World:
        settings = {
            "changed_per_person_s": 0.0,
            "plays_per_person_per_s": 1_000.0,
            "plays_burst": 1_000_000,
            "correspondence_per_person_max": 100,
            "correspondence_opened_max": 100,
        }
        wall_ms = START_MS + int(asyncio.get_running_loop().time() * 1000)
        world = World(self.disk, variant=VARIANT, wall_ms=wall_ms, within_s=None, **settings)
        world.tables._rng.seed(self.seed + len(self.outages))
        world.sources = {person: f"10.{n}.0.1" for n, person in enumerate(self.habits)}
        await world.tables.restore()
        return world

    async def _die(self, doing: str) -> None:
        """SIGKILL: nothing is written any more."""
        self.died_in[doing] += 1
        now_ms = self.world.clock.now_ms()
        self.disk.alive_ms = now_ms - int(self.rng.uniform(0, HEARTBEAT_S) * 1000)
        self.disk.owner = None
        self.world.tables.parking._is_closed = True
        mine = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
        for task in mine:
            task.cancel()
        await asyncio.gather(*mine, return_exceptions=True)
        self.outages.append(Outage(now_ms, now_ms))

    async def _come_back(self) -> None:
        """The next server; who wanted to come meanwhile comes within ten minutes."""
        await asyncio.sleep(self.rng.choice(AWAY_S))
        self.world = await self._start()
        now_s = asyncio.get_running_loop().time()
        self.outages[-1].up_ms = self.world.clock.now_ms()
        late = [(max(at_s, now_s + self.rng.uniform(1, 600)), who) for at_s, who in self.visits
                if at_s <= now_s]  # fmt: skip
        self.visits = [it for it in self.visits if it[0] > now_s] + late
        heapq.heapify(self.visits)

    def _life_s(self) -> float:
        return self.rng.uniform(0.1, 2) * self.restart_every_s

    async def _sleep_until(self, at_s: float) -> None:
        await asyncio.sleep(max(0.0, at_s - asyncio.get_running_loop().time()))

    def _come_again(self, person: str, now_s: float) -> None:
        habit = self.habits[person]
        at_s = now_s + self.rng.uniform(0.5, 1.0) * habit.every_s
        if habit.stops_s is None or at_s < habit.stops_s:
            heapq.heappush(self.visits, (at_s, person))

    # -- a visit -------------------------------------------------------------------------------

    async def _visit(self, person: str, dies: bool) -> bool:
        """Somebody looks in.  Returns whether the server has died meanwhile."""
        world = self.world
        world.person(person)
        await world.settles()
        acts = self._acts(person)
        self.parked_max = max(self.parked_max, len(world.tables.parking))
        dies_at = self.rng.randrange(len(acts)) if dies and acts else -1
        for number, (doing, act) in enumerate(acts):
            try:
                waited = act()
                if asyncio.iscoroutine(waited):
                    await waited
            except UserError:
                pass
            if number == dies_at:
                for _ in range(self.rng.randrange(TURNS_MAX)):
                    await asyncio.sleep(0)
                await self._die(doing)
                return True
            await world.settles()
            if doing == "play":
                await self._play_on(person)
        inbox = world.outbox.inbox_of(person)
        if inbox is not None:
            world.outbox.detach(person, inbox)
        world.tables.on_disconnect(person)
        await world.settles()
        world.messages.clear()
        return False

    def _acts(self, person: str) -> list[tuple[str, Callable[[], Any]]]:
        """What the person does now, and what that is called."""
        world, rng = self.world, self.rng
        games = world.tables.lists.slow_games(person)
        found: list[tuple[str, Callable[[], Any]]] = []
        for game in games:
            if game.phase != "playing":
                found.append(("ready", self._to(person, game.number, r.Start(person))))
            elif game.has_offer:
                answer = r.AnswerOffer(person, rng.random() < 0.5)
                found.append(("answer", self._to(person, game.number, answer)))
            if game.is_asked:
                found.append(("play", self._play_at(person, game)))
            elif game.phase == "playing" and rng.random() < 0.1:
                plan = r.ChangePlan(person, rng.choice(("draw", "pass")))
                found.append(("plan", self._to(person, game.number, plan)))
            if game.phase == "playing" and rng.random() < 0.005:
                found.append(("offer", self._to(person, game.number, r.Offer(person, "abort"))))
            if game.phase == "playing" and rng.random() < 0.003:
                found.append(("leave", self._to(person, game.number, r.Leave(person))))
        if len(games) < OPEN_MAX and rng.random() < 0.3:
            found.append(("open", lambda: self._open(person)))
        return found

    def _to(self, person: str, number: int, request: r.Request) -> Callable[[], Any]:
        async def act() -> None:
            await self.world.tables.fetch(number)
            if self.world.tables.table_of(person) != number:
                self.world.tables.go(person, number)
            self.world.tables.submit(number, request)

        return act

    def _play_at(self, person: str, game: SlowGame) -> Callable[[], Any]:
        async def act() -> None:
            await self.world.tables.fetch(game.number)
            if self.world.tables.table_of(person) != game.number:
                self.world.tables.go(person, game.number)
            self._play(person)

        return act

    def _play(self, person: str) -> None:
        number = self.world.tables.table_of(person)
        table = None if number is None else self.world.tables.lists.find(number)
        if table is None or table.game is None or not table.question_of(person):
            return
        game = table.game
        view = game.view(game.seat_of(person))
        actions = VARIANT.legal_actions(view)
        line = VARIANT.phrase(self.rng.choice(actions), view, game.names)
        self.world.tables.submit(table.number, r.Play(person, line))

    async def _play_on(self, person: str) -> None:
        for _ in range(4):
            self._play(person)
            await self.world.settles()

    def _open(self, person: str) -> None:
        """A table of one's own, or a free seat at another one."""
        tables, rng = self.world.tables, self.rng
        free = [it for it in tables.lists.summaries() if it.phase == "waiting" and it.free_seats]
        if free and rng.random() < 0.8:
            tables.submit(rng.choice(free).number, r.Sit(person, person.capitalize()))
            return
        host = self.world.person(person)
        options = {"move": rng.choice(MOVES), "seats": str(rng.choice((2, 2, 3)))}
        number = tables.open_table(host, VARIANT.name, options)
        guest = rng.choice(sorted(self.habits.keys() - {person}))
        tables.submit(number, r.Invite(person, guest, guest.capitalize()))


# -- the judgement -------------------------------------------------------------------------------


@dataclass
class Judged:
    """What the journal says in the end."""

    ends: Counter[str] = field(default_factory=Counter)  # of games, by how
    running: list[str] = field(default_factory=list)  # games without an end
    faults: list[str] = field(default_factory=list)
    by_clock: int = 0  # decisions

    @property
    def games(self) -> int:
        return sum(self.ends.values()) + len(self.running)


def judged(year: Year) -> Judged:
    found = Judged()
    for stream, stored in sorted(year.disk.records.items()):
        if stream.startswith("table/"):
            _judge_table(year, found, int(stream.removeprefix("table/")), stored)
    return found


def _judge_table(year: Year, found: Judged, number: int, stored: list[StoredRecord]) -> None:
    table = Table(number, VARIANT, TablesConfig())
    length_ms: int | None = None
    for each in stored:
        record = codec.decode(each.sequence, each.body, VARIANT)
        before = table.game
        for fact in record.facts:
            place = f"{number}.{0 if before is None else before.number} seq {each.sequence}"
            match fact:
                case f.Played(seat=seat, by="time") if before is not None:
                    found.by_clock += 1
                    _judge_time(year, found, place, before, seat, length_ms, record.at_ms)
                case f.Ended() | f.Aborted() | f.Abandoned() if before is not None:
                    found.ends[_end_of(fact)] += 1
                    _judge_end(year, found, place, before, fact, record)
                case f.Asked(deadline_ms=deadline_ms):
                    length_ms = None if deadline_ms is None else deadline_ms - record.at_ms
                case _:
                    pass
        for _ in replay_in_steps(table, [each]):
            pass
    if table.is_playing and table.game is not None:
        found.running.append(f"{number}.{table.game.number}")


def _end_of(fact: f.AnyFact) -> str:
    if isinstance(fact, f.Ended):
        return fact.end
    return f"aborted {fact.why}" if isinstance(fact, f.Aborted) else "abandoned"


def _judge_time(
    year: Year, found: Judged, place: str, game: Any, seat: int, length_ms: int | None, at_ms: int
) -> None:
    """The clock has decided: the server must have been there for the whole time."""
    person = game.seats[seat].person or ""
    if length_ms is None:
        found.faults.append(f"{place}: a clock without a time")
        return
    away_ms = sum(
        max(0, min(at_ms, it.up_ms) - max(game.opened_ms, it.down_ms))
        for it in year.outages
        if it.up_ms - it.down_ms >= OUTAGE_MS
    )
    had_ms = at_ms - game.opened_ms - away_ms
    if had_ms < length_ms:
        found.faults.append(f"{place}: {person} had {had_ms} of {length_ms} ms")
    if year.habits[person].is_regular and at_ms < year.end_ms and length_ms >= DAY_S * 1000:
        found.faults.append(f"{place}: {person}, who is a regular, lost on time")


def _judge_end(
    year: Year, found: Judged, place: str, game: Any, fact: f.AnyFact, record: f.Record
) -> None:
    """Whether the game ends as it should."""
    people = [o.person for o in game.seats if o.person is not None]
    if isinstance(fact, f.Ended):
        state = game.state
        for play in [it for it in record.facts if isinstance(it, f.Played)]:
            for event in play.events:
                state = VARIANT.evolve(state, event)
        outcome = VARIANT.outcome(state)
        if outcome is None or (outcome.places, outcome.scores) != (fact.places, fact.scores):
            found.faults.append(f"{place}: another result than that of the rules")
    elif isinstance(fact, f.Aborted) and fact.why == "expired":
        regulars = [it for it in people if it in year.habits and year.habits[it].is_regular]
        if regulars and record.at_ms < year.end_ms:
            found.faults.append(f"{place}: expired with a regular in it")
        if any(o.turns.played_for < ABSENT_TURNS_MAX - 1 for o in game.seats if o.person):
            found.faults.append(f"{place}: expired too early")
    elif isinstance(fact, f.Abandoned):
        leaving = {it.seat for it in record.facts if isinstance(it, f.HandedOver | f.Gone)}
        if len(people) > 1 + len(leaving):
            found.faults.append(f"{place}: abandoned with people in it")
