"""How much of its table, a replay or a lesson a session has shown, for the process that goes on.

Rule 1: the number moves with the bytes that show it: whoever holds the connection is told it in the
        frame that carries them.  What waits, behind a page or to be folded, is not shown.
Rule 2: the place in a replay or a lesson moves likewise: a capsule has the one that was shown last,
        and one is left with the bytes that show the next.
Rule 3: a number belongs to one table.  Until something of another table was shown there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from mudserver import messages as m
from mudserver.accounts.learned import CarriedLessons, LearnedLesson
from mudserver.outbox import Inbox
from mudserver.service.replays import CarriedReplay
from mudserver.session.going_on import lessons_of, replay_of
from mudserver.transport.link import Link
from mudserver.wall.capsule import Capsule

Step = m.ReplayStep | m.ReplayOver | m.LessonStep | m.LessonOver


class KeepsCapsule(Protocol):
    def keep(self, *, waits: bool) -> None:
        """Leave a capsule; with *waits* with the output of this turn."""


class Shown:
    """Args: keeper: None: the session leaves no capsules."""

    __slots__ = (
        *("_has_step", "_keeper", "_lesson", "_lesson_step", "_link", "_replay", "_sent", "_step"),
        *("_taken", "seen", "table"),
    )

    def __init__(self, link: Link, keeper: KeepsCapsule | None) -> None:
        self._link, self._keeper = link, keeper
        self._replay: CarriedReplay | None = None  # as the terminal shows it; None: it shows none
        self._has_step = False  # one was handed to the screen, and is not sent
        self._step: CarriedReplay | None = None
        self._lesson: m.LessonPlace | None = None  # as the terminal shows it; None: it shows none
        self._lesson_step: m.LessonPlace | None = None
        self.table = 0  # 0: none
        self.seen = 0  # the record up to which all was shown; 0: nothing was
        self._taken = 0  # the record up to which all is with the session
        self._sent = 0

    def begin(self, capsule: Capsule, seen: int) -> None:
        """Another process has shown its table up to the record *seen*, and its replay."""
        table, seen, self._replay = capsule.table, capsule.seen and seen, replay_of(capsule)
        self.table, self.seen, self._taken, self._sent = table, seen, seen, seen
        lessons = lessons_of(capsule)
        if (it := lessons.learned.get(lessons.game)) is not None:
            self._lesson = m.LessonPlace(
                lessons.game, it.version, it.step, it.title, lessons.inputs
            )
        self._step, self._lesson_step = self._replay, self._lesson

    @property
    def is_idle(self) -> bool:
        """Whether there is no table, and nothing to say: as in the lobby."""
        return not (self.table or self._has_step or self.seen != self._sent)

    def is_concerned(self, inbox: Inbox) -> bool:
        """Whether something may change by what is in *inbox*: not by a line of talk in the lobby,
        which hundreds read at once."""
        return not (inbox.is_line_of_talk and self.is_idle)

    def take(self, table: int, sequence: int) -> None:
        """All of *table* up to the record *sequence* was taken from the inbox."""
        if table != self.table:
            self.table, self.seen, self._sent = table, 0, 0
        self._taken = sequence

    def settle(self, waiting: Iterable[m.Message], shown_until: Callable[[int, int], int]) -> None:
        """All that was taken is handed to the screen, but for *waiting*.

        Args:
            shown_until: The record up to which all was shown, by the one up to which all was taken
                and the number of events that wait.
        """
        if not self.table:
            return
        new = [it for it in waiting if isinstance(it, m.ViewMessage) or _is_new_event(it)]
        events = sum(isinstance(it, m.EventMessage) for it in new)
        if events or not new:  # else a view waits, and nobody knows of which record
            self.seen = max(self.seen, shown_until(self._taken, events))

    def take_step(self, step: Step, now: CarriedReplay | None) -> None:
        """A place in a replay or a lesson, or its end, is handed to the screen.

        Args:
            now: Where the replay stands; None: there is none.
        """
        self._has_step = True
        match step:
            case m.LessonStep(at=at):
                self._lesson_step = at
            case m.LessonOver():
                self._lesson_step = None
            case m.ReplayStep(position=position):
                self._step = None if now is None else now._replace(position=position)
            case m.ReplayOver():
                self._step = None

    def forget_places(self) -> None:
        """The session goes on as another person, who is in no replay and takes no lesson."""
        self._has_step, self._replay, self._step = False, None, None
        self._lesson = self._lesson_step = None

    def replay(self, now: CarriedReplay | None) -> CarriedReplay | None:
        """What a capsule has of it.  Args: now: where it stands, which may not be shown yet."""
        if self._replay is None:
            return None
        return self._replay._replace(auto_s=0 if now is None else now.auto_s)

    def lessons(self, now: CarriedLessons) -> CarriedLessons:
        """As `replay`, of lessons."""
        if (it := self._lesson) is None:
            return CarriedLessons(learned=now.learned)
        shown = LearnedLesson(it.version, it.step, it.title)
        return CarriedLessons(it.game, it.inputs, {**now.learned, it.game: shown})

    def send(self) -> None:
        """Say it, with what is sent in this turn."""
        if self._has_step:
            self._has_step, self._replay = False, self._step
            self._lesson = self._lesson_step
            if self._keeper is not None:
                self._keeper.keep(waits=True)
        if self.seen != self._sent:
            self._sent = self.seen
            self._link.send(b"", self.seen)


def _is_new_event(message: m.Message) -> bool:
    return isinstance(message, m.EventMessage) and not message.is_past
