"""The protocol of programs as a JSON Schema, made from the classes that speak it.

Rule 1: nothing is written down twice: objects come from `objects.py`, what stands in a view or an
        event from the types that a variant names.  A key that is sent and not in the schema, or
        the other way round, fails a test.
Rule 2: the schema says exactly what this version sends.  A later one may send more: programs ignore
        keys and types that they do not know.

`mudserver schema > docs/protocol.schema.json` makes the file in `docs/` anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import msgspec

from mudserver.session import json_protocol
from variants.catalogue import AnyVariant, Catalogue
from variants.kit.json_values import type_registry

DIALECT = "https://json-schema.org/draft/2020-12/schema"
JSON_TYPE_NAMES = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}

Schema = dict[str, Any]


def protocol_schema(games: Catalogue) -> Schema:
    """What a program reads; what it writes is `#/$defs/Line`."""
    types: tuple[type[msgspec.Struct], ...] = (json_protocol.Line, *json_protocol.OBJECTS)
    _, components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    defs: dict[str, Schema] = {}
    for made in types:
        defs[made.__name__] = components[made.__name__] | {"additionalProperties": False}
    defs["View"]["oneOf"] = [_in_place(game, "view", [game.view_type]) for game in games.values()]
    defs["Event"]["oneOf"] = [_in_place(game, "event", game.event_types) for game in games.values()]
    for game in games.values():
        defs.update(_kinds(game))
    return {
        "$schema": DIALECT,
        "title": f"Lockdown for programs, protocol {json_protocol.PROTOCOL}",
        "description": "One line that a program reads. One that it writes is #/$defs/Line.",
        "oneOf": [_ref(made.__name__) for made in json_protocol.OBJECTS],
        "$defs": defs,
    }


def schema_json(games: Catalogue) -> str:
    return json.dumps(protocol_schema(games), indent=1, ensure_ascii=False) + "\n"


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _in_place(game: AnyVariant, key: str, kinds: Any) -> Schema:
    """Of a game, *key* holds one of *kinds*."""
    refs = [_ref(f"{game.name}.{kind.__name__}") for kind in kinds]
    held = refs[0] if len(refs) == 1 else {"oneOf": refs}
    return {"properties": {"variant": {"const": game.name}, key: held}}


def _kinds(game: AnyVariant) -> Iterator[tuple[str, Schema]]:
    """Every kind of plain data that views and events of a game hold."""
    for name, kind in type_registry(game.view_type, *game.event_types).items():
        hints = get_type_hints(kind)
        own = {field.name: _typed(hints[field.name], game.name) for field in fields(kind)}
        about = (kind.__doc__ or "").strip()
        says = {} if about.startswith(f"{name}(") else {"description": " ".join(about.split())}
        yield (
            f"{game.name}.{name}",
            {
                **says,
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
