"""A tournament of 24 people on a virtual clock: some leave, some never come, and the server dies
ten times at a record, wherever that is.

All rounds are played to their end, no place has two tables or two results, points add up, and who
reads the disk again finds the same.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import pytest

from mudserver.journal.streams import TOURNEY_STREAMS
from mudserver.results.events import GameRecorded
from mudserver.results.events import decode as decode_result
from mudserver.tourneys.events import TableDone, TableOpened, decode
from mudserver.tourneys.points import UNIT
from mudserver.tourneys.standings import points_of
from mudserver.tourneys.tourney import Tourney
from tests.counts import count
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, World, new_world
from tests.toys.duel.game import DUEL

ROUNDS = 3
DAY_S = 86_400


def name_of(number: int) -> str:
    """Names of different lengths: each has an address of its own."""
    return "Player" + "abcdefghijkmnopqrstuvwxyz"[number]  # without l: it looks like i


class Evening:
    """Args: people: how many play; kills: how often the server dies."""

    def __init__(self, seed: int, people: int, kills: int) -> None:
        self.world: World = new_world(seed)
        self.world.catalogue = {DUEL.name: DUEL}
        self.rng, self.kills, self.done_kills = Random(seed), kills, 0
        self.names = [name_of(number) for number in range(people)]
        picked = self.rng.sample(self.names[1:], people // 4)
        self.never_come, self.leavers = picked[: people // 8], picked[people // 8 :]
        self.people: dict[str, Seatholder] = {}

    async def run(self) -> None:
        await self.begin()
        until_s = asyncio.get_running_loop().time() + DAY_S
        while self.tourney.phase != "closed":
            assert asyncio.get_running_loop().time() < until_s, "it does not come to its end"
            await self.some_time()
        await self.server.die()

    async def begin(self) -> None:
        self.server = await SimServer(self.world).open()
        for name in self.names:
            self.people[name] = self.server.person(name)
            await asyncio.sleep(0.2)
        await asyncio.sleep(1)
        self.people[self.names[0]].type(f"tourney open duel Winter Cup seats=3 rounds={ROUNDS}")
        await asyncio.sleep(1)
        for name in self.names:
            self.people[name].type("tourney 1 join")
            await asyncio.sleep(0.5)
        for name in self.never_come:
            self.people.pop(name).link.drop()
        await asyncio.sleep(1)
        self.people[self.names[0]].type("tourney 1 start")

    @property
    def tourney(self) -> Tourney:
        [tourney] = self.server.app.tourney_streams.all()
        return tourney

    async def some_time(self) -> None:
        """People play on for a while, or the server dies meanwhile, and they come back."""
        is_killed = self.done_kills < self.kills and self.rng.random() < 0.9
        died = self.server.journal.doom(self.rng.randrange(1, 40)) if is_killed else None
        for _ in range(self.rng.randrange(2, 12)):
            await self.play()
            if died is not None and died.is_set():
                await self.come_back()
                return
        if died is not None:
            self.server.journal.dies_after = None

    async def play(self) -> None:
        for name, person in list(self.people.items()):
            if name in self.leavers and self.rng.random() < 0.02:
                self.leavers.remove(name)
                person.type("leave")
                person.type("leave")
            elif person.is_asked and self.rng.random() < 0.7:
                person.forget()
                person.type("moves")
                await asyncio.sleep(0.2)
                rows = [row[2:] for row in person.text.splitlines() if row.startswith("- ")]
                if rows:
                    person.type(self.rng.choice(rows).split("  ")[0].strip())
        await asyncio.sleep(self.rng.randrange(3, 15))

    async def come_back(self) -> None:
        self.done_kills += 1
        await self.server.die()
        await asyncio.sleep(self.rng.randrange(1, 30))
        self.server = await SimServer(self.world).open()
        for name in list(self.people):
            if self.rng.random() < 0.95:
                self.people[name] = self.server.person(name)
        await asyncio.sleep(1)
        if not self.tourney.started_ms:  # it died with the line that starts it
            self.people[self.names[0]].type("tourney 1 start")


def check(world: World, people: int) -> Tourney:
    """What the disk says."""
    tourney, seen = Tourney(1), Counter[tuple[str, int, int]]()
    for record in world.disk.read(TOURNEY_STREAMS.name(1)):
        events = decode(record.body)
        tourney.apply_each(events)
        for event in events:
            if isinstance(event, TableOpened | TableDone):
                seen[type(event).__name__, event.round, event.place] += 1
    assert "finished" == tourney.closed.why
    assert ROUNDS == len(tourney.rounds)
    expected = {
        (kind, each.number, place): 1
        for each in tourney.rounds
        for place in each.places
        for kind in ("TableOpened", "TableDone")
    }
    assert expected == dict(seen)
    _check_tables(world, tourney)
    _check_points(tourney)
    assert people == len(tourney.standings())
    return tourney


def _check_tables(world: World, tourney: Tourney) -> None:
    """Each table of a tournament is that of one place, and its game is recorded once at most."""
    known = {table for each in tourney.rounds for table in each.tables.values()}
    first = {it: world.disk.read(it)[0].body for it in world.disk.streams("table/")}
    of_tourney = {int(it.removeprefix("table/")) for it in first if b'"tourney":1' in first[it]}
    assert known == of_tourney and len(known) == sum(len(it.tables) for it in tourney.rounds)
    events = [decode_result(it.body) for it in world.disk.read("results/1")]
    games = [it for it in events if isinstance(it, GameRecorded)]
    assert len({it.id for it in games}) == len(games)
    assert [it.number for it in games] == list(range(1, len(games) + 1))
    recorded = {it.id: it for it in games}
    for done in tourney.results():
        if (game := recorded.get(done.game)) is None:
            continue
        assert {it.person for it in done.seats} == {it.person for it in game.seats}
        if done.end == "finished":
            assert [it.place for it in done.seats] == [it.place for it in game.seats]


def _check_points(tourney: Tourney) -> None:
    total = 0
    for done in tourney.results():
        points = points_of(done.seats)
        if done.end == "finished" and all(it.fate == "stayed" for it in done.seats):
            assert sum(points) == 30 * UNIT * len(points)
        assert sum(points) <= 30 * UNIT * len(points)
        assert all(n == 0 for n, it in zip(points, done.seats, strict=True) if it.fate != "stayed")
        total += sum(points)
    sat_out = sum(bool(each.drawn.sits_out) for each in tourney.rounds)
    assert total + sat_out * 30 * UNIT == sum(it.points for it in tourney.standings())


def evening(seed: int, people: int, kills: int) -> tuple[Evening, Tourney]:
    played = Evening(seed, people, kills)
    virtual.run(played.run())
    return played, check(played.world, people)


def test_eight_people_play_to_the_end_though_the_server_dies():
    played, tourney = evening(1, people=8, kills=3)
    assert played.done_kills > 0
    assert all(tourney.dropped[p] == "noshow" for p in tourney.dropped if p in played.never_come)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(count(40, 4)))
def test_twenty_four_people_play_to_the_end_through_ten_deaths(seed):
    played, tourney = evening(seed, people=24, kills=10)
    print(f"seed {seed}: {played.done_kills} deaths, {len(list(tourney.results()))} tables, "
          f"dropped {Counter(tourney.dropped.values())}")  # fmt: skip
    assert played.done_kills >= 5
    assert "noshow" in tourney.dropped.values()
