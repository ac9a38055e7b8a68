"""Answers to what may be asked at the table and is no play: the table in short pieces.

Rule 1: an answer is a piece of the board, from the own view alone, so that it tells nothing that
        `look` does not; `cards` counts what was heard, too.
Rule 2: who watches or is out has no cards, and is told so.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import ParseError, SeatNames
from variants.elimination.data.cards import RANK_OF
from variants.elimination.events import Event
from variants.elimination.language import cards_text
from variants.elimination.language.card_text import three_of_rank
from variants.elimination.language.render import hand_lines, outside_lines, seat_lines
from variants.elimination.view import View
from variants.kit.english import find_seats
from variants.kit.text import Style, StyledLine, quantity, styled_line
from variants.kit.wrap import wrap_parts

QUESTIONS = {
    "hand": "your cards: the hand, what may not be given yet, your pairs and triplets",
    "table": "of every player the cards, pairs, triplets and turns; table bob: of one",
    "piles": "how many cards the deck has, and what lies Outside",
    **cards_text.QUESTIONS,
}


def answer(
    text: str, view: View, seen_events: Sequence[Event], names: SeatNames, style: Style
) -> Sequence[StyledLine]:
    """The rows that answer a line; ParseError if it is no question."""
    verb, *words = text.split() or [""]
    verb = verb.casefold()
    if verb not in QUESTIONS:
        raise ParseError("You can ask hand, table, table NAME, piles, cards or card NAME.")
    if verb in cards_text.QUESTIONS:
        if words:
            return cards_text.one_card(words, view, seen_events, names, style)
        return cards_text.all_cards(view, seen_events, names, style)
    if verb == "table":
        asked = find_seats(words, view.seat, names[: len(view.seats)])
        rows = [row for seat in asked for row in seat_lines(view, seat, names, style)]
        gone = [left for left in view.outside if left.seat in asked]
        return rows + outside_lines(gone, names, style) if words else rows
    if words:
        raise ParseError("{} stands alone: type {}.", verb, verb)
    return _hand(view, style) if verb == "hand" else _piles(view, names, style)


def _hand(view: View, style: Style) -> list[StyledLine]:
    if view.seat is None:
        return wrap_parts((), [styled_line("You are watching, and have no cards.")], style.width)
    mine = view.seats[view.seat]
    if not mine.is_in:
        return wrap_parts((), [styled_line("You are out, and have no cards.")], style.width)
    triplets = [
        styled_line((three_of_rank(RANK_OF[cards[0]]), "strong")) for cards in mine.triplets
    ]
    head = styled_line(("Your triplets: ", "title"))
    return hand_lines(view, style) + (
        wrap_parts(head, triplets, style.width, ", ") if triplets else []
    )


def _piles(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    deck = styled_line(f"The deck has {quantity(view.deck, 'card')}.")
    gone = outside_lines(view.outside, names, style)
    return wrap_parts((), [deck], style.width) + (
        gone or wrap_parts((), [styled_line("Nothing lies Outside.")], style.width)
    )
