"""What a session has shown lately, so that a full screen does not begin empty.

Rule 1: messages are kept and not rows: they are shared by all who read them, and fit any width.
Rule 2: at most ROWS_MAX of them, and BYTES_MAX of text.  Views and long pages are not kept: the
        table pane has the one, and the other is asked for again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from mudserver import messages as m

ROWS_MAX = 200
BYTES_MAX = 65_536
PAGE_ROWS_MAX = 10
MESSAGE_BYTES = 200  # of a message, beside its text
_KEPT = (m.EventMessage, m.GameOver, m.Announcement, m.RingingAnnouncement, m.TellMessage,
         m.SayMessage, m.EmoteMessage, m.Notice, m.StaffMessage, m.EndExplained,
         m.Page)  # fmt: skip


class Backlog:
    __slots__ = ("_bytes", "_messages")

    def __init__(self) -> None:
        self._messages: deque[m.Message] = deque()
        self._bytes = 0

    def add(self, messages: Iterable[m.Message]) -> None:
        for message in messages:
            if isinstance(message, m.Page) and len(message.rows) > PAGE_ROWS_MAX:
                continue
            if isinstance(message, _KEPT):
                self._messages.append(message)
                self._bytes += _bytes_of(message)
        while len(self._messages) > ROWS_MAX or self._bytes > BYTES_MAX:
            self._bytes -= _bytes_of(self._messages.popleft())

    def __iter__(self) -> Iterator[m.Message]:
        return iter(self._messages)

    def __len__(self) -> int:
        return len(self._messages)


def _bytes_of(message: m.Message) -> int:
    if isinstance(message, m.Page):
        return MESSAGE_BYTES + 4 * sum(map(len, message.rows))
    text = getattr(message, "text", "")
    return MESSAGE_BYTES + (4 * len(text) if isinstance(text, str) else 0)
