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
from mudserver.outbox import INBOX_MESSAGES_MAX
from mudserver.ui.encode import wrap_line
from mudserver.ui.terminal_profile import TerminalProfile
from variants.kit.text import StyledLine, styled_line

MORE_PROMPT = "-- more: Enter, q -- "


class PagerOutput(Protocol):
    """What the pager needs of the visit."""

    @property
    def terminal_profile(self) -> TerminalProfile: ...
    @property
    def page_rows(self) -> int:
        """Rows of a page that fit the screen now; 0: nothing is to stop."""

    def message_lines(self, message: m.Message) -> Iterable[StyledLine]: ...
    def show_lines(self, lines: Iterable[StyledLine]) -> None: ...
    def show_message(self, message: m.Message) -> None:
        """What never stops."""

    def is_turn_request(self, message: m.Message) -> bool:
        """Whether it asks the reader to play, and did not before."""


class Pager:
    __slots__ = ("_output", "_page", "_queued", "_rows", "_rows_left")

    def __init__(self, output: PagerOutput) -> None:
        self._output = output
        self._rows_left = 0  # rows that pages may still take before they stop
        self._page: m.Message | None = None  # stands on the screen
        self._rows: Iterator[StyledLine] = iter(())  # what is left of it
        self._queued: deque[m.Message] = deque()  # waits

    @property
    def is_open(self) -> bool:
        """A page stands and waits for its reader."""
        return self._page is not None

    def reset_rows(self) -> None:
        """A line was typed: what answers it has the whole screen."""
        self._rows_left = self._output.page_rows

    def show_messages(self, messages: Iterable[m.Message]) -> None:
        """Show what came, or have it wait."""
        for message in messages:
            self._queued.append(message)
            if self.is_open and self._output.is_turn_request(message):
                self._abort("you are asked")
            elif self.is_open and len(self._queued) > INBOX_MESSAGES_MAX:
                self._abort("too much came meanwhile")
        self._show_queued()

    def handle_line(self, typed: str) -> bool:
        """What was typed at a page that stands.  False: it is a line like any other."""
        match typed.strip().casefold():
            case "":
                self.reset_rows()
                self._show_next_page()
                self._show_queued()
            case "q":
                self.reset_rows()
                self._drop_rest()
                self._show_queued()
            case _:
                self.close()
                return False
        return True

    def close(self) -> None:
        """No page stands any more, and all that waits is shown."""
        self._drop_rest()
        self._show_queued(may_stop=False)

    def _abort(self, why: str) -> None:
        self._output.show_lines(
            [styled_line((f"-- The rest of this page is left out: {why}.", "dim"))]
        )
        self.close()

    def _drop_rest(self) -> None:
        """Drop the rest of the page, and what else answers the same question."""
        page, self._page, self._rows = self._page, None, iter(())
        while page is not None and self._queued and _continues(page, self._queued[0]):
            self._queued.popleft()

    def _show_queued(self, *, may_stop: bool = True) -> None:
        while self._queued and not self.is_open:
            message = self._queued.popleft()
            if may_stop and _is_requested(message) and self._output.page_rows:
                self._page, self._rows = message, self._rows_of(message)
                self._show_next_page()
            else:
                self._output.show_message(message)

    def _show_next_page(self) -> None:
        """Show as much of the page as there is room for."""
        shown = list(islice(self._rows, max(0, self._rows_left)))
        self._rows_left -= len(shown)
        self._output.show_lines(shown)
        rest = next(self._rows, None)
        if rest is None:
            self._page = None
        else:
            self._rows = chain(self._wrap(rest), self._rows)

    def _rows_of(self, message: m.Message) -> Iterator[StyledLine]:
        for each in self._output.message_lines(message):
            yield from self._wrap(each)

    def _wrap(self, each: StyledLine) -> Iterator[StyledLine]:
        look = self._output.terminal_profile  # it may change while the page stands
        yield from wrap_line(each, look.cols, look.charset)


def _is_requested(message: m.Message) -> bool:
    match message:
        case m.EventMessage():
            return message.is_past
        case m.Page():
            return not message.is_to_copy
    return isinstance(message, m.AnswerMessage)


def _continues(page: m.Message, message: m.Message) -> bool:
    """Whether *message* answers the same question as *page*, which was shown before it."""
    return not isinstance(page, m.Page) and type(page) is type(message) and _is_requested(message)
