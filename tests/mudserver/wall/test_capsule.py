"""The capsule: every field at its bound, every bit flipped, and what older releases wrote."""

from typing import get_args, get_type_hints

import msgspec
import pytest

from mudserver.wall.capsule import (
    CHANNELS_MAX,
    CHAT_MAX,
    HEARD_MAX,
    HISTORY_MAX,
    IGNORED_MAX,
    LESSONS_MAX,
    LINE_CHARS_MAX,
    OBJECT_BYTES_MAX,
    ROW_BYTES_MAX,
    SEEK_CHARS_MAX,
    SEEKS_MAX,
    TOLD_MAX,
    UNFINISHED_BYTES_MAX,
    VERSION,
    Capsule,
    CapsuleRefused,
    CapsuleSeal,
    Learned,
    OpenLine,
    Replayed,
    Sought,
    Talk,
    Told,
)
from tests.samples.capsules import CAPSULES, FOLDER, NONCE, SECRET, sample

BYTES_MAX = 16_384
MOST = 2**62
SEAL = CapsuleSeal(SECRET)
LONGEST_TALK = Talk(
    MOST, "w" * 16, "k" * 16, "t" * 2_000, "s" * 24, MOST, "c" * 32, "t" * 16, "l" * 24, True, True
)
BOUNDS = {
    "visit": "v" * 24, "made_ms": MOST, "stage": "login", "login_step": "new-password",
    "login_name": "n" * 64, "tries_left": MOST, "person": "p" * 24, "name": "n" * 16,
    "is_guest": True, "guest_place": MOST, "since_ms": MOST, "heard_ms": MOST,
    "is_warned_idle": True, "auth_how": "password", "auth_key": "f" * 64, "auth_at_ms": MOST,
    "away": "a" * 80, "is_quiet": True, "settings": {f"{n:032}": "v" * 64 for n in range(32)},
    "reads_aloud": True, "declines_full": True, "screen": "full", "scroll": (MOST,) * 4,
    "focus": "f" * 16, "draft": "d" * LINE_CHARS_MAX, "cursor": LINE_CHARS_MAX,
    "killed": "k" * LINE_CHARS_MAX, "unfinished": b"u" * UNFINISHED_BYTES_MAX,
    "input_offset": MOST, "history": ("h" * LINE_CHARS_MAX,) * HISTORY_MAX, "table": MOST,
    "seen": MOST, "window": "w" * 64, "dialog": "d" * 32, "lesson": "l" * 32, "protocol": 2,
    "open_lines": ("i" * 32,) * 16, "reply_to": "p" * 24, "ignored": ("p" * 24,) * 200,
    "chat": (LONGEST_TALK,) * CHAT_MAX, "line_tokens": 1.5,
    "lines_refused": MOST, "chat_tokens": 2.5, "chat_hashes": (MOST,) * 8,
    "muted_until_ms": MOST, "has_gmcp": True, "partial_object": b"o" * OBJECT_BYTES_MAX,
    "has_title": True, "reply_name": "n" * 16, "came_by": "p" * 16,
    "is_watching": True, "row": b"r" * ROW_BYTES_MAX, "lesson_inputs": MOST,
    "learned": {f"{n:032}": Learned(MOST, MOST, "t" * 32, True) for n in range(LESSONS_MAX)},
    "ignored_guests": {f"{n:024}": "n" * 16 for n in range(IGNORED_MAX)},
    "channels": {f"{n:016}": True for n in range(CHANNELS_MAX)},
    "replay": Replayed("g" * 32, 2**62, 2**62, "e" * 16, 2**62),
    "open_line": OpenLine("i" * 64, MOST), "is_zoomed": True,
    "heard": {f"{n:016}": MOST for n in range(HEARD_MAX)},
    "is_let_in": True, "is_attaching": True, "server": "s" * 16,
    "seeks": (Sought(MOST, "v" * 32, "l" * SEEK_CHARS_MAX, MOST),) * SEEKS_MAX,
    "told": (Told(MOST, "t" * 500, "h" * 32, "s" * 16),) * TOLD_MAX,
}  # fmt: skip


def capsule(**fields) -> Capsule:
    return Capsule(**{"version": VERSION, "visit": "49d2a7-31", "nonce": NONCE, "kind": "terminal",
                      "made_ms": 1, **fields})  # fmt: skip


def too_long(value):
    """*value* and one more; None: it has no bound of its own."""
    match value:
        case str() | bytes() | tuple():
            return value + value[:1]
        case dict():
            return {**value, "one": "more"}
    return None


def test_every_field_has_a_bound_here():
    assert set(BOUNDS) == set(Capsule.__struct_fields__) - {"version", "nonce", "kind"}


@pytest.mark.parametrize("field", BOUNDS)
def test_a_field_at_its_bound_goes_and_comes(field):
    one = capsule(**{field: BOUNDS[field]})
    assert one == SEAL.open(SEAL.pack(one, 10 * 2**20), NONCE)


