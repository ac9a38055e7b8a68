"""Flow control for SSH and telnet: input and output are both bounded.

Rule 1: reading pauses while there is any reason: too many bytes a second, unread output, a pending
        authentication.  Paused reading fills the sender's own socket, so nothing piles up here.
Rule 2: output that the client does not accept is bounded in bytes and in time.  Over either bound
        the connection is aborted: a polite close would wait for the same client for ever.
Rule 3: input is processed in small chunks: in each turn of the event loop one of each of a few
        connections of a listener.  A key can cost a hundred microseconds, and one read brings
        sixteen thousand of them.  A few bytes, as people type them, never wait behind the chunks of
        others.  Only one connection in a turn would be too few: where turns are long because many
        type, programs would wait for minutes, whose lines are all longer than that.
Rule 4: nothing is written after the connection is gone: asyncio logs every such write.
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable
from enum import IntFlag

from mudserver import metrics
from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import DoorLimits
from mudserver.rate_limit import TokenBucket
from mudserver.transport.link import LostReason

CHUNK_BYTES = 64  # keys that each complete and redraw take half a millisecond in all
KEYS_BYTES = 16  # at most so many never wait for the input of others
CHUNKS_PER_TURN = 8  # each of another connection


def enable_keepalive(transport: asyncio.Transport, limits: DoorLimits) -> None:
    """Let the kernel end a connection whose peer has vanished silently."""
    sock = transport.get_extra_info("socket")
    if sock is None or sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    alive_s, misses = max(1, int(limits.keepalive_s)), limits.keepalive_misses_max
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", alive_s),
        ("TCP_KEEPINTVL", alive_s),
        ("TCP_KEEPCNT", misses),
        ("TCP_USER_TIMEOUT", 1_000 * alive_s * (misses + 1)),
    ):
        if hasattr(socket, name):  # not available on every system
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class PauseReason(IntFlag):
    """Why a connection is not read."""

    RATE = 1  # more than input_bytes_per_s
    UNREAD_OUTPUT = 2  # the client does not read our output
    AUTHENTICATION = 4  # a password is being checked
    UNPROCESSED_INPUT = 8  # earlier input is still being processed
    HELD = 16  # the game server has not begun earlier input


class ReadThrottle:
    """Pauses and resumes the reading of one connection."""

    __slots__ = ("_bucket", "_clock", "_reasons", "_timer", "_transport")

    def __init__(self, transport: asyncio.Transport, limits: DoorLimits, clock: Clock) -> None:
        self._transport, self._clock = transport, clock
        self._reasons = PauseReason(0)
        self._timer: TimerHandle | None = None
        self._bucket = TokenBucket(
            limits.input_bytes_per_s, limits.input_bytes_burst, clock.monotonic()
        )

    def count_read(self, count: int) -> None:
        """Count bytes that were read; pause if they were too many."""
        wait_s = self._bucket.consume_with_debt(self._clock.monotonic(), count)
        if wait_s and self._timer is None:
            self.pause(PauseReason.RATE)
            self._timer = self._clock.call_later(wait_s, self._on_refilled)

    def _on_refilled(self) -> None:
        self._timer = None
        self.resume(PauseReason.RATE)

    def pause(self, reason: PauseReason) -> None:
        self._reasons |= reason
        self._transport.pause_reading()

    def resume(self, reason: PauseReason) -> None:
        self._reasons &= ~reason
        if not self._reasons:
            self._transport.resume_reading()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class InputTurns:
    """The connections of a listener that have input to process: a few of them in each turn."""

    __slots__ = ("_clock", "_waiting")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: deque[Callable[[], None]] = deque()  # at most one per connection

    @property
    def is_busy(self) -> bool:
        return bool(self._waiting)

    def wait(self, process: Callable[[], None]) -> None:
        """Call *process* once, after those who wait already."""
        self._waiting.append(process)
        if len(self._waiting) <= CHUNKS_PER_TURN:
            self._clock.call_soon(self._process_next)

    def _process_next(self) -> None:
        process = self._waiting.popleft()
        if len(self._waiting) >= CHUNKS_PER_TURN:
            self._clock.call_soon(self._process_next)
        process()


class ChunkedReader:
    """Passes input on, CHUNK_BYTES at a time.

    While input waits the connection is not read, so no more waits than one read has brought.
    """

    __slots__ = ("_on_data", "_rest", "_throttle", "_turns")

    def __init__(
        self, throttle: ReadThrottle, turns: InputTurns, on_data: Callable[[bytes], None]
    ) -> None:
        self._throttle, self._turns, self._on_data = throttle, turns, on_data
        self._rest = b""

    def feed(self, data: bytes) -> None:
        if self._rest:
            self._rest += data
        elif len(data) <= (KEYS_BYTES if self._turns.is_busy else CHUNK_BYTES):
            self._on_data(data)
        else:
            self._rest = data
            self._throttle.pause(PauseReason.UNPROCESSED_INPUT)
            self._turns.wait(self._next)

    @property
    def is_idle(self) -> bool:
        """Whether no input waits."""
        return not self._rest

    def _next(self) -> None:
        data, self._rest = self._rest[:CHUNK_BYTES], self._rest[CHUNK_BYTES:]
        if self._rest:
            self._turns.wait(self._next)
        else:
            self._throttle.resume(PauseReason.UNPROCESSED_INPUT)
        if data:
            self._on_data(data)

    def close(self) -> None:
        """Drop the input that waits."""
        self._rest = b""


class OutputMonitor:
    """Watches one output buffer: the socket's, or that of an SSH channel above it.

    Args:
        buffered_bytes: Bytes in the buffer now.
        abort: Ends the connection at once.
        downstream: The monitor of the buffer that this one drains into.
    """

    __slots__ = (
        "_abort",
        "_buffered_bytes",
        "_clock",
        "_downstream",
        "_drained_mark",
        "_limits",
        "_over",
        "_timer",
        "_written",
    )

    def __init__(
        self,
        buffered_bytes: Callable[[], int],
        limits: DoorLimits,
        clock: Clock,
        abort: Callable[[], None],
        downstream: OutputMonitor | None = None,
    ) -> None:
        self._buffered_bytes, self._limits, self._clock, self._abort = (
            buffered_bytes,
            limits,
            clock,
            abort,
        )
        self._downstream = downstream
        self._over: LostReason | None = None  # the bound that ended the connection
        self._written = self._drained_mark = 0
        self._timer: TimerHandle | None = None

    def backlog(self) -> int:
        """Bytes queued in this buffer and downstream."""
        # Without a timer the buffer was empty.
        own = 0 if self._timer is None else self._buffered_bytes()
        return own if self._downstream is None else own + self._downstream.backlog()

    @property
    def lost_why(self) -> LostReason:
        """Why a connection is lost that is gone now."""
        return self._over or (self._downstream.lost_why if self._downstream else "closed")

    def count_written(self, count: int) -> None:
        """Count bytes just written into the buffer; needless where that is empty again."""
        self._written += count
        buffered_bytes = self._buffered_bytes  # a slot that is called directly is slower
        level = buffered_bytes()
        if not level:
            return  # nearly always; the downstream buffer has its own monitor
        if self._timer is None:
            self._drained_mark = self._written - level
            self._timer = self._clock.call_later(self._limits.output_stall_s, self._check)
        if self.backlog() > self._limits.output_bytes_max:
            metrics.CONNECTIONS_ABORTED.increment("output_bytes")
            self._over = "bytes"
            self._abort()

    def _check(self) -> None:
        self._timer = None
        level = self._buffered_bytes()
        if not level:
            return
        if self._written - level == self._drained_mark:
            metrics.CONNECTIONS_ABORTED.increment("output_stall")
            self._over = "stall"
            self._abort()  # no byte was accepted for output_stall_s
            return
        self._drained_mark = self._written - level
        self._timer = self._clock.call_later(self._limits.output_stall_s, self._check)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
