"""Which known word a mistyped one was meant to be."""

from __future__ import annotations

import pytest

from variants.kit import typos


@pytest.mark.parametrize(
    ("one", "other", "off"),
    [
        ("give", "give", 0),
        ("gvie", "give", 1),  # a swap
        ("giv", "give", 1),
        ("givve", "give", 1),
        ("gave", "give", 1),
        ("ginve", "vgie", 3),
        ("", "give", 4),
        ("ca", "abc", 3),  # of swapped letters none is changed again
    ],
)
def test_the_distance_counts_letters_and_swaps(one: str, other: str, off: int) -> None:
    assert off == typos.distance(one, other) == typos.distance(other, one)


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("opne", ["open"]),
        ("op", []),  # too short to be a typing error
        ("shufle", ["shuffle"]),
        ("shfufel", ["shuffle"]),
        ("drawn", ["draw"]),
        ("darw", ["draw"]),
        ("dwaaar", []),
        ("tke", ["take", "toke"]),
        ("z" * 500, []),
    ],
)
def test_only_the_nearest_words_are_meant(typed: str, near: list[str]) -> None:
    assert near == typos.nearest(typed, ["open", "shuffle", "draw", "take", "toke"])
