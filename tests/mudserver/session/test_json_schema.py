"""The schema in docs/ is what the code speaks, and whole games of every variant are in it."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mudserver.messages import WireMessage, WireObject
from mudserver.session import json_protocol
from mudserver.session.json_schema import protocol_schema, schema_json
from mudserver.transport.link import JsonProtocol
from tests.programs import PACE_S, Reader, opening, played
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world
from tests.slow_cases import slow_cases
from variants.catalogue import CATALOGUE

DOCS = Path(__file__).parents[3] / "docs"
FILES: dict[JsonProtocol, Path] = {
    1: DOCS / "protocol.schema.json",
    2: DOCS / "protocol-2.schema.json",
}
SHIPPED = {number: json.loads(file.read_text("utf-8")) for number, file in FILES.items()}
PROTOCOLS = pytest.mark.parametrize("protocol", FILES)
OLDER = [str((game, 1)) for game in ("stockpile", "words")]
"""Long games in the protocol that the newer one contains."""


@lru_cache(None)
def validator(definition: str = "", protocol: JsonProtocol = 1) -> Draft202012Validator:
    """Of one kind of object: `oneOf` in the whole schema would try all of them on each."""
    ref, shipped = f"#/$defs/{definition}" if definition else "#", SHIPPED[protocol]
    return Draft202012Validator(shipped | {"oneOf": [{"$ref": ref}]} if definition else shipped)


def definition_of(made: dict[str, Any]) -> str:
    return "".join(word.capitalize() for word in made["type"].split("_"))


OWN_END = re.compile(r"You (went out|stayed in|won by|were)|Nobody else was left").match


def assert_valid(made: dict[str, Any], protocol: JsonProtocol = 1) -> None:
    error = next(validator(definition_of(made), protocol).iter_errors(made), None)
    assert error is None, f"{error.message[:300]} at {error.json_path} of a {made['type']}"


@PROTOCOLS
def test_the_file_is_made_from_the_code(protocol):
    assert schema_json(CATALOGUE, protocol) == FILES[protocol].read_text("utf-8"), (
        f"make it anew: mudserver schema --protocol {protocol} > docs/{FILES[protocol].name}"
    )


@PROTOCOLS
def test_it_is_a_json_schema_and_knows_every_type(protocol):
    shipped = SHIPPED[protocol]
    Draft202012Validator.check_schema(shipped)
    names = [json_protocol.schema_name(kind) for kind in json_protocol.OBJECTS[protocol]]
    assert [f"#/$defs/{name}" for name in names] == [each["$ref"] for each in shipped["oneOf"]]
    kinds = {*WireObject.__subclasses__(), *WireMessage.__subclasses__()} - {WireMessage}
    listed = {kind for kinds in json_protocol.OBJECTS.values() for kind in kinds}
    assert {kind for kind in kinds if kind.__module__.startswith("mudserver.")} <= listed


@cache
def whole_game(game: str, protocol: JsonProtocol) -> tuple[Reader, Reader, str]:
    """A player and a watcher who have read all of a game, and its result."""

    async def scenario() -> Any:
        server = await SimServer(new_world(7)).open()
        watcher = Reader(server.person("Wim", is_program=True, json_protocol=protocol))
        play = asyncio.create_task(played(server, game, 7, protocol), name="sim")
        await asyncio.sleep(3 * PACE_S)
        watcher.program.type("watch 1")
        player, result = await play
        for line in ("history", "look", "record"):
            watcher.program.type(line)
            await asyncio.sleep(PACE_S)
        list(watcher.fresh())
        return player, watcher, result

    return virtual.run(scenario())


def some(objects: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The first of each kind, and one in four of the others."""
    seen = Counter[str]()
    for each in objects:
        kind = each["event"]["kind"] if each["type"] == "event" else each["type"]
        if seen[kind] % 4 == 0:
            yield each
        seen[kind] += 1


