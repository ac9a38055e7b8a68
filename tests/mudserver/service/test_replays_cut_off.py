"""Replays where something comes between: a game, a lesson, another terminal, a new process."""

from __future__ import annotations

import asyncio
import re
from contextlib import closing
from functools import cache

import pytest
from msgspec.structs import replace

from mudserver.accounts.person import Person
from mudserver.service import replay_finder
from mudserver.service.replay_finder import ReplayFinder
from mudserver.service.replays import CarriedReplay
from mudserver.tables.game_replay import GameReplay
from mudserver.transport.link import Terminal
from tests.mudserver.service.test_registering_guests import PASSWORD
from tests.mudserver.service.test_replays import on_a_server, one_game
from tests.mudserver.service.test_results import duel_world, play, types
from tests.mudserver.session.test_going_on import HeldLink, come, go_on, proof, restarted
from tests.replays import Played, differences, fingerprint, go, played, replay_of
from tests.simulation import virtual
from tests.simulation.server import SimServer
from tests.terminal import Emulator
from tests.toys.duel.game import DUEL
from variants.catalogue import CATALOGUE


def slow_reading(server: SimServer, seconds: float) -> None:
    """Games are read from the journal so slowly."""
    finder = server.app.replays.finder
    read = finder._journal.read

    class Slow:
        async def read(self, stream: str):
            await asyncio.sleep(seconds)
            return await read(stream)

    finder._journal = Slow()


def test_a_game_that_begins_while_another_is_looked_for_comes_first():
    async def scenario(server: SimServer) -> None:
        ann, bob = await one_game(server, "ann", "bob")
        await types(ann, "open duel seats=2 rounds=2")
        await types(bob, "sit 2")
        await types(bob, "start")
        slow_reading(server, 2)
        ann.type("/start")
        ann.type("replay 1")
        await asyncio.sleep(0.1)
        mark = len(ann.link.received)
        await asyncio.sleep(4)
        assert "You are in a game at table 2." in ann.link.text_since(mark)
        assert server.app.replays.count() == 0

    on_a_server(scenario)


def test_who_is_led_out_of_a_replay_is_told_what_works_then():
    async def scenario(server: SimServer) -> None:
        ann, bob = await one_game(server, "ann", "bob")
        await types(ann, "open duel seats=2 rounds=2")
        await types(bob, "sit 2")
        await types(ann, "replay 1")
        await types(bob, "start")
        await types(ann, "/start")
        assert "Type it again in a few seconds." in await types(ann, "moves")
        await asyncio.sleep(4)
        assert "nothing was played" not in await types(ann, "moves")

    on_a_server(scenario)


@cache
def long_game() -> Played:
    return played(CATALOGUE["words"], 3, 2, {"max_rounds": "3"})


@pytest.mark.parametrize("stop", [1, 3, 5])
def test_a_jump_that_is_cut_off_leaves_a_whole_position(stop):
    game = long_game()
    replay = replay_of(game)
    assert replay is not None and replay.last > 150
    for begin, target in ((0, replay.last), (replay.last - 1, 30), (0, 31)):
        for after in (target, 0, target - 1):
            go(replay, begin)
            with closing(replay.go(target)) as steps:
                for _, _ in zip(range(stop), steps, strict=False):
                    pass
            here = replay.position
            shown = {reader: fingerprint(replay.view(reader)) for reader in game.views[here]}
            assert game.views[here] == shown
            assert [] == differences(game, replay, [after, here])


def test_who_logs_in_elsewhere_is_shown_where_the_replay_stands():
    async def scenario(server: SimServer) -> None:
        await one_game(server, "ann", "bob")
        eve = server.person("eve")
        await asyncio.sleep(0.5)
        await types(eve, "replay 1 bob", "next 3")
        again = server.person("eve")
        await asyncio.sleep(1)
        assert "decision 3 of 6, seen by bob" in again.text
        assert again.text.endswith("replay 3/6> ") and "lobby> " not in again.text[-200:]
        assert "decision 4 of 6, seen by bob" in await types(again, "")

    on_a_server(scenario)


def test_a_program_that_takes_over_is_in_no_replay():
    async def scenario(server: SimServer) -> None:
        await one_game(server, "ann", "bob")
        eve = server.person("eve")
        await asyncio.sleep(0.5)
        await types(eve, "replay 1 bob")
        program = server.person("eve", is_program=True)
        await asyncio.sleep(1)
        assert 0 == server.app.replays.count()
        program.forget()
        program.type("next")
        await asyncio.sleep(1)
        assert ["refused"] == [it["type"] for it in program.objects]

    on_a_server(scenario)


