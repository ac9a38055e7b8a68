"""Whole servers on one journal, and people who walk between them: nothing is lost, shown twice,
or told to the wrong people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from mudserver.session.walking import Walking
from mudserver.wall.remote_connection import RemoteConnection
from tests.counts import count
from tests.simulation.many_servers import simulate
from tests.slow_cases import slow_cases

CALM = 40.0  # virtual seconds
AGAIN = ".venv/bin/python -m tests.simulation.again servers"


def test_people_walk_between_servers():
    town = simulate(2, CALM, harms=False)
    assert town.found["walks"] > 0 and town.found["told"] > 0 and town.found["runs ended"] == 0
    assert town.found["to the own session"] > 0


@pytest.mark.prove
@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("harms", [False, True])
def test_many_towns_of_whole_servers(chunk, harms):
    found, number = Counter[str](), count(1_000, 24) // 4
    for seed in range(chunk * number, (chunk + 1) * number):
        try:
            found.update(simulate(seed, harms=harms).found)
        except BaseException as failure:
            failure.add_note(f"Again: {AGAIN} {seed}")
            raise
    print(f"towns={number} {dict(found)}")


@pytest.mark.parametrize("seed", slow_cases([3, 4], ["3"]))
def test_whatever_goes_wrong_no_line_is_done_twice_or_lost(seed):
    town = simulate(seed, CALM)
    assert town.found["lines"] > 0 and town.found["runs ended"] > 0


@pytest.mark.prove
def test_a_line_that_is_typed_again_is_found(monkeypatch):
    """The control: a door is never told which line has begun."""

    def begin(self: RemoteConnection, place: int, call: Callable[[], None]) -> None:
        self._handling = place
        call()

    monkeypatch.setattr(RemoteConnection, "begin", begin)
    with pytest.raises(AssertionError):
        for seed in range(10):
            simulate(seed, CALM)


def test_somebody_who_stays_behind_is_found(monkeypatch):
    """The control: who has walked is never forgotten by the server before."""
    monkeypatch.setattr(Walking, "forget", lambda self: None)
    with pytest.raises(AssertionError, match="on two servers"):
        for seed in range(10):
            simulate(seed, CALM, harms=False)
