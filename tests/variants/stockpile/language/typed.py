"""A line that somebody types in the stockpile game, and what it is read as."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.variants.stockpile.story import ANN, BOB, CY, STOCKPILE, Story
from variants.contract import AmbiguousInput, ParseError, Refusal, Seat
from variants.stockpile.actions import Action

NAMES = ("Ann", "Bob", "Cy", "Dee")
HAND = ["Loot Food", "Nice Try!", "Stock Up 2", "Trading Station", "Location Switch", "Swap Shop",
        "Self-Isolation", "Nosey Neighbour"]  # fmt: skip
RICH = Story(
    hands={ANN: HAND, BOB: ["Reflection"]},
    stockpiles={ANN: ["T1", "F2", "P2"], BOB: ["F3", "F4", "T1", "T1"], CY: ["T2", "P3", "F3"]},
    locations={BOB: "outdoor"},
)


def typed(line: str, story: Story = RICH, names: Sequence[str] = NAMES, seat: Seat = ANN) -> Action:
    view = story.view(seat)
    return STOCKPILE.parse(line, view, names[: len(view.seats)])


def offered(line: str, story: Story = RICH, names: Sequence[str] = NAMES) -> str:
    """The play that a line is read as, as it would be typed."""
    return STOCKPILE.phrase(typed(line, story, names), story.view(ANN), names)


def asked_back(line: str, story: Story = RICH, names: Sequence[str] = NAMES) -> str:
    with pytest.raises(AmbiguousInput) as asked:
        typed(line, story, names)
    return asked.value.format(names)


def not_understood(line: str, story: Story = RICH, names: Sequence[str] = NAMES) -> str:
    with pytest.raises(ParseError) as refused:
        typed(line, story, names)
    return refused.value.format(names)


def refused(line: str, story: Story = RICH, seat: Seat = ANN) -> str:
    """What `check` says to a line that is well said."""
    with pytest.raises(Refusal) as found:
        STOCKPILE.check(story.view(seat), typed(line, story, seat=seat))
    assert not isinstance(found.value, ParseError | AmbiguousInput)
    return found.value.format(NAMES)
