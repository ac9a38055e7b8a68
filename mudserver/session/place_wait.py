"""What is typed waits until it is known where its person is, after the process has changed.

Rule 1: a table answers in one of the next turns.  Until then, and while tables are being restored
        among which the person's may be, no line begins: typed at a table, it would be read in the
        lobby.
Rule 2: for a table that is there, the wait is at most ANSWER_S.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.service.going_on import GoingOn
from mudserver.transport.link import Holder

ANSWER_S = 3.0
LOOK_S = 0.25  # between two looks whether all tables are restored


class PlaceWait:
    """Args:
    is_restoring: Whether the person's table may be one that is not restored yet.
    show_place: Ask for the place again: all tables are there.
    """

    __slots__ = ("_clock", "_holder", "_is_over", "_is_restoring", "_show_place", "is_waiting")

    def __init__(
        self,
        holder: Holder,
        clock: Clock,
        is_restoring: Callable[[], bool],
        show_place: Callable[[], None],
    ) -> None:
        self._holder, self._clock = holder, clock
        self._is_restoring, self._show_place = is_restoring, show_place
        self.is_waiting = True
        holder.hold()
        self._look_later()

    def _look_later(self) -> None:
        is_late = self._is_restoring()
        self._clock.call_later(LOOK_S if is_late else ANSWER_S, partial(self._look, is_late))

    def _look(self, was_late: bool) -> None:
        if not self.is_waiting:
            return
        if not was_late:
            self.end()
            return
        if not self._is_restoring():
            self._show_place()
        self._look_later()

    def end(self) -> None:
        """The place is known, or the session is over; called again it does nothing."""
        if self.is_waiting:
            self.is_waiting = False
            self._holder.release()


def find_place(
    going_on: GoingOn,
    person: Person,
    clock: Clock,
    holder: Holder | None,
    where: tuple[int, int],
    *,
    is_watching: bool,
) -> PlaceWait | None:
    """Show where a person is whose session goes on; None: that is known already.

    Args:
        where: The table, and what was shown of it, as another process knew it.
    """
    (show := partial(going_on.show_place, person, *where, is_watching=is_watching))()
    if holder is None or going_on.table_and_sequence(person) is not None:
        return None
    is_late = partial(going_on.is_restoring, person)
    return PlaceWait(holder, clock, is_late, partial(going_on.show_late_place, person, show))
