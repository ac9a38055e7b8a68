"""The input lines of one session, handled one after the other.

Rule 1: while one line waits for the journal, the next ones queue; the queue is bounded.
Rule 2: lines beyond the rate limit are refused with "slow down"; only very many end the session.
        People are warned once a second.  Programs are warned about every line, since they wait for
        an answer to each.  Programs of protocol 2 are refused none: who handles a line waits as
        long as `charge` says, and more lines stay in the sender's own kernel.
Rule 3: a refusal or a bug costs the line that met it, and the next line is read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Generic, Protocol, TypeVar

from mudserver import metrics
from mudserver.clock import Clock
from mudserver.config.schema import SessionLimits
from mudserver.errors import JournalWriteError, RefusalCode, UserError
from mudserver.rate_limit import TokenBucket
from mudserver.session import texts

QUEUED_LINES_MAX = 32  # behind the line that is being handled
WARNING_INTERVAL_S = 1.0  # between two warnings about too many lines, for people


T = TypeVar("T")  # one unit of input: a text line, or the bytes of a JSON object
Read = TypeVar("Read", contravariant=True)  # the same, as the session reads it


class InputOwner(Protocol[Read]):
    """What the queue needs from the session."""

    @property
    def is_over(self) -> bool: ...
    @property
    def is_shown(self) -> bool:
        """Whether nothing waits to be sent, or to be written by the table first."""

    def note_begin(self, typed: Read, place: int) -> None:
        """The process that holds the connection is about to be told that *typed* begins.

        Args:
            place: As of `Holder.take`.
        """

    def send_text(self, *sentences: str) -> None: ...
    def send_refusal(self, sentence: str, code: RefusalCode = "not_allowed") -> None: ...
    def disconnect(self, text: str) -> None: ...
    def report_bug(self, bug: Exception, what: str) -> None: ...


class InputQueue(Generic[T]):
    """Args:
    handle: Handles a line; an awaitable answer must finish before the next line.
    warning_interval_s: Between two warnings about refused lines; 0: a warning for each.
    hold_input: Whether to leave what comes with the sender; None: what comes too fast is refused.
    """

    __slots__ = (
        *("_bucket", "_clock", "_handle", "_hold_input", "_is_held", "_limits", "_owner"),
        *("_queued", "_refused_count", "_task", "_warned_at", "_warning_interval_s"),
    )

    is_announced = False  # the first line that waits is about to begin

    def __init__(
        self,
        handle: Callable[[T], Awaitable[None] | None],
        owner: InputOwner[T],
        limits: SessionLimits,
        clock: Clock,
        warning_interval_s: float = WARNING_INTERVAL_S,
        hold_input: Callable[[bool], None] | None = None,
    ) -> None:
        self._hold_input, self._is_held = hold_input, False
        self._handle, self._owner, self._limits, self._clock = handle, owner, limits, clock
        self._bucket = TokenBucket(limits.lines_per_s, limits.lines_burst, clock.monotonic())
        self._queued: list[T] = []  # an empty deque would take 600 bytes more
        self._task: asyncio.Task[None] | None = None
        self._refused_count = 0
        self._warning_interval_s = warning_interval_s
        self._warned_at = float("-inf")

    def spent(self) -> tuple[float, int]:
        """For another process: what is left of the rate, and how many lines were refused."""
        return self._bucket.level(self._clock.monotonic()), self._refused_count

    def restore(self, left: float, refused_count: int) -> None:
        """Args: as of `spent`, elsewhere; *left* is 0 where nothing is known of it."""
        if left:
            self._bucket.restore(left, self._clock.monotonic())
            self._refused_count = refused_count

    def submit(self, line: T) -> None:
        """Handle or queue one line, whole and not too long."""
        if self._hold_input is not None:
            self._accept(line)
        elif not self._bucket.try_consume(self._clock.monotonic()):
            self._refuse_too_fast()
        else:
            self._accept(line)

    def _accept(self, line: T) -> None:
        if self._task is None:
            self._handle_line(line)
        elif self._has_room():
            self._queued.append(line)
        else:
            self._refuse_too_fast()

    def _has_room(self) -> bool:
        """Whether one more line is queued; where none is refused, no more are read for now."""
        is_full = len(self._queued) >= QUEUED_LINES_MAX
        self._hold(is_full)
        return self._hold_input is not None or not is_full

    def _hold(self, is_held: bool) -> None:
        if self._hold_input is not None and is_held is not self._is_held:
            self._is_held = is_held
            self._hold_input(is_held)

    def charge(self) -> float:
        """Count a line of a sender that none is refused; how many seconds it has to wait."""
        return self._bucket.consume_with_debt(self._clock.monotonic(), 1)

    def hold_until(self, pending: Awaitable[None]) -> None:
        """Queue all lines until *pending* is done, after what they wait for already."""
        self._task = asyncio.ensure_future(self._finish(pending, self._task))
        self._task.add_done_callback(lambda _: _close(pending))  # cancelled before it began

    def stop(self) -> None:
        """The session is over: drop the queue, cancel the line that is being handled."""
        self._queued.clear()
        if self._task is not None:
            self._task.cancel()

    @property
    def has_queued(self) -> bool:
        """Whether lines wait behind the one that is being handled."""
        return bool(self._queued)

    def hand_over(self) -> None:
        """The line that is being handled is done by another process."""

    def settle(self) -> None:
        """All answers that there are have been shown, because the process ends."""

    def note_answered(self) -> None:
        """All that answers the line that is being handled was handed to the connection."""

    def note_uncertain(self, pending: Awaitable[None] | None = None) -> None:
        """The person is told that nobody knows whether a line was taken.

        Args:
            pending: What tells it, before the next line; None: it is told with the next output.
        """

    def _refuse_too_fast(self) -> None:
        self._refused_count += 1
        metrics.REFUSALS.increment("input_rate")
        now = self._clock.monotonic()
        if self._refused_count >= self._limits.lines_refused_max:
            self._owner.disconnect(texts.TOO_MANY_COMMANDS)
        elif now - self._warned_at >= self._warning_interval_s:
            self._warned_at = now
            self._owner.send_refusal(texts.TOO_FAST, "limit")

    def _handle_line(self, line: T) -> None:
        try:
            pending = self._handle(line)
        except UserError as exc:
            self._owner.send_refusal(str(exc), exc.code)
            return
        except Exception as bug:
            self._owner.report_bug(bug, "input")
            return
        if pending is not None:
            if self._owner.is_over:
                _close(pending)
            else:
                self.hold_until(pending)

    async def _finish(self, pending: Awaitable[None], before: asyncio.Task[None] | None) -> None:
        try:
            if before is not None:
                await before
            await pending
        except UserError as exc:
            self._owner.send_refusal(str(exc), exc.code)
        except JournalWriteError:
            metrics.REFUSALS.increment("journal")
            self._owner.send_refusal(texts.NOT_SAVED, "stopped")
        except Exception as bug:
            self._owner.report_bug(bug, "input")
        if self._task is asyncio.current_task():
            self._task = None
            self._finished()

    def _finished(self) -> None:
        """The line that had to wait is done."""
        self._hold(len(self._queued) > QUEUED_LINES_MAX // 2)
        while self._queued and self._task is None and not self._owner.is_over:
            self._handle_line(self._queued.pop(0))


def _close(pending: Awaitable[None]) -> None:
    """Nobody awaits it any more; one that has ended stays as it is."""
    if isinstance(pending, Coroutine):
        pending.close()
