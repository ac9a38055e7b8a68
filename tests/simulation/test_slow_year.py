"""A year of correspondence play, with servers that die in the middle of anything."""

from __future__ import annotations

import pytest

from tests.counts import IS_FULL, count
from tests.simulation import virtual
from tests.simulation.slow_year import Judged, Year, judged
from tests.slow_cases import slow_cases

ACTS = {"open", "ready", "play"} | ({"plan"} if IS_FULL else set())  # of those at which it dies
PEOPLE, DAYS = count(200, 24), count(365, 60)


def lived(year: Year) -> Judged:
    virtual.run(year.run())
    found = judged(year)
    assert [] == found.faults[:5]
    assert [] == found.running
    return found


@pytest.mark.parametrize("seed", slow_cases([1, 2], ["1"]))
def test_games_of_a_month_reach_their_end_over_restarts(seed):
    year = Year(seed, people_count=4, days=25)
    found = lived(year)
    assert found.games >= 10 and found.ends["finished"] >= 5 and len(year.outages) >= 8


@pytest.mark.prove
def test_a_year_of_correspondence_play_ends_as_it_should():
    year = Year(7, people_count=PEOPLE, days=DAYS)
    found = lived(year)
    print(
        f"people={PEOPLE} days={DAYS} games={found.games} ends={dict(found.ends)}"
        f" by_clock={found.by_clock} deaths={len(year.outages)} in={dict(year.died_in)}"
        f" parked_max={year.parked_max}"
    )
    assert found.ends["finished"] > found.games // 2 and year.parked_max > PEOPLE // 4
    assert year.died_in.keys() >= ACTS
