"""How a game ended, in words and rows.

Rule 1: places come from the rule book; the table only puts those last who forfeited.  [G-09]
Rule 2: equal results share a place; nothing breaks a tie.  [G-16]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mudserver.tables.records import Ended
from mudserver.tables.seats import Occupant
from variants.kit.text import join_words


def places_with_forfeits(places: Sequence[int], forfeits: Collection[int]) -> tuple[int, ...]:
    """Places by seat once the seats in *forfeits* share the last one.

    Args:
        places: By seat, 1 first, as the rule book has them.
    """
    played = [place for seat, place in enumerate(places) if seat not in forfeits]
    return tuple(
        len(played) + 1 if seat in forfeits else 1 + sum(other < place for other in played)
        for seat, place in enumerate(places)
    )


def game_over_text(ended: Ended, seats: Sequence[Occupant]) -> str:
    """`Game over: three are out. Ann wins. 1 Ann, 2 Bob (14), 3 Cy`."""
    first = [seat.name for seat, place in zip(seats, ended.places, strict=True) if place == 1]
    verdict = (
        f"{first[0]} wins" if len(first) == 1 else f"{join_words(first)} share the first place"
    )
    order = ", ".join(
        f"{ended.places[n]} {seats[n].name}" + _score(ended.scores[n], " ({})")
        for n in _in_order(ended)
    )
    return f"Game over: {ended.reason}. {verdict}. {order}"


def result_rows(ended: Ended, seats: Sequence[Occupant]) -> tuple[str, ...]:
    """One row a seat, best first."""
    return tuple(
        f"{ended.places[n]}. {seats[n].name}{_score(ended.scores[n], '  {}')}{_kind(seats[n])}"
        for n in _in_order(ended)
    )


def _in_order(ended: Ended) -> list[int]:
    return sorted(range(len(ended.places)), key=lambda n: (ended.places[n], n))


def _score(score: int | None, shape: str) -> str:
    return "" if score is None else shape.format(score)


def _kind(seat: Occupant) -> str:
    if seat.has_forfeited:
        return f"  (computer; {seat.replaced_name} forfeited)"
    if seat.replaced_name:
        return f"  (computer; {seat.replaced_name} left)"
    return "  (computer)" if seat.is_computer else ""
