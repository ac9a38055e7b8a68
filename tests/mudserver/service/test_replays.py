"""Replays on the whole server: who may see which, how one moves about, and what a program reads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

from mudserver.config import schema
from mudserver.service.replays import IDLE_S
from mudserver.tables.game_replay import GameReplay
from tests.mudserver.service.test_results import duel_world, play, types
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, SimServer, new_world, proven_by_key
from tests.toys.duel.game import DUEL
from variants.verify import verify


def on_a_server(scenario, **sections):
    async def run() -> None:
        await scenario(await SimServer(duel_world(**sections)).open())

    virtual.run(run())


async def one_game(server: SimServer, *names: str):
    """These people have played a duel and are in the lobby again."""
    people = [server.person(name) for name in names]
    await asyncio.sleep(0.1)
    await play(*people)
    for person in people:
        await types(person, "leave")
    return people


def test_a_game_is_seen_again_decision_by_decision():
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        text = await types(ann, "replay 1")
        assert "Game 1, duel, the deal, seen by a watcher" in text
        assert "Enter: on." in text and "replay 0/6> " in text
        assert "decision 1 of 6" in await types(ann, "")
        assert "decision 3 of 6" in await types(ann, "next 2")
        assert "decision 6 of 6" in await types(ann, "next 9")
        assert "This is the end." in await types(ann, "next")
        assert "decision 5 of 6, seen by bob" in await types(ann, "back", "seat bob")
        assert "the deal, seen by bob" in await types(ann, "start")
        assert "This is the beginning." in await types(ann, "back")
        assert "Game over: " in await types(ann, "end")
        assert "decision 2 of 6" in await types(ann, "at 2")
        assert "The replay is closed." in await types(ann, "leave")
        assert "lobby> " in await types(ann, "")
        assert "Unknown command" in await types(ann, "nextt")

    on_a_server(scenario)


def test_behind_a_list_of_games_the_number_of_one_is_typed_alone():
    async def scenario(server: SimServer) -> None:
        ann, bob = await one_game(server, "ann", "bob")
        assert "Game 1, duel, the deal" in await types(ann, "games", "1")
        assert "There is no game 7" in await types(bob, "games ann", "7")
        assert 'Unknown command "1"' in await types(bob, "1")
        assert 'Unknown command "1"' in await types(bob, "games nobody", "1")

    on_a_server(scenario)


def test_moves_are_those_of_the_seat_that_was_asked():
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        await types(ann, "replay 1 ann")
        assert "ann could type" in await types(ann, "moves")
        assert "bob was not asked here." in await types(ann, "at 2", "seat bob", "moves")
        assert "A watcher has no moves. To look as ann: seat ann" in await types(
            ann, "seat watch", "moves"
        )
        assert 'Nobody in this game is called "eve".' in await types(ann, "seat eve")
        assert "Whose eyes? Type: seat NAME" in await types(ann, "seat")

    on_a_server(scenario)


def test_a_game_that_still_runs_is_answered_like_one_that_never_was():
    async def scenario(server: SimServer) -> None:
        ann, bob, eve = (server.person(name) for name in ("ann", "bob", "eve"))
        await asyncio.sleep(0.1)
        await types(ann, "open duel seats=2 rounds=3")
        await types(bob, "sit 1")
        await types(ann, "start")
        await types(bob, "start")
        assert "There is no game 1.1 that is over." in await types(eve, "replay 1.1")
        assert "There is no game 1.2 that is over." in await types(eve, "replay 1.2")
        assert "There is no game 9.1 that is over." in await types(eve, "replay 9.1")
        assert "You are in a game at table 1." in await types(ann, "replay 1.1")

    on_a_server(scenario)


@pytest.mark.parametrize("shown, is_seen", [("public", True), ("friends", False), ("off", False)])
def test_a_game_of_somebody_who_hides_results_is_for_its_players(shown, is_seen):
    async def scenario(server: SimServer) -> None:
        ann, bob = await one_game(server, "ann", "bob")
        eve = server.person("eve")
        await asyncio.sleep(0.1)
        await types(ann, f"set results {shown}")
        text = await types(eve, "replay 1")
        assert is_seen == ("decision" in text or "the deal" in text)
        assert is_seen != ("Only those who played game 1 can see it again." in text)
        assert "the deal" in await types(bob, "replay 1")
        assert "the deal" in await types(ann, "replay 1 bob")

    on_a_server(scenario)


def test_a_game_at_a_private_table_is_for_its_players():
    async def scenario(server: SimServer) -> None:
        ann, eve = server.person("ann"), server.person("eve")
        await asyncio.sleep(0.1)
        await types(ann, "open duel seats=2 rounds=2 code=on", "bot easy", "start")
        for _ in range(4):
            if ann.is_asked:
                moves = await types(ann, "moves")
                await types(ann, moves.split("\n- ")[1].split("\r")[0])
            await asyncio.sleep(3)
        await types(ann, "leave")
        assert "Only those who played game 1 can see it again." in await types(eve, "replay 1")
        assert "the deal" in await types(ann, "replay 1")

    on_a_server(scenario)


def test_a_game_of_guests_alone_is_seen_by_its_id():
    async def scenario(server: SimServer) -> None:
        guest = server.guest()
        await asyncio.sleep(0.1)
        await play(guest)
        await types(guest, "leave")
        eve = server.person("eve")
        await asyncio.sleep(0.1)
        assert "Game 1.1, duel, the deal, seen by a watcher" in await types(eve, "replay 1.1")

    on_a_server(scenario)


def test_a_game_comes_first_and_no_word_of_the_replay_is_played_in_it():
    async def scenario(server: SimServer) -> None:
        ann, bob = await one_game(server, "ann", "bob")
        await types(ann, "open duel seats=2 rounds=2")
        await types(bob, "sit 2")
        await types(ann, "replay 1")
        text = await types(bob, "start")
        mark = len(ann.link.received)
        await types(ann, "/start")
        text = ann.link.text_since(mark)
        assert "You play at table 2 now, so the replay is closed." in text
        assert "Your game has just started: nothing was played." in await types(ann, "")
        await asyncio.sleep(4)
        assert "nothing was played" not in await types(ann, "look")

    on_a_server(scenario)


def test_it_runs_by_itself_to_the_end_and_stops_when_told():
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        await types(ann, "replay 1")
        assert "One decision in 2 s." in await types(ann, "auto 2")
        mark = len(ann.link.received)
        await asyncio.sleep(5)
        assert "decision 2 of 6" in ann.link.text_since(mark)
        assert "Stopped." in await types(ann, "stop")
        mark = len(ann.link.received)
        await asyncio.sleep(30)
        assert "decision" not in ann.link.text_since(mark)
        await types(ann, "auto 1")
        await asyncio.sleep(10)
        assert "decision 6 of 6" in ann.link.text_since(mark)
        assert "Nothing runs by itself here." in await types(ann, "stop")
        assert "from 1 to 60" in await types(ann, "auto 61")

    on_a_server(scenario)


def test_who_types_nothing_for_ten_minutes_is_led_out():
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        await types(ann, "replay 1")
        await asyncio.sleep(IDLE_S - 5)
        assert server.app.replays.count() == 1
        mark = len(ann.link.received)
        await asyncio.sleep(10)
        assert "Nothing was typed for 10 min" in ann.link.text_since(mark)
        assert server.app.replays.count() == 0

    on_a_server(scenario)


def test_there_is_room_for_so_many_and_what_is_left_makes_room():
    async def scenario(server: SimServer) -> None:
        ann, bob = await one_game(server, "ann", "bob")
        assert "the deal" in await types(ann, "replay 1")
        assert "Many games are being replayed right now." in await types(bob, "replay 1")
        assert "the deal" in await types(ann, "replay 1 all")  # in the place of the first
        await types(ann, "replay 7")
        assert "replay 1/6> " in await types(ann, "")  # what was refused has closed nothing
        ann.link.drop()
        await asyncio.sleep(0.1)
        assert server.app.replays.count() == 0
        assert "the deal" in await types(bob, "replay 1")

    on_a_server(scenario, results=schema.ResultsConfig(replays_max=1))


def test_a_program_reads_places_as_objects():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        program = server.person("prog", is_program=True, json_protocol=2)
        await asyncio.sleep(0.1)
        program.type("open stockpile pace=instant seats=3 clocks=off")
        await asyncio.sleep(0.5)
        for line in ("bot easy", "bot easy", "start"):
            program.type(line)
            await asyncio.sleep(0.5)
        views: dict[int, dict] = {}
        while not [it for it in program.objects if it["type"] == "over"]:
            asked = [it for it in program.objects if it["type"] == "view"][-1]
            views[len(views)] = asked
            if asked["moves"]:
                program.type(asked["moves"][0])
            await asyncio.sleep(0.5)
        seen = {json.dumps(view["view"]): view for view in views.values()}
        program.type("leave")
        await asyncio.sleep(0.5)
        program.forget()
        program.type("replay 1 prog")
        await asyncio.sleep(0.5)
        [first] = [it for it in program.objects if it["type"] == "replay"]
        assert (0, first["of"]) == (first["at"], first["of"]) and first["constants"]["decks"]
        program.forget()
        for _ in range(first["of"]):
            program.type("next")
            await asyncio.sleep(0.5)
        places = [it for it in program.objects if it["type"] == "replay"]
        assert list(range(1, first["of"] + 1)) == [it["at"] for it in places]
        assert not any(it["constants"] for it in places) and places[-1]["result"]
        # What it was shown when it was asked is among them, with the moves of then.
        found = {json.dumps(it["view"]): it for it in places}
        asked_then = {text: view for text, view in seen.items() if view["moves"]}
        assert len(asked_then) > 5
        first_text = json.dumps(first["view"])
        for text, view in asked_then.items():
            again = first if text == first_text else found[text]
            assert view["moves"] == again["moves"] and view["asked"] == again["asked"]

    virtual.run(scenario())


def test_a_program_of_protocol_1_reads_pages():
    async def scenario(server: SimServer) -> None:
        await one_game(server, "ann", "bob")
        program = server.person("prog", is_program=True)
        await asyncio.sleep(0.1)
        program.type("replay 1")
        await asyncio.sleep(0.5)
        [page] = [it for it in program.objects if it["type"] == "page"]
        assert page["title"].startswith("Game 1, duel, the deal")

    on_a_server(scenario)


# -- files ---------------------------------------------------------------------------------------


def test_a_game_is_had_as_text_and_as_a_record_that_proves_it():
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        text = await types(ann, "set pager off", "game 1 text ann")
        assert "Game 1: duel, 1.1" in text and "seen by ann" in text and "You bid 11." in text
        assert "Game over: " in text
        assert "ann bids" not in text
        exports = server.app.exports
        person = ann.link.handler.person
        record = [row async for row in exports.rows(person, "", "1", "json", "")]
        first, *decisions, outcome = map(json.loads, record)
        assert (1, "1.1", True) == (first["number"], first["id"], first["started"] > 0)
        assert all(it["at"] >= first["started"] for it in decisions) and len(decisions) == 7
        assert verify(record, {"duel": DUEL}).startswith("proved: 6 decisions")
        assert outcome["outcome"]
        assert "A game can be had as text, json or cast" in await types(ann, "game 1 pdf")

    on_a_server(scenario)


def test_a_recording_is_asciicast_2():
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        person = ann.link.handler.person
        cast = [row async for row in server.app.exports.rows(person, "", "1", "cast", "ann")]
        found = await server.app.replays.finder.find(person, "", "1")
        check_cast(cast, "duel", found.replay)
        painted = "".join(json.loads(row)[2] for row in cast[1:])
        assert "You bid 11." in painted and "\x1b[" in painted and "Game over: " in painted
        assert not any("\x1b" in row for row in cast)

    on_a_server(scenario)


def check_cast(rows: list[str], variant: str, replay: GameReplay) -> None:
    """As https://docs.asciinema.org/manual/asciicast/v2/ has it, with the times of the game."""
    header, *events = map(json.loads, rows)
    assert (2, 80, 24, 3.0) == tuple(
        header[key] for key in ("version", "width", "height", "idle_time_limit")
    )
    assert isinstance(header["timestamp"], int) and f"Lockdown {variant}, game" in header["title"]
    assert {"m", "o"} >= {code for _, code, _ in events}
    times = [at for at, _, _ in events]
    assert times == sorted(times) and times[0] == 0.0
    shown = [at for at, code, _ in events if code == "o"]
    assert len(shown) == replay.last + 1
    for position, (before, at) in enumerate(pairwise(shown), 1):
        for _ in replay.go(position):
            pass
        waited_ms = replay.waited_ms
        assert waited_ms is not None
        assert abs(min(3.0, waited_ms / 1000) - (at - before)) < 0.002


