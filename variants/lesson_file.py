"""What a lesson file says: steps, each a position in which the learner types what a text asks for.

It is TOML, `lesson.toml` in the folder of a game; `variants.lesson` plays it.

    lesson = 1                     # version: raised when steps are added, removed or reordered
    variant, title, minutes, others = ["Juno", "Milo"], intro, outro

    [[step]]                       # 1 to 8
    title = "The fourth card"
    position = { turn = "You" }    # as in scenarios; "You" is the learner; or `continues = true`
    before = [{ seat = "Milo", line = "give q you" }]  # what others do before the first input
    [[step.input]]                 # 1 to 8 in a step
    say = "Type: draw"             # ends with what to type, except in a puzzle
    right = ["draw", { kind = "Give", to = "Milo" }]   # any of them completes the input
    show = "draw"                  # what `show` types; by default the first line of `right`
    wrong = [{ kind = "Draw", say = "First the attack: loot food juno" }]  # legal, and not made
    refused = ["give q juno"]      # instead of `right`: a line that the rules refuse
    draws = [["2S", "..."]]        # what chance gives, as in scenarios
    then = [{ seat = "Milo", line = "force you" }]     # what the others do next
    after = "Two 4s lock."         # said when the input is complete

Rule 1: a name or a key that the format does not know is an error, never silently ignored.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from variants.contract import InvalidData, Seat
from variants.kit.json_values import JsonValue
from variants.kit.scripted_chance import replace_seat_names

T = TypeVar("T")

LEARNER, LEARNER_SEAT = "You", Seat(0)
SAY_CHARS_MAX = 600
STEPS_MAX, INPUTS_MAX = 8, 8
ALL_KEYS = ("lesson", "variant", "title", "minutes", "others", "intro", "outro", "step")
STEP_KEYS = ("title", "position", "continues", "before", "input")
INPUT_KEYS = ("say", "right", "show", "wrong", "refused", "draws", "then", "after")
MOVE_KEYS = ("seat", "line", "draws")
SAME_NAME = {"Juno": "Vera", "Milo": "Otis"}  # who stands in for whom is called as the learner


class Wanted(NamedTuple):
    """An action that a lesson speaks of: what a line means, or all of a kind."""

    line: str = ""
    kind: str = ""  # the name of the action's type
    fields: Mapping[str, Any] = {}
    say: str = ""  # of a wrong one


class OthersMove(NamedTuple):
    """What another player types, and what chance gives."""

    seat: Seat
    line: str
    draws: tuple[JsonValue, ...] = ()


@dataclass(frozen=True)
class LessonInput:
    """What the learner is asked to type next."""

    say: str
    right: tuple[Wanted, ...]
    refused: tuple[str, ...]
    show: str
    wrong: tuple[Wanted, ...]
    draws: tuple[JsonValue, ...]
    then: tuple[OthersMove, ...]
    after: str

    @property
    def is_puzzle(self) -> bool:
        """Whether the text leaves open what to type."""
        return "Type: " not in self.say


@dataclass(frozen=True)
class LessonStep:
    title: str
    position: Mapping[str, Any] | None  # None: it goes on where the step before has ended
    before: tuple[OthersMove, ...]
    inputs: tuple[LessonInput, ...]


@dataclass(frozen=True)
class Lesson:
    version: int
    variant: str
    title: str
    minutes: int
    names: tuple[str, ...]  # by seat; the learner has the first
    intro: str
    outro: str
    steps: tuple[LessonStep, ...]


@lru_cache(maxsize=16)
def parse_lesson(text: str, learner: str = "") -> Lesson:
    """A lesson from the text of its file.  InvalidData names the step, the input and the key.

    Args:
        learner: One of `SAME_NAME`: nobody else in the lesson is called so.
    """
    if other := SAME_NAME.get(learner):
        text = text.replace(learner, other).replace(learner.lower(), other.lower())
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidData(f"The lesson is not TOML: {error}") from None
    _check_keys(raw, ALL_KEYS, "The lesson")
    others = _get(raw, "others", list, "The lesson")
    if not others or not all(isinstance(name, str) for name in others):
        raise InvalidData("The lesson: `others` are the names of the other players.")
    names = (LEARNER, *others)
    steps = _get(raw, "step", list, "The lesson")
    if not 0 < len(steps) <= STEPS_MAX:
        raise InvalidData(f"The lesson has {len(steps)} steps. It can have 1 to {STEPS_MAX}.")
    version, minutes = (
        _get(raw, "lesson", int, "The lesson"),
        _get(raw, "minutes", int, "The lesson"),
    )
    variant, title, intro, outro = [
        _get(raw, key, str, "The lesson") for key in ("variant", "title", "intro", "outro")
    ]
    parsed = tuple([_step(number, step, names) for number, step in enumerate(steps, start=1)])
    return Lesson(version, variant, title, minutes, names, intro, outro, parsed)


def _step(number: int, raw: Any, names: Sequence[str]) -> LessonStep:
    where = f"Step {number}"
    _check_keys(raw, STEP_KEYS, where)
    if ("position" in raw) == ("continues" in raw) or (number == 1 and "continues" in raw):
        raise InvalidData(f"{where}: it needs a `position`, or `continues = true` after another.")
    inputs = _get(raw, "input", list, where)
    if not 0 < len(inputs) <= INPUTS_MAX:
        raise InvalidData(f"{where}: it has 1 to {INPUTS_MAX} inputs, not {len(inputs)}.")
    position: Any = replace_seat_names(raw.get("position"), names)
    return LessonStep(
        _get(raw, "title", str, where),
        position,
        _moves(raw, "before", names, where),
        tuple([_input(n, one, names, where) for n, one in enumerate(inputs, start=1)]),
    )


def _input(number: int, raw: Any, names: Sequence[str], step: str) -> LessonInput:
    where = f"{step}, input {number}"
    _check_keys(raw, INPUT_KEYS, where)
    say, after = _get(raw, "say", str, where), _get(raw, "after", str, where, "")
    if max(len(say), len(after)) > SAY_CHARS_MAX:
        raise InvalidData(f"{where}: a text has at most {SAY_CHARS_MAX} characters.")
    refused = tuple(_get(raw, "refused", list, where, []))
    right = [
        _wanted(each, names, f"{where}, `right`") for each in _get(raw, "right", list, where, [])
    ]
    if bool(right) == bool(refused):
        raise InvalidData(f"{where}: it needs either `right` or `refused`.")
    show = _get(raw, "show", str, where, right[0].line if right else refused[0])
    if not show:
        raise InvalidData(f"{where}: `show` is needed where no line is the first of `right`.")
    wrong = [
        _wanted(each, names, f"{where}, `wrong`") for each in _get(raw, "wrong", list, where, [])
    ]
    if not all(each.say for each in wrong):
        raise InvalidData(f"{where}: each of `wrong` needs a `say`.")
    return LessonInput(
        *(say, tuple(right), refused, show, tuple(wrong)),
        *(tuple(_get(raw, "draws", list, where, [])), _moves(raw, "then", names, where), after),
    )


def _wanted(raw: Any, names: Sequence[str], where: str) -> Wanted:
    """`"draw"`, `{ line = "draw" }`, or `{ kind = "Give", to = "Milo" }`."""
    if isinstance(raw, str):
        return Wanted(raw)
    if not isinstance(raw, dict) or ("line" in raw) == ("kind" in raw):
        raise InvalidData(f"{where}: an action is a line, or has either a `line` or a `kind`.")
    fields = {key: value for key, value in raw.items() if key not in ("line", "kind", "say")}
    if fields and "line" in raw:
        raise InvalidData(f"{where}: a line has no `{next(iter(fields))}`.")
    seats: Any = replace_seat_names(fields, names)
    return Wanted(raw.get("line", ""), raw.get("kind", ""), seats, raw.get("say", ""))


def _moves(raw: Any, key: str, names: Sequence[str], where: str) -> tuple[OthersMove, ...]:
    moves = []
    for each in _get(raw, key, list, where, []):
        _check_keys(each, MOVE_KEYS, f"{where}, `{key}`")
        seat = names.index(each["seat"]) if each.get("seat") in names else 0
        if seat == LEARNER_SEAT:
            raise InvalidData(f"{where}, `{key}`: `seat` is one of {', '.join(names[1:])}.")
        line = _get(each, "line", str, f"{where}, `{key}`")
        moves.append(OthersMove(Seat(seat), line, tuple(each.get("draws", ()))))
    return tuple(moves)


def _check_keys(raw: Any, known: Sequence[str], where: str) -> None:
    if not isinstance(raw, dict):
        raise InvalidData(f"{where} is no table.")
    if unknown := sorted(raw.keys() - {*known}):
        raise InvalidData(f"{where}: there is no `{unknown[0]}`, only {', '.join(known)}.")


def _get(
    raw: Mapping[str, Any], key: str, kind: type[T], where: str, default: T | None = None
) -> T:
    value = raw.get(key, default)
    if value is None:
        raise InvalidData(f"{where}: `{key}` is missing.")
    if type(value) is not kind:
        raise InvalidData(f"{where}: `{key}` is no {kind.__name__}.")
    return value
