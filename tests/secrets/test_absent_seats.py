"""[G-09, G-10, G-11] Who is away, leaves, comes back, is late or takes over a seat has no public
effect by what cards are: the same bytes at the same times in twin runs.

Who takes over a seat reads up to then what watchers read, and what the seat may know from then on;
who had it reads what watchers read.
"""

from __future__ import annotations

from random import Random

import pytest

from mudserver.tables import records as f
from tests.counts import count
from tests.secrets.counterpart import counterparts
from tests.secrets.script import Absence, script
from tests.secrets.test_twin_runs import Tally
from tests.slow_cases import slow_cases
from variants.catalogue import CATALOGUE

FEW, MANY = range(2_000, 2_002), range(2_002, 2_002 + count(30, 4))  # scripts of each kind and game


@pytest.mark.parametrize("name", sorted(CATALOGUE))
@pytest.mark.parametrize("absence", ["idle", "leaves", "substituted"])
@pytest.mark.parametrize("numbers", slow_cases([FEW, MANY], [str(MANY)]), ids=["few", "many"])
def test_absent_seats_tell_nothing(numbers: range, name: str, absence: Absence) -> None:
    tally, facts = Tally(), set[type[f.Fact]]()
    for number in numbers:
        told = script(number, decisions_max=24, of=(name, {}), absence=absence)
        facts |= told.kinds
        for twin in counterparts(told, Random(number), tries=3 if numbers is FEW else 6):
            tally.judge(twin)
    print(f"\n{name}, {absence}: {tally}")
    least = {
        "idle": {f.WentAway, f.CameBack},
        "leaves": {f.HandedOver, f.SeatReturned},
        "substituted": {f.HandedOver, f.Substituted},
    }
    assert least[absence] <= facts
    assert tally.count["twins"] >= 2
