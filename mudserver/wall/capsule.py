"""The capsule: the small value from which a session goes on in another process.  Pure.

Rule 1: fields are only ever appended, with defaults.  `version` is raised only when that will not
        do; a game server takes up its own version and the one before.  `tests/samples/capsules/`
        keeps capsules of every release.
Rule 2: a door keeps it as opaque bytes.  It is signed, not encrypted: it holds nothing that has not
        passed through its connection.  Not in it: passwords and parts of them, hashes, codes,
        addresses, keys, views, hands, decks, the text of a table, anybody's mail.
Rule 3: the signed text ends in the nonce of the connection, so that a capsule of one connection is
        refused on any other.
Rule 4: a capsule that is too large loses the oldest talk first, then the oldest history, then what
        Ctrl-Y would bring back, then an unfinished paste, then which guests are ignored, then the
        games that the person offers, then what everybody was told.
Rule 5: `guest_place`, `protocol`, `open_lines` and `partial_object` have places, which stay, and
        are not filled: a guest who was let in is not refused, the door says which protocol a
        program speaks and keeps its half object, and `open_line` has room for longer ids.
Rule 6: `open_line` is the line that has begun last.  The door knows whether it is done, but may
        have kept an older capsule: then the place of the line that it knows is another.
"""

from __future__ import annotations

import hmac
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

VERSION = 1
OLDEST_VERSION = max(1, VERSION - 1)
SIGNATURE_BYTES = 16
CHAT_MAX = 50  # messages
NAME_CHARS_MAX = 16  # of a person
TALK_CHARS_MAX = 2_000  # of one of them, `chat.chars_max` at most
TOLD_MAX, TOLD_CHARS_MAX = 4, 500  # messages to everybody, which a full screen shows again
HISTORY_MAX = 100  # lines
IGNORED_MAX = 200  # people
LESSONS_MAX = 8  # games
CHANNELS_MAX = 24  # `chat.channels` at most, and those that exist always
SEEKS_MAX = 3  # `lobby/seek.py`
SEEK_CHARS_MAX = 160  # of the options of one, likewise
HEARD_MAX = 4  # channels; nobody leaves many in a session
LINE_CHARS_MAX = 4_096  # `session.line_chars_max` at most
ROW_BYTES_MAX = 1_024
UNFINISHED_BYTES_MAX = 4_096  # of a key, or of a paste
OBJECT_BYTES_MAX = 6_400  # of an object that a program has not ended

_KEY_INFO = b"session capsule 1"

Text16 = Annotated[str, Meta(max_length=NAME_CHARS_MAX)]
Text24 = Annotated[str, Meta(max_length=24)]
Text32 = Annotated[str, Meta(max_length=32)]
Text64 = Annotated[str, Meta(max_length=64)]
Text80 = Annotated[str, Meta(max_length=80)]
Line = Annotated[str, Meta(max_length=LINE_CHARS_MAX)]
Count = Annotated[int, Meta(ge=0, le=2**62)]


class Talk(NamedTuple):
    """What stands in the chat pane, or was said last."""

    at_ms: Count
    who: Text16
    kind: Text16  # "say", "emote" or "tell"
    text: Annotated[str, Meta(max_length=TALK_CHARS_MAX)]
    speaker: Text24 = ""  # the id
    place: Count = 0  # the table; 0: the lobby, or a channel
    channel: Text32 = ""
    to: Text16 = ""  # whom the person has told it; "": it was told to the person
    listener: Text24 = ""  # the id of whom it was told
    is_watcher: bool = False
    is_mention: bool = False


class Told(NamedTuple):
    """What everybody was told of late, by the server or its staff."""

    at_ms: Count
    text: Annotated[str, Meta(max_length=TOLD_CHARS_MAX)]  # the words of the staff
    head: Text32 = ""  # who says it; "": the server
    speaker: Text16 = ""


class Learned(NamedTuple):
    """How far somebody has come in the lesson of one game."""

    version: Count
    step: Count
    title: Text32  # of the step
    is_finished: bool


class Replayed(NamedTuple):
    """Where somebody is in a replay."""

    game: Text32  # its number, or id
    position: Count
    last: Count
    eyes: Text16  # "watch", "all", or the number of a seat from 1 on
    auto_s: Count  # 0: it does not go by itself


