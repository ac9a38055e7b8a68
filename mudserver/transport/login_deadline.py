"""How long somebody who has connected may take to log in.

Rule 1: time runs from accept, whatever comes meanwhile: bytes now and then hold no place.
Rule 2: once a name was given that may come in, there is more of it, once: a password is thought of
        and typed twice, on a phone or by ear.  That is what a flood of names gains; the gate's
        bounds stand as before, and under them who waits longest goes first (`gate.py`).
Rule 3: who is late reads why.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.clock import Clock
from mudserver.config.schema import DoorLimits as Limits


class LoginDeadline:
    """Args: late: called once, unless `cancel` was before."""

    __slots__ = ("_began_s", "_clock", "_late", "_limits", "_timer", "allowed_s")

    def __init__(self, limits: Limits, clock: Clock, on_timeout: Callable[[], None]) -> None:
        self._limits, self._clock, self._late = limits, clock, on_timeout
        self._began_s, self.allowed_s = clock.monotonic(), limits.login_s
        self._timer = clock.call_later(self.allowed_s, on_timeout)

    def extend(self) -> None:
        """A name was given.  Not after `cancel`."""
        if self._limits.login_named_s > self.allowed_s:
            self.allowed_s = self._limits.login_named_s
            self._timer.cancel()
            left_s = self._began_s + self.allowed_s - self._clock.monotonic()
            self._timer = self._clock.call_later(left_s, self._late)

    def cancel(self) -> None:
        self._timer.cancel()

    @property
    def message(self) -> str:
        return (
            f"You took longer than {self.allowed_s:g} seconds to come in, so the line ends. "
            "Please connect again."
        )
