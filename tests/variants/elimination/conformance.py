"""What the tests of all games are told of elimination."""

from __future__ import annotations

import re

from tests.games import Profile
from tests.variants.elimination import knowledge, mutants, rigged
from variants.elimination.data.cards import RANK_NAMES, SUIT_NAMES, rank_name

_SUITS = {name: suit for suit, name in SUIT_NAMES.items()}
_RANKS = {rank_name(rank): rank for rank in RANK_NAMES}
_RANK, _SUIT = "|".join(_RANKS), "|".join(_SUITS)


def rewrite(text: str) -> str:
    """`10 of spades` is 10S, `two 7s of clubs and hearts` are 7C and 7H; suits have letters."""
    text = re.sub("[♥♦♣♠]", lambda m: "HDCS"["♥♦♣♠".index(m[0])], text)
    text = re.sub(
        rf"two ({_RANK})s of ({_SUIT}) and ({_SUIT})",
        lambda m: f"{_RANKS[m[1]]}{_SUITS[m[2]]} {_RANKS[m[1]]}{_SUITS[m[3]]}", text,
    )  # fmt: skip
    text = re.sub(rf"({_RANK}) of ({_SUIT})", lambda m: _RANKS[m[1]] + _SUITS[m[2]], text)
    text = re.sub(r"The deck has (\d+) cards?\.", r"Deck \1.", text)
    return re.sub(r"\band\b", " ", text)


PROFILE = Profile(
    knowledge=knowledge,
    mutants=mutants.MUTANTS,
    rule_mutants=mutants.RULE_MUTANTS,
    rigged=rigged.RIGGED,
    rewrite=rewrite,
    golden_scenarios=23,
)
