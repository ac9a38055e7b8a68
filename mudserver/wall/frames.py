"""The frames that a door and a game server exchange.  Pure: bytes in, frames out.

    <u32 length of body> <u8 kind> <u32 connection>   little-endian, then the body

Rule 1: nothing is trusted.  A kind below 128 that this side does not read, and a body over its
        bound, end the wall before the body is waited for.  Kinds from 128 on are for later
        releases: whoever does not know them skips them.
Rule 2: `FrameWriter` gathers what one turn of the event loop has to say; it is one write.
Rule 3: what one turn shows to a connection is one frame, and equal bytes for several connections
        are one frame with one copy.  The order within each connection is kept: whatever else is for
        it comes after what it was shown before.  Packages and capsules of a turn that show the same
        come before its output, and the door does nothing with them until that has come: a crash
        between them takes both.  Output that is all of an answer says so itself (`SETTLED`), for
        the same reason.  What is longer than SEND_MAX is several frames, all but the last with
        `MORE`: the door shows none of it before the last.  One that does not know that flag, of
        an earlier release, shows each as it comes.
Rule 4: the reader keeps at most one unfinished frame.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator
from enum import IntEnum
from typing import NamedTuple

BODY_MAX = 65_536  # bytes
LARGE_BODY_MAX = 1_048_576  # bytes, of MANY and HANDSHAKE
OPTIONAL_KINDS = 128  # from here on unknown kinds are skipped
DATA_MAX = 16_384  # typed bytes in one frame
MANY_MAX = 65_535  # connections in one frame
ACKNOWLEDGE = 1  # flag of SEND and MANY: say when these bytes were taken
SETTLED = 2  # likewise: with these bytes the line that has begun is done
MORE = 4  # likewise: the next frame of this output goes on with it

_HEAD = struct.Struct("<IBI")
_OFFSET = struct.Struct("<Q")
_OFFSETS = struct.Struct("<QQ")
_SEND = struct.Struct("<IB")
_MANY = struct.Struct("<IBH")
SEND_MAX = BODY_MAX - _SEND.size  # bytes of output in one frame


class Kind(IntEnum):
    """What a frame says; the numbers never change."""

    HANDSHAKE = 1  # both: who speaks, and which protocols
    # from the door
    OPEN = 2  # a connection is ready
    DATA = 3  # what was typed
    RESIZE = 4  # the terminal as it is now
    MODULES = 6  # GMCP: whether it is agreed, and the modules asked for
    LATE = 7  # nobody logged in before the deadline
    LOST = 8  # the connection is gone
    TAKEN = 9  # bytes taken by the kernel since OPEN
    ASK = 10  # a question of SSH authentication
    TRIED = 11  # the answer to TRY
    PONG = 12
    FAILED = 13  # a failed login, for the log
    # from the game server
    ACCEPTED = 32  # the session has begun
    SEND = 33  # output for one connection
    MANY = 34  # the same output for several
    GMCP = 35  # a package
    SECRET = 36  # whether a password is typed next
    PROMPT_END = 37
    NAMED = 38  # a name was given: the longer login deadline
    ADMITTED = 39  # logged in
    TRY = 40  # may a password be tried, or: one was wrong
    CLOSE = 41
    PROGRESS = 42  # how much of the input was begun, and done
    KEEP = 43  # a capsule, and what is shown while nobody answers
    ANSWER = 44  # to ASK
    PING = 45
    LISTING = 46  # what MSSP reports
    BYE = 47  # the game server ends
    REFUSE = 48  # why there is no export
    REDIRECT = 49  # the session goes on at another game server; said to doors that know it
    # from the door; a game server that does not know them goes on without
    STATS = 128  # what the door counts
    DRAINING = 129  # the door ends, and when
    CARRY = 131  # an errand from another game server
    # from the game server; a door that does not know it goes on without
    BANS = 130  # networks from which nobody comes in
    LEAVING = 132  # the game server is about to end, and others are there


FROM_DOOR = frozenset(
    {Kind.HANDSHAKE, Kind.OPEN, Kind.DATA, Kind.RESIZE, Kind.MODULES, Kind.LATE, Kind.LOST}
    | {Kind.TAKEN, Kind.ASK, Kind.TRIED, Kind.PONG, Kind.FAILED, Kind.STATS, Kind.DRAINING}
    | {Kind.CARRY}
)
FROM_GAME = frozenset(
    {Kind.HANDSHAKE, Kind.BANS, Kind.LEAVING}
    | {kind for kind in Kind if Kind.ACCEPTED <= kind < OPTIONAL_KINDS}
)
_LARGE = frozenset({Kind.HANDSHAKE, Kind.MANY})


class FrameError(Exception):
    """What arrived is no frame; the text says why, in words for a log."""


class Frame(NamedTuple):
    kind: Kind
    connection: int  # 0: of none
    body: bytes


class FrameReader:
    """Args: known: The kinds that this side reads."""

    __slots__ = ("_known", "_rest")

    def __init__(self, known: Collection[Kind]) -> None:
        self._known = frozenset(int(kind) for kind in known)
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that *data* completes; FrameError at the first thing that is none."""
        data = self._rest + data if self._rest else data
        at, end = 0, len(data)
        while end - at >= _HEAD.size:
            length, number, connection = _HEAD.unpack_from(data, at)
            self._check(number, length)
            body_at = at + _HEAD.size
            if end - body_at < length:
                break
            at = body_at + length
            if number in self._known:
                yield Frame(Kind(number), connection, data[body_at:at])
        self._rest = data[at:]

    def _check(self, number: int, length: int) -> None:
        if number not in self._known and number < OPTIONAL_KINDS:
            raise FrameError(f"unknown kind {number}")
        bound = LARGE_BODY_MAX if number in _LARGE else BODY_MAX
        if length > bound:
            raise FrameError(f"kind {number} with {length} bytes, at most {bound}")

    @property
    def rest_bytes(self) -> int:
        """Bytes of the unfinished frame."""
        return len(self._rest)


