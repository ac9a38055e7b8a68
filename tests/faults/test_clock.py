"""The system's clock jumps by a day, forth and back, while people play and while nobody can."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.client import Server
from tests.faults.running_game import plays_of, running_game

DAY_S = 86_400


class Stepped(Server):
    PROGRAM = (sys.executable, str(Path(__file__).with_name("stepped.py")))


class Jumping:
    """A crash run whose machine has a clock that can be set."""

    def __init__(self, directory: Path) -> None:
        self.crash_run, self._offset = running_game(directory), directory / "offset"
        config = str(directory / "speed.toml")
        self.crash_run.server = Stepped(directory / "data", "--config", config)
        self.jumps: list[tuple[str, int, int, int]] = []
        self.offset_s = 0
        self.set(0)

    def set(self, offset_s: int) -> None:
        """The clock is so far from the true time, at once."""
        self.offset_s = offset_s
        new = self._offset.with_suffix(".new")
        new.write_text(str(offset_s))
        new.rename(self._offset)

    def left_s(self) -> int:
        """The seconds to play that who is asked reads."""
        rows = self.crash_run.asked()[0].ask("look")
        found = re.search(r"You have (\d+) s\b", " ".join(rows))
        assert found is not None, rows
        return int(found[1])

    def check(self, when: str, event: Callable[[], None]) -> None:
        """*event* takes no time from who is asked but its own, and then plays count."""
        before_s, began = self.left_s(), time.monotonic()
        event()
        after_s, took_s = self.left_s(), time.monotonic() - began
        self.jumps.append((when, self.offset_s // DAY_S, before_s, after_s))
        assert before_s - took_s - 1 <= after_s <= before_s, (took_s, self.jumps)
        self.crash_run.play()

    def restart(self, offset_s: int) -> None:
        """The clock is set while the server is dead."""
        self.crash_run.server.kill()
        self.set(offset_s)
        self.crash_run.start()


@pytest.fixture
def jumping(tmp_path, monkeypatch):
    monkeypatch.setenv("STEPPED_BY", str(tmp_path / "offset"))
    made = Jumping(tmp_path)
    made.crash_run.begin(options="")
    yield made
    made.crash_run.server.kill()


def through(jumping: Jumping, offsets_s: list[int], *, is_restarted: bool) -> None:
    crash_run = jumping.crash_run
    crash_run.play()
    for offset_s in offsets_s:
        jumping.check("running", lambda by=offset_s: jumping.set(by))
        if is_restarted:
            jumping.check("restarted", lambda by=-offset_s: jumping.restart(by))
    assert 0 == crash_run.server.stop()
    assert plays_of(crash_run) == crash_run.acknowledged
    log = crash_run.server.log_text()
    assert not re.search(r" (ERROR|WARNING) |Traceback", log), log
    print(f"\nclock jumps (when, days, s left before and after): {jumping.jumps}")


def test_a_clock_that_jumps_by_a_day_takes_no_time_from_anybody(jumping):
    through(jumping, [DAY_S, 0, -DAY_S], is_restarted=False)


@pytest.mark.prove
def test_nor_does_one_that_is_set_while_the_server_is_dead(jumping):
    """Also where the last heartbeat lies in what is now the future."""
    through(jumping, [DAY_S, -DAY_S, 2 * DAY_S, -2 * DAY_S], is_restarted=True)
