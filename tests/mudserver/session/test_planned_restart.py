"""After a planned restart nothing is written while nothing was missed, and the draft goes on."""

from __future__ import annotations

import asyncio
import re
from unittest.mock import Mock

import pytest

from mudserver.transport.link import Terminal
from tests.mudserver.session.test_going_on import READER, HeldLink, come, go_on, restarted
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world

LINE_MODE = Terminal("", 80, 24)
TITLE = re.compile(rb"\x1b\]2;[^\x1b]*\x1b\\")


def written(link: HeldLink) -> bytes:
    return b"".join(data for _, data in link.received)


async def handed_over(server: SimServer, link: HeldLink, name: str = "ann") -> HeldLink:
    server.app.session_manager.leave_capsules()
    return await go_on(await restarted(server), link, name)


@pytest.mark.parametrize("terminal", [ANSI, READER, LINE_MODE])
@pytest.mark.parametrize("draft", ["", "set theme mo"])
def test_nothing_is_written_and_what_was_begun_is_finished(terminal, draft):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann", terminal)
        ann.handler.on_data(draft.encode())
        await asyncio.sleep(1)
        ann = await handed_over(server, ann)
        assert b"" == TITLE.sub(b"", written(ann))
        ann.received.clear()
        ann.handler.on_data(b"no")
        echo = b"" if terminal is LINE_MODE else b"no"
        assert echo == written(ann)
        if draft:
            ann.type("")
            await asyncio.sleep(1)
            assert "mono" == ann.session.preference("theme")

    virtual.run(scenario())


@pytest.mark.parametrize("terminal", [ANSI, READER, LINE_MODE])
@pytest.mark.parametrize("second_half", [b"", b"\n", b"\0"])
def test_after_a_line_was_entered_nothing_is_written_and_half_an_enter_is_none(
    terminal, second_half
):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann", terminal)
        ann.type("tables")
        await asyncio.sleep(1)
        ann = await handed_over(server, ann)
        ann.handler.on_data(second_half)
        await asyncio.sleep(1)
        assert b"" == TITLE.sub(b"", written(ann))

    virtual.run(scenario())


@pytest.mark.parametrize("at", range(1, 6))
def test_half_a_key_or_a_character_goes_on_too(at):
    async def scenario() -> None:
        typed = "no\x1b[Dü".encode()
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.handler.on_data(typed[: at + 2])
        await asyncio.sleep(1)
        ann = await handed_over(server, ann)
        ann.handler.on_data(typed[at + 2 :])
        await asyncio.sleep(1)
        assert "nüo" == ann.session.screen.input_state.editor.text

    virtual.run(scenario())


def test_a_cursor_in_the_middle_stays_there():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.handler.on_data(b"set theme mno\x1b[D\x1b[D")
        await asyncio.sleep(1)
        ann = await handed_over(server, ann)
        assert b"" == TITLE.sub(b"", written(ann))
        ann.handler.on_data(b"o\x1b[F\x7f\x7f")
        ann.type("no")
        await asyncio.sleep(1)
        assert "mono" == ann.session.preference("theme")

    virtual.run(scenario())


def test_what_happens_at_once_is_shown_above_the_row_that_stands():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann", READER)
        ann.handler.on_data(b"say he")
        await asyncio.sleep(1)
        server.app.session_manager.leave_capsules()
        server = await restarted(server)
        guest = server.guest()
        await asyncio.sleep(1)
        again = ann.again()
        server.connect(again, None)
        guest.type("say hello")
        await asyncio.sleep(1)
        assert b"\r\nguest1: hello\r\nlobby> say he" == written(again)

    virtual.run(scenario())


@pytest.mark.parametrize("why", ["waited", "typed", "uncertain", "went on"])
def test_where_the_row_is_not_known_to_stand_it_is_drawn_again(why):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        server.app.session_manager.leave_capsules()
        if why == "went on":
            server.app.session_manager.leave_capsules(is_planned=False)
        ann.holder.has_waited = why == "waited"
        ann.holder.is_line_uncertain = why == "uncertain"
        ann.holder.kept_until = None if why == "typed" else 0
        ann = await go_on(await restarted(server), ann, "ann")
        assert b"lobby> " in written(ann)

    virtual.run(scenario())


def test_a_bug_in_one_session_leaves_the_others_their_capsules(caplog):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        bad, good = server.guest(), await come(server, "ann")
        bad.link.handler._keeper = Mock(keep=Mock(side_effect=ZeroDivisionError))
        good.handler.on_data(b"set theme mo")
        await asyncio.sleep(1)
        good = await handed_over(server, good)
        good.type("no")
        await asyncio.sleep(1)
        assert "mono" == good.session.preference("theme")
        assert "capsule not left session=" in caplog.text

    virtual.run(scenario())


@pytest.mark.parametrize(("unanswered", "done"), [((), 1), ({1}, 0), ({2}, 1)])
def test_a_line_is_done_unless_its_own_table_was_not_waited_for(monkeypatch, unanswered, done):
    """Whatever else the table has to do when the capsules are left."""

    async def scenario() -> int:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type("open elimination")
        await asyncio.sleep(2)
        settled = Mock()
        monkeypatch.setattr(ann.holder, "settle", settled)
        ann.type("look")
        await asyncio.sleep(0.1)
        monkeypatch.setattr(server.app.table_manager, "is_settling", lambda person: True)
        server.app.session_manager.leave_capsules(unanswered=unanswered)
        return settled.call_count

    assert done == virtual.run(scenario())
