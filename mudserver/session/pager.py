"""The pager: stops a page that is longer than the screen where the screen is full.

Rule 1: only requested messages stop: pages, answers, past events.  A view, chat or a new event
        never stops, nor does a page to be copied off the screen, nor anything during one's turn.
Rule 2: while a page is open, all new messages queue behind it.  A turn of its reader, or more
        messages than an inbox holds, ends the page: a sentence says that its rest is left out, and
        the queue is shown.
Rule 3: Enter on an empty line goes on, `q` leaves.  Any other line leaves the page, too, and is
        then handled as usual.

The memory is bounded: one page and as many messages as an inbox holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Protocol

from mudserver import messages as m
from mudserver.outbox import INBOX_MESSAGES_MAX
from mudserver.session import texts
from mudserver.ui.encode import wrap_line
from mudserver.ui.terminal_profile import TerminalProfile
from variants.kit.text import StyledLine, styled_line


class PagerOutput(Protocol):
    """What the pager needs from the session."""

    @property
    def terminal_profile(self) -> TerminalProfile: ...
    @property
    def page_rows(self) -> int:
        """Rows of a page that fit the screen now; 0: no page stops."""

    def message_lines(self, message: m.Message) -> Iterable[StyledLine]: ...
    def show_lines(self, lines: Iterable[StyledLine]) -> None: ...
    def show_message(self, message: m.Message) -> None:
        """Show a message that never stops."""

    def is_turn_request(self, message: m.Message) -> bool:
        """Whether the message asks the reader to play."""


_NO_ROWS: Iterator[StyledLine] = iter(())


class Pager:
    __slots__ = ("_output", "_page", "_queued", "_rows", "_rows_left")

    def __init__(self, output: PagerOutput) -> None:
        self._output = output
        # Rows that pages may still take before they stop; None: as many as fit the screen.
        self._rows_left: int | None = 0
        self._page: m.Message | None = None  # the open page
        self._rows = _NO_ROWS  # the rest of it
        self._queued: list[m.Message] = []  # behind it; an empty deque would take 600 bytes more

    @property
    def is_open(self) -> bool:
        """Whether a page waits for its reader."""
        return self._page is not None

    @property
    def queued(self) -> Iterable[m.Message]:
        """The messages behind the open page."""
        return self._queued

    def reset_rows(self) -> None:
        """A line was typed: its answer may fill the whole screen."""
        self._rows_left = None

    def show_messages(self, messages: Iterable[m.Message]) -> None:
        """Show new messages, or queue them behind the open page."""
        for message in messages:
            self._queued.append(message)
            if self._page is not None and self._output.is_turn_request(message):
                self._abort(texts.YOUR_TURN)
            elif self._page is not None and len(self._queued) > INBOX_MESSAGES_MAX:
                self._abort(texts.TOO_MANY_MESSAGES)
        self._show_queued()

    def handle_line(self, typed: str) -> bool:
        """A line typed while a page is open.  False: handle it as any other line."""
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
        """Leave the page and show the whole queue."""
        self._drop_rest()
        self._show_queued(may_stop=False)

    def _abort(self, why: str) -> None:
        self._output.show_lines([styled_line((texts.PAGE_CLOSED.format(why), "dim"))])
        self.close()

    def _drop_rest(self) -> None:
        """Drop the rest of the page, and the queued messages that belong to the same answer."""
        page, self._page, self._rows = self._page, None, _NO_ROWS
        while page is not None and self._queued and _continues(page, self._queued[0]):
            self._queued.pop(0)

    def _show_queued(self, *, may_stop: bool = True) -> None:
        while self._queued and self._page is None:
            message = self._queued.pop(0)
            if may_stop and _is_requested(message) and self._output.page_rows:
                self._page, self._rows = message, self._rows_of(message)
                self._show_next_page()
            else:
                self._output.show_message(message)

    def _show_next_page(self) -> None:
        """Show as many rows as fit the screen; all, if pages no longer stop."""
        fitting = self._output.page_rows
        left = fitting if self._rows_left is None else self._rows_left
        rows = list(islice(self._rows, max(0, left) if fitting else None))
        self._rows_left = left - len(rows)
        self._output.show_lines(rows)
        rest = next(self._rows, None)
        if rest is None:
            self._page, self._rows = None, _NO_ROWS
        else:
            self._rows = chain(self._wrap(rest), self._rows)

    def _rows_of(self, message: m.Message) -> Iterator[StyledLine]:
        for each in self._output.message_lines(message):
            yield from self._wrap(each)

    def _wrap(self, each: StyledLine) -> Iterator[StyledLine]:
        terminal = self._output.terminal_profile  # may change while the page is open
        yield from wrap_line(each, terminal.cols, terminal.charset)


def _is_requested(message: m.Message) -> bool:
    match message:
        case m.EventMessage():
            return message.is_past
        case m.Page():
            return not message.is_to_copy
    return isinstance(message, m.AnswerMessage)


def _continues(page: m.Message, message: m.Message) -> bool:
    """Whether *message* belongs to the same answer as *page*, which came before it."""
    return not isinstance(page, m.Page) and type(page) is type(message) and _is_requested(message)
