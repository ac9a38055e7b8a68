"""The frames between a door and a game server: whole, cut anywhere, and hostile.

`test_hostile_frames.py` has those that chance makes.
"""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mudserver.wall import frames
from mudserver.wall.frames import (
    BODY_MAX,
    DATA_MAX,
    FROM_DOOR,
    FROM_GAME,
    LARGE_BODY_MAX,
    MANY_MAX,
    OPTIONAL_KINDS,
    SEND_MAX,
    Frame,
    FrameError,
    FrameReader,
    FrameWriter,
    Kind,
    Output,
    decode_data,
    decode_number,
    decode_output,
    decode_progress,
    encode,
    encode_data,
    encode_many,
    encode_number,
    encode_progress,
    encode_send,
)

a_frame = st.builds(
    Frame, st.sampled_from(sorted(FROM_GAME)), st.integers(0, 2**32 - 1), st.binary(max_size=40)
)


def heard(writer: FrameWriter) -> list[Output]:
    return [decode_output(frame) for frame in FrameReader(FROM_GAME).feed(writer.take())]


@given(st.lists(a_frame, max_size=6))
def test_a_stream_of_frames_means_the_same_at_every_cut(said):
    stream = b"".join(encode(*frame) for frame in said)
    for cut in range(len(stream) + 1):
        reader = FrameReader(FROM_GAME)
        assert said == [*reader.feed(stream[:cut]), *reader.feed(stream[cut:])]
        assert 0 == reader.rest_bytes


@given(st.lists(a_frame, max_size=6))
def test_a_stream_of_frames_means_the_same_byte_by_byte(said):
    reader = FrameReader(FROM_GAME)
    stream = b"".join(encode(*frame) for frame in said)
    assert said == [frame for byte in stream for frame in reader.feed(bytes([byte]))]


@pytest.mark.parametrize("kind", sorted(k for k in FROM_DOOR ^ FROM_GAME if k < OPTIONAL_KINDS))
def test_a_kind_of_the_other_direction_is_refused(kind):
    known = FROM_DOOR if kind in FROM_GAME else FROM_GAME
    with pytest.raises(FrameError, match=f"unknown kind {kind.value}"):
        list(FrameReader(known).feed(encode(kind)))


def test_every_kind_has_a_direction():
    assert set(Kind) == FROM_DOOR | FROM_GAME
    assert {Kind.HANDSHAKE} == FROM_DOOR & FROM_GAME


@pytest.mark.parametrize("number", [0, 5, 14, 31, 50, 127])
def test_an_unknown_kind_ends_the_wall_before_its_body(number):
    head = struct.pack("<IBI", 10, number, 0)
    for known in (FROM_DOOR, FROM_GAME):
        with pytest.raises(FrameError, match=f"unknown kind {number}"):
            list(FrameReader(known).feed(head))


@pytest.mark.parametrize("number", [Kind.STATS, 200, 255])
def test_an_unknown_kind_of_a_later_release_is_skipped(number):
    stream = struct.pack("<IBI", 3, number, 7) + b"new" + encode(Kind.PING, 0, encode_number(9))
    assert [Frame(Kind.PING, 0, encode_number(9))] == list(FrameReader(FROM_GAME).feed(stream))


@pytest.mark.parametrize(
    ("number", "bound"),
    [(Kind.SEND, BODY_MAX), (Kind.OPEN, BODY_MAX), (200, BODY_MAX), (Kind.MANY, LARGE_BODY_MAX),
     (Kind.HANDSHAKE, LARGE_BODY_MAX)],
)  # fmt: skip
def test_a_body_over_its_bound_ends_the_wall_before_it_is_read(number, bound):
    known = FROM_DOOR if number in FROM_DOOR else FROM_GAME
    assert [] == list(FrameReader(known).feed(struct.pack("<IBI", bound, number, 0)))
    with pytest.raises(FrameError, match="at most"):
        list(FrameReader(known).feed(struct.pack("<IBI", bound + 1, number, 0)))


def test_frames_before_a_bad_one_are_heard():
    reader, found = FrameReader(FROM_GAME), []
    with pytest.raises(FrameError):
        found.extend(reader.feed(encode(Kind.CLOSE, 3) + bytes(9)))
    assert [Frame(Kind.CLOSE, 3, b"")] == found


def decoded(frame: Frame) -> None:
    """What a frame without msgpack says; FrameError: nothing."""
    match frame.kind:
        case Kind.SEND | Kind.MANY:
            decode_output(frame)
        case Kind.DATA:
            decode_data(frame)
        case Kind.PROGRESS:
            decode_progress(frame)
        case Kind.TAKEN | Kind.PING | Kind.PONG:
            decode_number(frame)


# -- what one turn says ----------------------------------------------------------------------------


def test_equal_output_for_several_is_one_frame_with_one_copy():
    writer = FrameWriter()
    for connection in (1, 2, 3):
        writer.send(connection, b"ann: hello\r\n" * 100)
    said = writer.take()
    assert len(said) < 2 * len(b"ann: hello\r\n" * 100)
    found = [decode_output(frame) for frame in FrameReader(FROM_GAME).feed(said)]
    assert [Output((1, 2, 3), 0, 0, b"ann: hello\r\n" * 100)] == found


