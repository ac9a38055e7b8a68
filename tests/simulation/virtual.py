"""An event loop whose time is a number: it jumps to the next timer instead of waiting.

Rule 1: nothing real is waited for: no socket, no thread, no process.
Rule 2: the same program with the same seeds runs the same way each time.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _NoWait(selectors.SelectSelector):
    """Instead of sleeping, tells the loop how far time may jump."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("nothing will ever happen again: everybody waits for somebody")
        self.loop.virtual_s += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        selector = _NoWait()
        selector.loop = self
        self.virtual_s = 0.0
        super().__init__(selector)
        # Half a year is too large a number to add the usual nanosecond to: nothing would be due.
        self._clock_resolution = 1e-7

    def time(self) -> float:
        return self.virtual_s


def run(scenario: Coroutine[Any, Any, T]) -> T:
    """Run *scenario* to its end on a virtual clock; tasks left over are cancelled."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(scenario)
