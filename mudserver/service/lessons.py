"""Lessons: who takes one, how far everybody has come, and what a line leads to.

Rule 1: a lesson is the learner's alone: no table, no seat, no clock, no record of moves.
Rule 2: an account's progress is written when a step begins, and that it is finished before it is
        said.  A guest's is known while the guest is here.
Rule 3: bounded: LESSONS_MAX learners at once, and who types nothing for IDLE_S has none any more.
Rule 4: a game comes first.  Who is in a lesson when one begins is led out of it, and a move that
        was meant for the lesson is not played there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from mudserver.accounts.learned import CarriedLessons, LearnedLesson, step_to_continue
from mudserver.accounts.person import Person
from mudserver.clock import Clock, TimerHandle
from mudserver.errors import JournalWriteError, NotUnderstood, UserError
from mudserver.game_files import find_variant
from mudserver.messages import (
    AnswerMessage,
    EventMessage,
    LessonOver,
    LessonPlace,
    LessonStep,
    Message,
    Notice,
    Page,
)
from mudserver.outbox import Outbox
from mudserver.service import lesson_texts as texts
from mudserver.service.account_service import AccountService
from mudserver.service.game_choices import Command, GameChoices
from mudserver.service.game_questions import bounded_answer
from mudserver.service.shields import Shields
from variants.catalogue import Catalogue
from variants.contract import Refusal
from variants.kit.text import Style
from variants.lesson import LessonRun, Taught
from variants.lesson_file import SAME_NAME, Lesson, parse_lesson

IDLE_S = 1_800.0
NO_TABLE = 0  # of messages about a lesson
GUESTS_MAX = 10_000  # of whom it is remembered how far they have come


@dataclass
class _Learner:
    """Somebody who takes a lesson now."""

    person: Person
    run: LessonRun
    typed_s: float  # when a line was typed last, on the monotonic clock
    timer: TimerHandle | None = None  # ends it when nothing is typed
    is_first: bool = True  # nothing was shown yet


@dataclass
class Lessons:
    """Args: at_once: how many people may take one at a time."""

    catalogue: Catalogue
    clock: Clock
    outbox: Outbox
    accounts: AccountService
    at_once: int
    choices: GameChoices = field(default_factory=GameChoices)
    _learners: dict[str, _Learner] = field(default_factory=dict)  # by person id
    _kept: dict[str, dict[str, LearnedLesson]] = field(default_factory=dict)  # by person online
    _shields: Shields = field(init=False)

    def __post_init__(self) -> None:
        self._shields = Shields(self.clock)

    # -- who takes one ---------------------------------------------------------------------------

    def is_learning(self, person_id: str) -> bool:
        return person_id in self._learners

    def count(self) -> int:
        """How many people take a lesson."""
        return len(self._learners)

    def place(self, person_id: str) -> str:
        """`lesson 2/6`, for a prompt; "": the person takes none."""
        learner = self._learners.get(person_id)
        if learner is None:
            return ""
        return f"lesson {learner.run.step_number + 1}/{len(learner.run.lesson.steps)}"

    def suggestion(self, person: Person, *, invites: bool = True) -> str:
        """A sentence about the lesson that waits for the person, or (*invites*) for whoever has
        finished neither a lesson nor a game about lessons; "": there is nothing to say, or the
        person takes one."""
        if self.is_learning(person.id):
            return ""
        for variant, learned in self._learned(person).items():
            if learned.title and variant in self.catalogue and self.catalogue[variant].lesson:
                lesson = self._lesson(variant, person)
                step = step_to_continue(learned, lesson.version, _titles(lesson))[0]
                return texts.CONTINUE.format(variant, step + 1, len(lesson.steps))
        is_new = invites and not self.accounts.last_variant(person) and not self._learned(person)
        return texts.FIRST if is_new and self._games() else ""

    def overview(self, person: Person) -> list[tuple[str, str]]:
        """Of each lesson: its game, and where the person is in it."""
        learned, found = self._learned(person), list[tuple[str, str]]()
        for variant in self._games():
            lesson, was = self._lesson(variant, person), learned.get(variant)
            says = texts.MINUTES.format(lesson.minutes)
            if was is not None and was.title:
                step = step_to_continue(was, lesson.version, _titles(lesson))[0]
                says = texts.STEP.format(step + 1, len(lesson.steps))
            elif was is not None and was.is_finished:
                says = texts.DONE
            found.append((variant, says))
        return found

    def choose(self, person: Person) -> str:
        """The game of an unfinished lesson; "": there is none, and the person is asked."""
        for variant, learned in self._learned(person).items():
            if learned.title and variant in self.catalogue:
                return variant
        self.choices.ask(person.id, "learn")
        minutes = [(name, self._lesson(name, person).minutes) for name in self._games()]
        rows = [f"{n} {name} ({least} min)" for n, (name, least) in enumerate(minutes, start=1)]
        self.outbox.send(person.id, Notice(texts.WHICH.format(", ".join(rows))))
        return ""

    def take_choice(self, person: Person, line: str) -> tuple[Command, str] | None:
        """The command that has asked "Which game?", and the game that *line* names; None: nothing
        was asked, or it is no answer."""
        return self.choices.take(person.id, line, self._games_of)

    def _games_of(self, command: Command) -> Collection[str]:
        return self._games() if command == "learn" else self.catalogue

    def forget(self, person_id: str) -> None:
        """The person is not online any more."""
        self._end(person_id)
        self._kept.pop(person_id, None)
        self._shields.forget(person_id)
        self.choices.forget(person_id)

    def learned_here(self, person_id: str) -> dict[str, LearnedLesson]:
        """By variant, how far the person has come since coming in."""
        return dict(self._kept.get(person_id, {}))

    def carried(self, person_id: str) -> CarriedLessons:
        """What goes along with the session of the person."""
        learned = self.learned_here(person_id)
        learner = self._learners.get(person_id)
        if learner is None:
            return CarriedLessons(learned=learned)
        run = learner.run
        learned[run.lesson.variant] = _learned_now(run)
        return CarriedLessons(run.lesson.variant, run.input_number, learned)

    def restore(self, person: Person, carried: CarriedLessons) -> None:
        """The person, who is online, goes on here.

        A step that was shown is not shown again; of another edition of the lesson it is.
        """
        self._keep_here(person.id, {**carried.learned, **self._kept.get(person.id, {})})
        variant, learned = self.catalogue.get(carried.game), carried.learned.get(carried.game)
        if variant is None or learned is None or self.is_learning(person.id):
            return
        lesson = self._lesson(variant.name, person)
        step, is_lost = step_to_continue(learned, lesson.version, _titles(lesson))
        is_same = learned.version == lesson.version
        run = LessonRun(variant, lesson, step)
        if is_same:
            run.go_to(step, min(carried.inputs, len(run.step.inputs) - 1))
        learner = self._add(person, run)
        learner.is_first = False
        if is_lost:
            self._send(learner, Notice(texts.CHANGED))
        if not is_same:
            self._send(learner, self._step_message(learner))

    def replace_person(self, old: str, person: Person) -> None:
        """A guest has registered: the lesson goes on; or somebody has another name."""
        if old in self._kept:
            self._kept[person.id] = self._kept.pop(old)
        self._shields.rename(old, person.id)
        if learner := self._learners.pop(old, None):
            learner.person = person
            self._learners[person.id] = learner
        self.choices.forget(old)

    def pause(self, person_id: str, table: int, *, is_playing: bool) -> None:
        """A game is shown at the table: one in which the person plays, or watches."""
        if learner := self._end(person_id):
            name = learner.run.lesson.variant
            text = texts.PAUSED if is_playing else texts.PAUSED_TO_WATCH
            self.outbox.send(person_id, LessonOver(text.format(table, name)))
            if is_playing:
                self._shields.raise_for(person_id)

    def _add(self, person: Person, run: LessonRun) -> _Learner:
        learner = _Learner(person, run, self.clock.monotonic())
        self._learners[person.id] = learner
        self._wait(learner, IDLE_S)
        return learner

    def _end(self, person_id: str) -> _Learner | None:
        """Nobody learns under this id any more; who did."""
        learner = self._learners.pop(person_id, None)
        if learner is not None and learner.timer is not None:
            learner.timer.cancel()
        return learner

    def is_shielded(self, person_id: str, line: str) -> bool:
        """Whether a line at the table may have been meant for the lesson; an empty one ends it."""
        if not line:
            self._shields.forget(person_id)
        return self._shields.is_up(person_id)

    # -- a lesson --------------------------------------------------------------------------------

    async def start(self, person: Person, game: str, *, is_again: bool) -> None:
        """Begin a lesson, or go on with it.  UserError: there is none, or no place."""
        variant = find_variant(game, self.catalogue)
        if not variant.lesson:
            raise UserError(texts.NO_LESSON.format(variant.title, variant.name), "not_found")
        if not self.is_learning(person.id) and self.count() >= self.at_once:
            raise UserError(texts.ALL_TAKEN, "busy")
        lesson = self._lesson(variant.name, person)
        learned = None if is_again else self._learned(person).get(variant.name)
        step, is_lost = step_to_continue(learned, lesson.version, _titles(lesson))
        self._end(person.id)
        learner = self._add(person, LessonRun(variant, lesson, step))
        if is_lost:
            self._send(learner, Notice(texts.CHANGED))
        if step == 0:
            self._send(learner, Page(lesson.title, (lesson.intro, texts.HOW)))
        await self._begin_step(learner)

    async def type(self, person: Person, line: str) -> None:
        """What a line means in the lesson.  UserError, NotUnderstood: what is wrong with it."""
        learner = self._typing(person)
        await self._answer(learner, learner.run.type(line))

    async def show(self, person: Person) -> None:
        """Type what is right for the person."""
        learner = self._typing(person)
        self._send(learner, Notice(texts.SHOWN.format(learner.run.input.show)))
        await self._answer(learner, learner.run.show())

    async def go(self, person: Person, by: int) -> None:
        """To another step.  UserError: there is none before the first."""
        learner = self._typing(person)
        number = learner.run.step_number + by
        if number < 0:
            raise UserError(texts.NO_STEP_BEFORE)
        learner.run.go_to(number)
        await self._begin_step(learner)

    def repeat(self, person: Person, *, is_look: bool = False) -> None:
        """The text again, or the board."""
        learner = self._typing(person)
        self._send(learner, self._step_message(learner, is_again=True, is_look=is_look))

    def reads(self, person: Person, line: str) -> bool:
        """Whether the game reads a line as a move, legal or not."""
        run = self._learners[person.id].run
        try:
            run.game.parse(line, run.view, run.names)
        except Refusal:
            return False
        return True

    def accepts_empty_line(self, person: Person) -> bool:
        """Whether Enter alone is a move now."""
        run = self._learners[person.id].run
        window = run.game.open_window(run.public_view)
        return window is not None and window.accepts_empty_line

    def stop(self, person: Person) -> None:
        """Leave the lesson; the progress is kept."""
        learner = self._learners[person.id]
        self._end(person.id)
        lesson, number = learner.run.lesson, learner.run.step_number + 1
        name = lesson.variant
        self._send(learner, LessonOver(texts.STOPPED.format(name, number, len(lesson.steps), name)))

    def moves(self, person: Person) -> tuple[Any, Any, Sequence[str]]:
        """(game, view, what can be typed) of the lesson."""
        run = self._typing(person).run
        view, game = run.view, run.game
        return game, view, [game.phrase(a, view, run.names) for a in game.legal_actions(view)]

    def answer(self, person: Person, line: str, style: Style) -> AnswerMessage:
        """What the game answers to a question about the lesson's position.

        Raises:
            NotUnderstood: The game does not know the question; it may offer another.
        """
        run = self._typing(person).run
        try:
            return bounded_answer(run.game.answer(line, run.view, run.heard, run.names, style))
        except Refusal as refusal:
            text = refusal.format(run.names)
            raise NotUnderstood(text, refusal.suggestion, "not_understood") from None

    def hint(self, person: Person) -> tuple[str, str]:
        """What is right here, and why; "": the game has no word for it, or forbids the move."""
        run = self._typing(person).run
        action = run.game.parse(run.input.show, run.view, run.names)
        try:
            run.game.check(run.view, action)
        except Refusal:
            return run.input.show, ""
        reasons = run.game.explain(run.view, run.heard, action)
        return run.input.show, " ".join([reason.format(run.names) for reason in reasons])

    def game_of(self, person: Person) -> Any:
        """The variant of the person's lesson."""
        return self._learners[person.id].run.game

    # -- how it goes on --------------------------------------------------------------------------

    async def _answer(self, learner: _Learner, taught: Taught) -> None:
        for row in taught.text.splitlines() if taught.is_right else ():
            self._send(learner, Notice(row))
        if not taught.is_right:
            raise NotUnderstood(taught.text, taught.suggestion, "not_understood")
        self._tell(learner, taught.events)
        if taught.after:
            self._send(learner, Notice(taught.after))
        if taught.ends_step:
            await self._begin_step(learner)
        else:
            self._send(learner, self._step_message(learner))

    async def _begin_step(self, learner: _Learner) -> None:
        """Write that a step has begun, or that the lesson is finished; then show what comes."""
        run, person, lesson = learner.run, learner.person, learner.run.lesson
        if not run.is_over:
            await self._keep(person, lesson.variant, _learned_now(run))
            if self._learners.get(person.id) is learner:  # no game has begun meanwhile
                self._tell(learner, run.opening)
                self._send(learner, self._step_message(learner))
            return
        self._end(person.id)
        finished = LearnedLesson(lesson.version, is_finished=True)
        is_saved = await self._keep(person, lesson.variant, finished)
        self._send(learner, LessonOver(texts.FINISHED if is_saved else texts.NOT_SAVED))
        self._send(learner, Notice(lesson.outro))

    async def _keep(self, person: Person, variant: str, learned: LearnedLesson) -> bool:
        """Remember how far the person has come; whether that is written, where it has to be."""
        self._keep_here(person.id, {**self._kept.get(person.id, {}), variant: learned})
        if person.is_guest:
            return True
        try:
            await self.accounts.save_lesson(person, variant, learned)
        except JournalWriteError:
            return False
        return True

    def _keep_here(self, person_id: str, learned: dict[str, LearnedLesson]) -> None:
        if learned and (person_id in self._kept or len(self._kept) < GUESTS_MAX):
            self._kept[person_id] = learned

    def _learned(self, person: Person) -> dict[str, LearnedLesson]:
        return {**self.accounts.lessons(person), **self._kept.get(person.id, {})}

    def _lesson(self, variant: str, person: Person) -> Lesson:
        name = person.name.capitalize()
        return parse_lesson(self.catalogue[variant].lesson, name if name in SAME_NAME else "")

    def _games(self) -> list[str]:
        """Those that have a lesson."""
        return [name for name, game in self.catalogue.items() if game.lesson]

    def _typing(self, person: Person) -> _Learner:
        """The learner who has typed a line."""
        learner = self._learners[person.id]
        learner.typed_s = self.clock.monotonic()
        return learner

    def _wait(self, learner: _Learner, wait_s: float) -> None:
        learner.timer = self.clock.call_later(wait_s, lambda: self._end_if_idle(learner))

    def _end_if_idle(self, learner: _Learner) -> None:
        left_s = learner.typed_s + IDLE_S - self.clock.monotonic()
        if left_s > 0:
            self._wait(learner, left_s)
            return
        self._end(learner.person.id)
        self._send(learner, LessonOver(texts.ASLEEP.format(learner.run.lesson.variant)))

    # -- messages --------------------------------------------------------------------------------

    def _send(self, learner: _Learner, message: Message) -> None:
        self.outbox.send(learner.person.id, message)

    def _tell(self, learner: _Learner, events: Sequence[Any]) -> None:
        run = learner.run
        for event in events:
            names = tuple(run.names)
            self._send(learner, EventMessage(NO_TABLE, run.lesson.variant, 0, names, event))

    def _step_message(
        self, learner: _Learner, *, is_again: bool = False, is_look: bool = False
    ) -> LessonStep:
        run, lesson = learner.run, learner.run.lesson
        number, of = run.step_number + 1, len(lesson.steps)
        is_first, learner.is_first = learner.is_first, False
        title = texts.STEP_OF.format(lesson.variant.capitalize(), number, of, run.step.title)
        return LessonStep(
            *(lesson.variant, title, f"{number} of {of}", run.input.say, tuple(run.names)),
            *(run.view, run.input_number == 0 or is_again, is_first, is_look),
            LessonPlace(
                *(lesson.variant, lesson.version, run.step_number, run.step.title),
                run.input_number,
            ),
        )


def _learned_now(run: LessonRun) -> LearnedLesson:
    return LearnedLesson(run.lesson.version, run.step_number, run.step.title)


def _titles(lesson: Lesson) -> list[str]:
    return [step.title for step in lesson.steps]