async def looking(server: SimServer, *lines: str, **options) -> HeldLink:
    """Ann, who looks at the game of bob and cid."""
    await one_game(server, "bob", "cid")
    ann = await come(server, "ann", **options)
    for line in lines:
        ann.type(line)
        await asyncio.sleep(1)
    return ann


def test_who_goes_on_in_the_next_process_goes_on_where_the_replay_stood():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1 cid", "next 2", "next")
        assert ann.text.endswith("replay 3/6> ")
        server = await restarted(server)
        again = await go_on(server, ann, "ann")
        assert "replay 3/6> " == again.text
        again.type("")
        await asyncio.sleep(1)
        assert "decision 4 of 6, seen by cid" in again.text
        third = await go_on(await restarted(server), again, "ann")
        assert third.text.endswith("replay 4/6> ")

    on_a_server(scenario)


def test_what_is_typed_while_the_game_is_folded_again_is_for_the_replay():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1 all", "end")
        server = await restarted(server)
        slow_reading(server, 2)
        again = ann.again()
        server.connect(again, proof("ann", is_known=True))
        again.type("back")
        await asyncio.sleep(1)
        assert "replay 6/6> " in again.text and "decision 5" not in again.text
        await asyncio.sleep(3)
        assert "decision 5 of 6, all cards up" in again.text
        assert 1 == server.app.replays.count()

    on_a_server(scenario)


def test_a_replay_that_goes_by_itself_does_so_in_the_next_process():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1", "auto 4")
        again = await go_on(await restarted(server), ann, "ann")
        await asyncio.sleep(5)
        assert "decision 1 of 6" in again.text
        again.type("stop")
        await asyncio.sleep(1)
        assert "decision 2" not in again.text

    on_a_server(scenario)


def test_a_program_goes_on_in_its_replay_without_reading_anything():
    async def scenario(server: SimServer) -> None:
        options = {"wants_json": True, "json_protocol": 2}
        ann = await looking(server, "replay 1 bob", "next 2", **options)
        again = await go_on(await restarted(server), ann, "ann")
        assert "" == again.text
        again.type("next")
        await asyncio.sleep(1)
        assert '"type":"replay"' in again.text and '"seat":0,"at":3,"of":6' in again.text

    on_a_server(scenario)


@pytest.mark.parametrize("protocol", [1, 2])
@pytest.mark.parametrize(
    "lines, place",
    [
        (["replay 1 bob"], "replay 0/6"),
        (["replay 1 bob", "next 2", "next"], "replay 3/6"),
        (["replay 1 bob", "auto 3", "moves", "moves", "moves"], "replay 1/6"),
        (["replay 1 bob", "leave"], ""),
    ],
)
def test_a_process_that_dies_has_kept_where_a_program_stood(protocol, lines, place):
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, *lines, wants_json=True, json_protocol=protocol)
        person = ann.session.person.id
        assert place == server.app.replays.place(person)
        server = await restarted(server)
        await go_on(server, ann, "ann")
        assert place == server.app.replays.place(person)

    on_a_server(scenario)


@pytest.mark.parametrize("options", [{}, {"wants_json": True, "json_protocol": 2}])
@pytest.mark.parametrize("lines, last", [(["next"], "at 2"), (["auto 2"], ""), ([], "leave")])
def test_whatever_is_cut_off_the_next_process_begins_behind_the_step_that_was_shown(
    lines, last, options
):
    """The process dies once behind each thing that it has said, in turn."""

    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1 bob", *lines, **options)
        seal, holder = server.app.session_manager._context.seal, ann.holder
        kept = list[tuple[str, str]]()  # what was shown last, and where the capsule has the replay

        def note() -> None:
            replay = seal.open(holder.capsule, holder.nonce).replay
            place = "is closed" if replay is None else str(replay.position)
            shown = re.findall(r"decision (\d)|the (deal),|\"at\":(\d)|(is closed)", ann.text)
            kept.append(("".join(shown[-1]).replace("deal", "0"), place))

        keep = holder.keep
        holder.keep = lambda *kept, **how: (keep(*kept, **how), note())
        ann.on_sent = note
        if last:
            ann.type(last)
        await asyncio.sleep(4)
        assert len({place for _, place in kept}) > 1
        assert [] == [(shown, place) for shown, place in kept if shown != place]

    on_a_server(scenario)