def test_a_shell_fetches_a_game_of_which_the_account_may_know():
    async def scenario(server: SimServer) -> None:
        await one_game(server, "ann", "bob")
        link = await fetch(server, "bob", "game 1 cast bob")
        first, *others = link.text.splitlines()
        assert json.loads(first)["version"] == 2 and len(others) >= 7
        for wanted, why in (("game 9 cast", "There is no game 9"), ("game 1", "can be had as")):
            assert why in (await fetch(server, "bob", wanted)).refused
        ann = server.person("ann")
        await asyncio.sleep(0.1)
        await types(ann, "set results off")
        server.person("eve")
        await asyncio.sleep(0.1)
        assert "Only those who played game 1" in (await fetch(server, "eve", "game 1 text")).refused

    on_a_server(scenario)


async def fetch(server: SimServer, name: str, wanted: str) -> FakeLink:
    """The connection of `ssh NAME@HOST WANTED`."""
    link = FakeLink(ANSI, "ssh", "203.0.113.77")
    link.wanted_game = wanted
    server.connect(link, proven_by_key(name, is_known=True))
    await asyncio.sleep(0.5)
    return link


class SlowLink(FakeLink):
    """The other end reads 20 kB in a tenth of a second."""

    async def drain(self) -> None:
        while self.is_open or self._unread:
            while self._unread:
                self.received.append((0.0, self._unread.pop(0)))
            self.queued = max(0, self.queued - 20_000)
            await asyncio.sleep(0.1)


