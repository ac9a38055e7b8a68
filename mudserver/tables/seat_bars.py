"""Who cannot sit down at a table for a while.  State without I/O.

Rule 1: a person whom the owner has asked to leave, and other guests of a guest's source, stay away
        for ten minutes.
Rule 2: so does a person who has stood up twice within ten minutes: who sits down ends the marks of
        all others, and nobody may do that for ever.
Rule 3: people are facts and stay barred after a restart; sources are presence.
Rule 4: the oldest entries are forgotten: memory is bounded.
"""

from __future__ import annotations

from typing import Any

BAR_MS = 600_000
STANDS_MAX = 2  # within BAR_MS
ENTRIES_MAX = 500  # of each kind, at one table


class SeatBars:
    def __init__(self) -> None:
        self._stood_ms: dict[str, tuple[int, ...]] = {}  # the last times, by person
        self._unseated_until_ms: dict[str, int] = {}  # by person
        self._sources_until_ms: dict[str, int] = {}  # by source of an unseated guest

    def note_stood(self, person: str, at_ms: int) -> None:
        before = self._stood_ms.pop(person, ())
        self._stood_ms[person] = (*before, at_ms)[-STANDS_MAX:]
        _forget_oldest(self._stood_ms)

    def note_unseated(self, person: str, source: str, until_ms: int) -> None:
        """Args: source: of the person's session if that is a guest; "": an account."""
        self._unseated_until_ms[person] = until_ms
        _forget_oldest(self._unseated_until_ms)
        if source:
            self._sources_until_ms[source] = until_ms
            _forget_oldest(self._sources_until_ms)

    def replace_person(self, old: str, new: str) -> None:
        """The person has another id."""
        for entries in (self._stood_ms, self._unseated_until_ms):
            if old in entries:
                entries[new] = entries.pop(old)  # type: ignore[assignment]

    def lift(self, person: str) -> None:
        """The owner invites the person back."""
        self._unseated_until_ms.pop(person, None)

    def adopt_sources(self, other: SeatBars) -> None:
        self._sources_until_ms = other._sources_until_ms

    def unseated_until_ms(self, person: str, source: str, now_ms: int) -> int | None:
        """Until when, UTC, the person cannot sit because of the owner; None: may sit."""
        until_ms = max(
            self._unseated_until_ms.get(person, 0),
            self._sources_until_ms.get(source, 0) if source else 0,
        )
        return until_ms if until_ms > now_ms else None

    def restless_until_ms(self, person: str, now_ms: int) -> int | None:
        """Until when, UTC, the person cannot sit who has stood up too often; None: may sit."""
        times = self._stood_ms.get(person, ())
        if len(times) < STANDS_MAX or times[-1] - times[0] > BAR_MS:
            return None
        until_ms = times[-1] + BAR_MS
        return until_ms if until_ms > now_ms else None


def _forget_oldest(entries: dict[str, Any]) -> None:
    if len(entries) > ENTRIES_MAX:
        del entries[next(iter(entries))]
