"""How long a connection may take to log in.

Rule 1: time runs from accept, whatever arrives: an occasional byte keeps no slot.
Rule 2: a permitted name extends the deadline, once: a person has to think of a password and type
        it twice, on a phone or by ear.  A flood of names gains just that; the limits of the gate
        still hold, and the connection that has waited longest is evicted first (`gate.py`).
Rule 3: where another process has the login, time stands still while there is none.
Rule 4: the person is told why the connection closes.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.clock import Clock
from mudserver.config.schema import DoorLimits

EARLY_S = 0.001  # a timer may be so early


class LoginDeadline:
    """Args:
    on_timeout: Called once, unless `cancel` came first.
    stood_still_s: How long time has stood still since any moment.
    """

    __slots__ = (
        *("_clock", "_limits", "_on_timeout", "_started_s", "_stood_still_s", "_timer"),
        "allowed_s",
    )

    def __init__(
        self,
        limits: DoorLimits,
        clock: Clock,
        on_timeout: Callable[[], None],
        stood_still_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._limits, self._clock, self._on_timeout = limits, clock, on_timeout
        self._stood_still_s, self.allowed_s = stood_still_s, limits.login_s
        self._started_s = clock.monotonic() - stood_still_s()  # counted without the gaps
        self._timer = clock.call_later(self.allowed_s, self._check)

    def _left_s(self) -> float:
        past_s = self._clock.monotonic() - self._stood_still_s() - self._started_s
        return self.allowed_s - past_s

    def _check(self) -> None:
        left_s = self._left_s()
        if left_s > EARLY_S:
            self._timer = self._clock.call_later(left_s, self._check)
        else:
            self._on_timeout()

    def extend(self) -> None:
        """A name was given: allow `login_named_s`.  Not after `cancel`."""
        if self._limits.login_named_s > self.allowed_s:
            self.allowed_s = self._limits.login_named_s
            self._timer.cancel()
            self._timer = self._clock.call_later(self._left_s(), self._check)

    def cancel(self) -> None:
        self._timer.cancel()

    @property
    def message(self) -> str:
        return (
            f"You took longer than {self.allowed_s:g} seconds to log in, so you were disconnected."
            " Please connect again."
        )
