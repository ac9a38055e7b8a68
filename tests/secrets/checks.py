"""What is asked of one script: the list that the proof and the mutation gate share.

Rule 1: the gate plants leaks in the server and asks the same; so a check that was weakened lets a
        mutant live and fails the suite.
Rule 2: a finding names the reader, the time and both versions.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random

from mudserver.tables.missed_turns import turn_of
from tests.conformance.play import window_of
from tests.secrets.behaviour import is_private
from tests.secrets.counterpart import (
    Counterpart,
    counterparts,
    first_difference,
    heard,
    leaks,
    repeated,
)
from tests.secrets.script import Script
from tests.secrets.scripted_server import Act, Received, has_door

NOT_INK = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\s")
"""What may come between two letters of a long word: sequences, and the ends of rows."""


def seed_told(script: Script) -> Iterator[str]:
    """The seed deals every hand: until the game is over it is nowhere.  [SEC-7]"""
    is_over = script.variant.outcome(script.game.state) is not None
    end_s = script.when_s[-1] if is_over else script.end_s
    needles = (script.seed.hex().encode(), b64encode(script.seed)[:-1])
    for name, received in script.received.items():
        raw = b"".join(data for _, data in heard(received, end_s))
        if script.seed in raw or any(needle in NOT_INK.sub(b"", raw) for needle in needles):
            yield f"{name} is told the seed of a running game"


def noticed(script: Script, names: Iterable[str]) -> list[str]:
    """What others receive because of what one of *names* does in private.  [SEC-4]

    `who` is left out of all runs: it tells for how long people have not typed.
    """
    one = repeated(script, keeps=is_not_who).received
    return [found for who in names for found in _noticed(script, who, one)]


def is_not_who(act: Act) -> bool:
    return act.keys != b"who\r"


def _noticed(script: Script, who: str, one: Received) -> list[str]:
    def without_private(act: Act) -> bool:
        return is_not_who(act) and not (act.who == who and is_private(act))

    other = repeated(script, keeps=without_private).received
    return [
        f"notices {who}: {difference}"
        for name in one
        if name != who
        for difference in first_difference(
            name, heard(one[name], script.end_s), heard(other[name], script.end_s)
        )
    ]


def can_be_silent(script: Script) -> bool:
    """Whether private acts have no public effect: who types is back from away, or has time again
    in a turn in which the clock decided.  [G-09]  A planned restart waits for lines under way."""
    is_handed_over = has_door(script.number) and script.number % 2 == 0
    has_effect = "away" in script.by or is_handed_over or any(leaves_short_time(script))
    return not has_effect


def leaves_short_time(script: Script) -> Iterator[bool]:
    """By step: whether the clock decided, and the turn went on."""
    steps = script.game.steps
    for (before, after), by in zip(pairwise(steps), script.by[1:], strict=False):
        windows = [window_of(script.variant, step.state) for step in (before, after)]
        same = {turn_of(window) for window in windows if window is not None}
        yield by == "time" and len(same) == 1 and None not in windows


def findings(script: Script, tries: int) -> Iterator[tuple[Counterpart | None, list[str]]]:
    """Every check with what it found, and the twin where it was one."""
    yield None, list(seed_told(script))
    for counterpart in counterparts(script, Random(script.number), tries):
        yield counterpart, leaks(counterpart)
    if can_be_silent(script):
        players = [member.name for member in script.cast if member.seat is not None]
        yield None, noticed(script, [players[script.number % len(players)]])
