"""States that fit what one seat sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from variants.contract import Chance
from variants.elimination.events import Event
from variants.elimination.state import State
from variants.elimination.view import View


def worlds(view: View, seen: Sequence[Event], chance: Chance) -> Iterator[State]:
    raise NotImplementedError
