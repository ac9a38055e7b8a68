"""Who may know a field of an event: the audiences that events of every game have.

A game adds its own in `knowledge.py`, whose first rule is kept by `of_event`: every field of
every event has an audience.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields
from typing import Any

from variants.contract import Seat

Audience = Callable[[Any, Any, Seat | None], Hashable]
"""(event, value of the field, observer) -> what the observer may know of the field."""

HIDDEN = "hidden"


def actor_knows(event: Any, value: Any, observer: Seat | None) -> Hashable:
    return value if observer == event.seat else HIDDEN


def each_knows_own(event: Any, value: Any, observer: Seat | None) -> Hashable:
    """One's own of what is by seat, in the order in which it came."""
    return HIDDEN if observer is None else value[observer]


def nobody_knows(event: Any, value: Any, observer: Seat | None) -> Hashable:
    return HIDDEN


derived = nobody_knows
"""Not hidden, but no fact of its own either."""


def of_event(
    event: Any, by_kind: Mapping[type, Mapping[str, Audience]], observer: Seat | None
) -> Hashable:
    """What *observer* may know of a full event; AssertionError: a field without an audience."""
    audiences = by_kind[type(event)]
    assert audiences.keys() == {field.name for field in fields(event)}, type(event)
    return type(event).__name__, *(
        (name, may_know(event, getattr(event, name), observer))
        for name, may_know in audiences.items()
    )
