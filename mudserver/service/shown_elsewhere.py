"""Lines that a session has shown at another server, and that are still on their way to this one.

Rule 1: whoever walks may be faster than what was said.  What was shown there, and was not heard
        here before, is not shown again when it comes.
Rule 2: that is so for LATE_MS.  What comes later, or once more, was said once more.
Rule 3: what came before the person, or comes while that place is not heard, is not shown as
        earlier talk either.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from mudserver.clock import Clock
from mudserver.lobby.channels import LOBBY
from mudserver.lobby.scrollback import Line
from mudserver.outbox import Deliveries

LATE_MS = 30_000
KEPT_MAX = 50  # lines of one person [rule 3]

Words = tuple[type[Line], str, str, str]  # and by whom, and where


class ShownElsewhere:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._awaited: dict[str, tuple[int, Counter[Words]]] = {}  # by person; and until when
        self._come: dict[str, deque[Line]] = {}  # by person: lines that are here [rule 3]

    def note(
        self,
        person_id: str,
        shown: Iterable[tuple[int, Line]],
        heard: Iterable[tuple[int, Line]],
        *,
        may_come: bool,
    ) -> None:
        """Somebody goes on here.

        Args:
            shown: There, or here before, with UTC times in ms.
            heard: Here before, likewise.
            may_come: Whether what was shown, and was not heard here, may be on its way.
        """
        now_ms = self._clock.now_ms()
        for other in [it for it, (until_ms, _) in self._awaited.items() if until_ms < now_ms]:
            del self._awaited[other]
        awaited = Counter(_words(line) for at_ms, line in shown if at_ms > now_ms - LATE_MS)
        for at_ms, line in heard:
            if at_ms > now_ms - 2 * LATE_MS and awaited[words := _words(line)]:
                awaited[words] -= 1
                self._note_come(person_id, line)
        if may_come and (awaited := +awaited):
            self._awaited[person_id] = now_ms + LATE_MS, awaited

    def without_shown(self, deliveries: Deliveries, line: Line) -> Deliveries:
        """*deliveries* of *line*, which comes from another server, to who has not read it there."""
        if not self._awaited:
            return deliveries
        readers = {person_id for person_id in [*self._awaited] if self._take(person_id, line)}
        for person_id in readers:
            self._note_come(person_id, line)
        return [it for it in deliveries if it[0] not in readers]

    def has_shown(self, person_id: str, line: Line) -> bool:
        """Whether the person has read this line, which is here, at the other server."""
        return any(it is line for it in self._come.get(person_id, ()))

    def _take(self, person_id: str, line: Line) -> bool:
        until_ms, awaited = self._awaited.get(person_id, (0, Counter[Words]()))
        words = _words(line)
        if not awaited[words] or until_ms < self._clock.now_ms():
            return False
        awaited[words] -= 1
        return True

    def _note_come(self, person_id: str, line: Line) -> None:
        self._come.setdefault(person_id, deque(maxlen=KEPT_MAX)).append(line)

    def forget(self, person_id: str) -> None:
        self._awaited.pop(person_id, None)
        self._come.pop(person_id, None)


def _words(line: Line) -> Words:
    return type(line), line.speaker, line.text, line.channel or LOBBY
