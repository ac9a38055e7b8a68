"""A session that goes on in another process tells what was missed, and nothing twice."""

from __future__ import annotations

import asyncio
import json

import pytest

from mudserver import app
from mudserver import messages as m
from mudserver.journal import StoredRecord
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.session.folding import Folding
from tests.mudserver.session.test_going_on import (
    ANSI,
    READER,
    HeldLink,
    come,
    go_on,
    proof,
    restarted,
)
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


async def playing(terminal=ANSI, **options) -> tuple[SimServer, HeldLink, HeldLink]:
    """Ann and bob at a table of elimination; it is the turn of one of them."""
    server = await SimServer(new_world(1)).open()
    ann, bob = await come(server, "ann", terminal, **options), await come(server, "bob", terminal)
    for link, line in ((ann, "open elimination"), (bob, "join 1"), (ann, "start"), (bob, "start"),
                       (ann, "start")):  # fmt: skip
        link.type(line)
        await asyncio.sleep(3)
    assert table_of(server).is_playing
    return server, ann, bob


def table_of(server: SimServer):
    return server.app.service._tables.lists.find(1)


def in_turn(server: SimServer, ann: HeldLink, bob: HeldLink) -> tuple[HeldLink, HeldLink]:
    """Who is asked, and the other one."""
    asked = table_of(server).game.window.seats
    return (ann, bob) if 0 in asked else (bob, ann)


def name_of(link: HeldLink) -> str:
    return link.session.person.name


def objects(link: HeldLink) -> list[dict]:
    return [json.loads(line) for line in link.heard.splitlines()]


def test_the_number_moves_with_the_bytes_that_show_it():
    async def scenario() -> None:
        server, ann, bob = await playing()
        asked, other = in_turn(server, ann, bob)
        assert table_of(server).sequence == ann.holder.seen == bob.holder.seen
        before = other.holder.seen
        other.sent.clear()
        asked.type("draw")
        await asyncio.sleep(5)
        assert before < table_of(server).sequence == other.holder.seen
        (_, seen), (shown, none) = other.sent[-2:]
        assert b"draws a card" in shown
        assert (other.holder.seen, 0) == (seen, none)

    virtual.run(scenario())


@pytest.mark.parametrize("terminal", [ANSI, READER])
def test_whoever_has_seen_all_is_shown_nothing(terminal):
    async def scenario() -> None:
        server, ann, bob = await playing(terminal)
        prompts = {link: link.text.splitlines()[-1] for link in (ann, bob)}
        server = await restarted(server)
        for link in (ann, bob):
            again = await go_on(server, link, name_of(link))
            assert prompts[link] == again.text.strip("\n")
            assert b"\a" not in again.heard

    virtual.run(scenario())


def test_what_was_missed_is_told_once_and_then_the_table():
    async def scenario() -> None:
        server, ann, bob = await playing()
        asked, other = in_turn(server, ann, bob)
        other.is_cut = True  # what is sent to it dies with the process
        asked.type("draw")
        await asyncio.sleep(5)
        assert other.holder.seen < table_of(server).sequence
        server = await restarted(server)
        again = await go_on(server, other, name_of(other))
        assert 1 == again.text.count("draws a card")
        assert again.text.index("draws a card") < again.text.index("Your hand")
        server = await restarted(server)
        last = await go_on(server, again, name_of(other))
        assert "draws a card" not in last.text and "Your hand" not in last.text

    virtual.run(scenario())


def test_packages_leave_with_the_number_that_says_they_were_sent():
    async def scenario() -> None:
        server, ann, bob = await playing()
        asked, other = in_turn(server, ann, bob)
        other.speaks_gmcp = True
        other.handler.on_gmcp("Core.Supports.Set", ["Lockdown 1"])
        await asyncio.sleep(1)
        before = other.holder.seen
        other.sent.clear()
        other.session.send_text("A sentence of this turn.")  # the text leaves before the packages
        asked.type("draw")
        await asyncio.sleep(5)
        assert before < other.holder.seen == table_of(server).sequence
        *packages, number, (text, _) = other.sent  # one turn: the number goes with the text
        assert b"Lockdown.View" in packages[-1][0] and {0} == {seen for _, seen in packages}
        assert (b"", other.holder.seen) == number
        assert b"draws a card" in text

    virtual.run(scenario())


