"""For a moment after a game has begun over something else, its words are not read as plays.

Whoever was in a lesson or a replay may have a line for it half typed.
"""

from __future__ import annotations

from mudserver.clock import Clock

SHIELDED_S = 3.0


class Shields:
    """By person id.  At most one for each person online: `forget` is called when one leaves."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until_s: dict[str, float] = {}  # on the monotonic clock

    def __len__(self) -> int:
        return len(self._until_s)

    def raise_for(self, person_id: str) -> None:
        self._until_s[person_id] = self._clock.monotonic() + SHIELDED_S

    def is_up(self, person_id: str) -> bool:
        until_s = self._until_s.get(person_id)
        if until_s is not None and until_s <= self._clock.monotonic():
            self.forget(person_id)
            return False
        return until_s is not None

    def forget(self, person_id: str) -> None:
        self._until_s.pop(person_id, None)

    def rename(self, old: str, new: str) -> None:
        """The person has another id."""
        if old in self._until_s:
            self._until_s[new] = self._until_s.pop(old)
