"""A program at the other end: how it comes in, and what it writes, refused in sentences."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mudserver.config import schema
from mudserver.session import texts
from tests.mudserver.session.programs import after, last, told, types
from tests.simulation.server import SimServer
from variants.catalogue import CATALOGUE

EXAMPLE = '{"line": "who"}'
NO_JSON = f"That isn't JSON. Write one object a line: {EXAMPLE}"
NO_LINE = f'An object holds "line" with a text, and nothing else: {EXAMPLE}'
TOO_LONG = "That object is too long (at most 6,400 bytes)."


# -- coming in -------------------------------------------------------------------------------------


def test_the_first_object_says_who_one_is_then_where():
    async def scenario(server: SimServer) -> Any:
        ann, guest = server.person("Ann", is_program=True), server.guest(is_program=True)
        await asyncio.sleep(0.1)
        return ann.objects, guest.objects

    ann, guest = told(scenario)
    assert ["hello", "notice", "notice", "place"] == types(ann)[:4]
    assert ann[0] == {
        "type": "hello",
        "protocol": 1,
        "house": "Lockdown",
        "name": "Ann",
        "is_guest": False,
        "games": list(CATALOGUE),
        "now": pytest.approx(1_800_000_000_000, abs=10),
    }
    assert '"Ann" is now registered with your SSH key' in ann[1]["text"]
    assert {"type": "place", "table": None, "variant": None, "seat": None,
            "is_playing": False} == ann[3]  # fmt: skip
    assert (True, "guest1") == (guest[0]["is_guest"], guest[0]["name"])


def test_the_newest_takes_over_whether_a_person_or_a_program():
    async def scenario(server: SimServer) -> Any:
        program = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        person = server.person("Ann")
        await asyncio.sleep(0.1)
        newer = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        return program, person, newer

    program, person, newer = told(scenario)
    sentence = "You logged in from another terminal, so this one is disconnected."
    assert {"type": "bye", "text": sentence} == program.objects[-1]
    assert "this one is disconnected." in person.text
    assert [False, False, True] == [one.link.is_open for one in (program, person, newer)]


def test_who_finds_no_room_reads_why():
    async def scenario(server: SimServer) -> Any:
        server.person("Bob")
        await asyncio.sleep(0.1)
        return server.guest(is_program=True)

    guest = told(scenario, people=schema.PeopleLimits(sessions_max=1))
    assert ["bye"] == types(guest.objects)
    assert "The server is full" in guest.objects[0]["text"]
    assert not guest.link.is_open


def test_a_guest_who_takes_an_old_seat_back_is_greeted_by_its_name():
    async def scenario(server: SimServer) -> Any:
        first = server.guest(is_program=True)
        await asyncio.sleep(0.1)
        opened = await after(first, "open elimination", "bot 1", "start")
        code = (
            last(opened, "notice")["text"]
            if False
            else next(
                one["text"].rsplit(" ", 1)[1] for one in opened if "resume" in one.get("text", "")
            )
        )
        first.link.drop()
        await asyncio.sleep(0.1)
        second = server.guest(is_program=True)
        await asyncio.sleep(0.1)
        return await after(second, f"resume {code}")

    objects = told(scenario)
    hello = last(objects, "hello")
    assert "guest1" == hello["name"]
    assert "back" == last(objects, "view")["why"]


# -- what is written -------------------------------------------------------------------------------


@pytest.mark.parametrize(("written", "sentence"), [
    (b"who", NO_JSON),
    (b"\xff\xfe", NO_JSON),
    (b'{"line": "\xff"}', NO_JSON),
    (b'{"line": "\\ud800"}', NO_JSON),
    (b'{"line": "who"', NO_JSON),
    (b'{"line": "who"} {"line": "who"}', NO_JSON),
    (b'{"line": NaN}', NO_JSON),
    (b"{}", NO_LINE),
    (b'"who"', NO_LINE),
    (b"[" * 5_000, NO_LINE),
    (b'{"line": 1}', NO_LINE),
    (b'{"line": null}', NO_LINE),
    (b'{"line": ' + b"[" * 5_000, NO_LINE),
    (b'{"line": ' + b'{"line":' * 600, NO_LINE),
    (b'{"line": "who", "id": 1}', NO_LINE),
    (b'{"Line": "who"}', NO_LINE),
    (b'{"x": ' + b"[" * 5_000, NO_LINE),
    (b'{"line": "' + b"a" * 7_000 + b'"}', TOO_LONG),
    (b"[" * 300_000, TOO_LONG),
    (b'{"line": "' + b"a" * 513 + b'"}', "That line is too long (at most 512 characters)."),
    (b'{"line": "say a\\nsay b"}', texts.LINE_BREAK),
    (b'{"line": "xyzzy"}', "Unknown command \"xyzzy\". Type help for a list, or ' to say it."),
])  # fmt: skip
def test_what_cannot_be_read_is_refused_and_the_next_line_is_read(written, sentence):
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        ann.write(written + b"\n")
        ann.type("about")
        await asyncio.sleep(0.1)
        return ann.objects

    refused, page = told(scenario)
    assert {"type": "refused", "text": sentence} == refused
    assert ("page", "Lockdown") == (page["type"], page["title"])


def test_an_object_may_come_in_any_pieces_and_with_any_line_end():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        data = b'{"line":"say one"}\r\n\r\n  \n{"line":"say two"}\r'
        data += b'{ "line" : "say \\u00fc\\u2665" }\n'
        for at in range(len(data)):
            ann.write(data[at : at + 1])
        await asyncio.sleep(0.1)
        return ann.objects

    assert ["one", "two", "ü♥"] == [one["text"] for one in told(scenario)]


def test_the_longest_line_that_people_may_type_can_be_written_in_escapes():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        ann.write(b'{"line": "' + b"\\ud83c\\udccf" * 512 + b'"}\n')
        await asyncio.sleep(0.1)
        return ann.objects

    (refused,) = told(scenario)
    assert "Unknown command" in refused["text"]


def test_ten_megabytes_without_an_end_take_no_room():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        for _ in range(10 * 1024):
            ann.write(b"[" * 1024)
        held = len(ann.link.handler._partial_object)
        ann.write(b"\n")
        await asyncio.sleep(0.1)
        return held, ann.objects

    held, objects = told(scenario)
    assert held <= 6_401
    assert [{"type": "refused", "text": TOO_LONG}] == objects


def test_each_line_that_comes_too_fast_is_refused_and_far_too_many_end_the_visit():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        for _ in range(40):
            ann.write(b'{"line": "about"}\n')
        await asyncio.sleep(0.1)
        first = ann.objects
        ann.forget()
        for _ in range(40):
            ann.write(b"rubbish counts as well\n")
        await asyncio.sleep(0.1)
        return first, ann.objects, ann.link.is_open

    first, then, is_open = told(scenario, session=schema.SessionLimits(lines_refused_max=50))
    assert ["page"] * 20 == types(first)[:20]
    slow = {
        "type": "refused",
        "text": "Too fast: some of your commands were ignored. Please slow down.",
    }
    assert [slow] * 20 == first[20:]
    assert [{"type": "refused", "text": NO_JSON}, *[slow] * 29] == then[:-1]
    assert "Disconnected: too many commands at once." in then[-1]["text"]
    assert ("bye", False) == (then[-1]["type"], is_open)


def test_nothing_that_reaches_others_can_move_a_cursor():
    async def scenario(server: SimServer) -> Any:
        ann, bob = server.person("Ann", is_program=True), server.person("Bob", is_program=True)
        await asyncio.sleep(0.1)
        bob.forget()
        ann.type("say a\x1b[2Jb\u202ec\u0007")
        await asyncio.sleep(0.1)
        return bob.objects

    (said,) = told(scenario)
    assert {"type": "said", "who": "Ann", "text": "a[2Jbc", "table": None} == said
