"""The SSH keys of accounts: codes to add them, what opens a name, and what the owner does to them.

Rule 1: a key is added under a code of the account, after a signature by the key was checked, and
        after its owner was asked (`session/key_question.py`).  Nothing else adds one.
Rule 2: what is asked before a signature is answered the same, in one sentence, for an unknown name
        and for a code that is wrong, used or expired.
Rule 3: whose a key is, is said only to who has signed with it.
Rule 4: one line in the log for each key that was added or removed, and none for a code.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Literal, NamedTuple

from mudserver.accounts import codes, texts
from mudserver.accounts.account import Account
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.events import AccountEvent, StoredCode
from mudserver.accounts.person import Person
from mudserver.accounts.ssh_keys import kind_of, parse_public_key
from mudserver.clock import Clock, format_date, format_minute_in_zone
from mudserver.config import schema
from mudserver.errors import JournalWriteError, UserError
from mudserver.service.account_streams import AccountStreams
from mudserver.service.auth_log import AuthLog
from mudserver.service.reservations import Reservations

LoginHow = Literal["key", "password"]


class KeySummary(NamedTuple):
    """A key as its owner reads of it."""

    fingerprint: str
    kind: str  # ed25519, rsa ...
    label: str
    added_ms: int
    used_ms: int  # on which day it was last used; 0: never
    is_proven: bool


class AccountKeys:
    """Args: choose: one character of a text, by a secure generator."""

    def __init__(
        self,
        limits: schema.PeopleLimits,
        clock: Clock,
        accounts: Accounts,
        streams: AccountStreams,
        reserved: Reservations,
        auth_log: AuthLog,
        choose: Callable[[str], str],
    ) -> None:
        self._clock, self._accounts, self._streams = clock, accounts, streams
        self._reserved, self._auth_log, self._choose = reserved, auth_log, choose
        self.reconfigure(limits)

    def reconfigure(self, limits: schema.PeopleLimits) -> None:
        self._limits = limits
        self._accounts.accounts_per_key_max = limits.accounts_per_key_max

    # -- what opens a name ---------------------------------------------------------------------

    def has_key(self, name: str, fingerprint: str) -> bool:
        account = self._accounts.owner_of(name)
        return account is not None and self._accounts.has_key(account.id, fingerprint)

    def check_usable(self, key: str) -> None:
        """UserError: no key of the kinds that are accepted, or one that proves nothing."""
        try:
            parse_public_key(key)
        except UserError:
            raise UserError(texts.KEY_UNUSABLE) from None

    def check_opens_nothing(self, fingerprint: str) -> None:
        """UserError: the key opens a name, which it says: only for who has signed with it."""
        self._accounts.check_opens_nothing(fingerprint)

    # -- logins --------------------------------------------------------------------------------

    def news(self, person: Person) -> list[str]:
        """Sentences about keys and recovery codes since the last login."""
        added = [
            texts.KEY_WAS_ADDED.format(format_date(key.added_ms), key.fingerprint)
            for key in self._accounts.new_keys(person.id, self._clock.now_ms())
        ]
        issued_ms = self._accounts.recovery_since_login(person.id)
        if issued_ms is None:
            return added
        zone = self._accounts.preference(person.id, "timezone")
        issued = format_minute_in_zone(issued_ms, zone)
        return [texts.RECOVERY_ISSUED.format(issued), *added]

    def is_worth_noting(self, person: Person, how: LoginHow, fingerprint: str) -> bool:
        return bool(self._accounts.note_login(person.id, how, fingerprint, self._clock.now_ms()))

    async def note_login(self, person: Person, how: LoginHow, fingerprint: str) -> None:
        """Keep that somebody logged in; if that fails the next login is kept."""
        at_ms = self._clock.now_ms()
        with suppress(JournalWriteError, UserError):
            await self._streams.change(
                person.id,
                lambda: self._accounts.note_login(person.id, how, fingerprint, at_ms),
            )

    # -- codes ---------------------------------------------------------------------------------

    @property
    def code_s(self) -> int:
        """How long a code works."""
        return int(self._limits.code_key_s)

    def owner_of_code(self, typed_name: str) -> Person | None:
        """Whose live code `ann+CODE` names; None: nobody's."""
        found = self._found(typed_name)
        return found[0].person if found is not None else None

    def is_awaited(self, typed_name: str, fingerprint: str) -> bool:
        """Whether the live code is for any key, or for this one."""
        found = self._found(typed_name)
        return found is not None and found[1].fingerprint in ("", fingerprint)

    def _found(self, typed_name: str) -> tuple[Account, StoredCode] | None:
        """The account and its live code, to add a key or to recover it."""
        name, code = codes.split_code(typed_name)
        now_ms = self._clock.now_ms()
        to_add = self._accounts.live_code(name, "key", code, now_ms)
        return self._accounts.live_code(name, "recover", code, now_ms) or to_add

    async def issue_code(self, person: Person, key: str, label: str) -> str:
        """A code under which one key is added within `code_key_s`.

        Args:
            key: The only one that may be, as a line; "": any.
            label: What it will be called; "": nothing.
        """
        code = codes.new_code("key", self._choose)

        def decide() -> list[AccountEvent]:
            now_ms = self._clock.now_ms()
            expires_ms = now_ms + self.code_s * 1_000
            return self._accounts.issue_key_code(person.id, code, expires_ms, key, label, now_ms)

        await self._streams.change(person.id, decide)
        return code

    async def add(self, typed_name: str, key: str, source: str) -> str:
        """Add a key that was signed with to the account of a code; returns the account's name.

        Args:
            typed_name: `ann+CODE`.
        """
        person = self.owner_of_code(typed_name)
        if person is None:
            raise UserError(texts.CODE_NOT_VALID, "not_found")
        name, code = codes.split_code(typed_name)
        fingerprint = parse_public_key(key)[1]
        with self._reserved.hold([fingerprint], texts.KEY_BEING_ADDED):
            await self._streams.change(
                person.id,
                lambda: self._accounts.add_key(name, code, key, self._clock.now_ms()),
            )
        self._auth_log.account_changed(person.id, "key-added", source)
        return person.name

    # -- what the owner does -------------------------------------------------------------------

    def list(self, person: Person) -> list[KeySummary]:
        """The account's keys, oldest first; their numbers count from 1."""
        account = self._accounts.by_id(person.id)
        held = account.keys if account is not None else ()
        return [
            KeySummary(
                each.fingerprint,
                kind_of(each.key),
                each.label,
                each.added_ms,
                max(each.used_ms, each.added_ms if each.proven else 0),
                each.proven,
            )
            for each in held
        ]

    async def label(self, person: Person, which: str, label: str) -> str:
        """Call a key something; returns its fingerprint.  Args: which: as for `remove`."""
        await self._streams.reconcile()
        fingerprint = self._fingerprint(person, which)
        await self._streams.change(
            person.id,
            lambda: self._accounts.label_key(person.id, fingerprint, label, self._clock.now_ms()),
        )
        return fingerprint

    async def remove(self, person: Person, which: str, source: str) -> str:
        """Remove a key; returns its fingerprint.

        Args:
            which: Its number in `list`, or its fingerprint.
        """
        with self._reserved.hold([f"keys of {person.id}"], texts.KEY_BEING_REMOVED):
            await self._streams.reconcile()
            fingerprint = self._fingerprint(person, which)
            await self._streams.change(
                person.id,
                lambda: self._accounts.remove_key(person.id, fingerprint, self._clock.now_ms()),
            )
        self._auth_log.account_changed(person.id, "key-removed", source)
        return fingerprint

    def _fingerprint(self, person: Person, which: str) -> str:
        """The fingerprint of the key with that number; *which* itself if there is none."""
        if not (which.isascii() and which.isdecimal() and len(which) <= 3):
            return which
        numbered = dict(enumerate((key.fingerprint for key in self.list(person)), 1))
        return numbered.get(int(which), which)
