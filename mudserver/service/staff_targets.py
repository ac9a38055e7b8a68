"""Whom a name means on which somebody of the staff acts: here, on another server, or just gone.

Rule 1: a guest is known by name for an hour after leaving, also as whom that guest has become.
Rule 2: from where a guest on another server came in is asked of that server when the staff acts,
        and kept for a short while.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from mudserver.accounts.account import Account
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.person import Person
from mudserver.accounts.roles import Role
from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.moderation import texts
from mudserver.moderation.events import TargetKind
from mudserver.sanitize import sanitize
from mudserver.service.online_people import OnlinePeople

GUESTS_KEPT_S = 3_600.0  # after a guest has left
GUESTS_KEPT_MAX = 10_000
SOURCES_MAX = 100  # of people on other servers


class Target(NamedTuple):
    """A person on whom somebody acts."""

    id: str
    name: str
    role: Role
    account: Account | None  # None: a guest
    source: str  # of a guest; "": on another server, which has not said it

    @property
    def kind(self) -> TargetKind:
        return "account" if self.account is not None else "guest"

    @property
    def key(self) -> str:
        """What a sanction is on; a guest whose source is not known is met by the id."""
        return self.id if self.account is not None else self.source or self.id


class StaffTargets:
    def __init__(self, clock: Clock, accounts: Accounts, online: OnlinePeople) -> None:
        self._clock, self._accounts, self._online = clock, accounts, online
        self.find_elsewhere: Callable[[str], Person | None] = lambda name: None  # exactly so called
        self.ask_source: Callable[[str], Awaitable[str]] | None = None  # of an id
        self._left: OrderedDict[str, tuple[float, Person, str]] = OrderedDict()  # by folded name
        self._sources: OrderedDict[str, str] = OrderedDict()  # of people on other servers, by id

    def note_left(self, person: Person, source: str) -> None:
        """Remember who a guest was."""
        if person.is_guest:
            self._keep(person.name, person, source)

    def note_registered(self, guest: Person, person: Person) -> None:
        """Remember who the guest of that name is now."""
        self._keep(guest.name, person, "")

    def registered_as(self, name: str) -> str:
        """How the account is called that the guest *name* has opened of late; "": there is none."""
        person, _ = self._kept(name)
        account = self._accounts.by_id(person.id) if person is not None else None
        return "" if account is None else account.name

    def name_of_guest(self, guest_id: str) -> str:
        """Of one who is here or has left of late; "": nobody knows."""
        online = self._online.get(guest_id)
        here = [online.person] if online is not None else []
        known = [*here, *(person for _, person, _ in self._left.values())]
        return next((it.name for it in known if it.id == guest_id), "")

    def _keep(self, name: str, person: Person, source: str) -> None:
        self._left[name.lower()] = (self._clock.monotonic(), person, source)
        self._left.move_to_end(name.lower())
        while len(self._left) > GUESTS_KEPT_MAX:
            self._left.popitem(last=False)

    def _kept(self, name: str) -> tuple[Person | None, str]:
        left_at, person, source = self._left.get(name.lower(), (0.0, None, ""))
        is_lately = self._clock.monotonic() - left_at <= GUESTS_KEPT_S
        return (person, source) if is_lately else (None, "")

    async def learn(self, name: str) -> None:
        """Ask from where somebody on another server came in, if *name* is called so."""
        there = self.find_elsewhere(sanitize(name, "name", 64))
        if there is None or self.ask_source is None or self._online.named(name) is not None:
            return
        self._sources[there.id] = await self.ask_source(there.id)
        self._sources.move_to_end(there.id)
        if len(self._sources) > SOURCES_MAX:
            self._sources.popitem(last=False)

    def source_of(self, person_id: str) -> str:
        """Of somebody who is here, or of whom it was asked; "": nobody knows."""
        return self._online.source_of(person_id) or self._sources.get(person_id, "")

    def find(self, name: str) -> Target:
        """The account or guest of exactly this name.  UserError: there is none."""
        name = sanitize(name, "name", 64)
        if account := self._accounts.find(name):
            return Target(account.id, account.name, account.role, account, "")
        person: Person | None
        if online := self._online.named(name):
            person, source = online.person, online.source
        elif person := self.find_elsewhere(name):
            source = self._sources.get(person.id, "")
        else:
            person, source = self._kept(name)
        if person is None:
            raise UserError(texts.NOBODY.format(name), "not_found")
        if account := self._accounts.by_id(person.id):  # the guest has registered
            return Target(account.id, account.name, account.role, account, "")
        return Target(person.id, person.name, "guest", None, source)
