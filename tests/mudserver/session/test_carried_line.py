"""A line that is too long for the door goes along with its session."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.wall.capsule import Capsule
from tests.mudserver.session.test_going_on import READER, HeldLink, come, go_on, proof, restarted
from tests.mudserver.session.test_planned_restart import handed_over
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world
from tests.terminal import Emulator

PASTE, PASTE_ENDS = b"\x1b[200~", b"\x1b[201~"


async def begin(server: SimServer, name: str, typed: bytes, terminal=ANSI) -> HeldLink:
    """Somebody who has typed so much that the door forgets it, as `RemoteConnection` says."""
    ann = await come(server, name, terminal)
    ann.session.on_data(typed)
    ann.holder.heard = ann.holder.kept_until = len(typed)
    ann.holder.on_long_line()
    await asyncio.sleep(1)
    return ann


def capsule_of(server: SimServer, link: HeldLink) -> Capsule:
    seal = server.app.session_manager._context.seal
    assert seal is not None
    return seal.open(link.holder.capsule, link.holder.nonce)


def editor_of(link: HeldLink):
    return link.session.screen.input_state.editor


@pytest.mark.parametrize("is_planned", [False, True])
@pytest.mark.parametrize("terminal", [ANSI, READER], ids=["terminal", "read aloud"])
@pytest.mark.parametrize("name", ["ann", "guest"])
def test_what_was_pasted_goes_on_with_its_cursor_and_what_comes_later(is_planned, terminal, name):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await begin(server, name, b"tell bob " + b"x" * 9_000 + b"\x1b[D\x1b[D", terminal)
        text, cursor = editor_of(ann).text, editor_of(ann).cursor
        assert 512 == len(text)
        if is_planned:
            ann = await handed_over(server, ann, name)
        else:
            server = await restarted(server)
            ann = await go_on(server, ann, name)
        assert (text, cursor) == (editor_of(ann).text, editor_of(ann).cursor)
        ann.session.on_data(b"\x7fy")
        assert text[: cursor - 1] + "y" + text[cursor:] == editor_of(ann).text

    virtual.run(scenario())


@pytest.mark.parametrize("screen", ["lines", "full"])
def test_the_picture_is_the_same(screen):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        if screen == "full":
            ann.type("set screen on")
            await asyncio.sleep(1)
        ann.session.on_data(b"x" * 9_000 + b"the end")
        ann.holder.on_long_line()
        await asyncio.sleep(1)
        before = Emulator()
        before.feed(ann.heard)
        server = await restarted(server)
        ann = await go_on(server, ann, "ann")
        await asyncio.sleep(1)
        after = Emulator()
        after.feed((b"" if screen == "full" else ann.heard) + ann.heard)
        assert before.row.rstrip() == after.row.rstrip()

    virtual.run(scenario())


def test_a_paste_that_has_not_ended_is_one_still():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await begin(server, "ann", PASTE + b"\x7f" * 9_000 + b"wh")
        server = await restarted(server)
        ann = await go_on(server, ann, "ann")
        ann.session.on_data(b"\to" + PASTE_ENDS + b"\x15")  # a tab is a space there
        ann.session.on_data(b"\x19")
        assert "wh o" == editor_of(ann).text

    virtual.run(scenario())


def test_a_line_that_was_sent_is_not_begun_again():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await begin(server, "ann", b"\x7f" * 9_000 + b"who")
        ann.holder.kept_until = None  # the line has begun: nothing up to there is kept
        server = await restarted(server)
        ann = await go_on(server, ann, "ann")
        assert "" == editor_of(ann).text
        ann.type("tables")
        await asyncio.sleep(1)
        assert ("", 0) == (capsule_of(server, ann).draft, capsule_of(server, ann).input_offset)

    virtual.run(scenario())


def test_a_later_capsule_has_the_line_too():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await begin(server, "ann", b"\x7f" * 9_000 + b"who"), await come(server, "bob")
        bob.type("say hello")
        await asyncio.sleep(31)
        assert 1 == len(capsule_of(server, ann).chat)
        assert ("who", 9_003) == (
            capsule_of(server, ann).draft,
            capsule_of(server, ann).input_offset,
        )

    virtual.run(scenario())


@pytest.mark.parametrize("question", ["password", "account delete"])
def test_of_a_secret_and_of_an_answer_nothing_is_kept(question):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type(question)
        await asyncio.sleep(1)
        ann.session.on_data(b"open sesame" * 900)
        ann.holder.on_long_line()
        await asyncio.sleep(31)
        assert "" == capsule_of(server, ann).draft
        assert b"sesame" not in ann.holder.capsule

    virtual.run(scenario())


def test_a_process_that_dies_before_it_has_drawn_leaves_no_empty_row():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann", READER)
        server = await restarted(server)
        again = ann.again()
        server.connect(again, proof("ann", is_known=True))
        await asyncio.sleep(0)
        server = await restarted(server)
        assert b"" == again.heard
        assert (await go_on(server, again, "ann")).heard.startswith(b"\r\nlobby> ")

    virtual.run(scenario())
