"""Sessions that wait for the next terminal of their people, on whichever server.

Rule 1: what was left stays with its server, and so do its lines and its talk.  The others are told
        whose it is, when it was left, and where.
Rule 2: a person has one: of two on different servers the one that was left later stays.
Rule 3: what is known of other servers is a hint: whoever goes there is told if nothing is left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import msgspec

from mudserver.cluster.events import Event, SessionLeft, SessionTaken


class LeftElsewhere(NamedTuple):
    server: str
    left: SessionLeft


class LeftSessions:
    def __init__(self) -> None:
        self._own: dict[str, SessionLeft] = {}  # by person; as many as are kept here
        self._known: dict[str, LeftElsewhere] = {}  # by person, of the other servers
        self._round = 0
        self.tell: Callable[[Event], object] = lambda event: None
        self.forget_own: Callable[[str], None] = lambda person_id: None
        """Told whose session must not be kept here any longer."""

    def find(self, person_id: str) -> LeftElsewhere | None:
        """What waits on another server."""
        return self._known.get(person_id)

    # -- what is kept here -------------------------------------------------------------------------

    def note_kept(self, left: SessionLeft) -> None:
        left = msgspec.structs.replace(left, round=self._round)
        self._own[left.person] = left
        self._known.pop(left.person, None)  # its server hears that this one is later
        self.tell(left)

    def note_forgotten(self, person_id: str) -> None:
        """It is kept no longer: somebody has taken it up, or it was too old."""
        if (left := self._own.pop(person_id, None)) is not None:
            self.tell(SessionTaken(person_id, left.visit))

    def note_going_on(self, person_id: str, visit: str) -> None:
        """The session goes on here, as the server that it was lost at may not know."""
        known = self._known.get(person_id)
        if known is not None and known.left.visit == visit:
            del self._known[person_id]
            self.tell(SessionTaken(person_id, visit))

    def tell_all(self, number: int) -> int:
        """In the round of that number; returns how many."""
        self._round = number
        for person_id, left in self._own.items():
            left = self._own[person_id] = msgspec.structs.replace(left, round=number)
            self.tell(left)
        return len(self._own)

    # -- what is heard -----------------------------------------------------------------------------

    def put(self, server: str, left: SessionLeft) -> None:
        """A server keeps it."""
        own, known = self._own.get(left.person), self._known.get(left.person)
        if own is not None:
            if own.left_ms > left.left_ms:
                return
            self.forget_own(left.person)
        if known is None or known.server == server or known.left.left_ms <= left.left_ms:
            self._known[left.person] = LeftElsewhere(server, left)

    def remove(self, taken: SessionTaken) -> None:
        """It is kept no longer, or goes on somewhere."""
        known, own = self._known.get(taken.person), self._own.get(taken.person)
        if known is not None and known.left.visit == taken.visit:
            del self._known[taken.person]
        if own is not None and own.visit == taken.visit:
            self.forget_own(taken.person)

    def end_round(self, server: str, number: int, count: int) -> None:
        """A server has told of all that it keeps, unless something of it was lost.

        Args:
            count: How many it has told of.
        """
        own = [(it, known) for it, known in self._known.items() if known.server == server]
        if sum(known.left.round == number for _, known in own) >= count:
            for person_id, known in own:
                if known.left.round != number:
                    del self._known[person_id]

    def keep_only(self, servers: Collection[str]) -> None:
        """The others are gone, and what they have kept with them."""
        gone = [it for it, known in self._known.items() if known.server not in servers]
        for person_id in gone:
            del self._known[person_id]
