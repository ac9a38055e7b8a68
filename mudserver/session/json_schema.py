"""Protocol 1 for programs as a JSON Schema, made from the classes that are encoded.

Rule 1: nothing is written down twice: the objects are those of `json_protocol.OBJECTS`, the
        contents of a view or an event are the types that a variant names.  A key that is sent and
        not in the schema, or the other way round, fails a test.
Rule 2: the schema is exact: every key is always sent, and no other key is.

`mudserver schema > docs/protocol.schema.json` regenerates the file in `docs/`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import msgspec

from mudserver.session import json_protocol
from variants.catalogue import AnyVariant, Catalogue
from variants.kit.json_values import field_names, is_known, type_registry

DIALECT = "https://json-schema.org/draft/2020-12/schema"
JSON_TYPE_NAMES = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}

Schema = dict[str, Any]


def protocol_schema(games: Catalogue) -> Schema:
    """The schema of an object that a program reads; one that it writes is `#/$defs/Line`."""
    objects = {json_protocol.schema_name(kind): kind for kind in json_protocol.OBJECTS[1]}
    defs = {"Line": _struct("Line", json_protocol.Line)}
    defs.update((name, _struct(name, kind)) for name, kind in objects.items())
    defs["View"]["oneOf"] = [_in_place(game, "view", [game.view_type]) for game in games.values()]
    defs["Event"]["oneOf"] = [_in_place(game, "event", _events(game)) for game in games.values()]
    for game in games.values():
        defs.update(_kinds(game))
    return {
        "$schema": DIALECT,
        "title": "Lockdown for programs, protocol 1",
        "description": "One line that a program reads. One that it writes is #/$defs/Line.",
        "oneOf": [_ref(name) for name in objects],
        "$defs": defs,
    }


def schema_json(games: Catalogue) -> str:
    return json.dumps(protocol_schema(games), indent=1, ensure_ascii=False) + "\n"


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _struct(name: str, kind: type[msgspec.Struct]) -> Schema:
    """The schema of a class whose keys are all sent, also those with a default."""
    _, components = msgspec.json.schema_components([kind])
    made: Schema = components[kind.__name__]
    for key in made["properties"].values():
        key.pop("default", None)
    return made | {"title": name, "required": [*made["properties"]], "additionalProperties": False}


def _in_place(game: AnyVariant, key: str, kinds: Any) -> Schema:
    """In the objects of this game *key* holds one of *kinds*."""
    refs = [_ref(f"{game.name}.{kind.__name__}") for kind in kinds]
    held = refs[0] if len(refs) == 1 else {"oneOf": refs}
    return {"properties": {"variant": {"const": game.name}, key: held}}


def _events(game: AnyVariant) -> list[type[Any]]:
    """The classes of events that protocol 1 has."""
    return [kind for kind in game.event_types if is_known(kind, 1)]


def _kinds(game: AnyVariant) -> Iterator[tuple[str, Schema]]:
    """The name and schema of each type that views and events of a game hold."""
    for name, kind in type_registry(game.view_type, *_events(game), protocol=1).items():
        hints = get_type_hints(kind)
        own = {key: _typed(hints[key], game.name) for key in field_names(kind, 1)}
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


def _typed(hint: Any, game: str) -> Schema:
    """The schema of a field in plain data; see `variants.kit.json_values`."""
    origin, inner = get_origin(hint), get_args(hint)
    if isinstance(hint, NewType):
        return _typed(hint.__supertype__, game)
    if hint in JSON_TYPE_NAMES:
        return {"type": JSON_TYPE_NAMES[hint]}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType):
        return {"anyOf": [_typed(choice, game) for choice in inner]}
    if origin is tuple and inner[-1] is Ellipsis:
        return {"type": "array", "items": _typed(inner[0], game)}
    if origin is tuple:
        items = [_typed(each, game) for each in inner]
        count = len(items)
        return {"type": "array", "prefixItems": items, "minItems": count, "maxItems": count}
    return _ref(f"{game}.{hint.__name__}")
