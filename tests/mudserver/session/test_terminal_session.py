"""What one visit costs the others: nothing, whatever happens to it."""

from __future__ import annotations

import asyncio
import logging
import re

import pytest

from mudserver.config import schema
from mudserver.messages import Notice
from mudserver.session import presenter, renderer
from mudserver.transport.link import AuthenticatedUser
from mudserver.ui.screen import Screen
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, SimServer, new_world


def told(scenario, **sections):
    async def whole():
        return await scenario(await SimServer(new_world(1, **sections)).open())

    return virtual.run(whole())


async def two_guests(server):
    ann, bob = server.guest(), server.guest()
    await asyncio.sleep(0.5)
    ann.forget()
    bob.forget()
    return ann, bob


def test_a_message_that_cannot_be_painted_costs_itself_only(monkeypatch, caplog):
    async def scenario(server):
        ann, bob = await two_guests(server)
        sound = presenter.message_lines

        def broken(message, *args):
            if isinstance(message, Notice) and message.text == "poison":
                raise KeyError("the queen of hearts")
            return sound(message, *args)

        monkeypatch.setattr(renderer, "message_lines", broken)
        ids = [session.person.id for session in server.app.session_manager.sessions]
        server.app.outbox.send(ids[0], Notice("poison"))
        for address in ids:
            server.app.outbox.send(address, Notice("hello"))
        await asyncio.sleep(0.5)
        return ann.text, bob.text, bob.link.is_open

    ann, bob, is_open = told(scenario)
    assert "Sorry, something went wrong on the server. Your game is safe. (ref " in ann
    assert is_open
    assert "hello" in ann
    assert "hello" in bob
    assert "delivery failed session=" in caplog.text
    assert "queen" not in "".join(record.getMessage() for record in caplog.records)


def test_what_people_who_read_alike_hear_is_made_and_kept_once():
    async def scenario(server):
        ann, bob = await two_guests(server)
        for text in ("good evening", "to everybody"):
            server.app.service.talk.say(ann.link.handler.person, text)
        await asyncio.sleep(0.5)
        kept = [each.link.handler._backlog._batches[-1] for each in (ann, bob)]
        return ann.text, bob.text, kept

    ann, bob, (ours, theirs) = told(scenario)
    assert "guest1: to everybody" in ann
    assert ann == bob
    assert ["good evening", "to everybody"] == [message.text for message in ours.messages]
    assert ours is theirs


def test_a_broken_screen_ends_its_visit_with_a_reference_and_no_other(monkeypatch, caplog):
    async def scenario(server):
        ann, bob = await two_guests(server)
        sound = Screen.feed

        def broken(screen, data):
            if b"poison" in data:
                raise ValueError("broken")
            sound(screen, data)

        monkeypatch.setattr(Screen, "feed", broken)
        ann.type("poison")
        await asyncio.sleep(0.5)
        bob.type("who")
        await asyncio.sleep(0.5)
        return ann.link.is_open, ann.text, bob.text

    is_open, ann, bob = told(scenario)
    assert not is_open
    assert "Please log in again." in " ".join(ann.split())
    assert "1 person is here" in bob
    assert "session failed session=" in caplog.text


def test_a_line_that_meets_a_bug_is_answered_and_the_next_one_is_read(monkeypatch, caplog):
    async def scenario(server):
        ann, _ = await two_guests(server)
        monkeypatch.setattr(server.app.service, "who_page", lambda *whom: 1 / 0)
        ann.type("who")
        ann.type("about")
        await asyncio.sleep(0.5)
        return ann.text

    text = told(scenario)
    assert "Sorry, something went wrong on the server. Your game is safe. (ref " in text
    assert "mudserver " in text
    assert "input failed session=" in caplog.text


def test_who_finds_no_room_leaves_nothing_behind():
    async def scenario(server):
        server.guest()
        link = server.guest().link
        await asyncio.sleep(0.5)
        return (
            link.is_open,
            "The server is full" in link.text,
            len(server.app.session_manager.sessions),
        )

    assert (False, True, 1) == told(scenario, people=schema.PeopleLimits(sessions_max=1))


def test_who_was_on_the_way_in_when_the_server_closed_is_told_so():
    async def scenario(server):
        server.app.session_manager.close("The server closes for a moment.")
        late = server.connect(FakeLink(protocol="ssh"), AuthenticatedUser("guest", "guest"))
        telnet = server.connect(FakeLink())
        await asyncio.sleep(0.5)
        heard = [link.text.count("The server closes") for link in (late, telnet)]
        return heard, late.is_open, telnet.is_open, len(server.app.session_manager.sessions)

    assert ([1, 1], False, False, 0) == told(scenario)


