"""How long a connection may take to log in.

Rule 1: time runs from accept, whatever arrives: an occasional byte keeps no slot.
Rule 2: a permitted name extends the deadline, once: a person has to think of a password and type
        it twice, on a phone or by ear.  A flood of names gains just that; the limits of the gate
        still hold, and the connection that has waited longest is evicted first (`gate.py`).
Rule 3: the person is told why the connection closes.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.clock import Clock
from mudserver.config.schema import DoorLimits


class LoginDeadline:
    """Args: on_timeout: called once, unless `cancel` came first."""

    __slots__ = ("_clock", "_limits", "_on_timeout", "_started_s", "_timer", "allowed_s")

    def __init__(self, limits: DoorLimits, clock: Clock, on_timeout: Callable[[], None]) -> None:
        self._limits, self._clock, self._on_timeout = limits, clock, on_timeout
        self._started_s, self.allowed_s = clock.monotonic(), limits.login_s
        self._timer = clock.call_later(self.allowed_s, on_timeout)

    def extend(self) -> None:
        """A name was given: allow `login_named_s`.  Not after `cancel`."""
        if self._limits.login_named_s > self.allowed_s:
            self.allowed_s = self._limits.login_named_s
            self._timer.cancel()
            left_s = self._started_s + self.allowed_s - self._clock.monotonic()
            self._timer = self._clock.call_later(left_s, self._on_timeout)

    def cancel(self) -> None:
        self._timer.cancel()

    @property
    def message(self) -> str:
        return (
            f"You took longer than {self.allowed_s:g} seconds to log in, so you were disconnected."
            " Please connect again."
        )
