"""Values as plain data and back: what a record, a scenario or a test can write as JSON.

Rule 1: a frozen dataclass is a dict of its fields with its class name under "kind"; a tuple is a
        list; str, int, bool and None stand for themselves.  Nothing else is plain.
Rule 2: `from_json_value` trusts nothing: the kind must be one that was offered, every field must be
        known and fit its type, and what is wrong is said as a ValueError.
Rule 3: from_json_value(type_registry(type(x)), to_json_value(x)) == x, also with JSON in between.
Rule 4: what programs read in protocol 1 is frozen.  A field that is newer has a default and the
        metadata `SINCE_2`, a class that is newer has `since = 2`, and protocol 1 has neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

JsonValue = Any
"""None, bool, int, str, a list of these, or a dict from str to these."""

KnownIds = Mapping[type[Any], frozenset[str]]
"""Values by class and `id`."""

NOTHING: KnownIds = MappingProxyType({})

TypeRegistry = Mapping[str, type[Any]]
"""Dataclasses by class name."""

NEWEST = 2  # protocol for programs
SINCE_2: Mapping[str, int] = MappingProxyType({"since": 2})
"""The metadata of a field that protocol 1 does not have."""


def to_json_value(value: object, protocol: int = NEWEST, known: KnownIds = NOTHING) -> JsonValue:
    """Plain data for *value*; TypeError if it holds anything that rule 1 does not name.

    Args:
        known: What the reader has whole already: it is written as its id.
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, tuple | list):
        return [x if type(x) in _AS_IS else to_json_value(x, protocol, known) for x in value]
    kind: Any = type(value)
    if kind in known and (own_id := value.id) in known[kind]:  # type: ignore[attr-defined]
        return own_id
    found: dict[str, JsonValue] = {"kind": kind.__name__}
    for name in _names(kind, protocol):
        part = getattr(value, name)
        found[name] = part if type(part) in _AS_IS else to_json_value(part, protocol, known)
    return found


def known_ids(*values: object) -> KnownIds:
    """All that *values* hold and that has an `id`, themselves left out."""
    found: dict[type[Any], set[str]] = {}
    to_visit: list[Any] = list(values)
    while to_visit:
        value = to_visit.pop()
        if isinstance(value, tuple | list):
            to_visit.extend(value)
        elif is_dataclass(value):
            if isinstance(own_id := getattr(value, "id", None), str):
                found.setdefault(type(value), set()).add(own_id)
            to_visit.extend(getattr(value, field.name) for field in fields(value))
    return {kind: frozenset(ids) for kind, ids in found.items()}


_AS_IS = frozenset((str, int, bool, NoneType))
"""Not worth a call: a view of words has four hundred texts and numbers."""


def field_names(kind: Any, protocol: int) -> tuple[str, ...]:
    """The fields of a dataclass that *protocol* has."""
    return _names(kind, protocol)


@cache
def _names(kind: type[Any], protocol: int) -> tuple[str, ...]:
    """Of few classes: asked for at each card of each view."""
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is not plain data")
    return tuple(field.name for field in fields(kind) if field.metadata.get("since", 1) <= protocol)


def is_known(kind: type[Any], protocol: int) -> bool:
    """Whether *protocol* has values of this class."""
    since: int = getattr(kind, "since", 1)
    return since <= protocol


def type_registry(*types: type[Any], protocol: int = NEWEST) -> TypeRegistry:
    """*types* and all dataclasses that their fields mention in *protocol*, by class name."""
    found: dict[str, type[Any]] = {}
    to_visit: list[Any] = list(types)
    while to_visit:
        hint = _unwrap_newtype(to_visit.pop())
        if not _is_kind(hint):
            to_visit.extend(get_args(hint))
        elif hint.__name__ not in found:
            found[hint.__name__] = hint
            hints = _hints(hint)
            to_visit.extend(hints[name] for name in _names(hint, protocol))
        elif found[hint.__name__] is not hint:
            raise TypeError(f"two kinds are called {hint.__name__}")
    return MappingProxyType(found)


def from_json_value(kinds: TypeRegistry, raw: JsonValue) -> Any:
    """The dataclass that *raw* describes.

    Args:
        kinds: What *raw* and the values inside it may be; see `type_registry`.
        raw: A dict with "kind", as `to_json_value` made it.

    Raises:
        ValueError: Not such a dict, an unknown kind or field, a missing field, a wrong type.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("kind"), str):
        raise ValueError('expected an object with a "kind"')
    name = raw["kind"]
    kind: Any = kinds.get(name)
    if kind is None:
        raise ValueError(f"{name!r} is not one of {', '.join(sorted(kinds))}")
    hints = _hints(kind)
    given = {key: value for key, value in raw.items() if key != "kind"}
    if unknown := sorted(given.keys() - hints.keys()):
        raise ValueError(f"{name} has no {unknown[0]!r}")
    if missing := sorted(_needed(kind) - given.keys()):
        raise ValueError(f"{name} lacks {missing[0]!r}")
    try:
        return kind(**{key: _read(kinds, hints[key], value) for key, value in given.items()})
    except _TypeMismatch as unfit:
        raise ValueError(f"{name}: {unfit}") from None


class _TypeMismatch(Exception):
    """The value is not of the type that the field declares."""


def _read(kinds: TypeRegistry, hint: Any, raw: JsonValue) -> Any:
    hint = _unwrap_newtype(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any or (hint in (str, int, bool, NoneType) and type(raw) is hint):
        return raw
    if origin is Literal and raw in inner:
        return raw
    if origin in (Union, UnionType):
        for choice in inner:
            try:
                return _read(kinds, choice, raw)
            except _TypeMismatch:
                continue
    if origin is tuple and isinstance(raw, list):
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(_read(kinds, inner[0], item) for item in raw)
        if len(inner) == len(raw):
            return tuple(_read(kinds, of, item) for of, item in zip(inner, raw, strict=True))
    if _is_kind(hint) and isinstance(raw, dict) and raw.get("kind") == hint.__name__:
        return from_json_value(kinds, raw)
    raise _TypeMismatch(f"{raw!r:.40} is no {getattr(hint, '__name__', hint)}")


def _unwrap_newtype(hint: Any) -> Any:
    return _unwrap_newtype(hint.__supertype__) if isinstance(hint, NewType) else hint


def _is_kind(hint: Any) -> bool:
    return isinstance(hint, type) and is_dataclass(hint)


@cache
def _needed(kind: type[Any]) -> frozenset[str]:
    """The fields without a default."""
    needed = (f for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING)
    return frozenset(f.name for f in needed)


@cache
def _hints(kind: type[Any]) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return MappingProxyType({f.name: hints[f.name] for f in fields(kind)})
