"""Mail between accounts: sent, read, removed.

Rule 1: a message is written before its sender reads that it will be read.
Rule 2: who is ignored, or not wanted by `set mail`, reads the same sentence.
Rule 3: so many messages a day of one account, and of one source.
Rule 4: who is quiet reads of mail from others than friends and the staff when that is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from mudserver.accounts import texts as account_texts
from mudserver.accounts.account import Account
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.person import Person
from mudserver.clock import Clock, format_date
from mudserver.config.schema import ChatLimits
from mudserver.data_people import MailboxData, MailRow
from mudserver.errors import JournalWriteError, UserError
from mudserver.lobby.lobby import Lobby
from mudserver.mail import texts
from mudserver.mail.events import Mail, MailEvent
from mudserver.mail.mailbox import Mailbox
from mudserver.messages import Message, Notice, Page, ReadMail
from mudserver.moderation.spans import DAY_S
from mudserver.outbox import Outbox
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.sanitize import sanitize
from mudserver.service.mail_streams import MailStreams
from mudserver.service.moderation import Login, Moderation
from mudserver.service.sanction_service import SanctionService
from mudserver.source_budgets import DAY_MS
from variants.kit.text import quantity

PER_DAY = 20  # messages of one account
PER_SOURCE_DAY = 40
COUNTED_MAX = 10_000  # accounts, and sources


class MailService:
    def __init__(
        self,
        limits: ChatLimits,
        clock: Clock,
        moderation: Moderation,
        sanctions: SanctionService,
        streams: MailStreams,
        outbox: Outbox,
        lobby: Lobby,
    ) -> None:
        self.limits = limits  # replaced when the settings change
        self._clock, self._moderation, self._sanctions = clock, moderation, sanctions
        self._streams, self._outbox, self._strangers = streams, outbox, lobby.strangers
        self._lobby = lobby
        self._by_person = KeyedTokenBuckets(PER_DAY / DAY_S, PER_DAY, COUNTED_MAX)
        self._by_source = KeyedTokenBuckets(PER_SOURCE_DAY / DAY_S, PER_SOURCE_DAY, COUNTED_MAX)

    @property
    def _accounts(self) -> Accounts:
        return self._moderation.accounts

    async def restore(self) -> None:
        await self._streams.restore()

    # -- sending ---------------------------------------------------------------------------------

    async def send(self, person: Person, login: Login, name: str, text: str) -> str:
        """Leave a message for an account."""
        owner = self._accounts.find(sanitize(name, "name", 64))
        if owner is None and (former := self._accounts.former(name)) is not None:
            raise UserError(account_texts.IS_CALLED_NOW.format(name[:20], former.name), "not_found")
        if owner is None:
            raise UserError(texts.UNKNOWN.format(name[:20]), "not_found")
        return await self._send(person, login, owner, text)

    async def reply(self, person: Person, login: Login, number: int, text: str) -> str:
        """Answer a message of the own box."""
        mail = self._streams.box(person.id).find(number)
        owner = self._accounts.by_id(mail.sender)
        if owner is None:
            raise UserError(texts.UNKNOWN.format(self._sender(mail)), "not_found")
        return await self._send(person, login, owner, text)

    async def _send(self, person: Person, login: Login, owner: Account, text: str) -> str:
        said = sanitize(text, "chat")
        self._check(person, login, owner, said)

        def decide_on(box: Mailbox) -> Sequence[MailEvent]:
            if self._accounts.by_id(owner.id) is None:  # erased since the name was looked up
                raise UserError(texts.UNKNOWN.format(owner.name), "not_found")
            return box.send(owner.name, person.id, person.name, said, self._clock.now_ms())

        decide_on(self._streams.box(owner.id))  # what is refused costs nothing
        now = self._clock.monotonic()
        if not any(mail.sender == owner.id for mail in self._streams.box(person.id)):
            self._strangers.check(person, owner.id, now)
        if not (
            self._by_person.try_consume(person.id, now)
            and self._by_source.try_consume(login.source, now)
        ):
            raise UserError(texts.TOO_MANY, "limit")
        await self._moderation.run_to_completion(self._streams.change(owner.id, decide_on))
        self._strangers.note(person.id, owner.id, now)
        self.tell_of(owner.id, person.id, person.name)
        return texts.SENT.format(owner.name)

    def tell_of(self, owner_id: str, sender_id: str, sender_name: str) -> None:
        """A message has come."""
        if not self._lobby.is_quiet_for(owner_id, sender_id):
            self._outbox.send(owner_id, Notice(texts.NEW_MAIL.format(sender_name)))

    def _check(self, person: Person, login: Login, owner: Account, text: str) -> None:
        if owner.id == person.id:
            raise UserError(texts.TO_ONESELF, "usage")
        if not text:
            raise UserError(texts.SAY_WHAT, "usage")
        if len(text) > self.limits.chars_max:
            raise UserError(texts.TOO_LONG.format(len(text), self.limits.chars_max), "usage")
        self._sanctions.check_may_talk(person, login.source, owner.id)
        wanted = self._accounts.preference(owner.id, "mail")
        is_wanted = wanted == "all" or (wanted == "friends" and person.id in owner.friends)
        if person.id in owner.ignored or not is_wanted:
            raise UserError(texts.NOT_RECEIVING.format(owner.name), "declined")

    # -- reading ---------------------------------------------------------------------------------

    def at_login(self, person: Person) -> list[Message]:
        """What somebody who comes in, or is quiet no more, is told."""
        unread = len(self._streams.box(person.id).unread()) if not person.is_guest else 0
        told = texts.UNREAD.format(quantity(unread, "unread message"))
        return [Notice(told)] if unread else []

    def page(self, person: Person) -> Page:
        """A row for each message, the newest first; none of its words."""
        newest_first = sorted(self._streams.box(person.id), key=lambda mail: -mail.number)
        data = [
            MailRow(mail.number, mail.at_ms, self._sender(mail), not mail.read_ms)
            for mail in newest_first
        ]
        rows = [
            f"{it.number}\t{format_date(it.at)}  {it.who}{'  new' if it.is_new else ''}"
            for it in data
        ]
        shown = (*(rows or ["none"]), "", texts.HOW)
        return Page("Your messages", shown, data=MailboxData(tuple(data)))

    async def read(self, person: Person, number: int | None) -> Message:
        """One message, which is read then; None: the oldest that is not."""
        box = self._streams.box(person.id)
        if number is None:
            unread = box.unread()
            if not unread:
                raise UserError(texts.NOTHING_UNREAD, "not_found")
            number = unread[0].number
        mail, chosen = box.find(number), number
        with suppress(JournalWriteError):  # it can be read; next time it is still new
            await self._moderation.run_to_completion(
                self._streams.change(person.id, lambda it: it.read(chosen, self._clock.now_ms()))
            )
        sender = self._sender(mail)
        head = texts.WROTE.format(sender, format_date(mail.at_ms))
        return ReadMail(f"{mail.number}. {head}", sender, mail.text)

    async def remove(self, person: Person, number: int | None) -> str:
        """Args: number: None: all."""
        box = self._streams.box(person.id)
        numbers = [mail.number for mail in box] if number is None else [box.find(number).number]
        await self._moderation.run_to_completion(
            self._streams.change(
                person.id, lambda it: it.remove(numbers, "owner", self._clock.now_ms())
            )
        )
        return texts.REMOVED.format(quantity(len(numbers), "message"))

    def _sender(self, mail: Mail) -> str:
        return self._moderation.name(mail.sender, mail.sender_name)

    # -- keeping ---------------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Remove what is old.  JournalWriteError: it stopped early; the next run goes on."""
        for owner in self._streams.owners():
            with suppress(UserError):  # another server is at it
                await self._streams.change(owner, self._remove_old)

    def _remove_old(self, box: Mailbox) -> Sequence[MailEvent]:
        now_ms = self._clock.now_ms()
        unread_before = now_ms - self.limits.mail_unread_days * DAY_MS
        read_before = now_ms - self.limits.mail_read_days * DAY_MS
        return box.remove(box.old(unread_before, read_before), "expired", now_ms)
