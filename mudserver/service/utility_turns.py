"""Turns at what takes the server long, for anybody (`manifest new`).

Rule 1: one person may ask for few in a row, one source and its network for little more
        (`source_budgets.py`).
Rule 2: of what all together ask, PER_S a second are done, the sources by turns.  WAITING_MAX
        sources wait, with one request each; the next one is told to ask again later.
"""

from __future__ import annotations

import asyncio

from mudserver.clock import Clock, TimerHandle
from mudserver.errors import UserError
from mudserver.rate_limit import KeyedTokenBuckets, TokenBucket
from mudserver.service import texts
from mudserver.turns import Turns

PER_S, BURST = 1.0, 10
PER_PERSON_S, PER_PERSON_BURST = 0.1, 3
PEOPLE_MAX = 10_000
WAITING_MAX = 10  # so nobody waits longer than ten seconds


class UtilityTurns:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._people = KeyedTokenBuckets(PER_PERSON_S, PER_PERSON_BURST, PEOPLE_MAX)
        self._bucket = TokenBucket(PER_S, BURST, clock.monotonic())
        self._waiting = Turns[asyncio.Future[None]](1, WAITING_MAX)
        self._timer: TimerHandle | None = None

    def charge(self, person_key: str) -> None:
        """Count a request of one person.  UserError: too many in a short time."""
        if not self._people.try_consume(person_key, self._clock.monotonic()):
            raise UserError(texts.UTILITY_AGAIN, "limit")

    async def wait(self, source: str) -> None:
        """Return when it is the turn of *source*.  UserError: too many wait."""
        if not self._waiting and self._bucket.try_consume(self._clock.monotonic()):
            return
        turn = asyncio.get_running_loop().create_future()
        if not self._waiting.put(source, turn):
            raise UserError(texts.UTILITY_BUSY, "busy")
        self._start_timer()
        try:
            await turn
        finally:
            self._waiting.remove(source, turn)

    def _start_timer(self) -> None:
        if self._timer is None and self._waiting:
            self._timer = self._clock.call_later(1 / PER_S, self._serve)

    def _serve(self) -> None:
        self._timer = None
        if self._waiting and self._bucket.try_consume(self._clock.monotonic()):
            turn = self._waiting.pop()
            if not turn.done():
                turn.set_result(None)
        self._start_timer()
