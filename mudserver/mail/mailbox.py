"""A mailbox: a fold over its events, and the decisions that lead to new ones.

Rule 1: `apply` accepts every event and is the only method that changes anything.
Rule 2: a box is bounded, and nobody fills it alone: MAILS_MAX messages, of which UNREAD_OF_ONE_MAX
        that nobody has read are of one sender.
Rule 3: what is old is removed: unread after one span, read after another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from mudserver.errors import UserError
from mudserver.mail import texts
from mudserver.mail.events import (
    Mail,
    MailboxErased,
    MailboxSnapshot,
    MailEvent,
    MailRead,
    MailRemoved,
    MailSent,
    RemovedWhy,
)

MAILS_MAX = 50
UNREAD_OF_ONE_MAX = 5


class Mailbox:
    def __init__(self) -> None:
        self._mails: dict[int, Mail] = {}  # by number, oldest first
        self._last_number = 0
        self.is_erased = False  # with its account; nothing comes in any more

    # -- reading -------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Mail]:
        return iter(self._mails.values())

    def __len__(self) -> int:
        return len(self._mails)

    def unread(self) -> list[Mail]:
        """Oldest first."""
        return [mail for mail in self._mails.values() if not mail.read_ms]

    def find(self, number: int) -> Mail:
        """UserError: there is none of that number."""
        if (mail := self._mails.get(number)) is None:
            raise UserError(texts.NO_MAIL.format(number), "not_found")
        return mail

    # -- decisions -----------------------------------------------------------------------------

    def send(
        self, owner_name: str, sender: str, sender_name: str, text: str, at_ms: int
    ) -> list[MailEvent]:
        """UserError: there is no room for it."""
        unread = sum(mail.sender == sender for mail in self.unread())
        if unread >= UNREAD_OF_ONE_MAX:
            raise UserError(texts.UNREAD_OF_YOURS.format(owner_name, unread), "limit")
        if len(self._mails) >= MAILS_MAX:
            raise UserError(texts.BOX_FULL.format(owner_name), "full")
        return [MailSent(self._last_number + 1, sender, sender_name, text, at_ms)]

    def read(self, number: int, at_ms: int) -> list[MailEvent]:
        """No event if it was read before."""
        return [] if self.find(number).read_ms else [MailRead((number,), at_ms)]

    def remove(self, numbers: Iterable[int], why: RemovedWhy, at_ms: int) -> list[MailEvent]:
        """No event if none of them is there."""
        there = tuple(number for number in numbers if number in self._mails)
        return [MailRemoved(there, why, at_ms)] if there else []

    def old(self, unread_before_ms: int, read_before_ms: int) -> list[int]:
        """Numbers of those that are to go [rule 3]."""
        return [
            mail.number
            for mail in self._mails.values()
            if (mail.read_ms < read_before_ms if mail.read_ms else mail.at_ms < unread_before_ms)
        ]

    def snapshot(self) -> MailEvent:
        """One event that replaces all before it."""
        return MailboxSnapshot(tuple(self._mails.values()), self._last_number)

    # -- the fold ------------------------------------------------------------------------------

    def apply(self, event: MailEvent) -> None:
        match event:
            case MailboxSnapshot(mails=mails, last_number=last_number):
                self._mails = {mail.number: mail for mail in mails}
                self._last_number = last_number
            case MailboxErased():
                self._mails, self.is_erased = {}, True
            case MailSent(number=number):
                self._mails[number] = Mail(
                    number, event.sender, event.sender_name, event.text, event.at_ms
                )
                self._last_number = number
            case MailRead(numbers=numbers, at_ms=at_ms):
                for number in numbers:
                    self._mails[number] = replace(self._mails[number], read_ms=at_ms)
            case MailRemoved(numbers=numbers):
                for number in numbers:
                    del self._mails[number]