def test_a_program_is_sent_the_missing_events_and_one_view():
    async def scenario() -> None:
        server, ann, bob = await playing(wants_json=True)
        server = await restarted(server)
        again, bob = await go_on(server, ann, "ann"), await go_on(server, bob, "bob")
        assert [] == objects(again)
        if in_turn(server, again, bob)[0] is again:
            again.type("draw")
            await asyncio.sleep(3)
            again.type("end")
            await asyncio.sleep(3)
        again.is_cut = True
        bob.type("draw")
        await asyncio.sleep(5)
        server = await restarted(server)
        last = await go_on(server, again, "ann")
        kinds = [each["type"] for each in objects(last)]
        assert kinds.count("view") == 1 and kinds[-1] == "view" and set(kinds[:-1]) == {"event"}
        assert "changed" == objects(last)[-1]["why"]

    virtual.run(scenario())


def test_what_waits_behind_a_page_is_not_shown_yet():
    async def scenario() -> None:
        server, ann, bob = await playing()
        cid = await come(server, "cid")
        cid.type("watch 1")
        await asyncio.sleep(1)
        before = cid.holder.seen
        assert before == table_of(server).sequence
        cid.type("rules elimination")
        await asyncio.sleep(1)
        assert cid.session._pager.is_open
        asked, _ = in_turn(server, ann, bob)
        asked.type("draw")
        await asyncio.sleep(5)
        assert before == cid.holder.seen < table_of(server).sequence
        cid.type("q")
        await asyncio.sleep(1)
        assert table_of(server).sequence == cid.holder.seen

    virtual.run(scenario())


def test_whoever_watched_goes_on_watching_and_is_told_what_was_missed():
    async def scenario() -> None:
        server, ann, bob = await playing()
        cid = await come(server, "cid")
        cid.type("watch 1")
        await asyncio.sleep(1)
        server = await restarted(server)
        again = await go_on(server, cid, "cid")
        assert "table 1> " == again.text
        ann, bob = await go_on(server, ann, "ann"), await go_on(server, bob, "bob")
        again.is_cut = True
        asked, _ = in_turn(server, ann, bob)
        asked.type("draw")
        await asyncio.sleep(5)
        server = await restarted(server)
        last = await go_on(server, again, "cid")
        assert 1 == last.text.count("draws a card")
        assert table_of(server).watchers.keys() == {last.session.person.id}

    virtual.run(scenario())


def test_whoever_watched_a_table_that_is_gone_is_in_the_lobby():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, cid = await come(server, "ann"), await come(server, "cid")
        for link, line in ((ann, "open elimination"), (cid, "watch 1"), (ann, "leave")):
            link.type(line)
            await asyncio.sleep(1)
        server = await restarted(server)
        server.app.service._tables._runners.clear()
        again = await go_on(server, cid, "cid")
        assert "lobby> " == again.text

    virtual.run(scenario())


@pytest.mark.parametrize("speaks_gmcp", [False, True])
def test_a_row_is_held_back_to_be_folded_and_not_shown_yet_but_beside_packages(
    monkeypatch, speaks_gmcp
):
    """The packages of a MUD client have left by then, and would come twice after a crash."""

    def hold_all(folding: Folding, messages: list[m.Message]) -> list[m.Message]:
        folding.held.extend(each for each in messages if isinstance(each, m.EventMessage))
        return [each for each in messages if not isinstance(each, m.EventMessage)]

    async def scenario() -> None:
        server, ann, bob = await playing()
        asked, other = in_turn(server, ann, bob)
        if speaks_gmcp:
            other.speaks_gmcp = True
            other.session.on_gmcp("Core.Supports.Set", None)
        before, folding = other.holder.seen, other.session._folding
        monkeypatch.setattr(Folding, "fold", hold_all)
        asked.type("draw")
        await asyncio.sleep(5)
        assert folding.is_holding is not speaks_gmcp
        shown = table_of(server).sequence if speaks_gmcp else before
        assert shown == other.holder.seen and before < table_of(server).sequence
        monkeypatch.undo()
        folding.show_held()
        await asyncio.sleep(1)
        assert table_of(server).sequence == other.holder.seen

    virtual.run(scenario())