class Sought(NamedTuple):
    """A game that the person offers."""

    number: Count
    variant: Text32
    line: Annotated[str, Meta(max_length=SEEK_CHARS_MAX)]
    since_ms: Count


class OpenLine(NamedTuple):
    """A line of a program that has begun."""

    id: Text64
    at: Count  # the offset in the input behind it


class Capsule(msgspec.Struct, frozen=True, array_like=True):
    version: Count
    visit: Text24  # the session id
    nonce: Annotated[bytes, Meta(min_length=8, max_length=8)]
    kind: Literal["terminal", "json"]
    made_ms: Count
    # how far it has come
    stage: Literal["login", "in"] = "in"
    login_step: Literal["", "name", "password", "new-password"] = ""
    login_name: Text64 = ""  # as typed
    tries_left: Count = 0
    # who
    person: Text24 = ""
    name: Text16 = ""
    is_guest: bool = False
    guest_place: Count = 0
    since_ms: Count = 0
    heard_ms: Count = 0
    is_warned_idle: bool = False
    auth_how: Literal["", "key", "password"] = ""
    auth_key: Text64 = ""  # fingerprint
    auth_at_ms: Count = 0
    away: Text80 = ""
    is_quiet: bool = False
    # how it looks
    settings: Annotated[dict[Text32, Text64], Meta(max_length=32)] = {}  # of this session alone
    reads_aloud: bool = False
    declines_full: bool = False
    screen: Literal["lines", "full"] = "lines"
    # rows that the table has needed, the first one shown plus 1 (0: nobody scrolled), rows of chat
    # below the last one shown, and which table it is (0: none); the log is not there any more
    scroll: Annotated[tuple[Count, ...], Meta(max_length=4)] = ()
    focus: Text16 = ""
    # what was typed
    draft: Line = ""
    cursor: Count = 0
    killed: Line = ""
    unfinished: Annotated[bytes, Meta(max_length=UNFINISHED_BYTES_MAX)] = b""
    input_offset: Count = 0  # the bytes of input that this capsule contains
    history: Annotated[tuple[Line, ...], Meta(max_length=HISTORY_MAX)] = ()  # newest first
    # where
    table: Count = 0  # 0: none
    seen: Count = 0
    window: Text64 = ""  # the last one that was announced
    dialog: Text32 = ""  # the question that is open
    lesson: Text32 = ""  # the game of the lesson that is taken
    protocol: Literal[1, 2] = 1
    open_lines: Annotated[tuple[Text32, ...], Meta(max_length=16)] = ()  # ids of a program
    # with whom
    reply_to: Text24 = ""
    ignored: Annotated[
        tuple[Text24, ...], Meta(max_length=IGNORED_MAX)
    ] = ()  # accounts, of a guest
    chat: Annotated[tuple[Talk, ...], Meta(max_length=CHAT_MAX)] = ()  # oldest first
    # what it has spent
    line_tokens: float = 0.0
    lines_refused: Count = 0
    chat_tokens: float = 0.0
    chat_hashes: Annotated[tuple[Count, ...], Meta(max_length=8)] = ()
    muted_until_ms: Count = 0
    # programs
    has_gmcp: bool = False
    partial_object: Annotated[bytes, Meta(max_length=OBJECT_BYTES_MAX)] = b""
    has_title: bool = False  # the terminal keeps the title that was there before
    reply_name: Text16 = ""  # who `reply_to` was, of whom an account says no more: a guest
    came_by: Text16 = ""  # the protocol
    is_watching: bool = False  # the table
    # of a process that has ended by plan: the row of the prompt as it stands, with the draft
    row: Annotated[bytes, Meta(max_length=ROW_BYTES_MAX)] = b""
    lesson_inputs: Count = 0  # of its step that are complete
    learned: Annotated[dict[Text32, Learned], Meta(max_length=LESSONS_MAX)] = {}  # by game
    ignored_guests: Annotated[dict[Text24, Text16], Meta(max_length=IGNORED_MAX)] = {}  # by id
    channels: Annotated[dict[Text16, bool], Meta(max_length=CHANNELS_MAX)] = {}  # of a guest
    replay: Replayed | None = None
    open_line: OpenLine | None = None  # of a program
    is_zoomed: bool = False  # the pane that has the focus stands alone
    told: Annotated[tuple[Told, ...], Meta(max_length=TOLD_MAX)] = ()  # oldest first
    # until when the session has heard channels that it hears no more: there it goes on reading
    heard: Annotated[dict[Text16, Count], Meta(max_length=HEARD_MAX)] = {}
    is_let_in: bool = False  # at another server, by login; comes in where the own session is
    is_attaching: bool = False  # goes to another server for what was left there
    server: Text16 = ""  # that has left it, of several
    seeks: Annotated[tuple[Sought, ...], Meta(max_length=SEEKS_MAX)] = ()


