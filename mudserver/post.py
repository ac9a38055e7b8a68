"""Mail from the rooms behind to the people in front.

Rule 1: sending never waits and never fails.  A box that is full drops its oldest mail and says
        how many; a person who is not in has no box, and gets the own view again on return.
Rule 2: an address is a person's id.  The newest visit of a person owns the box [G2].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mudserver import tally
from mudserver.messages import Message

MAIL_MAX = 2_048  # messages waiting in one box; `history` is a whole game of them


class Box:
    """One visit's mail.  *wake* is called once when an empty box gets mail."""

    __slots__ = ("_mail", "_wake", "dropped")

    def __init__(self, wake: Callable[[], None]) -> None:
        self._mail: list[Message] = []  # oldest first
        self._wake = wake
        self.dropped = 0  # messages lost since the last take()

    def put(self, message: Message) -> None:
        mail = self._mail
        mail.append(message)
        waiting = len(mail)
        if waiting == 1:
            self._wake()
        elif waiting > MAIL_MAX:
            del mail[0]
            self.dropped += 1
            tally.DROPPED_MAIL.value += 1

    def take(self) -> list[Message]:
        """What was in the box, oldest first; it is empty now."""
        mail, self._mail = self._mail, []
        return mail


class Post:
    def __init__(self) -> None:
        self._boxes: dict[str, Box] = {}

    def open(self, address: str, box: Box) -> None:
        self._boxes[address] = box

    def close(self, address: str, box: Box) -> None:
        """Take the box away, unless a newer visit has put up its own."""
        if self._boxes.get(address) is box:
            del self._boxes[address]

    def is_box(self, address: str, box: Box) -> bool:
        """Whether *box* is the one that the address has now."""
        return self._boxes.get(address) is box

    def is_open(self, address: str) -> bool:
        return address in self._boxes

    def send(self, address: str, message: Message) -> None:
        box = self._boxes.get(address)
        if box is not None:
            box.put(message)

    def send_all(self, addresses: Iterable[str], message: Message) -> None:
        for box in filter(None, map(self._boxes.get, addresses)):
            box.put(message)

    def deliver(self, mail: Iterable[tuple[str, Message]]) -> None:
        """Send each to its address."""
        for address, message in mail:
            self.send(address, message)
