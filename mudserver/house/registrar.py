"""Accounts, made durable: the guest book's decisions, written before anybody is told.

Rule 1: a name is taken from the moment its registration begins, so that two cannot have it.
Rule 2: wrong passwords make the next try of that account slower; they never lock it, and a key
        is never delayed [E3].
Rule 3: a guest's name is made here and is one that no account can have [B4].
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Container, Sequence
from random import Random
from typing import Literal, Protocol

from mudserver.budget import Budget
from mudserver.clock import Clock
from mudserver.config import Config
from mudserver.errors import HouseError
from mudserver.house.hashing import Hasher
from mudserver.journal import Stored
from mudserver.people import Person, facts, names, passwords
from mudserver.people.book import GuestBook
from mudserver.people.codec import decode, encode


class Ledger(Protocol):
    """What the registrar needs of the journal."""

    async def append(self, stream: str, sequence: int, body: bytes) -> None: ...
    def read(self, stream: str) -> Sequence[Stored]: ...
    def streams(self, prefix: str) -> list[str]: ...
    def last_number(self, prefix: str) -> int: ...


DELAY_FIRST_S, DELAY_MAX_S = 0.25, 5.0
SOURCES_MAX = 10_000  # addresses whose registrations are remembered
FAILING_MAX = 10_000  # accounts whose wrong passwords are remembered


class Registrar:
    def __init__(
        self,
        config: Config,
        clock: Clock,
        journal: Ledger,
        hasher: Hasher,
        book: GuestBook,
        rng: Random,
    ) -> None:
        self._config, self._clock, self._journal = config, clock, journal
        self._hasher, self.book, self._rng = hasher, book, rng
        self._sequences: dict[str, int] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._pending: set[str] = set()  # skeletons whose registration is under way
        self._last_number = journal.last_number("person/")
        self._budgets: OrderedDict[str, Budget] = OrderedDict()
        self._failures: OrderedDict[str, int] = OrderedDict()

    def restore(self) -> None:
        """Fold every account from the journal."""
        for stream in self._journal.streams("person/"):
            for stored in self._journal.read(stream):
                for fact in decode(stored.body):
                    self.book.apply(fact)
                self._sequences[stream] = stored.sequence

    # -- who is who ----------------------------------------------------------------------------

    def standing(self, name: str) -> tuple[Literal["guest", "known", "free", "refused"], str]:
        """What a name is; for "refused" the sentence that says why."""
        if name.lower() == "guest":
            return "guest", ""
        if self.book.find(name) is not None:
            return "known", ""
        try:
            self.book.check_free(name)
        except HouseError as exc:
            return "refused", str(exc)
        return "free", ""

    def person(self, name: str) -> Person:
        account = self.book.find(name)
        if account is None:
            raise HouseError(f"Nobody is called {name}.")
        return Person(account.id, account.name, is_guest=False)

    def guest(self, taken: Container[str]) -> Person:
        """A new guest, called otherwise than *taken*; the id is never used again."""
        number = 1
        while (name := f"guest{number}") in taken:
            number += 1
        return Person(f"g{self._rng.getrandbits(64):016x}", name, is_guest=True)

    def setting(self, person: Person | None, key: str) -> str:
        return self.book.setting(person.id if person is not None else "", key)

    def known_name(self, name: str) -> str | None:
        """The account's own spelling of *name*, if there is one."""
        account = self.book.find(name)
        return account.name if account is not None else None

    def has_key(self, name: str, fingerprint: str) -> bool:
        account = self.book.find(name)
        return account is not None and self.book.has_key(account.id, fingerprint)

    def check_new_password(self, password: str) -> None:
        passwords.check_new(password, self._config.people)

    async def check_password(self, name: str, password: str, peer: str) -> bool:
        """One argon2 whoever it is; slower after failures of the same account."""
        account = self.book.find(name)
        key = names.skeleton(name)
        failures = self._failures.get(key, 0)
        if failures:
            await asyncio.sleep(min(DELAY_FIRST_S * 2.0**failures, DELAY_MAX_S))
        hashed = account.password_hash if account is not None else None
        is_right = await self._hasher.verify(hashed, password)
        if is_right:
            self._failures.pop(key, None)
        else:
            self._failures[key] = failures + 1
            self._failures.move_to_end(key)
            if len(self._failures) > FAILING_MAX:
                self._failures.popitem(last=False)
        return is_right

    # -- making accounts -------------------------------------------------------------------------

    async def register(self, name: str, password: str, peer: str) -> Person:
        """Make an account with a password.  HouseError says why not."""
        self.check_new_password(password)
        return await self._register(name, peer, password=password)

    async def register_key(self, name: str, key: str, peer: str) -> Person:
        """Make an account that opens with an SSH key."""
        return await self._register(name, peer, key=key)

    async def _register(self, name: str, peer: str, *, password: str = "", key: str = "") -> Person:
        self.book.check_free(name)
        skeleton = names.skeleton(name)
        if skeleton in self._pending:
            raise HouseError(f"Somebody is just taking the name {name}. Choose another.")
        self._spend_registration(peer)
        self._pending.add(skeleton)
        try:
            hashed = await self._hasher.hash(password) if password else ""
            self._last_number += 1
            account_id, now_ms = f"p{self._last_number}", self._now_ms()
            made = self.book.open_account(account_id, name, now_ms)
            if hashed:
                made = [*made, facts.PasswordSet(account_id, hashed, now_ms)]
            if key:
                made = [*made, *self.book.key_for_new(account_id, key, now_ms)]
            await self._write(account_id, made)
        finally:
            self._pending.discard(skeleton)
        return self.person(name)

    # -- what an account keeps -------------------------------------------------------------------

    async def keep_setting(self, person: Person, key: str, value: str) -> None:
        await self._write(person.id, self.book.set_setting(person.id, key, value, self._now_ms()))

    async def add_key(self, person: Person, line: str) -> str:
        """Let one more SSH key open the account; answers its fingerprint."""
        added = self.book.add_key(person.id, line, self._now_ms())
        await self._write(person.id, added)
        return ", ".join(fact.fingerprint for fact in added if isinstance(fact, facts.KeyAdded))

    def keys_of(self, person: Person) -> list[str]:
        """Fingerprints of the keys that open the account."""
        account = self.book.by_id(person.id)
        return list(account.keys) if account is not None else []

    async def set_password(self, person: Person, password: str) -> None:
        self.check_new_password(password)
        hashed = await self._hasher.hash(password)
        await self._write(person.id, self.book.set_password(person.id, hashed, self._now_ms()))

    async def _write(self, account_id: str, made: Sequence[facts.Fact]) -> None:
        """Durable first, then true.  One at a time per account, so that none is overtaken."""
        if not made:
            return
        stream = f"person/{account_id.removeprefix('p')}"
        async with self._locks.setdefault(stream, asyncio.Lock()):
            sequence = self._sequences.get(stream, 0) + 1
            await self._journal.append(stream, sequence, encode(made))
            self._sequences[stream] = sequence
            for fact in made:
                self.book.apply(fact)

    def _spend_registration(self, peer: str) -> None:
        """A few an hour from one address [E5]."""
        per_hour, now = self._config.people.registrations_per_source_per_hour, self._now()
        budget = self._budgets.get(peer)
        if budget is None:
            budget = self._budgets[peer] = Budget(per_hour / 3600, per_hour, now)
            if len(self._budgets) > SOURCES_MAX:
                self._budgets.popitem(last=False)
        if not budget.take(now):
            raise HouseError(
                "Too many new names came from your address lately. Come in as guest, or try "
                "again in an hour."
            )

    def _now(self) -> float:
        return self._clock.monotonic()

    def _now_ms(self) -> int:
        return self._clock.now_ms()
