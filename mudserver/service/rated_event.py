"""What a rated game makes of the standings of its people, put into its event.  Pure.

Rule 1: who left, forfeited, or came back after leaving shares the last place.
Rule 2: seats that a computer player took over play no part; those it had from the start are
        anchors, and the event holds which.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from mudserver.results.events import GameRecorded, SeatResult
from mudserver.results.rating import NEW, Entrant, Standing, last_places, rated
from mudserver.results.seasons import season_start_ms


def rated_event(
    event: GameRecorded, standings: Mapping[str, Standing], anchors: Mapping[str, float]
) -> GameRecorded:
    """*event*, with its pool, and with the ratings before and after.

    Args: standings: before, by account.
    """
    part = [seat for seat, it in enumerate(event.seats) if _takes_part(it, anchors)]
    seats = [event.seats[seat] for seat in part]
    places = last_places([it.place for it in seats], [it.fate == "stayed" for it in seats])
    before = [standings.get(it.person, NEW) if it.person else None for it in seats]
    entrants = [
        Entrant(place, own, 0.0 if own is not None else it.anchor or anchors[it.level])
        for place, own, it in zip(places, before, seats, strict=True)
    ]
    changed = list(event.seats)
    after = rated(entrants, event.at_ms, season_start_ms(event.at_ms))
    for seat, own, now in zip(part, before, after, strict=True):
        it = event.seats[seat]
        if own is None or now is None:
            changed[seat] = replace(it, anchor=it.anchor or anchors[it.level])
        else:
            pairs = (own.mu, own.sigma), (now.mu, now.sigma)
            changed[seat] = replace(it, before=pairs[0], after=pairs[1], games=now.games)
    return replace(event, seats=tuple(changed))


def _takes_part(seat: SeatResult, anchors: Mapping[str, float]) -> bool:
    if seat.person:
        return True
    return seat.fate == "stayed" and (seat.level in anchors or bool(seat.anchor))
