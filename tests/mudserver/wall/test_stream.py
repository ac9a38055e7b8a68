"""A wall's stream: what the other side has said is heard, however it ends."""

import asyncio
import contextlib
import socket

import pytest

from mudserver.clock import Clock
from mudserver.wall.frames import (
    FROM_GAME,
    SEND_MAX,
    Kind,
    encode,
    encode_number,
    encode_progress,
    encode_send,
)
from mudserver.wall.stream import (
    HELD_FRAME_BYTES,
    LAG_SHARE,
    PAUSE_BYTES,
    RETRY_S,
    STALL_S,
    WallStream,
)
from tests.mudserver.wall.full_socket import FullSocket
from tests.simulation.virtual import run

QUEUE_BYTES = 4 * PAUSE_BYTES


class Owner:
    def __init__(self) -> None:
        self.heard, self.pauses = [], []
        self.lost = asyncio.get_running_loop().create_future()

    def on_made(self) -> None:
        pass

    def on_frame(self, frame) -> None:
        self.heard.append(frame.kind)

    def on_pause(self, is_paused) -> None:
        self.pauses.append(is_paused)

    def on_lost(self) -> None:
        self.lost.set_result(None)


async def connected():
    """The owner of a stream, the stream, and the other end."""
    loop = asyncio.get_running_loop()
    ours, theirs = socket.socketpair()
    owner = Owner()
    stream = WallStream(owner, FROM_GAME, Clock(loop), 1_048_576, "game=?")
    await loop.create_connection(lambda: stream, sock=ours)
    return owner, stream, theirs


@pytest.mark.parametrize("is_unread", [True, False])
async def test_what_a_dead_server_has_said_is_heard_also_by_who_writes_to_it_first(is_unread):
    owner, stream, theirs = await connected()
    if is_unread:  # what the dead one has not read breaks the socket in another way
        stream.add(Kind.PONG, 0, encode_number(1))
        await asyncio.sleep(0.01)
    theirs.sendall(encode(Kind.PROGRESS, 1, encode_progress(20, 10)))
    theirs.sendall(encode(Kind.PROMPT_END, 1) * 10_000 + b"half")
    theirs.close()
    stream.add(Kind.PONG, 0, encode_number(2))
    stream._flush()  # before the loop sees that there is something to read
    await asyncio.wait_for(owner.lost, 3)
    assert [Kind.PROGRESS, *[Kind.PROMPT_END] * 10_000] == owner.heard


async def test_a_stream_that_is_closed_here_hears_no_more():
    owner, stream, theirs = await connected()
    theirs.sendall(encode(Kind.PROMPT_END, 1))
    stream.close("it said nonsense")
    await asyncio.wait_for(owner.lost, 3)
    assert [] == owner.heard
    theirs.close()


async def test_what_waited_for_bytes_to_leave_goes_on_after_a_hold_that_came_to_nothing():
    owner, stream, theirs = await connected()
    stream.send(1, b"x" * 900_000)  # more than the socket takes
    left = []
    stream.when_sent(lambda: left.append("line"))
    await asyncio.sleep(0)
    assert stream.unsent_bytes()
    stream.hold()
    theirs.setblocking(False)
    while stream.unsent_bytes():
        with contextlib.suppress(BlockingIOError):
            theirs.recv(65_536)
        await asyncio.sleep(0)
    await asyncio.sleep(3 * RETRY_S)
    assert [] == left
    stream.release()
    await asyncio.sleep(3 * RETRY_S)
    assert ["line"] == left
    stream.close("the test is over")
    await owner.lost
    theirs.close()


async def test_nothing_that_waits_for_bytes_to_leave_happens_when_the_wall_is_closed_first():
    owner, stream, theirs = await connected()
    begun = []
    stream.add(Kind.PROGRESS, 1, encode_progress(20, 10))
    stream.when_sent(lambda: begun.append("line"))  # and the wall breaks in the same turn
    stream.close("it said nonsense")
    await asyncio.wait_for(owner.lost, 3)
    assert b"" == theirs.recv(100) and [] == begun
    theirs.close()


async def test_what_is_not_taken_counts_for_all_from_a_quarter_of_what_may_wait_on():
    _, stream, theirs = await connected()
    theirs.setblocking(False)
    stream.send(1, b"x" * 100_000)
    await asyncio.sleep(0)
    assert 0 == stream.lag_bytes
    stream.send(1, b"x" * 900_000)
    await asyncio.sleep(0)
    assert stream.unsent_bytes() == stream.lag_bytes > 1_048_576 // LAG_SHARE
    while stream.unsent_bytes():
        with contextlib.suppress(BlockingIOError):
            theirs.recv(65_536)
        await asyncio.sleep(0)
    stream.send(1, b"x")
    await asyncio.sleep(0)
    assert 0 == stream.lag_bytes
    stream.close("the test is over")
    theirs.close()


async def test_no_line_begins_where_the_other_side_turns_out_to_be_gone_and_was_not_told():
    owner, stream, theirs = await connected()
    begun = []
    stream.add(Kind.PROGRESS, 1, encode_progress(20, 10))
    stream.when_sent(lambda: begun.append("line"))
    theirs.close()  # it lives, and types the line again at the next wall
    stream._flush()
    await asyncio.wait_for(owner.lost, 3)
    assert [] == begun


