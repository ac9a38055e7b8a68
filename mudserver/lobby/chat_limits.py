"""The rate limit of one person's chat.

Rule 1: it outlives the session: logging in again ends no mute.
Rule 2: too many lines are refused; only repeating the same text mutes.
"""

from __future__ import annotations

from math import ceil

from mudserver import metrics
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.lobby import texts
from mudserver.rate_limit import TokenBucket
from variants.kit.text import duration


class ChatRateLimit:
    __slots__ = (
        "_bucket",
        "_is_guest",
        "_last_at",
        "_last_text",
        "_limits",
        "_muted_until",
        "_repeats",
    )

    def __init__(self, limits: schema.ChatLimits, is_guest: bool, now: float) -> None:
        self._is_guest = is_guest
        self._limits, self._bucket = limits, TokenBucket(*_rate_and_burst(limits, is_guest), now)
        self._last_text, self._last_at, self._repeats = "", now, 0
        self._muted_until = now

    def reconfigure(self, limits: schema.ChatLimits, now: float) -> None:
        """Apply other limits from now on; a running mute keeps its end."""
        self._limits = limits
        self._bucket.set_rate(now, *_rate_and_burst(limits, self._is_guest))

    def is_unused(self, now: float) -> bool:
        """Whether nothing counts any more: this object equals a new one and may be dropped."""
        is_forgotten = now - self._last_at >= self._limits.mute_s
        return is_forgotten and now >= self._muted_until and self._bucket.is_full(now)

    def check(self, now: float) -> None:
        """UserError: nothing may be said now, whatever it is."""
        if now < self._muted_until:
            raise _refusal(texts.MUTED.format(_span(self._muted_until - now)))
        if not self._bucket.has(now):
            raise _refusal(texts.TOO_FAST)

    def charge(self, text: str, now: float) -> None:
        """Count one chat line.  UserError: it may not be said now."""
        self.check(now)
        self._bucket.try_consume(now)
        folded, mute_s = text.casefold(), self._limits.mute_s
        is_repeated = folded == self._last_text and now - self._last_at < mute_s
        self._repeats = self._repeats + 1 if is_repeated else 1
        self._last_text, self._last_at = folded, now
        if self._repeats > self._limits.repeats_max:
            self._repeats, self._muted_until = 0, now + mute_s
            raise _refusal(texts.REPEATED.format(_span(mute_s)))


def _refusal(sentence: str) -> UserError:
    metrics.REFUSALS.increment("chat")
    return UserError(sentence)


def _rate_and_burst(limits: schema.ChatLimits, is_guest: bool) -> tuple[float, float]:
    return limits.guest_per_s if is_guest else limits.per_s, limits.burst


def _span(span_s: float) -> str:
    return duration(max(1, ceil(span_s)))