async def long_rows(*about: str) -> AsyncIterator[str]:
    for number in range(10_000):
        yield f"{number:060d}"


def test_a_shell_that_reads_slowly_has_the_whole_of_a_long_file(monkeypatch):
    async def scenario(server: SimServer) -> None:
        await one_game(server, "ann", "bob")
        monkeypatch.setattr(server.app.exports, "rows", long_rows)
        link = SlowLink(ANSI, "ssh", "203.0.113.77")
        link.wanted_game, link.is_stalled = "game 1 cast", True
        draining = asyncio.create_task(link.drain())
        server.connect(link, proven_by_key("bob", is_known=True))
        await draining
        assert f"{9_999:060d}\n" == link.text[-61:]

    on_a_server(scenario)


def test_a_file_that_is_too_long_for_a_terminal_is_for_a_shell(monkeypatch):
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        monkeypatch.setattr(server.app.exports, "rows", long_rows)
        said = await types(ann, "game 1 cast bob")
        assert "610 kB is too much for a terminal. From a shell: ssh" in said
        assert "NAME@HOST game 1 cast bob" in " ".join(said.split())
        program = server.person("prog", is_program=True, json_protocol=2)
        await asyncio.sleep(0.5)
        program.type("game 1 cast bob")
        await asyncio.sleep(20)
        assert 10_000 == sum(len(it["rows"]) for it in program.objects if it["type"] == "page")

    on_a_server(scenario)


def test_a_shell_is_told_of_a_fault_and_does_not_wait(monkeypatch):
    async def scenario(server: SimServer) -> None:
        await one_game(server, "ann", "bob")
        monkeypatch.setattr(server.app.exports, "rows", None)
        link = await fetch(server, "bob", "game 1 cast")
        assert "Sorry, something went wrong on the server." in link.refused

    on_a_server(scenario)


def test_nobody_has_more_than_six_files_in_a_minute():
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        await types(ann, "set pager off")
        for _ in range(6):
            assert "Game over: " in await types(ann, "game 1 text")
        assert "Six exports a minute, please." in await types(ann, "game 1 text")
        await asyncio.sleep(15)
        assert "Game over: " in await types(ann, "game 1 text")

    on_a_server(scenario)
