"""Lines typed on one visit, settled one after the other.

Rule 1: while one waits for the journal the next ones queue, boundedly.
Rule 2: too many are refused with "slow down", not punished; only very many end the visit.  People
        are told so once a second, programs of every line: they wait for an answer to each.
Rule 3: a refusal or a bug costs the line that met it, and the next one is read.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

from mudserver import tally
from mudserver.budget import Budget
from mudserver.clock import Clock
from mudserver.config import Line as Limits
from mudserver.errors import HouseError, JournalFailed

WAITING_MAX = 32  # lines behind one that waits
WARNING_S = 1.0  # between two words about too many lines, for people


T = TypeVar("T")  # what a line is before it is read: a text, or the bytes of an object


class Face(Protocol):
    """What is needed of the visit."""

    @property
    def is_over(self) -> bool: ...
    def say(self, *sentences: str) -> None: ...
    def refuse(self, sentence: str) -> None: ...
    def leave(self, text: str) -> None: ...
    def broke(self, bug: Exception, what: str) -> None: ...


class Lines(Generic[T]):
    """Args:
    read: Does what a line says; an awaitable answer is still to be waited for.
    warning_s: Between two words about lines that were not read; 0: one for each of them.
    """

    def __init__(
        self,
        read: Callable[[T], Awaitable[None] | None],
        face: Face,
        limits: Limits,
        clock: Clock,
        warning_s: float = WARNING_S,
    ) -> None:
        self._read, self._face, self._limits, self._clock = read, face, limits, clock
        self._budget = Budget(limits.lines_per_s, limits.lines_burst, clock.monotonic())
        self._waiting: deque[T] = deque()
        self._task: asyncio.Task[None] | None = None
        self._refused = 0
        self._warning_s = warning_s
        self._warned_at = float("-inf")

    def typed(self, line: T) -> None:
        """One line, whole and not too long."""
        if not self._budget.take(self._clock.monotonic()):
            self._slow_down()
        elif self._task is None:
            self._settle(line)
        elif len(self._waiting) < WAITING_MAX:
            self._waiting.append(line)
        else:
            self._slow_down()

    def wait_for(self, pending: Awaitable[None]) -> None:
        """Lines queue until *pending* is done."""
        self._task = asyncio.ensure_future(self._done(pending))

    def stop(self) -> None:
        """The visit is over; nothing is read any more."""
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()

    def _slow_down(self) -> None:
        self._refused += 1
        tally.REFUSALS.add("slow")
        now = self._clock.monotonic()
        if self._refused >= self._limits.lines_refused_max:
            self._face.leave("Those were too many lines. Please come back and go slower.")
        elif now - self._warned_at >= self._warning_s:
            self._warned_at = now
            self._face.refuse("Slow down a little: what comes so fast is not read.")

    def _settle(self, line: T) -> None:
        try:
            pending = self._read(line)
        except HouseError as exc:
            self._face.refuse(str(exc))
            return
        except Exception as bug:
            self._face.broke(bug, "line")
            return
        if pending is not None and not self._face.is_over:
            self.wait_for(pending)

    async def _done(self, pending: Awaitable[None]) -> None:
        try:
            await pending
        except HouseError as exc:
            self._face.refuse(str(exc))
        except JournalFailed:
            tally.REFUSALS.add("journal")
            self._face.refuse(
                "The house cannot write just now, so nothing was changed. Try again soon."
            )
        except Exception as bug:
            self._face.broke(bug, "line")
        self._task = None
        while self._waiting and self._task is None and not self._face.is_over:
            self._settle(self._waiting.popleft())
