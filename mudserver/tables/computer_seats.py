"""The computer players of one table: when they think, and how long they seem to think.

Seats of people that pass by themselves do not think, but pause for as long.

Rule 1: the pause is drawn before a question is sent, from the table's pace alone, and the thinking
        happens within it.  It does not show what a seat holds, how many moves it has, or how long
        it thought.  [G-12]  A delay that the caller adds is the same for all seats of a window.
        The thinking of a level that searches takes longer the more there is to try, which may be
        hidden: its answer is shown only at a multiple of STEP_S after the question.
Rule 2: one question at a time for each seat and window.  A window that closes cancels its
        questions; the table drops an answer that comes too late nevertheless.
Rule 3: a computer player that fails costs its table nothing: the default is played.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from math import ceil
from random import Random
from typing import Any

from mudserver import metrics
from mudserver.bots.interface import BotClient
from mudserver.tables.correspondence import PAUSE_S
from mudserver.tables.options import PAUSES_S
from mudserver.tables.requests import ComputerPlay, Request
from mudserver.tables.table import Table
from variants.contract import Seat

log = logging.getLogger(__name__)

STEP_S = 0.5


class ComputerSeats:
    """Args: network: Of who pays for the table."""

    def __init__(
        self,
        bots: BotClient,
        network: Callable[[], str],
        rng: Random,
        submit: Callable[[Request], None],
    ) -> None:
        self._bots, self._network, self._rng, self._submit = bots, network, rng, submit
        self._tasks: dict[tuple[str, Seat], asyncio.Task[None]] = {}  # by window and seat

    def schedule(self, table: Table, turns: Sequence[tuple[Seat, str]], delay_s: float) -> None:
        """Start a task for each of *turns* (seat, level) that has none; cancel all others.

        Args:
            delay_s: Added to every pause.
        """
        game = table.game
        window = game.window if game is not None and turns else None
        keys = {(window.key, seat) for seat, _ in turns} if window else set()
        for key in [key for key in self._tasks if key not in keys]:
            self._tasks.pop(key).cancel()
        range_s = PAUSE_S if table.is_slow else PAUSES_S[table.options.pace]
        for number, (seat, level) in enumerate(turns):
            assert window is not None
            key = (window.key, seat)
            if key not in self._tasks:
                pause_s = self._rng.uniform(*range_s) + delay_s
                pause_s += number if table.is_slow else 0  # never two in one second
                pause_s += table.away_wait_s(seat)
                seed = self._rng.getrandbits(63)
                turn = self._think(table, seat, window.key, level, pause_s, seed)
                self._tasks[key] = asyncio.create_task(turn, name=f"computer {seat}")

    def on_answer(self, request: ComputerPlay) -> None:
        """The table settles this answer: the seat may be asked again."""
        self._tasks.pop((request.window, request.seat), None)

    def cancel(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()

    async def stop(self) -> None:
        tasks = list(self._tasks.values())
        self.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _think(
        self, table: Table, seat: Seat, window: str, level: str, pause_s: float, seed: int
    ) -> None:
        question = self._choose(table, seat, level, seed)
        if level in table.variant.searching:
            action = await _at_next_step(question, pause_s)
        else:
            # Even 0 s lets the event loop run: a table of computers only must not block it.
            _, action = await asyncio.gather(asyncio.sleep(pause_s), question)
        self._submit(ComputerPlay("", seat, window, action, seed))

    async def _choose(self, table: Table, seat: Seat, level: str, seed: int) -> Any | None:
        """The computer player's action; None: it has none, for whatever reason."""
        game = table.game
        assert game is not None
        if not level:  # [G-12] no thinking; the pause is the same
            return None
        try:
            seen = [known.event for known in game.known_events(seat)]
            name, time_now = table.variant.name, asyncio.get_running_loop().time
            asked_at = time_now()
            try:
                view, network = game.view(seat), self._network()
                return await self._bots.choose(name, level, view, seen, seed, network)
            finally:
                metrics.COMPUTER_SECONDS.observe(time_now() - asked_at)
        except Exception as exc:
            metrics.COMPUTER_FAILURES.value += 1
            log.warning("computer player failed table=%s err=%s", table.number, type(exc).__name__)
            return None


async def _at_next_step(question: Coroutine[Any, Any, Any], pause_s: float) -> Any:
    """The answer, at the first multiple of STEP_S when it is there, after *pause_s* at least."""
    loop = asyncio.get_running_loop()
    asked_at, steps = loop.time(), max(1, ceil(pause_s / STEP_S))
    thinking = asyncio.create_task(question)
    try:
        while True:
            await asyncio.sleep(asked_at + steps * STEP_S - loop.time())
            if thinking.done():
                return thinking.result()
            steps += 1
    finally:
        thinking.cancel()
