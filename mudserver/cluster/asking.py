"""Questions to other servers, each with one answer.

Rule 1: no answer within ANSWER_S is none; what was asked for may be done all the same.
Rule 2: at most OPEN_MAX questions wait; what is more is not asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count

from mudserver.cluster.events import Event, Told
from mudserver.cluster.exchange import Exchange

ANSWER_S = 2.0
OPEN_MAX = 1_000


class Asking:
    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self._numbers, self._asked = count(1), dict[int, asyncio.Future[Told]]()
        exchange.on(Told, self._hear)

    @property
    def open_count(self) -> int:
        return len(self._asked)

    async def ask(self, question: Callable[[int], Event]) -> Told | None:
        """Ask *question*, made with its number; None: nobody answers."""
        if len(self._asked) >= OPEN_MAX:
            return None
        number = next(self._numbers)
        if not self.exchange.tell(question(number)):
            return None
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(ANSWER_S):
                found: Told = await answer
                return found
        except TimeoutError:
            return None
        finally:
            del self._asked[number]

    def answer(self, told: Told) -> None:
        """Tell the server that has asked; it may be this one, for which another has asked on."""
        if told.server == self.exchange.own:
            self._hear(told.server, told)
        else:
            self.exchange.tell(told)

    def _hear(self, server: str, told: Told) -> None:
        if told.server != self.exchange.own:
            return
        asked = self._asked.get(told.number)
        if asked is not None and not asked.done():
            asked.set_result(told)
