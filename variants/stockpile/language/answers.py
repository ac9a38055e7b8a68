"""Answers to what may be asked at the table, and is no play: the discard piles card by card, and
the table in short pieces.

Rule 1: an answer follows from the own view alone, so that it tells nothing that `look` does not,
        but for the discard piles, which lie open, and `cards`, which counts what was heard.
Rule 2: no row is wider than the style's width.
Rule 3: who watches or is infected has no cards, and is told so.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import ParseError, SeatNames
from variants.kit.english import find_seats
from variants.kit.text import Span, Style, StyledLine, quantity, styled_line
from variants.kit.wrap import wrap_parts, wrap_words
from variants.stockpile.data.cards import DECKS, Card, Cards, card_title
from variants.stockpile.events import Event
from variants.stockpile.language import cards_text, render
from variants.stockpile.language.card_text import DECK_NAMES
from variants.stockpile.language.render import hand_lines
from variants.stockpile.view import View

QUESTIONS = {
    "hand": "your cards with their numbers and test signs",
    "table": "of every player the location, the backs in hand and the stockpile; table bob: of one",
    "piles": "how many cards each deck has, and its discard pile in short",
    "discards": "every card of the discard piles, the top card first; discards indoor: of one pile",
    **cards_text.QUESTIONS,
}


def answer(
    text: str, view: View, seen_events: Sequence[Event], names: SeatNames, style: Style
) -> Sequence[StyledLine]:
    """The rows that answer a line of one or two words; ParseError if it is no question."""
    verb, *words = text.split() or [""]
    match verb.casefold():
        case "discards":
            return _discards(words, view, style)
        case "table":
            asked = find_seats(words, view.seat, names[: len(view.seats)])
            return [row for seat in asked for row in render.seat_lines(view, seat, names, style)]
        case "card" if words:
            return cards_text.one_card(words, view, seen_events, names, style)
        case "cards" | "card":
            return cards_text.all_cards(words, view, seen_events, names, style)
        case "hand" | "piles" if words:
            raise ParseError("{} stands alone: type {}.", verb, verb)
        case "hand":
            return _hand(view, style)
        case "piles":
            return render.pile_lines(view, style)
    raise ParseError("You can ask hand, table, table NAME, piles, discards, cards or card NAME.")


def _hand(view: View, style: Style) -> list[StyledLine]:
    if view.seat is None:
        return wrap_parts((), [styled_line("You are watching, and have no cards.")], style.width)
    if not view.seats[view.seat].is_in:
        return wrap_parts((), [styled_line("You are infected, and have no cards.")], style.width)
    return hand_lines(view, style)


def _discards(decks: Sequence[str], view: View, style: Style) -> list[StyledLine]:
    asked = [deck for deck in DECKS if not decks or deck.startswith(decks[0].casefold())]
    if len(decks) > 1 or not asked:
        raise ParseError(
            "discards lists all three discard piles. For one of them type discards supplies, "
            "discards indoor or discards outdoor."
        )
    rows = (
        []
        if style.is_linear
        else wrap_parts((), [styled_line("Discard piles, top card first")], style.width)
    )
    for deck, pile in zip(DECKS, view.discards, strict=True):
        if deck in asked:
            rows += _pile(deck, pile, style)
    return rows


def _pile(deck: str, pile: Cards, style: Style) -> list[StyledLine]:
    called = DECK_NAMES[deck]
    cards = [_spoken(card, style) for card in reversed(pile)] or ["none"]
    if style.is_linear:
        about = f"{called} discard pile, {quantity(len(pile), 'card')}"
        head = f"{about}, top card first: " if pile else f"{about}."
        parts = [styled_line(card) for card in cards] if pile else []
        return wrap_parts(styled_line((head, "title")), parts, style.width, ", ")
    return wrap_words((Span(f"{called} {len(pile)}: ", "title"),), cards, style.width)


def _spoken(card: Card, style: Style) -> str:
    """The long name, and the sign of a test where the card has one."""
    if not card.test:
        return card_title(card)
    sign = {"+": "positive", "-": "negative"}[card.test] if style.is_linear else f"({card.test})"
    return f"{card_title(card)} {sign}"
