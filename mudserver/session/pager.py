"""A page that is longer than the screen stops where the screen is full.

Rule 1: only what one has asked for stops: pages, answers, past events.  Never a view, never talk or
        an event, nothing that is to be copied off the screen, and nothing at all while one is
        asked to play.
Rule 2: while a page stands, all that comes waits behind it in its order, and nothing breaks into
        it.  A question to its reader, or more mail than a box holds, ends the page: the rest of it
        is left out, a sentence says so, and what waits is shown.
Rule 3: Enter on an empty line goes on, `q` leaves.  Any other line leaves, too, and is a line like
        any other.

What is kept is messages and the one page that is being read: no more than a box and a page.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Protocol

from mudserver import messages as m
from mudserver.post import MAIL_MAX
from mudserver.ui.look import Look
from mudserver.ui.paint import wrapped
from variants.kit.text import Line, line

MORE = "-- more: Enter, q -- "


class Face(Protocol):
    """What the pager needs of the visit."""

    @property
    def look(self) -> Look: ...
    @property
    def page_rows(self) -> int:
        """Rows of a page that fit the screen now; 0: nothing is to stop."""

    def lines_of(self, message: m.Message) -> Iterable[Line]: ...
    def show_lines(self, lines: Iterable[Line]) -> None: ...
    def show_message(self, message: m.Message) -> None:
        """What never stops."""

    def is_question(self, message: m.Message) -> bool:
        """Whether it asks the reader to play, and did not before."""


class Pager:
    __slots__ = ("_face", "_mail", "_page", "_room", "_rows")

    def __init__(self, face: Face) -> None:
        self._face = face
        self._room = 0  # rows that pages may still take before they stop
        self._page: m.Message | None = None  # stands on the screen
        self._rows: Iterator[Line] = iter(())  # what is left of it
        self._mail: deque[m.Message] = deque()  # waits

    @property
    def is_open(self) -> bool:
        """A page stands and waits for its reader."""
        return self._page is not None

    def begin(self) -> None:
        """A line was typed: what answers it has the whole screen."""
        self._room = self._face.page_rows

    def put(self, mail: Iterable[m.Message]) -> None:
        """Show what came, or have it wait."""
        for message in mail:
            self._mail.append(message)
            if self.is_open and self._face.is_question(message):
                self._cut("you are asked")
            elif self.is_open and len(self._mail) > MAIL_MAX:
                self._cut("too much came meanwhile")
        self._go_on()

    def hear(self, typed: str) -> bool:
        """What was typed at a page that stands.  False: it is a line like any other."""
        match typed.strip().casefold():
            case "":
                self.begin()
                self._turn()
                self._go_on()
            case "q":
                self.begin()
                self._leave()
                self._go_on()
            case _:
                self.close()
                return False
        return True

    def close(self) -> None:
        """No page stands any more, and all that waits is shown."""
        self._leave()
        self._go_on(may_stop=False)

    def _cut(self, why: str) -> None:
        self._face.show_lines([line((f"-- The rest of this page is left out: {why}.", "dim"))])
        self.close()

    def _leave(self) -> None:
        """Drop the rest of the page, and what else answers the same question."""
        page, self._page, self._rows = self._page, None, iter(())
        while page is not None and self._mail and _goes_on(page, self._mail[0]):
            self._mail.popleft()

    def _go_on(self, *, may_stop: bool = True) -> None:
        while self._mail and not self.is_open:
            message = self._mail.popleft()
            if may_stop and _is_asked_for(message) and self._face.page_rows:
                self._page, self._rows = message, self._rows_of(message)
                self._turn()
            else:
                self._face.show_message(message)

    def _turn(self) -> None:
        """Show as much of the page as there is room for."""
        shown = list(islice(self._rows, max(0, self._room)))
        self._room -= len(shown)
        self._face.show_lines(shown)
        rest = next(self._rows, None)
        if rest is None:
            self._page = None
        else:
            self._rows = chain(self._fitting(rest), self._rows)

    def _rows_of(self, message: m.Message) -> Iterator[Line]:
        for each in self._face.lines_of(message):
            yield from self._fitting(each)

    def _fitting(self, each: Line) -> Iterator[Line]:
        look = self._face.look  # it may change while the page stands
        yield from wrapped(each, look.cols, look.charset)


def _is_asked_for(message: m.Message) -> bool:
    match message:
        case m.Happened():
            return message.is_past
        case m.Page():
            return not message.is_to_copy
    return isinstance(message, m.Answered)


def _goes_on(page: m.Message, message: m.Message) -> bool:
    """Whether *message* answers the same question as *page*, which was shown before it."""
    return not isinstance(page, m.Page) and type(page) is type(message) and _is_asked_for(message)
