"""Messages on their way to people's sessions.

Rule 1: sending never waits and never fails.  A full inbox drops its oldest message and counts the
        loss.  A person who is offline has no inbox, and gets the own view again on return.
Rule 2: an address is a person's id.  The newest session of a person owns the inbox.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from mudserver import metrics
from mudserver.messages import DROPPABLE_TYPES, Message

PUBLIC_MAX = 8  # messages to everybody that are remembered
INBOX_MESSAGES_MAX = 2_048  # waiting in one inbox; `history` sends a whole game of them

Delivery = tuple[str, Message]
"""An address (a person's id) and the message that goes there."""

Deliveries = list[Delivery]
"""In order of sending; many deliveries of one message share the object."""


class Deliverable(Protocol):
    def deliver(self) -> None: ...


class Inbox:
    """The messages of one session.  *wake* is called with it when an empty inbox gets a message."""

    __slots__ = ("_messages", "_session", "_wake", "dropped_count", "taken_count")

    def __init__(self, wake: Callable[[Deliverable], None], session: Deliverable) -> None:
        self._messages: list[Message] = []  # oldest first
        self._wake, self._session = wake, session
        self.dropped_count = 0  # messages lost; the reader sets it back
        self.taken_count = 0  # messages that the session has taken

    def put(self, message: Message) -> None:
        messages = self._messages
        messages.append(message)
        waiting = len(messages)
        if waiting == 1:
            wake = self._wake  # a slot that is called directly is slower
            wake(self._session)
        elif waiting > INBOX_MESSAGES_MAX:
            del messages[0]
            self.dropped_count += 1
            metrics.MESSAGES_DROPPED.value += 1

    def take_all(self) -> list[Message]:
        """Empty the inbox; its messages, oldest first."""
        messages, self._messages = self._messages, []
        self.taken_count += len(messages)
        return messages

    @property
    def is_line_of_talk(self) -> bool:
        """Whether that is all that waits."""
        messages = self._messages
        return len(messages) == 1 and type(messages[0]) in DROPPABLE_TYPES

    @property
    def put_count(self) -> int:
        """Messages that were taken or still wait."""
        return self.taken_count + len(self._messages)


class Outbox:
    def __init__(self) -> None:
        self._inboxes: dict[str, Inbox] = {}
        self._public = deque[tuple[int, Message]](maxlen=PUBLIC_MAX)  # with UTC times in ms

    def attach(self, address: str, inbox: Inbox) -> None:
        self._inboxes[address] = inbox

    def detach(self, address: str, inbox: Inbox) -> None:
        """Remove *inbox*, unless a newer session has attached its own."""
        if self._inboxes.get(address) is inbox:
            del self._inboxes[address]

    def is_attached(self, address: str, inbox: Inbox) -> bool:
        """Whether *inbox* is the one that the address has now."""
        return self._inboxes.get(address) is inbox

    def inbox_of(self, address: str) -> Inbox | None:
        return self._inboxes.get(address)

    def has_inbox(self, address: str) -> bool:
        return address in self._inboxes

    def send(self, address: str, message: Message) -> None:
        inbox = self._inboxes.get(address)
        if inbox is not None:
            inbox.put(message)

    def send_all(self, addresses: Iterable[str], message: Message) -> None:
        for inbox in filter(None, map(self._inboxes.get, addresses)):
            inbox.put(message)

    def note_public(self, message: Message, at_ms: int = 0) -> None:
        """Everybody here is told it; a full screen that is drawn anew shows it again.

        Args:
            at_ms: UTC; 0: another process has told it.
        """
        if message not in self.public:
            self._public.append((at_ms, message))

    @property
    def public(self) -> Sequence[Message]:
        """What everybody who was here was told of late, oldest first."""
        return [message for _, message in self._public]

    def public_since(self, heard_ms: int) -> Sequence[Message]:
        """What of it was told here later."""
        return [message for at_ms, message in self._public if at_ms > heard_ms]

    def send_each(self, deliveries: Iterable[Delivery]) -> None:
        inbox_of = self._inboxes.get
        for address, message in deliveries:
            if (inbox := inbox_of(address)) is not None:
                inbox.put(message)
