"""How a guest gets back to a seat: by the code that was shown on sitting down.

Rule 1: a source has TRIES wrong codes in a minute, so nobody guesses one.
Rule 2: who has registered has no code any more: the seat belongs to the account.
"""

from __future__ import annotations

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.cluster.directory import Directory
from mudserver.errors import UserError
from mudserver.messages import Notice
from mudserver.outbox import Outbox
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.service import texts
from mudserver.service.resume_codes import ResumeCodes
from mudserver.tables.manager import TableManager
from mudserver.tables.replaced_person import PresentPerson

TRIES = 10
TRIES_S = 60.0
SOURCES_MAX = 10_000  # whose wrong codes are counted


class GuestSeats:
    def __init__(
        self,
        clock: Clock,
        codes: ResumeCodes,
        tables: TableManager,
        outbox: Outbox,
        present_person: PresentPerson,
        directory: Directory,
    ) -> None:
        self._clock, self._codes, self._tables, self._outbox = clock, codes, tables, outbox
        self._present_person, self._directory = present_person, directory
        self._tries = KeyedTokenBuckets(TRIES / TRIES_S, TRIES, SOURCES_MAX)

    def guest_for(self, guest: Person, code: str, source: str) -> Person | int:
        """Who has a seat, perhaps at another terminal, and was shown *code*.

        Returns: The number of the table, if that is another server's.
        Raises: UserError: Nobody was.
        """
        if not guest.is_guest:
            raise UserError(texts.RESUME_NOT_NEEDED)
        self._tables.restorer.check_restored()
        now_s = self._clock.monotonic()
        if not self._tries.has(source, now_s):
            raise UserError(texts.RESUME_TOO_MANY, "limit")
        for person in self._tables.lists.seated_guests():
            if self._is_shown(person.id, code, guest):
                return person
        for table, person_id in self._directory.seated_guests():
            if self._is_shown(person_id, code, guest):
                return table
        self._tries.try_consume(source, now_s)
        raise UserError(texts.RESUME_UNKNOWN, "not_found")

    def _is_shown(self, person_id: str, code: str, guest: Person) -> bool:
        """Whether another guest than *guest* was shown *code*, who has not registered."""
        is_own = person_id != guest.id and self._codes.matches(person_id, code)
        return is_own and self._present_person(person_id) is None

    def code_of(self, person: Person) -> str:
        """The way back to the seat of a guest; "": there is no seat, or it is an account's."""
        status = self._tables.seat_status(person.id) if person.is_guest else None
        has_seat = status is not None and status.seat is not None
        return self._codes.code_for(person.id) if has_seat else ""

    def send_code(self, person: Person) -> None:
        """A guest logs in without credentials; a code is the way back to the seat."""
        if person.is_guest:
            self._outbox.send(person.id, Notice(texts.RESUME_HOW))
            self._outbox.send(
                person.id, Notice(texts.RESUME_CODE.format(self._codes.code_for(person.id)))
            )
