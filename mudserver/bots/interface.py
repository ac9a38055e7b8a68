"""What others use of computer players, whatever computes their actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class BotClient(Protocol):
    async def choose(
        self,
        variant: str,
        level: str,
        view: Any,
        seen: Sequence[Any],
        seed: int,
        network: str = "",
    ) -> Any:
        """The action of a computer player of *level*.

        Args:
            network: Who pays for the table; networks take turns.  "": not known.

        Raises:
            BotError: There is none: the caller plays the default.
        """

    async def close(self) -> None:
        """Answer no more; end the processes.  Idempotent."""
