from __future__ import annotations

from mudserver.ui.ticker import Ticker
from tests.mudserver.ui.conftest import HandClock


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
        ticker.touch(Flushed(name, log))
    assert (1, []) == (len(clock.waiting), log)
    clock.tick()
    assert (0, ["b", "a", "c"]) == (len(clock.waiting), log)


def test_a_broken_screen_spoils_no_other(caplog):
    clock, log = HandClock(), []
    ticker = Ticker(clock, 20)
    ticker.touch(Flushed("a", log, fails=True))
    ticker.touch(Flushed("b", log))
    clock.tick()
    assert ["b"] == log
    assert "flush failed" in caplog.text


def test_a_screen_that_breaks_at_every_tick_is_one_line(caplog):
    clock = HandClock()
    ticker = Ticker(clock, 20)
    for _ in range(100):
        ticker.touch(Flushed("a", [], fails=True))
        clock.tick()
    assert 1 == len(caplog.records)
    assert "flush failed times=1 err=RuntimeError at=test_ticker.py:" in caplog.text
