"""Names that change: a guest registers, somebody takes another name, and former names become free.

Rule 1: the account is written first.  Then everybody here knows the person by the new name, and
        each table that remembers the person writes it.  A start finds what a crash has left.
Rule 2: a registration, or a change of a name, runs to its end even if the connection drops.
Rule 3: a former name is held for its owner; once a day those whose time is over become free.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from mudserver.accounts import names as name_rules
from mudserver.accounts import texts
from mudserver.accounts.events import AccountEvent
from mudserver.accounts.person import Person
from mudserver.accounts.registering_guest import RegisteringGuest
from mudserver.accounts.roles import STAFF
from mudserver.clock import Clock, format_date
from mudserver.config.schema import PeopleLimits
from mudserver.errors import JournalConflictError, UserError
from mudserver.lobby.lobby import Lobby
from mudserver.moderation import texts as staff_texts
from mudserver.moderation.permissions import Actor, check_target
from mudserver.outbox import Inbox, Outbox
from mudserver.service.account_service import AccountService
from mudserver.service.channel_service import ChannelService
from mudserver.service.lessons import Lessons
from mudserver.service.moderation import Login, Moderation, parse_reason
from mudserver.service.online_people import OnlinePeople
from mudserver.service.relations import Relations
from mudserver.service.replays import Replays
from mudserver.service.sanction_texts import name_message
from mudserver.service.staff_streams import Change
from mudserver.source_budgets import DAY_MS, Kind, SourceBudgets
from mudserver.tables.manager import TableManager


class Names:
    def __init__(
        self,
        limits: PeopleLimits,
        clock: Clock,
        moderation: Moderation,
        account_service: AccountService,
        online: OnlinePeople,
        outbox: Outbox,
        lobby: Lobby,
        relations: Relations,
        lessons: Lessons,
        replays: Replays,
        tables: TableManager,
        budgets: SourceBudgets,
        channels: ChannelService,
    ) -> None:
        self._limits, self._channels = limits, channels
        self._clock, self._moderation, self._account_service = clock, moderation, account_service
        self._accounts = moderation.accounts
        self._online, self._outbox, self._lobby, self._relations = online, outbox, lobby, relations
        self._lessons, self._tables, self._budgets = lessons, tables, budgets
        self._replays = replays
        self._moving: dict[str, Inbox] = {}  # by the id that a table has not replaced yet

    def reconfigure(self, limits: PeopleLimits) -> None:
        """Apply other spans from now on."""
        self._limits = limits

    # -- a guest registers -----------------------------------------------------------------------

    def check_registration(self, typed: str, source: str) -> None:
        """UserError: a guest cannot register this name.  Args: typed: perhaps `ann+CODE`."""
        if "+" in typed and self._budgets.used_up(Kind.FAILURES, source):
            raise UserError(texts.TOO_MANY_WRONG_CODES, "limit")
        status, reason = self._account_service.name_status(typed, is_guest=True)
        if "+" in typed and status == "refused":
            self._budgets.spend(Kind.FAILURES, source)
        if status != "free":
            name = typed.partition("+")[0]
            raise UserError(reason or texts.NAME_TAKEN.format(name))

    async def register(
        self, guest: Person, typed: str, password: str, source: str, preferences: Mapping[str, str]
    ) -> Person:
        """Open an account for a guest, who goes on as it.  Args: preferences: of the session."""
        kept = RegisteringGuest(
            guest.id,
            preferences,
            self._lobby.ignored(guest.id),
            self._lessons.learned_here(guest.id),
            self._channels.of_guest(guest.id),
            self._relations.ignored_by(guest.id),
        )
        return await self._account_service.run_to_completion(
            self._register(kept, typed, password, source)
        )

    async def _register(
        self, guest: RegisteringGuest, typed: str, password: str, source: str
    ) -> Person:
        person = await self._account_service.register_guest(typed, password, source, guest)
        self._replace(guest.id, person)
        await self._relations.keep_ignored(person)  # also by who began meanwhile
        return person

    # -- another name ----------------------------------------------------------------------------

    def check_rename(self, person: Person, name: str) -> None:
        """UserError: the person cannot have this name, or none now."""
        if self._moderation.role_of(person) in STAFF:
            raise UserError(staff_texts.STAFF_KEEPS_NAME)
        rename_ms = self._limits.rename_days * DAY_MS
        self._accounts.check_may_rename(person.id, rename_ms, self._clock.now_ms())
        self._decide(person.id, name, by=person.id, reason="")

    async def rename(self, person: Person, name: str, source: str) -> str:
        """Change the own name; returns what the person reads."""
        self.check_rename(person, name)
        self._account_service.charge_change(person, source)
        return await self._account_service.run_to_completion(self._rename(person, name, source))

    async def _rename(self, person: Person, name: str, source: str) -> str:
        def decide() -> list[AccountEvent]:
            self.check_rename(person, name)
            return self._decide(person.id, name, by=person.id, reason="")

        try:
            with self._account_service.reserve_name(name):
                await self._account_service.streams.change(person.id, decide)
        except JournalConflictError as exc:
            raise UserError(texts.NAME_TAKEN.format(name)) from exc
        self._account_service.auth_log.account_changed(person.id, "renamed", source)
        return self._renamed(person.id, person.name)

    async def rename_by_staff(self, login: Login, name: str, new: str, reason: str) -> str:
        """Give somebody another name; the person reads why."""
        await self._moderation.check_may(login, "rename", name)
        said, _ = parse_reason(reason)
        before = ""

        def decide(number: int, actor: Actor) -> Change:
            nonlocal before
            target = self._moderation.account_of(name)
            check_target(actor, target.id, target.role)
            self._moderation.check_not_only_owner(target)
            before = target.name
            self._decide(target.id, new, by=actor.id, reason=said)
            change = self._moderation.change(number, actor, "rename", target.id, "", said)
            change.accounts = {
                target.id: partial(self._decide, target.id, new, by=actor.id, reason=said)
            }
            return change

        with self._account_service.reserve_name(new):
            act = (await self._moderation.act(login, "rename", name, decide)).act
        self._account_service.auth_log.account_changed(act.target, "renamed", login.source, act.by)
        self._renamed(act.target, before)
        shown = self._moderation.name(act.target)
        self._moderation.tell(act.target, name_message(shown, said))
        return texts.IS_CALLED_NOW.format(before, shown)

    def _decide(self, account_id: str, name: str, *, by: str, reason: str) -> list[AccountEvent]:
        held_ms, now_ms = self._limits.name_hold_days * DAY_MS, self._clock.now_ms()
        return list(
            self._accounts.rename(account_id, name, now_ms, by=by, reason=reason, held_ms=held_ms)
        )

    def _renamed(self, account_id: str, before: str) -> str:
        """The account has another name: everybody knows it; returns what its owner reads."""
        account = self._accounts.by_id(account_id)
        assert account is not None
        self._replace(account_id, account.person)
        hold = account.held.get(name_rules.claim_key(before))
        if hold is None:
            return texts.RENAMED_FREE.format(account.name)
        return texts.RENAMED.format(account.name, before, format_date(hold.until_ms))

    def note_elsewhere(self, account_id: str, before: str, was: str = "") -> None:
        """Another server has written that the account is called otherwise, or was opened.

        Args:
            before: How it was called.
            was: The id of the guest who has opened it; "": nobody was one.
        """
        account = self._accounts.by_id(account_id)
        if account is None:
            return
        if was:
            self._replace(was, account.person)
        elif before and before != account.name:
            self._replace(account_id, account.person)
            if reason := self._accounts.name_given(account_id):
                self._moderation.tell(account_id, name_message(account.name, reason))

    # -- for everybody ---------------------------------------------------------------------------

    def _replace(self, old: str, person: Person) -> None:
        """The person of id *old* is *person* now: presence, the session, then the tables."""
        before, inbox = self._online.get(old), self._outbox.inbox_of(old)
        here = self._online.replace(old, person)
        if before is not None and before.person.is_guest:
            self._moderation.targets.note_registered(before.person, person)
        if inbox is not None and here is not None:
            self._outbox.attach(person.id, inbox)
        announced = self._lobby.replace_person(old, person, self._clock.monotonic())
        self._lessons.replace_person(old, person)
        self._replays.replace_person(old, person)
        self._channels.replace_person(old, person.id)
        self._outbox.send_each(self._relations.wanted(announced))
        if here is not None:
            here.become(person)
        self._tables.replace_person(old, person)
        if inbox is not None and old != person.id:
            self._moving[old] = inbox
            if self._tables.table_of(old) is None:
                self.on_move(old, None)

    def on_move(self, person_id: str, table: int | None) -> None:
        """A person is at another table; at none under an old id: the table knows the new one."""
        if table is None and (inbox := self._moving.pop(person_id, None)) is not None:
            self._outbox.detach(person_id, inbox)

    # -- once a day ------------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Former names whose time is over become free.  JournalWriteError: the rest must wait."""
        for account, key in self._accounts.held_too_long(self._clock.now_ms()):
            await self._account_service.streams.change(
                account.id,
                partial(self._accounts.end_hold, account.id, key, self._clock.now_ms()),
            )
