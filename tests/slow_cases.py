"""Which cases of a test are left to `make prove`, because they take seconds each.

Rule 1: every kind of case keeps some in the ordinary suite; what is named here exists (a name that
        nobody has is an error, so that none is left behind).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import pytest


def slow_cases(
    cases: Iterable[Any], names: Iterable[str], name_of: Callable[[Any], str] = str
) -> list[Any]:
    """*cases* for `parametrize`; those called *names* run with `make prove` alone."""
    cases, left = list(cases), set(names)
    unknown = left - {name_of(case) for case in cases}
    assert not unknown, unknown
    return [
        pytest.param(*values_of(case), marks=pytest.mark.prove) if name_of(case) in left else case
        for case in cases
    ]


def values_of(case: Any) -> tuple[Any, ...]:
    """What one case is for `pytest.param`: a plain tuple has a value for each argument."""
    return case if type(case) is tuple else (case,)


def every_third(cases: Iterable[Any]) -> list[Any]:
    """*cases* for `parametrize`; two of three run with `make prove` alone."""
    cases = list(cases)
    return slow_cases(cases, [str(case) for at, case in enumerate(cases) if at % 3])


def every_second(*values: Iterable[Any]) -> list[Any]:
    """Each value of one list with each of the others, for `parametrize`; every second combination,
    as on a chessboard, runs with `make prove` alone.

    Of three lists or more any two values still meet in the ordinary suite.
    """
    return [
        pytest.param(
            *(value for _, value in placed),
            marks=[pytest.mark.prove] if sum(at for at, _ in placed) % 2 else [],
            id="-".join(_said(value) for _, value in placed),
        )
        for placed in product(*map(enumerate, values))
    ]


def _said(value: Any) -> str:
    return "x".join(map(str, values_of(value)))