def encode(kind: Kind, connection: int = 0, body: bytes = b"") -> bytes:
    """One frame.  AssertionError: the body is over its bound, which is a bug of the writer."""
    assert len(body) <= (LARGE_BODY_MAX if kind in _LARGE else BODY_MAX), (kind, len(body))
    return _HEAD.pack(len(body), kind, connection) + body


_Shown = tuple[bytes | list[bytes], int, int]
"""What a connection is shown in one turn, in parts if it was said so; seen, flags."""


class FrameWriter:
    """Gathers the frames of one turn."""

    __slots__ = ("_frames", "_output", "_packages")

    def __init__(self) -> None:
        self._frames: list[bytes] = []
        self._packages: list[bytes] = []  # frames of connections that have output
        self._output: dict[int, _Shown] = {}

    def __bool__(self) -> bool:
        return bool(self._frames or self._output)

    def add(self, kind: Kind, connection: int = 0, body: bytes = b"") -> None:
        if (before := self._output.pop(connection, None)) is not None:  # rule 3
            self._end_output({connection: before})
        self._frames.append(encode(kind, connection, body))

    def send(self, connection: int, data: bytes, seen: int = 0, flags: int = 0) -> None:
        """Output for a connection, of any length."""
        before = self._output.get(connection)
        if before is None:
            self._output[connection] = data, seen, flags
        else:
            parts = before[0] if isinstance(before[0], list) else [before[0]]
            parts.append(data)
            self._output[connection] = parts, seen or before[1], flags | before[2]

    def package(self, connection: int, body: bytes, kind: Kind = Kind.GMCP) -> None:
        """What waits for the output of this turn, which is said even if it is empty."""
        self._output.setdefault(connection, (b"", 0, 0))
        self._packages.append(encode(kind, connection, body))

    def mark(self, connection: int, flags: int) -> None:
        """End the output of a connection in this turn with *flags*, if it has some."""
        if (before := self._output.pop(connection, None)) is not None:
            data, seen, own_flags = before
            self._end_output({connection: (data, seen, own_flags | flags)})

    def _end_output(self, output: dict[int, _Shown]) -> None:
        if self._packages:
            self._frames += self._packages
            self._packages.clear()
        groups: dict[tuple[bytes, int, int], list[int]] = {}
        for connection, (parts, seen, flags) in output.items():
            data = b"".join(parts) if isinstance(parts, list) else parts
            groups.setdefault((data, seen, flags), []).append(connection)
        for (data, seen, flags), connections in groups.items():
            for first in range(0, len(connections), MANY_MAX):
                self._add_output(connections[first : first + MANY_MAX], data, seen, flags)

    def _add_output(self, connections: list[int], data: bytes, seen: int, flags: int) -> None:
        last = max(0, len(data) - 1) // SEND_MAX * SEND_MAX
        for at in range(0, last + 1, SEND_MAX):
            part = data[at : at + SEND_MAX]
            shown = (seen, flags) if at == last else (0, MORE)  # the last part says what is shown
            if len(connections) == 1:
                frame = encode(Kind.SEND, connections[0], encode_send(part, *shown))
            else:
                frame = encode(Kind.MANY, 0, encode_many(connections, part, *shown))
            self._frames.append(frame)

    def take(self) -> bytes:
        """All frames; the writer is empty afterwards."""
        output, self._output = self._output, {}
        self._end_output(output)
        frames, self._frames = self._frames, []
        return b"".join(frames)


