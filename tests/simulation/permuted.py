"""A virtual loop that takes what is ready in an order of its own, and stops servers (SIGSTOP).

Rule 1: what is ready at one time is run in any order, by seed.
Rule 2: a callback belongs to the server in whose context it was made (`as_server`).  Those of a
        server that is stopped wait until it is continued; time goes on without it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from contextvars import ContextVar, copy_context
from random import Random
from typing import Any, TypeVar

from tests.simulation.virtual import VirtualLoop

T = TypeVar("T")
SERVER: ContextVar[str] = ContextVar("SERVER", default="")


class PermutedLoop(VirtualLoop):
    def __init__(self, dice: Random) -> None:
        super().__init__()
        self._dice = dice
        self._stopped: dict[str, list[asyncio.Handle]] = {}

    def _run_once(self) -> None:
        ready: deque[asyncio.Handle] = self._ready  # type: ignore[attr-defined]
        handles = [handle for handle in ready if not self._keep(handle)]
        self._dice.shuffle(handles)
        ready.clear()
        ready.extend(handles)
        super()._run_once()  # type: ignore[misc]

    def _keep(self, handle: asyncio.Handle) -> bool:
        kept = self._stopped.get(handle._context.get(SERVER, ""))  # type: ignore[attr-defined]
        if kept is None:
            return False
        kept.append(handle)
        return True

    def stop_server(self, name: str) -> None:
        self._stopped.setdefault(name, [])

    def is_stopped(self, name: str) -> bool:
        return name in self._stopped

    def continue_server(self, name: str) -> None:
        self._ready.extend(self._stopped.pop(name, []))  # type: ignore[attr-defined]


def as_server(name: str, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    context = copy_context()
    context.run(SERVER.set, name)
    return asyncio.get_running_loop().create_task(work, context=context)


def run(seed: int, scenario: Coroutine[Any, Any, T]) -> T:
    """Run *scenario* to its end; tasks left over are cancelled."""
    with asyncio.Runner(loop_factory=lambda: PermutedLoop(Random(seed))) as runner:
        return runner.run(scenario)
