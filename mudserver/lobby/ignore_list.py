"""The people whom each person ignores.

Rule 1: ignoring hides chat alone (say, me, tell); plays at a table and announcements stay visible.
Rule 2: of accounts the account keeps whom it ignores, and the list is loaded at login; here it
        outlives the session.  A guest's list ends with the session: otherwise a stream of guests
        would push out other people's.
Rule 3: people are kept by id: a later guest of the same name is another person.
Rule 4: who ignores `guests` hears no guest at all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from itertools import islice

from mudserver.accounts.person import Person, is_guest_id
from mudserver.errors import UserError
from mudserver.lobby import texts

IGNORED_PER_PERSON_MAX = 200  # people whom one person ignores
ALL_GUESTS = Person("all guests", "guests", is_guest=False)  # a name that nobody can have
IGNORE_LISTS_MAX = 4_096  # people with a list, online or not; the least recent is dropped


class IgnoreList:
    def __init__(self) -> None:
        self._ignored_by: OrderedDict[str, dict[str, str]] = (
            OrderedDict()
        )  # id -> the others: id -> name

    def add_all(self, person_id: str, ignored: Mapping[str, str]) -> None:
        """Names by id, of another process; those that do not fit are left out."""
        both = {**self._of(person_id), **ignored}
        self._keep(person_id, dict(islice(both.items(), IGNORED_PER_PERSON_MAX)))

    def load(self, person_id: str, ignored: Mapping[str, str]) -> None:
        """Whom an account ignores, names by id; guests whom it ignored stay."""
        guests = {k: name for k, name in self._of(person_id).items() if is_guest_id(k)}
        self._keep(person_id, {**guests, **ignored})

    def check_may_add(self, person_id: str, other: Person) -> None:
        """UserError: that is oneself, or the list is full."""
        if other.id == person_id:
            raise UserError(texts.IGNORE_SELF, "usage")
        ignored = self._of(person_id)
        if other.id not in ignored and len(ignored) >= IGNORED_PER_PERSON_MAX:
            raise UserError(texts.IGNORE_FULL.format(IGNORED_PER_PERSON_MAX), "full")

    def add(self, person_id: str, other: Person) -> None:
        """UserError: as for `check_may_add`."""
        self.check_may_add(person_id, other)
        self._keep(person_id, {**self._of(person_id), other.id: other.name})

    def _keep(self, person_id: str, ignored: Mapping[str, str]) -> None:
        self._ignored_by.pop(person_id, None)
        if ignored:
            self._ignored_by[person_id] = dict(ignored)
        if len(self._ignored_by) > IGNORE_LISTS_MAX:
            self._ignored_by.popitem(last=False)

    def _of(self, person_id: str) -> Mapping[str, str]:
        return self._ignored_by.get(person_id, {})

    def find(self, person_id: str, name: str) -> dict[str, str]:
        """Names by id of those ignored who are called so: several guests may have been in turn.

        UserError: nobody of that name is ignored.
        """
        matches = {k: v for k, v in self._of(person_id).items() if v.lower() == name.lower()}
        if not matches:
            raise UserError(texts.NOT_IGNORING.format(name), "not_found")
        return matches

    def remove(self, person_id: str, others: Collection[str]) -> None:
        """Stop ignoring these ids."""
        kept = {k: name for k, name in self._of(person_id).items() if k not in others}
        self._keep(person_id, kept)

    def replace_person(self, old: str, person: Person) -> None:
        """The person of id *old* has another id, or another name, in all lists."""
        if old in self._ignored_by:
            self._keep(person.id, self._ignored_by.pop(old))
        for owner, ignored in self._ignored_by.items():
            if old in ignored:
                kept = {k: name for k, name in ignored.items() if k != old}
                self._ignored_by[owner] = {**kept, person.id: person.name}

    def owners(self, other_id: str) -> list[str]:
        """The ids of those who ignore the person, not as one of all guests."""
        return [owner for owner, ignored in self._ignored_by.items() if other_id in ignored]

    def clear(self, person_id: str) -> None:
        """Drop the person's list."""
        self._ignored_by.pop(person_id, None)

    def of(self, person_id: str) -> dict[str, str]:
        """The people whom the person ignores, names by id."""
        return dict(self._of(person_id))

    def names(self, person_id: str) -> list[str]:
        return sorted(self._ignored_by.get(person_id, {}).values(), key=str.lower)

    def is_ignoring(self, person_id: str, speaker_id: str) -> bool:
        """Whether the person ignores the speaker, and not as one of all guests."""
        return speaker_id in self._ignored_by.get(person_id, ())

    def ignored_as(self, person_id: str, speaker: Person) -> str:
        """What the person ignores the speaker as: the name, or `guests`; "": not at all."""
        ignored = self._ignored_by.get(person_id, ())
        if speaker.id in ignored:
            return speaker.name
        if speaker.id == person_id:
            return ""
        return ALL_GUESTS.name if speaker.is_guest and ALL_GUESTS.id in ignored else ""

    def listeners(self, ids: Iterable[str], speaker: Person) -> tuple[str, ...]:
        """Those of *ids* who do not ignore the speaker."""
        if not self._ignored_by:
            return tuple(ids)
        return tuple([one for one in ids if not self.ignored_as(one, speaker)])
