"""What a full screen that begins empty shows of the past, with the place that its reader has."""

from __future__ import annotations

from collections.abc import Sequence

from mudserver import messages as m
from mudserver.accounts.person import Person
from mudserver.service.game_service import GameService


def recalled(
    messages: Sequence[m.Message], person: Person, service: GameService
) -> Sequence[m.Message] | None:
    """The game so far, of a seat that was taken again and where a session goes on.

    Args:
        messages: Those that come together with the place.

    Returns:
        None: there is no place among them.
    """
    for message in messages:
        if isinstance(message, m.KnownPlace):
            return service.going_on.events_shown(person, message)
    places = [message for message in messages if isinstance(message, m.LocationMessage)]
    is_told = any(isinstance(message, m.EventMessage) for message in messages)
    if any(place.is_playing for place in places) and not is_told:
        return service.history(person)
    return [] if places else None