def test_a_number_of_another_table_says_nothing():
    async def scenario() -> None:
        server, ann, bob = await playing()
        for link in (ann, bob):
            link.type("leave")
            await asyncio.sleep(1)
            link.type("leave")
            await asyncio.sleep(1)
        seen = bob.holder.seen
        bob.type("open elimination")
        await asyncio.sleep(2)
        assert 0 < bob.holder.seen < seen
        server = await restarted(server)
        bob.holder.seen = seen  # nothing of the new table had left the process
        bob = await go_on(server, bob, "bob")
        assert "Table 2, elimination." in bob.text

    virtual.run(scenario())


def test_a_full_screen_that_goes_on_has_each_line_of_talk_once_behind_the_past():
    async def scenario() -> None:
        server, _ann, bob = await playing()
        bob.type("set screen on")
        await asyncio.sleep(1)
        server = await restarted(server)
        again = bob.again()
        again.holder.is_line_uncertain = True
        server.connect(again, proof("bob", is_known=True))
        again.type("say hello")  # typed meanwhile, and said before the table knows who is back
        await asyncio.sleep(1)
        chat = [str(line) for line in again.session.screen.model.combined_log.last_lines]
        [at] = [number for number, row in enumerate(chat) if "text='hello'" in row]
        assert len(chat) - 1 == at > 2
        assert any("may not have been taken" in row for row in chat[1:])

    virtual.run(scenario())


def test_a_full_screen_has_the_game_so_far_in_its_log():
    async def scenario() -> None:
        server, ann, bob = await playing()
        bob.type("set screen on")
        await asyncio.sleep(1)
        asked, _ = in_turn(server, ann, bob)
        asked.type("draw")
        await asyncio.sleep(3)
        before = [str(line) for line in bob.session.screen.model.log.last_lines]
        server = await restarted(server)
        again = await go_on(server, bob, "bob")
        after = [str(line) for line in again.session.screen.model.log.last_lines]
        assert before[-1] in after
        assert again.session.screen.model.table.render is not None

    virtual.run(scenario())


def test_what_was_typed_meanwhile_is_read_at_the_table_and_not_in_the_lobby():
    async def scenario() -> None:
        server, ann, bob = await playing()
        asked, _ = in_turn(server, ann, bob)
        name = name_of(asked)
        server = await restarted(server)
        link = asked.again()
        server.connect(link, proof(name, is_known=True))
        link.type("moves")  # in the same turn: the door had kept it
        await asyncio.sleep(1)
        assert "lobby>" not in link.text and "-- more" not in link.text
        assert "table 1, your turn> moves" in link.text and "- draw" in link.text

    virtual.run(scenario())


@pytest.mark.parametrize("is_seated", [True, False])
def test_what_is_typed_waits_for_tables_that_are_still_being_restored(monkeypatch, is_seated):
    monkeypatch.setattr(app, "RESTORE_BEFORE_OPEN_S", 0.0)

    async def scenario() -> None:
        server, ann, bob = await playing()
        link = in_turn(server, ann, bob)[0] if is_seated else await come(server, "cid")
        name = name_of(link)
        await server.die()
        gate, server = asyncio.Event(), SimServer(server.world)

        whole = server.journal.read

        async def read(stream: str, after: int = 0) -> list[StoredRecord]:
            if TABLE_STREAMS.owns(stream):
                await gate.wait()
            return await whole(stream, after)

        server.journal.read = read
        await server.open()
        link = await go_on(server, link, name)
        link.type("moves")
        await asyncio.sleep(10)
        assert "Table" not in link.text and "moves" not in link.text
        assert is_seated is ("lobby>" not in link.text)
        gate.set()
        await asyncio.sleep(1)
        prompt = "table 1, your turn> moves" if is_seated else "lobby> moves"
        assert prompt in link.text
        assert is_seated is ("- draw" in link.text)

    virtual.run(scenario())


def test_a_program_that_watches_goes_on_watching_also_after_two_crashes():
    async def scenario() -> None:
        server, _, _ = await playing()
        program = await come(server, "cyd", wants_json=True)
        program.type("watch 1")
        await asyncio.sleep(3)
        for _ in range(2):
            server = await restarted(server)
            program = await go_on(server, program, "cyd")
            assert [program.session.person.id] == list(table_of(server).watchers)

    virtual.run(scenario())
