"""Mail from the rooms behind to the people in front.

Rule 1: sending never waits and never fails.  A box that is full drops its oldest mail and says
        how many; a person who is not in has no box, and gets the own view again on return.
Rule 2: an address is a person's id.  The newest visit of a person owns the box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mudserver import metrics
from mudserver.messages import Message

INBOX_MESSAGES_MAX = 2_048  # messages waiting in one box; `history` is a whole game of them


class Inbox:
    """One visit's mail.  *wake* is called once when an empty box gets mail."""

    __slots__ = ("_messages", "_wake", "dropped_count")

    def __init__(self, wake: Callable[[], None]) -> None:
        self._messages: list[Message] = []  # oldest first
        self._wake = wake
        self.dropped_count = 0  # messages lost since the last take()

    def put(self, message: Message) -> None:
        mail = self._messages
        mail.append(message)
        waiting = len(mail)
        if waiting == 1:
            self._wake()
        elif waiting > INBOX_MESSAGES_MAX:
            del mail[0]
            self.dropped_count += 1
            metrics.MESSAGES_DROPPED.value += 1

    def take_all(self) -> list[Message]:
        """What was in the box, oldest first; it is empty now."""
        mail, self._messages = self._messages, []
        return mail


class Outbox:
    def __init__(self) -> None:
        self._inboxes: dict[str, Inbox] = {}

    def attach(self, address: str, inbox: Inbox) -> None:
        self._inboxes[address] = inbox

    def detach(self, address: str, inbox: Inbox) -> None:
        """Take the box away, unless a newer visit has put up its own."""
        if self._inboxes.get(address) is inbox:
            del self._inboxes[address]

    def is_attached(self, address: str, inbox: Inbox) -> bool:
        """Whether *box* is the one that the address has now."""
        return self._inboxes.get(address) is inbox

    def has_inbox(self, address: str) -> bool:
        return address in self._inboxes

    def send(self, address: str, message: Message) -> None:
        box = self._inboxes.get(address)
        if box is not None:
            box.put(message)

    def send_all(self, addresses: Iterable[str], message: Message) -> None:
        for box in filter(None, map(self._inboxes.get, addresses)):
            box.put(message)

    def send_each(self, deliveries: Iterable[tuple[str, Message]]) -> None:
        """Send each to its address."""
        for address, message in deliveries:
            self.send(address, message)
