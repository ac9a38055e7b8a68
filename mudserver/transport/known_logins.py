"""Names that logged in from a place lately: they keep tries when the place has used up its own.

Rule 1: somebody who guesses passwords uses up the failed logins of the source, and of the network.
        Whoever logged in from there within KEPT_S still has TRIES, one back in FORGIVEN_S each.
Rule 2: in memory only, at most ENTRIES_MAX; the oldest login is forgotten first.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from mudserver.clock import Clock
from mudserver.rate_limit import TokenBucket

ENTRIES_MAX = 20_000
KEPT_S = 86_400.0
TRIES = 3
FORGIVEN_S = 60.0


@dataclass(slots=True)
class _Known:
    at_s: float
    tries: TokenBucket


class KnownLogins:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()  # oldest login first

    def add(self, place: str, name: str) -> None:
        """*name* has logged in from *place*, a source or a network."""
        now_s, key = self._clock.monotonic(), (place, name.lower())
        known = self._known.pop(key, None)
        tries = known.tries if known is not None else TokenBucket(1 / FORGIVEN_S, TRIES, now_s)
        self._known[key] = _Known(now_s, tries)
        if len(self._known) > ENTRIES_MAX:
            self._known.popitem(last=False)

    def has_try(self, place: str, name: str) -> bool:
        """Whether *name* may still be tried from *place*."""
        now_s, known = self._clock.monotonic(), self._known.get((place, name.lower()))
        return known is not None and known.at_s + KEPT_S > now_s and known.tries.has(now_s)

    def count_failure(self, place: str, name: str) -> None:
        known = self._known.get((place, name.lower()))
        if known is not None:
            known.tries.try_consume(self._clock.monotonic())
