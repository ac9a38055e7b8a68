"""The bodies of frames that are msgpack arrays.  Pure.

Rule 1: fields are only ever appended, with defaults: a door and a game server may be a release
        apart.  What does not decode ends the wall (`frames.FrameError`).
Rule 2: a door speaks the newest protocol and the one before it, a game server one more.  The newest
        that both speak is spoken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from mudserver.config.schema import CAPSULE_BYTES_MAX
from mudserver.protocols import ProtocolName
from mudserver.transport.link import AuthenticatedUser, JsonProtocol, NameStatus, Terminal
from mudserver.wall.frames import Frame, FrameError

PROTOCOL = 1  # the newest
DOOR_PROTOCOLS = (max(1, PROTOCOL - 1), PROTOCOL)
GAME_PROTOCOLS = (max(1, PROTOCOL - 2), PROTOCOL)

NAME_CHARS_MAX = 1_024  # as asyncssh has it
KEY_CHARS_MAX = 16_384
PASSWORD_CHARS_MAX = 4_096
BANS_MAX = 200  # networks of which a door is told, the newest
BANS_PER_FRAME = 20
BAN_CHARS_MAX = 2_000

Text = Annotated[str, Meta(max_length=64)]
Sentence = Annotated[str, Meta(max_length=NAME_CHARS_MAX)]
Number = Annotated[int, Meta(ge=0, le=2**62)]
Seconds = Annotated[float, Meta(ge=0, le=1e12)]
Word = Annotated[str, Meta(pattern="^[a-z_]{1,24}$")]  # of a figure
Figures = Annotated[dict[Word, Number], Meta(max_length=16)]
RestartKind = Literal["planned", "crash"]


ERRAND_BYTES_MAX = 512
CapsuleBytes = Annotated[bytes, Meta(max_length=CAPSULE_BYTES_MAX)]  # OPEN has room for it
Errand = Annotated[bytes, Meta(max_length=ERRAND_BYTES_MAX)]  # a line, as typed; or an object

Question = Literal[
    "name_status",
    "has_key",
    "new_key_obstacle",
    "proven_key_obstacle",
    "check_password",
    "other_keys",
    "recover",
    "register",
]


class Body(msgspec.Struct, frozen=True, array_like=True):
    """A body; see rule 1."""


class Handshake(Body, frozen=True):
    protocol_min: Number
    protocol_max: Number
    version: Text  # of the program
    name: Text  # of the door or the game server
    boot: Text  # differs at each start
    pid: Number
    fingerprint: Annotated[str, Meta(max_length=128)] = ""  # of the door's SSH host key
    settings: Mapping[str, str] = {}  # what both sides read, by name, as in the file
    state: Literal["", "active", "standby"] = ""  # of a game server
    listeners: Mapping[str, str] = {}  # addresses of a door, by name
    capsules_min: Number = 0  # versions that a game server takes up
    capsules_max: Number = 0
    redirects: bool = False  # a door that hands connections on from one game server to another

    @property
    def protocols(self) -> tuple[int, int]:
        return self.protocol_min, self.protocol_max


class Open(Body, frozen=True):
    protocol: ProtocolName
    peer: Text
    terminal: Terminal
    visit: Annotated[str, Meta(max_length=24)]
    nonce: Annotated[bytes, Meta(min_length=8, max_length=8)]
    wants_json: bool = False
    json_protocol: JsonProtocol = 1
    proven: AuthenticatedUser | None = None
    capsule: CapsuleBytes = b""
    seen: Number = 0
    retained_at: Number = 0  # offset of the first retained byte of input
    begun: Number = 0
    done: Number = 0
    queued_bytes: Number = 0
    has_waited: bool = False  # the notice of a restart was shown
    modules: tuple[tuple[Text, int], ...] | None = None  # GMCP; None: not agreed
    is_again: bool = False  # another game server has had the connection
    retained: Number = 0  # bytes of input that follow, which were typed before
    wants_export: bool = False
    wanted_game: Text = ""
    walk: Literal["", "comes", "failed"] = ""  # from another game server; or back: see `Redirect`
    table: Number = 0  # to which the walk leads, or an errand was to lead


class Redirect(Body, frozen=True):
    """Another game server has what somebody wants; the session goes on there by its capsule."""

    server: Text  # its name
    table: Number  # that is walked to
    errand: Errand  # to be carried out there; b"": to be there is all
    hops: Number  # how often the errand has been sent on, this time counted


class Carry(Body, frozen=True):
    """The errand of a connection that has been redirected, and is taken up."""

    errand: Errand
    hops: Number


class Resize(Body, frozen=True):
    terminal: Terminal


class Modules(Body, frozen=True):
    modules: Annotated[tuple[tuple[Text, int], ...], Meta(max_length=32)] | None


class Gmcp(Body, frozen=True):
    package: Text
    text: str
    waits: bool = False  # for the next output of the connection, which shows the same


class Late(Body, frozen=True):
    sentence: Sentence


class Lost(Body, frozen=True):
    why: Literal["closed", "stall", "bytes", "moved"] = "closed"  # moved: to another game server


class Admitted(Body, frozen=True):
    name: Text  # of the account; "" for a guest
    is_regular: bool


class Try(Body, frozen=True):
    request: Number
    name: Sentence  # as typed
    has_failed: bool  # a password was wrong; else: may one be tried?


class Tried(Body, frozen=True):
    request: Number
    may_go_on: bool


class Failed(Body, frozen=True):
    """A password, key or name that opened nothing."""

    name: Sentence  # as typed, so perhaps a password
    how: Literal["password", "key", "code", "name"]
    protocol: ProtocolName
    left: Number  # attempts of the source
    source: Text


class Ask(Body, frozen=True):
    """A question of SSH authentication; `arguments` are those of the method of that name."""

    request: Number
    question: Question
    name: Sentence = ""
    key: Annotated[str, Meta(max_length=KEY_CHARS_MAX)] = ""
    fingerprint: Annotated[str, Meta(max_length=128)] = ""
    password: Annotated[str, Meta(max_length=PASSWORD_CHARS_MAX)] = ""
    peer: Text = ""
    keeps_keys: bool = True
    is_again: bool = False  # another game server was asked, and may have done it


class Answer(Body, frozen=True):
    request: Number
    status: NameStatus = "refused"  # of name_status
    sentence: str | None = None
    number: int = 0  # of other_keys; 1 or 0 for what is true or false


class Keep(Body, frozen=True):
    wait_text: Annotated[bytes, Meta(max_length=256)]
    capsule: CapsuleBytes
    waits: bool = False  # as of a package


class Refuse(Body, frozen=True):
    text: Sentence


class Bye(Body, frozen=True):
    why: Text
    socket: Annotated[str, Meta(max_length=256)] = ""  # to try first
    seconds: float = 0.0
    moves: bool = False  # other game servers have its sessions, at once


class Listing(Body, frozen=True):
    values: dict[str, str | tuple[str, ...]]


class Restart(Body, frozen=True):
    """One time that a door had no game server, as the door saw it."""

    kind: RestartKind  # planned: the game server said that it ends
    at_ms: Number  # when it went
    gap_s: Seconds  # until the next one had shaken hands
    sessions: Number  # people with connections of this door
    went_on: Number  # of them: those who are in again


class Stats(Body, frozen=True):
    """What a door counts, since its start where it is no current value; every STATS_S."""

    up_s: Seconds
    connections: Number = 0
    people: Number = 0  # connections that are logged in
    pre_login: Number = 0
    accepted: Number = 0
    refused: Figures = {}  # connections, by the word of the metric
    login_failures: Number = 0
    loop_delay_s: Seconds = 0.0  # p99 of the last minute
    memory_bytes: Number = 0
    restarts: Figures = {}  # of the game server, by `RestartKind`
    gaps: Annotated[tuple[Number, ...], Meta(max_length=32)] = ()  # by `metrics.SECONDS_BUCKETS`
    gaps_s: Seconds = 0.0  # their sum
    last_restart: Restart | None = None
    lost: Number = 0  # people whose connections ended because no game server came
    draining_s: Seconds | None = None  # until the door ends; None: it stays


class Draining(Body, frozen=True):
    """The door ends in so many seconds; its people are to be told so, or, at 0, to be let go."""

    seconds: Seconds


class NetworkBan(Body, frozen=True):
    """A network from which nobody comes in but staff with a key."""

    network: Text
    until_ms: Number | None  # UTC; None: for ever
    text: Annotated[str, Meta(max_length=BAN_CHARS_MAX)]  # ASCII; what they read, in rows


class Bans(Body, frozen=True):
    bans: Annotated[tuple[NetworkBan, ...], Meta(max_length=BANS_PER_FRAME)]
    is_first: bool = True  # what was told before holds no more


B = TypeVar("B", bound=Body)

encode_body = msgspec.msgpack.Encoder().encode
_DECODERS: dict[type[Body], Any] = {}


def decode_body(kind: type[B], frame: Frame) -> B:
    """FrameError: it is none."""
    decoder = _DECODERS.get(kind)
    if decoder is None:
        decoder = _DECODERS[kind] = msgspec.msgpack.Decoder(kind)
    try:
        body: B = decoder.decode(frame.body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as exc:
        raise FrameError(f"{frame.kind.name} that does not decode: {exc}") from None
    return body


def common_protocol(ours: tuple[int, int], theirs: tuple[int, int]) -> int | None:
    """The newest protocol of two spans, each from oldest to newest; None: there is none."""
    newest = min(ours[1], theirs[1])
    return newest if newest >= max(ours[0], theirs[0]) else None
