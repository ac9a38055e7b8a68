"""What a MUD client is sent beside the text: the same, to the same person, and no more."""

from __future__ import annotations

import asyncio
from typing import Any

from mudserver.config import schema
from mudserver.transport.link import Terminal
from tests.mudserver.session.at_a_table import run_at_a_table
from tests.simulation import virtual
from tests.simulation.server import FakeLink, Seatholder, SimServer, new_world

MUDLET = Terminal("mudlet", 100, 40, is_ansi=True)


def packages(person: Seatholder, name: str) -> list[Any]:
    return [data for package, data in person.link.packages if package == name]


def in_the_lobby(scenario, **settings):
    async def told():
        server = await SimServer(new_world(1, **settings)).open()
        ann = server.person("Ann", MUDLET, speaks_gmcp=True)
        bob = server.person("Bob")
        await asyncio.sleep(0.1)
        await scenario(server, ann, bob)

    virtual.run(told())


def test_who_comes_in_is_told_the_own_name_and_the_channels():
    async def scenario(server, ann, bob):
        assert [{"name": "Ann", "fullname": "Ann"}] == packages(ann, "Char.Name")
        (channels,) = packages(ann, "Comm.Channel.List")
        fixed = ["help", "chat", "elimination", "stockpile", "words", "bots"]
        assert ["lobby", "table", "tell", *fixed] == [channel["name"] for channel in channels]
        assert {"name": "help", "caption": "Help", "command": "#help"} in channels
        (hello,) = packages(ann, "Lockdown.Hello")
        assert ("hello", "Ann", False) == (hello["type"], hello["name"], hello["is_guest"])
        assert 1 == hello["protocol"]
        assert not bob.link.packages

    in_the_lobby(scenario)


def test_nobody_is_sent_a_package_before_the_login():
    async def told():
        server = await SimServer(new_world(1)).open()
        link = FakeLink(MUDLET)
        link.speaks_gmcp = True
        server.connect(link)
        link.handler.on_gmcp("Core.Supports.Set", ["Lockdown 1"])
        await asyncio.sleep(0.1)
        assert not link.packages
        link.handler.on_data(b"guest\r\n")
        await asyncio.sleep(0.1)
        assert "Char.Name" in dict(link.packages)

    virtual.run(told())


def test_a_lesson_is_text_alone():
    async def scenario(server, ann, bob):
        ann.forget()
        for line in ("learn words", "stop"):
            ann.type(line)
            await asyncio.sleep(0.1)
        assert "step 1 of 7" in ann.text and "went wrong" not in ann.text

    in_the_lobby(scenario)


def test_talk_comes_as_it_is_shown():
    async def scenario(server, ann, bob):
        ann.forget()
        bob.type("say hello, all")
        bob.type("tell ann in private")
        bob.type("/me waves")
        await asyncio.sleep(0.1)
        shown = packages(ann, "Comm.Channel.Text")
        assert [
            {"channel": "lobby", "talker": "Bob", "text": "Bob: hello, all"},
            {"channel": "tell", "talker": "Bob", "text": "Bob tells you: in private"},
            {"channel": "lobby", "talker": "Bob", "text": "* Bob waves"},
        ] == shown
        for each in shown:
            assert each["text"] in ann.text
        (said,) = packages(ann, "Lockdown.Said")
        assert ("Bob", "hello, all", None) == (said["who"], said["text"], said["table"])

    in_the_lobby(scenario)


def test_they_go_out_with_the_tick():
    async def scenario(server, ann, bob):
        ann.forget()
        bob.type("say hello")
        await asyncio.sleep(0.1)
        times = {at for at, data in ann.link.received}
        assert 1 == len(times), ann.link.received

    in_the_lobby(scenario)


def test_a_client_that_asks_later_is_told_then_and_for_nothing_else():
    async def scenario(server, ann, bob):
        bob.link.speaks_gmcp = True
        bob.link.handler.on_gmcp("Lockdown.Line", {"line": "quit"})
        bob.link.handler.on_gmcp("Char.Login", {"name": "Ann", "password": "x"})
        await asyncio.sleep(0.1)
        assert bob.link.is_open
        assert not bob.link.packages
        bob.link.handler.on_gmcp("Core.Supports.Set", ["Char 1"])
        await asyncio.sleep(0.1)
        assert [{"name": "Bob", "fullname": "Bob"}] == packages(bob, "Char.Name")

    in_the_lobby(scenario)


def test_of_a_reader_who_lags_talk_and_old_views_go_and_it_is_told_how_many():
    async def scenario(server, ann, bob):
        ann.link.queued = schema.DoorLimits().output_lag_bytes + 1
        for n in range(3):
            bob.type(f"say line {n}")
        bob.type("tell ann still here?")
        await asyncio.sleep(0.2)
        assert [] == packages(ann, "Lockdown.Said")
        assert ["still here?"] == [told["text"] for told in packages(ann, "Lockdown.Told")]
        ann.link.queued = 0
        bob.type("say again")
        await asyncio.sleep(0.2)
        assert [6] == [lost["count"] for lost in packages(ann, "Lockdown.Lost")]
        assert ["again"] == [said["text"] for said in packages(ann, "Lockdown.Said")]

    in_the_lobby(scenario)


def test_a_client_that_asks_for_protocol_2_is_told_so_and_gets_the_same_objects():
    async def scenario(server, ann, bob):
        ann.forget()
        ann.link.json_protocol = 2
        ann.link.handler.on_gmcp("Core.Supports.Set", ["Lockdown 2"])
        await asyncio.sleep(0.1)
        assert [2] == [hello["protocol"] for hello in packages(ann, "Lockdown.Hello")]
        bob.type("say hello")
        await asyncio.sleep(0.1)
        said = {"type": "said", "who": "Bob", "text": "hello", "table": None}
        said |= {"watcher": False, "channel": ""}
        assert [said] == packages(ann, "Lockdown.Said")

    in_the_lobby(scenario)


def test_views_and_events_are_those_of_the_own_seat():
    async def scenario(server, play, people):
        for person in people.values():
            person.link.speaks_gmcp = True
            person.link.handler.on_gmcp("Core.Supports.Set", ["Lockdown 1"])
        await asyncio.sleep(0.1)
        await play("Ann> look", "Wim> look", "Ann> step")
        seats = {"Ann": 0, "Bob": 1, "Cyd": 2, "Wim": None}
        for name, person in people.items():
            views = packages(person, "Lockdown.View")
            events = packages(person, "Lockdown.Event")
            assert views, name
            assert {seats[name]} == {each["seat"] for each in (*views, *events)}

    run_at_a_table(scenario)
