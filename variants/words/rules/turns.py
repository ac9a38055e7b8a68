"""Turns: two cards, any options, a hand of seven, the end of the round or the next seat.

Rule 1: whatever a seat does ends in one of these functions, or leaves its phase open: after each
        decision somebody is asked, or the game is over.
Rule 2: where only one source has cards the server draws at once; where none has, the phase is
        over.  Both are public facts.  [G-07] [G-12] [WR-18]
Rule 3: CLOSE opens for a seat with an exposed word, whatever it holds.  [G-12]
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Seat
from variants.words.data.box import DRAWS, HAND_SIZE, QUIET_CIRCUITS, STILL_CIRCUITS
from variants.words.events import (
    LetterDiscarded,
    LetterDrawn,
    Passed,
    PhaseOpened,
    TurnEnded,
    TurnStarted,
)
from variants.words.rules import scoring
from variants.words.rules.transition import Transition


def start_turn(transition: Transition, seat: Seat) -> None:
    transition.add(TurnStarted(seat, transition.state.number + 1))
    continue_draw(transition)


def continue_position(transition: Transition) -> None:
    """What follows by itself from a position that was set up by hand."""
    match transition.state.phase:
        case "draw":
            continue_draw(transition)
        case "settle":
            begin_settle(transition)
        case "close":
            begin_close(transition)
        case "removal":
            scoring.end_round(transition, transition.turn, "end")


def _open(transition: Transition, phase: str, *, has_choice: bool = True) -> None:
    transition.add(
        PhaseOpened(transition.turn, phase, len(transition.hand(transition.turn)), has_choice)
    )


# -- drawing and discarding ------------------------------------------------------------------------


def draw_letters(transition: Transition, seat: Seat, source: str, count: int) -> None:
    """In DRAW or in SETTLE: so many cards of one source."""
    for nth in range(count):
        _take(transition, seat, source, 0 if nth else count)
    if transition.state.phase == "draw":
        continue_draw(transition)
    else:
        _continue_settle(transition)


def continue_draw(transition: Transition) -> None:
    """The mandatory draw, as far as it needs no choice.  [WR-15] [WR-17]"""
    while transition.state.drawn < DRAWS and (sources := transition.draw_sources()):
        if len(sources) > 1:
            return
        _take(transition, transition.turn, sources[0])
    _open(transition, "main")


def discard_letters(transition: Transition, seat: Seat, letters: Sequence[str]) -> None:
    """The last one lies on top.  [WR-20]"""
    for letter in letters:
        transition.add(LetterDiscarded(seat, letter))
    _continue_settle(transition)


def _take(transition: Transition, seat: Seat, source: str, cards: int = 1) -> None:
    letter = transition.state.pile[0] if source == "pile" else transition.state.discards[-1]
    transition.add(LetterDrawn(seat, source, letter, cards))


# -- the end of a turn -----------------------------------------------------------------------------


def begin_settle(transition: Transition) -> None:
    """No more options: the hand comes to seven cards, where it can.  [WR-13] [WR-20]"""
    cards = len(transition.hand(transition.turn))
    if cards > HAND_SIZE or (cards < HAND_SIZE and transition.draw_sources()):
        has_choice = cards > HAND_SIZE or len(transition.draw_sources()) > 1
        _open(transition, "settle", has_choice=has_choice)
        _continue_settle(transition)
    else:
        begin_close(transition)


def _continue_settle(transition: Transition) -> None:
    """As far as it needs no choice."""
    while len(transition.hand(transition.turn)) < HAND_SIZE and (
        sources := transition.draw_sources()
    ):
        if len(sources) > 1:
            return
        _take(transition, transition.turn, sources[0])
    if len(transition.hand(transition.turn)) <= HAND_SIZE:
        begin_close(transition)


def begin_close(transition: Transition) -> None:
    """Who has a word exposed is asked whether the round ends.  [WR-43] [WR-44]"""
    if transition.exposed_words(transition.turn):
        _open(transition, "close")
    else:
        end_turn(transition)


def pass_turn(transition: Transition, seat: Seat) -> None:
    """No End of Round."""
    transition.add(Passed(seat))
    end_turn(transition)


def end_turn(transition: Transition) -> None:
    """The round goes on with the next seat, unless the pile is empty or nothing moves any more.

    Source: [WR-49] the turn that empties the pile is completed; [WR-56].
    """
    state, seat = transition.state, transition.turn
    still = 0 if state.tapped else state.still + 1
    quiet = 0 if state.tapped or state.changes else state.quiet + 1
    transition.add(TurnEnded(seat, quiet, still))
    if not state.pile:
        scoring.end_round(transition, seat, "pile")
    elif quiet >= QUIET_CIRCUITS * state.seats:
        scoring.end_round(transition, seat, "quiet")
    elif still >= STILL_CIRCUITS * state.seats:
        scoring.end_round(transition, seat, "still")
    else:
        start_turn(transition, transition.next_seat(seat))
