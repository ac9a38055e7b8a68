"""The bodies of frames: whole, of another release, and hostile."""

import msgspec
import pytest

from mudserver.config.schema import CAPSULE_BYTES_MAX, WallConfig
from mudserver.transport.link import AuthenticatedUser, Terminal
from mudserver.wall.bodies import (
    DOOR_PROTOCOLS,
    GAME_PROTOCOLS,
    KEY_CHARS_MAX,
    NAME_CHARS_MAX,
    Admitted,
    Answer,
    Ask,
    Bans,
    Body,
    Bye,
    Carry,
    Draining,
    Failed,
    Gmcp,
    Handshake,
    Keep,
    Late,
    Listing,
    Lost,
    Modules,
    NetworkBan,
    Open,
    Redirect,
    Refuse,
    Resize,
    Stats,
    Tried,
    Try,
    common_protocol,
    decode_body,
    encode_body,
)
from mudserver.wall.frames import BODY_MAX, Frame, FrameError, Kind

TERMINAL = Terminal("xterm", 100, 40, is_ansi=True, charset="cp437", colours="256")
USER = AuthenticatedUser("ann", "key", "ssh-ed25519 AAAA", "SHA256:x", 1_800_000_000_000)
BODIES = [
    (Kind.HANDSHAKE, Handshake(1, 2, "0.5.0", "door-1", "a1", 12, "SHA256:y", {"wall.ask_s": "5"})),
    (Kind.OPEN, Open("ssh", "192.0.2.1", TERMINAL, "49d2a7-31", b"12345678", proven=USER)),
    (Kind.OPEN, Open("tls", "192.0.2.1", TERMINAL, "1-1", bytes(8), modules=(("lockdown", 2),))),
    (Kind.RESIZE, Resize(TERMINAL)),
    (Kind.MODULES, Modules(None)),
    (Kind.GMCP, Gmcp("Lockdown.View", '{"a": 1}')),
    (Kind.LATE, Late("You took longer than 30 seconds.")),
    (Kind.LOST, Lost("stall")),
    (Kind.LOST, Lost("moved")),
    (Kind.CARRY, Carry(b"sit 12", 1)),
    (Kind.REDIRECT, Redirect("g2", 12, b"sit 12", 1)),
    (Kind.ADMITTED, Admitted("ann", True)),
    (Kind.TRY, Try(4, "ann", True)),
    (Kind.TRIED, Tried(4, False)),
    (Kind.FAILED, Failed("ann", "password", "telnet", 3, "192.0.2.1")),
    (Kind.ASK, Ask(1, "check_password", "ann", password="a secret", peer="192.0.2.1")),
    (Kind.ANSWER, Answer(1, "wrong code", "This code isn't valid any more.")),
    (Kind.KEEP, Keep(b"-- One moment", b"capsule")),
    (Kind.REFUSE, Refuse("You had one lately.")),
    (Kind.BYE, Bye("restart", "/run/mudserver/game.sock", 0.5)),
    (Kind.LISTING, Listing({"NAME": "Cards", "GAMES": ("a", "b")})),
    (Kind.STATS, Stats(60.0, 3, 2, 1, 9, {"full": 1}, gaps=(0, 1), gaps_s=0.1)),
    (Kind.DRAINING, Draining(600.0)),
    (Kind.BANS, Bans((NetworkBan("203.0.113.0/24", None, "You are banned."),), is_first=False)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "body"), BODIES)
def test_a_body_arrives_as_it_was_sent(kind, body):
    assert body == decode_body(type(body), Frame(kind, 1, encode_body(body)))


@pytest.mark.parametrize(("kind", "body"), BODIES)
def test_a_body_that_is_cut_is_refused(kind, body):
    whole = encode_body(body)
    for end in range(len(whole)):
        with pytest.raises(FrameError, match=kind.name):
            decode_body(type(body), Frame(kind, 1, whole[:end]))