def test_a_step_that_is_not_drawn_yet_is_drawn_before_a_planned_restart():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "set screen on", "replay 1 bob", "next 2")
        for frame in range(4):
            ann.type("next")
            await asyncio.sleep(0.001 * frame)
        sessions, holder = server.app.session_manager, ann.holder
        sessions.leave_capsules()
        position = server.app.replays.carried(ann.session.person.id).position
        assert position == sessions._context.seal.open(holder.capsule, holder.nonce).replay.position
        picture = Emulator(80, 24)
        picture.feed(ann.heard)
        assert f"{position} of 6" in "\n".join(picture.text)

    on_a_server(scenario)


def test_a_full_screen_shows_the_place_again():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "set screen on", "replay 1 bob", "next 2")
        again = await go_on(await restarted(server), ann, "ann")
        await asyncio.sleep(1)
        picture = Emulator(80, 24)
        picture.feed(b"".join(data for _, data in again.received))
        shown = "\n".join(picture.text)
        assert "── Game 1 ──" in shown and shown.endswith("2 of 6\nreplay 2/6>"), shown

    on_a_server(scenario)


def test_who_may_not_see_the_game_any_more_reads_that_the_replay_is_closed():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1")
        server = await restarted(server)
        server.app.replays.finder._may_see = lambda viewer, replay: False
        again = await go_on(server, ann, "ann")
        assert "so the replay is closed. To see it again: replay 1\n" in again.text
        assert again.text.endswith("lobby> ") and 0 == server.app.replays.count()

    on_a_server(scenario)


def test_a_capsule_of_a_process_that_kept_no_place_closes_the_replay():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1")
        seal, holder = server.app.session_manager._context.seal, ann.holder
        capsule = replace(seal.open(holder.capsule, holder.nonce), replay=None)
        server = await restarted(server)
        holder.capsule = seal.pack(capsule, 16_384)
        again = await go_on(server, ann, "ann")
        assert "so the replay is closed. To see it again: replay 1\n" in again.text

    on_a_server(scenario)


def test_a_guest_who_takes_an_old_seat_has_left_the_replay_for_the_next_process_too():
    async def scenario(server: SimServer) -> None:
        await one_game(server, "ann", "bob")
        seated = server.guest()
        await asyncio.sleep(0.5)
        text = await types(seated, "open duel seats=2", "whoami")
        code = re.findall(r"resume (\S+)", text)[-1]
        guest = await come(server, "guest")
        guest.type("replay 1")
        await asyncio.sleep(1)
        assert guest.text.endswith("replay 0/6> ")
        guest.type(f"/resume {code}")
        await asyncio.sleep(1)
        prompt = guest.text.splitlines()[-1]
        assert prompt.startswith("table 2") and 0 == server.app.replays.count()
        server = await restarted(server)
        again = await go_on(server, guest, "guest")
        assert again.text.splitlines()[-1] == prompt and 0 == server.app.replays.count()

    on_a_server(scenario)


def test_a_question_that_is_open_at_a_restart_does_not_close_the_replay():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1 cid", "next 2", "/password")
        again = await go_on(await restarted(server), ann, "ann")
        again.type("")  # the dialog is left
        await asyncio.sleep(1)
        for line, said in (("next", "decision 3 of 6"), ("leave", "The replay is closed.")):
            again.type(line)
            await asyncio.sleep(1)
            assert said in again.text
        assert again.text.endswith("lobby> ")

    on_a_server(scenario)


def test_a_game_that_begins_while_the_replay_is_folded_again_ends_the_wait():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1 all", "end")
        server = await restarted(server)
        slow_reading(server, 20)
        again = ann.again()
        server.connect(again, proof("ann", is_known=True))
        again.type("moves")
        await asyncio.sleep(1)
        person, replays = again.session.person, server.app.replays
        replays.pause(person.id, 2, is_playing=True)
        assert replays.is_shielded(person.id) and "" == replays.place(person.id)
        await asyncio.sleep(1)
        assert "You play at table 2 now, so the replay is closed." in again.text
        assert "The server restarted" not in again.text
        assert "nothing was played" in again.text
        again.type("/quit")
        await asyncio.sleep(1)
        assert again.session.is_over and 0 == replays.count()

    on_a_server(scenario)