def test_the_newest_visit_of_a_person_goes_on_and_the_one_before_is_told():
    async def scenario(server):
        old = server.person("ann")
        await asyncio.sleep(0.5)
        new = server.person("ann")
        await asyncio.sleep(0.5)
        new.forget()
        new.type("say still me")
        await asyncio.sleep(0.5)
        return old.link.is_open, old.text, new.text

    is_open, old, new = told(scenario)
    assert not is_open
    assert "You logged in from another terminal, so this one is disconnected." in old
    assert "ann: still me" in new


def test_lines_typed_while_one_waits_for_the_journal_are_read_in_order():
    async def scenario(server):
        ann = server.person("ann")
        await asyncio.sleep(0.5)
        ann.forget()
        for line in ("set width 40", "set width 60", "set bell off", "set width"):
            ann.type(line)
        await asyncio.sleep(1)
        return [row for row in ann.text.split("\n") if row.startswith(("width", "bell"))]

    rows = told(scenario)
    assert ["width: 40.", "width: 60.", "bell: off."] == rows[:3]
    assert rows[3].startswith("width is 60")


def test_a_thousand_lines_at_once_are_refused_calmly_and_bounded():
    async def scenario(server):
        ann, _ = await two_guests(server)
        ann.press(b"who\r" * 1_000)
        await asyncio.sleep(3)
        ann.forget()
        ann.type("about")
        await asyncio.sleep(0.5)
        return ann.link.is_open, "mudserver " in ann.text

    assert (True, True) == told(scenario)


@pytest.mark.parametrize("lines_max", [50])
def test_far_too_many_lines_end_the_visit(lines_max):
    async def scenario(server):
        ann, _ = await two_guests(server)
        ann.press(b"who\r" * 200)
        await asyncio.sleep(0.5)
        return ann.link.is_open, "Disconnected: too many commands at once." in ann.text

    assert (False, True) == told(
        scenario, session=schema.SessionLimits(lines_refused_max=lines_max)
    )


def test_idle_people_are_warned_then_ended():
    async def scenario(server):
        ann, _ = await two_guests(server)
        await asyncio.sleep(75)
        warned = "Are you still there?" in ann.text
        await asyncio.sleep(160)
        return warned, ann.link.is_open, "Disconnected after 3 min of inactivity." in ann.text

    assert (True, False, True) == told(scenario, session=schema.SessionLimits(idle_s=180))


def test_every_line_about_a_visit_has_the_id_that_its_person_can_read(monkeypatch, caplog):
    """Coming, going, and what went wrong between; `whoami` says the same id."""

    async def scenario(server: SimServer) -> str:
        ann = server.person("Ann", ANSI)
        await asyncio.sleep(0.5)
        monkeypatch.setattr(server.app.service, "who_page", lambda *whom: 1 / 0)
        ann.type("who")
        ann.type("whoami")
        await asyncio.sleep(0.5)
        ann.type("quit")
        await asyncio.sleep(0.5)
        return ann.text

    with caplog.at_level(logging.INFO):
        text = " ".join(told(scenario).split())
    (session,) = re.findall(r"You are Ann, a registered player\. This session is (\w+-\d+):", text)
    whole = [record.getMessage().partition(" err=")[0] for record in caplog.records]
    assert [
        "account opened person=p1 what=key-added by=self from=198.51.100.3",
        f"session started session={session} person=p1 name=Ann protocol=ssh from=198.51.100.3",
        f"input failed session={session} person=p1",
        f"session ended session={session} person=p1 duration_s=1 why=ended",
    ] == whole


def test_the_log_says_that_a_connection_was_lost(caplog):
    async def scenario(server: SimServer) -> None:
        ann = server.person("Ann", ANSI)
        await asyncio.sleep(0.5)
        ann.link.drop()

    with caplog.at_level(logging.INFO):
        told(scenario)
    assert caplog.messages[-1].endswith(" why=closed")


def test_a_host_can_keep_addresses_out_of_the_log(caplog):
    world = new_world(1, server=schema.ServerConfig(log_addresses=False))

    async def scenario() -> None:
        server = await SimServer(world).open()
        server.person("Ann", ANSI)
        await asyncio.sleep(0.5)

    with caplog.at_level(logging.INFO):
        virtual.run(scenario())
    opened, started = [record.getMessage() for record in caplog.records]
    assert opened.endswith(" by=self from=-") and started.endswith(" protocol=ssh from=-")
