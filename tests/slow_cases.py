"""Which cases of a test are left to `make prove`, because they take seconds each.

Rule 1: every kind of case keeps some in the ordinary suite; what is named here exists (a name that
        nobody has is an error, so that none is left behind).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
