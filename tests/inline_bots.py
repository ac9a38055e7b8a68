"""Computer players in the process that asks, with the shape of `mudserver.bots.pool.BotPool`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mudserver.bots.codec import seed_bytes
from mudserver.bots.pool import BotError
from mudserver.bots.worker import choose_action, error_location
from variants.catalogue import Catalogue, build_catalogue


class InlineBots:
    """`choose` without a process or a budget: the same question always has the same answer."""

    def __init__(self, *, catalogue: Catalogue | None = None) -> None:
        self._catalogue = build_catalogue() if catalogue is None else catalogue

    async def start(self) -> None:
        """Nothing to start: the pool's shape."""

    async def close(self) -> None:
        """Nothing to end."""

    async def choose(
        self,
        variant: str,
        level: str,
        view: Any,
        seen: Sequence[Any],
        seed: int,
        network: str = "",
        *,
        is_advice: bool = False,
    ) -> Any:
        try:
            return choose_action(self._catalogue[variant], level, view, seen, seed_bytes(seed))
        except Exception as exc:
            raise BotError(error_location(exc)) from exc

    async def better_action(
        self, variant: str, view: Any, seen: Sequence[Any], action: Any, network: str = ""
    ) -> tuple[Any, float] | None:
        found: tuple[Any, float] | None = self._catalogue[variant].better_action(view, seen, action)
        return found
