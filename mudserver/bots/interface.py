"""What others use of computer players, whatever computes their actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class BotError(Exception):
    """No action: too slow, too many waiting, a crash, nonsense, or no such computer player."""


class BotClient(Protocol):
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
        """The action of a computer player of *level*.

        Args:
            network: Who pays for the table; networks take turns.  "": not known.
            is_advice: For a person who asks; tables go first.

        Raises:
            BotError: There is none: the caller plays the default.
        """

    async def better_action(
        self, variant: str, view: Any, seen: Sequence[Any], action: Any, network: str = ""
    ) -> tuple[Any, float] | None:
        """See `Variant.better_action`.  Tables go first.  BotError: nobody can say."""

    @property
    def is_ready(self) -> bool:
        """Whether somebody answers at once."""

    async def close(self) -> None:
        """Answer no more; end the processes.  Idempotent."""
