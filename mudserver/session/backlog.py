"""What a session has shown lately, so that a full screen does not begin empty.

Rule 1: messages are kept and not rows: they are shared by all who read them, and fit any width.
Rule 2: at most ROWS_MAX of them, and BYTES_MAX of text.  Views and long pages are not kept: the
        table pane has the one, and the other is asked for again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from mudserver import messages as m

ROWS_MAX = 200
BYTES_MAX = 65_536
PAGE_ROWS_MAX = 10
BATCH_MAX = 10  # messages that are forgotten together
MESSAGE_BYTES = 200  # of a message, beside its text
_SHARED = frozenset({m.SayMessage, m.EmoteMessage, m.Announcement, m.RingingAnnouncement})
"""Kinds that all readers are sent the same object of, so that its text counts for nobody."""
_TALK = (m.SayMessage, m.EmoteMessage, m.TellMessage)  # asked of a tuple: unions are slow
_NOTICES = (m.Notice, m.QuotedNotice)
_KEPT = (m.EventMessage, m.GameOver, m.TellMessage, m.Notice, m.QuotedNotice, m.EndExplained,
         m.CallNotice, m.WatchersNotice, m.Page, m.EarlierTalk)  # fmt: skip


class Batch(msgspec.Struct, frozen=True, gc=False):
    """Messages that were shown at one time; all who read them at once may keep the same object.

    The garbage collector need not look at it: it holds messages, and they hold no batch.
    """

    at_ms: int  # UTC
    messages: tuple[m.Message, ...]
    bytes: int


class Backlog:
    __slots__ = ("_batches", "_bytes", "_rows")

    def __init__(self) -> None:
        self._batches: deque[Batch] = deque()
        self._rows = self._bytes = 0

    def add(self, messages: list[m.Message], at_ms: int) -> None:
        """Keep what of *messages* is kept."""
        self.extend(batches_of(messages, at_ms))

    def add_past(self, messages: Iterable[m.Message]) -> None:
        """Keep the past of a game, each event at its time among what is here."""
        past, at_ms = list[Batch](), 0
        for message in messages:
            if isinstance(message, m.EventMessage):
                at_ms = message.at_ms
            past += batches_of([message], at_ms)
        if past:
            merged = sorted([*past, *self._batches], key=lambda batch: batch.at_ms)
            self._batches.clear()
            self._rows = self._bytes = 0
            self.extend(merged)

    @property
    def batches(self) -> Sequence[Batch]:
        """Oldest first."""
        return tuple(self._batches)

    def extend(self, batches: Sequence[Batch]) -> None:
        for batch in batches:
            self._batches.append(batch)
            self._rows += len(batch.messages)
            self._bytes += batch.bytes
        while self._rows > ROWS_MAX or self._bytes > BYTES_MAX:
            gone = self._batches.popleft()
            self._rows -= len(gone.messages)
            self._bytes -= gone.bytes

    def add_new(self, batches: Sequence[Batch]) -> list[m.Message]:
        """Keep the talk of another session; returns what was not here yet."""
        known = [message for _, message in self.talk(ROWS_MAX)]
        new = [batch for batch in batches if batch.messages[0] not in known]
        self.extend(new)
        return [batch.messages[0] for batch in new]

    def __iter__(self) -> Iterator[m.Message]:
        return (message for batch in self._batches for message in batch.messages)

    def __len__(self) -> int:
        return self._rows

    def notices(self) -> list[tuple[int, m.Notice | m.QuotedNotice]]:
        """With UTC times in ms, oldest first."""
        return [
            (batch.at_ms, it)
            for batch in self._batches
            for it in batch.messages
            if isinstance(it, _NOTICES)
        ]

    def talk(self, count: int) -> list[tuple[int, m.TalkMessage]]:
        """The last *count* messages of talk, with UTC times in ms, oldest first."""
        shown: dict[int, tuple[int, m.TalkMessage]] = {}  # by object: it may be shown again
        for batch in self._batches:
            for message in batch.messages:
                if isinstance(message, _TALK):
                    shown[id(message)] = (batch.at_ms, message)
                elif isinstance(message, m.EarlierTalk):
                    shown.update((id(it), (at_ms, it)) for at_ms, it in message.lines)
        return list(shown.values())[-count:]


def batches_of(messages: list[m.Message], at_ms: int) -> list[Batch]:
    """What of *messages* is kept, with *at_ms* as its time."""
    if len(messages) == 1:
        size = _bytes_of(messages[0])
        return [Batch(at_ms, tuple(messages), size)] if size else []
    if len(messages) <= BATCH_MAX and _SHARED.issuperset(map(type, messages)):
        return [Batch(at_ms, tuple(messages), MESSAGE_BYTES * len(messages))]
    kept = [(each, size) for each in messages if (size := _bytes_of(each))]
    return [
        Batch(at_ms, tuple([it for it, _ in some]), sum(size for _, size in some))
        for first in range(0, len(kept), BATCH_MAX)
        for some in [kept[first : first + BATCH_MAX]]
    ]


def _bytes_of(message: m.Message) -> int:
    """What it counts; 0: it is not kept."""
    if type(message) in _SHARED:
        return MESSAGE_BYTES
    if not isinstance(message, _KEPT):
        return 0
    if isinstance(message, m.Page):
        if len(message.rows) > PAGE_ROWS_MAX:
            return 0
        return MESSAGE_BYTES + 4 * sum(len(m.row_text(row)) for row in message.rows)
    if isinstance(message, m.EarlierTalk):
        return MESSAGE_BYTES * (1 + len(message.lines))  # the lines are those of the scrollback
    text = getattr(message, "text", "")
    return MESSAGE_BYTES + (4 * len(text) if isinstance(text, str) else 0)
