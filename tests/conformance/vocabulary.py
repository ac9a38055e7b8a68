"""Facts out of text: what is said, whatever words a style has for it.

Rule 1: a text is its facts: names, numbers, cards, words and states, as many times as they are
        said.  Marks between them, and the few words that a profile drops, are wording.
Rule 2: where styles have different words for one fact, `rewrite` in the game's profile turns them
        into one of them in the texts of all styles alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from variants.kit.text import StyledLine, plain_text

Rewrite = Callable[[str], str]


def whole(rows: Iterable[StyledLine]) -> str:
    """The rows as one text; what was broken into rows is whole again."""
    return " ".join(" ".join([plain_text(row) for row in rows]).split())


def facts(text: str, rewrite: Rewrite) -> Counter[str]:
    """What a text says, by how often."""
    marked = re.sub(r"(^| )> ", r"\1to act ", text)
    return Counter(re.findall(r"[\w'+*-]+", rewrite(marked)))
