"""What people type is understood, asked back with what was meant, or refused with the reason."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from tests.typing import corpus
from tests.typing.corpus import Fate, Outcome, Row

UNDERSTOOD_MIN = 0.9  # of all rows of a file, with those that are asked back or refused
BLIND_MIN = 0.8  # the same, of a blind file: lines by somebody who knew nothing of the grammar
BLIND = {path.stem: path for path in corpus.blind_files()}
FILES = {path.stem: path for path in corpus.files()}
every_file = pytest.mark.parametrize("name", FILES)
every_blind = pytest.mark.parametrize("name", BLIND)


@cache
def fates(name: str) -> tuple[tuple[str, Row, Outcome], ...]:
    """Played once for all tests of this file."""
    return tuple(corpus.fates(corpus.read({**FILES, **BLIND}[name])))


@pytest.mark.parametrize("name", [*FILES, *BLIND])
def test_nothing_is_played_that_nobody_meant(name: str) -> None:
    wrong = [(row.line, got.played) for _, row, got in fates(name) if got.fate(row) == "misread"]
    assert [] == wrong


@every_file
def test_each_line_leads_to_what_it_has_to(name: str) -> None:
    wrong = [(at, row, got.text) for at, row, got in fates(name) if got.fate(row) == "not"]
    assert [] == wrong


@every_blind
def test_most_lines_of_newcomers_lead_to_what_they_have_to(name: str) -> None:
    count = Counter[Fate](got.fate(row) for _, row, got in fates(name))
    assert sum(count.values()) - count["not"] - count["misread"] >= BLIND_MIN * sum(count.values())


@every_file
def test_a_line_that_means_one_move_is_mostly_made_without_a_question(name: str) -> None:
    count = Counter[Fate](got.fate(row) for _, row, got in fates(name) if row.want == "plays")
    assert count["understood"] >= UNDERSTOOD_MIN * sum(count.values())


def test_a_row_tells_what_was_made_of_it_apart() -> None:
    row = Row("rob bob", "plays", "take bob")
    assert "understood" == Outcome(("take bob",), "").fate(row)
    assert "misread" == Outcome(("take cyd",), "").fate(row)
    assert "asked" == Outcome((), 'Did you mean "take bob"?').fate(row)
    assert "not" == Outcome((), "I don't understand").fate(row)
    assert "misread" == Outcome(("take bob",), "take bob").fate(row._replace(want="asks"))
    assert "refused" == Outcome((), "It's Bob's turn.").fate(Row("x", "refuses", "bob's turn"))
