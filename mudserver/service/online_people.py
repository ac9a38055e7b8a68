"""Who is online, from where, and the places that they hold.

Rule 1: a person is online once.  Who comes in again keeps the place, and the session before ends.
Rule 2: of two sessions that go on after a restart the later one stays (`has_later`).  The older one
        was being ended when the restart came.
Rule 3: guests hold places of their source and network; who comes back to a seat has had one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple, Protocol

from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.messages import Spoken
from mudserver.source_budgets import Hold, Kind, SourceBudgets


class EndSession(Protocol):
    """Ends a session with sentences; none: the person has come in again.

    Args: is_moving: The person has come in at another server.
    """

    def __call__(self, *sentences: Spoken, is_moving: bool = False) -> None: ...


Become = Callable[[Person], None]
"""Tells a session that its person has another name, or was a guest and has an account now."""


OnEnter = Callable[[str, int, bool], None]
"""Told of a session that is here now: whose, since when (UTC, ms), and whether it only goes on."""


class OnlinePerson(NamedTuple):
    """A person with an open session."""

    person: Person
    end_session: EndSession
    source: str
    since_ms: int  # UTC
    guest_slot: int | None  # a guest's number among the guests from *source*; None: an account
    guest_place: Hold | None  # given back at the end
    is_program: bool
    preference: Callable[[str], str]  # the value in force, by key
    become: Become
    session: str  # its id, which it keeps when it goes on

    @property
    def rate_limit_key(self) -> str:
        """Under which key changes at tables are counted.

        The account; for a guest, who gets a new id with each login, the address and its slot.
        """
        return self.person.id if self.guest_slot is None else f"{self.source} {self.guest_slot}"


class LastVisit(NamedTuple):
    """How somebody was here last who is offline."""

    source: str
    is_program: bool


LAST_KEPT_MAX = 10_000  # accounts


class OnlinePeople:
    """Args: check_memory: UserError: there is no memory for somebody new."""

    def __init__(
        self,
        limits: schema.PeopleLimits,
        budgets: SourceBudgets,
        check_memory: Callable[[], None],
    ) -> None:
        self._limits, self._budgets, self._check_memory = limits, budgets, check_memory
        self._online: dict[str, OnlinePerson] = {}  # by id
        self._guest_slots: dict[str, set[int]] = {}  # those that are taken, by source
        self._last = OrderedDict[str, LastVisit]()  # of accounts that have left, oldest first
        self.on_enter: OnEnter = lambda person_id, since_ms, goes_on: None

    def reconfigure(self, limits: schema.PeopleLimits) -> None:
        """Apply other limits to future logins; nobody who is online has to leave."""
        self._limits = limits

    def __len__(self) -> int:
        return len(self._online)

    def get(self, person_id: str) -> OnlinePerson | None:
        return self._online.get(person_id)

    def enter(
        self,
        person: Person,
        end_session: EndSession,
        source: str,
        *,
        since_ms: int,
        has_seat: bool,
        goes_on: bool = False,
        is_program: bool = False,
        preference: Callable[[str], str] = lambda key: "",
        become: Become = lambda person: None,
        session: str = "",
    ) -> OnlinePerson | None:
        """Note that a person is online.

        Args:
            since_ms: When the session began, UTC.
            has_seat: A seat waits for the person.
            goes_on: The session was here before a restart.
            session: Its id.

        Returns:
            The session that this one takes over from, which is to be ended.

        Raises:
            UserError: The server is full, or the address has too many guests.
        """
        before = self._online.get(person.id)
        if before is None:
            place = self._take_place(person, source, has_seat)
        else:
            place = before.guest_place
        slot = self._take_guest_slot(source) if person.is_guest else None
        if before is not None:
            self._free_guest_slot(before)
        self._online[person.id] = OnlinePerson(
            *(person, end_session, source, since_ms, slot, place, is_program, preference, become),
            session,
        )
        self.on_enter(person.id, since_ms, goes_on)
        return before

    def has_later(self, person_id: str, since_ms: int, session: str) -> bool:
        """Whether a person has another session, which began later than this one [rule 2]."""
        here = self._online.get(person_id)
        if here is None or here.session == session:
            return False
        return _order(here.since_ms, here.session) > _order(since_ms, session)

    def replace(self, old: str, person: Person) -> OnlinePerson | None:
        """Whoever is here under the id *old* is *person*, who has an account; None: nobody is."""
        before = self._online.pop(old, None)
        if before is None:
            return None
        self._free_guest_slot(before)
        if before.guest_place is not None:
            before.guest_place.release()
        now = before._replace(person=person, guest_slot=None, guest_place=None)
        self._online[person.id] = now
        if old != person.id:
            self.on_enter(person.id, now.since_ms, False)
        return now

    def leave(self, person_id: str) -> OnlinePerson | None:
        left = self._online.pop(person_id, None)
        if left is not None:
            self._free_guest_slot(left)
            if not left.person.is_guest:
                self._last[person_id] = LastVisit(left.source, left.is_program)
                self._last.move_to_end(person_id)
                if len(self._last) > LAST_KEPT_MAX:
                    self._last.popitem(last=False)
            if left.guest_place is not None:
                left.guest_place.release()
        return left

    def end(self, person_id: str, text: str, *, is_moving: bool = False) -> None:
        """End a person's session, if there is one.  Args: is_moving: As of `EndSession`."""
        online = self._online.get(person_id)
        if online is not None:
            online.end_session(text, is_moving=is_moving)

    @property
    def is_full(self) -> bool:
        return len(self._online) >= self._limits.sessions_max

    def _take_place(self, person: Person, source: str, has_seat: bool) -> Hold | None:
        if self.is_full:
            metrics.REFUSALS.increment("sessions_max")
            raise UserError("The server is full. Please try again in a few minutes.", "full")
        if not person.is_guest:
            return None
        if has_seat:  # the place was granted before
            return self._budgets.hold_again(Kind.GUESTS, source)
        self._check_memory()
        return self._budgets.hold(Kind.GUESTS, source)

    def _take_guest_slot(self, source: str) -> int:
        """The lowest number that no guest from *source* has."""
        taken = self._guest_slots.setdefault(source, set())
        slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
        taken.add(slot)
        return slot

    def _free_guest_slot(self, left: OnlinePerson) -> None:
        if left.guest_slot is None:
            return
        taken = self._guest_slots[left.source]
        taken.discard(left.guest_slot)
        if not taken:
            del self._guest_slots[left.source]

    # -- reading -------------------------------------------------------------------------------

    def source_of(self, person_id: str) -> str:
        """The source of a person's session; "": the person is not online."""
        online = self._online.get(person_id)
        return "" if online is None else online.source

    def last_source_of(self, person_id: str) -> str:
        """The same; of who is not online that of the last session, "": it is not known."""
        last = self._online.get(person_id) or self._last.get(person_id)
        return "" if last is None else last.source

    def was_program(self, person_id: str) -> bool:
        """Whether the session of now, or else the last one, is a program's."""
        last = self._online.get(person_id) or self._last.get(person_id)
        return last is not None and last.is_program

    def is_program(self, person_id: str) -> bool:
        online = self._online.get(person_id)
        return online is not None and online.is_program

    def has_count(self, person_id: str) -> bool:
        """Whether the title of the terminal says how many games wait for a move."""
        online = self._online.get(person_id)
        return online is not None and "title" in online.preference("alert").split(",")

    def named(self, name: str) -> OnlinePerson | None:
        """Whoever is online under exactly this name, in any case of letters."""
        folded = name.lower()
        return next((it for it in self._online.values() if it.person.name.lower() == folded), None)

    def all(self) -> list[OnlinePerson]:
        return list(self._online.values())


def _order(since_ms: int, session: str) -> tuple[int, int, str]:
    """Of two sessions the later one has the greater one.  Ids end in a number."""
    return since_ms, len(session), session