@pytest.mark.parametrize(("game", "protocol"), slow_cases(product(sorted(CATALOGUE), FILES), OLDER))
def test_whole_games_are_in_the_schema_for_players_and_watchers(game, protocol):
    player, watcher, result = whole_game(game, protocol)
    assert result.startswith("Game over: ")
    for reader in (player, watcher):
        kinds = {each["type"] for each in reader.objects}
        assert {"hello", "place", "view", "event", "over", "announced", "notice"} <= kinds
        for each in some(reader.objects):
            assert_valid(each, protocol)
    reasons = [
        [
            each["text"]
            for each in reader.objects
            if each["type"] == "notice" and OWN_END(each["text"])
        ]
        for reader in (player, watcher)
    ]
    assert [1, 0] == list(map(len, reasons)), reasons  # what decided it, for who has played
    seats = {each["seat"] for each in watcher.objects if each["type"] in ("view", "event")}
    assert {None} == seats
    assert any(each.get("moves") for each in player.objects)
    assert not any(each.get("moves") for each in watcher.objects)
    events = {each["event"]["kind"] for each in player.objects if each["type"] == "event"}
    assert len(events) >= min(8, len(CATALOGUE[game].event_types) // 2), events


def test_every_type_of_object_is_in_the_schema():
    read: set[str] = set()
    for each in everything():
        assert_valid(each)
        validator().validate(each)
        read.add(each["type"])
    assert set(map(json_protocol.type_name, json_protocol.OBJECTS[1])) == read


def everything() -> Iterator[dict[str, Any]]:
    """A run in which an object of every type is read."""

    async def scenario() -> list[dict[str, Any]]:
        server = await SimServer(new_world(1)).open()
        ann, bob = [Reader(server.person(name, is_program=True)) for name in ("Ann", "Bob")]
        await asyncio.sleep(PACE_S)
        for line in ("say hello", "me waves", "tell ann psst", "xyzzy", "help", "password", ""):
            bob.program.type(line)
            await asyncio.sleep(PACE_S)
        ann.program.link.is_stalled = True
        ann.program.link.send(b"\n" * 65_537)
        bob.program.type("say are you there")
        await asyncio.sleep(PACE_S)
        ann.program.link.read_on()
        await asyncio.sleep(PACE_S)
        for line in (f"open {opening('elimination')}", "bot 1", "start", "manifest new"):
            ann.program.type(line)
            await asyncio.sleep(PACE_S)
        for _ in range(300):
            list(ann.fresh())
            last = ann.objects[-1]
            ann.program.type(last["moves"][0] if last.get("moves") else "look")
            await asyncio.sleep(PACE_S)
            if any(each["type"] == "over" for each in ann.objects):
                break
        ann.program.type("quit")
        await asyncio.sleep(PACE_S)
        list(ann.fresh()), list(bob.fresh())
        return ann.objects + bob.objects

    yield from virtual.run(scenario())


@pytest.mark.parametrize("wrong", [
    {"type": "notice"},
    {"type": "notice", "text": 1},
    {"type": "notice", "text": "a", "secret": "b"},
    {"type": "unheard", "text": "a"},
    {"type": "view", "table": 1},
])  # fmt: skip
def test_what_is_not_in_the_schema_is_found(wrong):
    assert not validator().is_valid(wrong)


def test_a_view_of_one_game_is_none_of_another():
    view = next(each for each in everything() if each["type"] == "view")
    assert validator("View").is_valid(view)
    for change in ({"variant": "stockpile"}, {"view": view["view"] | {"seat": True}},
                   {"view": view["view"] | {"deck_order": []}}):  # fmt: skip
        assert not validator("View").is_valid(view | change)


def test_what_a_program_writes_is_in_the_schema():
    line = Draft202012Validator(SHIPPED[1]["$defs"]["Line"])
    assert line.is_valid({"line": "who"})
    for wrong in ({}, {"line": 1}, {"line": "who", "id": 1}, "who"):
        assert not line.is_valid(wrong)


def test_a_schema_can_be_made_of_any_catalogue():
    assert "elimination.View" not in protocol_schema({"words": CATALOGUE["words"]})["$defs"]


def test_what_a_program_writes_in_protocol_2_is_in_its_schema():
    line = Draft202012Validator(SHIPPED[2]["$defs"]["Line"])
    for right in ({"line": "who"}, {"line": "a", "id": "1", "question": "1.1.1.0"}, {"ping": "x"}):
        assert line.is_valid(right)
    for wrong in ({}, {"line": 1}, {"line": "who", "id": 1}, {"line": "who", "ping": "x"}, "who"):
        assert not line.is_valid(wrong)


VIEW_BYTES_MAX = 1_536


@pytest.mark.parametrize("game", sorted(CATALOGUE))
def test_a_view_is_small(game):
    """Half of them are below the bound, with `moves` and all."""
    reader, _, _ = whole_game(game, 2)
    views = [each for each in reader.objects if each["type"] == "view"]
    sizes = sorted(len(json.dumps(each, separators=(",", ":"))) for each in views)
    print(game, "view p50", sizes[len(sizes) // 2], "of", len(sizes), "most", sizes[-1])
    assert sizes[len(sizes) // 2] < VIEW_BYTES_MAX
    (constants,) = [each["constants"] for each in reader.objects if each["type"] == "game"]
    assert {*constants} == {*CATALOGUE[game].constants}
    assert all(constants.keys().isdisjoint(each["view"]) for each in views)
