"""The computer players of one table: when they think, and for how long they seem to.

Also those seats of people that pass by themselves: they do not think, but take their time.

Rule 1: the pause is drawn before anything is asked, from the table's pace alone, and the thinking
        happens within it.  What a seat holds, how many plays it has and how long it thought
        cannot be seen in it.  [G-12, F3]
Rule 2: one thought at a time for each seat and window.  A window that closes ends its thoughts;
        an answer that comes too late all the same is dropped by the table.
Rule 3: a computer player that fails costs its table nothing: the default is played.  [B3]
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from mudserver import tally
from mudserver.tables.means import Bots
from mudserver.tables.options import PAUSES_S
from mudserver.tables.requests import ComputerPlays, Request
from mudserver.tables.seats import DEFAULT_LEVEL
from mudserver.tables.table import Table
from variants.contract import Seat

log = logging.getLogger(__name__)


class Computers:
    def __init__(self, bots: Bots, rng: Random, put: Callable[[Request], None]) -> None:
        self._bots, self._rng, self._put = bots, rng, put
        self._thoughts: dict[tuple[str, Seat], asyncio.Task[None]] = {}  # by window and seat

    def think(self, table: Table, wanted: Sequence[tuple[Seat, int]]) -> None:
        """Begin the thoughts that *wanted* (seat, level) lacks, end those nobody waits for."""
        game = table.game
        window = game.window if game is not None and wanted else None
        keys = {(window.key, seat) for seat, _ in wanted} if window else set()
        for key in [key for key in self._thoughts if key not in keys]:
            self._thoughts.pop(key).cancel()
        for seat, level in wanted:
            assert window is not None
            key = (window.key, seat)
            if key not in self._thoughts:
                pause_s = self._rng.uniform(*PAUSES_S[table.options.pace])
                seed = self._rng.getrandbits(63)
                thought = self._think(table, seat, window.key, level, pause_s, seed)
                self._thoughts[key] = asyncio.create_task(thought, name=f"computer {seat}")

    def answered(self, request: ComputerPlays) -> None:
        """The table takes up this answer: the seat may be asked again."""
        self._thoughts.pop((request.window, request.seat), None)

    def cancel(self) -> None:
        for thought in self._thoughts.values():
            thought.cancel()
        self._thoughts.clear()

    async def stop(self) -> None:
        thoughts = list(self._thoughts.values())
        self.cancel()
        await asyncio.gather(*thoughts, return_exceptions=True)

    async def _think(
        self, table: Table, seat: Seat, window: str, level: int, pause_s: float, seed: int
    ) -> None:
        # Also at 0 this lets the house run: a table of computers only must not keep the loop.
        _, action = await asyncio.gather(
            asyncio.sleep(pause_s), self._choose(table, seat, level, seed)
        )
        self._put(ComputerPlays("", seat, window, action, seed))

    async def _choose(self, table: Table, seat: Seat, level: int, seed: int) -> Any | None:
        """The computer player's action; None: it has none, for whatever reason."""
        game = table.game
        assert game is not None
        if level == DEFAULT_LEVEL:  # [G-12] nobody thinks; the pause is the same
            return None
        try:
            seen = [heard.event for heard in game.heard(seat)]
            name, time_now = table.variant.name, asyncio.get_running_loop().time
            asked_at = time_now()
            try:
                return await self._bots.choose(name, level, game.view(seat), seen, seed)
            finally:
                tally.COMPUTER.observe(time_now() - asked_at)
        except Exception as exc:
            tally.COMPUTER_FAILURES.value += 1
            log.warning("computer player failed table=%s err=%s", table.number, type(exc).__name__)
            return None
