"""What an active server and its standby say to each other, over the control socket.

Rule 1: a message is its length, four bytes, and msgpack.  Fields are only ever appended, with
        defaults: the two may be a release apart.
Rule 2: lengths are bounded.  What does not decode ends the conversation.
"""

from __future__ import annotations

import asyncio
import struct
from typing import NamedTuple

import msgspec

MESSAGE_BYTES_MAX = 67_108_864
UNSENT_BYTES_MAX = 33_554_432  # that a standby has not taken; then it is left alone

_LENGTH = struct.Struct("<I")


class FedRecord(NamedTuple):
    """A record that has just been written."""

    stream: str
    sequence: int
    at_ms: int
    body: bytes
    closes: bool


class Message(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """One of the classes below, by its name."""


class Hello(Message, frozen=True):
    """The standby says first who it is."""

    version: str  # of the program
    pid: int
    schema: int  # of the journal, that it writes
    protocols: tuple[int, int]  # of doors
    capsules: tuple[int, int]


class Refused(Message, frozen=True):
    """There will be no feed; why."""

    why: str


class Begun(Message, frozen=True):
    """Records of a stream from its first one that is left, a long stream in parts."""

    stream: str
    records: tuple[tuple[int, int, bytes], ...]  # sequence, UTC ms, body
    last_hash: bytes  # of the last record of the last part


class Added(Message, frozen=True):
    records: tuple[FedRecord, ...]  # in the order of writing


class Removed(Message, frozen=True):
    """Streams were removed whole: what was folded of them has to be forgotten."""


class Round(Message, frozen=True):
    """Everything that was written up to this time has been sent."""

    at_ms: int
    doors: tuple[tuple[str, int, int], ...]  # name, and protocols from oldest to newest


class State(Message, frozen=True):
    """Of the standby."""

    not_ready: str  # why; "": it is ready


class TakeOver(Message, frozen=True):
    """Will you?"""


class Willing(Message, frozen=True):
    unwilling: str = ""  # why not


class Again(Message, frozen=True):
    """Run the program that is installed now, from its beginning."""


class Released(Message, frozen=True):
    """The lock is free, the journal closed."""

    sessions: int = 0  # that will go on


class Taken(Message, frozen=True):
    """The standby has the lock, has folded everything, and has written nothing yet."""

    not_taken: str = ""  # why it has not


class GoOn(Message, frozen=True):
    """Listen for doors; write."""


class Listening(Message, frozen=True):
    """Doors may come."""


class GiveUp(Message, frozen=True):
    """Let the lock go again."""


class Resumed(Message, frozen=True):
    """The sessions of the doors go on."""

    sessions: int
    at_ms: int  # when the last one did


AnyMessage = (
    Hello
    | Refused
    | Begun
    | Added
    | Removed
    | Round
    | State
    | TakeOver
    | Willing
    | Again
    | Released
    | Taken
    | GoOn
    | Listening
    | GiveUp
    | Resumed
)

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(AnyMessage).decode


class Line:
    """One end of the conversation."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def say(self, *messages: AnyMessage) -> None:
        """Never waits.  ConnectionError: the other side takes too little."""
        for message in messages:
            body = _encode(message)
            if len(body) > MESSAGE_BYTES_MAX:
                raise ConnectionError("a message is too long")
            self._writer.write(_LENGTH.pack(len(body)) + body)
        if self._writer.transport.get_write_buffer_size() > UNSENT_BYTES_MAX:
            raise ConnectionError("the other side takes too little")

    async def drained(self) -> None:
        """Wait until the other side takes more."""
        await self._writer.drain()

    async def hear(self) -> AnyMessage:
        """The next message.  ConnectionError: there will be none."""
        try:
            (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            if length > MESSAGE_BYTES_MAX:
                raise ConnectionError(f"a message of {length} bytes")
            heard: AnyMessage = _decode(await self._reader.readexactly(length))
            return heard
        except asyncio.IncompleteReadError:
            raise ConnectionError("the other side has gone") from None
        except msgspec.DecodeError as exc:
            raise ConnectionError(f"a message that does not decode: {exc}") from None

    def close(self) -> None:
        self._writer.close()