class CapsuleRefused(Exception):
    """It cannot be taken up; the text is one word for the log."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Capsule).decode


class CapsuleSeal:
    """Packs, signs and reads the capsules of one site.

    Args:
        secret: Random bytes that every game server of the site has.
    """

    __slots__ = ("_key",)

    def __init__(self, secret: bytes) -> None:
        # The second half of HKDF (RFC 5869); the secret is random, so the first is not needed.
        self._key = hmac.digest(secret, _KEY_INFO + b"\x01", "sha256")

    def pack(self, capsule: Capsule, bytes_max: int) -> bytes:
        """Signed, at most *bytes_max* long; b"": it does not fit, whatever is left out."""
        packed = _encode(capsule)
        if len(packed) > bytes_max - SIGNATURE_BYTES:
            packed = _encode(_shortened(capsule, len(packed) - bytes_max + SIGNATURE_BYTES))
            if len(packed) > bytes_max - SIGNATURE_BYTES:
                return b""
        return packed + self._signature(packed, capsule.nonce)

    def open(self, signed: bytes, nonce: bytes) -> Capsule:
        """The capsule of the connection with *nonce*.  CapsuleRefused: it is none of ours."""
        if not signed:
            raise CapsuleRefused("missing")
        packed, signature = signed[:-SIGNATURE_BYTES], signed[-SIGNATURE_BYTES:]
        if not hmac.compare_digest(signature, self._signature(packed, nonce)):
            raise CapsuleRefused("signature")
        try:
            capsule = _decode(packed)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise CapsuleRefused("version" if _is_foreign(packed) else "damaged") from None
        if not OLDEST_VERSION <= capsule.version <= VERSION:
            raise CapsuleRefused("version")
        return capsule

    def _signature(self, packed: bytes, nonce: bytes) -> bytes:
        return hmac.digest(self._key, packed + nonce, "sha256")[:SIGNATURE_BYTES]


def _is_foreign(packed: bytes) -> bool:
    """Whether the capsule says that it is of a version that is not taken up here."""
    try:
        version = msgspec.msgpack.decode(packed)[0]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, TypeError):
        return False
    return isinstance(version, int) and not OLDEST_VERSION <= version <= VERSION


def _shortened(capsule: Capsule, excess: int) -> Capsule:
    """*capsule* with at least *excess* bytes less, if there is so much to leave out [rule 4]."""
    chat = list(capsule.chat)
    while chat and excess > 0:
        excess -= len(_encode(chat.pop(0)))
    history = list(capsule.history)
    while history and excess > 0:
        excess -= len(_encode(history.pop()))
    killed, unfinished = capsule.killed, capsule.unfinished
    if excess > 0:
        excess -= len(_encode(killed))
        killed = ""
    if excess > 0:
        excess -= len(unfinished)
        unfinished = b""
    ignored_guests = capsule.ignored_guests
    if excess > 0:
        excess -= len(_encode(ignored_guests))
        ignored_guests = {}
    seeks = capsule.seeks
    if excess > 0:
        excess -= len(_encode(seeks))
        seeks = ()
    return msgspec.structs.replace(
        capsule,
        chat=tuple(chat),
        history=tuple(history),
        killed=killed,
        unfinished=unfinished,
        ignored_guests=ignored_guests,
        seeks=seeks,
        told=() if excess > 0 else capsule.told,
    )
