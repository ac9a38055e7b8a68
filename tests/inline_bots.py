"""Computer players in the process that asks, with the shape of `mudserver.bots.pool.BotPool`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mudserver.bots import BotFailed
from mudserver.bots.codec import seed_bytes
from mudserver.bots.worker import decided, where
from variants.catalogue import Catalogue, build


class InlineBots:
    """`choose` without a process or a budget: the same question always has the same answer."""

    def __init__(self, *, catalogue: Catalogue | None = None) -> None:
        self._catalogue = build() if catalogue is None else catalogue

    async def start(self) -> None:
        """Nothing to start: the pool's shape."""

    async def close(self) -> None:
        """Nothing to end."""

    async def choose(
        self, variant: str, level: int, view: Any, seen: Sequence[Any], seed: int
    ) -> Any:
        try:
            return decided(self._catalogue[variant], level, view, seen, seed_bytes(seed))
        except Exception as exc:
            raise BotFailed(where(exc)) from exc
