"""Computer players of the word game, by level.

Rule 1: a player is a function of its own view, what its seat has heard, and chance; in every
        world that looks the same to the seat it does the same.  [G-14]
Rule 2: a player knows the familiar words up to its level and what is printed on the cards, and
        never plays a word of the deny lists.
Rule 3: level 1 (`beginner.py`) lays the words of its manifest as they come; level 2 (`expert.py`)
        counts letters, keeps and parks what it will need, and attacks where it hurts.  [W6]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from variants.contract import Chance
from variants.words.actions import Action
from variants.words.beginner import beginner
from variants.words.events import Event
from variants.words.expert import expert
from variants.words.lexicon import Lexicon
from variants.words.view import View

Player = Callable[[Lexicon, View, Sequence[Event], Chance], Action]

BOTS: Mapping[int, Player] = {1: beginner, 2: expert}
