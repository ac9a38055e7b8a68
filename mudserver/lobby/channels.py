"""Channels: which there are, who has joined them, and how much is said there.

Rule 1: the settings fix the channels; `lobby` and `staff` exist always.  A beginning that fits one
        channel is enough.  Nobody learns more of `staff` than that it is there.
Rule 2: members are people who are here.  Whom an account wants to hear again is kept there.
Rule 3: a channel takes so many lines a second as its readers allow, and all channels together so
        many deliveries.  A line that nobody else reads costs nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.lobby import texts
from mudserver.rate_limit import TokenBucket
from variants.kit.text import join_words

LOBBY, STAFF, HELP = "lobby", "staff", "help"
LINES_BURST = 20
DELIVERIES_BURST_S = 5.0  # so many seconds of deliveries at once, in all channels together


class Channels:
    def __init__(self, limits: schema.ChatLimits, now: float) -> None:
        self._members: dict[str, dict[str, None]] = {}  # ids, by channel
        self._buckets: dict[str, TokenBucket] = {}  # lines, by channel
        self._limits = limits
        per_s = limits.deliveries_per_s
        self._deliveries = TokenBucket(per_s, per_s * DELIVERIES_BURST_S, now)
        self.reconfigure(limits, now)

    def reconfigure(self, limits: schema.ChatLimits, now: float) -> None:
        """Apply other limits and channels from now on; who is in one that stays is still in it."""
        self._limits = limits
        per_s = limits.deliveries_per_s
        self._deliveries.set_rate(now, per_s, per_s * DELIVERIES_BURST_S)
        self.names = (LOBBY, *limits.channels, STAFF)
        self._members = {name: self._members.get(name, {}) for name in self.names}
        self._buckets = {
            name: self._buckets.get(name) or TokenBucket(limits.channel_per_s, LINES_BURST, now)
            for name in self.names
        }

    # -- finding ---------------------------------------------------------------------------------

    def visible(self, *, is_staff: bool) -> tuple[str, ...]:
        return self.names if is_staff else self.names[:-1]

    def has(self, typed: str, *, is_staff: bool) -> bool:
        """Whether *typed* names a channel, or begins one."""
        wanted = typed.lower()
        return any(wanted and n.startswith(wanted) for n in self.visible(is_staff=is_staff))

    def find(self, typed: str, *, is_staff: bool) -> str:
        """The channel of that name, or the only one that begins so.  UserError: none, several."""
        wanted, known = typed.lower(), self.visible(is_staff=is_staff)
        if wanted in known:
            return wanted
        if wanted == STAFF:
            raise UserError(texts.STAFF_ALONE)
        begun = [name for name in known if wanted and name.startswith(wanted)]
        if len(begun) == 1:
            return begun[0]
        if begun and len(begun) < len(known):
            raise UserError(texts.AMBIGUOUS.format(typed, join_words(begun, "or")), "ambiguous")
        raise UserError(texts.NO_CHANNEL.format(typed[:20]), "not_found")

    # -- members ---------------------------------------------------------------------------------

    def enter(self, person_id: str, joined: Iterable[str]) -> None:
        """Somebody is here now, and in these channels alone."""
        self.leave(person_id)
        for name in joined:
            self.join(person_id, name)

    def leave(self, person_id: str) -> None:
        for members in self._members.values():
            members.pop(person_id, None)

    def replace_person(self, old: str, new: str) -> None:
        """The person of id *old* has another id now."""
        for members in self._members.values():
            if old in members:
                del members[old]
                members[new] = None

    def join(self, person_id: str, name: str) -> None:
        self._members[name][person_id] = None

    def part(self, person_id: str, name: str) -> None:
        self._members[name].pop(person_id, None)

    def members(self, name: str) -> Collection[str]:
        """Ids, in the order of joining."""
        return self._members[name].keys()

    # -- rates -----------------------------------------------------------------------------------

    def check_busy(self, name: str, now: float) -> None:
        """UserError: nothing more may be said there for the moment, whoever says it."""
        if wait_s := max(self._deliveries.wait_s(now), self._buckets[name].wait_s(now)):
            busy = texts.LOBBY_BUSY if name == LOBBY else texts.CHANNEL_BUSY
            raise UserError(busy.format(name), "busy", wait_s=wait_s)

    def charge(self, name: str, readers: int, now: float) -> None:
        """Count a line.  Args: readers: beside its speaker."""
        if readers < 1:
            return
        bucket, limits = self._buckets[name], self._limits
        per_s = min(limits.channel_per_s, limits.deliveries_per_s / readers)
        bucket.set_rate(now, per_s, LINES_BURST)
        bucket.consume_with_debt(now, 1)
        self._deliveries.consume_with_debt(now, readers)
