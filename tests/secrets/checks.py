"""What is asked of one story: the list that the proof and the mutation gate share.

Rule 1: the gate plants leaks in the house and asks the same; so a check that was weakened lets a
        mutant live and fails the suite.
Rule 2: a finding names the reader, the time and both versions.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from random import Random

from tests.secrets.counterpart import (
    Counterpart,
    counterparts,
    first_difference,
    heard,
    leaks,
    lived_again,
)
from tests.secrets.habits import is_private
from tests.secrets.stage import Act
from tests.secrets.story import Story

NOT_INK = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\s")
"""What may come between two letters of a long word: sequences, and the ends of rows."""


def seed_told(story: Story) -> Iterator[str]:
    """The seed deals every hand: until the game is over it is nowhere.  [SEC-7]"""
    is_over = story.variant.outcome(story.game.state) is not None
    end_s = story.when_s[-1] if is_over else story.end_s
    needles = (story.seed.hex().encode(), b64encode(story.seed)[:-1])
    for name, received in story.received.items():
        raw = b"".join(data for _, data in heard(received, end_s))
        if story.seed in raw or any(needle in NOT_INK.sub(b"", raw) for needle in needles):
            yield f"{name} is told the seed of a running game"


def noticed(story: Story, who: str) -> list[str]:
    """What others receive because of what *who* does in private.  [SEC-4]

    `who` is left out of both evenings: it tells for how long people have not typed.
    """

    def without_who(act: Act) -> bool:
        return act.keys != b"who\r"

    def without_private(act: Act) -> bool:
        return without_who(act) and not (act.who == who and is_private(act))

    one = lived_again(story, keeps=without_who).received
    other = lived_again(story, keeps=without_private).received
    return [
        f"notices {who}: {difference}"
        for name in one
        if name != who
        for difference in first_difference(
            name, heard(one[name], story.end_s), heard(other[name], story.end_s)
        )
    ]


def can_be_silent(story: Story) -> bool:
    """Whether private acts have no public effect: who types is back from away.  [G-09]"""
    return "away" not in story.by


def findings(story: Story, tries: int) -> Iterator[tuple[Counterpart | None, list[str]]]:
    """Every check with what it found, and the twin where it was one."""
    yield None, list(seed_told(story))
    for counterpart in counterparts(story, Random(story.number), tries):
        yield counterpart, leaks(counterpart)
    if can_be_silent(story):
        players = [member.name for member in story.cast if member.seat is not None]
        yield None, noticed(story, players[story.number % len(players)])
