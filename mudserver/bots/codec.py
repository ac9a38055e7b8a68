"""The frames on the pipe between the pool and a process of computer players.

Rule 1: a frame is four bytes of length, big-endian, and so many bytes of msgpack.  Both ends
        refuse a length over the bound before they read a byte of it.
Rule 2: an event or an action travels as (class name, fields), and only classes that the variant
        declares are decoded; every field is checked against its declared type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from variants.catalogue import AnyVariant
from variants.kit.chance import SEED_BYTES

FILES_BYTES_MAX = 128 * 1024 * 1024  # all data files of the games
QUESTION_BYTES_MAX = 4 * 1024 * 1024  # a view and all events of a seat in one game
REPLY_BYTES_MAX = 64 * 1024  # one action, or one line about what went wrong
LENGTH_BYTES = 4

Tagged = tuple[str, msgspec.Raw]


class Question(msgspec.Struct, frozen=True, array_like=True):
    number: int  # counts up from 1; the reply repeats it
    variant: str
    level: str
    seed: bytes
    view: msgspec.Raw
    seen: list[Tagged]
    played: Tagged | None = None  # what is asked for is an action better than this one


class Reply(msgspec.Struct, frozen=True, array_like=True):
    number: int  # 0: no question was asked, the process is ready
    action: Tagged | None = None  # None, and no error: nothing is better
    error: str = ""  # class and location, never the text: it may name cards [SEC-7]
    gain: float = 0.0  # by how much the action is better


class FrameTooLong(Exception):
    """A frame over its bound: bytes, bound."""


def files_frame(files: Mapping[str, bytes]) -> bytes:
    """The first frame to a process: the data files by key.  Raises FrameTooLong."""
    return _framed(encode(dict(files)), FILES_BYTES_MAX)


def question_frame(
    number: int, variant: str, level: str, seed: bytes, view: Any, seen: Sequence[Any],
    played: Any = None,
) -> bytes:  # fmt: skip
    """The frame of a `Question`, encoded at once.  Raises FrameTooLong."""
    named = [(type(event).__name__, event) for event in seen]
    tagged = None if played is None else (type(played).__name__, played)
    return _framed(encode((number, variant, level, seed, view, named, tagged)), QUESTION_BYTES_MAX)


def reply_frame(reply: Reply) -> bytes:
    """Raises FrameTooLong."""
    return _framed(encode(reply), REPLY_BYTES_MAX)


def _framed(body: bytes, bytes_max: int) -> bytes:
    if len(body) > bytes_max:
        raise FrameTooLong(len(body), bytes_max)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def body_length(head: bytes, bytes_max: int) -> int:
    """Bytes that follow *head* (LENGTH_BYTES of them).  Raises FrameTooLong."""
    length = int.from_bytes(head, "big")
    if length > bytes_max:
        raise FrameTooLong(length, bytes_max)
    return length


encode = msgspec.msgpack.Encoder().encode
decode_files = msgspec.msgpack.Decoder(dict[str, bytes]).decode
decode_question = msgspec.msgpack.Decoder(Question).decode
decode_reply = msgspec.msgpack.Decoder(Reply).decode


def seed_bytes(seed: int) -> bytes:
    """A seed for `SeededChance`, from any integer."""
    return (seed % (1 << 8 * SEED_BYTES)).to_bytes(SEED_BYTES, "big")


def encode_action(action: Any) -> Tagged:
    return type(action).__name__, msgspec.Raw(encode(action))


class Codec:
    """Decodes views, events and actions of one variant.

    Raises:
        msgspec.ValidationError: The bytes do not fit what the variant declares.
    """

    def __init__(self, variant: AnyVariant) -> None:
        self._view = msgspec.msgpack.Decoder(variant.view_type)
        self._events = _decoders(variant.event_types)
        self._actions = _decoders(variant.action_types)

    def view(self, raw: msgspec.Raw) -> Any:
        return self._view.decode(raw)

    def events(self, tagged: Sequence[Tagged]) -> list[Any]:
        return [_unpacked(self._events, one) for one in tagged]

    def action(self, tagged: Tagged) -> Any:
        return _unpacked(self._actions, tagged)


def _decoders(types: Sequence[type[Any]]) -> dict[str, msgspec.msgpack.Decoder[Any]]:
    return {kind.__name__: msgspec.msgpack.Decoder(kind) for kind in types}


def _unpacked(decoders: dict[str, msgspec.msgpack.Decoder[Any]], tagged: Tagged) -> Any:
    name, raw = tagged
    if name not in decoders:
        raise msgspec.ValidationError(f"no class {name!r} in this variant")
    return decoders[name].decode(raw)
