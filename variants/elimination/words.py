"""Cards, ranks and seats as pieces of a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.elimination.data import JOKER, RANK, SUIT_NAMES, SUIT_SYMBOLS
from variants.elimination.view import called, spoken
from variants.kit.text import Line, Role, Span, Style, series


def card_span(card: str, style: Style, *, is_spoken: bool = False) -> Span:
    """`7H` as "7H" or "7H♥", never without its letter; in words for a sentence or read aloud."""
    rank = RANK[card]
    if rank == JOKER:
        return Span("joker", "strong")
    role: Role = "red" if card[-1] in "HD" else "black"
    if is_spoken or style.is_linear:
        return Span(spoken(card), role)
    return Span(card + SUIT_SYMBOLS[card[-1]] if style.suits == "symbols" else card, role)


def the_card(card: str, style: Style) -> Line:
    article = "a " if RANK[card] == JOKER else "the "
    return (Span(article), card_span(card, style, is_spoken=True))


def cards_line(cards: Iterable[str], style: Style) -> Line:
    """Cards in a row; "nothing" if there are none."""
    separator = Span(", " if style.is_linear else " ")
    found: list[Span] = []
    for card in cards:
        found += [separator, card_span(card, style)]
    return tuple(found[1:]) or (Span("nothing"),)


def three(rank: str) -> str:
    return f"three {plural(rank)}"


def two_spoken(cards: Sequence[str]) -> str:
    """A pair for a screen reader: `two 7s of spades and diamonds`."""
    suits = series([SUIT_NAMES[card[-1]] for card in cards])
    return f"two {plural(RANK[cards[0]])} of {suits}"


def plural(rank: str) -> str:
    """`9` -> "9s", `K` -> "kings"."""
    return called(rank) + "s"
