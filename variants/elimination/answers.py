"""Answers to what may be asked at the table and is no play: the table in short pieces.

Rule 1: an answer is a piece of the board, from the own view alone, so that it tells nothing that
        `look` does not.
Rule 2: who watches or is out has no cards, and is told so.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Names, NotUnderstood
from variants.elimination.data import RANK
from variants.elimination.events import Event
from variants.elimination.render import of_seat, outside, own
from variants.elimination.view import View
from variants.elimination.words import three
from variants.kit.people import asked_about
from variants.kit.rows import flow
from variants.kit.text import Line, Style, counted, line

QUESTIONS = {
    "hand": "your cards: the hand, what may not be given yet, your pairs and triplets",
    "table": "of every player the cards, pairs, triplets and turns; table bob: of one",
    "piles": "how many cards the deck has, and what lies Outside",
}


def answer(
    text: str, view: View, seen: Sequence[Event], names: Names, style: Style
) -> Sequence[Line]:
    """The rows that answer a line; NotUnderstood if it is no question."""
    verb, *words = text.split() or [""]
    verb = verb.casefold()
    if verb not in QUESTIONS:
        raise NotUnderstood("You can ask hand, table, table NAME or piles.")
    if verb == "table":
        asked = asked_about(words, view.seat, names[: len(view.seats)])
        rows = [row for seat in asked for row in of_seat(view, seat, names, style)]
        gone = [left for left in view.outside if left.seat in asked]
        return rows + outside(gone, names, style) if words else rows
    if words:
        raise NotUnderstood("{} stands alone: type {}.", verb, verb)
    return _hand(view, style) if verb == "hand" else _piles(view, names, style)


def _hand(view: View, style: Style) -> list[Line]:
    if view.seat is None:
        return flow((), [line("You are watching, and have no cards.")], style.width)
    mine = view.seats[view.seat]
    if not mine.is_in:
        return flow((), [line("You are out, and have no cards.")], style.width)
    triplets = [line((three(RANK[cards[0]]), "strong")) for cards in mine.triplets]
    head = line(("Your triplets: ", "title"))
    return own(view, style) + (flow(head, triplets, style.width, ", ") if triplets else [])


def _piles(view: View, names: Names, style: Style) -> list[Line]:
    deck = line(f"The deck has {counted(view.deck, 'card')}.")
    gone = outside(view.outside, names, style)
    return flow((), [deck], style.width) + (
        gone or flow((), [line("Nothing lies Outside.")], style.width)
    )
