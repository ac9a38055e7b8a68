"""Planted leaks of stockpile in its windows and in what it offers.  [G-12]

Rule 1: a hole in `decide` that closes a window takes no notice of the answer that the honest
        game has for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.conformance.mutants import Peephole
from tests.conformance.spoiled import Book
from variants.contract import IllegalAction, ParseError, Refusal, Seat
from variants.kit.text import styled_line
from variants.stockpile.actions import Pass
from variants.stockpile.data.cards import NICE_TRY, REACTIONS, REFLECTION
from variants.stockpile.state import State
from variants.stockpile.view import View


def holds(state: State, seat: int, *names: str) -> bool:
    return any(card.name in names for card in state.players[seat].hand)


def _sooner(v: Book, is_sooner: Callable[[State, Any], bool]) -> Book:
    """A window is on another clock where *is_sooner* of (state, plays of the asked seat)."""
    peep = Peephole()

    def asked(view: View) -> Any:
        window = v.open_window(view)
        if window is None:
            return None
        plays = v.legal_actions(v.observe(peep.state, window.seats[0]))
        return replace(window, clock_name="hurry") if is_sooner(peep.state, plays) else window

    return replace(peep.in_observe(v), open_window=asked)


# -- windows ---------------------------------------------------------------------------


def only_who_can_answer_is_asked(v: Book) -> Book:
    """The window of a seat without a reaction passes by itself, at once."""

    def decide(state: State, seat: Seat, action: Any, chance: Any) -> Any:
        is_answer = isinstance(action, Pass)
        if is_answer and (state.asks, state.asked) != ("reaction", seat):
            return ()  # [Rule 1]
        events = list(v.decide(state, seat, action, chance))
        for event in events:
            state = v.evolve(state, event)
        while state.asks == "reaction" and not holds(state, state.asked, *REACTIONS):
            for event in v.decide(state, state.asked, Pass(), chance):
                events.append(event)
                state = v.evolve(state, event)
        return events

    return replace(v, decide=decide)


def a_window_closes_sooner_for_who_cannot_answer(v: Book) -> Book:
    return _sooner(
        v,
        lambda state, plays: state.asks == "reaction" and not holds(state, state.asked, *REACTIONS),
    )


def a_window_closes_sooner_where_one_answer_is_possible(v: Book) -> Book:
    """[G-12] An action is asked for also where only one is legal, or else the hand would show."""
    return _sooner(v, lambda state, plays: state.asks == "action" and len(plays) == 1)


def a_supply_is_given_up_sooner_by_who_cannot_defend(v: Book) -> Book:
    return _sooner(
        v,
        lambda state, plays: state.asks == "give up" and not holds(state, state.asked, *REACTIONS),
    )


def a_final_turn_ends_sooner_for_who_has_little_to_play(v: Book) -> Book:
    def has_little(state: State, plays: Any) -> bool:
        return state.asks == "action" and state.is_final and len(plays) < 10

    return _sooner(v, has_little)


def who_is_asked_is_told_to_all_by_what_it_holds(v: Book) -> Book:
    peep = Peephole()

    def asked(view: View) -> Any:
        window = v.open_window(view)
        if window is None or not holds(peep.state, window.seats[0], *REACTIONS):
            return window
        return replace(window, asks="to answer or to pass")

    return replace(peep.in_observe(v), open_window=asked)


# -- offers ----------------------------------------------------------------------------


def seats_that_would_answer_are_no_targets(v: Book) -> Book:
    peep = Peephole()

    def legal_actions(view: View) -> Any:
        listed, state = v.legal_actions(view), peep.state
        kept = [a for a in listed if not holds(state, getattr(a, "target", None) or 0, *REACTIONS)]
        return kept or listed

    return replace(peep.in_observe(v), legal_actions=legal_actions)


def reflect_is_offered_to_all_while_somebody_could(v: Book) -> Book:
    """What completes a word knows the words of whoever is asked."""
    peep = Peephole()

    def parse(text: str, view: View, names: Any) -> Any:
        try:
            return v.parse(text, view, names)
        except Refusal as refusal:
            said = refusal.format(names).replace("{", "{{").replace("}", "}}")
            offer = " Did you mean reflect?" if _could(peep.state, REFLECTION) else ""
            raise ParseError(said + offer) from None

    return replace(peep.in_observe(v), parse=parse)


def _could(state: State, name: str) -> bool:
    return any(holds(state, seat, name) for seat in range(len(state.players)))


def a_refusal_knows_who_would_answer(v: Book) -> Book:
    peep = Peephole()

    def check(view: View, action: Any) -> None:
        try:
            v.check(view, action)
        except IllegalAction as refusal:
            more = " It would be answered." if _could(peep.state, NICE_TRY) else ""
            raise IllegalAction(refusal.template + more, *refusal.values) from None

    return replace(peep.in_observe(v), check=check)


def a_time_out_looks_at_the_deck(v: Book) -> Book:
    """What is drawn when the clock runs out is not drawn if it would be an Infection."""
    peep = Peephole()

    def default(view: View, chance: Any) -> Any:
        top = peep.state.cards_in_deck(view.seats[view.asked].location)[:1]
        listed = v.legal_actions(view)
        is_bad = view.asks == "action" and top and top[0].sort == "impact"
        return listed[-1] if is_bad else v.default_action(view, chance)

    return replace(peep.in_observe(v), default_action=default)


def a_phrase_is_longer_against_who_would_answer(v: Book) -> Book:
    peep = Peephole()

    def phrase(action: Any, view: View, names: Any) -> str:
        target = getattr(action, "target", None)
        careful = target is not None and holds(peep.state, target, *REACTIONS)
        return v.phrase(action, view, names) + (" " if careful else "")

    return replace(peep.in_observe(v), phrase=phrase)


def the_screen_marks_who_could_answer(v: Book) -> Book:
    peep = Peephole()

    def render(view: View, names: Any, style: Any) -> Any:
        able = [n for seat, n in enumerate(names) if holds(peep.state, seat, *REACTIONS)]
        return [*v.render(view, names, style), styled_line("Could answer: " + ", ".join(able))]

    return replace(peep.in_observe(v), render=render)


def the_discard_piles_show_what_lies_on_the_deck(v: Book) -> Book:
    peep = Peephole()

    def answer(text: str, view: View, seen: Any, names: Any, style: Any) -> Any:
        rows = v.answer(text, view, seen, names, style)
        return [*rows, *(styled_line(card.name) for card in peep.state.indoor[:1])]

    return replace(peep.in_observe(v), answer=answer)


MUTANTS = (
    a_window_closes_sooner_for_who_cannot_answer,
    a_window_closes_sooner_where_one_answer_is_possible,
    a_supply_is_given_up_sooner_by_who_cannot_defend,
    a_final_turn_ends_sooner_for_who_has_little_to_play,
    who_is_asked_is_told_to_all_by_what_it_holds,
    seats_that_would_answer_are_no_targets,
)

ON_DEMAND = (
    reflect_is_offered_to_all_while_somebody_could,
    a_refusal_knows_who_would_answer,
    a_time_out_looks_at_the_deck,
    a_phrase_is_longer_against_who_would_answer,
    the_screen_marks_who_could_answer,
    the_discard_piles_show_what_lies_on_the_deck,
)
"""Holes in what somebody has to ask for."""

RULE_MUTANTS = (only_who_can_answer_is_asked,)
"""Holes in `decide`: their games are played anew."""
