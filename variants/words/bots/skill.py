"""What a level of the word game can do, and what it lacks.

Rule 1: a level that overlooks words overlooks the same ones for a whole turn, so that its plan does
        not change while it is carried out; words that lie on the table are never overlooked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from zlib import crc32

from variants.words.view import View


@dataclass(frozen=True, slots=True)
class Skill:
    vocabulary: int  # the highest level of the words it knows
    sampled_draws: int  # draws that it imagines
    overlooks: int  # per cent of its printed words, in each turn
    parked_max: int  # words that it lays to park letters, at once
    attacks: bool  # steals, spoils and trades
    ends_from: int  # points on the table at which it ends a round ...
    lead: int  # ... if it is so far ahead of every other
    fears_end: bool  # ends a round for fear that another does


EVERY_WORD = 99  # as many as pay

MEDIUM = Skill(
    vocabulary=35, sampled_draws=6, overlooks=40, parked_max=0,
    attacks=False, ends_from=60, lead=0, fears_end=False,
)  # fmt: skip
HARD = Skill(
    vocabulary=35, sampled_draws=6, overlooks=40, parked_max=2,
    attacks=False, ends_from=50, lead=15, fears_end=True,
)  # fmt: skip
EXPERT = Skill(
    vocabulary=35, sampled_draws=6, overlooks=60, parked_max=EVERY_WORD,
    attacks=False, ends_from=50, lead=15, fears_end=True,
)  # fmt: skip
MASTER = Skill(
    vocabulary=50, sampled_draws=36, overlooks=0, parked_max=EVERY_WORD,
    attacks=True, ends_from=50, lead=15, fears_end=True,
)  # fmt: skip


def is_overlooked(percent: int, view: View, spelling: str) -> bool:
    """Whether the seat of *view* does not think of a word in this turn.

    Who overlooks fewer words overlooks some of those that others overlook, and no more.
    """
    turn = f"{view.round}.{view.number}/{view.seat}/{spelling}"
    return crc32(turn.encode()) % 100 < percent


def overlooking(percent: int, view: View) -> View:
    """*view*, its manifest without the words that are overlooked in this turn."""
    if view.manifest is None:
        return view
    lying = {word.spelling for word in view.words if word.owner == view.seat}
    sets = tuple(
        tuple(w for w in words if w in lying or not is_overlooked(percent, view, w))
        for words in view.manifest.sets
    )
    return replace(view, manifest=replace(view.manifest, sets=sets))
