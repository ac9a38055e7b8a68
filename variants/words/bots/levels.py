"""Computer players of the word game, by level.

Rule 1: a player is a function of its own view, the events its seat has seen, and chance.  In every
        world that looks the same to the seat it does the same.  [G-14]
Rule 2: a player knows the familiar words up to its level and the cards that everybody knows
        (`cards`), and never plays a word of the blocklists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from variants.contract import Chance
from variants.words.actions import Action
from variants.words.bots.beginner import beginner_action
from variants.words.bots.skill import EXPERT, HARD, MASTER, MEDIUM
from variants.words.bots.skilled import skilled_action
from variants.words.events import Event
from variants.words.lexicon.lexicon import Lexicon
from variants.words.view import View

BotFunction = Callable[[Lexicon, View, Sequence[Event], Chance], Action]

BOTS: Mapping[str, BotFunction] = {
    "easy": beginner_action,
    "medium": partial(skilled_action, MEDIUM),
    "hard": partial(skilled_action, HARD),
    "expert": partial(skilled_action, EXPERT),
    "master": partial(skilled_action, MASTER),
}
ANCHORS: Mapping[str, float] = {
    "easy": 3.9,
    "medium": 7.3,
    "hard": 14.7,
    "expert": 19.0,
    "master": 38.5,
}
"""Skill in ratings (mu), of at least 1,000 games each: docs/ratings.md."""
STAND_IN = "master"
