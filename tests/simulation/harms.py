"""What goes wrong with the servers of one virtual database: which, what and for how long, by dice.

Rule 1: who is cut off from the database or stopped goes on by itself after a while; all else is
        done by those who have the servers.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.simulation.permuted import PermutedLoop
from tests.simulation.virtual_postgres import VirtualPostgres


@dataclass(frozen=True)
class Harms:
    """Args: lasts_s: For how long, perhaps.  kinds: One of them each time."""

    dice: Random
    database: VirtualPostgres
    servers: Sequence[str]
    lasts_s: Sequence[float]
    kinds: Sequence[str]
    found: Counter[str]

    def begin(self) -> tuple[str, str]:
        """The next one: of what kind, and to which server; one that is to be killed is awake."""
        loop, name = _loop(), self.dice.choice(self.servers)
        lasts_s, kind = self.dice.choice(self.lasts_s), self.dice.choice(self.kinds)
        self.found[kind] += 1
        if kind == "cut off":
            self.database.cut(name)
            loop.call_later(lasts_s, self.database.heal, name)
        elif kind == "stopped":
            loop.stop_server(name)
            loop.call_later(lasts_s, loop.continue_server, name)
        elif kind == "killed":
            loop.continue_server(name)
        return kind, name

    def end(self) -> None:
        """Nothing goes wrong any more."""
        weather = self.database.weather
        weather.late = weather.broken = weather.unheard = 0.0
        for name in self.servers:
            self.database.heal(name)
            _loop().continue_server(name)


def _loop() -> PermutedLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, PermutedLoop)
    return loop
