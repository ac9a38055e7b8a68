"""Whether a person who says "ready" has been sent every change of the table by somebody else.

Rule 1: a line is typed for the table as its person had read it.  A change by somebody else that was
        not sent to the session when the line arrived makes it void, and so do other options for two
        seconds: that is how long people need to read them.
Rule 2: nothing here is written.  After a restart everybody is shown the table as it is.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from mudserver.outbox import Inbox, Outbox
from mudserver.tables import requests as r
from mudserver.tables.table import Table

OPTIONS_MS = 2_000  # to read other options
CHANGES_MAX = 64  # kept; whoever has not been sent an older one has not been sent the newest


class _Change(NamedTuple):
    number: int  # `Readiness.change_count`
    text: str
    author: str  # person
    at_ms: int
    is_of_options: bool
    sent: dict[str, tuple[Inbox, int]]  # messages up to this change, by person


class SeenChanges:
    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._changes: deque[_Change] = deque(maxlen=CHANGES_MAX)
        self._number = 0  # of the last change

    def on_commit(self, table: Table, request: r.Request, now_ms: int) -> None:
        """*table* has changed, perhaps, and everybody was sent that."""
        if table.readiness.change_count == self._number:
            return
        self._number, sent = table.readiness.change_count, {}
        for person in table.seated:
            if (inbox := self._outbox.inbox_of(person)) is not None:
                sent[person] = inbox, inbox.put_count
        is_of_options = isinstance(request, r.Configure)
        text = table.readiness.change
        change = _Change(self._number, text, request.person, now_ms, is_of_options, sent)
        self._changes.append(change)

    def seen_by(self, person: str) -> int:
        """The number of the last change that the session of *person* has taken."""
        for change in self._changes:
            inbox, count = change.sent.get(person, (None, 0))
            is_waiting = inbox is not None and inbox.taken_count < count
            if is_waiting and inbox is self._outbox.inbox_of(person):
                return change.number - 1
        return self._number

    def unseen_by(self, person: str, seen: int, now_ms: int) -> str:
        """The newest change by somebody else that makes a line of *person* void; "": none.

        Args:
            seen: `seen_by` when the line arrived.
        """
        for change in reversed(self._changes):
            is_new = change.is_of_options and now_ms - change.at_ms < OPTIONS_MS
            if change.author != person and (change.number > seen or is_new):
                return change.text
        return ""
