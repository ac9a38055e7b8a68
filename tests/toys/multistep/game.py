"""Multistep: a toy of turns, so that tests can prove what one-answer windows cannot show.

In a turn a seat takes two steps, in one window on one clock.  It may ask another seat something
in between: the turn's clock stands still until the answer, and an answer not given in time counts
for nothing.  Who falls is out.  The last seat that is in wins, or after TURNS turns all share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tests.toys.duel.game import DUEL
from variants.contract import (
    Chance,
    IllegalAction,
    Outcome,
    ParseError,
    Seat,
    SeatNames,
    Window,
    no_questions,
)
from variants.kit.text import Style, StyledLine, styled_line

STEPS, TURNS = 2, 9


@dataclass(frozen=True)
class Step:
    pass


@dataclass(frozen=True)
class Ask:
    whom: int


@dataclass(frozen=True)
class Answer:
    pass


@dataclass(frozen=True)
class Fall:
    pass


Action = Step | Ask | Answer | Fall


@dataclass(frozen=True)
class Begun:
    seats: int


@dataclass(frozen=True)
class Done:
    seat: int
    verb: str
    whom: int | None = None


@dataclass(frozen=True)
class State:
    """Public from end to end: it is its own view, but for the seat that looks."""

    seats: int
    seat: int | None = None
    turn: int = 0
    number: int = 1
    steps: int = 0
    questions: int = 0
    answerer: int | None = None
    out: tuple[int, ...] = ()


def asked(view: State) -> Window | None:
    if view.number > TURNS or len(view.out) == view.seats - 1:
        return None
    turn = f"turn {view.number}"
    if view.answerer is None:
        return Window(turn, (Seat(view.turn),), "turn", "to step")
    return Window(
        f"{turn} question {view.questions}",
        (Seat(view.answerer),),
        "answer",
        "to answer",
        counts_timeouts=False,
        accepts_empty_line=True,
        paused_window_key=turn,
        turn=turn,
    )


def legal_actions(view: State) -> Sequence[Action]:
    window = asked(view)
    if window is None or view.seat not in window.seats:
        return []
    if view.answerer is not None:
        return [Answer()]
    others = [n for n in range(view.seats) if n != view.seat and n not in view.out]
    return [Step(), *map(Ask, others), Fall()]


def check(view: State, action: Action) -> None:
    if action not in legal_actions(view):
        raise IllegalAction("You cannot do that now.")


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> Sequence[Any]:
    check(observe(state, seat), action)
    verb = type(action).__name__.lower()
    return [Done(seat, verb, action.whom if isinstance(action, Ask) else None)]


def evolve(state: State | None, event: Begun | Done) -> State:
    if isinstance(event, Begun):
        return State(event.seats)
    assert state is not None
    match event.verb:
        case "ask":
            return replace(state, answerer=event.whom, questions=state.questions + 1)
        case "answer":
            return replace(state, answerer=None)
        case "fall":
            return _next(replace(state, out=(*state.out, event.seat)))
        case _:
            state = replace(state, steps=state.steps + 1)
            return state if state.steps < STEPS else _next(state)


def _next(state: State) -> State:
    seats = range(state.seats)
    order = [*seats[state.turn + 1 :], *seats[: state.turn + 1]]
    after = next((n for n in order if n not in state.out), state.turn)
    return replace(state, turn=after, number=state.number + 1, steps=0)


def observe(state: State, seat: Seat | None) -> State:
    return replace(state, seat=seat)


def outcome(state: State) -> Outcome | None:
    if asked(state) is not None:
        return None
    places = [1] * state.seats
    for rank, seat in enumerate(state.out):
        places[seat] = state.seats - rank
    return Outcome(tuple(places), (None,) * state.seats, "all turns are taken")


def count_behind(outcome: Outcome) -> tuple[int, ...]:
    return tuple([sum(other > own for other in outcome.places) for own in outcome.places])


def deal(seats: int, options: Mapping[str, str], chance: Chance) -> Sequence[Begun]:
    return [Begun(seats)]


def parse(text: str, view: State, names: SeatNames) -> Action:
    match text.split():
        case ["step"]:
            return Step()
        case ["ask", name] if name in names:
            return Ask(names.index(name))
        case ["answer"] | []:
            return Answer()
        case ["fall"]:
            return Fall()
        case _:
            raise ParseError("Type step, ask NAME, answer or fall.")


def phrase(action: Action, view: State, names: SeatNames) -> str:
    return f"ask {names[action.whom]}" if isinstance(action, Ask) else type(action).__name__.lower()


def tell(
    event: Begun | Done, seat: Seat | None, names: SeatNames, style: Style
) -> StyledLine | None:
    return styled_line(f"{names[event.seat]}: {event.verb}.") if isinstance(event, Done) else None


def render(view: State, names: SeatNames, style: Style) -> Sequence[StyledLine]:
    return [styled_line(f"Turn {view.number}, {view.steps} steps.")]


MULTISTEP: Any = replace(
    DUEL,
    name="multistep",
    title="Multistep, a toy",
    seats=range(2, 5),
    options=(),
    check_options=lambda options: None,
    default_clocks_s={"turn": 60, "answer": 25},
    action_types=(Step, Ask, Answer, Fall),
    event_types=(Begun, Done),
    view_type=State,
    state_type=State,
    deal=deal,
    open_window=asked,
    check=check,
    legal_actions=legal_actions,
    decide=decide,
    evolve=evolve,
    observe=observe,
    redact=lambda event, seat: event,
    default_action=lambda view, chance: legal_actions(view)[0],
    outcome=outcome,
    match_points=count_behind,
    falls_in_place=True,
    eliminated_seats=lambda view: view.out,
    parse=parse,
    phrase=phrase,
    describe_event=tell,
    render=render,
    verbs=(),
    questions={},
    answer=no_questions,
)