class Later(Body, frozen=True):
    """`Tried` of a later release."""

    request: int
    may_go_on: bool
    left: int = 3


def test_a_later_release_is_read_and_an_earlier_one_gets_the_defaults():
    assert Tried(1, True) == decode_body(
        Tried, Frame(Kind.TRIED, 1, encode_body(Later(1, True, 5)))
    )
    assert Later(1, True, 3) == decode_body(
        Later, Frame(Kind.TRIED, 1, encode_body(Tried(1, True)))
    )


@pytest.mark.parametrize("body", [
    Open("gopher", "192.0.2.1", TERMINAL, "1-1", bytes(8)),
    Open("ssh", "1" * 65, TERMINAL, "1-1", bytes(8)),
    Open("ssh", "192.0.2.1", TERMINAL, "1" * 25, bytes(8)),
    Open("ssh", "192.0.2.1", TERMINAL, "1-1", bytes(7)),
    Open("ssh", "192.0.2.1", TERMINAL, "1-1", bytes(8), begun=-1),
])  # fmt: skip
def test_a_field_out_of_its_bound_is_refused(body):
    with pytest.raises(FrameError, match="OPEN that does not decode"):
        decode_body(Open, Frame(Kind.OPEN, 1, encode_body(body)))


def test_nesting_without_end_is_refused():
    with pytest.raises(FrameError):
        decode_body(Listing, Frame(Kind.LISTING, 0, b"\x91" * 50_000))
    with pytest.raises(FrameError):
        decode_body(Listing, Frame(Kind.LISTING, 0, msgspec.msgpack.encode({"a": 1})))


@pytest.mark.parametrize(
    ("ours", "theirs", "common"),
    [((2, 3), (1, 3), 3), ((2, 3), (3, 5), 3), ((2, 3), (1, 2), 2), ((2, 3), (5, 6), None),
     ((5, 6), (2, 3), None), ((1, 1), (1, 1), 1)],
)  # fmt: skip
def test_the_newest_protocol_of_both_is_spoken(ours, theirs, common):
    assert common == common_protocol(ours, theirs)


def test_doors_and_game_servers_of_this_release_understand_each_other():
    assert DOOR_PROTOCOLS[1] == common_protocol(DOOR_PROTOCOLS, GAME_PROTOCOLS)


WIDE = "\U0001f0a1"  # four bytes


@pytest.mark.parametrize("about", [
    {"proven": AuthenticatedUser(
        WIDE * NAME_CHARS_MAX, "recovered", "k" * KEY_CHARS_MAX, "f" * 128, 2**62
    )},
    {"modules": ((WIDE * 64, 2**62),) * 32},
])  # fmt: skip
def test_the_largest_open_fits_its_frame(about):
    numbers = ("seen", "retained_at", "begun", "done", "queued_bytes", "retained", "table")
    terminal = Terminal("x" * 32, 300, 100, charset="latin-1", colours="true")
    opened = Open(
        *("telnet", WIDE * 64, terminal, WIDE * 24, bytes(8)),
        capsule=bytes(CAPSULE_BYTES_MAX), wanted_game=WIDE * 64, walk="failed",
        **about, **dict.fromkeys(numbers, 2**62),
    )  # fmt: skip
    body = encode_body(opened)
    assert CAPSULE_BYTES_MAX < len(body) <= BODY_MAX
    assert opened == decode_body(Open, Frame(Kind.OPEN, 1, body))


def test_a_larger_capsule_is_neither_allowed_nor_kept():
    assert WallConfig() == msgspec.convert({}, WallConfig)
    with pytest.raises(msgspec.ValidationError, match="40960"):
        msgspec.convert({"capsule_bytes": CAPSULE_BYTES_MAX + 1}, WallConfig)
    body = encode_body(Keep(b"", bytes(CAPSULE_BYTES_MAX + 1)))
    with pytest.raises(FrameError, match="KEEP that does not decode"):
        decode_body(Keep, Frame(Kind.KEEP, 1, body))
