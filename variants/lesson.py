"""A lesson that somebody takes: the position, what was heard of it, and what a line leads to.

Rule 1: what is shown is what the game shows: a lesson uses the game's own functions, and the
        learner's seat sees and hears what a seat may.
Rule 2: only a right line changes the position.  A wrong one has its own sentence, or the game's.
Rule 3: chance is scripted or has a fixed seed, so that everybody is taught the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from variants.contract import IllegalAction, Refusal, Seat, Variant
from variants.kit.json_values import JsonValue
from variants.kit.scripted_chance import PartlyScriptedChance, ScriptMismatch
from variants.lesson_file import LEARNER_SEAT, Lesson, LessonInput, LessonStep, OthersMove, Wanted

SEED = 1
PUZZLE_TRIES = 3  # wrong moves, before a puzzle is solved
STRANGE_MAX = 2  # lines in a row that nobody can read, before it is said how to type it
OFF_TOPIC = "A good move in a game, but not what this step is about. Type: {}"
NOT_QUITE, SOLUTION = "Not quite.", "Not quite. The solution is: {}"
LOOK_FOR = "Not quite. Look for this: {}"
TYPE_IT = "Type it like this: {}   (or skip)"


class Taught(NamedTuple):
    """What a line has led to."""

    text: str = ""  # what is wrong with it
    is_right: bool = False
    events: tuple[Any, ...] = ()  # of a right one and what the others did then, as heard
    after: str = ""  # said then
    ends_step: bool = False
    suggestion: str = ""  # a line that the text offers


def fault(game: Variant[Any, Any, Any, Any], lesson: Lesson) -> str:
    """Why the lesson cannot be played with this game; "": it can."""
    try:
        run = LessonRun(game, lesson)
        while not run.is_over:
            if not (taught := run.show()).is_right:
                return f"{run.step.title}: {taught.text}"
    except (ValueError, LookupError, Refusal, ScriptMismatch) as error:
        return str(error)
    return ""


class LessonRun:
    """Args:
    step: number of the step with which it begins, from 0.
    inputs: so many of its inputs are complete, as `show` completes them.

    Raises:
        ValueError, LookupError, Refusal: See `fault`.
    """

    def __init__(
        self, game: Variant[Any, Any, Any, Any], lesson: Lesson, step: int = 0, inputs: int = 0
    ) -> None:
        self.game, self.lesson = game, lesson
        self._options = {option.name: option.default for option in game.options}
        self._chance = PartlyScriptedChance(SEED)
        self._state: Any = None
        self._heard: list[Any] = []  # by the learner
        self._wrong_count = self._strange_count = 0
        self.step_number = self.input_number = 0
        self.opening: tuple[Any, ...] = ()  # what the others did at the step's beginning, as heard
        self.go_to(step, inputs)

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.step_number]

    @property
    def input(self) -> LessonInput:
        return self.step.inputs[self.input_number]

    @property
    def is_over(self) -> bool:
        return self.step_number >= len(self.lesson.steps)

    @property
    def names(self) -> Sequence[str]:
        return self.lesson.names

    @property
    def view(self) -> Any:
        """What the learner sees."""
        return self.game.observe(self._state, LEARNER_SEAT)

    @property
    def public_view(self) -> Any:
        """What a watcher would see."""
        return self.game.observe(self._state, None)

    @property
    def heard(self) -> Sequence[Any]:
        """What the learner has heard since the position was laid out."""
        return self._heard

    def go_to(self, step: int, inputs: int = 0) -> None:
        """Lay out a step; behind the last one the lesson is over.

        Args:
            inputs: So many of the step are complete, and others follow.
        """
        self.step_number, self.input_number = step, 0
        self._wrong_count = self._strange_count = 0
        if self.is_over:
            return
        base = next(n for n in range(step, -1, -1) if self.lesson.steps[n].position is not None)
        self._arrange(self.lesson.steps[base])
        for earlier in self.lesson.steps[base:step]:
            self._complete(earlier.inputs)
        if base != step:
            self.opening = self._move_others(self.step.before)
        self._complete(self.step.inputs[:inputs])
        self.input_number = inputs

    def _complete(self, inputs: Sequence[LessonInput]) -> None:
        for each in inputs:
            if each.right:
                self._decide(LEARNER_SEAT, each.show, each.draws)
            self._move_others(each.then)

    def type(self, line: str) -> Taught:
        """What a line leads to, made if it is right."""
        try:
            action = self.game.parse(line, self.view, self.names)
        except Refusal as refusal:
            self._strange_count += 1
            text = refusal.format(self.names)
            if self._strange_count >= STRANGE_MAX:
                text += "\n" + TYPE_IT.format(self.input.show)
            return Taught(text, suggestion=refusal.suggestion)
        self._strange_count = 0
        try:
            self.game.check(self.view, action)
        except IllegalAction as refusal:
            text = refusal.format(self.names)
            if any(self._means(Wanted(each), action) for each in self.input.refused):
                return self._completed(Taught(text))
            return Taught(text)
        if any(self._means(each, action) for each in self.input.right):
            return self._completed(Taught(events=self._made(action)))
        return self._wrong(action)

    def show(self) -> Taught:
        """Type what is right."""
        return self.type(self.input.show)

    def _completed(self, taught: Taught) -> Taught:
        """Let the others move, and go on to the next input."""
        this = self.input
        later = self._move_others(this.then)
        self.input_number += 1
        self._wrong_count = 0
        if self.input_number == len(self.step.inputs):
            self._next_step()
        return taught._replace(
            is_right=True,
            events=(*taught.events, *later),
            after=this.after,
            ends_step=self.input_number == 0,
        )

    def _next_step(self) -> None:
        number = self.step_number + 1
        is_continued = (
            number < len(self.lesson.steps) and self.lesson.steps[number].position is None
        )
        if is_continued:
            self.step_number, self.input_number = number, 0
            self.opening = self._move_others(self.step.before)
        else:
            self.go_to(number)

    def _wrong(self, action: Any) -> Taught:
        self._wrong_count += 1
        for each in self.input.wrong:
            if self._means(each, action):
                return Taught(each.say)
        if not self.input.is_puzzle:
            return Taught(OFF_TOPIC.format(self.input.show))
        is_solved = self._wrong_count >= PUZZLE_TRIES
        if is_solved:
            return Taught(SOLUTION.format(self.input.show))
        right = self.game.parse(self.input.show, self.view, self.names)
        reasons = self.game.explain(self.view, self.heard, right)
        return Taught(LOOK_FOR.format(reasons[0].format(self.names)) if reasons else NOT_QUITE)

    def _means(self, wanted: Wanted, action: Any) -> bool:
        if wanted.line:
            try:
                return bool(self.game.parse(wanted.line, self.view, self.names) == action)
            except Refusal:
                return False
        return type(action).__name__ == wanted.kind and all(
            getattr(action, name) == value for name, value in wanted.fields.items()
        )

    # -- the position ------------------------------------------------------------------------------

    def _arrange(self, step: LessonStep) -> None:
        self._state, self._heard, self._chance = None, [], PartlyScriptedChance(SEED)
        seats, position = len(self.names), step.position or {}
        self._fold(self.game.arrange(seats, self._options, position, self._chance))
        self.opening = self._move_others(step.before)

    def _move_others(self, moves: Sequence[OthersMove]) -> tuple[Any, ...]:
        return tuple([e for move in moves for e in self._decide(move.seat, move.line, move.draws)])

    def _made(self, action: Any) -> tuple[Any, ...]:
        self._chance.script = list(self.input.draws)
        return self._fold(self.game.decide(self._state, LEARNER_SEAT, action, self._chance))

    def _decide(self, seat: Seat, line: str, draws: Sequence[JsonValue]) -> tuple[Any, ...]:
        """What a line of the lesson leads to, as the learner hears it."""
        self._chance.script = list(draws)
        action = self.game.parse(line, self.game.observe(self._state, seat), self.names)
        return self._fold(self.game.decide(self._state, seat, action, self._chance))

    def _fold(self, events: Sequence[Any]) -> tuple[Any, ...]:
        heard = []
        for event in events:
            self._state = self.game.evolve(self._state, event)
            if (own := self.game.redact(event, LEARNER_SEAT)) is not None:
                heard.append(own)
        self._heard += heard
        return tuple(heard)
