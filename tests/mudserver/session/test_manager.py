"""Delivery to sessions: what is rendered how often, and in which order it is shown."""

from __future__ import annotations

import asyncio
from unittest import mock

from mudserver.messages import Message, Notice, SayMessage
from mudserver.session import renderer
from mudserver.ui import encode
from tests.prompts import LOBBY
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

ONE, TWO = SayMessage("Dee", "one"), SayMessage("Dee", "two")


def shown(*messages: Message, people: int = 1) -> tuple[list[str], int]:
    """What so many people in the lobby are shown of *messages*, and how many were rendered."""

    async def scenario() -> tuple[list[str], int]:
        server = await SimServer(new_world(1)).open()
        everybody = [server.person(f"Ann{'abcd'[n]}") for n in range(people)]
        await asyncio.sleep(0.1)
        for one in everybody:
            one.forget()
        with mock.patch.object(renderer, "encode_lines", wraps=encode.encode_lines) as painted:
            for message in messages:
                for session in server.app.session_manager.sessions:
                    server.app.outbox.send(session.person.id, message)
            await asyncio.sleep(0.1)
        return [one.text for one in everybody], painted.call_count

    return virtual.run(scenario())


def test_talk_that_comes_together_is_painted_once_for_all_who_read_alike():
    assert ([f"Dee: one\nDee: two\n{LOBBY}"] * 3, 2) == shown(ONE, TWO, people=3)


def test_what_is_said_to_one_in_the_midst_of_talk_keeps_its_place():
    (text,), _ = shown(ONE, Notice("Only you."), TWO)
    assert f"Dee: one\nOnly you.\nDee: two\n{LOBBY}" == text


def test_of_talk_with_a_broken_message_only_that_one_is_lost():
    (text,), _ = shown(ONE, SayMessage("Dee", 7), TWO)
    assert "Dee: one\nSorry, something went wrong on the server. Your game is safe." in text
    assert text.endswith(f"\nDee: two\n{LOBBY}")
