"""Hashes passwords in threads, a few at a time, by turns.

Rule 1: at most `hash_threads` hashes run at once, each with `argon2_memory_kib`.  Without this
        bound 32 logins at once would take 32 times the memory.
Rule 2: of one source one runs or has its turn, and the networks take turns, so that guesses from
        one place delay nobody elsewhere.
Rule 3: at most `hash_queue_max` wait, of one network a quarter of that; the next one is told to try
        again.
Rule 4: a name without an account costs the same hash as a wrong password.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from mudserver import metrics
from mudserver.accounts.passwords import Argon2Hasher
from mudserver.config.schema import PeopleLimits
from mudserver.errors import UserError
from mudserver.source_budgets import network_of
from mudserver.turns import Turns

T = TypeVar("T")
Turn = asyncio.Future[None]


class PasswordHasher(Protocol):
    async def hash(self, password: str, source: str) -> str: ...
    async def verify(self, hashed: str | None, password: str, source: str) -> bool: ...
    def close(self) -> None: ...


class ThreadPasswordHasher:
    def __init__(self, limits: PeopleLimits) -> None:
        self._passwords = Argon2Hasher(limits)
        self._threads = ThreadPoolExecutor(limits.hash_threads, "hash")
        self._free_threads = limits.hash_threads
        self._waiting_max = limits.hash_queue_max
        self._waiting_per_network_max = max(1, limits.hash_queue_max // 4)
        self._waiting: Counter[str] = Counter()  # by network
        self._by_source: dict[str, deque[Turn]] = {}  # the first of each runs, or is in `_turns`
        self._turns = Turns[tuple[Turn, str]](limits.hash_queue_max + 1, limits.hash_queue_max + 1)

    async def hash(self, password: str, source: str) -> str:
        return await self._run(lambda: self._passwords.hash(password), source)

    async def verify(self, hashed: str | None, password: str, source: str) -> bool:
        return await self._run(lambda: self._passwords.verify(hashed, password), source)

    async def _run(self, call: Callable[[], T], source: str) -> T:
        loop = asyncio.get_running_loop()
        turn: Turn = loop.create_future()
        self._enqueue(turn, source)
        try:
            await turn
            return await loop.run_in_executor(self._threads, call)
        finally:
            self._end(turn, source)

    def _enqueue(self, turn: Turn, source: str) -> None:
        network = network_of(source)
        if (
            self._waiting.total() >= self._waiting_max
            or self._waiting[network] >= self._waiting_per_network_max
        ):
            metrics.REFUSALS.increment("hash_queue")
            raise UserError(
                "Many people are logging in right now. Please try again in a moment.", "busy"
            )
        self._waiting[network] += 1
        turns = self._by_source.setdefault(source, deque())
        turns.append(turn)
        if len(turns) == 1:
            self._put(network, turn)
        self._start_next()

    def _start_next(self) -> None:
        while self._free_threads and self._turns:
            turn, network = self._turns.pop()
            if not turn.done():  # else its login was given up; `_end` is about to run
                self._stop_waiting(network)
                self._free_threads -= 1
                turn.set_result(None)

    def _put(self, network: str, turn: Turn) -> None:
        self._turns.put(network, (turn, network))

    def _stop_waiting(self, network: str) -> None:
        self._waiting[network] -= 1
        if not self._waiting[network]:
            del self._waiting[network]

    def _end(self, turn: Turn, source: str) -> None:
        network, turns = network_of(source), self._by_source[source]
        if turn.cancelled():
            self._stop_waiting(network)
            self._turns.remove(network, (turn, network))
        else:
            self._free_threads += 1
        was_first = turns[0] is turn
        turns.remove(turn)
        if not turns:
            del self._by_source[source]
        elif was_first:
            self._put(network, turns[0])
        self._start_next()

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
