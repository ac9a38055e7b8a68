"""Whom somebody does not want to hear.

Rule 1: it stops talk alone (say, me, tell); what is played at a table and the news of the house are
        everybody's.
Rule 2: it outlives the visit, as a mute does, and ends with the run of the house; a guest's ends
        with the visit, or guests without end would push out what others have chosen.
Rule 3: people are kept by id: a later guest of the same name is somebody else.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from mudserver.accounts import Person
from mudserver.errors import UserError

IGNORED_PER_PERSON_MAX = 50  # people whom one person ignores
IGNORE_LISTS_MAX = 4_096  # people, here or gone, who ignore somebody; the least recent is forgotten


class IgnoreList:
    def __init__(self) -> None:
        self._ignored_by: OrderedDict[str, dict[str, str]] = (
            OrderedDict()
        )  # id -> the others: id -> name

    def add(self, person_id: str, other: Person) -> None:
        """HouseError: that is oneself, or one too many."""
        if other.id == person_id:
            raise UserError("That is you. Choose somebody else to ignore.")
        ignored = self._ignored_by.get(person_id, {})
        if other.id not in ignored and len(ignored) >= IGNORED_PER_PERSON_MAX:
            raise UserError(
                f"You ignore {IGNORED_PER_PERSON_MAX} people already. "
                "To hear one of them again: unignore NAME"
            )
        self._ignored_by[person_id] = {**ignored, other.id: other.name}
        self._ignored_by.move_to_end(person_id)
        if len(self._ignored_by) > IGNORE_LISTS_MAX:
            self._ignored_by.popitem(last=False)

    def remove(self, person_id: str, name: str) -> str:
        """The whole name of who is heard again.  HouseError: nobody of that name was ignored."""
        ignored = self._ignored_by.get(person_id, {})
        meant = {one: known for one, known in ignored.items() if known.lower() == name.lower()}
        if not meant:
            raise UserError(f'You ignore nobody called "{name}". ignore lists whom you do.')
        for other in meant:  # several guests had the name, one after the other
            del ignored[other]
        if not ignored:
            self.clear(person_id)
        return next(iter(meant.values()))

    def clear(self, person_id: str) -> None:
        """Whomever the person ignored is heard again."""
        self._ignored_by.pop(person_id, None)

    def names(self, person_id: str) -> list[str]:
        return sorted(self._ignored_by.get(person_id, {}).values(), key=str.lower)

    def is_ignoring(self, person_id: str, speaker_id: str) -> bool:
        """Whether the person ignores the speaker."""
        return speaker_id in self._ignored_by.get(person_id, ())

    def listeners(self, ids: Iterable[str], speaker_id: str) -> tuple[str, ...]:
        """Those of *ids* who want to hear the speaker."""
        if not self._ignored_by:
            return tuple(ids)
        return tuple([one for one in ids if not self.is_ignoring(one, speaker_id)])
