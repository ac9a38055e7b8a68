"""Records as bytes and back.

Rule 1: a body is JSON, so that an operator can read it in the database.
Rule 2: the plain values of a variant travel as `[class name, fields]` and come back by the
        types the variant declares: nothing in a journal can name any other class.
Rule 3: decode(encode(record)) == record.  [DUR-4]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from mudserver.errors import JournalCorruptError
from mudserver.tables.records import AnyFact, Dealt, Opened, OptionsSet, Played, Record
from variants.catalogue import AnyVariant
from variants.contract import renamed


class _Body(msgspec.Struct, frozen=True):
    at_ms: int
    facts: tuple[AnyFact, ...]


class _FirstBody(msgspec.Struct, frozen=True):
    facts: tuple[msgspec.Raw, ...]


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Body)


def encode(record: Record) -> bytes:
    return _encoder.encode(_Body(record.at_ms, tuple(_plain(fact) for fact in record.facts)))


def decode(sequence: int, body: bytes, variant: AnyVariant) -> Record:
    """Raises JournalCorruptError if *body* is no record of a table of this variant."""
    try:
        stored = _decoder.decode(body)
        return Record(sequence, stored.at_ms, tuple(_typed(f, variant) for f in stored.facts))
    except (msgspec.MsgspecError, KeyError, ValueError) as exc:
        raise JournalCorruptError(f"record {sequence} cannot be read: {exc}") from exc


def variant_name(first_body: bytes) -> str:
    """The name of the table's game, from its first record."""
    try:
        facts = msgspec.json.decode(first_body, type=_FirstBody).facts
        return msgspec.json.decode(facts[0], type=Opened).variant
    except (msgspec.MsgspecError, IndexError) as exc:
        raise JournalCorruptError(f"the first record opens no table: {exc}") from exc


def _plain(fact: AnyFact) -> AnyFact:
    if isinstance(fact, Played):
        return replace(fact, action=_named(fact.action), events=_all_named(fact.events))
    if isinstance(fact, Dealt):
        return replace(fact, events=_all_named(fact.events))
    return fact


def _named(value: Any) -> tuple[str, Any]:
    return type(value).__name__, value


def _all_named(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(_named(value) for value in values)


def _typed(fact: AnyFact, variant: AnyVariant) -> AnyFact:
    if isinstance(fact, Opened | OptionsSet):
        game = renamed(variant.options, fact.options.game)
        return replace(fact, options=replace(fact.options, game=game))
    if isinstance(fact, Played | Dealt):
        events = _kinds(variant.event_types)
        fact = replace(
            fact, events=tuple(msgspec.convert(raw, events[kind]) for kind, raw in fact.events)
        )
    if isinstance(fact, Played):
        kind, raw = fact.action
        fact = replace(fact, action=msgspec.convert(raw, _kinds(variant.action_types)[kind]))
    return fact


@cache
def _kinds(types: tuple[type[Any], ...]) -> Mapping[str, type[Any]]:
    return {kind.__name__: kind for kind in types}
