"""Bytes in and bytes out, both bounded, the same for SSH and telnet.

Rule 1: reading pauses while there is any reason to: too many bytes a second, unread output, an
        answer that authentication waits for.  Paused reading is felt by the sender's own socket,
        so nothing piles up here.
Rule 2: what the other end does not take is bounded by bytes and by time; over either the line is
        cut, because a polite close would wait for the same reader for ever.
Rule 3: what was read is heard a little at a time: between two mouthfuls everybody else has a turn.
        A key can cost a hundred microseconds, and one read brings sixteen thousand of them.
Rule 4: after the line is gone nothing is written: asyncio logs every such write.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from enum import IntFlag

from mudserver import metrics
from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import DoorLimits as Limits
from mudserver.rate_limit import TokenBucket

CHUNK_BYTES = 64  # of keys that each complete and draw: half a millisecond


def enable_keepalive(transport: asyncio.Transport, limits: Limits) -> None:
    """Let the kernel end a line whose other end has vanished without a word."""
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
        if hasattr(socket, name):  # not on every system
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class PauseReason(IntFlag):
    """Why a line is not read."""

    RATE = 1  # it sent more than input_bytes_per_s
    UNREAD_OUTPUT = 2  # it does not take what we sent
    AUTHENTICATION = 4  # a password is being checked
    UNPROCESSED_INPUT = 8  # what was read before is not heard yet


class ReadThrottle:
    """Pauses and resumes the reading of one line."""

    __slots__ = ("_budget", "_clock", "_holds", "_timer", "_transport")

    def __init__(self, transport: asyncio.Transport, limits: Limits, clock: Clock) -> None:
        self._transport, self._clock = transport, clock
        self._holds = PauseReason(0)
        self._timer: TimerHandle | None = None
        self._budget = TokenBucket(
            limits.input_bytes_per_s, limits.input_bytes_burst, clock.monotonic()
        )

    def count_read(self, count: int) -> None:
        """So many bytes were read."""
        wait_s = self._budget.consume_with_debt(self._clock.monotonic(), count)
        if wait_s and self._timer is None:
            self.pause(PauseReason.RATE)
            self._timer = self._clock.call_later(wait_s, self._paid)

    def _paid(self) -> None:
        self._timer = None
        self.resume(PauseReason.RATE)

    def pause(self, why: PauseReason) -> None:
        self._holds |= why
        self._transport.pause_reading()

    def resume(self, why: PauseReason) -> None:
        self._holds &= ~why
        if not self._holds:
            self._transport.resume_reading()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class ChunkedReader:
    """Hands on what was read, MOUTHFUL_BYTES in one turn of the loop.

    While something waits the line is not read, so no more waits than one read has brought.
    """

    __slots__ = ("_clock", "_hear", "_inflow", "_rest")

    def __init__(
        self, throttle: ReadThrottle, clock: Clock, on_data: Callable[[bytes], None]
    ) -> None:
        self._inflow, self._clock, self._hear = throttle, clock, on_data
        self._rest = b""

    def feed(self, data: bytes) -> None:
        if self._rest:
            self._rest += data
        elif len(data) <= CHUNK_BYTES:
            self._hear(data)
        else:
            self._rest = data
            self._inflow.pause(PauseReason.UNPROCESSED_INPUT)
            self._next()

    def _next(self) -> None:
        data, self._rest = self._rest[:CHUNK_BYTES], self._rest[CHUNK_BYTES:]
        if self._rest:
            self._clock.call_soon(self._next)
        else:
            self._inflow.resume(PauseReason.UNPROCESSED_INPUT)
        if data:
            self._hear(data)

    def close(self) -> None:
        """Nothing is heard any more."""
        self._rest = b""


class OutputMonitor:
    """Watches one output buffer: the socket's, or above it that of an SSH channel.

    Args:
        level: Bytes in the buffer now.
        below: The buffer that this one drains into.
        cut: Ends the line at once.
    """

    __slots__ = ("_below", "_clock", "_cut", "_level", "_limits", "_mark", "_poured", "_timer")

    def __init__(
        self,
        buffered_bytes: Callable[[], int],
        limits: Limits,
        clock: Clock,
        abort: Callable[[], None],
        downstream: OutputMonitor | None = None,
    ) -> None:
        self._level, self._limits, self._clock, self._cut = buffered_bytes, limits, clock, abort
        self._below = downstream
        self._poured = self._mark = 0
        self._timer: TimerHandle | None = None

    def backlog(self) -> int:
        """Bytes queued here and below."""
        here = 0 if self._timer is None else self._level()  # without a timer nothing was left
        return here + (self._below.backlog() if self._below else 0)

    def count_written(self, count: int) -> None:
        """So many bytes were just written into the buffer."""
        self._poured += count
        level = self._level()
        if not level:
            return  # nearly always; what is below looks after itself
        if self._timer is None:
            self._mark = self._poured - level
            self._timer = self._clock.call_later(self._limits.output_stall_s, self._look)
        if self.backlog() > self._limits.output_bytes_max:
            metrics.CONNECTIONS_ABORTED.increment("bytes")
            self._cut()

    def _look(self) -> None:
        self._timer = None
        level = self._level()
        if not level:
            return
        if self._poured - level == self._mark:
            metrics.CONNECTIONS_ABORTED.increment("stall")
            self._cut()  # not one byte was taken in all this time
            return
        self._mark = self._poured - level
        self._timer = self._clock.call_later(self._limits.output_stall_s, self._look)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
