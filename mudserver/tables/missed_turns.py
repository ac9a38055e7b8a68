"""Which turns the owner of a seat has missed, and how long a late owner's windows last.  [G-09]

Rule 1: a turn is missed in which the clock decided for the owner and the owner never did.  It is
        counted when it ends.  What a computer player or autopass decides counts for neither.
Rule 2: once the clock has decided in a turn, the further windows of that turn are short, until the
        owner decides.  Who is back from being away has missed one turn already, and has short
        windows until the first own decision.
Rule 3: one of these windows has its full time all the same, if the owner types anything: once in a
        turn, and once from coming back to the first decision.  Never a sealed window: a deadline
        that moves, or does not, would tell who has answered.  [G-11]
Rule 4: for who is away the turns are counted in which a computer player decided.
Rule 5: all this follows from what everybody knows: who decided, and that somebody typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from variants.contract import Window

SHORT_MS = 15_000  # of a window whose owner is late


class TurnCount(msgspec.Struct, frozen=True):
    """What one seat's owner has missed."""

    missed: int = 0  # turns in a row
    decided_in: str = ""  # the turn in which the owner last decided
    late_in: str = ""  # the turn in which the clock last decided, after that
    is_back: bool = False  # from being away, without a decision since then
    full: Literal["", "owed", "given"] = ""  # the one window with its full time
    played_in: str = ""  # the turn in which a computer player last decided for the absent owner
    played_for: int = 0  # such turns since the owner last decided or came back

    @property
    def has_begun(self) -> bool:
        """Whether the owner has decided anything in the game, or was away and came back."""
        return bool(self.decided_in) or self.is_back

    def decided(self, turn: str) -> TurnCount:
        return TurnCount(decided_in=turn)

    def ran_out(self, turn: str) -> TurnCount:
        return replace(self, late_in=turn)

    def turn_ended(self, turn: str) -> TurnCount:
        is_missed = self.late_in == turn != self.decided_in
        full = self.full if self.is_back else ""
        played_for = self.played_for + (self.played_in == turn)
        return replace(self, missed=self.missed + is_missed, full=full, played_for=played_for)

    def played_by_computer(self, turn: str) -> TurnCount:
        return replace(self, played_in=turn)

    def came_back(self, is_asked: bool) -> TurnCount:
        """Args: is_asked: the owner is asked now, by a window that may have its full time."""
        full: Literal["owed", "given"] = "given" if is_asked else "owed"
        return TurnCount(missed=1, decided_in=self.decided_in, is_back=True, full=full)

    def typed(self, is_asked: bool) -> TurnCount:
        """The owner typed, and `may_have_time`.  Args: as of `came_back`."""
        return replace(self, full="given" if is_asked else "owed")

    def window_opened(self, window: Window) -> TurnCount:
        """A window that asks the seat has opened."""
        is_used = self.full == "owed" and self._is_late(turn_of(window)) and not window.is_sealed
        return replace(self, full="given") if is_used else self

    def may_have_time(self, turn: str) -> bool:
        """Whether typing gives the owner time in this turn."""
        return self._is_late(turn) and not self.full

    def has_full_time(self, window: Window) -> bool:
        """Whether *window*, which asks the seat, is as long as for anybody."""
        if not self._is_late(turn_of(window)):
            return True
        return self.full == "owed" and not window.is_sealed

    def _is_late(self, turn: str) -> bool:
        return self.is_back or self.late_in == turn


def turn_of(window: Window) -> str:
    """The game's own turn that *window* belongs to."""
    return window.turn or window.key


def count_decision(count: TurnCount, by: str, window: Window, *, is_absent: bool) -> TurnCount:
    """The count of a seat that has decided in *window*.

    Args:
        by: Who decided, as in `records.Played`.
        is_absent: A computer decides for the owner: there is nothing to miss.
    """
    if by in ("person", "later"):
        return count.decided(turn_of(window))
    if by == "away":
        return count.played_by_computer(turn_of(window))
    is_late = by == "time" and window.counts_timeouts and not is_absent
    return count.ran_out(turn_of(window)) if is_late else count


def may_be_extended(window: Window | None, seat: int) -> bool:
    """Whether the owner of *seat*, who types, can have the full time of the open window."""
    return window is not None and seat in window.seats and not window.is_sealed


def window_ms(
    window: Window, asked: Iterable[TurnCount], full_ms: int, short_ms: int = SHORT_MS
) -> int:
    """How long *window* lasts.  Nobody's time is shorter because others are late.

    Args:
        short_ms: If all who are asked are late.
    """
    if any(count.has_full_time(window) for count in asked):
        return full_ms
    return min(full_ms, short_ms)
