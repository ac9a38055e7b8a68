"""Tournaments of people at a whole server, on a virtual clock."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from mudserver.journal.streams import TOURNEY_STREAMS
from mudserver.tourneys.events import TableOpened, decode
from mudserver.tourneys.tourney import Tourney
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, World, new_world
from tests.slow_cases import every_third
from tests.toys.duel.game import DUEL

NAMES = ("Ann", "Bobby", "Cid-d", "Deedee", "Elliot", "Florian")


def duel_world(seed: int = 1, **sections: object) -> World:
    world = new_world(seed, **sections)
    world.catalogue = {DUEL.name: DUEL}
    return world


async def come(server: SimServer, *names: str) -> list[Seatholder]:
    people = [server.person(name) for name in names]
    await asyncio.sleep(0.5)
    return people


async def types(person: Seatholder, *lines: str) -> str:
    """What the person reads of it."""
    person.forget()
    for line in lines:
        person.type(line)
        await asyncio.sleep(1)
    return person.text


async def opened(server: SimServer, people: list[Seatholder], options: str = "seats=2") -> None:
    """A tournament that all of them play in, and the first one has opened."""
    await types(people[0], f"tourney open duel Winter Cup {options}")
    for person in people:
        assert "You play in tournament 1." in await types(person, "tourney 1 join")


async def begun_without_second(server: SimServer) -> tuple[list[Seatholder], int]:
    """The people of a tournament whose first round has begun while the second one of them plays
    with somebody else, and the table of that one in the round."""
    people = await come(server, *NAMES[:4])
    [other] = await come(server, "Zoe-zoe-zoe")
    await opened(server, people)
    await types(people[1], "open duel bid=300 draw=300 seats=2")
    await types(other, "sit 1", "start")
    await types(people[1], "start")
    assert server.app.table_manager.is_playing("p2")
    await types(people[0], "tourney 1 start")
    await asyncio.sleep(3)
    tourney = tourney_of(server)
    return people, tourney.round.tables[tourney.round.place_of("p2")]


async def begun_with_faults() -> tuple[World, SimServer, list[Seatholder], list[int]]:
    """A tournament of two tables that has begun; and how many bids to come meet a fault."""
    left = [0]

    def evolve(state, event):
        if left[0] and type(event).__name__ == "BidMade":
            left[0] -= 1
            raise ZeroDivisionError("on purpose")
        return DUEL.evolve(state, event)

    world = duel_world()
    world.catalogue = {DUEL.name: replace(DUEL, evolve=evolve)}
    server = await SimServer(world).open()
    people = await come(server, *NAMES[:4])
    await opened(server, people, "seats=2 rounds=1")
    await types(people[0], "tourney 1 start")
    await asyncio.sleep(3)
    return world, server, people, left


def tourney_of(server: SimServer, number: int = 1) -> Tourney:
    return next(it for it in server.app.tourney_streams.all() if it.number == number)


def stored(world: World, number: int = 1) -> Tourney:
    """What a fold of the disk says."""
    found = Tourney(number)
    for record in world.disk.read(TOURNEY_STREAMS.name(number)):
        found.apply_each(decode(record.body))
    return found


async def until(is_so: Callable[[], bool], within_s: int = 20_000) -> None:
    for _ in range(within_s // 5):
        if is_so():
            return
        await asyncio.sleep(5)
    raise AssertionError("it did not happen in time")


def test_a_tournament_is_opened_joined_and_left():
    async def scenario():
        server = await SimServer(duel_world()).open()
        ann, bob = await come(server, *NAMES[:2])
        said = await types(ann, "tourney open duel Winter Cup seats=2 rounds=2")
        assert "You have opened tournament 1." in said
        assert "Ann opened tournament 1 (Winter Cup), duel. To play: tourney 1 join" in bob.text
        assert "when the organiser says so" in await types(bob, "tourney 1 join")
        assert "already" in await types(bob, "tourney 1 join")
        assert re.search("players +1 of 64: Bobby", await types(ann, "tourney 1"))
        assert "You play no more" in await types(bob, "tourney 1 withdraw")
        assert "needs 4 people" in await types(ann, "tourney 1 start")
        assert "Winter Cup: duel, not started, 0 players of 64" in await types(ann, "tourney")

    virtual.run(scenario())


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("tourney 7", "There is no tournament 7"),
        ("tourney 1 start", "Only Ann can do that"),
        ("tourney 1 close bad", "Only Ann can do that"),
        ("tourney 1 drop Ann", "Only Ann can do that"),
        ("tourney 1 seat Ann", "Only Ann can do that"),
        ("tourney 1 round", "has not started"),
        ("tourney 1 nonsense", "Type tourney"),
        ("tourney x", "Type tourney"),
        ("tourney open duel A", "A title has 3 to 30 characters"),
        ("tourney open duel Cup! now", "A title has 3 to 30 characters"),
        ("tourney open duel Cup seats=9", "seats must be a number from 2 to 8"),
        ("tourney open duel Cup rounds=99", "rounds must be a number from 1 to 9"),
        ("tourney open duel Cup who=invited", "who can't be set"),
        ("tourney open duel Cup start=soon", "start must be a date and a time"),
        ("tourney open duel Cup start=2020-01-01T10:00", "within the next 30 days"),
    ],
)
def test_what_cannot_be_done_is_refused(line, answer):
    async def scenario():
        server = await SimServer(duel_world()).open()
        ann, bob = await come(server, *NAMES[:2])
        await types(ann, "tourney open duel Winter Cup")
        assert answer in await types(bob, line)
        assert 1 == len(server.app.tourney_streams.all())

    virtual.run(scenario())


def test_guests_read_and_do_not_play():
    async def scenario():
        server = await SimServer(duel_world()).open()
        [ann] = await come(server, "Ann")
        guest = server.guest()
        await asyncio.sleep(0.5)
        await types(ann, "tourney open duel Winter Cup")
        assert "Winter Cup" in await types(guest, "tourney 1")
        assert "Only registered players" in await types(guest, "tourney 1 join")
        assert "Only registered players" in await types(guest, "tourney open duel Cup")

    virtual.run(scenario())


def test_accounts_have_one_open_tournament_each():
    async def scenario():
        server = await SimServer(duel_world()).open()
        [ann] = await come(server, "Ann")
        await types(ann, "tourney open duel Winter Cup")
        assert "You have 1 open already" in await types(ann, "tourney open duel Spring Cup")
        await types(ann, "tourney 1 join")
        shown = await types(ann, "tourney 1 close No time")
        assert "Tournament 1 is closed" in shown
        assert "Ann closed tournament 1 (Winter Cup): No time" in " ".join(shown.split())
        assert "You have opened tournament 2" in await types(ann, "tourney open duel Spring Cup")
        assert re.search("closed by +Ann: No time", await types(ann, "tourney 1"))

    virtual.run(scenario())


def test_people_are_taken_to_their_tables_and_rounds_follow_to_the_end():
    async def scenario():
        world = duel_world()
        server = await SimServer(world).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=2")
        for person in people:
            person.forget()
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(3)
        for person in people:
            assert "Round 1 of tournament 1 (Winter Cup) has begun." in person.text
            assert "The game starts: duel." in person.text
        tables = tourney_of(server).round.tables
        assert {1, 2} == set(tables) and 2 == len(set(tables.values()))
        await until(lambda: tourney_of(server).phase == "closed")
        text = await types(people[1], "tourney 1 standings")
        server.journal.disk.owner = None
        return world, text, people[2].text

    world, text, told = virtual.run(scenario())
    done = stored(world)
    assert "finished" == done.closed.why and 2 == len(done.rounds)
    assert all(each.is_over for each in done.rounds)
    assert "Tournament 1: Winter Cup, the end" in text
    assert "Tournament 1 (Winter Cup) is over." in told


def test_a_table_of_a_tournament_is_nobodys_to_change():
    async def scenario():
        server = await SimServer(duel_world()).open()
        people = await come(server, *NAMES[:4])
        [watcher] = await come(server, "Zoe-zoe-zoe")
        await opened(server, people)
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(3)
        table = tourney_of(server).round.tables[1]
        ours = "belongs to tournament 1"
        for line in ("offer draw", "offer abort", "bot", "start", f"invite {watcher.name}"):
            assert ours in await types(people[0], line), line
        assert "in the middle of a game" in await types(watcher, f"sit {table}")
        await until(lambda: tourney_of(server).round.is_over)
        assert ours in await types(watcher, f"sit {table}")
        assert ours in await types(people[0], "rematch")

    virtual.run(scenario())


def test_who_plays_elsewhere_may_take_the_seat_later():
    async def scenario():
        server = await SimServer(duel_world()).open()
        people, table = await begun_without_second(server)
        bob = people[1]
        assert f"To take your seat: sit {table}" in " ".join(bob.text.split())
        assert "is not here yet" in "".join(it.text for it in people)
        await types(bob, "leave", "leave")
        said = await types(bob, f"sit {table}")
        assert "You have your seat back." in said
        assert table == server.app.table_manager.table_of("p2")

    virtual.run(scenario())


def test_who_never_comes_has_no_points_and_is_dropped_after_two_games():
    async def scenario():
        world = duel_world()
        server = await SimServer(world).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=3")
        people[3].link.drop()
        await types(people[0], "tourney 1 start")
        for _ in range(800):
            if tourney_of(server).phase == "closed":
                break
            for person in people[:3]:
                if person.is_asked and (moves := await person.moves()):
                    await types(person, moves[0])
            await asyncio.sleep(10)
        server.journal.disk.owner = None
        return world

    world = virtual.run(scenario())
    done = stored(world)
    assert "noshow" == done.dropped["p4"]
    assert 0 == {it.person: it.points for it in done.standings()}["p4"]
    assert 3 == len(done.rounds) and done.rounds[2].place_of("p4") is None


def test_who_types_nothing_within_the_time_for_that_is_played_for():
    async def scenario():
        server = await SimServer(duel_world()).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=1 noshow=2 bid=86400 draw=86400")
        await asyncio.sleep(30)
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(60)
        people[1].type("look")
        await asyncio.sleep(50)
        tables = server.app.table_manager
        assert not any(tables.table_at(f"p{n}").is_away(f"p{n}") for n in range(1, 5))
        await asyncio.sleep(15)
        away = [n for n in range(1, 5) if tables.table_at(f"p{n}").is_away(f"p{n}")]
        assert [3, 4] == away
        people[3].type("look")
        await asyncio.sleep(1)
        assert not tables.table_at("p4").is_away("p4")

    virtual.run(scenario())


def test_who_comes_from_another_server_has_lost_no_connection_for_a_while():
    async def scenario():
        server = await SimServer(duel_world()).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people)
        people[1].type("quit")
        server.app.table_manager.rounds.is_coming = lambda person: person == "p2"
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(8)
        assert not any("lost the connection" in it.text for it in people)
        await asyncio.sleep(3)
        assert any(f"{NAMES[1]} lost the connection" in it.text for it in people)

    virtual.run(scenario())


def test_who_is_taken_from_one_table_to_the_next_reads_all_of_that_and_nothing_of_this():
    """People leave the first one by one, while the game at the second begins."""

    async def scenario():
        server = await SimServer(duel_world()).open()
        people = await come(server, *NAMES)
        await opened(server, people, "seats=3 rounds=2 break=1")
        server.journal.delay_s = 0.01  # of each record
        await types(people[0], "tourney 1 start")
        await until(lambda: tourney_of(server).round.is_over)
        for person in people:
            person.forget()
        await until(lambda: 2 == tourney_of(server).round.number)
        await asyncio.sleep(2)
        for number, person in enumerate(people, 1):
            begun = person.text.partition("Round 2 of tournament 1")[2]
            table = server.app.table_manager.table_of(f"p{number}")
            assert 1 == begun.count("The game starts: duel."), begun
            assert "left the table" not in begun
            assert {str(table)} == {*re.findall(r"table (\d+)(?:, [a-z ]+)?> ", begun)}

    virtual.run(scenario())


@pytest.mark.parametrize("faults", [1, 2])
def test_a_game_that_a_fault_has_ended_is_played_again_once(faults):
    async def scenario():
        world, server, people, left = await begun_with_faults()
        first = dict(tourney_of(server).round.tables)
        for count in range(1, faults + 1):
            left[0] = 1  # the clock's default meets it
            await until(lambda: not left[0])
            await asyncio.sleep(10)
            assert "this table can't continue" in "".join(it.text for it in people)
            [place] = tourney_of(server).round.lost
            if count == 1:
                assert first[place] != tourney_of(server).round.tables[place]
        await until(lambda: tourney_of(server).phase == "closed")
        played = stored(world).round
        [(place, table)] = played.lost.items()
        done = played.results[place]
        told = " ".join("".join(it.text for it in people).split())
        again = f"It begins anew, at table {played.tables[place]}."
        assert first[place] == table and 2 == told.count(again)
        void = "once more. It has no result: everybody there gets 30 points."
        assert ("aborted" if faults == 2 else "finished") == done.end
        assert (2 if faults == 2 else 0) == told.count(void)
        if faults == 2:
            assert [1, 1] == [it.place for it in done.seats]
        else:
            assert f"{played.tables[place]}.1" == done.game

    virtual.run(scenario())


def test_so_is_one_at_a_table_that_another_server_has_opened_and_this_one_taken_over():
    async def scenario():
        _, server, _, left = await begun_with_faults()
        driver = server.app.tourneys.driver
        driver._journal = SimpleNamespace(is_shared=True)
        driver._opening.clear()
        left[0] = 1
        await until(lambda: not left[0])
        await asyncio.sleep(10)
        now = tourney_of(server).round
        [(place, table)] = now.lost.items()
        assert now.tables.get(place) not in {None, table}
        await until(lambda: tourney_of(server).phase == "closed")
        assert driver.remembered() == 0

    virtual.run(scenario())


def test_a_round_ends_at_its_limit():
    async def scenario():
        world = duel_world()
        server = await SimServer(world).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=1 bid=86400")
        await types(people[0], "tourney 1 start")
        await asyncio.sleep(2)
        limit_ms = tourney_of(server).limit_ms
        for person in people:
            person.type("look")  # here, and not to move
        await until(lambda: tourney_of(server).phase == "closed")
        server.journal.disk.owner = None
        return world, limit_ms, people[0].text

    world, limit_ms, text = virtual.run(scenario())
    done = stored(world)
    assert "limit" in {it.end for it in done.results()}
    assert all(it.at_ms >= limit_ms for it in done.results() if it.end == "limit")
    assert "The round is over, so this game ends without a result." in text


def records(world: World) -> int:
    return sum(len(world.disk.read(stream)) for stream in world.disk.streams())


def tables_by_place(world: World) -> list[tuple[int, int, int]]:
    """(round, place, table), as each was written."""
    found = []
    for record in world.disk.read(TOURNEY_STREAMS.name(1)):
        for event in decode(record.body):
            if isinstance(event, TableOpened):
                found.append((event.round, event.place, event.table))
    return found


async def whole_evening(
    world: World, dies_at: int | None, options: str = "seats=2 rounds=2"
) -> int:
    """A tournament whose server dies with the record *dies_at* after its start; where it stood."""
    server = await SimServer(world).open()
    people = await come(server, *NAMES[:4])
    await opened(server, people, options)
    await types(people[0], "tourney 1 start") if dies_at is None else people[0].type(
        "tourney 1 start"
    )
    before = records(world)
    if dies_at is not None:
        died = server.journal.doom(dies_at)
        done = asyncio.create_task(died.wait(), name="sim wait")
        await asyncio.wait([done], timeout=200_000)
        done.cancel()
        await server.die()
        server = await SimServer(world).open()
    if not tourney_of(server).started_ms:
        [ann] = await come(server, "Ann")
        await types(ann, "tourney 1 start")
    await until(lambda: tourney_of(server).phase == "closed", within_s=200_000)
    await server.die()
    return records(world) - before


@pytest.mark.parametrize("first", every_third(range(1, 7, 2)))
def test_a_death_at_any_record_leads_to_the_same_end_and_no_place_has_two_tables(first):
    world = duel_world(5)
    count = virtual.run(whole_evening(world, None))
    whole = stored(world)
    assert 4 == len(tables_by_place(world)) and count > 20
    for dies_at in range(first, count, 6):
        world = duel_world(5)
        virtual.run(whole_evening(world, dies_at))
        done, opened_tables = stored(world), tables_by_place(world)
        assert len(whole.rounds) == len(done.rounds), dies_at
        assert whole.rounds[0].drawn.tables == done.rounds[0].drawn.tables, dies_at
        assert all(each.is_over for each in done.rounds), dies_at
        places = [(number, place) for number, place, _ in opened_tables]
        assert [(1, 1), (1, 2), (2, 1), (2, 2)] == sorted(places), dies_at
        in_tables = [
            name for name in world.disk.streams("table/")
            if b'"tourney":1' in world.disk.read(name)[0].body
        ]  # fmt: skip
        assert 4 == len(in_tables), dies_at
        points = sum(it.points for it in done.standings())
        assert points <= 4 * 60 * 14 // 1, dies_at
