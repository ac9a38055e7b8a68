"""How a rule book is spoiled in one place: what a seat may see, or what is told of an event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from variants.contract import Seat, Variant

Book = Variant[Any, Any, Any, Any]


def in_view(book: Book, spoil: Callable[[Any, Seat | None, Any], Any]) -> Book:
    """*spoil* gets the state, the observer and the honest view."""
    return replace(book, observe=lambda state, seat: spoil(state, seat, book.observe(state, seat)))


def in_seats(book: Book, spoil: Callable[[Any, Any], Any]) -> Book:
    """*spoil* gets each player as it is and as everybody sees it."""

    def seats(state: Any, seat: Seat | None, view: Any) -> Any:
        pairs = zip(state.players, view.seats, strict=True)
        return replace(view, seats=tuple(spoil(player, shown) for player, shown in pairs))

    return in_view(book, seats)


def in_event(book: Book, kind: type, spoil: Callable[[Any, Any], Any]) -> Book:
    """*spoil* gets the full event and the honest redaction."""

    def redact(event: Any, seat: Seat | None) -> Any:
        known = book.redact(event, seat)
        return spoil(event, known) if isinstance(event, kind) else known

    return replace(book, redact=redact)
