"""Programs that do not read, that idle, and what goes wrong between them and the server."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from mudserver.config import schema
from mudserver.messages import Notice, SayMessage
from mudserver.session import json_protocol
from mudserver.session.json_session import QUEUE_MAX, JsonSession
from tests.live import live_table
from tests.mudserver.session.programs import after, last, told, types
from tests.simulation.server import Seatholder, SimServer


async def lag(server: SimServer) -> Seatholder:
    """A program that has stopped reading, with as much before it as makes it lag."""
    ann = server.person("Ann", is_program=True)
    await asyncio.sleep(0.1)
    ann.forget()
    ann.link.is_stalled = True
    ann.link.send(b" " * 65_537)
    return ann


def test_who_lags_loses_talk_is_told_how_much_and_gets_all_the_rest():
    async def scenario(server: SimServer) -> Any:
        ann = await lag(server)
        person = ann.link.handler.person.id
        for n in range(50):
            server.app.outbox.send(person, SayMessage("Bob", f"{n}"))
            server.app.outbox.send(person, Notice(f"note {n}"))
            await asyncio.sleep(0.02)
        queued = ann.link.queued
        ann.link.read_on()
        await asyncio.sleep(0.5)
        ann.type("about")
        await asyncio.sleep(0.5)
        return queued, [json.loads(row) for row in ann.link.heard.strip().splitlines()]

    queued, objects = told(scenario)
    assert 65_537 == queued  # nothing was added
    lost = [one["count"] for one in objects if one["type"] == "lost"]
    assert [f"note {n}" for n in range(50)] == [o["text"] for o in objects if o["type"] == "notice"]
    assert 50 == sum(lost) + types(objects).count("said")
    assert sum(lost) >= 20
    assert "page" == objects[-1]["type"]


def test_who_lags_reads_of_many_views_the_newest():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        await after(ann, "open elimination pace=instant", "bot 1", "bot 1", "start", wait_s=0.3)
        moves = last(ann.objects, "view")["moves"]
        ann.forget()
        ann.link.is_stalled = True
        ann.link.send(b" " * 65_537)
        ann.type(moves[0])
        ann.type("history")
        await asyncio.sleep(20)
        before = live_table(server.app.table_manager, 1).game
        plays = len(before.plays)
        ann.link.read_on()
        await asyncio.sleep(0.5)
        return plays, [json.loads(row) for row in ann.link.heard.strip().splitlines()]

    plays, objects = told(scenario)
    views = [one for one in objects if one["type"] == "view"]
    assert plays > 2
    assert "event" in types(objects)
    assert len(views) < plays
    assert "view" in types(objects)[-2:]


def test_a_program_that_never_reads_holds_no_more_than_its_box():
    async def scenario(server: SimServer) -> Any:
        ann = await lag(server)
        person = ann.link.handler.person.id
        for n in range(20_000):
            server.app.outbox.send(person, Notice(f"note {n}"))
            if n % 500 == 0:
                await asyncio.sleep(0.1)
        session = ann.link.handler
        held = len(session._queue) + len(session.inbox._messages)
        ann.link.read_on()
        await asyncio.sleep(5)
        return held, [json.loads(row) for row in ann.link.heard.strip().splitlines()]

    held, objects = told(scenario)
    assert held <= 2 * 2_048
    notes = [one["text"] for one in objects if one["type"] == "notice"]
    assert 20_000 == len(notes) + sum(o["count"] for o in objects if o["type"] == "lost")
    assert "note 19999" == notes[-1]


def test_what_waits_is_not_gone_through_for_every_line_of_who_floods_and_does_not_read(monkeypatch):
    times = 0
    honest = JsonSession._drop_outdated

    def counted(program: JsonSession) -> None:
        nonlocal times
        times += 1
        honest(program)

    async def scenario(server: SimServer) -> Any:
        ann = await lag(server)
        for _ in range(2_000):
            ann.write(b"x\n")
            await asyncio.sleep(0.0001)
        return len(ann.link.handler._queue)

    monkeypatch.setattr(JsonSession, "_drop_outdated", counted)
    held = told(scenario)
    assert 1_900 < held <= QUEUE_MAX
    assert 1 < times < 20  # in 200 ms


def test_one_packing_serves_all_programs(monkeypatch):
    packed: list[Any] = []
    honest = json_protocol.to_objects

    def counted(message: Any, *means: Any) -> Any:
        packed.append(message)
        return honest(message, *means)

    async def scenario(server: SimServer) -> Any:
        everybody = [server.person(f"Ann{c}", is_program=True) for c in "abcdef"]
        await asyncio.sleep(0.1)
        packed.clear()
        everybody[0].type("say hello")
        await asyncio.sleep(0.1)
        return [last(one.objects, "said")["text"] for one in everybody]

    monkeypatch.setattr(json_protocol, "to_objects", counted)
    assert ["hello"] * 6 == told(scenario)
    assert 1 == len(packed)


def test_a_message_that_cannot_be_packed_costs_itself_only(caplog):
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        person = ann.link.handler.person.id
        for text in ("one", object(), "two"):
            server.app.outbox.send(person, Notice(text))  # type: ignore[arg-type]
        await asyncio.sleep(0.1)
        return ann.objects

    objects = told(scenario)
    assert {"one", "two"} <= {one["text"] for one in objects}
    assert any("Sorry, something went wrong on the server" in one["text"] for one in objects)
    assert "delivery failed session=" in caplog.text


def test_idle_programs_are_warned_then_ended():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(75)
        warned = ann.objects[-1]
        await asyncio.sleep(160)
        return warned, ann.objects[-1], ann.link.is_open

    warned, gone, is_open = told(scenario, session=schema.SessionLimits(idle_s=180))
    assert ("notice", True) == (warned["type"], warned["text"].startswith("Are you still there?"))
    assert ("bye", False) == (gone["type"], is_open)


def test_the_server_closes_with_a_last_word():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        server.app.session_manager.close("The server closes for a moment.")
        late = server.guest(is_program=True)
        return ann.objects[-1], late.objects[-1]

    bye = {"type": "bye", "text": "The server closes for a moment."}
    assert (bye, bye) == told(scenario)
