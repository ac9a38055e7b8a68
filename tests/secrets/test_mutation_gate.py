"""L12 in the house: a suite that lets one planted leak through proves nothing, and fails.

`pytest -s` prints how many twin worlds each one took.
"""

from __future__ import annotations

import pytest

from tests.secrets.checks import findings
from tests.secrets.planted import PLANTED, Plant
from tests.secrets.story import story

TWINS_MAX = 150  # within so many accepted twins every mutant must be dead
TWINS_PER_STORY = 8  # tried, of each new evening


def checks_to_kill() -> tuple[int, str]:
    """How many twins it took, and what gave the mutant away; "" if nothing did."""
    twins = 0
    for number in range(1, TWINS_MAX):
        for twin, found in findings(story(number, decisions_max=24), TWINS_PER_STORY):
            twins += twin is not None
            if found:
                return twins, found[0]
            if twins >= TWINS_MAX:
                return twins, ""
    return twins, ""


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_leak_planted_in_the_house_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    twins, found = checks_to_kill()
    print(f"\n{plant.__name__}: {twins} twins ({found[:120]})")
    assert found, f"{plant.__name__} survived {twins} twin worlds"
