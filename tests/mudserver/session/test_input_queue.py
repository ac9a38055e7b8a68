"""What is left of a line whose session ends before it is carried out."""

from __future__ import annotations

import asyncio
import inspect
from types import SimpleNamespace

from mudserver.clock import Clock
from mudserver.config.schema import SessionLimits
from mudserver.session.input_queue import InputQueue


async def test_a_line_that_never_began_leaves_nothing_behind():
    async def answer() -> None:
        raise AssertionError("it began")

    pending = answer()
    owner = SimpleNamespace(is_over=False)
    queue = InputQueue[str](
        lambda line: pending, owner, SessionLimits(), Clock(asyncio.get_running_loop())
    )
    queue.submit("set bell off")
    queue.stop()
    for _ in range(3):
        await asyncio.sleep(0)  # the loop goes round
    assert inspect.CORO_CLOSED == inspect.getcoroutinestate(pending)


async def test_a_line_that_ends_the_session_leaves_nothing_behind():
    async def answer() -> None:
        raise AssertionError("it began")

    pending = answer()
    owner = SimpleNamespace(is_over=True)
    queue = InputQueue[str](
        lambda line: pending, owner, SessionLimits(), Clock(asyncio.get_running_loop())
    )
    queue.submit("quit")
    assert inspect.CORO_CLOSED == inspect.getcoroutinestate(pending)
