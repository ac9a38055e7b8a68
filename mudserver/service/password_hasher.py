"""Hashes passwords in threads, a few at a time.

Rule 1: at most `hash_threads` hashes run at once, each with `argon2_memory_kib`; at most
        `hash_queue_max` wait, and the next one is told to try again.  Without this bound 32 logins
        at once would take 32 times the memory.
Rule 2: a name without an account costs the same hash as a wrong password.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from mudserver import metrics
from mudserver.accounts.passwords import Argon2Hasher
from mudserver.config.schema import PeopleLimits
from mudserver.errors import UserError

T = TypeVar("T")


class PasswordHasher(Protocol):
    async def hash(self, password: str) -> str: ...
    async def verify(self, hashed: str | None, password: str) -> bool: ...
    def close(self) -> None: ...


class ThreadPasswordHasher:
    def __init__(self, limits: PeopleLimits) -> None:
        self._passwords = Argon2Hasher(limits)
        self._threads = ThreadPoolExecutor(limits.hash_threads, "hash")
        self._free_slots = limits.hash_threads + limits.hash_queue_max

    async def hash(self, password: str) -> str:
        return await self._run(lambda: self._passwords.hash(password))

    async def verify(self, hashed: str | None, password: str) -> bool:
        return await self._run(lambda: self._passwords.verify(hashed, password))

    async def _run(self, call: Callable[[], T]) -> T:
        if self._free_slots <= 0:
            metrics.REFUSALS.increment("hash_queue")
            raise UserError("Many people are coming in just now. Please try again in a moment.")
        self._free_slots -= 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        finally:
            self._free_slots += 1

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
