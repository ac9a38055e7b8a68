from __future__ import annotations

import pytest

from mudserver.ui.completion import (
    LISTED_MAX,
    Completion,
    apply_completion,
    arrange_in_columns,
    common_prefix,
)


@pytest.mark.parametrize(
    ("words", "prefix"),
    [
        ((), ""),
        (("draw",), "draw"),
        (("discard", "disconnect"), "disc"),
        (("Bob", "bobby"), "Bob"),
        (("ann", "bob"), ""),
    ],
)
def test_the_common_prefix_ignores_case(words, prefix):
    assert prefix == common_prefix(words)


@pytest.mark.parametrize(
    ("text", "cursor", "completion", "after"),
    [
        ("dr", 2, Completion(0, ("draw",)), ("draw ", 5)),
        ("tell bo", 7, Completion(5, ("Bob",)), ("tell Bob ", 9)),
        ("tell bo hi", 7, Completion(5, ("Bob",)), ("tell Bob hi", 8)),
        ("di", 2, Completion(0, ("discard", "disconnect")), ("disc", 4)),
        ("disc", 4, Completion(0, ("discard", "disconnect")), None),
        ("x", 1, Completion(0, ("ann", "bob")), None),
        ("x", 1, Completion(0, ()), None),
        ("x", 1, Completion(5, ("ann",)), None),
    ],
)
def test_tab_adds_what_is_certain(text, cursor, completion, after):
    assert after == apply_completion(text, cursor, completion)


def test_candidates_stand_in_columns_that_fit_and_the_rest_is_counted():
    assert ["ann  bob", "cid"] == arrange_in_columns(("ann", "bob", "cid"), 8)
    rows = arrange_in_columns(tuple(f"word{n:03}" for n in range(100)), 40)
    assert f"... and {100 - LISTED_MAX} more" == rows[-1]
    assert all(len(row) <= 40 for row in rows)
