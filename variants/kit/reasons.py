"""Why a move is advised, as a game says it to the seat that it advises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from variants.kit.text import quantity

CODES_MAX = 12  # of a game, besides ONLY_MOVE
REASONS_MAX = 2  # for one move


class Reason(NamedTuple):
    """One reason.

    Args:
        code: For programs; several sentences of one idea share it.
        template: A sentence with `{}` or `{0}` fields.
        about: What fills them.  An int is a seat and is shown as its name; a str as it stands.
    """

    code: str
    template: str
    about: tuple[int | str, ...] = ()

    def format(self, names: Sequence[str]) -> str:
        return self.template.format(
            *(names[it] if isinstance(it, int) else it for it in self.about)
        )


WON_BY, BEHIND = "You won by {1} over {0}.", "You were {1} behind {0}."


def margin(points: Mapping[int, int], own: int) -> tuple[Reason, ...]:
    """By how many points, each seat's by its number, *own* is before or behind the best other;
    nothing if they are equal."""
    best = max([seat for seat in points if seat != own], key=lambda seat: points[seat])
    lead = points[own] - points[best]
    about = (best, quantity(abs(lead), "point"))
    return (Reason("margin", WON_BY if lead > 0 else BEHIND, about),) if lead else ()


ONLY_MOVE = Reason("only_move", "It is the only move.")