# -- bodies that are no msgpack, because they are said for every key -------------------------------


class Output(NamedTuple):
    connections: tuple[int, ...]
    seen: int
    flags: int
    data: bytes


def encode_send(data: bytes, seen: int, flags: int) -> bytes:
    return _SEND.pack(seen, flags) + data


def encode_many(connections: Collection[int], data: bytes, seen: int, flags: int) -> bytes:
    count = len(connections)
    return _MANY.pack(seen, flags, count) + struct.pack(f"<{count}I", *connections) + data


def decode_output(frame: Frame) -> Output:
    """The output of a SEND or MANY."""
    try:
        if frame.kind is Kind.SEND:
            seen, flags = _SEND.unpack_from(frame.body)
            return Output((frame.connection,), seen, flags, frame.body[_SEND.size :])
        seen, flags, count = _MANY.unpack_from(frame.body)
        connections = struct.unpack_from(f"<{count}I", frame.body, _MANY.size)
        return Output(connections, seen, flags, frame.body[_MANY.size + 4 * count :])
    except struct.error as exc:
        raise FrameError(f"{frame.kind.name} that does not decode: {exc}") from None


def encode_data(offset: int, data: bytes) -> bytes:
    assert len(data) <= DATA_MAX
    return _OFFSET.pack(offset) + data


def decode_data(frame: Frame) -> tuple[int, bytes]:
    """The offset of the first byte, and the bytes."""
    offset = decode_number(frame)
    data = frame.body[_OFFSET.size :]
    if len(data) > DATA_MAX:
        raise FrameError(f"DATA with {len(data)} typed bytes, at most {DATA_MAX}")
    return offset, data


def encode_number(number: int) -> bytes:
    """The body of TAKEN, PING and PONG."""
    return _OFFSET.pack(number)


def decode_number(frame: Frame) -> int:
    try:
        return int(_OFFSET.unpack_from(frame.body)[0])
    except struct.error as exc:
        raise FrameError(f"{frame.kind.name} that does not decode: {exc}") from None


def encode_progress(begun: int, done: int) -> bytes:
    return _OFFSETS.pack(begun, done)


def decode_progress(frame: Frame) -> tuple[int, int]:
    try:
        begun, done = _OFFSETS.unpack(frame.body)
    except struct.error as exc:
        raise FrameError(f"PROGRESS that does not decode: {exc}") from None
    if done > begun:
        raise FrameError(f"PROGRESS with more done ({done}) than begun ({begun})")
    return begun, done
