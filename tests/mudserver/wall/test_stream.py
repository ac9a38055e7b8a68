"""A wall's stream: what the other side has said is heard, however it ends."""

import asyncio
import contextlib
import socket

import pytest

from mudserver.clock import Clock
from mudserver.wall.frames import FROM_GAME, Kind, encode, encode_number, encode_progress
from mudserver.wall.stream import LAG_SHARE, RETRY_S, WallStream


class Owner:
    def __init__(self) -> None:
        self.heard = []
        self.lost = asyncio.get_running_loop().create_future()

    def on_made(self) -> None:
        pass

    def on_frame(self, frame) -> None:
        self.heard.append(frame.kind)

    def on_pause(self, is_paused) -> None:
        pass

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
