"""What one question to the account of cost per source takes, and a login beside a flood."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.source_budgets import Kind, SourceBudgets
from tests.bench.report import Row, Target
from tests.bench.visits import Size, bare_line_us
from tests.e2e.client import Server
from tests.hostile.attack import closing_what_is_left
from tests.proofs.flood import BEGUN_S, OF_MANY_NETWORKS, flood, login_s

NEWCOMERS = 20  # one after the other
BUDGET_AT_MOST = 1.07  # of a line of the bare server: 5 us, where it takes 4.67


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


def worst_login_s(
    sources: Sequence[str] = OF_MANY_NETWORKS, people: int = NEWCOMERS, begun_s: float = BEGUN_S
) -> float:
    """Seconds of the slowest of so many guests to the prompt, while each of *sources* opens a
    connection a second and says nothing."""
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data) / "data").start()
        try:
            with closing_what_is_left(), flood(server, list(sources), begun_s):
                return max(login_s(server, f"127.90.{n}.1", "guest") for n in range(people))
        finally:
            server.stop()


def rows(times: int) -> list[Row]:
    found, bare = zip(*[(run(), bare_line_us(Size())) for _ in range(times)], strict=True)
    logins = tuple(worst_login_s() for _ in range(times))
    return [
        Row("sources: us of CPU to take from a budget, beside a bare line", found, bare,
            Target("<=", BUDGET_AT_MOST, is_ratio=True)),
        Row(f"sources: s of a login beside {len(OF_MANY_NETWORKS)} trickling addresses, the worst"
            f" of {NEWCOMERS}", logins, (), Target("<=", 10)),
    ]  # fmt: skip
