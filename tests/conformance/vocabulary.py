"""Facts out of text: what is said, whatever words a style has for it.

Rule 1: a text is its facts: names, numbers, cards, words and states, as many times as they are
        said.  Marks between them, and the few words declared here, are wording.
Rule 2: where styles have different words for one fact, those of each game are declared here, and
        turned into one of them in the texts of all styles alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from variants.elimination.data.cards import RANK_NAMES, SUIT_NAMES, rank_name
from variants.kit.text import StyledLine, plain_text
from variants.stockpile.language.spans import BRIEF_CARD_NAMES, SHORT_KIND_NAMES

Rewrite = Callable[[str], str]

_SUITS = {name: suit for suit, name in SUIT_NAMES.items()}
_RANKS = {rank_name(rank): rank for rank in RANK_NAMES}
_RANK, _SUIT = "|".join(_RANKS), "|".join(_SUITS)


def whole(rows: Iterable[StyledLine]) -> str:
    """The rows as one text; what was broken into rows is whole again."""
    return " ".join(" ".join([plain_text(row) for row in rows]).split())


def facts(text: str, rewrite: Rewrite) -> Counter[str]:
    """What a text says, by how often."""
    marked = re.sub(r"(^| )> ", r"\1to act ", text)
    return Counter(re.findall(r"[\w'+*-]+", rewrite(marked)))


def _elimination(text: str) -> str:
    """`10 of spades` is 10S, `two 7s of clubs and hearts` are 7C and 7H; suits have letters."""
    text = re.sub("[♥♦♣♠]", "", text)
    text = re.sub(
        rf"two ({_RANK})s of ({_SUIT}) and ({_SUIT})",
        lambda m: f"{_RANKS[m[1]]}{_SUITS[m[2]]} {_RANKS[m[1]]}{_SUITS[m[3]]}", text,
    )  # fmt: skip
    text = re.sub(rf"({_RANK}) of ({_SUIT})", lambda m: _RANKS[m[1]] + _SUITS[m[2]], text)
    text = re.sub(r"The deck has (\d+) cards?\.", r"Deck \1.", text)
    return re.sub(r"\band\b", " ", text)


_TITLES = sorted({**BRIEF_CARD_NAMES, **SHORT_KIND_NAMES}, key=len, reverse=True)
_STOCKPILE_WORDING = re.compile(
    r"\b\S+ stockpile:|\b(Location|Food|Paper|Prevention|Total|total|Hand|hand|in|on|no|and"
    r"|cards?|Its|pile|The|has|have|Nothing|is|discarded|nothing|there|discards?|top|Top|first|decks?|test"
    r"|Indoor|Outdoor|Your|Played|piles|none|Discard)\b|(?<= )-(?= |,|$)"
)
"""Heads of columns, which rows repeat, and what sentences are made of.  That columns and rows
mean the same by them is proved by grafts."""


def _stockpile(text: str) -> str:
    """Cards by their brief names, signs in words, the number of copies beside each card."""
    for title in _TITLES:
        text = text.replace(title, {**BRIEF_CARD_NAMES, **SHORT_KIND_NAMES}[title])
    text = re.sub(r"\((\d+)\+ (\d+)-\)", r"\1 positive \2 negative", text)
    text = text.replace("(+)", "positive").replace("(-)", "negative")
    return _STOCKPILE_WORDING.sub(" ", text)


_WORDS_WORDING = re.compile(
    r"\b([Cc]ards?|[Pp]oints|[Ww]ords?|no|You|have|has|of|all|set|Set)\b|(?<= )-(?= |$)"
)


def _words(text: str) -> str:
    """Locked words in brackets or in words; somebody else's as a number of letters.  What is said
    once for all sets of a manifest, or all words of a player, or again for each."""
    text = re.sub(r"word (\d+), a locked word of (\d+) letters", r"\1 \2 locked", text)
    text = re.sub(r"\[(\.+)\]", lambda m: f"{len(m[1])} locked", text)
    text = re.sub(r"\[(\w+)\]", r"\1 locked", text)
    text = re.sub(r"(\w+) \(on (the table|your manifest)\)", r"*\1", text)
    text = text.replace(" manifest, set 1", " manifest 1")
    text = re.sub(r"\S+ manifest, set ([2-9])", r"\1", text)
    text = text.replace("Not seen in this round, of all in the box",
                        "Letters that you have not seen in this round")  # fmt: skip
    text = re.sub(r"([A-Z]+)\*", r"*\1", text.replace("; * is on your manifest", ""))
    text = re.sub(r"(\d+) letters:", r"\1:", text)
    text = re.sub(r" times (\d):", r" (x\1)", text)
    heads = set[str]()
    text = re.sub(r"Set \d(, your bonus, x\d)?: ",
                  lambda m: "" if m[0] in heads else heads.add(m[0]) or m[0], text)  # fmt: skip
    text = re.sub(r"(Your|\w+'s) words: |(You|\w+) ha(s|ve) no words\.", "", text)
    return _WORDS_WORDING.sub(" ", text)


REWRITES: Mapping[str, Rewrite] = {
    "elimination": _elimination, "stockpile": _stockpile, "words": _words,
}  # fmt: skip
"""By variant."""
