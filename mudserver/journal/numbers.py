"""Numbers for new streams, at hand when one is wanted.

Rule 1: a journal gives them in blocks, because several servers may share it.  The next block is
        fetched before the last number is taken, so that nobody waits.
Rule 2: if there is none at hand all the same, the request is refused and can be repeated.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

from mudserver.errors import JournalWriteError, UserError
from mudserver.journal.interface import Journal

FEW = 10  # at hand
NONE_AT_HAND = "That can't be done just now. Please try again in a moment."


class Numbers:
    """Args: prefix: Of the streams that are numbered; few: So many more are at hand."""

    def __init__(self, journal: Journal, prefix: str, few: int = FEW) -> None:
        self._journal, self._prefix, self._few = journal, prefix, few
        self._at_hand: deque[int] = deque()
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    async def fill(self) -> None:
        """Have more than a few at hand.  JournalWriteError: there are none now."""
        async with self._lock:
            if (missing := self._few + 1 - len(self._at_hand)) > 0:
                self._at_hand.extend(await self._journal.numbers(self._prefix, missing))

    def take(self) -> int:
        """A number that nobody has had.  UserError: none is at hand."""
        number = self._at_hand.popleft() if self._at_hand else None
        if len(self._at_hand) <= self._few and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._fill_soon(), name="numbers")
        if number is None:
            raise UserError(NONE_AT_HAND, "busy")
        return number

    async def _fill_soon(self) -> None:
        with suppress(JournalWriteError):  # the next `take` tries again
            await self.fill()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