@pytest.mark.parametrize("options", [{}, {"is_full": True}, {"is_program": True}])
def test_who_logs_in_elsewhere_while_the_game_is_folded_again_goes_on_there(options):
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1 cid", "next 2")
        server = await restarted(server)
        slow_reading(server, 2)
        old = ann.again()
        server.connect(old, proof("ann", is_known=True))
        await asyncio.sleep(1)
        is_program, is_full = options.get("is_program", False), options.get("is_full", False)
        terminal = Terminal("xterm", 80, 24, is_character_mode=True, wants_full_screen=is_full)
        server.person("dan").type("replay 1")  # somebody else waits for the same game
        new = server.person("ann", is_program=is_program, terminal=terminal)
        new.type("next")
        await asyncio.sleep(0.5)
        assert old.session.is_over
        await asyncio.sleep(5)
        replays, person = server.app.replays, new.link.handler.person
        assert ("" if is_program else "replay 3/6") == replays.place(person.id)
        if not is_program:
            assert "decision 3 of 6, seen by cid" in new.text
        assert (1 if is_program else 2) == replays.count()
        if not (is_program or is_full):
            assert 1 == new.text.count("decision 2 of 6, seen by cid")
            assert new.text.endswith("replay 3/6> ")

    on_a_server(scenario)


@pytest.mark.parametrize("where", ["read", "jump"])
def test_a_fault_while_the_game_is_folded_again_is_one_line_and_one_sentence(
    where, monkeypatch, caplog
):
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1 cid", "next 3")
        server = await restarted(server)
        with monkeypatch.context() as broken:
            broken.setattr(
                *((ReplayFinder, "_identify") if where == "read" else (GameReplay, "go")), None
            )
            again = await go_on(server, ann, "ann")
        said = " ".join(again.text.split())
        assert "so the replay is closed. To see it again: replay 1" in said
        assert 1 == said.count("-- ") and said.endswith("lobby>")
        assert (0, {}) == (server.app.replays.count(), server.app.replays._expected)
        again.type("replay 1 cid")
        await asyncio.sleep(1)
        assert again.text.endswith("replay 0/6> ")

    on_a_server(scenario)
    failed = [it for it in caplog.messages if "replay failed" in it]
    assert 1 == len(failed) and "game=1 person=p" in failed[0], caplog.text


def test_a_fault_that_nobody_waits_for_any_more_is_one_line(monkeypatch, caplog):
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1 cid", "next 3")
        server = await restarted(server)
        slow_reading(server, 2)
        monkeypatch.setattr(GameReplay, "go", None)
        again = await go_on(server, ann, "ann")
        folding = server.app.replays._expected[again.session.person.id].folding
        again.session._input_queue.stop()  # as where a newer session takes over
        await asyncio.sleep(4)
        assert folding.done() and not folding._log_traceback

    on_a_server(scenario)
    assert 1 == len([it for it in caplog.messages if "replay failed" in it]), caplog.text


def test_who_comes_twice_from_the_process_before_has_the_place_of_the_newer_session():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1 cid", "next 2")
        server = await restarted(server)
        slow_reading(server, 2)
        twice = [ann.again(), ann.again()]
        for link in twice:
            server.connect(link, proof("ann", is_known=True))
        await asyncio.sleep(4)
        assert twice[0].session.is_over
        assert 1 == server.app.replays.count()
        twice[1].type("next")
        await asyncio.sleep(1)
        assert "decision 3 of 6, seen by cid" in twice[1].text

    on_a_server(scenario)


def test_a_replay_that_is_folded_again_goes_along_with_another_name_and_can_be_left():
    async def scenario(server: SimServer) -> None:
        ann = await looking(server, "replay 1 all", "end")
        server = await restarted(server)
        slow_reading(server, 2)
        again = ann.again()
        server.connect(again, proof("ann", is_known=True))
        await asyncio.sleep(1)
        replays, person = server.app.replays, again.session.person
        other = Person("p99", "dan", is_guest=False)
        replays.replace_person(person.id, other)
        assert "" == replays.place(person.id) and "replay 6/6" == replays.place("p99")
        await asyncio.sleep(3)
        assert replays.is_open("p99") and not replays.is_open(person.id)
        replays.expect(other, CarriedReplay("1", 2, 6, "all", 0))
        replays.leave(other)
        assert "" == replays.place("p99") and 0 == replays.count()

    on_a_server(scenario)


def test_a_lesson_and_a_replay_are_not_open_at_once():
    async def scenario() -> None:
        world = duel_world()
        world.catalogue = {DUEL.name: DUEL, **world.catalogue, "words": CATALOGUE["words"]}
        server = await SimServer(world).open()
        await one_game(server, "ann", "bob")
        eve = server.person("eve")
        await asyncio.sleep(0.5)
        said = await types(eve, "replay 1", "learn words")
        assert "You are in a replay. To learn, first type leave" in said
        said = await types(eve, "leave", "learn words", "", "replay 1")
        assert "You are in a lesson. For a replay, first type stop" in said
        assert "the deal" in await types(eve, "stop", "replay 1")

    virtual.run(scenario())


