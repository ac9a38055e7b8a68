from __future__ import annotations

import msgspec
import pytest

from mudserver.bots.codec import (
    Codec,
    FrameTooLong,
    Reply,
    body_length,
    framed,
    read_reply,
    seed_bytes,
)
from tests.mudserver.bots.toy import TOY, Passed, Said, Say, View


def test_what_goes_in_comes_out() -> None:
    codec = Codec(TOY)
    view = View(("10S",), "note")
    events = [Said(0, None), Passed(1), Said(1, 3)]
    assert codec.view(codec.pack_view(view)) == view
    assert codec.events(codec.pack_all(events)) == events
    assert codec.action(codec.pack(Say(2))) == Say(2)


def test_only_what_the_variant_declares_is_made() -> None:
    codec = Codec(TOY)
    with pytest.raises(msgspec.ValidationError):
        codec.action(codec.pack(Passed(0)))
    with pytest.raises(msgspec.ValidationError):
        codec.action(("Say", msgspec.Raw(msgspec.msgpack.encode({"number": "two"}))))


def test_a_frame_over_its_bound_is_refused_at_both_ends() -> None:
    frame = framed(Reply(7, error="x" * 50), 100)
    assert body_length(frame[:4], 100) == len(frame) - 4
    assert read_reply(frame[4:]) == Reply(7, error="x" * 50)
    with pytest.raises(FrameTooLong):
        framed(Reply(7, error="x" * 100), 100)
    with pytest.raises(FrameTooLong):
        body_length(b"\xff\xff\xff\xff", 100)


def test_any_whole_number_is_a_seed() -> None:
    assert len({seed_bytes(n) for n in (0, 1, 2**255, 2**64)}) == 4
    assert {len(seed_bytes(n)) for n in (0, -1, 2**300)} == {32}
