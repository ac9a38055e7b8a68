"""Folds what one player does again and again into one row: `Vera draws 6 letters.`

Rule 1: which events fold follows from public facts alone (`Variant.fold_key`), and from who decided
        them.  So two tables that look alike fold alike, at the same times.
Rule 2: a row is held back for HELD_MS at most, and is shown before any other row, before its reader
        is asked, and before the session ends.  The order never changes.
Rule 3: what the reader has decided, and what is told again, is shown at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from mudserver import messages as m
from mudserver.clock import Clock, TimerHandle
from variants.catalogue import Catalogue

HELD_MS = 1_500


class EventGroup(m.Message, frozen=True):
    """Events at one table that read as one sentence: two at least, with an equal `fold_key`."""

    messages: tuple[m.EventMessage, ...]


def fold_key(message: m.Message, games: Catalogue) -> Hashable:
    """Equal keys of messages that follow each other: they read as one.  None: it stands alone."""
    if not isinstance(message, m.EventMessage) or message.variant not in games:
        return None
    key = games[message.variant].fold_key(message.event)
    if key is None:
        return None
    return message.table, message.seat, message.is_own, message.is_past, key


def continues(first: m.EventMessage, message: m.EventMessage) -> bool:
    """Whether the mark of *message*, beside an equal key, is that of what it would continue.

    Only the first event of a decision is marked, and that of a computer player by nothing shown.
    """
    return message.mark in ("", "computer", first.mark)


def grouped(messages: list[m.EventMessage]) -> m.Message:
    return messages[0] if len(messages) == 1 else EventGroup(tuple(messages))


class Folding:
    """The held row of one session in line mode.

    Args:
        show: Show what was held for long enough.
        is_silent: Whether a message makes no row and asks its reader nothing.
    """

    __slots__ = ("_clock", "_games", "_held", "_is_silent", "_key", "_show", "_timer")

    def __init__(
        self,
        games: Catalogue,
        clock: Clock,
        show: Callable[[list[m.Message]], None],
        is_silent: Callable[[m.Message], bool],
    ) -> None:
        self._games, self._clock = games, clock
        self._show, self._is_silent = show, is_silent
        self._held: list[m.EventMessage] = []
        self._key: Hashable = None
        self._timer: TimerHandle | None = None

    @property
    def held(self) -> list[m.EventMessage]:
        """What is not shown yet."""
        return self._held

    @property
    def is_holding(self) -> bool:
        return bool(self._held)

    def fold(self, messages: list[m.Message]) -> list[m.Message]:
        """What of *messages*, and of what was held, is shown now."""
        now: list[m.Message] = []
        if not self._held and m.EventMessage not in map(type, messages):
            return messages  # nothing folds: all talk comes by here
        for message in messages:
            key = fold_key(message, self._games)
            if key is not None and isinstance(message, m.EventMessage):
                if key != self._key or not continues(self._held[0], message):
                    now += self.take()
                self._key = key
                self._held.append(message)
            elif self._held and self._is_silent(message):
                now.append(message)
            else:
                now += [*self.take(), message]
        if self._held and (self._held[0].is_own or self._held[0].is_past):
            now += self.take()
        if self._held and self._timer is None:
            # Half a millisecond later: of two timers that are due at one instant asyncio runs
            # either first, and what else is waiting decides it.  [SEC-4]
            at_ms = self._clock.now_ms() + HELD_MS + 0.5
            self._timer = self._clock.call_at_ms(at_ms, self.show_held)
        return now

    def take(self) -> list[m.Message]:
        """What was held; nothing is held any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        held, self._held, self._key = self._held, [], None
        return [grouped(held)] if held else []

    def show_held(self) -> None:
        """Show what was held, if anything was."""
        if self._held:
            self._show(self.take())
