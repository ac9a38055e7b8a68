"""Accounts made durable: `Accounts` decides, the journal keeps it, then the caller is answered.

Rule 1: a name is reserved as soon as its registration begins, so that two people cannot register
        it, and so is the key that it comes with.  A registration runs to its end even if the
        connection drops: what the journal has is true.
Rule 2: wrong passwords delay the next login of that account; they never lock it.  A login with a
        key is never delayed.
Rule 3: guests' names are made here; no account can have one.
Rule 4: what one account may write is bounded: changes by a rate, its stream by snapshots
        (`account_streams.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from math import ceil
from random import Random
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeVar

from mudserver import metrics
from mudserver.accounts import events, names, passwords, texts
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codes import hash_code
from mudserver.accounts.learned import LearnedLesson
from mudserver.accounts.person import Person
from mudserver.accounts.played import PlayedGame, easier_level, fitting_level
from mudserver.accounts.registering_guest import RegisteringGuest
from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.errors import JournalConflictError, JournalWriteError, UserError
from mudserver.journal import Claim, Journal
from mudserver.journal.levels import ACCOUNTS_END
from mudserver.journal.numbers import Numbers
from mudserver.journal.streams import ACCOUNT_STREAMS
from mudserver.logs import log_exception
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.service.account_keys import AccountKeys
from mudserver.service.account_recovery import AccountRecovery
from mudserver.service.account_streams import AccountStreams, Decide
from mudserver.service.auth_log import AuthLog
from mudserver.service.memory_limit import MemoryLimit
from mudserver.service.password_hasher import PasswordHasher
from mudserver.service.reservations import Reservations
from mudserver.source_budgets import DAY_MS, LOCAL, Kind, SourceBudgets
from mudserver.tables.summary import FinishedGame
from variants.kit.text import quantity

T = TypeVar("T")

log = logging.getLogger(__name__)

JOURNAL_FULL_TEXT = (
    "The server has no room for new accounts right now. Log in as guest, or try again in some days."
)
RETRY_DELAYS_S = (0.0, 0.5, 1.0, 2.0, 4.0, 5.0)  # before a password is checked, by failures so far
PEOPLE_MAX = 10_000  # accounts whose changes are counted, and who had advice
NEW_ACCOUNT_MS = 3_600_000  # how long an account without a game talks as slowly as a guest
CATCH_UP_S = 2.0  # so long a login waits to know what other servers have written of its account
FAILED_LOGINS_MAX = 10_000  # accounts whose wrong passwords are counted
NO_OTHERS: Mapping[str, Decide] = MappingProxyType({})


class AdmissionRules(Protocol):
    """Who may come in."""

    def check_guests(self) -> None:
        """UserError: no guests are admitted."""

    def check_source(self, source: str) -> None:
        """UserError: nobody from there may register."""

    def opens_despite_ban(self, name: str, source: str) -> bool:
        """Whether a key of this name opens it from there."""

    def check_registration(self, invite: str, *, is_guest: bool = False) -> None:
        """UserError: nobody new may register, or not with this invitation; "": without one."""

    async def register(
        self,
        account_id: str,
        decide: Decide,
        claims: Sequence[Claim],
        invite: str,
        guest_source: str = "",
        others: Mapping[str, Decide] = NO_OTHERS,
    ) -> None:
        """Open an account with an invitation, which is spent, or for a guest.

        Args:
            invite: "": none.
            guest_source: From where the guest comes, whose mute goes over; "": nobody was one.
            others: What other accounts keep in the same transaction, by id.
        """  # fmt: skip


class OpenToAll:
    """Everybody may come in; there are no invitations."""

    def check_guests(self) -> None: ...
    def check_source(self, source: str) -> None: ...
    def opens_despite_ban(self, name: str, source: str) -> bool:
        return True

    def check_registration(self, invite: str, *, is_guest: bool = False) -> None: ...
    async def register(
        self, account_id: str, decide: Decide, claims: Sequence[Claim], invite: str,
        guest_source: str = "", others: Mapping[str, Decide] = NO_OTHERS,
    ) -> None:  # fmt: skip
        raise UserError(texts.NAME_CHARACTERS, "usage")


class AccountService:
    def __init__(
        self,
        config: Config,
        clock: Clock,
        journal: Journal,
        hasher: PasswordHasher,
        accounts: Accounts,
        rng: Random,
        budgets: SourceBudgets,
        memory_limit: MemoryLimit | None = None,
    ) -> None:
        """Args: memory_limit: None: there is none."""
        self._config, self._clock, self._journal = config, clock, journal
        self._hasher, self._accounts, self._rng = hasher, accounts, rng
        self._memory_limit = memory_limit or MemoryLimit()
        self.streams = AccountStreams(journal, accounts, clock, config.journal)
        self._reserved = Reservations()  # name skeletons and key fingerprints being written
        self._tasks: set[asyncio.Task[Any]] = set()
        self._numbers = Numbers(journal, ACCOUNT_STREAMS.prefix)
        self._budgets = budgets
        self._changes = _change_buckets(config)
        self._failures: OrderedDict[str, int] = OrderedDict()
        self._advised: OrderedDict[str, int] = OrderedDict()  # UTC day since 1970, by account
        self.admission: AdmissionRules = OpenToAll()  # another one before the doors open
        self.auth_log = AuthLog(has_addresses=config.server.log_addresses)
        self.keys = AccountKeys(
            config.people, clock, accounts, self.streams, self._reserved, self.auth_log, rng.choice
        )
        self.recovery = AccountRecovery(
            config.people, clock, self.streams, self.auth_log, rng.choice
        )

    def reconfigure(self, config: Config, name_rules: names.NameRules) -> None:
        """Apply other limits from now on."""
        self._config, self._accounts.name_rules = config, name_rules
        self.auth_log.has_addresses = config.server.log_addresses
        self._memory_limit.reconfigure(config.people.memory_mib_max)
        self._changes = _change_buckets(config)
        self.streams.reconfigure(config.journal)
        self.keys.reconfigure(config.people)
        self.recovery.limits = config.people

    async def restore(self) -> None:
        """Replay every account from the journal."""
        await self._numbers.fill()
        await self.streams.restore()

    async def compact_forever(self) -> None:
        """Keep the streams of accounts short, in the background."""
        await self.streams.compact_forever()

    # -- names and people ------------------------------------------------------------------------

    def name_status(
        self, name: str, *, is_guest: bool = False
    ) -> tuple[Literal["guest", "known", "free", "refused"], str]:
        """What a name is, and for "refused" a sentence that says why.

        Args:
            name: Perhaps with an invitation: `ann+CODE`.
            is_guest: It is a guest who asks.
        """
        if self._accounts.owner_of(name) is not None:
            return "known", ""
        names_guest = name.lower() == "guest"
        plain, _, invite = name.partition("+")
        try:
            if names_guest:
                self.admission.check_guests()
            else:
                self.admission.check_registration(invite, is_guest=is_guest)
                self._accounts.check_name_free(plain)
            self.check_memory()
        except UserError as exc:
            return "refused", str(exc)
        return "guest" if names_guest else "free", ""

    def check_memory(self) -> None:
        """UserError: the memory limit admits nobody new."""
        self._memory_limit.check(self._now())

    def person_named(self, name: str) -> Person:
        """Whose login this name is, also by a former name.  UserError: nobody's."""
        account = self._accounts.owner_of(name)
        if account is None:
            raise UserError(f"Nobody is called {name}. Type who for a list.", "not_found")
        return Person(account.id, account.name, is_guest=False)

    def present_person(self, person_id: str) -> Person | None:
        """Who a person is now: the account of that id, or that a guest has registered."""
        return self._accounts.present_person(person_id)

    def new_guest(self, number: int) -> Person:
        """A new guest; the id is never used again."""
        guest_id = f"g{self._rng.getrandbits(64):016x}"
        return Person(guest_id, names.guest_name(number), is_guest=True)

    def random_guest_number(self) -> int:
        """A large one, for when smaller ones may belong to guests who are not known yet."""
        return self._rng.randrange(10_000, 1_000_000)

    def preference(self, person: Person | None, key: str) -> str:
        return self._accounts.preference(person.id if person is not None else "", key)

    def has_own_preference(self, person: Person | None, key: str) -> bool:
        """Whether the account has set a value."""
        return person is not None and self._accounts.own_preference(person.id, key) is not None

    def account_name(self, name: str) -> str | None:
        """The account's spelling of *name*; None: no account has it."""
        account = self._accounts.find(name)
        return account.name if account is not None else None

    def former_name(self, name: str) -> str | None:
        """How the account is called now that was called *name*, which nobody else can have.

        "": it is erased; None: nobody was called so.
        """
        renamed = self._accounts.former(name)
        if renamed is not None:
            return renamed.name
        return "" if self._accounts.former_accounts.holds(name) else None

    def is_regular(self, person: Person) -> bool:
        """Whether somebody has an account that is older than a day."""
        account = self._accounts.by_id(person.id)
        return account is not None and account.opened_ms + DAY_MS <= self._now_ms()

    def is_opened_within(self, name: str, span_s: int) -> bool:
        """Whether there is an account of that name which is at most so old."""
        account = self._accounts.find(name)
        return account is not None and account.opened_ms + span_s * 1000 >= self._now_ms()

    def is_new(self, person: Person) -> bool:
        """Whether somebody is a guest, or has registered lately and finished no game."""
        account = self._accounts.by_id(person.id)
        if account is None:
            return True
        is_young = account.opened_ms + NEW_ACCOUNT_MS > self._now_ms()
        return is_young and not self._accounts.last_variant(person.id)

    def check_new_password(self, password: str) -> None:
        passwords.check_new_password(password, self._config.people)

    async def catch_up(self, name: str) -> None:
        """Know what other servers have written just now of the account with that login.

        While the journal cannot be read, what is known counts.
        """
        account = self._accounts.owner_of(name)
        if account is not None:
            with suppress(JournalWriteError, TimeoutError):
                async with asyncio.timeout(CATCH_UP_S):
                    await self.streams.catch_up(account.id)

    async def check_password(self, name: str, password: str, source: str = LOCAL) -> bool:
        """Costs one argon2 hash for any name; delayed after failures of the same name."""
        await self.catch_up(name)
        account = self._accounts.owner_of(name)
        key = names.fold_case(name if account is None else account.name)
        failures = self._failures.get(key, 0)
        # Counted before the check: guesses in parallel are delayed, too.
        self._failures[key] = min(failures + 1, len(RETRY_DELAYS_S) - 1)
        self._failures.move_to_end(key)
        if len(self._failures) > FAILED_LOGINS_MAX:
            self._failures.popitem(last=False)
        if failures:
            await asyncio.sleep(RETRY_DELAYS_S[failures])
        hashed = account.password_hash if account is not None else None
        is_correct = await self._hasher.verify(hashed, password, source)
        if is_correct:
            self._failures.pop(key, None)
        return is_correct

    @property
    def failures(self) -> dict[str, int]:
        """Wrong passwords in a row, by the names of accounts; what else was typed is left out."""
        found = self._accounts.find
        return {key: count for key, count in self._failures.items() if found(key) is not None}

    def take_up_failures(self, failures: Mapping[str, int]) -> None:
        """The same of a server that has handed over to this one."""
        for key, count in failures.items():
            self._failures[key] = max(0, min(count, len(RETRY_DELAYS_S) - 1))

    # -- registration ----------------------------------------------------------------------------

    async def register(self, name: str, password: str, peer: str) -> Person:
        """Create an account with a password.  UserError says why not."""
        self.check_new_password(password)
        return await self.run_to_completion(self._register(name, peer, password=password))

    async def register_key(self, name: str, key: str, peer: str) -> Person:
        """Create an account with an SSH key.  UserError says why not."""
        return await self.run_to_completion(self._register(name, peer, key=key))

    async def register_guest(
        self, name: str, password: str, peer: str, guest: RegisteringGuest
    ) -> Person:
        """Create an account for a guest; the caller runs it to completion.  UserError: why not."""
        self.check_new_password(password)
        return await self._register(name, peer, password=password, guest=guest)

    async def _register(
        self,
        typed_name: str,
        peer: str,
        *,
        password: str = "",
        key: str = "",
        guest: RegisteringGuest | None = None,
    ) -> Person:
        name, _, invite = typed_name.partition("+")
        await self.streams.reconcile()
        if self._journal.level() >= ACCOUNTS_END:
            metrics.REFUSALS.increment("size")
            raise UserError(JOURNAL_FULL_TEXT, "full")
        self.admission.check_registration(invite, is_guest=guest is not None)
        self.admission.check_source(peer)
        self._accounts.check_name_free(name)
        # So that who comes first in this server gets it; the claim is what all servers share.
        reserved = [names.skeleton(name), *([parse_public_key(key)[1]] if key else [])]
        refusal = texts.NAME_BEING_TAKEN.format(name)
        with self._reserved.hold(reserved, refusal):
            self._budgets.take(Kind.REGISTRATIONS, peer)
            hashed = await self._hasher.hash(password, peer) if password else ""
            account_id, now_ms = f"p{self._numbers.take()}", self._now_ms()

            def decide() -> list[events.AccountEvent]:
                self.admission.check_source(peer)  # banned meanwhile, perhaps
                was = guest.id if guest is not None else ""
                used = hash_code(invite) if invite else ""
                decided = self._accounts.open_account(account_id, name, now_ms, was, used)
                if hashed:
                    decided = [*decided, events.PasswordSet(account_id, hashed, now_ms)]
                if key:
                    decided = [*decided, *self._accounts.first_key(account_id, key, now_ms)]
                return [*decided, *(guest.events(account_id, now_ms) if guest is not None else ())]

            claim = Claim("name", names.claim_key(name), account_id)
            try:
                if invite or guest is not None:
                    source = peer if guest is not None else ""
                    others = {
                        each: partial(self._keep_ignoring, each, account_id, name, now_ms)
                        for each in (guest.ignored_by if guest is not None else ())
                    }
                    await self.admission.register(
                        account_id, decide, [claim], invite, source, others
                    )
                else:
                    await self.streams.change(account_id, decide, [claim])
            except JournalConflictError as exc:
                raise UserError(refusal) from exc
        self.auth_log.account_opened(account_id, "key-added" if key else "password", peer)
        return self.person_named(name)

    def _keep_ignoring(
        self, owner: str, account_id: str, name: str, at_ms: int
    ) -> list[events.AccountEvent]:
        """Who ignored a guest ignores the account; no event where there is no room for it."""
        if self._accounts.by_id(owner) is None:
            return []
        with suppress(UserError):
            return self._accounts.ignore(owner, account_id, names.normalise(name), at_ms)
        return []

    def reserve_name(self, name: str) -> AbstractContextManager[None]:
        """Nobody else in this server takes the name meanwhile.  UserError: somebody does."""
        refusal = texts.NAME_BEING_TAKEN.format(name)
        return self._reserved.hold([names.skeleton(name)], refusal)

    # -- changes ---------------------------------------------------------------------------------

    def charge_change(self, person: Person, source: str) -> None:
        """As `charge_change_of`."""
        self.charge_change_of(person.id, source)

    def charge_change_of(self, person_id: str, source: str) -> None:
        """Count a change of the account, and for *source* if the account may make it.

        Raises:
            UserError: Too many in a short time.
        """
        if self._changes is not None and not self._changes.try_consume(person_id, self._now()):
            metrics.REFUSALS.increment("changes")
            wait_s = self._config.people.changed_per_person_s
            text = texts.TOO_MANY_CHANGES.format(quantity(ceil(wait_s), "second"))
            raise UserError(text, "limit", wait_s=wait_s)
        self._budgets.take(Kind.CHANGES, source)

    async def save_preference(self, person: Person, key: str, value: str) -> None:
        """Keep a preference; the caller has charged the change."""
        await self.run_to_completion(
            self.streams.change(
                person.id,
                lambda: self._accounts.set_preference(person.id, key, value, self._now_ms()),
            )
        )

    # -- lessons ---------------------------------------------------------------------------------

    def lessons(self, person: Person) -> Mapping[str, LearnedLesson]:
        """By variant, how far the account has come in its lesson; empty for a guest."""
        return self._accounts.lessons(person.id)

    async def save_lesson(self, person: Person, variant: str, learned: LearnedLesson) -> None:
        """Write how far an account has come.  JournalWriteError: that is not known to be saved."""
        await self.run_to_completion(
            self.streams.change(
                person.id,
                lambda: self._accounts.note_lesson(person.id, variant, learned, self._now_ms()),
            )
        )

    # -- games -----------------------------------------------------------------------------------

    def memories(self, finished: FinishedGame) -> dict[str, Decide]:
        """What the accounts of a game that ends remember of it, decided when it is written."""

        def decide(account_id: str, place: int) -> list[events.AccountEvent]:
            game = PlayedGame(
                *(finished.variant, finished.table, finished.game, finished.level, place),
                *(finished.seats, finished.at_ms),
            )
            return self._accounts.note_game(account_id, game, finished.levels)

        return {each: partial(decide, each, place) for each, place in finished.places.items()}

    def advice(self, finished: FinishedGame) -> dict[str, str]:
        """By account id, what some of them are told after it."""
        found = {each: self._advice(each, finished) for each in finished.places}
        return {account_id: text for account_id, text in found.items() if text}

    def _advice(self, account_id: str, finished: FinishedGame) -> str:
        """Once a day, to who keeps losing; "": nothing."""
        played, day = self._accounts.played(account_id, finished.variant), self._now_ms() // DAY_MS
        easier = easier_level(played, finished.levels)
        if not easier or self._advised.get(account_id) == day:
            return ""
        self._advised[account_id] = day
        self._advised.move_to_end(account_id)
        if len(self._advised) > PEOPLE_MAX:
            self._advised.popitem(last=False)
        return texts.EASIER_TABLE.format(finished.variant, easier)

    def games_finished(self, person: Person, variant: str) -> int:
        return self._accounts.played(person.id, variant).finished

    def last_variant(self, person: Person) -> str:
        """The game that the account has finished last; "": none."""
        return self._accounts.last_variant(person.id)

    def computer_level(
        self, person: Person, variant: str, levels: Sequence[str], chosen: str
    ) -> str:
        """The one of *levels*, weakest first, of the computer players that fill a table.

        Args:
            chosen: The preference `computers`.
        """
        if chosen == "auto":
            return fitting_level(self._accounts.played(person.id, variant), levels)
        return chosen if chosen in levels else next(reversed(levels), "")

    def newcomers(self) -> dict[str, dict[str, float]]:
        """By variant, how the first games of accounts against the lowest level went: their number,
        how many were won, and how many are won on average."""
        return {
            variant: {
                "games": each.early,
                "won": each.early_wins,
                "fair": round(each.early_fair, 2),
            }
            for variant, each in sorted(self._accounts.newcomers.items())
        }

    # -- keys and passwords ----------------------------------------------------------------------

    async def issue_key_code(self, person: Person, key: str, label: str, source: str) -> str:
        """A code under which the person's next key is added; as `AccountKeys.issue_code`."""
        self.charge_change(person, source)
        return await self.run_to_completion(self.keys.issue_code(person, key, label))

    async def add_key(self, typed_name: str, key: str, source: str) -> str:
        """Add a proven key under a code; as `AccountKeys.add`."""
        return await self.run_to_completion(self.keys.add(typed_name, key, source))

    async def recover(
        self, typed_name: str, source: str, *, password: str = "", key: str = "", keeps_keys: bool
    ) -> Person:
        """Use a recovery code; as `AccountRecovery.recover`."""
        hashed = ""
        if password:
            self.check_new_password(password)
            hashed = await self._hasher.hash(password, source)
        return await self.run_to_completion(
            self.recovery.recover(typed_name, source, hashed=hashed, key=key, keeps_keys=keeps_keys)
        )

    async def label_key(self, person: Person, which: str, label: str, source: str) -> str:
        self.charge_change(person, source)
        return await self.run_to_completion(self.keys.label(person, which, label))

    async def remove_key(self, person: Person, which: str, source: str) -> str:
        """Remove a key from the account; as `AccountKeys.remove`."""
        self.charge_change(person, source)
        return await self.run_to_completion(self.keys.remove(person, which, source))

    def note_login(
        self, person: Person, how: Literal["key", "password"], fingerprint: str
    ) -> list[str]:
        """Somebody has logged in to the account; returns what is to be told.

        It is kept in the background: no login waits for the journal.
        """
        news = self.keys.news(person)
        if self.keys.is_worth_noting(person, how, fingerprint):
            self._start(self.keys.note_login(person, how, fingerprint))
        return news

    def has_password(self, person: Person) -> bool:
        account = self._accounts.by_id(person.id)
        return account is not None and account.password_hash is not None

    async def set_password(self, person: Person, password: str, source: str) -> None:
        self.check_new_password(password)
        self.charge_change(person, source)
        hashed = await self._hasher.hash(password, source)
        await self.run_to_completion(self._set_password(person, hashed, source))

    async def _set_password(self, person: Person, hashed: str, source: str) -> None:
        await self.streams.change(
            person.id, lambda: self._accounts.set_password(person.id, hashed, self._now_ms())
        )
        self.auth_log.account_changed(person.id, "password", source)

    def log_failed_login(self, how: str, protocol: str, name: str, left: int, source: str) -> None:
        """Args:
        name: As typed; it is logged only if an account has it.
        left: How many tries the source has left.
        """
        self.auth_log.login_failed(how, protocol, self.account_name(name), left, source)

    async def run_to_completion(self, work: Coroutine[Any, Any, T]) -> T:
        """Run *work* to its end even if the caller is cancelled."""
        task = self._start(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_note_unheard)
            raise

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)  # the event loop holds only a weak reference
        task.add_done_callback(self._tasks.discard)
        return task

    def _now(self) -> float:
        return self._clock.monotonic()

    def _now_ms(self) -> int:
        return self._clock.now_ms()


def _note_unheard(task: asyncio.Task[Any]) -> None:
    """Nobody waits for *task* any more: what it is refused is told nobody, a bug is in the log."""
    bug = None if task.cancelled() else task.exception()
    if bug is not None and not isinstance(bug, UserError | JournalWriteError):
        log_exception(log, "change failed", bug)


def _change_buckets(config: Config) -> KeyedTokenBuckets | None:
    """Changes of one account; None: no limit."""
    limits = config.people
    if not limits.changed_per_person_s:
        return None
    return KeyedTokenBuckets(1 / limits.changed_per_person_s, limits.changed_burst, PEOPLE_MAX)
