"""The table in RULES.md and the scenario files say the same about each other."""

from __future__ import annotations

import pytest

from tests.games import profile_of
from tests.variants.rulings import TABLES, claimed_by, filled, rules_of, shown_by
from variants.catalogue import CATALOGUE

TABLE = """
| no. | ruling | scenario |
|---|---|---|
| ER-01 | 54 cards. | - |
| ER-02 | Aces \\| jokers. | old |
"""


@pytest.mark.parametrize("variant", TABLES)
def test_every_ruling_names_its_scenarios_and_every_scenario_its_rulings(variant: str) -> None:
    """If not: python -m tests.variants.rulings --write"""
    claimed, shown = claimed_by(rules_of(variant).read_text("utf-8")), shown_by(variant)
    assert set() == shown.keys() - claimed.keys(), "scenarios cite rulings that are not in RULES.md"
    assert {ruling: shown.get(ruling, []) for ruling in claimed} == claimed


@pytest.mark.parametrize("variant", CATALOGUE)
def test_every_golden_scenario_of_the_rules_is_there(variant: str) -> None:
    letter, number_of = variant[0].upper(), profile_of(variant).golden_scenarios
    names = {name for names in shown_by(variant).values() for name in names}
    golden = {f"{letter}-G{number:02}" for number in range(1, number_of + 1)}
    assert set() == golden - {name.rstrip("abc") for name in names}


@pytest.mark.parametrize("variant", TABLES)
def test_no_two_scenarios_share_a_number(variant: str) -> None:
    assert all(len(names) == len(set(names)) for names in shown_by(variant).values())


def test_the_column_is_filled_from_the_scenarios() -> None:
    new = filled(TABLE, {"ER-01": ["E-G01", "E-X02"]})
    assert {"ER-01": ["E-G01", "E-X02"], "ER-02": []} == claimed_by(new)
    assert "| ER-02 | Aces \\| jokers. | - |" in new
    assert TABLE.splitlines()[:3] == new.splitlines()[:3]
