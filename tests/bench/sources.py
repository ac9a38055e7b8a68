"""What one question to the account of cost per source takes."""

from __future__ import annotations

import asyncio
import time

from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.source_budgets import Kind, SourceBudgets
from tests.bench.report import Row, Target


def run(sources: int = 5_000, rounds: int = 4) -> float:
    """Microseconds of CPU for one `take`, of as many sources as a busy evening has."""
    loop = asyncio.new_event_loop()
    try:
        budgets = SourceBudgets(Config(), Clock(loop))
        names = [f"10.{n % 250}.{n // 250}.1" for n in range(sources)]
        for name in names:
            budgets.take(Kind.TALK, name)
        began = time.process_time()
        for _ in range(rounds):
            for name in names:
                budgets.take(Kind.TALK, name)
        return (time.process_time() - began) / (sources * rounds) * 1e6
    finally:
        loop.close()


def rows(times: int) -> list[Row]:
    found = tuple(run() for _ in range(times))
    return [Row("sources: us of CPU to take from a budget", found, (), Target("<=", 5))]