def test_who_registers_after_a_private_game_sees_it_again():
    async def scenario(server: SimServer) -> None:
        ann, guest = server.person("ann"), server.guest()
        await asyncio.sleep(0.5)
        text = await types(ann, "open duel seats=2 rounds=2 code=on")
        code = re.findall(r"sit\s+([a-z2-9]{8})\b", text)[-1]
        await types(guest, f"sit {code}")
        await play(ann, guest, is_again=True)
        await types(guest, "leave")
        await types(guest, "register bob", PASSWORD, PASSWORD)
        assert "the deal" in await types(guest, "replay 1")
        eve = server.person("eve")
        await asyncio.sleep(0.5)
        assert "Only those who played game 1" in await types(eve, "replay 1")

    on_a_server(scenario)


def test_a_game_of_far_too_many_decisions_is_not_shown(monkeypatch):
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        monkeypatch.setattr(replay_finder, "BYTES_MAX", 100)
        said = await types(ann, "replay 1")
        assert "Game 1 is too long to be shown again. Its result: game 1" in said
        assert 0 == server.app.replays.count()

    on_a_server(scenario)


@pytest.mark.parametrize(
    "line, said",
    [
        ("replay 1 00012", 'Nobody in this game is called "00012".'),
        ("game 1 text 00012", 'Nobody in this game is called "00012".'),
        ("game 1 json bob", "A record has all cards, of every seat."),
        ("game 1 film", "A game can be had as text, json or cast"),
    ],
)
def test_what_is_wrong_is_answered_by_one_sentence(line, said):
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        assert said in await types(ann, line)

    on_a_server(scenario)


def test_numbers_of_a_replay_that_are_too_small_or_too_large():
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        await types(ann, "replay 1")
        for line in ("next 0", "back 0", "next -1", "at x", "auto 0"):
            assert ", as in: " in await types(ann, line)
        assert "decision 6 of 6" in await types(ann, "at 99999999")
        assert "the deal" in await types(ann, "back 99999999")

    on_a_server(scenario)


def test_who_was_not_asked_is_named_as_the_person_writes_the_name():
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "McBob")
        assert "McBob was not asked here." in await types(ann, "replay 1 mcbob", "at 2", "moves")
        assert "Nobody was asked here." in await types(ann, "seat all", "end", "moves")

    on_a_server(scenario)


def test_a_game_at_a_table_of_many_records_counts_as_several(monkeypatch):
    async def scenario(server: SimServer) -> None:
        ann, _ = await one_game(server, "ann", "bob")
        monkeypatch.setattr(replay_finder, "RECORDS_FREE", 2)  # a duel has some fifteen
        said = await types(ann, "replay 1", "replay 1", "replay 1")
        assert 2 == said.count("the deal") and 1 == said.count("You have opened many games.")
        await asyncio.sleep(60)
        assert "the deal" in await types(ann, "replay 1")

    on_a_server(scenario)


def test_no_record_of_a_game_that_runs_is_looked_at(monkeypatch):
    async def scenario(server: SimServer) -> None:
        ann, bob = await one_game(server, "ann", "bob")
        eve = server.person("eve")
        await asyncio.sleep(0.5)
        await types(ann, "open duel seats=2 rounds=2")
        await types(bob, "sit 2")
        await types(bob, "start")
        await types(ann, "/start")
        monkeypatch.setattr(replay_finder, "replayed_game", None)  # else it is called
        said = await types(eve, "replay 2.1", "replay 2.2", "game 2.1 json")
        assert 3 == said.count("that is over. Yours: games")

    on_a_server(scenario)


def test_of_a_private_game_that_is_not_recorded_nobody_else_reads_that_it_was():
    async def scenario(server: SimServer) -> None:
        ann, bob, eve = (server.person(name) for name in ("ann", "bob", "eve"))
        await asyncio.sleep(0.5)
        text = await types(ann, "open duel seats=2 rounds=2 code=on")
        code = re.findall(r"sit\s+([a-z2-9]{8})\b", text)[-1]
        await types(bob, f"sit {code}", "start")
        await types(ann, "start", "offer abort")
        await asyncio.sleep(4)
        assert "aborted" in await types(bob, "accept")  # nobody has decided anything: no number
        said = await types(eve, "replay 1.1", "replay 1.2")
        assert 2 == said.count("that is over. Yours: games") and "Only those" not in said
        assert "the deal" in await types(ann, "replay 1.1")

    on_a_server(scenario)
