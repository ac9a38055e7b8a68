"""The people whom each person ignores.

Rule 1: ignoring hides chat alone (say, me, tell); plays at a table and announcements stay visible.
Rule 2: a list outlives the session, as a mute does, and ends with the run of the server.  A guest's
        list ends with the session: otherwise a stream of guests would push out other people's.
Rule 3: people are kept by id: a later guest of the same name is another person.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from mudserver.accounts.person import Person
from mudserver.errors import UserError
from mudserver.lobby import texts

IGNORED_PER_PERSON_MAX = 50  # people whom one person ignores
IGNORE_LISTS_MAX = 4_096  # people with a list, online or not; the least recent is dropped


class IgnoreList:
    def __init__(self) -> None:
        self._ignored_by: OrderedDict[str, dict[str, str]] = (
            OrderedDict()
        )  # id -> the others: id -> name

    def add(self, person_id: str, other: Person) -> None:
        """UserError: that is oneself, or the list is full."""
        if other.id == person_id:
            raise UserError(texts.IGNORE_SELF)
        ignored = self._ignored_by.get(person_id, {})
        if other.id not in ignored and len(ignored) >= IGNORED_PER_PERSON_MAX:
            raise UserError(texts.IGNORE_FULL.format(IGNORED_PER_PERSON_MAX))
        self._ignored_by[person_id] = {**ignored, other.id: other.name}
        self._ignored_by.move_to_end(person_id)
        if len(self._ignored_by) > IGNORE_LISTS_MAX:
            self._ignored_by.popitem(last=False)

    def remove(self, person_id: str, name: str) -> str:
        """Stop ignoring; returns the full name.  UserError: nobody of that name is ignored."""
        ignored = self._ignored_by.get(person_id, {})
        matches = {one: known for one, known in ignored.items() if known.lower() == name.lower()}
        if not matches:
            raise UserError(texts.NOT_IGNORING.format(name))
        for other in matches:  # several guests may have had the name in turn
            del ignored[other]
        if not ignored:
            self.clear(person_id)
        return next(iter(matches.values()))

    def clear(self, person_id: str) -> None:
        """Drop the person's list."""
        self._ignored_by.pop(person_id, None)

    def names(self, person_id: str) -> list[str]:
        return sorted(self._ignored_by.get(person_id, {}).values(), key=str.lower)

    def is_ignoring(self, person_id: str, speaker_id: str) -> bool:
        """Whether the person ignores the speaker."""
        return speaker_id in self._ignored_by.get(person_id, ())

    def listeners(self, ids: Iterable[str], speaker_id: str) -> tuple[str, ...]:
        """Those of *ids* who do not ignore the speaker."""
        if not self._ignored_by:
            return tuple(ids)
        return tuple([one for one in ids if not self.is_ignoring(one, speaker_id)])
