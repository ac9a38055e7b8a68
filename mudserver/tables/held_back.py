"""What watchers of a game with a delay are not shown yet: records, and what players have said.

Rule 1: each thing stands behind a number of decisions, those that everybody had heard of by then.
        It is shown when as many further ones are made as the delay says; at once if it was before
        the first decision; and all of it when the game is over.
Rule 2: an answer in secret counts when everybody hears of it (`Game.told_decisions`): what is shown
        must not tell that it was given.  [G-11]
Rule 3: records are as many as the table may have.  Of lines the last LINES_MAX are kept, in memory
        alone: a restart forgets them, as all talk.  What is dropped of them is not told later, and
        until the game is over nobody may read it elsewhere either.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from mudserver.messages import EmoteMessage, SayMessage
from mudserver.outbox import Deliveries
from mudserver.tables.records import Record

LINES_MAX = 200
DROPPED_MAX = 1_000  # that are still known: as many as a place keeps at most for others to read


class HeldLine(NamedTuple):
    """What a player has said at the table."""

    message: SayMessage | EmoteMessage
    tell: Callable[[Collection[str]], Deliveries]
    """(ids of the watchers) -> who of them is sent what, if it is shown now."""


class HeldBack:
    def __init__(self) -> None:
        self.records: deque[tuple[int, Record]] = deque()  # with the decisions before and in them
        self.lines: deque[tuple[int, HeldLine]] = deque(maxlen=LINES_MAX)  # likewise
        self._dropped = deque[int](maxlen=DROPPED_MAX)  # hashes

    def keep(self, record: Record, made: int) -> None:
        self.records.append((made, record))

    def hold(self, line: HeldLine, made: int) -> bool:
        """Keep the line.  False: it can be told at once."""
        if made and len(self.lines) == LINES_MAX:
            self._dropped.append(hash(_words(self.lines[0][1].message)))
        if made:
            self.lines.append((made, line))
        return made > 0

    def has_line(self, message: SayMessage | EmoteMessage) -> bool:
        """Whether *message* waits, or was dropped; its speaker may have another id by now."""
        said = _words(message)
        waits = any(_words(line.message) == said for _, line in self.lines)
        return waits or hash(said) in self._dropped

    def adopt_lines(self, other: HeldBack) -> None:
        """Those that another table object has kept, which this one's replaces."""
        self.lines, self._dropped = other.lines, other._dropped

    def remove_of(self, person: str) -> None:
        """Forget what that person has said."""
        kept = [it for it in self.lines if it[1].message.speaker != person]
        self.lines = deque(kept, maxlen=LINES_MAX)

    def due(self, shown: int | None) -> Iterator[Record | HeldLine]:
        """Take out what is to be shown now, in order.

        Args:
            shown: How many decisions watchers see; None: the game is over.
        """
        while self.records and (shown is None or self.records[0][0] <= max(shown, 0)):
            made, record = self.records.popleft()
            yield from self._lines_before(made)
            yield record
        yield from self._lines_before(None if shown is None else shown + 1)

    def _lines_before(self, made: int | None) -> Iterator[HeldLine]:
        while self.lines and (made is None or self.lines[0][0] < made):
            yield self.lines.popleft()[1]


def _words(message: SayMessage | EmoteMessage) -> tuple[type, str, str]:
    return type(message), message.who, message.text
