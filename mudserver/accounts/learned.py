"""How far an account has come in the lessons of the games.

Rule 1: written when a step begins, not for each input, and 40 times a day at most; what comes
        after that the session alone remembers.
Rule 2: a step is found again by its title: a later edition of a lesson may have others before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

LESSON_EVENTS_PER_DAY_MAX = 40  # of one account on a UTC day


class LearnedLesson(msgspec.Struct, frozen=True):
    """Where somebody is in the lesson of one game."""

    version: int  # of the lesson
    step: int = 0  # from 0
    title: str = ""  # of that step
    is_finished: bool = False  # once, at least


class CarriedLessons(NamedTuple):
    """What goes along when a session goes on in another process, or at another terminal."""

    game: str = ""  # whose lesson is taken now; "": none is
    inputs: int = 0  # of its step that are complete
    learned: Mapping[str, LearnedLesson] = {}  # by variant, since the person came in


def step_to_continue(
    learned: LearnedLesson | None, version: int, titles: Sequence[str]
) -> tuple[int, bool]:
    """The step at which a lesson goes on, and whether another edition has lost it."""
    if learned is None or not learned.title:
        return 0, False
    if learned.version == version and 0 <= learned.step < len(titles):
        return learned.step, False
    return (titles.index(learned.title), False) if learned.title in titles else (0, True)
