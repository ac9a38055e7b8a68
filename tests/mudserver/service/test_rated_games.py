"""Rated games on the whole server: which are rated, what they move, and a server that dies."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest

from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.journal import StoredRecord
from mudserver.journal.streams import RESULT_STREAM
from mudserver.results.events import (
    AnyResultEvent,
    GameRecorded,
    GameVoided,
    ParametersSet,
    SeatResult,
    decode,
    encode,
)
from mudserver.results.rating import NEW, PARAMETERS, Standing
from mudserver.service.rated_event import rated_event
from mudserver.service.rating_parameters import RatingParameters
from mudserver.service.recompute import Recomputed
from tests.mudserver.service.test_moderation import CONSOLE
from tests.mudserver.service.test_results import come, duel_world, in_a_world, results, types
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, World
from tests.toys.duel.game import DUEL

RATED = "This game is rated."
OCTOBER_MS, JANUARY_MS = 1_790_899_200_000, 1_798_848_000_000  # 2026-10-02, 2027-01-02 UTC
A_WATCHER_SHARES = "This game is unrated: a player and a watcher share a network address."
SHARES_WITH_A_PLAYER = "You share a network address with a player of this rated game."
NOT_AGAINST_EACH_OTHER = "unrated two of its players are not rated against each other then"


async def begin(*people: Seatholder, typed: str = "", is_again: bool = False) -> str:
    """A rated duel begins; what the first one reads of it."""
    first, *others = people
    if not is_again:
        seats = f"seats={max(2, len(people))}"
        text = await types(first, f"open duel rated=on rounds=3 {seats} {typed}".rstrip())
        [number] = re.findall(r"Table (\d+), duel", text)
        for other in others:
            await types(other, f"sit {number}")
    mark = len(first.link.received)
    for person in people:
        await types(person, "start")
    return " ".join(first.link.text_since(mark).split())


async def finish(*people: Seatholder) -> None:
    """The first legal thing, until the game is over."""
    for _ in range(12):
        for person in people:
            if person.is_asked:
                moves = re.findall(r"(?m)^- (.+?)\s*$", await types(person, "moves"))
                await types(person, *moves[:1])
        await asyncio.sleep(2)


def test_a_rated_game_moves_ratings_and_says_so():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bobo")
        assert RATED in await begin(ann, bob)
        await finish(ann, bob)
        assert re.search(
            r"This was game 1\. Ratings: \w+ \d+\? \([+-]\d+\), \w+ \d+\? \([+-]\d+\)\.",
            " ".join(ann.text.split()),
        )
        shown = await types(ann, "game 1")
        assert re.search(r"rated 1\d{3}\? \(\+\d+\)", shown) and "rated     as duel" in shown
        assert re.search(r"duel 1\d{3}\? ± 3\d\d \(1 game\)", await types(bob, "finger ann"))
        assert "1 game of Ann" in await types(ann, "games rated")
        assert "not established" in await types(ann, "top duel")

    [game] = results(in_a_world(scenario))
    assert "duel" == game.pool
    moved = [seat.after[0] - seat.before[0] for seat in game.seats if seat.after and seat.before]
    assert 2 == len(moved) and abs(sum(moved)) <= 1 and {1} == {seat.games for seat in game.seats}


def test_each_game_is_computed_from_the_one_before_also_after_a_restart():
    async def scenario() -> World:
        world = duel_world()
        server = await SimServer(world).open()
        ann, bob = await come(server, "Ann", "Bobo")
        await begin(ann, bob)
        await finish(ann, bob)
        await server.die()
        server = await SimServer(world).open()
        ann, bob = await come(server, "Ann", "Bobo")
        await begin(ann, bob, is_again=True)
        await finish(ann, bob)
        return world

    first, second = results(virtual.run(scenario()))
    after = {seat.person: seat.after for seat in first.seats}
    assert after == {seat.person: seat.before for seat in second.seats}
    again = rated_event(
        second,
        {it.person: Standing(*it.after, 1, first.at_ms) for it in first.seats if it.after},
        DUEL.anchors,
    )
    assert again == second


async def _guest(server: SimServer) -> list[Seatholder]:
    [ann] = await come(server, "Ann")
    guest = server.guest()
    await asyncio.sleep(0.5)
    return [ann, guest]


async def _neighbours(server: SimServer) -> list[Seatholder]:
    return await come(server, "Ann", "Bob")  # of one address, as their names are as long


@pytest.mark.parametrize(
    ("who", "why"),
    [
        (_guest, "This game is unrated: a guest plays."),
        (_neighbours, "This game is unrated: two players share a network address."),
    ],
)
def test_why_a_game_is_unrated_is_said_before_the_cards(who, why):
    async def scenario(server: SimServer) -> None:
        people = await who(server)
        read = await begin(*people)
        assert RATED not in read and read.index(why) < read.index("Round 1")
        await finish(*people)

    [game] = results(in_a_world(scenario))
    assert "" == game.pool and game.why_unrated
    assert [None, None] == [seat.after for seat in game.seats]


def test_others_do_not_read_who_shares_an_address():
    async def scenario(server: SimServer) -> None:
        ann, bob, third = await come(server, "Ann", "Bob", "Dorian")
        await begin(ann, bob, third)
        assert "share a network address" in " ".join(bob.text.split())
        assert "This game is unrated." in third.text and "address" not in third.text
        await finish(ann, bob, third)
        seen.append(await types(third, "game 1"))

    seen: list[str] = []
    in_a_world(scenario)
    assert NOT_AGAINST_EACH_OTHER in " ".join(seen[0].split())


def test_who_shares_an_address_with_a_player_does_not_watch_a_rated_table():
    async def scenario(server: SimServer) -> None:
        ann, bob, dorian = await come(server, "Ann", "Bob", "Dorian")
        await types(ann, "open duel rated=on")
        refused = await types(bob, "watch 1")
        assert SHARES_WITH_A_PLAYER in refused
        assert SHARES_WITH_A_PLAYER not in await types(dorian, "watch 1")
        await types(dorian, "unwatch")
        await types(ann, "leave")
        await types(dorian, "open duel rated=on")  # table 2
        await types(bob, "watch 2")
        await types(ann, "sit 2")
        assert "1 watcher" in await types(dorian, "tables")  # being sent away would tell why
        await types(ann, "start")
        assert "This game is unrated." in await types(dorian, "start")
        assert "address" not in dorian.text
        for person in (ann, bob):
            assert A_WATCHER_SHARES in " ".join(person.text.split())
        await finish(ann, dorian)
        seen.append(await types(dorian, "game 1"))

    seen: list[str] = []
    [game] = results(in_a_world(scenario))
    assert not game.pool and NOT_AGAINST_EACH_OTHER in " ".join(seen[0].split())


def test_who_is_refused_a_seat_sends_no_watcher_of_the_same_address_away():
    async def scenario(server: SimServer) -> None:
        bob, ann, dorian, cecilia = await come(server, "Bob", "Ann", "Dorian", "Cecilia")
        await types(dorian, "open duel rated=on seats=2")
        await types(cecilia, "sit 1")
        await types(bob, "watch 1")
        mark = len(bob.link.received)
        assert "full" in await types(ann, "sit 1")
        assert "address" not in bob.link.text_since(mark)
        await types(dorian, "start")
        assert RATED in await types(cecilia, "start")

    in_a_world(scenario)


def test_anybody_watches_a_table_that_is_not_rated():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bob")
        await types(ann, "open duel")
        assert SHARES_WITH_A_PLAYER not in await types(bob, "watch 1")

    in_a_world(scenario)


def test_a_network_of_many_people_is_named_by_the_host():
    async def scenario(server: SimServer) -> None:
        assert RATED in await begin(*await come(server, "Ann", "Bob"))

    in_a_world(scenario, ratings=schema.RatingsConfig(("198.51.100.0/24",)))


def test_a_level_that_is_not_measured_makes_a_game_unrated_and_one_that_is_takes_part():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bobo")
        await types(ann, "open duel rated=on rounds=3 seats=3")
        await types(bob, "sit 1")
        await types(ann, "bot easy")
        mark = len(ann.link.received)
        await types(bob, "start")
        await types(ann, "start")
        seen.append(" ".join(ann.link.text_since(mark).split()))
        await finish(ann, bob)

    seen: list[str] = []
    in_a_world(scenario)
    assert "unrated: the computer players of level easy are not measured." in seen[0]

    async def measured() -> World:
        world = duel_world()
        world.catalogue = {"duel": replace(DUEL, anchors={"easy": 20.0})}
        await scenario(await SimServer(world).open())
        return world

    [game] = results(virtual.run(measured()))
    assert RATED in seen[1]
    assert [20.0] == [seat.anchor for seat in game.seats if seat.kind == "computer"]


def test_a_declared_program_is_recorded_as_one():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bobo")
        await types(bob, "program on", "program on")
        assert RATED in await begin(ann, bob, typed="programs=on")
        await finish(ann, bob)

    [game] = results(in_a_world(scenario))
    kinds = {seat.person: seat.kind for seat in game.seats}
    assert {"p1": "person", "p2": "program"} == kinds


def test_two_people_are_rated_in_so_many_games_a_day():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bobo")
        for number in range(6):
            read = await begin(ann, bob, is_again=number > 0)
            assert (RATED in read) is (number < 5), number
            await finish(ann, bob)
        said = "This game is unrated: two of you have had 5 rated games today, or 40 this season."
        assert said in read and said in " ".join(bob.text.split())
        seen.append(await types(bob, "game 6"))

    seen: list[str] = []

    games = results(in_a_world(scenario))
    assert [True] * 5 + [False] == [bool(game.pool) for game in games]
    assert NOT_AGAINST_EACH_OTHER in " ".join(seen[0].split())  # as of those of one address


def test_who_leaves_has_the_last_place_and_so_has_who_comes_back():
    async def scenario(server: SimServer) -> None:
        people = await come(server, "Ann", "Bobo", "Dorian")
        await begin(*people)
        for person in people:
            moves = re.findall(r"(?m)^- (.+?)\s*$", await types(person, "moves"))
            await types(person, moves[0])
        await types(people[1], "leave", "leave")
        await types(people[1], "return")
        await finish(*people)

    [game] = results(in_a_world(scenario))
    [left] = [seat for seat in game.seats if seat.fate == "left"]
    assert "p2" == left.person and left.after is not None and left.after[0] < NEW.mu
    lowest = min(seat.after[0] for seat in game.seats if seat.after)
    assert lowest == left.after[0]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("pace=brisk", "A rated table has pace=person"),
        ("clocks=off", "A rated table has pace=person"),
        ("absence=pause", "A rated table has pace=person"),
        ("rounds=2", "A rated table has the options of a preset: standard"),
    ],
)
def test_a_rated_table_has_the_options_of_a_preset(typed, said):
    async def scenario(server: SimServer) -> None:
        [ann] = await come(server, "Ann")
        line = f"open duel rated=on {typed}"
        assert said in " ".join((await types(ann, line)).split())
        assert "Options: rated=on." in " ".join((await types(ann, "open duel rated=on")).split())
        shown = await types(ann, "options")
        assert "programs=off" in shown and "kibitz=off" in shown

    in_a_world(scenario)


def test_killed_at_any_record_ratings_are_those_of_the_results():
    async def scenario(records: int) -> tuple[list[Any], list[Any], bool]:
        world = duel_world()
        server = await SimServer(world).open()
        died = server.journal.doom(records)
        ann, bob = await come(server, "Ann", "Bobo")

        async def playing() -> None:
            await begin(ann, bob)
            await finish(ann, bob)

        task = asyncio.create_task(playing(), name="sim play")
        waiting = asyncio.create_task(died.wait(), name="sim")
        await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
        is_over = not died.is_set()
        task.cancel()
        await server.die()
        server = await SimServer(world).open()
        await asyncio.sleep(1)
        stored = await server.journal.look_up(
            "select person, mu, sigma from rating order by person"
        )
        wanted = sorted(
            (seat.person, *seat.after)
            for game in results(world)
            for seat in game.seats
            if seat.after
        )
        return list(stored), wanted, is_over

    counts, records = set(), 0
    while True:
        records += 1
        stored, wanted, is_over = virtual.run(scenario(records))
        assert stored == wanted, records
        counts.add(len(stored))
        if is_over:
            break
    assert {0, 2} == counts


# -- void games ------------------------------------------------------------------------------------


async def standings(server: SimServer) -> dict[Any, Any]:
    found = await server.journal.look_up("select person, mu, sigma, games, last_ms from rating")
    return {person: tuple(rest) for person, *rest in found}


def test_a_void_game_gives_back_what_it_moved_and_stays_listed():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bobo")
        await begin(ann, bob)
        await finish(ann, bob)
        before = await standings(server)
        await begin(ann, bob, is_again=True)
        await finish(ann, bob)
        assert before != await standings(server)
        void_games = server.app.service.results.void_games
        said = await void_games.void(CONSOLE, "2", "two of one person")
        assert "Game 2 is void now: 2 players got back what it made of ratings." == said
        after = await standings(server)
        assert {p: it[0] for p, it in before.items()} == {p: it[0] for p, it in after.items()}
        assert {2} == {it[2] for it in after.values()}
        assert "2 games" in await types(ann, "finger ann")
        assert "as duel; void" in " ".join((await types(ann, "game 2")).split())
        assert ", void: " in " ".join((await types(ann, "games")).split())
        with pytest.raises(UserError, match="Game 2 is void already"):
            await void_games.void(CONSOLE, "2", "once more")
        with pytest.raises(UserError, match="There is no game 3"):
            await void_games.void(CONSOLE, "3", "no such game")

    world = in_a_world(scenario)
    [voided] = [it for it in events(world) if isinstance(it, GameVoided)]
    assert (2, CONSOLE.id, 2) == (voided.number, voided.by, len(voided.given_back))
    bodies = b"".join(bytes(it.body) for kept in world.disk.records.values() for it in kept)
    assert 1 == bodies.count(b"two of one person")  # in the audit alone


def test_an_unrated_game_cannot_be_void_and_only_operators_may():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bob")
        await begin(ann, bob)
        await finish(ann, bob)
        with pytest.raises(UserError, match="Game 1 is unrated"):
            await server.app.service.results.void_games.void(CONSOLE, "1", "for the test")
        assert "Only operators" in await types(ann, "void 1 for the test")

    assert not any(isinstance(it, GameVoided) for it in events(in_a_world(scenario)))


@pytest.mark.parametrize("is_saved", [True, False])
def test_a_void_game_is_in_the_audit_and_given_back_or_neither(is_saved):
    """Killed right after its record, or the record was not saved."""

    async def scenario() -> tuple[bool, bool, bool]:
        world = duel_world()
        server = await SimServer(world).open()
        ann, bob = await come(server, "Ann", "Bobo")
        await begin(ann, bob)
        await finish(ann, bob)
        died = server.journal.doom(1)
        if not is_saved:
            server.journal.fail_always()
        acting = asyncio.create_task(
            server.app.service.results.void_games.void(CONSOLE, "1", "for the test"),
            name="sim void",
        )
        await asyncio.sleep(1)
        assert is_saved is died.is_set()
        acting.cancel()
        await asyncio.gather(acting, return_exceptions=True)
        await server.die()
        server = await SimServer(world).open()
        is_given_back = {it[0] for it in (await standings(server)).values()} == {NEW.mu}
        audit = [kept for name, kept in world.disk.records.items() if name.startswith("audit/")]
        is_noted = any(b"for the test" in bytes(it.body) for kept in audit for it in kept)
        is_void = any(isinstance(it, GameVoided) for it in events(world))
        await server.die()
        return is_void, is_noted, is_given_back

    assert (is_saved,) * 3 == virtual.run(scenario())


def events(world: World) -> list[AnyResultEvent]:
    return [decode(stored.body) for stored in world.disk.records.get(RESULT_STREAM, [])]


def test_play_rated_waits_for_another_account_and_its_game_is_rated():
    async def scenario(server: SimServer) -> None:
        ann, bob, dorian = await come(server, "Ann", "Bobo", "Dorian")
        guest = server.guest()
        assert "Name the game, as in: play duel rated" in await types(dorian, "play rated")
        await types(dorian, "play duel")
        assert "You wait at table 2" in " ".join((await types(ann, "play duel rated")).split())
        assert "You wait at table 2" in " ".join((await types(ann, "start")).split())
        assert "Guests have no ratings" in await types(guest, "play duel rated")
        assert "preset can be standard" in await types(bob, "play duel fast rated")
        await types(bob, "play duel rated")
        await asyncio.sleep(21)
        for person in (ann, bob):
            assert RATED in " ".join(person.text.split())
        await finish(ann, bob)
        assert "You are in a game at table 1" in await types(dorian, "play duel rated")

    [game] = [it for it in results(in_a_world(scenario)) if it.pool]
    assert "2.1" == game.id and 2 == len([seat for seat in game.seats if seat.after])


def test_who_waits_for_a_rated_game_goes_on_to_another_one():
    async def scenario(server: SimServer) -> None:
        [ann] = await come(server, "Ann")
        await types(ann, "play duel rated")
        assert "You wait at table 1" in " ".join((await types(ann, "play duel rated")).split())
        assert "no seat" not in await types(ann, "play duel")
        assert "You have table 2 to yourself" in " ".join(ann.text.split())
        await asyncio.sleep(60)  # table 1 has closed, the game at table 2 runs
        await types(ann, "leave now", "play duel")
        assert "You wait at table 4" in " ".join((await types(ann, "play duel rated")).split())

    in_a_world(scenario)


def test_the_parameters_are_recorded_with_the_first_rated_game_and_where_they_are_others():
    def recorded(world: World) -> list[str]:
        kinds = [type(it).__name__ for it in events(world)]
        return [kind for kind in kinds if kind in ("ParametersSet", "GameRecorded")]

    async def play(world: World, *, is_again: bool) -> None:
        server = await SimServer(world).open()
        ann, bob = await come(server, "Ann", "Bobo")
        await begin(ann, bob, is_again=is_again)
        await finish(ann, bob)
        await begin(ann, bob, is_again=True)
        await finish(ann, bob)
        await server.die()

    world = duel_world()
    virtual.run(play(world, is_again=False))
    assert ["ParametersSet", "GameRecorded", "GameRecorded"] == recorded(world)
    world.catalogue = {"duel": replace(DUEL, anchors={"easy": 20.0})}
    virtual.run(play(world, is_again=True))
    assert ["GameRecorded"] * 2 == recorded(world)[3:]  # of the same season
    found = Recomputed()
    for event in events(world):
        found.apply(event)
    assert (4, []) == (found.games, found.faults)


def test_other_anchors_count_from_the_next_season_on():
    def parameters(at_ms: int, **anchors: float) -> ParametersSet:
        return ParametersSet(at_ms, *PARAMETERS, anchors={"duel": anchors} if anchors else {})

    class Streams:
        async def mark(self, name: str) -> int | None:
            return len(recorded) or None

    class Stored:
        async def read_pieces(self, stream: str, after: int = 0) -> Any:
            yield [StoredRecord(after + 1, 0, encode(recorded[after]))]

    async def run() -> None:
        code = {"duel": replace(DUEL, anchors={"easy": 20.0})}
        known = RatingParameters(Stored(), Streams(), code)
        assert {"easy": 20.0} == await known.anchors("duel", OCTOBER_MS)
        recorded.extend(await known.due(OCTOBER_MS))
        assert [] == await known.due(OCTOBER_MS + 1)
        code["duel"] = replace(DUEL, anchors={"easy": 21.0})
        assert {"easy": 20.0} == await known.anchors("duel", OCTOBER_MS + 1)
        assert [] == await known.due(OCTOBER_MS + 1)
        assert {"easy": 21.0} == await known.anchors("duel", JANUARY_MS)
        assert [parameters(JANUARY_MS, easy=21.0)] == await known.due(JANUARY_MS)

    recorded = list[ParametersSet]()
    asyncio.run(run())


def test_a_game_with_another_anchor_than_recorded_is_found():
    seats = (
        SeatResult("person", "p1", place=1),
        SeatResult("person", "p2", place=2),
        SeatResult("computer", name="Juno", level="easy", place=3),
    )
    place = OCTOBER_MS, 1, "1.1", "duel", 0, 1, 2, "finished", seats
    bare = GameRecorded(*place, pool="duel")
    rated = rated_event(bare, {}, {"easy": 20.0})
    for anchor, faults in ((20.0, []), (21.0, ["game 1 seat 2: another anchor than recorded"])):
        found = Recomputed()
        found.apply(ParametersSet(0, *PARAMETERS, anchors={"duel": {"easy": anchor}}))
        found.apply(rated)
        assert faults == found.faults
