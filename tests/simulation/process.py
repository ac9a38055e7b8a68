"""Whose tasks and timers are whose, where two servers live on one virtual loop.

Rule 1: what is made in the context of a process belongs to it, and ends with it, as at SIGKILL.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import Context, ContextVar, copy_context
from typing import Any, TypeVar
from weakref import WeakSet

T = TypeVar("T")


class Process:
    """`run` begins what belongs to it."""

    def __init__(self) -> None:
        self.context = copy_context()
        self.context.run(PROCESS.set, self)
        self.tasks: dict[asyncio.Task[Any], None] = {}

    def run(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        loop = asyncio.get_running_loop()
        loop.set_task_factory(_make_task)
        return loop.create_task(work, context=self.context)

    async def kill(self) -> None:
        self._stop_timers()
        tasks = [task for task in self.tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._stop_timers()

    def _stop_timers(self) -> None:
        timers: list[asyncio.TimerHandle] = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
        for timer in list(timers):
            if timer._context.get(PROCESS) is self:  # type: ignore[attr-defined]
                timer.cancel()


PROCESS: ContextVar[Process | None] = ContextVar("PROCESS", default=None)
OWNED: WeakSet[asyncio.Task[Any]] = WeakSet()  # tasks of any process


def _make_task(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T], context: Context | None = None
) -> asyncio.Task[T]:
    task = asyncio.Task(work, loop=loop, context=context)
    owner = PROCESS.get() if context is None else context.get(PROCESS)
    if owner is not None:
        owner.tasks[task] = None
        task.add_done_callback(owner.tasks.pop)
        OWNED.add(task)
    return task
