"""The computer players of one table: when they think, and for how long they seem to.

Also those seats of people that pass by themselves: they do not think, but take their time.

Rule 1: the pause is drawn before anything is asked, from the table's pace alone, and the thinking
        happens within it.  What a seat holds, how many plays it has and how long it thought
        cannot be seen in it.  [G-12]
Rule 2: one thought at a time for each seat and window.  A window that closes ends its thoughts;
        an answer that comes too late all the same is dropped by the table.
Rule 3: a computer player that fails costs its table nothing: the default is played.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from mudserver import metrics
from mudserver.tables.options import PAUSES_S
from mudserver.tables.requests import ComputerPlay, Request
from mudserver.tables.seats import DEFAULT_ACTION_LEVEL
from mudserver.tables.services import BotClient
from mudserver.tables.table import Table
from variants.contract import Seat

log = logging.getLogger(__name__)


class ComputerSeats:
    def __init__(self, bots: BotClient, rng: Random, submit: Callable[[Request], None]) -> None:
        self._bots, self._rng, self._submit = bots, rng, submit
        self._tasks: dict[tuple[str, Seat], asyncio.Task[None]] = {}  # by window and seat

    def schedule(self, table: Table, turns: Sequence[tuple[Seat, int]]) -> None:
        """Begin the thoughts that *wanted* (seat, level) lacks, end those nobody waits for."""
        game = table.game
        window = game.window if game is not None and turns else None
        keys = {(window.key, seat) for seat, _ in turns} if window else set()
        for key in [key for key in self._tasks if key not in keys]:
            self._tasks.pop(key).cancel()
        for seat, level in turns:
            assert window is not None
            key = (window.key, seat)
            if key not in self._tasks:
                pause_s = self._rng.uniform(*PAUSES_S[table.options.pace])
                seed = self._rng.getrandbits(63)
                thought = self._think(table, seat, window.key, level, pause_s, seed)
                self._tasks[key] = asyncio.create_task(thought, name=f"computer {seat}")

    def on_answer(self, request: ComputerPlay) -> None:
        """The table takes up this answer: the seat may be asked again."""
        self._tasks.pop((request.window, request.seat), None)

    def cancel(self) -> None:
        for thought in self._tasks.values():
            thought.cancel()
        self._tasks.clear()

    async def stop(self) -> None:
        thoughts = list(self._tasks.values())
        self.cancel()
        await asyncio.gather(*thoughts, return_exceptions=True)

    async def _think(
        self, table: Table, seat: Seat, window: str, level: int, pause_s: float, seed: int
    ) -> None:
        # Also at 0 this lets the house run: a table of computers only must not keep the loop.
        _, action = await asyncio.gather(
            asyncio.sleep(pause_s), self._choose(table, seat, level, seed)
        )
        self._submit(ComputerPlay("", seat, window, action, seed))

    async def _choose(self, table: Table, seat: Seat, level: int, seed: int) -> Any | None:
        """The computer player's action; None: it has none, for whatever reason."""
        game = table.game
        assert game is not None
        if level == DEFAULT_ACTION_LEVEL:  # [G-12] nobody thinks; the pause is the same
            return None
        try:
            seen = [heard.event for heard in game.known_events(seat)]
            name, time_now = table.variant.name, asyncio.get_running_loop().time
            asked_at = time_now()
            try:
                return await self._bots.choose(name, level, game.view(seat), seen, seed)
            finally:
                metrics.COMPUTER_SECONDS.observe(time_now() - asked_at)
        except Exception as exc:
            metrics.COMPUTER_FAILURES.value += 1
            log.warning("computer player failed table=%s err=%s", table.number, type(exc).__name__)
            return None
