"""Cards and ranks as pieces of a line.

Rule 1: which role a card has is said here alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.elimination.data.cards import (
    JOKER,
    RANK_OF,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    card_name,
    rank_name,
)
from variants.kit.boxes import CardBox
from variants.kit.text import Role, Span, Style, StyledLine, join_words


def card_span(card: str, style: Style, *, is_spoken: bool = False) -> Span:
    """`7H` as "7H" or "7♥"; in words for a sentence or read aloud."""
    rank = RANK_OF[card]
    if rank == JOKER:
        return Span("joker", "strong")
    role: Role = "red_suit" if card[-1] in "HD" else "black_suit"
    if is_spoken or style.is_linear:
        return Span(card_name(card), role)
    return Span(card[:-1] + SUIT_SYMBOLS[card[-1]] if style.suits == "symbols" else card, role)


def card_box(card: str, style: Style, below: str = "") -> CardBox:
    """A card of two rows: its rank, then its suit."""
    if RANK_OF[card] == JOKER:
        return CardBox(("joker", "     "), "strong", below)
    suit = SUIT_SYMBOLS[card[-1]] if style.suits == "symbols" else card[-1]
    role: Role = "red_suit" if card[-1] in "HD" else "black_suit"
    return CardBox((f"{card[:-1]:<5}", f"  {suit}  "), role, below)


def card_with_article(card: str, style: Style) -> StyledLine:
    article = "a " if RANK_OF[card] == JOKER else "the "
    return (Span(article), card_span(card, style, is_spoken=True))


def card_row(cards: Iterable[str], style: Style) -> StyledLine:
    """Cards in a row; "nothing" if there are none."""
    separator = Span(", " if style.is_linear else " ")
    found: list[Span] = []
    for card in cards:
        found += [separator, card_span(card, style)]
    return tuple(found[1:]) or (Span("nothing"),)


def three_of_rank(rank: str) -> str:
    return f"three {rank_plural(rank)}"


def spoken_pair(cards: Sequence[str]) -> str:
    """A pair for a screen reader: `two 7s of spades and diamonds`."""
    suits = join_words([SUIT_NAMES[card[-1]] for card in cards])
    return f"two {rank_plural(RANK_OF[cards[0]])} of {suits}"


def rank_plural(rank: str) -> str:
    """`9` -> "9s", `K` -> "kings"."""
    return rank_name(rank) + "s"
