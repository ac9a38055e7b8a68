from __future__ import annotations

import msgspec
import pytest

from mudserver.bots.codec import (
    LENGTH_BYTES,
    QUESTION_BYTES_MAX,
    Codec,
    FrameTooLong,
    Reply,
    body_length,
    decode_question,
    decode_reply,
    encode_action,
    question_frame,
    reply_frame,
    seed_bytes,
)
from tests.mudserver.bots.toy import TOY, Passed, Said, Say, View


def test_what_goes_in_comes_out() -> None:
    codec = Codec(TOY)
    view = View(("10S",), "note")
    events = [Said(0, None), Passed(1), Said(1, 3)]
    ask = decode_question(
        question_frame(7, "toy", "listener", b"seed", view, events)[LENGTH_BYTES:]
    )
    assert (ask.number, ask.variant, ask.level, ask.seed) == (7, "toy", "listener", b"seed")
    assert (codec.view(ask.view), codec.events(ask.seen)) == (view, events)
    assert codec.action(encode_action(Say(2))) == Say(2)


def test_only_what_the_variant_declares_is_made() -> None:
    codec = Codec(TOY)
    with pytest.raises(msgspec.ValidationError):
        codec.action(encode_action(Passed(0)))
    with pytest.raises(msgspec.ValidationError):
        codec.action(("Say", msgspec.Raw(msgspec.msgpack.encode({"number": "two"}))))


def test_a_frame_over_its_bound_is_refused_at_both_ends() -> None:
    reply = Reply(7, error="why")
    frame = reply_frame(reply)
    assert body_length(frame[:LENGTH_BYTES], 100) == len(frame) - LENGTH_BYTES
    assert decode_reply(frame[LENGTH_BYTES:]) == reply
    with pytest.raises(FrameTooLong):
        reply_frame(Reply(7, error="x" * 70_000))
    with pytest.raises(FrameTooLong):
        question_frame(7, "toy", "listener", b"seed", View((), "x" * QUESTION_BYTES_MAX), [])
    with pytest.raises(FrameTooLong):
        body_length(b"\xff\xff\xff\xff", 100)


def test_any_whole_number_is_a_seed() -> None:
    assert len({seed_bytes(n) for n in (0, 1, 2**255, 2**64)}) == 4
    assert {len(seed_bytes(n)) for n in (0, -1, 2**300)} == {32}