async def test_who_gives_a_wall_up_hears_what_was_said_until_then_and_nobody_says_more():
    owner, stream, theirs = await connected()
    stream.send(1, b"x" * 2_000_000)  # more than may wait
    theirs.sendall(encode(Kind.PROGRESS, 1, encode_progress(20, 10)))

    def say_more(frame) -> None:
        owner.heard.append(frame.kind)
        with pytest.raises(BrokenPipeError):
            theirs.send(encode(Kind.PROMPT_END, 1))

    owner.on_frame = say_more
    stream._flush()  # before the loop sees that there is something to read
    await asyncio.wait_for(owner.lost, 3)
    assert [Kind.PROGRESS] == owner.heard
    theirs.close()


# -- a side that takes too little, on virtual time -------------------------------------------------


def unread(queue_bytes: int = QUEUE_BYTES):
    """The owner of a stream, the stream, and the socket, of which nothing is taken."""
    owner = Owner()
    clock = Clock(asyncio.get_running_loop(), 0)
    stream = WallStream(owner, FROM_GAME, clock, queue_bytes, "game=?")
    return owner, stream, FullSocket(stream)


def test_a_wall_of_which_nothing_is_taken_for_so_long_is_closed(caplog):
    async def scenario() -> None:
        owner, stream, _ = unread()
        stream.add(Kind.PONG, 0, encode_number(1))
        await asyncio.sleep(STALL_S - 0.01)
        stream.add(Kind.PONG, 0, encode_number(2))  # that more is said is no progress
        assert stream.is_open
        await asyncio.sleep(0.02)
        assert owner.lost.done() and not stream.is_open
        assert "wall closed game=? error=nothing taken for 10 s" in caplog.text

    run(scenario())


def test_a_wall_of_which_little_is_taken_stays_and_one_where_all_was_taken_counts_anew():
    async def scenario() -> None:
        owner, stream, door = unread()
        stream.send(1, b"x" * 30_000)
        for _ in range(20):
            await asyncio.sleep(STALL_S - 0.01)
            door.take(1_000)
        door.take()
        await asyncio.sleep(100 * STALL_S)
        assert not owner.lost.done()
        stream.send(1, b"x")
        await asyncio.sleep(STALL_S - 0.01)
        assert not owner.lost.done()
        await asyncio.sleep(0.02)
        assert owner.lost.done()

    run(scenario())


def test_a_wall_with_more_unsent_than_may_wait_is_closed_at_once(caplog):
    async def scenario() -> None:
        owner, stream, door = unread()
        head, begun = len(encode(Kind.SEND, 1, encode_send(b"", 0, 0))), list[str]()
        stream.when_sent(lambda: begun.append("line"))
        while (rest := QUEUE_BYTES - door.get_write_buffer_size()) > 0:
            stream.send(1, b"x" * min(SEND_MAX // 2, rest - head))
            await asyncio.sleep(0)
        assert stream.is_open and QUEUE_BYTES == door.get_write_buffer_size()
        stream.add(Kind.PROMPT_END, 1)
        await asyncio.sleep(0.1)
        assert owner.lost.done() and not stream.is_open
        assert f"error={QUEUE_BYTES + 9} bytes not taken" in caplog.text
        assert [] == begun

    run(scenario())


@pytest.mark.parametrize("size", [0, 100, 10_000])
def test_what_a_held_stream_keeps_is_bounded_however_short_its_frames_are(size, caplog):
    async def scenario() -> None:
        owner, stream, door = unread()
        stream.hold()
        most = QUEUE_BYTES // (size + HELD_FRAME_BYTES)
        says = (
            lambda: stream.add(Kind.KEEP, 1, bytes(size)),
            lambda: stream.send(1, bytes(size)),
            lambda: stream.package(1, bytes(size)),
            lambda: stream.mark(1, 2) if not size else stream.send(2, bytes(size)),
        )
        for number in range(most):
            says[number % len(says)]()
        await asyncio.sleep(0)
        assert stream.is_open and not door.get_write_buffer_size()
        says[0]()
        assert not stream.is_open and " bytes held" in caplog.text
        says[0]()
        await asyncio.sleep(0)
        assert owner.lost.done() and not door.get_write_buffer_size()

    run(scenario())


def test_what_was_held_does_not_count_any_more_after_its_release():
    async def scenario() -> None:
        _, stream, door = unread()
        for _ in range(3):
            stream.hold()
            for _ in range(60):
                stream.send(1, b"x" * 60_000)
            stream.release()
            await asyncio.sleep(0)
            assert 60 * 60_000 < door.get_write_buffer_size() < QUEUE_BYTES
            door.take()
        assert stream.is_open

    run(scenario())


def test_the_sources_pause_from_a_mebibyte_on_and_go_on_when_most_of_it_was_taken():
    async def scenario() -> None:
        owner, stream, door = unread()
        stream.send(1, b"x" * 60_000 * 17)
        await asyncio.sleep(0)
        assert [] == owner.pauses
        stream.send(1, b"x" * 60_000)
        await asyncio.sleep(0)
        assert [True] == owner.pauses and PAUSE_BYTES < stream.lag_bytes
        door.take(500_000)
        assert [True] == owner.pauses
        door.take(500_000)
        assert [True, False] == owner.pauses and 0 == stream.lag_bytes

    run(scenario())
