"""Cards, ranks and seats as pieces of a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.contract import Names, Seat
from variants.elimination.data import JOKER, RANK, SUIT_SYMBOLS
from variants.elimination.view import called, spoken
from variants.kit.text import Line, Role, Span, Style


def card_span(card: str, style: Style, *, is_spoken: bool = False) -> Span:
    """`7H` as "7♥" or "7H"; in words for a sentence or a screen reader."""
    rank = RANK[card]
    if rank == JOKER:
        return Span("joker", "strong")
    role: Role = "red" if card[-1] in "HD" else "black"
    if is_spoken or style.is_linear:
        return Span(spoken(card), role)
    return Span(rank + SUIT_SYMBOLS[card[-1]] if style.suits == "symbols" else card, role)


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


def plural(rank: str) -> str:
    """`9` -> "9s", `K` -> "kings"."""
    return called(rank) + "s"


def who(seat: Seat, reader: Seat | None, names: Names) -> Span:
    """At the head of a sentence: "You" or the name."""
    return Span("You", "you") if seat == reader else Span(names[seat], "strong")


def whom(seat: Seat, reader: Seat | None, names: Names) -> Span:
    return Span("you", "you") if seat == reader else Span(names[seat], "strong")


def joined(parts: Sequence[Line | Span], last: str = "and") -> Line:
    """`a`, `a and b`, `a, b and c`."""
    found: list[Span] = []
    for place, part in enumerate(parts):
        if place:
            found.append(Span(f" {last} " if place == len(parts) - 1 else ", "))
        found += [part] if isinstance(part, Span) else part
    return tuple(found)
