"""Accounts go: because somebody asks for it, or because nobody uses them.

Rule 1: who asks has some days to take it back.  What falls due, or is inactive, is erased by a
        daily sweep, a few at a time.
Rule 2: the end of an account, of its mailbox, of its mute, and the entry in the audit are one
        transaction.  Then its session ends and its seat in a game goes to a computer player; what
        of that a crash has prevented is done by the next start or sweep.
Rule 3: the last owner stays.  Inactivity never meets the staff, people who are here or have a seat
        in a game, and people under a ban.
Rule 4: hashes of names are kept until nobody holds them any more.  Then the account's records go
        whole, and the names are free in the same transaction.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

from mudserver.accounts import deletion
from mudserver.accounts import texts as account_texts
from mudserver.accounts.account import Account
from mudserver.accounts.events import AccountEvent, DeletionAsked, ErasedWhy
from mudserver.accounts.former import is_account_id
from mudserver.accounts.person import Person
from mudserver.accounts.roles import STAFF
from mudserver.clock import Clock, format_date
from mudserver.config.schema import Config
from mudserver.data_account import AccountData, Deletion
from mudserver.errors import JournalWriteError, UserError
from mudserver.journal import Entry
from mudserver.journal.streams import SANCTION_STREAMS, SITE_STREAMS
from mudserver.lobby.lobby import Lobby
from mudserver.messages import Message, Notice, QuotedNotice
from mudserver.moderation import texts
from mudserver.moderation.events import SERVER, LoginsNoted, SanctionEnded, StaffAct
from mudserver.moderation.permissions import Actor, check_target
from mudserver.service import texts as service_texts
from mudserver.service.account_service import AccountService
from mudserver.service.account_streams import CHANGED_ELSEWHERE
from mudserver.service.mail_streams import MailStreams, stream_name
from mudserver.service.moderation import Login, Moderation, parse_reason
from mudserver.service.online_people import OnlinePeople
from mudserver.service.role_news import note_of
from mudserver.service.staff_streams import Change, StaffStreams
from mudserver.source_budgets import DAY_MS
from mudserver.tables.manager import TableManager

STEP = 20  # accounts that are erased, then a pause
PAUSE_S = 1.0
LOOKED_AT = 1_000  # accounts in one turn of the loop

log = logging.getLogger("mudserver")


class AccountDeletion:
    """Args: forget_talk: forget what the person of that id has said, where it is shown later."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        account_service: AccountService,
        moderation: Moderation,
        streams: StaffStreams,
        mail: MailStreams,
        online: OnlinePeople,
        lobby: Lobby,
        tables: TableManager,
        forget_talk: Callable[[str], object],
    ) -> None:
        self.limits = config.people  # replaced when the settings change
        self._clock, self._account_service, self._moderation = clock, account_service, moderation
        self._accounts = account_service.streams.accounts
        self._streams, self._mail = streams, mail
        self._online, self._lobby, self._tables = online, lobby, tables
        self._forget_talk = forget_talk
        self.on_erased: Callable[[str], None] = lambda account_id: None

    # -- by its owner ----------------------------------------------------------------------------

    def status(self, person: Person) -> Message:
        """Whether the account will be deleted, and when."""
        account = self._accounts.by_id(person.id)
        asked = None if account is None else account.deletion
        if asked is None or asked.by == person.id:
            return Notice(self._own_status(person))
        head = texts.YOURS_WILL_BE_DELETED.format(format_date(asked.due_ms))
        return QuotedNotice(head, "staff", asked.reason)

    def data(self, person: Person) -> AccountData | None:
        """The same for programs; None: there is no account any more."""
        account = self._accounts.by_id(person.id)
        if account is None:
            return None
        asked, deletion = account.deletion, None
        if asked is not None:
            deletion = Deletion(asked.due_ms, asked.by != person.id, asked.reason)
        return AccountData(
            *(account.name, account.id, account.opened_ms, account.role, account.is_program),
            deletion,
        )

    def _own_status(self, person: Person) -> str:
        """The same where the staff has not asked for it."""
        account = self._accounts.by_id(person.id)
        if account is None or account.deletion is None:
            return service_texts.NO_DELETION
        return service_texts.DELETION_DUE.format(format_date(account.deletion.due_ms))

    def at_login(self, person: Person) -> list[Message]:
        """What somebody who comes in is told."""
        account = self._accounts.by_id(person.id)
        is_asked = account is not None and account.deletion is not None
        return [self.status(person)] if is_asked else []

    def check_may_ask(self, person: Person) -> None:
        """UserError: its owner cannot delete the account, or has asked for it already."""
        self._asked(person.id, person.id, "")

    async def ask(self, person: Person, source: str) -> str:
        """Its owner, who has just been asked for a proof, wants the account deleted."""
        self._account_service.charge_change(person, source)
        await self._change(person, lambda: self._asked(person.id, person.id, ""))
        self._account_service.auth_log.account_changed(person.id, "deletion", source)
        return self._own_status(person)

    async def keep(self, person: Person, source: str) -> str:
        self._account_service.charge_change(person, source)
        await self._change(person, lambda: self._withdrawn(person.id, person.id))
        return self._own_status(person)

    async def _change(self, person: Person, decide: Callable[[], Change]) -> None:
        await self._moderation.write(lambda _: decide())

    def _asked(self, account_id: str, by: str, reason: str) -> Change:
        account, now_ms = self._account(account_id), self._clock.now_ms()
        if by != account_id:
            self._moderation.check_not_only_owner(account)
        elif account.role == "owner" and not self._moderation.has_other_owner(account_id):
            raise UserError(texts.YOU_ARE_ONLY_OWNER)
        due_ms = now_ms + self.limits.deletion_days * DAY_MS

        def decide() -> list[AccountEvent]:
            return deletion.ask(self._account(account_id), due_ms, by, reason, now_ms)

        decide()  # what is refused makes no act
        return Change(None, accounts={account_id: decide})

    def _withdrawn(self, account_id: str, by: str) -> Change:
        def decide() -> list[AccountEvent]:
            return deletion.withdraw(self._account(account_id), by, self._clock.now_ms())

        decide()  # what is refused makes no act
        return Change(None, accounts={account_id: decide})

    def _account(self, account_id: str) -> Account:
        account = self._accounts.by_id(account_id)
        if account is None:
            raise UserError(account_texts.ERASED)
        return account

    # -- by the staff ----------------------------------------------------------------------------

    async def ask_for(self, login: Login, name: str, reason: str) -> str:
        """Delete somebody's account after the days in which that can be taken back."""
        said, _ = parse_reason(reason)

        def decide(number: int, actor: Actor) -> Change:
            target = self._target(actor, name)
            change = self._asked(target.id, actor.id, said)
            change.made = self._act(number, actor, "delete", target.id, said)
            return change

        act = (await self._moderation.act(login, "delete", name, decide)).act
        account = self._account(act.target)
        self._moderation.tell(account.id, self.status(account.person))
        self._account_service.auth_log.account_changed(account.id, "deletion", "-", act.by)
        asked = account.deletion
        date = format_date(asked.due_ms) if asked is not None else ""
        return texts.WILL_BE_DELETED.format(account.name, date, account.name)

    async def keep_for(self, login: Login, name: str) -> str:
        """Take back what the staff has asked."""

        def decide(number: int, actor: Actor) -> Change:
            target = self._target(actor, name)
            change = self._withdrawn(target.id, actor.id)
            change.made = self._act(number, actor, "keep", target.id, "")
            return change

        act = (await self._moderation.act(login, "keep", name, decide)).act
        self._moderation.tell(act.target, Notice(texts.YOURS_IS_KEPT))
        return texts.IS_KEPT.format(self._moderation.name(act.target, name))

    async def erase_for(self, login: Login, name: str, reason: str) -> str:
        """Erase an account now.  Args: name: or the id of the account."""
        said, _ = parse_reason(reason)
        await self._moderation.check_may(login, "erase", name)
        erased = self._named(name)

        async def append(ends: Sequence[Entry]) -> None:
            def decide(number: int, actor: Actor) -> Change:
                target = self._target(actor, erased.id)
                self._moderation.check_not_only_owner(target)
                act = self._act(number, actor, "erase", target.id, said)
                return self._ending(act, target, "operator", ends)

            self._moderation.tell_role(await self._moderation.act(login, "erase", name, decide))

        shown = erased.name
        await self._end(erased.id, append, login.id)
        return texts.IS_ERASED.format(shown)

    def _act(self, number: int, actor: Actor, verb: str, target: str, reason: str) -> StaffAct:
        return self._moderation.change(number, actor, verb, target, reason=reason).act

    def _target(self, actor: Actor, name: str) -> Account:
        """UserError: there is no such account, or the actor may not act on it."""
        account = self._named(name)
        check_target(actor, account.id, account.role)
        return account

    def _named(self, name: str) -> Account:
        """The account of that name or id.  UserError: there is none."""
        named = self._accounts.find(name)
        of_id = self._accounts.by_id(name) if is_account_id(name) else None
        if named is not None and of_id not in (None, named):
            raise UserError(texts.NAME_AND_ID.format(name))
        found = named or of_id
        if found is None:
            target = self._moderation.target(name)  # a guest, or nobody
            raise UserError(texts.ONLY_ACCOUNTS.format(target.name))
        return found

    # -- the end ---------------------------------------------------------------------------------

    def _ending(
        self, act: StaffAct, account: Account, why: ErasedWhy, ends: Sequence[Entry]
    ) -> Change:
        """All that ends with an account, as one transaction [rule 2]."""
        held_ms, account_id = self.limits.name_hold_days * DAY_MS, account.id

        def decide() -> list[AccountEvent]:
            now = self._account(account_id)
            if why != "operator" and self._why(now) != why:  # it is to stay after all
                raise UserError(CHANGED_ELSEWHERE, "busy")
            is_shared = self._accounts.has_alike(now)
            return deletion.erase(now, held_ms, why, act.at_ms, is_shared=is_shared)

        decide()
        change = Change(act, accounts={account_id: decide}, others=ends)
        if account.role in STAFF:
            self._moderation.note_role(change, note_of(act, account.role, None))
        self._moderation.note_owners(change, account.id, is_owner=False)
        muted = self._streams.sanctions.on("mute", "account", account.id, act.at_ms)
        if muted is not None:
            ended = SanctionEnded("lifted", SERVER, account_texts.ERASED, act.at_ms)
            change.add(SANCTION_STREAMS, muted.number, ended, closes=True)
        return change

    async def _end(
        self, account_id: str, append: Callable[[Sequence[Entry]], Awaitable[None]], by: str
    ) -> None:
        ending = self._mail.end(account_id, self._clock.now_ms(), append)
        await self._moderation.run_to_completion(ending)
        self._account_service.auth_log.account_changed(account_id, "deletion", "-", by)
        self.leave(account_id)
        with suppress(JournalWriteError):  # the next sweep does it
            await self._trim(account_id)

    def leave(self, account_id: str) -> None:
        """What follows from the end; it may be done again."""
        former = self._accounts.present_person(account_id)
        assert former is not None
        self._tables.replace_person(account_id, former)
        self._tables.give_up_seat(account_id, "deleted")
        self._online.end(account_id, account_texts.ERASED)
        self._lobby.replace_person(account_id, former, self._clock.monotonic())
        self._forget_talk(account_id)
        self.on_erased(account_id)

    async def _trim(self, account_id: str) -> None:
        await self._account_service.streams.trim(account_id)
        await self._mail.trim(account_id)

    # -- once a day ------------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Erase what is due or inactive.  JournalWriteError: it stopped early."""
        await self._finish()
        if self._streams.site.logins_noted_ms is None:
            await self._streams.change(self._begin_noting)
        erased = 0
        async for account_id, why in self._due():
            with suppress(UserError):  # it has changed meanwhile, or another server is at it
                await self._erase(account_id, why)
                erased += 1
                if erased % STEP == 0:
                    await asyncio.sleep(PAUSE_S)
        if await self._leave_lists():
            await self._remove()
        if erased:
            log.info("accounts erased count=%s", erased)

    def _begin_noting(self, _: int) -> Change:
        return Change(None).add(SITE_STREAMS, 1, LoginsNoted(self._clock.now_ms()))

    async def _due(self) -> AsyncIterator[tuple[str, ErasedWhy]]:
        """Accounts that are to be erased now."""
        for number, account in enumerate(self._accounts.all(), 1):
            if (why := self._why(account)) is not None:
                yield account.id, why
            if number % LOOKED_AT == 0:
                await asyncio.sleep(0)

    def _why(self, account: Account) -> ErasedWhy | None:
        """Why an account is to be erased now; None: it is not."""
        now_ms = self._clock.now_ms()
        if account.deletion is not None:
            return "asked" if account.deletion.due_ms <= now_ms else None
        noted_ms = self._streams.site.logins_noted_ms
        limits = self.limits
        if noted_ms is None or not deletion.is_inactive(
            account, limits.keep_days, limits.keep_unused_days, noted_ms, now_ms
        ):
            return None
        is_needed = (
            account.role in STAFF
            or self._online.get(account.id) is not None
            or self._tables.lists.keeps_seat(account.id)
            or self._tables.restorer.pending_count() > 0
            or self._is_banned(account, now_ms)
        )
        return None if is_needed else "inactive"

    def _is_banned(self, account: Account, now_ms: int) -> bool:
        sanctions = self._streams.sanctions
        keys = ("", *account.fingerprints)
        return any(sanctions.ban_of_account(account.id, key, now_ms) for key in keys)

    async def _erase(self, account_id: str, why: ErasedWhy) -> None:
        account = self._account(account_id)
        if account.role == "owner" and not self._moderation.has_other_owner(account_id):
            await self._streams.change(lambda _: self._put_off(account_id))
            log.warning("deletion put off one day, it is the only owner person=%s", account_id)
            return

        async def append(ends: Sequence[Entry]) -> None:
            def decide(number: int) -> Change:
                now, at_ms = self._account(account_id), self._clock.now_ms()
                act = StaffAct(
                    *(number, SERVER, "console", "erase", account_id, why, "", "done", at_ms)
                )
                return self._ending(act, now, why, ends)

            self._moderation.tell_role(await self._streams.change(decide))

        await self._end(account_id, append, SERVER)

    def _put_off(self, account_id: str) -> Change:
        asked, now_ms = self._account(account_id).deletion, self._clock.now_ms()
        if asked is None:
            return Change(None)
        event = DeletionAsked(account_id, now_ms + DAY_MS, asked.by, asked.reason, now_ms)
        return Change(None, accounts={account_id: lambda: [event]})

    async def _leave_lists(self) -> bool:
        """Whoever ignores an erased account, or is its friend, does not any more; nor does the
        name stand in their records.  Returns whether that is so for everybody."""
        are_left = True
        former, streams = self._accounts.former_accounts, self._account_service.streams
        for number, account in enumerate(self._accounts.all(), 1):
            gone = [it for it in (*account.ignored, *account.friends) if it in former]
            if gone:
                drop = partial(self._accounts.drop, account.id, gone, self._clock.now_ms())
                try:
                    await streams.replace_past(account.id, drop)
                except UserError:
                    are_left = False
            if gone or number % LOOKED_AT == 0:
                await asyncio.sleep(0)
        return are_left

    async def _finish(self) -> None:
        """Do what a crash has prevented."""
        await self._account_service.streams.reconcile()
        former = self._accounts.former_accounts
        for account_id in former.ids():
            if self._online.get(account_id) or self._tables.places.all_of(account_id):
                self.leave(account_id)
        for account_id in self._mail.untrimmed_ends():
            await self._mail.trim(account_id)

    async def _remove(self) -> None:
        """Remove what nobody holds a name for, once it stands in no list any more [rule 4]."""
        for account_id in self._accounts.former_accounts.over(self._clock.now_ms()):
            if await self._account_service.streams.remove(account_id, [stream_name(account_id)]):
                self._mail.forget(account_id)
