"""The state of a game that its people have paused or adjourned, and of those who want to go on.

Rule 1: the pause is a fact.  Who wants to go on is presence: a restart leaves the game paused.
Rule 2: a paused game goes on when all who were asked, and are connected, have wanted it for ALL_MS,
        or the first of them for FIRST_MS, and after PAUSE_MS at the latest.
Rule 3: an adjourned one goes on when all who were asked are at the table, and have wanted it within
        TOGETHER_MS, for ALL_MS.  After ADJOURN_MS it ends without a result.
Rule 4: one that an outage has adjourned goes on when all whom the open window asks are at the
        table, for ALL_MS, and after OUTAGE_WAIT_MS at the latest.
"""

from __future__ import annotations

from typing import Literal

import msgspec

PAUSE_MS = 3_600_000
FIRST_MS = 60_000
ALL_MS = 10_000
TOGETHER_MS = 600_000
CALL_EVERY_MS = 60_000
ADJOURN_MS = 30 * 86_400_000
OUTAGE_WAIT_MS = 2 * 86_400_000


class Pause(msgspec.Struct, frozen=True):
    asked: tuple[int, ...]  # the seats that have agreed to it
    since_ms: int  # UTC
    until_ms: int  # UTC, at the latest
    is_adjourned: bool = False  # by its people, or by an outage
    is_outage: bool = False

    @property
    def kind(self) -> Literal["pause", "adjourn", "outage"]:
        return "outage" if self.is_outage else "adjourn" if self.is_adjourned else "pause"

    @property
    def longest_ms(self) -> int:
        if self.is_outage:
            return OUTAGE_WAIT_MS
        return ADJOURN_MS if self.is_adjourned else PAUSE_MS


class GoingOn:
    """Who wants to go on with a paused game."""

    def __init__(self) -> None:
        self._wanted_ms: dict[str, int] = {}  # when each of them said so, UTC
        self._all_ms: int | None = None  # since when nobody is missing, UTC
        self._called_ms: dict[str, int] = {}  # when each called those who are elsewhere, UTC

    @property
    def people(self) -> set[str]:
        return set(self._wanted_ms)

    def add(self, person: str, at_ms: int) -> None:
        self._wanted_ms[person] = at_ms
        if self.may_call(person, at_ms):
            self._called_ms[person] = at_ms

    def may_call(self, person: str, at_ms: int) -> bool:
        """Whether those who are elsewhere hear that the person wants an adjourned game to go on."""
        called_ms = self._called_ms.get(person)
        return called_ms is None or at_ms - called_ms >= CALL_EVERY_MS

    def replace_person(self, old: str, new: str) -> None:
        """The person *old* is *new*."""
        for times in (self._wanted_ms, self._called_ms):
            if old in times:
                times[new] = times.pop(old)

    def forget(self, person: str) -> None:
        self._wanted_ms.pop(person, None)

    def keep(self, here: set[str]) -> None:
        """Of an adjourned game: who has gone does not want it any more."""
        self._wanted_ms = {it: at_ms for it, at_ms in self._wanted_ms.items() if it in here}

    def too_long(self, now_ms: int) -> list[str]:
        """Of an adjourned game: who has wanted it for TOGETHER_MS, while others are missing."""
        if self._all_ms is not None:
            return []
        return [it for it, at_ms in self._wanted_ms.items() if now_ms - at_ms >= TOGETHER_MS]

    @property
    def forgets_ms(self) -> int | None:
        """When the first of them has wanted it too long, UTC; None: nobody."""
        if self._all_ms is not None or not self._wanted_ms:
            return None
        return min(self._wanted_ms.values()) + TOGETHER_MS

    def note(self, pause: Pause, asked: set[str], here: set[str], at_ms: int) -> None:
        """Args: asked: Who has to want it: see rules 2, 3 and 4; here: Who is at the table."""
        if pause.is_adjourned:
            self.keep(here)
        if pause.is_outage:
            self._wanted_ms = {it: self._wanted_ms.get(it, at_ms) for it in here}
        is_wanted = bool(self._wanted_ms) or (pause.is_outage and not asked)
        if not is_wanted or not asked <= self.people:
            self._all_ms = None
        elif self._all_ms is None:
            self._all_ms = at_ms

    def ends_ms(self, pause: Pause) -> int:
        """When the game goes on, as things are, or when an adjourned one ends, UTC."""
        times = [pause.until_ms]
        if self._wanted_ms and not pause.is_adjourned:
            times.append(min(self._wanted_ms.values()) + FIRST_MS)
        if self._all_ms is not None:
            times.append(self._all_ms + ALL_MS)
        return min(times)