WORDS = ("stage", "login_step", "auth_how", "screen")


@pytest.mark.parametrize("field", [name for name in BOUNDS if too_long(BOUNDS[name]) is not None])
def test_a_field_over_its_bound_is_refused(field):
    assert field in WORDS or get_args(get_type_hints(Capsule, include_extras=True)[field])
    signed = SEAL.pack(capsule(**{field: too_long(BOUNDS[field])}), 10 * 2**20)
    with pytest.raises(CapsuleRefused, match="damaged"):
        SEAL.open(signed, NONCE)


@pytest.mark.parametrize("name", CAPSULES)
def test_no_bit_can_be_changed(name):
    signed = SEAL.pack(CAPSULES[name], BYTES_MAX)
    for at in range(len(signed)):
        for bit in range(8):
            changed = signed[:at] + bytes([signed[at] ^ 1 << bit]) + signed[at + 1 :]
            with pytest.raises(CapsuleRefused, match="signature"):
                SEAL.open(changed, NONCE)


def test_no_end_can_be_cut_off():
    signed = SEAL.pack(CAPSULES["lines"], BYTES_MAX)
    for end in range(len(signed)):
        with pytest.raises(CapsuleRefused, match="signature" if end else "missing"):
            SEAL.open(signed[:end], NONCE)


def test_a_capsule_of_another_connection_or_site_is_refused():
    signed = SEAL.pack(CAPSULES["lines"], BYTES_MAX)
    with pytest.raises(CapsuleRefused, match="signature"):
        SEAL.open(signed, b"87654321")
    with pytest.raises(CapsuleRefused, match="signature"):
        CapsuleSeal(bytes(32)).open(signed, NONCE)


@pytest.mark.parametrize("version", [0, VERSION + 1, 2**40])
def test_another_version_is_refused_by_its_name(version):
    with pytest.raises(CapsuleRefused, match="version"):
        SEAL.open(SEAL.pack(capsule(version=version), BYTES_MAX), NONCE)


class Later(msgspec.Struct, frozen=True, array_like=True):
    version: int
    rest: str


def test_another_version_with_other_fields_is_refused_by_its_name():
    packed = msgspec.msgpack.encode(Later(VERSION + 1, "x"))
    with pytest.raises(CapsuleRefused, match="version"):
        SEAL.open(packed + SEAL._signature(packed, NONCE), NONCE)


def test_a_field_that_a_later_release_has_appended_is_no_obstacle():
    packed = msgspec.msgpack.encode([*msgspec.structs.astuple(CAPSULES["lines"]), "new"])
    assert CAPSULES["lines"] == SEAL.open(packed + SEAL._signature(packed, NONCE), NONCE)


def test_the_oldest_talk_goes_first():
    chat = tuple(Talk(n, "ann", "lobby", f"{n} " + "x" * 390) for n in range(CHAT_MAX))
    history = tuple(f"line {n}" for n in range(HISTORY_MAX))
    signed = SEAL.pack(capsule(chat=chat, history=history), BYTES_MAX)
    found = SEAL.open(signed, NONCE)
    assert BYTES_MAX - 410 < len(signed) <= BYTES_MAX
    assert chat[-len(found.chat) :] == found.chat and 0 < len(found.chat) < CHAT_MAX
    assert history == found.history


def test_then_the_oldest_history():
    chat = (Talk(1, "ann", "lobby", "hello"),)
    history = tuple(f"{n} " + "x" * 500 for n in range(HISTORY_MAX))
    found = SEAL.open(SEAL.pack(capsule(chat=chat, history=history, draft="d"), BYTES_MAX), NONCE)
    assert () == found.chat
    assert history[: len(found.history)] == found.history and 0 < len(found.history) < HISTORY_MAX
    assert "d" == found.draft


def test_everything_at_its_bound_fits_without_what_may_be_left_out():
    most = capsule(**BOUNDS | {"partial_object": b""})
    found = SEAL.open(SEAL.pack(most, BYTES_MAX), NONCE)
    left_out = {"chat": (), "history": (), "killed": "", "unfinished": b"", "ignored_guests": {},
                "seeks": (), "told": ()}  # fmt: skip
    assert capsule(**BOUNDS | {"partial_object": b""} | left_out) == found


def test_what_cannot_fit_is_no_capsule():
    assert b"" == SEAL.pack(capsule(draft="漢" * LINE_CHARS_MAX, ignored=("p" * 24,) * 200), 8_192)


def test_a_quiet_session_is_small():
    assert 400 > len(SEAL.pack(CAPSULES["lines"], BYTES_MAX))


def test_what_earlier_releases_wrote_is_taken_up():
    names = sorted(path.name for path in FOLDER.iterdir())
    assert sorted(sample(VERSION, name).name for name in CAPSULES) == names
    for name, wanted in CAPSULES.items():
        assert wanted == SEAL.open(sample(VERSION, name).read_bytes(), NONCE), name