def test_output_that_shows_another_sequence_is_another_frame():
    writer = FrameWriter()
    writer.send(1, b"x", seen=4)
    writer.send(2, b"x", seen=5)
    writer.send(3, b"x", seen=5, flags=frames.ACKNOWLEDGE)
    assert [Output((1,), 4, 0, b"x"), Output((2,), 5, 0, b"x"), Output((3,), 5, 1, b"x")] == heard(
        writer
    )


texts = st.sampled_from([b"a", b"b", b"prompt> "])


@given(st.lists(st.tuples(st.integers(1, 4), st.one_of(texts, st.just(None)))))
def test_every_connection_hears_its_own_in_its_order(said):
    writer = FrameWriter()
    wanted: dict[int, bytes] = {}
    for connection, data in said:
        if data is None:
            writer.add(Kind.PROMPT_END, connection)
        else:
            writer.send(connection, data)
        wanted[connection] = wanted.get(connection, b"") + (b"|" if data is None else data)
    found: dict[int, bytes] = {}
    for frame in FrameReader(FROM_GAME).feed(writer.take()):
        if frame.kind is Kind.PROMPT_END:
            found[frame.connection] = found.get(frame.connection, b"") + b"|"
            continue
        output = decode_output(frame)
        for connection in output.connections:
            found[connection] = found.get(connection, b"") + output.data
    assert wanted == found
    assert not writer and b"" == writer.take()


def test_what_a_turn_shows_is_one_frame_with_the_newest_sequence():
    writer = FrameWriter()
    for number in range(64):
        writer.send(1, b"\r\n", seen=number)
    writer.send(1, b"lobby> ", flags=frames.ACKNOWLEDGE)
    assert [Output((1,), 63, 1, b"\r\n" * 64 + b"lobby> ")] == heard(writer)


@pytest.mark.parametrize("connections", [(1,), (1, 2)])
def test_long_output_is_several_frames_and_the_last_says_what_is_shown(connections):
    writer, data = FrameWriter(), b"x" * (2 * SEND_MAX + 5)
    for connection in connections:
        writer.send(connection, data, seen=9, flags=frames.SETTLED)
    found = heard(writer)
    assert [connections] * 3 == [output.connections for output in found]
    assert [SEND_MAX, SEND_MAX, 5] == [len(output.data) for output in found]
    assert [0, 0, 9] == [output.seen for output in found]
    assert [frames.MORE, frames.MORE, frames.SETTLED] == [output.flags for output in found]


def test_a_group_is_bounded():
    writer = FrameWriter()
    for connection in range(MANY_MAX + 2):
        writer.send(connection, b"x")
    assert [MANY_MAX, 2] == [len(output.connections) for output in heard(writer)]


# -- bodies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (Kind.SEND, b""), (Kind.SEND, bytes(4)), (Kind.MANY, bytes(6)),
        (Kind.MANY, struct.pack("<IBH", 0, 0, 3) + bytes(11)), (Kind.DATA, bytes(7)),
        (Kind.DATA, bytes(8 + DATA_MAX + 1)), (Kind.TAKEN, b""), (Kind.PROGRESS, bytes(15)),
        (Kind.PROGRESS, bytes(17)), (Kind.PROGRESS, encode_progress(4, 5)),
    ],
)  # fmt: skip
def test_a_body_that_says_nothing_is_refused(kind, body):
    with pytest.raises(FrameError, match=kind.name):
        decoded(Frame(kind, 1, body))


def test_bodies_say_what_was_meant():
    assert (2**40, b"give 7h\r") == decode_data(
        Frame(Kind.DATA, 1, encode_data(2**40, b"give 7h\r"))
    )
    assert 2**63 == decode_number(Frame(Kind.TAKEN, 1, encode_number(2**63)))
    assert (20, 12) == decode_progress(Frame(Kind.PROGRESS, 1, encode_progress(20, 12)))
    sent = Frame(Kind.SEND, 8, encode_send(b"data", 7, 1))
    assert Output((8,), 7, 1, b"data") == decode_output(sent)
    many = Frame(Kind.MANY, 0, encode_many((1, 2), b"data", 7, 0))
    assert Output((1, 2), 7, 0, b"data") == decode_output(many)


def test_packages_of_a_turn_come_before_its_output_which_is_said_even_if_empty():
    writer = FrameWriter()
    writer.send(1, b"drawn")
    writer.package(1, b"event")
    writer.send(1, b"", seen=7)
    writer.package(2, b"view")
    first, second, *shown = FrameReader(FROM_GAME).feed(writer.take())
    assert (Frame(Kind.GMCP, 1, b"event"), Frame(Kind.GMCP, 2, b"view")) == (first, second)
    assert [Output((1,), 7, 0, b"drawn"), Output((2,), 0, 0, b"")] == [*map(decode_output, shown)]
    assert not writer
