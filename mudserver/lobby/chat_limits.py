"""The rate limit of one person's chat.

Rule 1: it outlives the session: logging in again ends no mute.
Rule 2: too many lines are refused; only repeating the same text mutes, also with other lines
        between.
Rule 3: who is muted can still tell the staff something.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from hashlib import blake2b
from math import ceil
from typing import NamedTuple

from mudserver import metrics
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.lobby import texts
from mudserver.rate_limit import TokenBucket
from variants.kit.text import duration

REMEMBERED_MAX = 16  # lines of one person that a further one is compared with
CARRIED_MAX = 8  # of them go along to another process
_HASH_BYTES = 7


class TalkSpent(NamedTuple):
    """What one person has spent of it, for another process."""

    tokens: float
    hashes: Collection[int] = ()  # of the last lines, oldest first
    muted_s: float = 0.0  # still


class ChatRateLimit:
    __slots__ = (
        "_bucket",
        "_is_new",
        "_limits",
        "_muted_until",
        "_recent",
    )

    def __init__(self, limits: schema.ChatLimits, is_new: bool, now: float) -> None:
        self._is_new = is_new
        self._limits, self._bucket = limits, TokenBucket(*_rate_and_burst(limits, is_new), now)
        self._recent: deque[tuple[float, int]] = deque(maxlen=REMEMBERED_MAX)  # when, and the hash
        self._muted_until = now

    def reconfigure(self, limits: schema.ChatLimits, now: float) -> None:
        """Apply other limits from now on; a running mute keeps its end."""
        self._limits = limits
        self._bucket.set_rate(now, *_rate_and_burst(limits, self._is_new))

    def set_new(self, is_new: bool, now: float) -> None:
        """Whether the person is a guest or has only just registered."""
        if is_new is not self._is_new:
            self._is_new = is_new
            self.reconfigure(self._limits, now)

    def is_unused(self, now: float) -> bool:
        """Whether nothing counts any more: this object equals a new one and may be dropped."""
        is_forgotten = not self._recent or now - self._recent[-1][0] >= self._limits.mute_s
        return is_forgotten and now >= self._muted_until and self._bucket.is_full(now)

    def spent(self, now: float) -> TalkSpent:
        hashes = [said for _, said in self._recent][-CARRIED_MAX:]
        return TalkSpent(self._bucket.level(now), hashes, max(0.0, self._muted_until - now))

    def restore(self, spent: TalkSpent, now: float) -> None:
        self._bucket.restore(spent.tokens, now)
        self._recent.extend((now, said) for said in spent.hashes)
        self._muted_until = now + spent.muted_s

    def check(self, now: float, *, is_to_staff: bool = False) -> None:
        """UserError: nothing may be said now, whatever it is."""
        if now < self._muted_until and not is_to_staff:
            wait_s = self._muted_until - now
            raise _refusal(texts.MUTED.format(_span(wait_s)), wait_s)
        if wait_s := self._bucket.wait_s(now):
            raise _refusal(texts.TOO_FAST, wait_s, may_wait=True)

    def charge(self, text: str, now: float, *, is_to_staff: bool = False) -> None:
        """Count one chat line.  UserError: it may not be said now."""
        self.check(now, is_to_staff=is_to_staff)
        self._bucket.try_consume(now)
        mute_s, folded = self._limits.mute_s, text.casefold().encode("utf-8", "replace")
        said = int.from_bytes(blake2b(folded, digest_size=_HASH_BYTES).digest(), "big")
        self._recent.append((now, said))
        times = sum(one == said and now - at < mute_s for at, one in self._recent)
        if times > self._limits.repeats_max:
            self._recent.clear()
            self._muted_until = now + mute_s
            raise _refusal(texts.REPEATED.format(_span(mute_s)), mute_s)


def _refusal(sentence: str, wait_s: float, *, may_wait: bool = False) -> UserError:
    metrics.REFUSALS.increment("chat")
    return UserError(sentence, "limit", wait_s=wait_s, may_wait=may_wait)


def _rate_and_burst(limits: schema.ChatLimits, is_new: bool) -> tuple[float, float]:
    return limits.guest_per_s if is_new else limits.per_s, limits.burst


def _span(span_s: float) -> str:
    return duration(max(1, ceil(span_s)))
