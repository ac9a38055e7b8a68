"""Protocol 1 is frozen: its schema is the stored one, and what is new goes to protocol 2 alone."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from mudserver import messages as m
from mudserver.session import json_objects as o
from mudserver.session import json_protocol
from mudserver.session.json_schema import Schema, protocol_schema
from tests.mudserver.session.programs import told
from tests.simulation.server import SimServer
from variants.catalogue import CATALOGUE

FILE = Path(__file__).with_name("protocol-1.txt")
"""`frozen()`, as it was when protocol 1 was frozen; there is no command that writes it anew."""
GAMES = ("elimination", "stockpile", "words")  # others may be added, with types of their own


def frozen() -> list[str]:
    """The schema without descriptions: a definition in each row, behind its name."""
    definitions = protocol_schema({name: CATALOGUE[name] for name in GAMES})["$defs"]
    return [
        f"{name} {json.dumps(_bare(definition), sort_keys=True)}"
        for name, definition in sorted(definitions.items())
    ]


def _bare(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_bare(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    is_text = isinstance(schema.get("description"), str)  # and no key that is called so
    return {k: _bare(v) for k, v in schema.items() if not (is_text and k == "description")}


def assert_frozen() -> None:
    stored = FILE.read_text("utf-8").splitlines()
    changed = sorted({row.split()[0] for row in {*stored} ^ {*frozen()}})
    assert not changed, (
        f"Protocol 1 is frozen, and here it would change: {', '.join(changed)}. New keys and types "
        "go to protocol 2 alone: rule 4 of mudserver/session/json_protocol.py says how."
    )


def test_its_schema_is_the_stored_one():
    assert_frozen()


class CountedRefusal(o.Refused, frozen=True):
    """As a later release would add a key."""

    count: int = 0


class Readiness(m.WireMessage, frozen=True, tag="readiness"):
    """As a later release would add a type."""

    ready: tuple[str, ...]


@pytest.mark.parametrize(("kinds", "name"), [
    ((*json_protocol.OBJECTS_1, Readiness), "Readiness"),
    (tuple(CountedRefusal if k is o.Refused else k for k in json_protocol.OBJECTS_1),
     "Refused"),
    (json_protocol.OBJECTS_1[:-1], "Bye"),
])  # fmt: skip
def test_a_type_or_a_key_more_or_less_is_found_and_told_where_to_go(monkeypatch, kinds, name):
    monkeypatch.setitem(json_protocol.OBJECTS, 1, kinds)
    with pytest.raises(AssertionError, match=rf"would change: {name}\. New keys"):
        assert_frozen()


def test_a_field_more_in_the_view_of_a_game_is_found(monkeypatch):
    def with_one_more(games: Any, honest: Any = protocol_schema) -> Schema:
        schema: Schema = honest(games)
        schema["$defs"]["words.View"]["properties"]["clock"] = {"type": "integer"}
        return schema

    monkeypatch.setitem(globals(), "protocol_schema", with_one_more)
    with pytest.raises(AssertionError, match=r"words\.View"):
        assert_frozen()


def test_what_is_new_is_read_in_protocol_2_alone():
    async def scenario(server: SimServer) -> Any:
        programs = [
            server.person("Ann", is_program=True),
            server.person("Bob", is_program=True, json_protocol=2),
        ]
        await asyncio.sleep(0.1)
        for program in programs:
            program.forget()
            for message in (m.RefusalMessage("No.", "full"), Readiness(("Cyd",)), m.Notice("Yes.")):
                server.app.outbox.send(program.link.handler.person.id, message)
        await asyncio.sleep(0.1)
        return [program.objects for program in programs]

    notice = {"type": "notice", "text": "Yes."}
    assert [
        [{"type": "refused", "text": "No."}, notice],
        [
            {"type": "refused", "text": "No.", "code": "full", "id": None, "about": None},
            {"type": "readiness", "ready": ["Cyd"]},
            notice,
        ],
    ] == told(scenario)


def test_a_field_of_a_game_that_is_new_is_read_in_protocol_2_alone():
    """In views and in events.  What is secret is gone from both."""

    async def scenario(server: SimServer) -> Any:
        programs = [server.person(name, is_program=True, json_protocol=number)
                    for name, number in (("Ann", 1), ("Bob", 2))]  # fmt: skip
        ann, bob = programs
        for program, line in (
            (ann, "open words manifests=fresh"), (bob, "sit 1"), (bob, "ready"), (ann, "start"),
            (ann, "look"), (bob, "look"),
        ):  # fmt: skip
            await asyncio.sleep(0.2)
            program.type(line)
        await asyncio.sleep(0.2)
        return [program.objects for program in programs]

    settings = {"kind", "target", "level", "rounds", "hints"}
    for objects, keys in zip(told(scenario), (settings, settings | {"has_fresh"}), strict=True):
        begun = next(one["event"] for one in objects if one["type"] == "event")
        views = [one["view"] for one in objects if one["type"] == "view"]
        views = [one["constants"] for one in objects if one["type"] == "game"] or views
        for held in (begun, *views):
            assert keys == held["settings"].keys() and [] == held["box"]["manifests"]
