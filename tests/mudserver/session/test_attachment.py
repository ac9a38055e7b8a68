"""One's own session moves from terminal to terminal, with what was begun there."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from mudserver.config import schema
from mudserver.service.texts import LOGGED_IN_ELSEWHERE
from mudserver.session import detached, texts
from mudserver.transport.link import AuthenticatedUser, Terminal
from tests.simulation import virtual
from tests.simulation.server import (
    ANSI,
    FOR_DAYS,
    FakeLink,
    Seatholder,
    SimServer,
    new_world,
    proven_by_key,
)
from tests.terminal import Emulator

READER = replace(ANSI, is_screen_reader=True, is_ansi=False)
LINE_MODE = Terminal()
BEGUN = "you had begun to type: give 7h"


async def come(
    server: SimServer, name: str, terminal: Terminal = ANSI, *, is_program: bool = False
) -> Seatholder:
    person = server.person(name, terminal, is_program=is_program)
    await asyncio.sleep(1)
    return person


async def drop(person: Seatholder) -> None:
    person.link.drop()
    await asyncio.sleep(1)


def sentences(person: Seatholder) -> str:
    """What was read, without the ends of rows and the margin of what people say."""
    return re.sub(r"\s+(\| )?", " ", person.text)


def picture(person: Seatholder) -> Emulator:
    shown = Emulator()
    shown.feed(person.link.heard)
    return shown


# -- a live session moves ------------------------------------------------------------------------


def test_the_line_that_was_begun_stands_at_the_new_prompt_with_its_cursor():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        before = await come(server, "ann")
        before.press(b"give 7h\x1b[D\x1b[D")
        ann = await come(server, "ann")
        assert f"Welcome back, ann. Your session has moved here; {BEGUN}" in sentences(ann)
        assert "lobby> give 7h" == picture(ann).row.rstrip()
        ann.press(b"x")
        await asyncio.sleep(1)
        assert "lobby> give x7h" == picture(ann).row.rstrip()
        assert LOGGED_IN_ELSEWHERE in sentences(before)
        assert not before.link.is_open
        assert 1 == server.app.service.online_count()

    virtual.run(scenario())


def test_without_a_line_begun_only_the_move_is_told():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        await come(server, "ann")
        ann = await come(server, "ann")
        rows = ann.text.strip().splitlines()
        assert "Welcome back, ann. Your session has moved here." == rows[0]
        assert rows[1].startswith("Nobody else is here.")

    virtual.run(scenario())


def test_history_and_what_ctrl_y_brings_back_go_along():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        before = await come(server, "ann")
        before.type("who")
        before.press(b"kept\x15")
        await asyncio.sleep(1)
        ann = await come(server, "ann")
        ann.press(b"\x19")
        await asyncio.sleep(1)
        assert "lobby> kept" == picture(ann).row.rstrip()
        ann.press(b"\x15\x1b[A")
        await asyncio.sleep(1)
        assert "lobby> who" == picture(ann).row.rstrip()

    virtual.run(scenario())


@pytest.mark.parametrize("terminal", [READER, LINE_MODE], ids=["screen reader", "line mode"])
def test_where_no_draft_can_stand_it_is_told_and_is_the_newest_earlier_line(terminal):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        before = await come(server, "ann")
        before.press(b"give 7h")
        ann = await come(server, "ann", terminal)
        said = sentences(ann)
        assert "you had begun to type" in said and 1 == said.count("give 7h")
        ann.type("who")  # what is typed is that alone
        await asyncio.sleep(1)
        assert "1 person is here" in sentences(ann)
        if terminal is READER:
            ann.press(b"\x1b[A\x1b[A")
            await asyncio.sleep(1)
            assert ann.text.endswith("lobby> give 7h")

    virtual.run(scenario())


def test_whom_reply_answers_goes_along_with_a_lost_connection():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await come(server, "ann"), await come(server, "bob")
        bob.type("tell ann hello")
        await asyncio.sleep(1)
        await drop(ann)
        ann = await come(server, "ann")
        ann.type("reply good evening")
        await asyncio.sleep(1)
        assert "ann tells you: good evening" in sentences(bob)

    virtual.run(scenario())


def test_who_tells_something_meanwhile_is_whom_reply_answers():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob, cid = [await come(server, name) for name in ("ann", "bob", "cid")]
        ann.type("set attach ask")
        bob.type("tell ann hello")
        await asyncio.sleep(1)
        await drop(ann)
        ann = await come(server, "ann")
        ann.type("no")
        cid.type("tell ann good morning")
        await asyncio.sleep(1)
        ann.type("attach")
        ann.type("reply the same to you")
        await asyncio.sleep(1)
        assert "ann tells you: the same to you" in sentences(cid)
        assert "the same to you" not in sentences(bob)

    virtual.run(scenario())


def test_the_chat_pane_goes_along_and_shows_nothing_twice():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await come(server, "ann"), await come(server, "bob")
        ann.type("set screen on")
        await asyncio.sleep(1)
        bob.type("say the first line")
        await asyncio.sleep(1)
        await drop(ann)
        bob.type("say the second line")
        await asyncio.sleep(1)
        ann = await come(server, "ann")
        shown = "\n".join(picture(ann).rows)
        assert [1, 1] == [shown.count("the first line"), shown.count("the second line")]

    virtual.run(scenario())


def test_a_guest_keeps_the_theme_and_the_new_terminal_its_width():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest, code = await seated_guest(server)
        for line in ("set theme mono", "set width 60", "set screenreader on"):
            guest.type(line)
            await asyncio.sleep(1)
        await drop(guest)
        again = await resumed(server, code)
        session = again.link.handler
        values = [session.preference(key) for key in ("theme", "width", "screenreader")]
        assert ["mono", "auto", "auto"] == values

    virtual.run(scenario())


def test_a_half_typed_password_or_answer_goes_nowhere():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        for begin, typed in (("password", b"open sesame"), ("account delete", b"an")):
            before = await come(server, "ann")
            before.type(begin)
            await asyncio.sleep(1)
            before.press(typed)
            ann = await come(server, "ann")
            assert "begun to type" not in sentences(ann)
            assert "sesame" not in ann.text

    virtual.run(scenario())


def test_a_long_draft_is_told_in_short_and_kept_whole():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        before = await come(server, "ann")
        draft = "say " + "many words " * 34
        before.press(draft.encode())
        ann = await come(server, "ann", READER)
        assert "..." in ann.text and len(ann.text) < 600
        ann.press(b"\x1b[A")
        assert draft == ann.link.handler.screen.input_state.editor.text

    virtual.run(scenario())


def test_what_is_typed_ahead_at_the_new_terminal_comes_before_the_draft():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type("set attach ask")
        await asyncio.sleep(1)
        ann.press(b"give 7h")
        await drop(ann)
        ann = await come(server, "ann")
        ann.press(b"yes\rlook")
        await asyncio.sleep(1)
        assert "lobby> look" == picture(ann).row.rstrip()

    virtual.run(scenario())


# -- programs ------------------------------------------------------------------------------------


def test_a_program_takes_no_draft_and_the_next_terminal_does():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        before = await come(server, "ann")
        before.press(b"give 7h")
        program = await come(server, "ann", is_program=True)
        assert "begun" not in program.text and "moved" not in program.text
        program.type("attach")
        program.type("detach")
        await asyncio.sleep(1)
        refused = [it["text"] for it in program.objects if it["type"] == "refused"]
        assert [texts.PROGRAM_HAS_NO_DRAFT] * 2 == refused
        ann = await come(server, "ann")
        assert f"Your session goes on here; {BEGUN}" in sentences(ann)

    virtual.run(scenario())


def test_a_program_gives_nothing():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        program = await come(server, "ann", is_program=True)
        program.write(b'{"line": "give 7')
        ann = await come(server, "ann")
        assert "Welcome back, ann. Nobody else is here." in sentences(ann)

    virtual.run(scenario())


# -- a lost connection, quit, detach -------------------------------------------------------------


def test_a_lost_connection_leaves_the_draft_for_a_day():
    async def scenario() -> list[bool]:
        server = await SimServer(new_world(1, journal=FOR_DAYS)).open()
        kept = []
        for hours in (23.9, 24.1):
            ann = await come(server, "ann")
            ann.press(b"\x15give 7h")
            await drop(ann)
            await asyncio.sleep(hours * 3_600)
            ann = await come(server, "ann")
            kept.append("Your session goes on here" in sentences(ann))
            ann.type("quit" if kept == [True] else "who")
            await asyncio.sleep(1)
        return kept

    assert [True, False] == virtual.run(scenario())


def test_quit_leaves_nothing():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type("who")
        ann.type("quit")
        await asyncio.sleep(1)
        ann = await come(server, "ann")
        ann.press(b"\x1b[A")
        await asyncio.sleep(1)
        assert "lobby>" == picture(ann).row.rstrip()

    virtual.run(scenario())


def test_detach_disconnects_and_keeps_the_session():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type("who")
        ann.type("detach")
        await asyncio.sleep(1)
        assert not ann.link.is_open
        said = "Your session stays here for 24 hours. Come back from any terminal."
        assert said in sentences(ann)
        ann = await come(server, "ann")
        assert "Welcome back, ann. Nobody else is here." in sentences(ann)  # nothing was begun
        ann.press(b"\x1b[A\x1b[A")
        await asyncio.sleep(1)
        assert "lobby> who" == picture(ann).row.rstrip()

    virtual.run(scenario())


def test_who_is_disconnected_for_being_idle_comes_back_to_the_draft():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.press(b"give 7h")
        await asyncio.sleep(schema.SessionLimits().idle_s + 20)
        assert not ann.link.is_open
        assert BEGUN in sentences(await come(server, "ann"))

    virtual.run(scenario())


def test_a_server_that_keeps_nothing_says_so_and_moves_live_sessions_all_the_same():
    async def scenario() -> None:
        nothing = schema.PeopleLimits(detached_keep_h=0)
        server = await SimServer(new_world(1, people=nothing)).open()
        before = await come(server, "ann")
        before.type("detach")
        await asyncio.sleep(1)
        assert texts.NOTHING_IS_KEPT in sentences(before) and before.link.is_open
        before.press(b"give 7h")
        ann = await come(server, "ann")
        assert f"Your session has moved here; {BEGUN}" in sentences(ann)
        await drop(ann)
        assert "begun" not in sentences(await come(server, "ann"))

    virtual.run(scenario())


def test_of_too_many_the_oldest_is_forgotten(monkeypatch):
    async def scenario() -> list[bool]:
        server = await SimServer(new_world(1)).open()
        monkeypatch.setattr(detached, "DETACHED_MAX", 2)
        for name in ("ann", "bob", "cid"):
            person = await come(server, name)
            person.press(b"give 7h")
            await drop(person)
        people = [await come(server, name) for name in ("ann", "bob", "cid")]
        return [BEGUN in sentences(person) for person in people]

    assert [False, True, True] == virtual.run(scenario())


def test_an_account_that_is_erased_leaves_nothing():
    async def scenario() -> int:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        person = ann.link.handler.person
        ann.press(b"give 7h")
        await drop(ann)
        assert 1 == len(server.app.session_manager.detached)
        await server.app.deletion._erase(person.id, "operator")
        return len(server.app.session_manager.detached)

    assert 0 == virtual.run(scenario())


# -- to be asked ---------------------------------------------------------------------------------


async def asked(server: SimServer) -> Seatholder:
    """Ann comes in and is asked whether to take up her other session."""
    before = await come(server, "ann")
    before.type("set attach ask")
    await asyncio.sleep(1)
    before.press(b"give 7h")
    ann = await come(server, "ann")
    assert not before.link.is_open
    assert texts.ATTACH_QUESTION.rstrip() == picture(ann).row.rstrip()
    assert "begun" not in sentences(ann)
    return ann


@pytest.mark.parametrize("answer", ["", "no"])
def test_who_wants_to_be_asked_can_begin_anew_and_take_the_other_up_later(answer):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await asked(server)
        ann.type(answer)
        await asyncio.sleep(1)
        assert "lobby>" == picture(ann).row.rstrip()
        assert texts.NOTHING_CHANGED in sentences(ann)
        ann.type("attach")
        await asyncio.sleep(1)
        assert f"Your session goes on here; {BEGUN}" in sentences(ann)
        assert "lobby> give 7h" == picture(ann).row.rstrip()

    virtual.run(scenario())


def test_a_question_that_is_longer_than_the_row_stands_above_it():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        before = await come(server, "ann")
        before.type("set attach ask")
        await asyncio.sleep(1)
        ann = await come(server, "ann", replace(ANSI, cols=40))
        assert texts.ATTACH_QUESTION.rstrip() in sentences(ann)
        assert ">" == picture(ann).row.rstrip()

    virtual.run(scenario())


def test_yes_takes_it_up_at_once():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await asked(server)
        ann.type("Yes")
        await asyncio.sleep(1)
        assert f"Your session goes on here; {BEGUN}" in sentences(ann)
        assert "lobby> give 7h" == picture(ann).row.rstrip()

    virtual.run(scenario())


def test_attach_without_another_session_says_so():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type("attach")
        await asyncio.sleep(1)
        assert texts.NOTHING_TO_TAKE_UP in sentences(ann)

    virtual.run(scenario())


# -- sessions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("terminal", [ANSI, READER], ids=["columns", "read aloud"])
def test_sessions_lists_this_one_and_the_one_that_waits_without_addresses(terminal):
    async def scenario() -> str:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type("set attach ask")
        ann.type("open elimination")
        await asyncio.sleep(1)
        await drop(ann)
        await asyncio.sleep(30)
        ann = await come(server, "ann", terminal)
        ann.type("no")
        ann.forget()
        ann.type("sessions")
        await asyncio.sleep(1)
        return ann.text

    text = virtual.run(scenario())
    rows = [row.strip() for row in text.splitlines() if "since" in row]
    times = [re.sub(r"\d\d:\d\d", "HH:MM", row) for row in rows]
    if terminal is READER:
        assert [
            "1: this one, ssh, since HH:MM",
            "2: detached, ssh, since HH:MM, table 1, left 32 s ago",
        ] == times
    else:
        assert [
            "1  this one  ssh  since HH:MM",
            "2  detached  ssh  since HH:MM, table 1, left 32 s ago",
        ] == times
    assert "198.51.100" not in text


# -- guests --------------------------------------------------------------------------------------


async def seated_guest(server: SimServer) -> tuple[Seatholder, str]:
    """A guest with a seat, and the code that leads back to it."""
    guest = server.guest()
    await asyncio.sleep(1)
    guest.type("open elimination")
    await asyncio.sleep(1)
    guest.type("bot")
    await asyncio.sleep(1)
    guest.type("start")
    await asyncio.sleep(1)
    guest.type("whoami")
    await asyncio.sleep(1)
    return guest, re.findall(r"resume (\S+)", guest.text)[-1]


async def resumed(server: SimServer, code: str) -> Seatholder:
    guest = server.guest()
    await asyncio.sleep(1)
    guest.type(f"resume {code}")
    await asyncio.sleep(1)
    return guest


@pytest.mark.parametrize("is_live", [True, False])
def test_a_guest_takes_the_session_along_with_the_code_of_the_seat(is_live):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        before, code = await seated_guest(server)
        before.press(b"give 7h")
        if not is_live:
            await drop(before)
        guest = await resumed(server, code)
        where = "has moved here" if is_live else "goes on here"
        assert f"Your session {where}; {BEGUN}" in sentences(guest)
        assert "> give 7h" in picture(guest).row
        assert not before.link.is_open

    virtual.run(scenario())


def test_a_guest_without_a_seat_leaves_nothing_and_cannot_detach():
    async def scenario() -> int:
        server = await SimServer(new_world(1)).open()
        guest = server.guest()
        await asyncio.sleep(1)
        guest.type("detach")
        await asyncio.sleep(1)
        assert texts.GUEST_CANNOT_DETACH in sentences(guest)
        await drop(guest)
        return len(server.app.session_manager.detached)

    assert 0 == virtual.run(scenario())


def test_a_guest_who_detaches_reads_the_code():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest, code = await seated_guest(server)
        guest.forget()
        guest.type("detach")
        await asyncio.sleep(1)
        assert f"resume {code}" in guest.text and "stays here for 24 hours" in sentences(guest)

    virtual.run(scenario())


def test_the_own_code_moves_nobody():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest, code = await seated_guest(server)
        guest.type(f"resume {code}")
        await asyncio.sleep(1)
        assert guest.link.is_open
        assert "That code doesn't match a running game." in sentences(guest)

    virtual.run(scenario())


# -- a planned restart ---------------------------------------------------------------------------


def test_what_was_left_travels_to_the_next_process():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        for name in ("ann", "bob"):
            person = await come(server, name)
            person.press(b"give 7h")
            await drop(person)
        kept = server.app.session_manager.detached
        given = kept.give(8 * 1_048_576)
        assert given[1:] == kept.give(len(given[1][0]) + len(given[1][1]))  # the newest
        assert [] == kept.give(10)
        await server.die()
        server = await SimServer(server.world).open()
        forged = given[1][0], given[0][1]  # bob with what is ann's
        server.app.session_manager.detached.take([forged, ("p9", b"x" * 40), given[0]])
        assert BEGUN in sentences(await come(server, "ann"))
        assert "begun" not in sentences(await come(server, "bob"))

    virtual.run(scenario())


@pytest.mark.parametrize("goes_on", [False, True])
def test_the_end_of_the_process_makes_nobody_detached_unless_it_goes_on(goes_on):
    async def scenario() -> int:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        server.app.session_manager.leave_capsules()
        if goes_on:
            server.app.session_manager.leave_capsules(is_planned=False)
        await drop(ann)
        return len(server.app.session_manager.detached)

    assert int(goes_on) == virtual.run(scenario())


def test_a_server_that_hands_over_leaves_the_sessions_without_a_terminal_too(tmp_path):
    async def scenario() -> None:
        world = new_world(1, server=schema.ServerConfig(data=str(tmp_path)))
        server = await SimServer(world).open()
        ann = await come(server, "ann")
        ann.press(b"give 7h")
        await drop(ann)
        server.app.carrying.leave()
        await server.die()
        server = await SimServer(world).open()
        server.app.carrying.take_up()
        assert BEGUN in sentences(await come(server, "ann"))

    virtual.run(scenario())


def test_a_guest_over_telnet_proves_nothing_and_takes_nothing():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.press(b"give 7h")
        link = FakeLink(ANSI, "telnet")
        server.connect(link)
        await asyncio.sleep(1)
        for line in (b"guest\r", b"attach\r"):
            link.handler.on_data(line)
            await asyncio.sleep(1)
        assert texts.NOTHING_TO_TAKE_UP in " ".join(link.text.split())

    virtual.run(scenario())


def test_a_banned_account_takes_nothing_up_before_the_ban_is_over():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        proven = proven_by_key("ann", is_known=True)
        assert isinstance(proven, AuthenticatedUser)
        ann.press(b"give 7h")
        await drop(ann)
        check = server.app.sanctions.check_login
        server.app.sanctions.check_login = lambda *args: 1 / 0
        with pytest.raises(ZeroDivisionError):
            server.connect(FakeLink(ANSI, "ssh"), proven)
        server.app.sanctions.check_login = check
        assert BEGUN in sentences(await come(server, "ann"))

    virtual.run(scenario())
