from __future__ import annotations

import asyncio

from mudserver import metrics
from mudserver.clock import Clock
from mudserver.ui.ticker import Ticker
from tests.mudserver.ui.conftest import HandClock
from tests.simulation.virtual import run


class Flushed:
    def __init__(self, name, log, fails=False):
        self.name, self.log, self.fails = name, log, fails

    def flush(self):
        if self.fails:
            raise RuntimeError("broken")
        self.log.append(self.name)


def test_one_timer_flushes_all_in_the_order_touched_and_then_rests():
    clock, log = HandClock(), []
    ticker = Ticker(clock, 20)
    for name in "bac":
        ticker.schedule_flush(Flushed(name, log))
    assert (1, []) == (len(clock.waiting), log)
    clock.tick()
    assert (0, ["b", "a", "c"]) == (len(clock.waiting), log)


def test_a_broken_screen_spoils_no_other(caplog):
    clock, log = HandClock(), []
    ticker = Ticker(clock, 20)
    ticker.schedule_flush(Flushed("a", log, fails=True))
    ticker.schedule_flush(Flushed("b", log))
    clock.tick()
    assert ["b"] == log
    assert "screen flush failed" in caplog.text


def test_a_screen_that_breaks_at_every_tick_is_one_line(caplog):
    clock = HandClock()
    ticker = Ticker(clock, 20)
    for _ in range(100):
        ticker.schedule_flush(Flushed("a", [], fails=True))
        clock.tick()
    assert 1 == len(caplog.records)
    assert "screen flush failed times=1 err=RuntimeError at=test_ticker.py:" in caplog.text


async def counted_s(*, has_screen):
    """Seconds counted at a tick, a minute after a message that was for a screen or for none."""
    clock = Clock(asyncio.get_running_loop())
    ticker, before_s = Ticker(clock, 20), metrics.DELIVERY_SECONDS.sum
    if has_screen:
        ticker.schedule_flush(Flushed("a", []))
    ticker.note_delivery(clock.monotonic())
    await asyncio.sleep(60)
    ticker.schedule_flush(Flushed("b", []))
    await asyncio.sleep(1)
    return metrics.DELIVERY_SECONDS.sum - before_s


def test_a_message_that_no_screen_shows_is_not_counted_with_a_later_tick():
    assert 0 == run(counted_s(has_screen=False))
    assert 0 < run(counted_s(has_screen=True)) <= 0.021


class Timed:
    """Notes when it is flushed."""

    def __init__(self, clock):
        self.clock, self.at_s = clock, []

    def flush(self):
        self.at_s.append(round(self.clock.monotonic(), 6))


async def flushed_at(mine_s, other_s=None):
    """When a screen touched at *mine_s* is flushed, if another is touched at *other_s*."""
    clock = Clock(asyncio.get_running_loop())
    ticker, mine = Ticker(clock, 20), Timed(clock)
    clock.call_later(mine_s, lambda: ticker.schedule_flush(mine))
    if other_s is not None:
        clock.call_later(other_s, lambda: ticker.schedule_flush(Timed(clock)))
    await asyncio.sleep(1)
    return mine.at_s


def test_when_a_screen_is_flushed_tells_nothing_of_other_screens():
    assert [0.14] == run(flushed_at(0.133))
    assert [0.14] == run(flushed_at(0.133, other_s=0.125))
    assert [0.14] == run(flushed_at(0.133, other_s=0.111))
