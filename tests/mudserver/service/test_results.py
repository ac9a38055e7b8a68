"""Results that stay, on the whole server: numbers, lists, who sees them, and a server that dies."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest

from mudserver.config import schema
from mudserver.journal.streams import RESULT_STREAM, TABLE_STREAMS
from mudserver.results.events import GameRecorded, ScanBegun, Scanned, decode
from mudserver.tables import codec
from mudserver.tables.records import Abandoned, Aborted, Ended
from tests import memory_journal
from tests.memory_journal import Disk
from tests.mudserver.service.test_moderation import CONSOLE
from tests.simulation import virtual
from tests.simulation.server import FOR_DAYS, Seatholder, SimServer, World, new_world
from tests.toys.duel.game import DUEL

Scenario = Callable[[SimServer], Coroutine[Any, Any, None]]


def duel_world(**sections: object) -> World:
    world = new_world(1, **sections)
    world.catalogue = {DUEL.name: DUEL}
    return world


async def types(person: Seatholder, *lines: str) -> str:
    """What is read while these lines are typed."""
    mark = len(person.link.received)
    for line in lines:
        person.type(line)
        await asyncio.sleep(0.4)
    return person.link.text_since(mark)


async def play(*people: Seatholder, rounds: int = 2, is_again: bool = False) -> None:
    """A whole duel of these people, who then sit at its table."""
    first, *others = people
    if not is_again:
        text = await types(first, f"open duel seats={max(2, len(people))} rounds={rounds}")
        [number] = re.findall(r"Table (\d+), duel", text)
        for other in others:
            await types(other, f"sit {number}")
        if not others:
            await types(first, "bot easy")
    for person in people:
        await types(person, "start")
    for _ in range(3 * rounds):
        for person in people:
            if person.is_asked:
                moves = re.findall(r"(?m)^- (.+?)\s*$", await types(person, "moves"))
                await types(person, *moves[:1])
        await asyncio.sleep(3)


async def come(server: SimServer, *names: str) -> list[Seatholder]:
    people = [server.person(name) for name in names]
    await asyncio.sleep(0.5)
    return people


def results(world: World) -> list[GameRecorded]:
    events = [decode(stored.body) for stored in world.disk.records.get(RESULT_STREAM, [])]
    return [event for event in events if isinstance(event, GameRecorded)]


def ended_at_tables(world: World) -> list[str]:
    """The games that have ended at tables, whatever is recorded of them."""
    found = []
    for stream, stored in world.disk.records.items():
        if TABLE_STREAMS.owns(stream):
            count = 0
            for record in stored:
                facts = codec.decode(record.sequence, record.body, DUEL).facts
                count += sum(type(fact).__name__ == "Started" for fact in facts)
                if any(isinstance(fact, Ended | Aborted | Abandoned) for fact in facts):
                    found.append(f"{TABLE_STREAMS.number(stream)}.{count}")
    return sorted(found)


def in_a_world(scenario: Scenario, **sections: object) -> World:
    async def run() -> World:
        world = duel_world(**sections)
        await scenario(await SimServer(world).open())
        return world

    return virtual.run(run())


# -- what is recorded ------------------------------------------------------------------------------


def test_games_have_numbers_and_are_listed_shown_and_counted():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bob")
        await play(ann, bob)
        assert "This was game 1. To see it again: replay 1" in ann.text
        assert "This was game 1." in bob.text
        await play(ann, bob, is_again=True)
        listed = await types(ann, "games")
        assert re.search(
            r"2 games of Ann\s+2 +duel, 20\d\d-\d\d-\d\d: 1 \w+, 2 \w+\s+1 +duel", listed
        )
        assert listed.replace("Ann", "Bob") != listed
        shown = await types(bob, "game 2")
        assert shown == (await types(bob, "game 1.2")).replace("game 1.2", "game 2")
        assert "Game 2: duel, 1.2" in shown and "options   rounds=2" in shown
        seed, sealed = re.findall(r"[0-9a-f]{64}", shown)
        assert sealed in ann.text and seed != sealed
        assert "2 games: " in await types(ann, "stats")
        assert "duel  2 games: Ann ahead" in await types(ann, "vs bob")
        fingered = await types(bob, "finger ann")
        assert re.search(r"last games: 2 duel \(\w+ of 2\) and 1 duel \(\w+ of\s2\)", fingered)

    world = in_a_world(scenario)
    assert [(1, "1.1"), (2, "1.2")] == [(game.number, game.id) for game in results(world)]
    bodies = [bytes(stored.body) for stored in world.disk.records[RESULT_STREAM]]
    assert not any(name in body for body in bodies for name in (b"Ann", b"Bob"))


def test_games_says_where_one_is_asked_and_what_goes_on():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bob")
        await types(ann, "open duel seats=2")
        await types(bob, "sit 1", "start")
        await types(ann, "start")
        [move, *_] = re.findall(r"(?m)^- (.+?)\s*$", await types(ann, "moves"))
        await types(ann, move)
        assert re.search(r"table 1 +duel, goes on", await types(ann, "games"))
        assert re.search(r"table 1 +duel, your move", await types(bob, "games"))

    in_a_world(scenario)


def test_a_game_in_which_no_person_decides_or_without_an_account_is_not_recorded():
    async def scenario(server: SimServer) -> None:
        [ann] = await come(server, "Ann")
        guest = server.guest()
        await asyncio.sleep(0.5)
        await play(guest)
        assert "Game over" in guest.text and "This was game" not in guest.text
        await types(ann, "open duel seats=2 rounds=2", "bot easy", "start")
        await asyncio.sleep(400)  # the clock plays
        assert "Game over" in ann.text and "This was game" not in ann.text

    assert [] == results(in_a_world(scenario))


def test_what_is_left_aborted_and_abandoned_is_recorded_without_places():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bob")
        await types(ann, "open duel seats=2 rounds=3")
        await types(bob, "sit 1", "start")
        await types(ann, "start")
        await types(ann, (await ann.moves())[0])
        await types(bob, "leave", "leave")
        await types(ann, "leave", "leave")
        assert "abandoned: Ann, Bob" in " ".join((await types(ann, "games")).split())
        assert "Ann, left" in await types(ann, "game 1")

    [game] = results(in_a_world(scenario))
    assert "abandoned" == game.end and {"left"} == {seat.fate for seat in game.seats}
    assert {None} == {seat.place for seat in game.seats}


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"results": schema.ResultsConfig(per_account_day=1)}, "1 games a day are."),
        ({"sources": schema.SourceLimits(results_per_source_day=1)}, "have been recorded today."),
    ],
)
def test_beyond_the_limits_of_a_day_a_game_is_played_and_not_recorded(sections, said):
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bob")
        await play(ann)
        await play(ann, bob)
        assert "This was game 1." in ann.text and "This was game 2." not in ann.text
        for person in (ann, bob):
            words = " ".join(person.text.split())
            assert "This game was not recorded" in words and said in words
        if "results" in sections:
            await asyncio.sleep(86_400)
            [ann] = await come(server, "Ann")
            await play(ann)
            assert "This was game 2." in ann.text

    world = in_a_world(scenario, journal=FOR_DAYS, **sections)
    assert list(range(1, len(results(world)) + 1)) == [game.number for game in results(world)]


# -- who sees what ---------------------------------------------------------------------------------


def test_who_hides_results_is_asked_in_vain_and_a_single_game_stays_public():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bob")
        await play(ann, bob)
        asked = ("games ann", "stats ann", "vs ann", "games bob vs ann")
        await types(ann, "set results friends")
        for line in asked:
            assert "Ann does not show results." in await types(bob, line), line
        assert "last games" not in await types(bob, "finger ann")
        assert "Ann" in await types(bob, "game 1")
        await types(ann, "friend bob")
        for line in asked:
            assert "does not show" not in await types(bob, line), line
        await types(ann, "set results off")
        assert "Ann does not show results." in await types(bob, "stats ann")
        assert "1 game of Ann" in await types(ann, "games")

    in_a_world(scenario)


def test_names_are_those_of_now_and_an_erased_account_is_a_former_player():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bob")
        await play(ann, bob)
        await types(ann, "leave", "rename Anna", "Anna")
        assert "Anna" in await types(bob, "game 1")
        assert "1 game of Anna" in await types(bob, "games ann")
        await server.app.deletion.erase_for(CONSOLE, "Anna", "for the test")
        await asyncio.sleep(1)
        shown = await types(bob, "game 1")
        assert "former player" in shown and "Ann" not in shown
        program = server.person("Eve", is_program=True, json_protocol=2)
        await asyncio.sleep(0.5)
        program.type("game 1")
        await asyncio.sleep(0.5)
        (data,) = [each for each in program.objects if each["type"] == "result"]
        known = {each["name"]: each["person"] for each in data["result"]["seats"]}
        assert known == {"former player": None, "Bob": known["Bob"]} and known["Bob"]
        assert "Nobody is registered as" in await types(bob, "games anna")

    in_a_world(scenario)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("game x", '"x" is no game.'),
        ("game 99", "There is no game 99."),
        ("game 9.9", "There is no game 9.9."),
        ("game 99999999999999999999", "is no game."),
        ("games page 0", '"0" is no page.'),
        ("games page 2", "The last page is page 1."),
        ("games ann bob", '"bob" is too much here.'),
        ("games nobody", "Nobody is registered as nobody."),
        ("stats duel", "None yet."),
        ("stats ann bob", 'There is no game called "bob".'),
        ("vs ann", "That is you."),
    ],
)
def test_what_is_wrong_is_said(line, said):
    async def scenario(server: SimServer) -> None:
        [ann] = await come(server, "Ann")
        assert said in " ".join((await types(ann, line)).split())

    in_a_world(scenario)


def test_guests_have_none_and_see_those_of_others():
    async def scenario(server: SimServer) -> None:
        [ann] = await come(server, "Ann")
        guest = server.guest()
        await asyncio.sleep(0.5)
        await play(ann)
        assert "Guests have no results." in await types(guest, "games")
        assert "1 game of Ann" in await types(guest, "games ann")

    in_a_world(scenario)


def test_numbers_are_kept_for_a_minute():
    async def scenario(server: SimServer) -> None:
        [ann] = await come(server, "Ann")
        await play(ann)
        assert "1 game: " in await types(ann, "stats")
        await play(ann, is_again=True)
        await asyncio.sleep(60)
        assert "2 games: " in await types(ann, "stats")

    in_a_world(scenario)


# -- a server that dies ----------------------------------------------------------------------------


def test_killed_at_any_record_a_game_and_its_result_are_both_there_or_neither():
    """Numbers have no gap, and what the index says is what the stream says."""

    async def scenario(records: int) -> tuple[list[str], list[GameRecorded], list[Any], bool]:
        world = duel_world()
        server = await SimServer(world).open()
        died = server.journal.doom(records)
        ann, bob = await come(server, "Ann", "Bob")
        playing = asyncio.create_task(_two_games(ann, bob), name="sim play")
        await asyncio.wait(
            [playing, asyncio.create_task(died.wait(), name="sim")],
            return_when=asyncio.FIRST_COMPLETED,
        )
        is_over = not died.is_set()
        playing.cancel()
        await server.die()
        server = await SimServer(world).open()
        [ann] = await come(server, "Ann")
        await types(ann, "games")
        index = await server.journal.look_up("select number, id from game order by number")
        found = ended_at_tables(world), results(world), list(index), is_over
        await server.die()
        return found

    seen, records = set(), 0
    while True:
        records += 1
        ended, recorded, index, is_over = virtual.run(scenario(records))
        assert ended == sorted(game.id for game in recorded), records
        assert [(n, game.id) for n, game in enumerate(recorded, 1)] == index, records
        seen.add(len(ended))
        if is_over:
            break
    assert {0, 1, 2} == seen


async def _two_games(ann: Seatholder, bob: Seatholder) -> None:
    await play(ann, bob)
    await play(ann, bob, is_again=True)


def test_a_record_that_was_not_saved_leaves_no_number_and_the_next_game_has_it():
    async def scenario(server: SimServer) -> None:
        ann, bob = await come(server, "Ann", "Bob")
        await play(ann, bob, rounds=2)
        server.journal.fail_always()
        await play(ann, bob, is_again=True)  # the table waits
        server.journal.fail_always(False)
        await asyncio.sleep(300)
        await play(ann, bob, is_again=True)
        await asyncio.sleep(300)

    world = in_a_world(scenario)
    assert list(range(1, len(results(world)) + 1)) == [game.number for game in results(world)]
    assert ended_at_tables(world) == sorted(game.id for game in results(world))


def test_an_index_that_was_dropped_is_made_again_at_the_start(monkeypatch):
    monkeypatch.setattr(memory_journal, "PIECE", 2)

    async def scenario() -> tuple[list[Any], list[Any]]:
        world = duel_world()
        server = await SimServer(world).open()
        ann, bob = await come(server, "Ann", "Bob")
        await _two_games(ann, bob)
        asked = "select * from game_seat order by number, seat"
        tallied = "select * from tally order by person, variant"
        look_up = server.journal.look_up
        before = [*await look_up(asked), *await look_up(tallied)]
        await server.die()
        world.disk = replace(world.disk, index=Disk().index)
        server = await SimServer(world).open()
        await asyncio.sleep(1)
        look_up = server.journal.look_up
        return before, [*await look_up(asked), *await look_up(tallied)]

    before, after = virtual.run(scenario())
    assert before == after and 6 == len(before)


# -- games of older journals -----------------------------------------------------------------------


def without_results(disk: Disk) -> Disk:
    """The same as a server would have left it that recorded none."""
    records = {name: list(stored) for name, stored in disk.records.items()}
    records.pop(RESULT_STREAM, None)
    return Disk(records, set(disk.closed), dict(disk.bases), dict(disk.ranks), disk.alive_ms)


async def _older(world: World) -> list[GameRecorded]:
    """Fill *world* with games of a server that recorded none; what it would have recorded."""
    server = await SimServer(world).open()
    ann, bob = await come(server, "Ann", "Bob")
    await _two_games(ann, bob)
    await types(ann, "leave", "leave")
    await types(bob, "leave", "leave")
    await play(bob)
    await server.die()
    recorded = results(world)
    world.disk = without_results(world.disk)
    return recorded


def test_games_of_older_journals_are_recorded_once_whenever_the_server_dies():
    async def scenario(records: int) -> tuple[list[GameRecorded], list[GameRecorded], bool]:
        world = duel_world()
        wanted = await _older(world)
        server = await SimServer(world).open()
        died = server.journal.doom(records)
        await asyncio.sleep(30)
        is_over = not died.is_set()
        await server.die()
        server = await SimServer(world).open()
        await asyncio.sleep(30)
        [ann, _] = await come(server, "Ann", "Bob")
        assert "2 games of Ann" in await types(ann, "games")
        await server.die()
        await SimServer(world).open()
        await asyncio.sleep(30)
        return wanted, results(world), is_over

    records = 0
    while True:
        records += 1
        wanted, found, is_over = virtual.run(scenario(records))
        assert wanted == found, records
        if is_over:
            break
    assert records > 3 and 3 == len(wanted)


def test_a_game_that_ends_while_old_ones_are_recorded_is_recorded_once():
    async def scenario() -> World:
        world = duel_world()
        await _older(world)
        server = await SimServer(world).open()
        [ann, bob] = await come(server, "Ann", "Bob")
        await play(ann, bob)
        await asyncio.sleep(30)
        await server.die()
        await SimServer(world).open()
        await asyncio.sleep(30)
        return world

    world = virtual.run(scenario())
    assert ended_at_tables(world) == sorted(game.id for game in results(world))
    events = [decode(stored.body) for stored in world.disk.records[RESULT_STREAM]]
    assert isinstance(events[0], ScanBegun) and 1 == sum(isinstance(e, ScanBegun) for e in events)
    assert isinstance(events[-1], GameRecorded | Scanned)


def test_a_table_that_does_not_fold_does_not_stop_the_others():
    async def scenario() -> World:
        world = duel_world()
        await _older(world)
        stream = world.disk.records["table/1"]
        stream[2] = stream[2]._replace(body=b"no record")
        await SimServer(world).open()
        await asyncio.sleep(30)
        return world

    assert ["2.1"] == [game.id for game in results(virtual.run(scenario()))]
