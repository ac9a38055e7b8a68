"""The protocols for programs as JSON Schemas, made from the classes that are encoded.

Rule 1: nothing is written down twice: the objects are those of `json_protocol.OBJECTS`, the
        contents of a view or an event are the types that a variant names.  A key that is sent and
        not in the schema, or the other way round, fails a test.
Rule 2: every key is always sent.  Protocol 1 is exact: no other key is.  Protocol 2 may have more
        in a later version.

`mudserver schema > docs/protocol.schema.json` regenerates a file in `docs/`, and
`mudserver schema --protocol 2 > docs/protocol-2.schema.json` the other one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import msgspec

from mudserver.session import json_objects, json_protocol
from mudserver.transport.link import JsonProtocol
from variants.catalogue import AnyVariant, Catalogue
from variants.kit.json_values import field_names, is_known, type_registry

DIALECT = "https://json-schema.org/draft/2020-12/schema"
JSON_TYPE_NAMES = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}

Schema = dict[str, Any]


def protocol_schema(games: Catalogue, protocol: JsonProtocol = 1) -> Schema:
    """The schema of an object that a program reads; one that it writes is `#/$defs/Line`."""
    objects = {json_protocol.schema_name(kind): kind for kind in json_protocol.OBJECTS[protocol]}
    defs = _written(protocol)
    for name, kind in objects.items():
        defs.update(_struct(name, kind))
    for name, key in (("View", "view"), ("Event", "event")):
        defs[name]["oneOf"] = [
            _in_place(game, key, _kinds_held(game, key, protocol)) for game in games.values()
        ]
    for game in games.values():
        defs.update(_kinds(game, protocol))
    if protocol != 1:
        _open_all(defs)
    return {
        "$schema": DIALECT,
        "title": f"Lockdown for programs, protocol {protocol}",
        "description": "One line that a program reads. One that it writes is #/$defs/Line.",
        "oneOf": [_ref(name) for name in objects],
        "$defs": defs,
    }


def schema_json(games: Catalogue, protocol: JsonProtocol = 1) -> str:
    schema = protocol_schema(games, protocol)
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _written(protocol: JsonProtocol) -> dict[str, Schema]:
    if protocol == 1:
        return _struct("Line", json_objects.Line)
    kinds = (json_objects.LineSince2, json_objects.Ping)
    components = [msgspec.json.schema_components([kind])[1][kind.__name__] for kind in kinds]
    return {"Line": {"title": "Line", "oneOf": components}}


def _open_all(schema: Any) -> None:
    """A later version may send more keys."""
    if isinstance(schema, dict):
        if schema.get("additionalProperties") is False and "oneOf" not in schema:
            del schema["additionalProperties"]
        for key, inner in schema.items():
            if key != "Line":
                _open_all(inner)
    elif isinstance(schema, list):
        for inner in schema:
            _open_all(inner)


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _struct(name: str, kind: type[msgspec.Struct]) -> dict[str, Schema]:
    """The schema of a class whose keys are all sent, also those with a default; then those of the
    classes that it holds."""
    _, components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    found: dict[str, Schema] = {}
    for part, made in components.items():
        for key in made["properties"].values():
            key.pop("default", None)
        is_own = part == kind.__name__
        named = {"title": name if is_own else part}
        exact = {"required": [*made["properties"]], "additionalProperties": False}
        found[name if is_own else part] = made | named | exact
    return found


def _in_place(game: AnyVariant, key: str, kinds: Any) -> Schema:
    """In the objects of this game *key* holds one of *kinds*."""
    refs = [_ref(f"{game.name}.{kind.__name__}") for kind in kinds]
    held = refs[0] if len(refs) == 1 else {"oneOf": refs}
    return {"properties": {"variant": {"const": game.name}, key: held}}


def _kinds_held(game: AnyVariant, key: str, protocol: JsonProtocol) -> list[type[Any]]:
    """The classes of what *key* holds: the view, or those events that the protocol has."""
    if key == "view":
        return [game.view_type]
    return [kind for kind in game.event_types if is_known(kind, protocol)]


def _kinds(game: AnyVariant, protocol: JsonProtocol) -> Iterator[tuple[str, Schema]]:
    """The name and schema of each type that views and events of a game hold."""
    held = (game.view_type, *_kinds_held(game, "event", protocol))
    for name, kind in type_registry(*held, protocol=protocol).items():
        hints = get_type_hints(kind)
        own = {key: _typed(hints[key], game.name, protocol) for key in field_names(kind, protocol)}
        if kind is game.view_type and protocol != 1:
            own = {key: typed for key, typed in own.items() if key not in game.constants}
        doc = (kind.__doc__ or "").strip()
        is_generated = doc.startswith(f"{name}(")  # by `dataclass`
        description = {} if is_generated else {"description": " ".join(doc.split())}
        yield (
            f"{game.name}.{name}",
            {
                **description,
                "type": "object",
                "properties": {"kind": {"const": name}, **own},
                "required": ["kind", *own],
                "additionalProperties": False,
            },
        )


def _typed(hint: Any, game: str, protocol: JsonProtocol) -> Schema:
    """The schema of a field in plain data; see `variants.kit.json_values`."""
    origin, inner = get_origin(hint), get_args(hint)
    if isinstance(hint, NewType):
        return _typed(hint.__supertype__, game, protocol)
    if hint in JSON_TYPE_NAMES:
        return {"type": JSON_TYPE_NAMES[hint]}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType):
        return {"anyOf": [_typed(choice, game, protocol) for choice in inner]}
    if origin is tuple and inner[-1] is Ellipsis:
        return {"type": "array", "items": _typed(inner[0], game, protocol)}
    if origin is tuple:
        items = [_typed(each, game, protocol) for each in inner]
        count = len(items)
        return {"type": "array", "prefixItems": items, "minItems": count, "maxItems": count}
    whole = _ref(f"{game}.{hint.__name__}")
    if protocol != 1 and "id" in field_names(hint, protocol):
        return {"anyOf": [{"type": "string", "description": "of what the constants hold"}, whole]}
    return whole
