"""What the tests of all games are told of stockpile."""

from __future__ import annotations

import re

from tests.games import Profile
from tests.variants.stockpile import knowledge, mutants, mutants_windows, rigged
from variants.stockpile.language.card_text import BRIEF_CARD_NAMES, SHORT_KIND_NAMES

_TITLES = sorted({**BRIEF_CARD_NAMES, **SHORT_KIND_NAMES}, key=len, reverse=True)
_WORDING = re.compile(
    r"\b\S+ stockpile:|\b(Location|Food|Paper|Prevention|Total|total|Hand|hand|in|on|no|and"
    r"|cards?|Its|pile|The|has|have|Nothing|is|discarded|nothing|there|discards?|top|Top|first|decks?|test"
    r"|Indoor|Outdoor|Your|Played|Unseen|unseen|piles|none|Discard)\b|(?<= )-(?= |,|$)"
)
"""Heads of columns, which rows repeat, and what sentences are made of.  That columns and rows
mean the same by them is proved by grafts."""


def rewrite(text: str) -> str:
    """Cards by their brief names, signs in words, the number of copies beside each card."""
    for title in _TITLES:
        text = text.replace(title, {**BRIEF_CARD_NAMES, **SHORT_KIND_NAMES}[title])
    text = re.sub(r"\((\d+)\+ (\d+)-\)", r"\1 positive \2 negative", text)
    text = text.replace("(+)", "positive").replace("(-)", "negative")
    return _WORDING.sub(" ", text)


PROFILE = Profile(
    knowledge=knowledge,
    mutants=(*mutants.MUTANTS, *mutants_windows.MUTANTS),
    rule_mutants=(*mutants.RULE_MUTANTS, *mutants_windows.RULE_MUTANTS),
    on_demand=mutants_windows.ON_DEMAND,
    rigged=rigged.RIGGED,
    rewrite=rewrite,
    golden_scenarios=28,
)
