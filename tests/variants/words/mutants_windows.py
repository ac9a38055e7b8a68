"""Planted leaks of the word game in its windows and phases.  [G-11] [G-12]

Rule 1: a hole in `decide` may leave a phase that the honest game is still in; then it takes no
        notice of what the honest game does there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.conformance.mutants import Peephole
from tests.conformance.spoiled import Book, in_event, in_view
from variants.contract import IllegalAction, Seat
from variants.words import actions as a
from variants.words import events as e
from variants.words.data.box import END_OF_ROUND
from variants.words.state import State
from variants.words.view import View


def holds_end(state: State, seat: int) -> bool:
    return bool(state.players) and END_OF_ROUND in state.players[seat].hand


def is_printed(state: State, seat: int, spelling: str) -> bool:
    return any(spelling in words for words in state.players[seat].manifest.sets)


# -- sealed answers --------------------------------------------------------------------


def who_has_answered_is_told(v: Book) -> Book:
    """[G-11]"""

    def name(full: Any, known: Any) -> Any:
        return replace(known, seat=full.seat)

    return in_event(in_event(v, e.TradeAnswered, name), e.RemovalAnswered, name)


def what_is_removed_is_told_at_once(v: Book) -> Book:
    def tell(full: e.RemovalAnswered, known: e.RemovalAnswered) -> e.RemovalAnswered:
        return replace(known, removal=full.removal)

    return in_event(v, e.RemovalAnswered, tell)


def who_offers_is_told_each_answer_as_it_comes(v: Book) -> Book:
    def answers(state: State, seat: Seat | None, view: View) -> View:
        if seat is None or state.phase != "trade" or seat != state.turn:
            return view
        return replace(view, answer="".join(reply.letter for reply in state.replies))

    return in_view(v, answers)


def only_who_is_missing_is_asked(v: Book) -> Book:
    peep = Peephole()

    def asked(view: View) -> Any:
        window = v.open_window(view)
        if window is None or not window.is_sealed:
            return window
        given = {reply.seat for reply in peep.state.replies}
        left = tuple(seat for seat in window.seats if seat not in given)
        return replace(window, seats=left or window.seats)

    return replace(peep.in_observe(v), open_window=asked)


def an_answer_that_removes_nothing_does_not_count(v: Book) -> Book:
    """As if nobody had to know that it came."""

    def count(full: e.RemovalAnswered, known: e.RemovalAnswered) -> e.RemovalAnswered:
        return known if full.removal else replace(known, missing=known.missing + 1)

    return in_event(v, e.RemovalAnswered, count)


def the_missing_are_named_by_a_number(v: Book) -> Book:
    """A bit for each that is missing, as a set kept in an int would have it."""

    def bits(state: State, seat: Seat | None, view: View) -> View:
        given = {reply.seat for reply in state.replies}
        waits = [*(offer.to for offer in state.offers), *state.removers]
        return replace(view, missing=sum(2**s for s in waits if s not in given))

    return in_view(v, bits)


# -- windows and clocks ----------------------------------------------------------------


def _sooner(v: Book, is_sooner: Callable[[State, Seat], bool]) -> Book:
    peep = Peephole()

    def asked(view: View) -> Any:
        window = v.open_window(view)
        if window is None or not any(is_sooner(peep.state, seat) for seat in window.seats):
            return window
        return replace(window, clock_name="hurry")

    return replace(peep.in_observe(v), open_window=asked)


def a_turn_closes_sooner_for_who_cannot_end_the_round(v: Book) -> Book:
    return _sooner(v, lambda state, seat: state.phase == "close" and not holds_end(state, seat))


def a_trade_closes_sooner_where_there_is_little_to_choose(v: Book) -> Book:
    """[G-12] Also who holds nothing but one letter is asked."""
    return _sooner(
        v, lambda state, seat: state.phase == "trade" and len(set(state.players[seat].hand)) < 6
    )


def a_removal_closes_sooner_where_all_words_are_wanted(v: Book) -> Book:
    def is_content(state: State, seat: Seat) -> bool:
        own = [word.spelling for word in state.words if word.owner == seat]
        wanted = any(is_printed(state, seat, spelling) for spelling in own)
        return state.phase == "removal" and wanted

    return _sooner(v, is_content)


def who_could_end_the_round_is_asked_in_other_words(v: Book) -> Book:
    peep = Peephole()

    def asked(view: View) -> Any:
        window = v.open_window(view)
        if window is None or peep.state.phase != "close" or not holds_end(
            peep.state, window.seats[0]
        ):  # fmt: skip
            return window
        return replace(window, asks="to pass, or to end the round")

    return replace(peep.in_observe(v), open_window=asked)


MUTANTS = (
    who_has_answered_is_told,
    what_is_removed_is_told_at_once,
    who_offers_is_told_each_answer_as_it_comes,
    only_who_is_missing_is_asked,
    an_answer_that_removes_nothing_does_not_count,
    the_missing_are_named_by_a_number,
    a_turn_closes_sooner_for_who_cannot_end_the_round,
    a_trade_closes_sooner_where_there_is_little_to_choose,
    a_removal_closes_sooner_where_all_words_are_wanted,
    who_could_end_the_round_is_asked_in_other_words,
)


# -- phases: holes in `decide` ---------------------------------------------------------


def end_of_round_is_no_card_of_the_hand(v: Book) -> Book:
    """Its holder keeps seven letters beside it, and so draws and discards otherwise.  [WR-13]"""

    def decide(state: State, seat: Seat, action: Any, chance: Any) -> Any:
        if not isinstance(action, a.Done | a.Draw | a.Discard) or state.phase == "draw":
            return v.decide(state, seat, action, chance)
        player = state.players[seat]
        letters = tuple(card for card in player.hand if card != END_OF_ROUND)
        players = list(state.players)
        players[seat] = replace(player, hand=letters)
        try:
            return v.decide(replace(state, players=tuple(players)), seat, action, chance)
        except IllegalAction:
            return ()  # [Rule 1]

    return replace(v, decide=decide)


def the_end_of_a_turn_is_asked_only_of_who_could_end_the_round(v: Book) -> Book:
    """[G-12] CLOSE would name the holders of End of Round."""

    def decide(state: State, seat: Seat, action: Any, chance: Any) -> Any:
        if isinstance(action, a.Pass) and state.phase not in ("close", "removal"):
            return ()  # [Rule 1]
        events = list(v.decide(state, seat, action, chance))
        for event in events:
            state = v.evolve(state, event)
        if state.phase == "close" and not holds_end(state, seat):
            events += v.decide(state, seat, a.Pass(), chance)
        return events

    return replace(v, decide=decide)


def who_has_no_use_for_it_is_not_asked_to_remove_a_letter(v: Book) -> Book:
    """[G-12] Whose words are on the own manifest wants none removed."""

    def decide(state: State, seat: Seat, action: Any, chance: Any) -> Any:
        events = list(v.decide(state, seat, action, chance))
        for i, event in enumerate(events):
            if isinstance(event, e.RemovalOpened):
                seats = [s for s in event.seats if not _is_content(state, s)]
                events[i] = replace(event, seats=tuple(seats) or event.seats)
        return events

    return replace(v, decide=decide)


def _is_content(state: State, seat: int) -> bool:
    words = [word.spelling for word in state.words if word.owner == seat]
    return any(is_printed(state, seat, spelling) for spelling in words)


def removed_letters_fall_in_the_order_of_the_answers(v: Book) -> Book:
    """In seat order, or else everybody sees who was quick."""

    def decide(state: State, seat: Seat, action: Any, chance: Any) -> Any:
        events = list(v.decide(state, seat, action, chance))
        order = [*(reply.seat for reply in state.replies), seat]
        removed = [event for event in events if isinstance(event, e.LetterRemoved)]
        quick = iter(sorted(removed, key=lambda event: order.index(event.seat)))
        return [next(quick) if isinstance(x, e.LetterRemoved) else x for x in events]

    return replace(v, decide=decide)


def who_holds_end_of_round_begins(v: Book) -> Book:
    """The first player is drawn, and says nothing about hands."""

    def deal(seats: int, options: Any, chance: Any) -> Any:
        events = list(v.deal(seats, options, chance))
        for i, event in enumerate(events):
            if isinstance(event, e.RoundBegun):
                first = next(
                    n for n, hand in enumerate(event.hands) if END_OF_ROUND in (hand or ())
                )
                events[i] = replace(event, starter=Seat(first))
            elif isinstance(event, e.TurnStarted):
                events[i] = replace(event, seat=events[i - 1].starter)
        return events

    def decide(state: State, seat: Seat, action: Any, chance: Any) -> Any:
        try:
            return v.decide(state, seat, action, chance)
        except IllegalAction:
            return ()  # [Rule 1]

    return replace(v, deal=deal, decide=decide)


RULE_MUTANTS = (
    end_of_round_is_no_card_of_the_hand,
    the_end_of_a_turn_is_asked_only_of_who_could_end_the_round,
    who_has_no_use_for_it_is_not_asked_to_remove_a_letter,
    removed_letters_fall_in_the_order_of_the_answers,
    who_holds_end_of_round_begins,
)
"""Holes in `deal` and `decide`: their games are played anew."""
